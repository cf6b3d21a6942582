/* Learning: fits on all threads, scores. */

#include "learn_classifier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/rng.h"

#define EMBARGO 3600.0 /* seconds: what features look back at */

/* A fit: of one kind, of the rows of one target or of all, without a part of the time.
 * Parts: a fold; then the held-out days; then these with fewer days to learn from. */
enum { HELD_OUT = LEARN_FOLDS, PARTS = HELD_OUT + 1 + LEARN_SHARES };

typedef struct work {
    learn_result *result;
    const learn_options *options;
    int groups;         /* 1, or targets */
    int *order;         /* kinds, expensive ones first */
    double *scores;     /* [kinds][rows], of folds and held-out days */
    double *less;       /* [kinds][LEARN_SHARES][rows] */
    atm_status *status; /* [tasks] */
    double block;       /* seconds of a fold */
} work;

/* --- one fit */

static bool learns_from(const work *w, const state_row *row, int part)
{
    const learn_result *r = w->result;
    double start;

    if (row->time >= r->split || (part >= HELD_OUT && row->time >= r->split - EMBARGO))
        return false;
    if (part == HELD_OUT)
        return true;
    if (part > HELD_OUT)
        return row->time >= r->split - (r->split - r->rows.from) / (1 << (part - HELD_OUT));
    start = r->rows.from + part * w->block;
    return row->time < start - EMBARGO || row->time >= start + w->block + EMBARGO;
}

static int fold_of(const work *w, const state_row *row)
{
    int fold = (int) ((row->time - w->result->rows.from) / w->block);

    return fold < LEARN_FOLDS ? fold : LEARN_FOLDS - 1;
}

static bool asked_about(const work *w, const state_row *row, int part)
{
    bool held_out = row->time >= w->result->split;

    return part >= HELD_OUT ? held_out : !held_out && fold_of(w, row) == part;
}

static void ask(const work *w, const atm_classifier *c, int kind, int part, int first, int count)
{
    const state_rows *rows = &w->result->rows;
    double *to = part <= HELD_OUT
                     ? w->scores + (size_t) kind * (size_t) rows->count
                     : w->less + ((size_t) kind * LEARN_SHARES + (size_t) (part - HELD_OUT - 1)) *
                                     (size_t) rows->count;

    for (int i = first; i < first + count; i++)
        if (asked_about(w, &rows->rows[i], part))
            to[i] = atm_classifier_score(c, &rows->rows[i].view);
}

static double do_task(void *work_, int index)
{
    work *w = work_;
    const state_rows *rows = &w->result->rows;
    int kind = w->order[index / (w->groups * PARTS)], group = index / PARTS % w->groups;
    int part = index % PARTS, taken = 0;
    int first = w->groups > 1 ? rows->targets[group].first : 0;
    int count = w->groups > 1 ? rows->targets[group].count : rows->count;
    const state_row **some = malloc((size_t) (count + 1) * sizeof(*some));
    const learner *learner = w->result->kind[kind].learner;
    atm_classifier *c = NULL;

    w->status[index] = some != NULL ? ATM_OK : ATM_NO_MEMORY;
    for (int i = first; some != NULL && i < first + count; i++)
        if (learns_from(w, &rows->rows[i], part))
            some[taken++] = &rows->rows[i];
    if (taken > 0)
        w->status[index] =
            fit_classifier(learner, some, taken, rng_hash(w->options->seed, (uint64_t) part), &c);
    if (c != NULL)
        ask(w, c, kind, part, first, count);
    atm_classifier_destroy(c);
    free(some);
    return 1 + learner->cost;
}

/* --- scores to probabilities */

/* Fits slope and offset of scores to the labels of a group's rows before the split. */
static void calibrate(const work *w, int kind, int first, int count, double *slope_p,
                      double *offset_p)
{
    const state_rows *rows = &w->result->rows;
    const double *scores = w->scores + (size_t) kind * (size_t) rows->count;
    double *taken = malloc((size_t) (count + 1) * sizeof(double));
    int *label = malloc((size_t) (count + 1) * sizeof(int)), used = 0;

    *slope_p = 1;
    *offset_p = 0;
    for (int i = first; taken != NULL && label != NULL && i < first + count; i++) {
        if (rows->rows[i].time >= w->result->split || isnan(scores[i]))
            continue;
        taken[used] = scores[i];
        label[used++] = rows->rows[i].label;
    }
    if (used >= FIT_FEWEST && !w->result->kind[kind].learner->calibrated)
        score_calibrate(taken, label, used, slope_p, offset_p);
    free(label);
    free(taken);
}

