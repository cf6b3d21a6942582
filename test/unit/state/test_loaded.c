/* Targets as on a large system (loaded_state.h): which of them are found to have a busy state,
 * how well and how soon that is told, and what shares by it are worth.
 * With arguments (loads, a line for each 30 s, or -; ln of times over their median, one each):
 * the same of measurements, printed. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/rng.h"
#include "common/stats.h"
#include "loaded_state.h"
#include "state/learn_classifier.h"
#include "state/model.h"
#include "state/say.h"

enum { TARGETS = 24, BUSY = 12, EVERY = 4 /* steps */ };

typedef struct outcome {
    int found;                  /* said to be busy for most of their episodes */
    int others;                 /* said to be busy for 2 % of the other time */
    double auc, threshold_auc;  /* of what is said; of three minutes of latency */
    double minutes, most;       /* until a target that recovered is said to be idle: median, 95 % */
    double shares, shares_half; /* throughput of best shares over that of equal ones: all, median */
} outcome;

/* --- training on the first days */

static void cut(trace *t, double until, size_t counts[][TRACE_SOURCES])
{
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < TRACE_SOURCES; k++) {
            counts[i][k] = t->targets[i].series[k].count;
            t->targets[i].series[k].count = features_count(&t->targets[i].series[k], until);
        }
}

static void restore(trace *t, size_t counts[][TRACE_SOURCES])
{
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < TRACE_SOURCES; k++)
            t->targets[i].series[k].count = counts[i][k];
}

static state_model *train(trace *t, double until)
{
    size_t(*counts)[TRACE_SOURCES] = calloc((size_t) t->count, sizeof(*counts));
    learn_options how = {.seed = 1, .parallel = {.threads = 2}};
    atm_message message = {""};
    learn_result *r = NULL;
    atm_value *document = NULL;
    state_model *m = NULL;
    int by_writes = 0;

    cut(t, until, counts);
    if (learn_run(t, &how, &message, &r) != ATM_OK)
        fail_msg("%s", message.text);
    for (int i = 0; i < r->rows.target_count; i++)
        by_writes += r->rows.targets[i].count > 0 && !r->rows.targets[i].by_latency;
    print_message("# %d with two states, %d of them by large writes; %d predicted by %s, %d by "
                  "persistence; %.1f s\n",
                  r->two, by_writes, r->used,
                  r->chosen >= 0 ? r->kind[r->chosen].learner->name : "nothing", r->persistent,
                  r->seconds);
    assert_int_equal(learn_document(t, &how, r, &document), ATM_OK);
    assert_int_equal(atm_value_write(document, "loaded.json", &message), ATM_OK);
    if (model_read("loaded.json", &message, &m) != ATM_OK)
        fail_msg("%s", message.text);
    remove("loaded.json");
    restore(t, counts);
    free(counts);
    atm_value_destroy(document);
    learn_destroy(r);
    return m;
}

/* --- asking in the days after */

/* After a write to all targets with these shares, of times that nobody knew */
static double slowest(const double *seconds, const double *shares, int n)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, seconds[i] * shares[i] * n);
    return most;
}

static void best_shares(const atm_state *state, double *shares_p)
{
    atm_targets groups[ATM_TARGET_GROUPS];

    for (int i = 0; i < state->count; i++) {
        groups[i] = (atm_targets){.count = 1, .idle = state->targets[i].idle};
        memcpy(groups[i].paces, state->targets[i].paces, sizeof(groups[i].paces));
    }
    atm_shares_best(groups, state->count, shares_p);
}

typedef struct asking {
    const loaded_options *options;
    const loaded *loaded;
    double *busy, *level; /* [count] of what was said, and known */
    int *label;
    int count;
    int during[TARGETS], right[TARGETS], idle[TARGETS], wrong[TARGETS];
    double *minutes, *ratios;
    int recovered, steps;
    double equal, best;
    uint64_t random;
} asking;

static double slower_at(const loaded *l, int target, int step)
{
    return l->slower[target * l->steps + step];
}

