#include "ad_autotune_decide.h"

#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "place/near.h"
#include "place/place.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- rank 0 */

static ADIOI_AUTOTUNE_plan plan_for(const ADIOI_AUTOTUNE_state *state, const atm_config *config,
                                    const atm_access *access)
{
    ADIOI_AUTOTUNE_plan plan = state->root->default_plan;
    int mode = !config->collective ? ADIOI_HINT_DISABLE
               : config->automatic ? ADIOI_HINT_AUTO
                                   : ADIOI_HINT_ENABLE;

    if (config->by_size) { /* calls like this one, and no others */
        mode = ADIOI_HINT_AUTO;
        plan.threshold = (int) (access->bytes_min / 2);
    }
    *(access->write ? &plan.cb_write : &plan.cb_read) = mode;
    plan.cb_nodes = config->aggregators;
    plan.cb_buffer_size = (int) config->buffer;
    if (plan.co_ratio > 0)
        plan.co_ratio = config->co_ratio;
    return plan;
}

/* The most aggregators that share a node. */
static int most_on_a_node(const atm_topology *topology, const int *ranks, int count)
{
    int *on_node = ADIOI_Calloc((size_t) topology->nodes, sizeof(int)), most = 1;

    for (int i = 0; i < count; i++) {
        int here = ++on_node[topology->node_of[ranks[i]]];

        most = here > most ? here : most;
    }
    ADIOI_Free(on_node);
    return most;
}

/* The model spreads aggregators evenly over nodes; placement near bridges may not,
 * but the cap on a node's memory applies all the same. */
static void cap_memory(const ADIOI_AUTOTUNE_state *state, const int *ranks,
                       ADIOI_AUTOTUNE_plan *plan)
{
    uint64_t cap = state->root->settings->memory, most;

    if (cap == 0 || (state->root->settings->fixed >> ATM_FIX_BUFFER & 1))
        return;
    most = (uint64_t) most_on_a_node(state->root->topology, ranks, plan->cb_nodes);
    if ((uint64_t) plan->cb_buffer_size > cap / most)
        plan->cb_buffer_size = cap / most > 0 ? (int) (cap / most) : 1;
}

static void keep_default(const ADIOI_AUTOTUNE_state *state, const char *why,
                         ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    decision->tuned = 0;
    decision->advised[0] = '\0';
    decision->plan = state->root->default_plan;
    memcpy(ranks, state->root->default_ranks, (size_t) decision->plan.cb_nodes * sizeof(int));
    ADIOI_AUTOTUNE_append(sizeof(decision->reason), decision->reason, 0, why);
}

/* What a rule advises, then what the model adds to it, as far as there is room. */
static void give_reason(const ADIOI_AUTOTUNE_answer *answer, ADIOI_AUTOTUNE_decision *decision)
{
    int used = 0;

    if (decision->advised[0] != '\0')
        used = snprintf(decision->reason, sizeof(decision->reason),
                        "advised by %s; beyond it: ", decision->advised);
    snprintf(decision->reason + used, sizeof(decision->reason) - (size_t) used, "%.*s",
             (int) sizeof(decision->reason) - used - 1, answer->reason.text);
}

/* Advice about other things than aggregators, of which the model keeps the default. */
static int keeps_list(const ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_answer *answer)
{
    return answer->is_default &&
           answer->chosen.config.aggregators == state->root->default_plan.cb_nodes;
}

/* The chosen candidate: its plan, and aggregators placed for it. */
static atm_status adopt(const ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_answer *answer,
                        ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    const atm_candidate *chosen = &answer->chosen;

    decision->config = chosen->config;
    decision->calls = answer->calls;
    decision->uncertainty = chosen->prediction.uncertainty;
    decision->drain = chosen->prediction.drain;
    decision->capacity = chosen->prediction.capacity;
    for (int i = 0; i < ATM_PART_COUNT; i++)
        decision->parts[i] = chosen->prediction.parts[i] / answer->calls;
    decision->parts[ATM_PARTITIONING] -= chosen->prediction.once / answer->calls;
    if (answer->is_default && decision->advised[0] == '\0') {
        keep_default(state, answer->reason.text, decision, ranks);
        if (answer->is_unsure)
            ADIOI_AUTOTUNE_say_next(state->root->profile, sizeof(decision->reason),
                                    decision->reason);
        return ATM_OK;
    }
    decision->tuned = 1;
    decision->plan = plan_for(state, &chosen->config, &decision->access);
    give_reason(answer, decision);
    if (state->root->settings->fixed_list || keeps_list(state, answer)) {
        memcpy(ranks, state->root->default_ranks, (size_t) decision->plan.cb_nodes * sizeof(int));
        return ATM_OK;
    }
    if (chosen->config.order == ATM_BY_DATA)
        return atm_place_near(state->root->topology, &decision->access, chosen->config.block,
                              decision->plan.cb_nodes, ranks);
    return atm_place(state->root->topology, atm_policy_at(0), decision->plan.cb_nodes, ranks);
}