static double probability(double score, double slope, double offset)
{
    return 1 / (1 + exp(-slope * score - offset));
}

static void tell(const work *w, int kind, int group, int first, int count)
{
    learn_result *r = w->result;
    learn_kind *k = &r->kind[kind];
    size_t rows = (size_t) r->rows.count;
    double slope, offset;

    calibrate(w, kind, first, count, &slope, &offset);
    k->slope[group] = slope;
    k->offset[group] = offset;
    for (int i = first; i < first + count; i++) {
        const state_row *row = &r->rows.rows[i];
        double score = w->scores[(size_t) kind * rows + (size_t) i];

        k->p[i] = probability(score, slope, offset);
        if (isnan(score))
            continue;
        score_add(&k->unseen[row->target], k->p[i], row->busy, row->label);
        if (row->time < r->split) {
            score_add(&k->folds, k->p[i], row->busy, row->label);
            continue;
        }
        score_add(&k->held_out, k->p[i], row->busy, row->label);
        score_add(&k->by_target[row->target], k->p[i], row->busy, row->label);
        for (int share = 0; share < LEARN_SHARES; share++) {
            score = w->less[((size_t) kind * LEARN_SHARES + (size_t) share) * rows + (size_t) i];
            if (!isnan(score))
                score_add(&k->less[share], probability(score, slope, offset), row->busy,
                          row->label);
        }
    }
}

/* ROC and AUC of held-out days, of all targets and of each. */
static void tell_curves(const learn_result *r, learn_kind *k)
{
    double *p = malloc((size_t) (r->rows.count + 1) * sizeof(double));
    int *label = malloc((size_t) (r->rows.count + 1) * sizeof(int)), all = 0;

    k->auc = NAN;
    for (int t = 0; p != NULL && label != NULL && t < r->rows.target_count; t++) {
        const state_target *target = &r->rows.targets[t];
        int first = all;

        for (int i = target->first; i < target->first + target->count; i++) {
            if (r->rows.rows[i].time < r->split || isnan(k->p[i]))
                continue;
            p[all] = k->p[i];
            label[all++] = r->rows.rows[i].label;
        }
        k->auc_by_target[t] = score_auc(p + first, label + first, all - first);
    }
    if (p != NULL && label != NULL) {
        k->auc = score_auc(p, label, all);
        k->has_roc = score_roc(p, label, all, k->roc);
    }
    free(label);
    free(p);
}

/* --- all of it */

static bool make_kinds(const learn_options *options, learn_result *r)
{
    size_t rows = (size_t) r->rows.count + 1, targets = (size_t) r->rows.target_count + 1;

    for (int i = 0; learner_at(i) != NULL; i++) {
        const learner *learner = learner_at(i);
        learn_kind *k = &r->kind[r->kinds];

        if (options->kind != NULL && !learner->baseline &&
            strcmp(options->kind, learner->name) != 0)
            continue;
        k->learner = learner;
        k->by_target = calloc(targets, sizeof(*k->by_target));
        k->unseen = calloc(targets, sizeof(*k->unseen));
        k->auc_by_target = calloc(targets, sizeof(double));
        k->p = calloc(rows, sizeof(double));
        k->slope = calloc(targets, sizeof(double));
        k->offset = calloc(targets, sizeof(double));
        r->kinds++;
        if (k->by_target == NULL || k->unseen == NULL || k->auc_by_target == NULL || k->p == NULL ||
            k->slope == NULL || k->offset == NULL)
            return false;
    }
    r->targets = calloc(targets, sizeof(*r->targets));
    return r->targets != NULL;
}

static void order_kinds(const learn_result *r, int *order_p)
{
    for (int i = 0; i < r->kinds; i++) {
        int at = i;

        for (; at > 0 && r->kind[order_p[at - 1]].learner->cost < r->kind[i].learner->cost; at--)
            order_p[at] = order_p[at - 1];
        order_p[at] = i;
    }
}