static void ask_shares(asking *a, const atm_state *state, int step)
{
    double seconds[TARGETS], shares[TARGETS], equal[TARGETS], one, other;
    const loaded *l = a->loaded;

    for (int i = 0; i < TARGETS; i++) {
        seconds[i] = slower_at(l, i, step) * l->usual[i * l->steps + step] *
                     exp(loaded_draw(a->options, &a->random));
        equal[i] = 1.0 / TARGETS;
    }
    best_shares(state, shares);
    one = slowest(seconds, equal, TARGETS);
    other = slowest(seconds, shares, TARGETS);
    a->equal += one;
    a->best += other;
    a->ratios[a->steps++] = one / other;
}

/* Busy is what has been slower for the last three minutes, idle what has not. */
static void ask_target(asking *a, const atm_target *said, double level, int target, int step)
{
    double now = slower_at(a->loaded, target, step);
    bool steady = true;

    for (int back = 1; back <= 6; back++)
        steady = steady && (slower_at(a->loaded, target, step - back) > 1) == (now > 1);
    a->busy[a->count] = 1 - said->idle;
    a->level[a->count] = isnan(level) ? 0 : level;
    a->label[a->count++] = now > 1;
    if (steady && now > 1) {
        a->during[target]++;
        a->right[target] += said->idle < 0.5;
    }
    a->idle[target] += steady && now <= 1;
    a->wrong[target] += steady && now <= 1 && said->idle < 0.5;
}

/* Minutes from the end of an episode until idle is said; NaN: no episode ends here. */
static double minutes_to_idle(const asking *a, const state_model *m, int target, int step)
{
    const loaded *l = a->loaded;

    if (!(slower_at(l, target, step - 1) > 1) || slower_at(l, target, step) > 1)
        return NAN;
    for (int later = step; later < l->steps && !(slower_at(l, target, later) > 1); later++)
        if (model_busy(m, &m->targets[target], l->trace,
                       LOADED_START + later * LOADED_STEP + LOADED_STEP - 1) < 0.5)
            return (later + 1 - step) * LOADED_STEP / 60.0;
    return NAN;
}

static double level_of(const loaded *l, const state_model *m, int target, double time)
{
    features_of of = {.trace = l->trace,
                      .target = &l->trace->targets[target],
                      .source = m->targets[target].source,
                      .typical = m->targets[target].typical};
    atm_state_view view;

    features_at(&of, time, &view);
    return atm_state_level(&view, 180);
}

static void ask(asking *a, const state_model *m, int first)
{
    const loaded *l = a->loaded;

    for (int step = first; step < l->steps; step++) {
        double time = LOADED_START + step * LOADED_STEP + LOADED_STEP - 1;
        atm_state *state = NULL;

        for (int i = 0; i < BUSY; i++) {
            a->minutes[a->recovered] = minutes_to_idle(a, m, i, step);
            a->recovered += !isnan(a->minutes[a->recovered]);
        }
        if (step % EVERY != 0)
            continue;
        assert_int_equal(say_state(m, l->trace, time, 600, &state), ATM_OK);
        for (int i = 0; i < TARGETS; i++)
            ask_target(a, &state->targets[i], level_of(l, m, i, time), i, step);
        if (step % (5 * EVERY) == 0)
            ask_shares(a, state, step);
        atm_state_destroy(state);
    }
}

static outcome conclude(const asking *a)
{
    outcome o = {.auc = score_auc(a->busy, a->label, a->count),
                 .threshold_auc = score_auc(a->level, a->label, a->count),
                 .minutes = stats_quantile(a->minutes, a->recovered, 0.5),
                 .most = stats_quantile(a->minutes, a->recovered, 0.95),
                 .shares = a->equal / a->best,
                 .shares_half = stats_quantile(a->ratios, a->steps, 0.5)};

    for (int i = 0; i < BUSY; i++)
        o.found += a->during[i] > 0 && 2 * a->right[i] > a->during[i];
    for (int i = 0; i < TARGETS; i++)
        o.others += 100 * a->wrong[i] > 2 * a->idle[i];
    return o;
}

