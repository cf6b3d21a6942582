/* The best of the allowed candidates, and whether it is worth a change. */

#include "candidates.h"

#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "reason.h"

const char *atm_mode_name(atm_mode mode)
{
    static const char *const names[ATM_MODE_COUNT] = {
        [ATM_AUTOMATIC] = "automatic", [ATM_ENABLE] = "enable"};
    return (unsigned) mode < ATM_MODE_COUNT ? names[mode] : "unknown";
}

const char *atm_verdict_name(atm_verdict verdict)
{
    static const char *const names[ATM_VERDICT_COUNT] = {[ATM_ALLOWED] = "allowed",
                                                         [ATM_OVER_MEMORY] = "over memory",
                                                         [ATM_OUT_OF_RANGE] = "out of range",
                                                         [ATM_SLOWER] = "slower",
                                                         [ATM_UNCOUNTED] = "impossible"};
    return (unsigned) verdict < ATM_VERDICT_COUNT ? names[verdict] : "unknown";
}

/* ad_hints.c:62,268 and ad_gpfs_hints.c:91: 16 MiB, cb_config_list "*:1". */
atm_config atm_default_config(atm_driver driver, const atm_job *job, const atm_profile *profile)
{
    atm_config config = {.collective = true,
                         .automatic = driver != ATM_GPFS,
                         .aggregators = job->nodes,
                         .buffer = 16 << 20,
                         .stripe_count = 1,
                         .co_ratio = 1};

    if (driver == ATM_LUSTRE)
        config.stripe_size =
            profile->machine.stripe_size > 0 ? profile->machine.stripe_size : 1 << 20;
    if (driver == ATM_GPFS) {
        config.block = profile->machine.block > 0 ? profile->machine.block : 1 << 20;
        config.servers = atm_profile_servers(profile);
    }
    return config;
}

/* --- predicting all */

typedef struct chooser {
    const atm_request *request;
    const atm_profile *profile;
    atm_memo *memo;
    atm_choice *choice;
} chooser;

/* Candidate 0, the default, also before there are candidates. */
static atm_status count(const chooser *chooser, int index, atm_counts *counts_p)
{
    const atm_request *request = chooser->request;

    if (request->among == NULL)
        return atm_count_request(
            request, index == 0 ? &request->defaults : &chooser->choice->candidates[index].config,
            counts_p);
    *counts_p = request->among_counts[index];
    return ATM_OK;
}

static double guessed(const atm_candidate *candidate)
{
    return candidate->prediction.seconds > 0
               ? candidate->prediction.guessed / candidate->prediction.seconds
               : 0;
}

/* The first candidate is the default. */
static atm_verdict judge(const chooser *chooser, const atm_candidate *candidate)
{
    const atm_choice *choice = chooser->choice;

    if (choice->memory > 0 && candidate->memory_per_node > choice->memory)
        return ATM_OVER_MEMORY;
    if (candidate->prediction.cut)
        return ATM_SLOWER;
    if (guessed(candidate) > guessed(&choice->candidates[0]) + ATM_GUESS)
        return ATM_OUT_OF_RANGE;
    return ATM_ALLOWED;
}

/* limit: seconds beyond which a candidate cannot be the best. */
static void evaluate(const chooser *chooser, int index, double limit)
{
    atm_candidate *candidate = &chooser->choice->candidates[index];
    atm_counts counts;

    if (count(chooser, index, &counts) != ATM_OK) {
        candidate->verdict = ATM_UNCOUNTED;
        return;
    }
    atm_predict_counts(chooser->profile, &counts, chooser->memo, limit, &candidate->prediction);
    candidate->memory_per_node = counts.memory_per_node;
    candidate->rounds = counts.rounds;
    candidate->verdict = judge(chooser, candidate);
}

/* A candidate and a lower bound of its time. */
typedef struct bound {
    double seconds;
    int index;
} bound;

static int by_seconds(const void *left, const void *right)
{
    const bound *a = left, *b = right;

    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return a->index - b->index;
}

/* Bounds times from below by the first item, most of the storage time: a limit of 0 stops after
 * it. */
static int bound_all(const chooser *chooser, bound *bounds)
{
    atm_choice *choice = chooser->choice;
    int count = 0;

    for (int i = 1; i < choice->count; i++) {
        atm_candidate *candidate = &choice->candidates[i];

        evaluate(chooser, i, 0);
        if (candidate->verdict == ATM_SLOWER)
            bounds[count++] = (bound){candidate->prediction.seconds, i};
    }
    qsort(bounds, (size_t) count, sizeof(*bounds), by_seconds);
    return count;
}

