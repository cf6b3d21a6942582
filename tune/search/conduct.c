/* The course of a search. */

#include "conduct.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/rng.h"
#include "common/stats.h"

enum {
    ROUNDS = 3,   /* of checks, of 3, 2 and 1 leaders and the default */
    FAILURES = 5, /* runs that fail before it is given up, if none did not */
    LEAST = 1,    /* second that a run is given */
    VALUES = 64   /* of a point that count */
};

/* Runs that so many rounds take. */
static int runs_of_rounds(int rounds)
{
    return rounds * (rounds + 1) / 2 + rounds;
}

static int rounds_for(int runs)
{
    int rounds = ROUNDS;

    while (rounds > 0 && runs_of_rounds(rounds) > runs)
        rounds--;
    return rounds;
}

static int runs_of(const ats_plan *plan)
{
    double size = ats_space_size(plan->out.space);

    if (plan->runs > 0)
        return plan->runs;
    if (plan->strategy->runs > 0)
        return plan->strategy->runs;
    return (size < 1e9 ? (int) size : 1000000000) + 1 + plan->start_count + runs_of_rounds(ROUNDS);
}

int ats_planned(const ats_plan *plan)
{
    return runs_of(plan);
}

/* A quarter of the runs, at most, is for checks. */
static int runs_to_explore(const ats_plan *plan)
{
    int runs = runs_of(plan);

    return runs - runs_of_rounds(rounds_for(runs / 4));
}

/* --- measuring */

static double time_used(const ats_plan *plan, const ats_seen *seen)
{
    double sum = 0;

    for (int i = 0; i < seen->count; i++)
        sum += seen->at[i].outcome.wall;
    return sum / plan->out.parallel;
}

static bool is_over(const ats_plan *plan, const ats_seen *seen, double share)
{
    return time_used(plan, seen) >= share * plan->seconds;
}

/* What a run takes beyond its value must not be held against it. */
static ats_limit limit_of(const ats_plan *plan, const ats_seen *seen)
{
    ats_limit limit = {INFINITY, INFINITY};
    double best = INFINITY, worst = 0, beyond = 0;

    for (int i = 0; i < seen->count; i++) {
        const ats_outcome *o = &seen->at[i].outcome;
        double seconds = plan->in_seconds ? o->value : o->wall;

        if (o->end != ATS_DONE)
            continue;
        best = fmin(best, seconds);
        worst = fmax(worst, o->value);
        beyond = fmax(beyond, o->wall - seconds);
    }
    if (plan->hopeless <= 0 || !isfinite(best))
        return limit;
    limit.give_up = fmax(beyond + plan->hopeless * best, LEAST);
    limit.at_least = plan->in_seconds ? plan->hopeless * best : worst;
    return limit;
}

static atm_status make(const ats_plan *plan, const ats_trial *trials, int count, ats_seen *seen)
{
    ats_limit limit = limit_of(plan, seen);
    ats_outcome outcomes[ATS_BATCH];
    atm_status status = plan->measure(plan->context, trials, count, &limit, outcomes);

    for (int i = 0; i < count && status == ATM_OK; i++)
        status = ats_seen_add(seen, &trials[i], &outcomes[i]);
    return status;
}

static atm_status check_failures(const ats_seen *seen, atm_message *message)
{
    for (int i = 0; i < seen->count; i++)
        if (seen->at[i].outcome.end != ATS_FAILED)
            return ATM_OK;
    if (seen->count < FAILURES)
        return ATM_OK;
    snprintf(message->text, sizeof(message->text), "all of %d runs failed; the first one: %.160s",
             seen->count, seen->at[0].outcome.why);
    return ATM_NO_CHOICE;
}

/* --- exploring */

static int explored(const ats_seen *seen)
{
    int count = 0;

    for (int i = 0; i < seen->count; i++)
        count += seen->at[i].trial.kind == ATS_EXPLORE;
    return count;
}

static atm_status explore(const ats_plan *plan, const ats_point *points, int count, ats_seen *seen,
                          atm_message *message)
{
    ats_trial trials[ATS_BATCH];
    int first = explored(seen), left = runs_to_explore(plan) - first;
    atm_status status = ATM_OK;

    count = count < left ? count : left;
    for (int i = 0; i < count; i++)
        trials[i] = (ats_trial){ATS_EXPLORE, first + i, points[i]};
    /* in parts, so that all-failing ends soon and time is looked at; the parts of a search that
     * goes on are the same */
    for (int from = 0; from < count && status == ATM_OK; from += plan->out.parallel) {
        int part = count - from < plan->out.parallel ? count - from : plan->out.parallel;

        if (is_over(plan, seen, 0.75))
            break;
        status = make(plan, trials + from, part, seen);
        if (status == ATM_OK)
            status = check_failures(seen, message);
    }
    return status;
}

static atm_status explore_default(const ats_plan *plan, ats_seen *seen, atm_message *message)
{
    static const ats_point none = {{0}};
    atm_status status = explore(plan, &none, 1, seen, message);

    return status == ATM_OK && plan->look != NULL ? plan->look(plan->look_context, message)
                                                  : status;
}