static atm_status do_all(work *w)
{
    learn_result *r = w->result;
    parallel p = w->options->parallel;
    int tasks = r->kinds * w->groups * PARTS;
    atm_status status = ATM_OK;

    for (int k = 0; k < r->kinds; k++)
        p.all += (double) w->groups * PARTS * (1 + r->kind[k].learner->cost);
    parallel_run(&p, tasks, do_task, w);
    for (int i = 0; status == ATM_OK && i < tasks; i++)
        status = w->status[i];
    for (int k = 0; status == ATM_OK && k < r->kinds; k++) {
        for (int g = 0; g < w->groups; g++) {
            const state_target *t = &r->rows.targets[g];

            tell(w, k, g, w->groups > 1 ? t->first : 0, w->groups > 1 ? t->count : r->rows.count);
        }
        tell_curves(r, &r->kind[k]);
    }
    return status;
}

static atm_status learn(learn_result *r, const learn_options *options)
{
    size_t rows = (size_t) r->rows.count + 1, cells;
    int order[LEARNERS];
    work w = {.result = r, .options = options, .order = order};
    atm_status status = ATM_NO_MEMORY;

    if (!make_kinds(options, r))
        return ATM_NO_MEMORY;
    order_kinds(r, order);
    cells = rows * (size_t) r->kinds;
    w.groups = options->per_target ? r->rows.target_count : 1;
    w.block = (r->split - r->rows.from) / LEARN_FOLDS;
    w.scores = malloc(cells * sizeof(double));
    w.less = malloc(cells * LEARN_SHARES * sizeof(double));
    w.status = calloc((size_t) (r->kinds * w.groups * PARTS), sizeof(*w.status));
    if (w.scores != NULL && w.less != NULL && w.status != NULL) {
        for (size_t i = 0; i < cells; i++)
            w.scores[i] = NAN;
        for (size_t i = 0; i < cells * LEARN_SHARES; i++)
            w.less[i] = NAN;
        status = do_all(&w);
    }
    free(w.scores);
    free(w.less);
    free(w.status);
    if (status == ATM_OK) {
        learn_choose(r, options->per_target);
    }
    return status;
}

static atm_status refuse(const trace *trace, atm_message *message, const char *why)
{
    if (message != NULL)
        snprintf(message->text, sizeof(message->text), "traces of %.100s: %s",
                 trace->path != NULL ? trace->path : "nothing", why);
    return ATM_BAD_FILE;
}

/* There are no rows: nothing has two states. */
static atm_status choose_nothing(learn_result *r)
{
    r->targets = calloc((size_t) r->rows.target_count + 1, sizeof(*r->targets));
    for (int i = 0; r->targets != NULL && i < r->rows.target_count; i++)
        r->targets[i].chosen = -1;
    return r->targets != NULL ? ATM_OK : ATM_NO_MEMORY;
}

atm_status learn_run(const trace *trace, const learn_options *options, atm_message *message,
                     learn_result **result_p)
{
    double bytes = options->bytes > 0 ? options->bytes : rows_bytes(trace), from, to;
    double held_out = options->held_out > 0 ? options->held_out : 0.2, start = clock_steady();
    learn_result *r = calloc(1, sizeof(*r)); /* learn_destroy */
    parallel threads = options->parallel;
    atm_status status;

    if (r == NULL)
        return ATM_NO_MEMORY;
    if (bytes == 0 || !trace_span(trace, &from, &to)) {
        free(r);
        return refuse(trace, message, "have no large writes (kind truth) to tell states by");
    }
    r->split = to - held_out * (to - from);
    r->chosen = -1;
    r->drift = NAN;
    threads.progress = NULL;
    status = rows_make(trace, bytes, r->split, options->seed, &threads, &r->rows);
    if (status == ATM_OK && r->rows.count > 0)
        status = learn(r, options);
    else if (status == ATM_OK)
        status = choose_nothing(r);
    r->seconds = clock_steady() - start;
    if (status == ATM_OK)
        *result_p = r;
    else
        learn_destroy(r);
    return status;
}

void learn_destroy(learn_result *result)
{
    if (result == NULL)
        return;
    for (int k = 0; k < result->kinds; k++) {
        free(result->kind[k].by_target);
        free(result->kind[k].unseen);
        free(result->kind[k].auc_by_target);
        free(result->kind[k].p);
        free(result->kind[k].slope);
        free(result->kind[k].offset);
    }
    free(result->targets);
    rows_destroy(&result->rows);
    free(result);
}