static void evaluate_promising(const chooser *chooser)
{
    atm_candidate *candidates = chooser->choice->candidates;
    bound bounds[CANDIDATES_MAX];
    int count = bound_all(chooser, bounds);
    double limit = candidates[0].verdict == ATM_ALLOWED
                       ? candidates[0].prediction.seconds * (1 + ATM_TIE)
                       : INFINITY;

    for (int i = 0; i < count && bounds[i].seconds <= limit; i++) {
        atm_candidate *candidate = &candidates[bounds[i].index];

        evaluate(chooser, bounds[i].index, limit);
        if (candidate->verdict == ATM_ALLOWED)
            limit = fmin(limit, candidate->prediction.seconds * (1 + ATM_TIE));
    }
}

static void evaluate_all(const chooser *chooser)
{
    atm_choice *choice = chooser->choice;

    evaluate(chooser, 0, INFINITY);
    if (!chooser->request->whole) {
        evaluate_promising(chooser);
        return;
    }
    for (int i = 1; i < choice->count; i++)
        evaluate(chooser, i, INFINITY);
}

/* --- choosing */

/* In every round all ranks wait for the slowest, which no operation measures. */
static bool preferred(const atm_candidate *one, const atm_candidate *other)
{
    if (one->config.collective && other->config.collective && one->rounds != other->rounds)
        return one->rounds < other->rounds;
    if (one->memory_per_node != other->memory_per_node)
        return one->memory_per_node < other->memory_per_node;
    return one->config.aggregators < other->config.aggregators;
}

/* -1 if none is allowed. */
static int find_best(const atm_choice *choice)
{
    double fastest = INFINITY;
    int best = -1;

    for (int i = 0; i < choice->count; i++)
        if (choice->candidates[i].verdict == ATM_ALLOWED)
            fastest = fmin(fastest, choice->candidates[i].prediction.seconds);
    for (int i = 0; i < choice->count; i++) {
        const atm_candidate *candidate = &choice->candidates[i];

        if (candidate->verdict == ATM_ALLOWED &&
            candidate->prediction.seconds <= fastest * (1 + ATM_TIE) &&
            (best < 0 || preferred(candidate, &choice->candidates[best])))
            best = i;
    }
    return best;
}

static void note(const atm_comparison *comparison, atm_choice *choice)
{
    choice->saved = comparison->saved;
    choice->deviation = comparison->deviation;
    choice->confidence = comparison->confidence;
    choice->harm = comparison->harm;
}

enum { SAFE_TRIED = 16 };

/* The fastest so far, the fastest first. */
typedef struct fastest {
    bound at[SAFE_TRIED];
    int count;
} fastest;

static void keep(fastest *fastest, const atm_candidate *candidate, int index)
{
    bound one = {candidate->prediction.seconds, index};
    int at = fastest->count < SAFE_TRIED ? fastest->count++ : SAFE_TRIED - 1;

    for (; at > 0 && by_seconds(&one, &fastest->at[at - 1]) < 0; at--)
        fastest->at[at] = fastest->at[at - 1];
    fastest->at[at] = one;
}

/* Finds the fastest of those that beat the default.  Predictions that were cut short, as they
 * exceeded the best, are completed only where needed. */
static void find_fastest(const chooser *chooser, fastest *fastest)
{
    atm_choice *choice = chooser->choice;
    double limit = choice->candidates[0].prediction.seconds;
    bound order[CANDIDATES_MAX];
    int count = 0;

    for (int i = 1; i < choice->count; i++)
        if (choice->candidates[i].verdict == ATM_SLOWER ||
            choice->candidates[i].verdict == ATM_ALLOWED)
            order[count++] = (bound){choice->candidates[i].prediction.seconds, i};
    qsort(order, (size_t) count, sizeof(*order), by_seconds);
    for (int i = 0; i < count && order[i].seconds < limit; i++) {
        atm_candidate *candidate = &choice->candidates[order[i].index];

        if (candidate->verdict == ATM_SLOWER)
            evaluate(chooser, order[i].index, limit);
        if (candidate->verdict != ATM_ALLOWED || candidate->prediction.seconds >= limit)
            continue;
        keep(fastest, candidate, order[i].index);
        if (fastest->count == SAFE_TRIED)
            limit = fastest->at[SAFE_TRIED - 1].seconds;
    }
}

static atm_status compare(const chooser *chooser, const atm_reference *reference, int index,
                          atm_comparison *comparison_p)
{
    atm_counts counts;
    atm_status status = count(chooser, index, &counts);

    if (status == ATM_OK)
        atm_compare(chooser->profile, reference, &counts, chooser->memo, comparison_p);
    return status;
}

/* Takes the fastest that is no risk, if any beats the default.  If even the fastest of many are a
 * risk, so are the others: they save less. */