/* The targets of the stripes of a late file; any, if none were picked. */
static void pick_targets(ADIOI_AUTOTUNE_state *state, const atm_steering *steering,
                         const ADIOI_AUTOTUNE_decision *decision)
{
    const atm_config *config = &decision->config;
    int **targets = &state->root->targets;

    if (*targets != NULL)
        ADIOI_Free(*targets);
    *targets = NULL;
    if (!decision->tuned || !config->steered || steering == NULL)
        return;
    state->root->target_count = config->stripe_count;
    *targets = ADIOI_Malloc((size_t) config->stripe_count * sizeof(int));
    if ((config->servers > 0
             ? atm_steering_repeat_pick(steering, *targets)
             : atm_steering_pick(steering, config->stripe_count, *targets)) == ATM_OK)
        return;
    ADIOI_Free(*targets);
    *targets = NULL;
}

static int is_in_effect(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                        const ADIOI_AUTOTUNE_decision *decision, const int *ranks)
{
    const ADIOI_AUTOTUNE_decision *last = &state->decision;

    return decision->tuned == last->tuned &&
           memcmp(&decision->plan, &last->plan, sizeof(decision->plan)) == 0 &&
           memcmp(ranks, fd->hints->ranklist, (size_t) decision->plan.cb_nodes * sizeof(int)) == 0;
}

/* What the model is asked, and what it says. */
typedef struct question {
    atm_request request;
    atm_advised advised; /* where the request points, if there is advice */
    atm_profile profile; /* with this file's factors, without a copy of what it holds */
    const ADIOI_AUTOTUNE_answer *answer;
    atm_choice *choice; /* NULL: the answer is an earlier one */
} question;

static atm_status find_answer(const ADIOI_AUTOTUNE_root *root, question *q)
{
    atm_status status;

    q->answer = NULL;
    /* an explanation has all candidates, and states do not stay */
    if (!q->request.whole && q->request.steering == NULL)
        q->answer = ADIOI_AUTOTUNE_answers_find(root->answers, &q->request, &root->scale);
    if (q->answer != NULL)
        return ATM_OK;
    status = atm_choose(&q->request, &q->profile, &q->choice);
    if (status == ATM_OK)
        q->answer =
            ADIOI_AUTOTUNE_answers_keep(root->answers, &q->request, &root->scale, q->choice);
    return status;
}

/* The same with advice, unless that leaves no choice. */
static atm_status find_advised(const ADIOI_AUTOTUNE_state *state, question *q,
                               ADIOI_AUTOTUNE_decision *decision)
{
    const atm_request plain = q->request;
    char rule[32];
    atm_status status;

    ADIOI_AUTOTUNE_advise(state, &q->request, &q->advised);
    if (q->request.advised != NULL && !q->advised.left_out)
        decision->rule = q->advised.rule + 1;
    status = find_answer(state->root, q);
    if (q->request.advised == NULL || q->advised.fixed == 0)
        return status;
    if (status == ATM_OK) {
        atm_advised_say(&q->advised, sizeof(decision->advised), decision->advised);
        return status;
    }
    snprintf(rule, sizeof(rule), "rules[%d]", q->advised.rule);
    ADIOI_AUTOTUNE_refuse(decision->notes, sizeof(decision->notes), "romio_autotune_advice", rule,
                          atm_status_text(status));
    q->request = plain;
    return find_answer(state->root, q);
}

