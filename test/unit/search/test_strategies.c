/* Strategies on a landscape that is known: a new file on Lustre, written through HDF5. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/rng.h"
#include "common/stats.h"
#include "search/conduct.h"

enum { SEEDS = 10, NEVER = 600 };

static ats_space *space;
static double optimum;

/* --- the landscape */

static double value_of(const atm_settings *set, atm_setting setting, double without)
{
    return set->has[setting] ? (double) set->values[setting] : without;
}

/* What a model knows of it; off by some tenths, and blind to HDF5. */
static double predicted(const atm_settings *set, double off)
{
    double stripes = value_of(set, ATM_SET_STRIPING_FACTOR, 1);
    double unit = value_of(set, ATM_SET_STRIPING_UNIT, 1 << 20);
    double nodes = fmin(value_of(set, ATM_SET_CB_NODES, 4), 64);
    double buffer = value_of(set, ATM_SET_CB_BUFFER_SIZE, 16 << 20);
    double bytes = 32e9, target = 0.4e9, link = 0.9e9, busy = fmin(stripes, nodes);
    double rate = fmin(busy * target * pow(nodes / busy, -0.1), nodes * link);
    double rounds = bytes / (nodes * buffer);

    if (stripes > nodes)
        rate *= pow(nodes / stripes, 0.15 * (1 + off));
    return bytes / rate / (1 + 0.1 * off) + rounds * 2e-3 * (1 + nodes / 32) * (1 - 0.3 * off) +
           0.1 * fabs(log2(unit / buffer)) + 0.006 * stripes;
}

static double landscape(const ats_point *point)
{
    atm_settings set = ats_point_settings(space, point);
    double unit = value_of(&set, ATM_SET_STRIPING_UNIT, 1 << 20);
    double alignment = value_of(&set, ATM_SET_HDF5_ALIGNMENT, 1), seconds = predicted(&set, 0);

    seconds *= alignment < 2 ? 1.35 : alignment < 1048576 ? 1.1 : alignment > unit ? 1.03 : 1;
    if (!set.has[ATM_SET_HDF5_METADATA_WRITES])
        seconds += 1.5;
    return set.has[ATM_SET_HDF5_FILL] ? seconds : 1.2 * seconds;
}

static double predict(void *context, const ats_point *point)
{
    atm_settings set = ats_point_settings(space, point);

    (void) context;
    return predicted(&set, 1);
}