/* What was explored already, as the default may be, is not again. */
static atm_status explore_starts(const ats_plan *plan, ats_seen *seen, atm_message *message)
{
    atm_status status = ATM_OK;
    double value;

    for (int i = 0; i < plan->start_count && status == ATM_OK; i++)
        if (!ats_seen_find(seen, ATS_EXPLORE, &plan->starts[i], &value))
            status = explore(plan, &plan->starts[i], 1, seen, message);
    return status;
}

static atm_status explore_all(const ats_plan *plan, void *state, ats_seen *seen,
                              atm_message *message)
{
    atm_status status = explore_starts(plan, seen, message);

    while (status == ATM_OK && explored(seen) < runs_to_explore(plan) &&
           !is_over(plan, seen, 0.75)) {
        ats_point points[ATS_BATCH];
        int count = plan->strategy->propose(state, seen, points);

        if (count <= 0)
            return count < 0 ? ATM_NO_MEMORY : ATM_OK;
        status = explore(plan, points, count, seen, message);
    }
    return status;
}

/* --- leaders */

static bool has_failed(const ats_seen *seen, const ats_point *point)
{
    for (int i = 0; i < seen->count; i++)
        if (seen->at[i].outcome.end != ATS_DONE && ats_point_equal(&seen->at[i].trial.point, point))
            return true;
    return false;
}

static bool is_among(const ats_point *points, int count, const ats_point *point)
{
    for (int i = 0; i < count; i++)
        if (ats_point_equal(&points[i], point))
            return true;
    return false;
}

bool ats_leader(const ats_seen *seen, const ats_point *except, int count, ats_point *leader_p)
{
    double best = INFINITY;

    for (int i = 0; i < seen->count; i++) {
        const ats_point *point = &seen->at[i].trial.point;
        double values[VALUES], median;
        int found;

        if (ats_point_is_default(point) || is_among(except, count, point) ||
            has_failed(seen, point))
            continue;
        found = ats_seen_values(seen, point, VALUES, values);
        median = found > 0 ? stats_median(values, found) : INFINITY;
        if (median < best) {
            best = median;
            *leader_p = *point;
        }
    }
    return isfinite(best);
}

/* How often a point was checked. */
static int checks_of(const ats_seen *seen, const ats_point *point)
{
    int count = 0;

    for (int i = 0; i < seen->count; i++)
        count +=
            seen->at[i].trial.kind == ATS_CHECK && ats_point_equal(&seen->at[i].trial.point, point);
    return count;
}

/* One run at a time: others would disturb it. */
static atm_status check(const ats_plan *plan, const ats_point *point, ats_seen *seen)
{
    ats_trial trial = {ATS_CHECK, checks_of(seen, point), *point};

    return make(plan, &trial, 1, seen);
}

/* The default is before, between or after the leaders. */
static atm_status check_round(const ats_plan *plan, int leaders, int turn, ats_seen *seen)
{
    static const ats_point none = {{0}};
    ats_point points[ROUNDS];
    atm_status status = ATM_OK;
    int count = 0;

    while (count < leaders && ats_leader(seen, points, count, &points[count]))
        count++;
    for (int i = 0; i <= count && status == ATM_OK; i++) {
        if (i == turn % (count + 1))
            status = check(plan, &none, seen);
        if (i < count && status == ATM_OK)
            status = check(plan, &points[i], seen);
    }
    return status;
}

atm_status ats_search(const ats_plan *plan, ats_seen *seen, atm_message *message)
{
    atm_status status = explore_default(plan, seen, message);
    void *state = status == ATM_OK ? plan->strategy->create(&plan->out) : NULL;
    int rounds;

    if (status == ATM_OK)
        status = state != NULL ? explore_all(plan, state, seen, message) : ATM_NO_MEMORY;
    rounds = rounds_for(runs_of(plan) - seen->count);

    for (int i = 0; i < rounds && status == ATM_OK && !is_over(plan, seen, 1); i++)
        status = check_round(plan, rounds - i, i, seen);
    if (state != NULL)
        plan->strategy->destroy(state);
    if (status == ATM_OK && seen->count > 0 && seen->count < FAILURES) {
        bool any = false;

        for (int i = 0; i < seen->count; i++)
            any = any || seen->at[i].outcome.end != ATS_FAILED;
        if (!any) {
            snprintf(message->text, sizeof(message->text), "all runs failed; the first one: %.160s",
                     seen->at[0].outcome.why);
            status = ATM_NO_CHOICE;
        }
    }
    return status;
}

atm_status ats_verify(const ats_plan *plan, const ats_point *winner, int pairs, ats_seen *seen)
{
    uint64_t state = rng_split(plan->out.seed, 5);
    atm_status status = ATM_OK;

    for (int i = 0; i < pairs && status == ATM_OK; i++) {
        int first = rng_below(&state, 2);

        for (int k = 0; k < 2 && status == ATM_OK; k++) {
            ats_trial trial = {.kind = ATS_VERIFY, .number = i};

            if ((k == 0) == (first == 0))
                trial.point = *winner;
            status = make(plan, &trial, 1, seen);
        }
    }
    return status;
}