static void ask_model(ADIO_File fd, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_decision *decision,
                      int *ranks)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    question q = {.request = ADIOI_AUTOTUNE_request(fd, state, &decision->access, decision->call),
                  .profile = *root->profile};
    atm_status status;

    q.profile.scale[ATM_COMMUNICATION_KIND] = root->scale.communication;
    q.profile.scale[ATM_STORAGE_KIND] = root->scale.storage;
    memcpy(q.profile.doubt, root->scale.doubt, sizeof(q.profile.doubt));
    decision->access.affinity = q.request.access.affinity;
    decision->access.cached = q.request.access.cached;
    q.request.steering = ADIOI_AUTOTUNE_storage_ask(state, !q.request.new_layout, decision);
    status = find_advised(state, &q, decision);
    if (status == ATM_OK)
        status = adopt(state, q.answer, decision, ranks);
    if (status != ATM_OK)
        keep_default(state, atm_status_text(status), decision, ranks);
    if (q.request.new_layout && decision->access.write)
        pick_targets(state, q.request.steering, decision);
    cap_memory(state, ranks, &decision->plan);
    decision->unchanged = root->reconsiders && is_in_effect(fd, state, decision, ranks);
    if (q.choice != NULL && q.request.whole && !decision->unchanged)
        ADIOI_AUTOTUNE_explain(state, &q.request, &q.profile, q.choice, ranks, decision);
    atm_steering_destroy(q.request.steering);
    atm_choice_destroy(q.choice);
}

/* For decision->access; ranks has room for every rank of the file. */
static void fill_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                          ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    memcpy(decision->notes, state->notes, sizeof(decision->notes));
    if (state->root->failure.text[0] == '\0') {
        ask_model(fd, state, decision, ranks);
        return;
    }
    keep_default(state, state->root->failure.text, decision, ranks);
    if (state->root->topology != NULL)
        cap_memory(state, ranks, &decision->plan);
}

/* --- all ranks */

/* A decision and, if there are few, its aggregators, in one message; its remarks in another. */
typedef struct message {
    int ranks[16];
    int remarked;
    ADIOI_AUTOTUNE_decision decision;
} message;

enum { SHORT_LIST = sizeof(((message *) 0)->ranks) / sizeof(int) };

static size_t short_list(int count)
{
    return sizeof(int) * (size_t) (count < SHORT_LIST ? count : SHORT_LIST);
}

static int send_bytes(MPI_Comm comm, void *bytes, size_t count)
{
    return MPI_Bcast(bytes, (int) count, MPI_BYTE, 0, comm) == MPI_SUCCESS;
}

static int send_message(MPI_Comm comm, message *message)
{
    ADIOI_AUTOTUNE_decision *decision = &message->decision;
    size_t all = sizeof(*message), first = offsetof(struct message, decision.advised);

    message->remarked = decision->advised[0] != '\0' || decision->notes[0] != '\0';
    return send_bytes(comm, message, first) &&
           (!message->remarked || send_bytes(comm, (char *) message + first, all - first));
}

/* The message, then the aggregators if there are many; *ranks_p is allocated except
 * on rank 0.  0 if MPI fails. */
static int broadcast(MPI_Comm comm, int rank, message *message, int **ranks_p)
{
    int count;

    if (!send_message(comm, message))
        return 0;
    if (message->decision.unchanged)
        return 1;
    count = message->decision.plan.cb_nodes;
    if (rank != 0) {
        *ranks_p = ADIOI_Malloc((size_t) count * sizeof(int));
        memcpy(*ranks_p, message->ranks, short_list(count));
    }
    return count <= SHORT_LIST || send_bytes(comm, *ranks_p, (size_t) count * sizeof(int));
}

void ADIOI_AUTOTUNE_decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                           ADIOI_AUTOTUNE_decision *decision, int **ranks_p)
{
    message message;
    int rank, size, *ranks = NULL;

    memset(&message, 0, sizeof(message));
    message.decision = *decision;
    MPI_Comm_rank(fd->comm, &rank);
    if (rank == 0 && !decision->unchanged) {
        MPI_Comm_size(fd->comm, &size);
        ranks = ADIOI_Malloc((size_t) size * sizeof(int));
        fill_decision(fd, state, &message.decision, ranks);
        memcpy(message.ranks, ranks, short_list(message.decision.plan.cb_nodes));
    }
    if (!broadcast(fd->comm, rank, &message, &ranks))
        message.decision.unchanged = 1;
    if (message.decision.unchanged && ranks != NULL) {
        ADIOI_Free(ranks);
        ranks = NULL;
    }
    *decision = message.decision;
    *ranks_p = ranks;
}