static int setup(void **state)
{
    atm_message message = {""};
    char path[4096];

    (void) state;
    if (ats_space_find("lustre", &message, sizeof(path), path) != ATM_OK ||
        ats_space_load(path, &message, &space) != ATM_OK ||
        ats_space_keep(space,
                       "striping_factor,striping_unit,cb_nodes,hdf5_alignment,"
                       "hdf5.collective_metadata_writes,hdf5.fill_time",
                       &message) != ATM_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    optimum = INFINITY;
    for (uint64_t i = 0; i < (uint64_t) ats_space_size(space); i++) {
        ats_point point = ats_space_at(space, i);

        optimum = fmin(optimum, landscape(&point));
    }
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    ats_space_destroy(space);
    return 0;
}

/* --- a search on it */

typedef struct ground {
    double noise;
    uint64_t state;
    int failing;      /* parameter whose last value fails; -1: none */
    int runs, within; /* runs so far; when it was within 5 % of the optimum first, 0: never */
    uint32_t trace;   /* of all points in their order */
} ground;

static atm_status measure(void *context, const ats_trial *trials, int count, const ats_limit *limit,
                          ats_outcome *outcomes_p)
{
    ground *g = context;

    (void) limit;
    for (int i = 0; i < count; i++) {
        const ats_point *point = &trials[i].point;
        double value = landscape(point);

        g->runs++;
        g->trace = g->trace * 31 + ats_point_hash(point);
        outcomes_p[i] = (ats_outcome){.end = ATS_DONE, .value = value, .wall = value};
        if (g->failing >= 0 && point->choice[g->failing] == space->parameters[g->failing].count) {
            outcomes_p[i] = (ats_outcome){.end = ATS_FAILED, .why = "it fails"};
            continue;
        }
        if (g->within == 0 && value <= 1.05 * optimum)
            g->within = g->runs;
        if (g->noise > 0)
            outcomes_p[i].value *= exp(g->noise * rng_normal(&g->state));
    }
    return ATM_OK;
}

typedef struct variant {
    const char *strategy;
    bool predicts;
    int runs, parallel;
    double noise;
    int failing;
} variant;

/* The best that it found, over the optimum. */
static double search(const variant *v, uint64_t seed, ground *g)
{
    atm_message message = {""};
    ats_seen seen = {.at = NULL};
    ats_point best;
    ats_plan plan = {.out = {space,
                             seed,
                             v->parallel > 0 ? v->parallel : 1,
                             {v->predicts ? predict : NULL, NULL}},
                     .strategy = ats_strategy_find(v->strategy),
                     .runs = v->runs,
                     .seconds = INFINITY,
                     .in_seconds = true,
                     .measure = measure,
                     .context = g};

    *g = (ground){.noise = v->noise, .state = rng_split(seed, 99), .failing = v->failing};
    if (ats_search(&plan, &seen, &message) != ATM_OK)
        fail_msg("%s", message.text);
    assert_true(ats_leader(&seen, NULL, 0, &best));
    ats_seen_destroy(&seen);
    return landscape(&best) / optimum;
}

/* Medians over seeds. */
static void search_often(const variant *v, double *runs_p, double *found_p)
{
    double runs[SEEDS], found[SEEDS];
    ground g;

    for (int i = 0; i < SEEDS; i++) {
        found[i] = search(v, (uint64_t) i + 1, &g);
        runs[i] = g.within > 0 ? g.within : NEVER;
    }
    *runs_p = stats_median(runs, SEEDS);
    *found_p = stats_median(found, SEEDS);
    print_message("# %s%s: within 5 %% after %g runs, best %.3f of the optimum\n", v->strategy,
                  v->predicts ? " with predictions" : "", *runs_p, *found_p);
}

/* --- what they need */

static void fewer_runs_than_genetic(void **state)
{
    double genetic, model, blind, found;

    (void) state;
    search_often(&(variant){.strategy = "genetic", .failing = -1}, &genetic, &found);
    assert_true(found < 1.1);
    search_often(&(variant){.strategy = "model", .predicts = true, .failing = -1}, &model, &found);
    assert_true(found < 1.02);
    assert_true(10 * model <= genetic);
    search_often(&(variant){.strategy = "model", .failing = -1}, &blind, &found);
    assert_true(found < 1.05);
    assert_true(2 * blind <= genetic);
}

static void with_noise(void **state)
{
    double runs, found;

    (void) state;
    search_often(&(variant){.strategy = "model", .predicts = true, .noise = 0.05, .failing = -1},
                 &runs, &found);
    assert_true(runs <= 20);
    assert_true(found < 1.05);
}

static void with_failures(void **state)
{
    double runs, found;

    (void) state;
    /* the largest striping unit does not work */
    search_often(&(variant){.strategy = "model", .predicts = true, .failing = 1}, &runs, &found);
    assert_true(found < 1.1);
}

static void several_at_a_time(void **state)
{
    double runs, found;

    (void) state;
    search_often(&(variant){.strategy = "model", .predicts = true, .parallel = 4, .failing = -1},
                 &runs, &found);
    assert_true(runs <= 24);
    assert_true(found < 1.05);
}

static void random_finds_something(void **state)
{
    double runs, found;

    (void) state;
    search_often(&(variant){.strategy = "random", .runs = 300, .failing = -1}, &runs, &found);
    assert_true(found < 1.3);
}

/* All points once, and then the best of them. */
static void exhaustive_finds_it(void **state)
{
    atm_message message = {""};
    ats_space *all = space, *small = NULL;
    ground g;
    double size;

    (void) state;
    {
        char path[4096];

        assert_int_equal(ats_space_find("lustre", &message, sizeof(path), path), ATM_OK);
        assert_int_equal(ats_space_load(path, &message, &small), ATM_OK);
        assert_int_equal(ats_space_keep(small, "striping_factor,cb_nodes", &message), ATM_OK);
    }
    space = small;
    size = ats_space_size(space);
    {
        double before = optimum;

        optimum = INFINITY;
        for (uint64_t i = 0; i < (uint64_t) size; i++) {
            ats_point point = ats_space_at(space, i);

            optimum = fmin(optimum, landscape(&point));
        }
        assert_true(search(&(variant){.strategy = "exhaustive", .failing = -1}, 1, &g) == 1);
        /* the default is one of the points; three rounds of checks */
        assert_int_equal(g.runs, (int) size + 9);
        optimum = before;
    }
    ats_space_destroy(small);
    space = all;
}

/* --- what they depend on */

static void the_same_again(void **state)
{
    (void) state;
    for (int i = 0; ats_strategy_at(i) != NULL; i++) {
        variant v = {.strategy = ats_strategy_at(i)->name, .runs = 40, .failing = -1};
        ground one, other;

        search(&v, 7, &one);
        search(&v, 7, &other);
        assert_int_equal(one.trace, other.trace);
        search(&v, 8, &other);
        assert_int_not_equal(one.trace, other.trace);
    }
}

/* A search that is given more runs explores the same points first. */
typedef struct kept {
    ground ground;
    int count;
    ats_trial trials[256];
} kept;

static atm_status measure_and_keep(void *context, const ats_trial *trials, int count,
                                   const ats_limit *limit, ats_outcome *outcomes_p)
{
    kept *k = context;

    for (int i = 0; i < count; i++)
        k->trials[k->count++] = trials[i];
    return measure(&k->ground, trials, count, limit, outcomes_p);
}

static void more_runs_go_on(void **state)
{
    (void) state;
    for (int i = 0; ats_strategy_at(i) != NULL; i++) {
        static kept of[2];
        int explored = 0;

        for (int k = 0; k < 2; k++) {
            atm_message message = {""};
            ats_seen seen = {.at = NULL};
            ats_plan plan = {.out = {space, 5, 1, {predict, NULL}},
                             .strategy = ats_strategy_at(i),
                             .runs = k == 0 ? 20 : 50,
                             .seconds = INFINITY,
                             .in_seconds = true,
                             .measure = measure_and_keep,
                             .context = &of[k]};

            memset(&of[k], 0, sizeof(of[k]));
            of[k].ground.failing = -1;
            assert_int_equal(ats_search(&plan, &seen, &message), ATM_OK);
            ats_seen_destroy(&seen);
        }
        for (int k = 0; k < of[0].count; k++)
            if (of[0].trials[k].kind == ATS_EXPLORE) {
                explored++;
                assert_memory_equal(&of[0].trials[k], &of[1].trials[k], sizeof(ats_trial));
            }
        assert_int_equal(explored, 15);
    }
}

static atm_status fail_all(void *context, const ats_trial *trials, int count,
                           const ats_limit *limit, ats_outcome *outcomes_p)
{
    (void) context, (void) trials, (void) limit;
    for (int i = 0; i < count; i++)
        outcomes_p[i] = (ats_outcome){.end = ATS_FAILED, .why = "exit code 3"};
    return ATM_OK;
}

static void all_fail(void **state)
{
    (void) state;
    for (int i = 0; ats_strategy_at(i) != NULL; i++) {
        atm_message message = {""};
        ats_seen seen = {.at = NULL};
        ats_plan plan = {.out = {space, 5, 1, {NULL, NULL}},
                         .strategy = ats_strategy_at(i),
                         .seconds = INFINITY,
                         .measure = fail_all};

        assert_int_equal(ats_search(&plan, &seen, &message), ATM_NO_CHOICE);
        assert_non_null(strstr(message.text, "all of 5 runs failed; the first one: exit code 3"));
        assert_int_equal(seen.count, 5);
        ats_seen_destroy(&seen);
    }
}

/* --- limits */

typedef struct limits {
    ground ground;
    double last;
} limits;

static atm_status measure_limits(void *context, const ats_trial *trials, int count,
                                 const ats_limit *limit, ats_outcome *outcomes_p)
{
    limits *l = context;
    atm_status status = measure(&l->ground, trials, count, limit, outcomes_p);

    l->last = limit->give_up;
    for (int i = 0; i < count; i++)
        outcomes_p[i].wall += 10; /* which are not its value */
    return status;
}

static void hopeless_runs_and_time(void **state)
{
    atm_message message = {""};
    ats_seen seen = {.at = NULL};
    limits l = {.ground = {.failing = -1}};
    ats_plan plan = {.out = {space, 5, 1, {predict, NULL}},
                     .strategy = ats_strategy_find("model"),
                     .runs = 30,
                     .seconds = INFINITY,
                     .hopeless = 2,
                     .in_seconds = true,
                     .measure = measure_limits,
                     .context = &l};
    double best = INFINITY;

    (void) state;
    assert_int_equal(ats_search(&plan, &seen, &message), ATM_OK);
    for (int i = 0; i + 1 < seen.count; i++)
        best = fmin(best, seen.at[i].outcome.value);
    assert_true(fabs(l.last - (10 + 2 * best)) < 1e-9);
    ats_seen_destroy(&seen);

    l.ground.runs = 0;
    plan.seconds = 100; /* the default alone takes more */
    assert_int_equal(ats_search(&plan, &seen, &message), ATM_OK);
    assert_int_equal(l.ground.runs, 1);
    ats_seen_destroy(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fewer_runs_than_genetic),
                                       cmocka_unit_test(with_noise),
                                       cmocka_unit_test(with_failures),
                                       cmocka_unit_test(several_at_a_time),
                                       cmocka_unit_test(random_finds_something),
                                       cmocka_unit_test(exhaustive_finds_it),
                                       cmocka_unit_test(the_same_again),
                                       cmocka_unit_test(more_runs_go_on),
                                       cmocka_unit_test(all_fail),
                                       cmocka_unit_test(hopeless_runs_and_time)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