static atm_status take_safe(const chooser *chooser, const atm_reference *reference, double risk)
{
    atm_choice *choice = chooser->choice;
    fastest fastest = {.count = 0};
    atm_status status = ATM_OK;

    find_fastest(chooser, &fastest);
    choice->chosen = 0;
    for (int i = 0; status == ATM_OK && i < fastest.count && choice->chosen == 0; i++) {
        atm_comparison comparison;

        status = compare(chooser, reference, fastest.at[i].index, &comparison);
        if (status == ATM_OK && comparison.harm <= risk) {
            choice->chosen = fastest.at[i].index;
            note(&comparison, choice);
        }
    }
    return status;
}

/* Sets chosen and what it is to the default. */
static atm_status take(const chooser *chooser)
{
    atm_choice *choice = chooser->choice;
    atm_comparison comparison;
    atm_reference reference;
    atm_status status = count(chooser, 0, &reference.counts);

    if (status != ATM_OK)
        return status;
    atm_reference_predict(chooser->profile, chooser->memo, &reference);
    status = compare(chooser, &reference, choice->best, &comparison);
    if (status != ATM_OK)
        return status;
    choice->chosen = choice->best;
    note(&comparison, choice);
    if (choice->best == 0 || choice->candidates[0].verdict != ATM_ALLOWED ||
        chooser->request->mode == ATM_ENABLE)
        return ATM_OK;
    if (comparison.saved > 0 && comparison.harm <= atm_request_risk(chooser->request))
        return ATM_OK;
    return take_safe(chooser, &reference, atm_request_risk(chooser->request));
}

/* --- together */

/* The user's cap, else the larger of the profile's cap and the default's memory. */
static atm_status find_cap(const chooser *chooser, uint64_t *memory_p)
{
    uint64_t cap = chooser->profile->defaults.memory;
    atm_counts counts;
    atm_status status = count(chooser, 0, &counts);

    if (status != ATM_OK)
        return status;
    if (cap > 0 && cap < counts.memory_per_node)
        cap = counts.memory_per_node;
    *memory_p = chooser->request->memory > 0 ? chooser->request->memory : cap;
    return ATM_OK;
}

static atm_status take_candidates(atm_choice *choice, const atm_config *configs, int count)
{
    choice->candidates = calloc((size_t) count, sizeof(*choice->candidates));
    if (choice->candidates == NULL)
        return ATM_NO_MEMORY;
    choice->count = count;
    for (int i = 0; i < count; i++)
        choice->candidates[i].config = configs[i];
    return ATM_OK;
}

static atm_status list_candidates(const chooser *chooser)
{
    const atm_request *request = chooser->request;
    atm_choice *choice = chooser->choice;
    atm_config *configs;
    atm_status status;

    if (request->among != NULL)
        return take_candidates(choice, request->among, request->among_count);
    configs = malloc(CANDIDATES_MAX * sizeof(*configs));
    if (configs == NULL)
        return ATM_NO_MEMORY;
    status = take_candidates(choice, configs,
                             candidates_list(request, chooser->profile, choice->memory, configs));
    free(configs);
    return status;
}

void atm_choice_destroy(atm_choice *choice)
{
    if (choice == NULL)
        return;
    free(choice->candidates);
    free(choice);
}

static atm_status choose(const chooser *chooser)
{
    atm_choice *choice = chooser->choice;
    atm_status status = find_cap(chooser, &choice->memory);

    if (status == ATM_OK)
        status = list_candidates(chooser);
    if (status != ATM_OK)
        return status;
    evaluate_all(chooser);
    choice->best = find_best(choice);
    if (choice->best < 0)
        return ATM_NO_CHOICE;
    status = take(chooser);
    if (status == ATM_OK)
        atm_reason_give(chooser->request, choice);
    return status;
}

static bool valid(const atm_request *request)
{
    return (unsigned) request->driver < ATM_DRIVER_COUNT && request->job.nodes >= 1 &&
           request->job.ranks >= request->job.nodes &&
           request->access.end >= request->access.start && request->life.calls >= 0 &&
           request->life.calls <= ATM_CALLS_MAX && request->life.idle >= 0 &&
           request->life.idle <= ATM_IDLE_MAX && request->life.change >= 0 &&
           request->life.change <= ATM_IDLE_MAX &&
           (request->among == NULL ||
            (request->among_count >= 1 && request->among_count <= CANDIDATES_MAX));
}

atm_status atm_choose(const atm_request *request, const atm_profile *profile, atm_choice **choice_p)
{
    chooser chooser = {.request = request, .profile = profile};
    atm_status status;

    if (!valid(request))
        return ATM_BAD_ARGUMENT;
    chooser.choice = calloc(1, sizeof(*chooser.choice));
    if (chooser.choice == NULL)
        return ATM_NO_MEMORY;
    chooser.memo = atm_memo_create(profile);
    status = choose(&chooser);
    atm_memo_destroy(chooser.memo);
    if (status == ATM_OK)
        *choice_p = chooser.choice;
    else
        atm_choice_destroy(chooser.choice);
    return status;
}