static outcome try(const loaded_options *options, double training)
{
    loaded l;
    state_model *m;
    asking a = {.options = options, .loaded = &l, .random = options->seed};
    outcome o;
    size_t room;

    loaded_make(options, &l);
    room = (size_t) l.steps * TARGETS;
    a.busy = malloc(room * sizeof(double));
    a.level = malloc(room * sizeof(double));
    a.label = malloc(room * sizeof(int));
    a.minutes = malloc(room * sizeof(double));
    a.ratios = malloc(room * sizeof(double));
    m = train(l.trace, LOADED_START + training * 86400);
    ask(&a, m, (int) (training * 86400 / LOADED_STEP));
    o = conclude(&a);
    print_message("# %d of %d busy targets found, %d also at other times; AUC %.3f (of three "
                  "minutes of latency %.3f); idle again after %.1f min, 95 %% %.1f; best shares "
                  "%.3f of equal ones, median %.3f\n",
                  o.found, BUSY, o.others, o.auc, o.threshold_auc, o.minutes, o.most, o.shares,
                  o.shares_half);
    model_destroy(m);
    free(a.busy);
    free(a.level);
    free(a.label);
    free(a.minutes);
    free(a.ratios);
    loaded_destroy(&l);
    return o;
}

/* --- */

static const loaded_options usual = {.targets = TARGETS,
                                     .busy = BUSY,
                                     .days = 8,
                                     .truth_every = 3600,
                                     .probe_share = 0.9,
                                     .slower = {2, 6},
                                     .episode = {480, 4 * 3600},
                                     .between = 12 * 3600,
                                     .seed = 5};

static void are_found(void **state)
{
    loaded_options options = usual;

    (void) state;
    for (int noise = LOADED_ONE_SYSTEM; noise <= LOADED_POOLED; noise++) {
        outcome o;

        options.noise = (loaded_noise) noise;
        o = try(&options, 6);
        assert_true(o.found >= 11);
        assert_int_equal(o.others, 0);
        assert_true(o.auc > 0.9 && o.auc > o.threshold_auc - 0.03);
        assert_true(o.minutes <= 3 && o.most <= 6);
        assert_true(o.shares > 1);
    }
}

/* The last of the days that are learned from have no episode. */
static void after_quiet_days(void **state)
{
    loaded_options options = usual;
    outcome o;

    (void) state;
    options.days = 8;
    options.slower[0] = options.slower[1] = 16;
    options.episode[0] = options.episode[1] = 2 * 3600;
    options.quiet[0] = 0.45;
    options.quiet[1] = 0.65;
    o = try(&options, 0.65 * 8);
    assert_true(o.found >= 11);
    assert_true(o.minutes <= 3 && o.most <= 6);
    assert_true(o.shares > 1);
}

/* 72 large writes to each target, and no difference between them but chance. */
static void equal_shares(void **state)
{
    loaded_options options = usual;

    (void) state;
    options.days = 2;
    options.truth_every = 1200;
    options.busy = 0;
    for (int noise = LOADED_ONE_SYSTEM; noise <= LOADED_POOLED; noise++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            outcome o;

            options.noise = (loaded_noise) noise;
            options.seed = seed;
            o = try(&options, 1);
            assert_true(o.others == 0);
            assert_true(o.shares >= 0.98 && o.shares_half >= 0.98);
        }
}

static double *read_numbers(const char *path, int *count_p)
{
    FILE *file = fopen(path, "r");
    double *numbers = malloc(1000000 * sizeof(double));

    *count_p = 0;
    while (file != NULL && *count_p < 1000000 && fscanf(file, "%lf", &numbers[*count_p]) == 1)
        ++*count_p;
    if (file != NULL)
        fclose(file);
    return numbers;
}

static int measure(const char *loads, const char *logs)
{
    loaded_options options = usual;
    double *of_loads = read_numbers(loads, &options.steps);

    options.steps /= TARGETS;
    options.loads = options.steps > 0 ? of_loads : NULL;
    options.logs = read_numbers(logs, &options.log_count);
    for (int seed = 1; seed <= 3; seed++) {
        options.seed = (uint64_t) seed;
        options.truth_every = 3600;
        options.days = 8;
        options.busy = BUSY;
        try(&options, 6);
        options.truth_every = 1200; /* 72 samples of a target in a day */
        options.days = 2;
        try(&options, 1);
        options.busy = 0;
        try(&options, 1);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_found),
        cmocka_unit_test(after_quiet_days),
        cmocka_unit_test(equal_shares),
    };

    if (argc > 2)
        return measure(argv[1], argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
