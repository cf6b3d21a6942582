/* What is done in a situation. */

#include "decide.h"

#include <stdlib.h>
#include <string.h>

#include "place/near.h"
#include "place/place.h"
#include "place/where.h"

atm_profile atm_situation_profile(const atm_situation *situation)
{
    atm_profile profile = *situation->profile;

    memcpy(profile.scale, situation->scale.factor, sizeof(profile.scale));
    memcpy(profile.doubt, situation->scale.doubt, sizeof(profile.doubt));
    return profile;
}

/* --- what the model says */

static atm_answer answer_of(const atm_request *request, const atm_choice *choice)
{
    return (atm_answer){.chosen = choice->candidates[choice->chosen],
                        .is_default = choice->chosen == 0,
                        .is_unsure = choice->chosen == 0 && choice->best != 0 && choice->saved > 0,
                        .calls = atm_life_calls(&request->life),
                        .reason = choice->reason};
}

/* An explanation has all candidates, and states of storage do not stay. */
static bool is_kept(const atm_request *request)
{
    return !request->whole && request->steering == NULL;
}

static atm_status ask(const atm_situation *situation, const atm_request *request,
                      atm_answers *answers, atm_decision *decision)
{
    const atm_answer *known =
        is_kept(request) ? atm_answers_find(answers, request, &situation->scale) : NULL;
    atm_profile profile;
    atm_status status;

    if (known != NULL) {
        decision->answer = *known;
        return ATM_OK;
    }
    profile = atm_situation_profile(situation);
    status = atm_choose(request, &profile, &decision->choice);
    if (status != ATM_OK)
        return status;
    decision->answer = answer_of(request, decision->choice);
    if (is_kept(request))
        atm_answers_keep(answers, request, &situation->scale, &decision->answer);
    return ATM_OK;
}

/* What is asked, without advice. */
static void begin(const atm_situation *situation, atm_request *asked)
{
    atm_steering *steering = asked->steering;

    *asked = situation->request;
    atm_request_set_topology(asked, situation->topology);
    asked->steering = steering;
}

/* Asks with advice, unless that leaves no choice. */
static atm_status ask_advised(const atm_situation *situation, atm_answers *answers,
                              atm_decision *decision)
{
    atm_request *asked = &decision->asked;
    atm_status status;

    begin(situation, asked);
    if (situation->advice != NULL) {
        decision->advised = atm_advise(situation->advice, &situation->occasion, asked);
        asked->advised = &decision->advised;
    }
    status = ask(situation, asked, answers, decision);
    if (status == ATM_OK || decision->advised.fixed == 0)
        return status;
    decision->refused = status;
    begin(situation, asked);
    return ask(situation, asked, answers, decision);
}

static bool is_advised(const atm_decision *decision)
{
    return decision->advised.fixed != 0 && decision->refused == ATM_OK;
}

/* --- where its aggregators sit */

/* The most aggregators that share a node; 0 without memory to count them. */
static int most_on_a_node(const atm_topology *topology, const int *ranks, int count)
{
    int *on_node = calloc((size_t) topology->nodes, sizeof(*on_node)), most = 1;

    if (on_node == NULL)
        return 0;
    for (int i = 0; i < count; i++) {
        int here = ++on_node[topology->node_of[ranks[i]]];

        most = here > most ? here : most;
    }
    free(on_node);
    return most;
}

uint64_t atm_buffer_within(const atm_topology *topology, const int *ranks, int count,
                           uint64_t memory, uint64_t buffer)
{
    int most;

    if (memory == 0)
        return buffer;
    most = most_on_a_node(topology, ranks, count);
    memory /= (uint64_t) (most > 0 ? most : count);
    return buffer <= memory ? buffer : memory > 0 ? memory : 1;
}

/* Whether the ranks without us stay: the user has listed them, or the model keeps their number and
 * all else that is not advised. */
static bool keeps_ranks(const atm_situation *situation, const atm_answer *answer)
{
    return answer->chosen.config.aggregators == situation->request.defaults.aggregators &&
           (answer->is_default || situation->request.fixed_order);
}

static atm_status place(const atm_situation *situation, const atm_decision *decision, int *ranks)
{
    const atm_config *config = &decision->answer.chosen.config;

    if (keeps_ranks(situation, &decision->answer)) {
        memcpy(ranks, situation->ranks, (size_t) config->aggregators * sizeof(*ranks));
        return ATM_OK;
    }
    if (config->order == ATM_BY_DATA)
        return atm_place_near(situation->topology, &decision->asked.access, config->block,
                              config->aggregators, ranks);
    return atm_place(situation->topology, atm_policy_at(0), config->aggregators, ranks);
}

/* --- the targets of its stripes */

/* Any, if none can be picked. */
static void pick_targets(atm_decision *decision)
{
    const atm_request *asked = &decision->asked;
    const atm_config *config = &decision->answer.chosen.config;
    int *targets;

    if (!asked->new_layout || !asked->access.write || !decision->tuned || !config->steered ||
        asked->steering == NULL)
        return;
    targets = malloc((size_t) config->stripe_count * sizeof(*targets));
    if (targets == NULL)
        return;
    if ((config->servers > 0
             ? atm_steering_repeat_pick(asked->steering, targets)
             : atm_steering_pick(asked->steering, config->stripe_count, targets)) != ATM_OK) {
        free(targets);
        return;
    }
    decision->targets = targets;
    decision->target_count = config->stripe_count;
}

static atm_steering *steering_of(const atm_storage *storage)
{
    atm_steering *steering;

    if (storage->state == NULL ||
        atm_steering_create(storage->state, storage->now, storage->seed, &steering) != ATM_OK)
        return NULL;
    if (storage->count > 0)
        atm_steering_settle(steering, storage->targets, storage->count);
    return steering;
}

/* --- together */

static atm_status decide(const atm_situation *situation, atm_answers *answers, int *ranks,
                         atm_decision *decision)
{
    const atm_config *config = &decision->answer.chosen.config;
    atm_status status = ask_advised(situation, answers, decision);

    if (status == ATM_OK)
        status = place(situation, decision, ranks);
    if (status != ATM_OK)
        return status;
    decision->tuned = !decision->answer.is_default || is_advised(decision);
    decision->buffer = config->buffer;
    if ((situation->request.fixed >> ATM_FIX_BUFFER & 1) == 0)
        decision->buffer = atm_buffer_within(situation->topology, ranks, config->aggregators,
                                             situation->request.memory, config->buffer);
    pick_targets(decision);
    return ATM_OK;
}

atm_status atm_decide(const atm_situation *situation, atm_answers *answers, int *ranks,
                      atm_decision *decision_p)
{
    atm_steering *steering = steering_of(&situation->storage);
    atm_status status;

    decision_p->asked.steering = steering; /* the rest is set first of all */
    decision_p->targets = NULL;
    decision_p->target_count = 0;
    decision_p->advised = (atm_advised){.rule = -1};
    decision_p->refused = ATM_OK;
    decision_p->choice = NULL;
    status = decide(situation, answers, ranks, decision_p);
    atm_steering_destroy(steering);
    decision_p->asked.steering = NULL;
    if (status != ATM_OK)
        atm_decision_clear(decision_p);
    return status;
}

void atm_decision_clear(atm_decision *decision)
{
    free(decision->targets);
    atm_choice_destroy(decision->choice);
    decision->targets = NULL;
    decision->choice = NULL;
}
