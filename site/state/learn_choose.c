/* Learning: which kind, and for which targets. */

#include <math.h>

#include "learn_classifier.h"

enum { FEWEST = 8 }; /* rows of a target that tell what is better */

/* Share of a target's rows by which a fit may be worse than majority and still count as equal */
#define HARMLESS 0.01

/* The simplest within one standard error of the best, by rows that a fit has not seen;
 * -1: none but baselines. */
static int choose(const learn_result *r, const score_sums *sums)
{
    double best = 0, error;

    for (int k = 0; k < r->kinds; k++)
        if (!r->kind[k].learner->baseline && sums[k].rows > 0)
            best = fmax(best, sums[k].expected / sums[k].rows);
    for (int k = 0; k < r->kinds; k++) {
        double accuracy = sums[k].rows > 0 ? sums[k].expected / sums[k].rows : 0;

        error = sqrt(best * (1 - best) / fmax(sums[k].rows, 1));
        if (!r->kind[k].learner->baseline && sums[k].rows > 0 && accuracy >= best - error)
            return k;
    }
    return -1;
}

static int choose_for(const learn_result *r, const state_target *target)
{
    score_sums sums[LEARNERS] = {{0}};

    for (int k = 0; k < r->kinds; k++)
        for (int i = target->first; i < target->first + target->count; i++)
            if (r->rows.rows[i].time < r->split && !isnan(r->kind[k].p[i]))
                score_add(&sums[k], r->kind[k].p[i], r->rows.rows[i].busy, r->rows.rows[i].label);
    return choose(r, sums);
}

/* --- where it is used */

static const score_sums *unseen_of(const learn_result *r, const learner *learner, int target)
{
    for (int k = 0; k < r->kinds; k++)
        if (r->kind[k].learner == learner)
            return &r->kind[k].unseen[target];
    return NULL;
}

/* Compares on the target's rows of all days that no fit has seen: the last days alone say nothing
 * of a target that was idle in all of them.  Labels are weighted, not drawn. */
static bool beats(const score_sums *ours, const score_sums *theirs)
{
    return ours->rows >= FEWEST && ours->expected > theirs->expected + 1e-9;
}

/* Demands a margin over majority: one standard deviation of its errors, within which being better
 * may be chance. */
static bool beats_majority(const score_sums *ours, const score_sums *theirs)
{
    double errors = theirs->rows - theirs->expected;

    return beats(ours, theirs) && ours->expected - theirs->expected >= sqrt(fmax(errors, 0));
}

static bool beats_baselines(const learn_result *r, int target, int kind)
{
    const score_sums *ours = &r->kind[kind].unseen[target];

    for (int k = 0; k < r->kinds; k++)
        if (r->kind[k].learner->baseline && !beats(ours, &r->kind[k].unseen[target]))
            return false;
    return beats_majority(ours, unseen_of(r, &learner_majority, target));
}

/* True if persistence beats majority, and so predicts something itself. */
static bool persists(const learn_result *r, int target)
{
    const score_sums *ours = unseen_of(r, &learner_persistence, target);
    const score_sums *majority = unseen_of(r, &learner_majority, target);

    return ours != NULL && majority != NULL && beats_majority(ours, majority);
}

/* Allows a prediction for a target without an episode so far if it does no harm there. */
static bool is_harmless(const learn_result *r, int target, int kind)
{
    const score_sums *ours = &r->kind[kind].unseen[target];
    const score_sums *majority = unseen_of(r, &learner_majority, target);

    return majority != NULL && ours->rows >= FEWEST &&
           ours->expected >= majority->expected - HARMLESS * ours->rows;
}

static bool has_two_states(const state_target *target)
{
    return target->count > 0 && (!target->by_latency || target->episodes.found);
}

static void choose_for_each(learn_result *r, bool per_target)
{
    for (int t = 0; t < r->rows.target_count; t++) {
        const state_target *target = &r->rows.targets[t];
        learn_target *to = &r->targets[t];

        to->chosen = -1;
        if (target->count == 0)
            continue;
        r->two += has_two_states(target);
        to->chosen = per_target ? choose_for(r, target) : r->chosen;
        to->used = to->chosen >= 0 && has_two_states(target) && beats_baselines(r, t, to->chosen);
        to->persists = !to->used && !target->by_latency && persists(r, t);
        r->used += to->used;
        r->persistent += to->persists;
    }
}

/* Once predictions help one target that was judged by latency, uses them for all targets they do
 * not harm. */
static void choose_for_others(learn_result *r)
{
    bool helps = false;

    for (int t = 0; t < r->rows.target_count; t++)
        helps = helps || (r->targets[t].used && r->rows.targets[t].by_latency);
    for (int t = 0; t < r->rows.target_count && helps; t++) {
        const state_target *target = &r->rows.targets[t];
        learn_target *to = &r->targets[t];

        if (target->count == 0 || has_two_states(target) || to->chosen < 0)
            continue;
        to->used = is_harmless(r, t, to->chosen);
        r->used += to->used;
    }
}

/* Number of standard errors by which the held-out days are worse than the folds. */
static double drift_of(const learn_result *r)
{
    const learn_kind *k = r->chosen >= 0 ? &r->kind[r->chosen] : NULL;
    double before, after, error;

    if (k == NULL || k->folds.rows < FIT_FEWEST || k->held_out.rows < FIT_FEWEST)
        return NAN;
    before = k->folds.expected / k->folds.rows;
    after = k->held_out.expected / k->held_out.rows;
    error = sqrt(before * (1 - before) * (1 / k->folds.rows + 1 / k->held_out.rows));
    return error > 0 ? (before - after) / error : 0;
}

void learn_choose(learn_result *r, bool per_target)
{
    score_sums sums[LEARNERS];

    for (int k = 0; k < r->kinds; k++)
        sums[k] = r->kind[k].folds;
    r->chosen = per_target ? -1 : choose(r, sums);
    choose_for_each(r, per_target);
    if (!per_target)
        choose_for_others(r);
    r->drift = drift_of(r);
}
