/* Units of autotune-evaluate, on the ground that is made up for tests. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "baselines.h"
#include "black_box.h"
#include "noise.h"
#include "ompio.h"
#include "spread.h"
#include "strategies.h"
#include "study.h"
#include "conditions.h"

static const char *ground; /* directory of the made-up one */

#define MIB (1 << 20)

/* The law of made-up.py. */
static double seconds_of(double total, int aggregators, double buffer)
{
    return total / (aggregators * buffer) *
           (0.064 + 0.016 * aggregators * aggregators + aggregators * buffer / 4e9);
}

static study *open_study(int repetitions)
{
    study_options options = {.seed = 7, .repetitions = repetitions, .threads = 1};
    atm_message message = {""};
    study *study;

    assert_int_equal(study_open(ground, &options, &message, &study), ATM_OK);
    assert_int_equal(study->instances, 6);
    return study;
}

static void test_sweep(void **state)
{
    study *study = open_study(1);
    const sweep_instance *last = &study->sweep->instances[5];

    (void) state;
    assert_string_equal(study->sweep->kind, "simulated");
    assert_int_equal(last->job.ranks, 8);
    assert_int_equal(last->candidates, 9);
    assert_int_equal(last->count, 9 + 3 * 9 + 1);
    assert_int_equal(last->configs[last->defaults].config.aggregators, 4);
    assert_int_equal(last->configs[last->best].config.aggregators, 2);
    assert_int_equal(last->configs[last->best].config.buffer, 16 * MIB);
    assert_false(last->has_choice);
    assert_true(study->sweep->instances[0].has_choice);
    for (int i = 0; i < last->candidates; i++) {
        const atm_config *config = &last->configs[i].config;

        assert_null(last->configs[i].variant);
        assert_true(fabs(last->configs[i].times.median -
                         seconds_of(8.0 * 64 * MIB, config->aggregators, (double) config->buffer)) <
                    1e-9);
        assert_true(fabs(last->configs[i].times.spread - 0.04) < 1e-9);
    }
    for (int i = last->candidates; i < last->count; i++)
        assert_non_null(last->configs[i].variant);
    study_close(study);
}

/* Later calls have no first round and need no new memory, all else is the same. */
static void test_calls(void **state)
{
    study *study = open_study(1);
    sweep_instance instance = study->sweep->instances[5];
    atm_counts one, five;
    double full[2] = {0}, first[2] = {0}, all[2] = {0};

    (void) state;
    assert_int_equal(sweep_count(&instance, &instance.configs[0].config, NULL, &one), ATM_OK);
    instance.calls = 5;
    assert_int_equal(sweep_count(&instance, &instance.configs[0].config, NULL, &five), ATM_OK);
    for (int k = 0; k < 2; k++) {
        const atm_counts *counts = k == 0 ? &one : &five;

        for (int i = 0; i < counts->item_count; i++) {
            const atm_cost_item *item = &counts->items[i];

            full[k] += item->operation == ATM_WRITE_FULL ? item->count : 0;
            first[k] += item->operation == ATM_WRITE_FIRST ? item->count : 0;
            all[k] += item->operation != ATM_TOUCH ? item->count : 0;
        }
    }
    assert_true(first[0] == 1 && first[1] == 1);
    assert_true(full[1] == 5 * (full[0] + 1) - 1);
    assert_true(all[1] == 5 * all[0]);
    study_close(study);
}

/* A design takes three of 3 x 3 configurations, no two in a row or column; in time, each of
 * them. */
static void test_design(void **state)
{
    study *study = open_study(1);
    const sweep_instance *instance = &study->sweep->instances[0];
    int taken[9] = {0};
    uint64_t random = 1;

    (void) state;
    for (int round = 0; round < 900; round++) {
        int rows = 0, columns = 0;
        bool take[9];

        assert_int_equal(black_box_design(instance, &random, take), 3);
        for (int i = 0; i < 9; i++) {
            rows |= take[i] ? 1 << i / 3 : 0;
            columns |= take[i] ? 1 << i % 3 : 0;
            taken[i] += take[i];
        }
        assert_int_equal(rows, 7);
        assert_int_equal(columns, 7);
    }
    for (int i = 0; i < 9; i++)
        assert_in_range(taken[i], 230, 370); /* 300 expected, deviation 14 */
    study_close(study);
}

static void test_noise(void **state)
{
    double sum = 0, squares = 0;
    uint64_t random = 3;

    (void) state;
    assert_true(noise_add(2, 0, &random) == 2);
    for (int i = 0; i < 20000; i++) {
        double seconds = noise_add(2, 0.1, &random);

        sum += seconds;
        squares += seconds * seconds;
    }
    sum /= 20000;
    assert_true(fabs(sum - 2) < 0.01);
    assert_true(fabs(sqrt(squares / 20000 - sum * sum) - 0.2) < 0.01);
    for (int i = 0; i < 20000; i++)
        assert_true(noise_add(2, 7, &random) > 0);
}

static void test_spread(void **state)
{
    const double values[] = {5, NAN, 1, 2, 4, 3};
    spread s;

    (void) state;
    assert_int_equal(spread_of(values, 6, &s), ATM_OK);
    assert_int_equal(s.count, 5);
    assert_true(s.mean == 3 && s.min == 1 && s.max == 5 && s.median == 3);
    assert_true(s.q25 == 2 && s.q75 == 4 && fabs(s.q05 - 1.2) < 1e-12);
    assert_int_equal(spread_of(values + 1, 1, &s), ATM_OK);
    assert_int_equal(s.count, 0);
}

/* rs: the mean over many repetitions is the mean over the configurations. */
static void test_random(void **state)
{
    study *study = open_study(2000);
    atm_message message = {""};
    double expected = 0;
    study_summary summary;
    int instances;

    (void) state;
    study->no_ml = strdup("not in this test");
    study->hybrids = calloc(1, sizeof(*study->hybrids));
    study->hybrid_count = 1;
    assert_int_equal(atm_profile_generic(&message, &study->hybrids[0].profile), ATM_OK);
    assert_int_equal(strategies_run(study), ATM_OK);
    assert_null(study_find(study, "ml"));
    for (int i = 0; i < study->instances; i++)
        for (int k = 0; k < 9; k++)
            expected += study_default(study, i) /
                        study->sweep->instances[i].configs[k].times.median / 9 / study->instances;
    study_summarise(study, study_find(study, "rs"), &summary);
    assert_true(fabs(summary.mean - expected) < 0.02); /* its deviation is 0.004 */
    assert_int_equal(summary.instances, 6);

    study_summarise(study, study_find(study, "default"), &summary);
    assert_true(summary.mean == 1 && summary.worse == 0 && summary.slowest == 1);
    study_summarise(study, study_find(study, "optimal"), &summary);
    assert_true(summary.geometric == 1 && summary.worst == 1);
    study_summarise(study, study_find(study, "driver"), &summary);
    assert_int_equal(summary.instances, 3);
    assert_true(fabs(summary.worst -
                     seconds_of(64 * MIB, 2, 8 * MIB) / seconds_of(64 * MIB, 2, 16 * MIB)) < 1e-9);
    assert_true(fabs(study_against(study, study_find(study, "optimal"),
                                   study_find(study, "default"), &instances) -
                     sqrt(seconds_of(64 * MIB, 4, 16 * MIB) / seconds_of(64 * MIB, 2, 16 * MIB))) <
                1e-9);
    assert_int_equal(instances, 6);
    assert_true(study_against(study, study_find(study, "driver"), study_find(study, "driver"),
                              &instances) == 1);
    assert_int_equal(instances, 3);
    study_summarise(study, study_find(study, "rule"), &summary);
    assert_true(fabs(summary.worst -
                     seconds_of(64 * MIB, 1, 4 * MIB) / seconds_of(64 * MIB, 2, 16 * MIB)) < 1e-9);
    study_close(study);
}

/* Numbers of Open MPI's own function for the same jobs. */
static void test_ompio(void **state)
{
    static const struct {
        int ranks, kib, whole, aggregators;
    } known[] = {
        {1, 6144, 1, 1},      {8, 65536, 1, 1},      {12, 16384, 0, 1},  {64, 64, 0, 1},
        {64, 1024, 0, 8},     {100, 65536, 1, 12},   {256, 1024, 1, 32}, {2048, 1024, 1, 96},
        {2048, 64, 0, 16},    {2048, 524288, 1, 96}, {4096, 64, 0, 32},  {4096, 1024, 0, 128},
        {8192, 6144, 1, 192}, {8192, 64, 0, 64},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        assert_int_equal(
            ompio_aggregators(known[i].ranks, (uint64_t) known[i].kib << 10, known[i].whole != 0),
            known[i].aggregators);
}

static void test_nearest(void **state)
{
    study *study = open_study(1);
    const sweep_instance *instance = &study->sweep->instances[5];
    atm_config config = instance->configs[instance->defaults].config;
    bool exact;
    int index = baselines_nearest(instance, &config, &exact);

    (void) state;
    assert_int_equal(index, instance->defaults);
    assert_true(exact);
    config.aggregators = 3; /* 4 is less far, by ratio, than 2 */
    config.buffer = 32 * MIB;
    index = baselines_nearest(instance, &config, &exact);
    assert_int_equal(instance->configs[index].config.aggregators, 4);
    assert_int_equal(instance->configs[index].config.buffer, 16 * MIB);
    assert_false(exact);
    config.buffer = 2 * MIB; /* as far from 1 as from 4: the first */
    index = baselines_nearest(instance, &config, &exact);
    assert_int_equal(instance->configs[index].config.buffer, MIB);
    config.collective = false;
    assert_int_equal(baselines_nearest(instance, &config, &exact), -1);
    assert_false(exact);
    study_close(study);
}

/* The rule of that name. */
static void run_rule(const study *study, const char *name, study_strategy *rule)
{
    for (int i = 0; i < baselines_count(); i++) {
        *rule = (study_strategy){.repetitions = 0};
        assert_int_equal(baselines_run(study, i, rule), ATM_OK);
        assert_true(rule->rule);
        if (strcmp(rule->name, name) == 0)
            return;
        study_strategy_clear(rule);
    }
    fail_msg("no rule %s", name);
}

static const atm_config *picked(const study *study, const char *name, int instance, int nearest)
{
    study_strategy rule;
    int index;

    run_rule(study, name, &rule);
    assert_int_equal(rule.repetitions, 1);
    assert_int_equal(rule.nearest, nearest);
    assert_int_equal(rule.note != NULL && strstr(rule.note, "in place of") != NULL, nearest > 0);
    index = rule.picks[instance];
    study_strategy_clear(&rule);
    return &study->sweep->instances[instance].configs[index].config;
}

static void test_rules(void **state)
{
    study *study = open_study(1);
    study_strategy rule;

    (void) state;
    assert_int_equal(picked(study, "rule-node", 0, 0)->aggregators, 2);
    assert_int_equal(picked(study, "rule-node", 5, 0)->aggregators, 4);
    assert_int_equal(picked(study, "ompio", 5, 6)->aggregators, 1);
    study->nics = 3; /* of which two ranks of a node can use two */
    assert_int_equal(picked(study, "rule-node", 0, 3)->aggregators, 4);
    run_rule(study, "cray", &rule);
    assert_int_equal(rule.repetitions, 0);
    assert_string_equal(rule.why_not, "no stripes on this ground");
    study_strategy_clear(&rule);
    study_close(study);
}

/* As many stripes as aggregators; the default's are those of the nodes. */
static void test_rules_lustre(void **state)
{
    study *study = open_study(1);
    study_strategy rule;

    (void) state;
    for (int i = 0; i < study->instances; i++) {
        sweep_instance *instance = &study->sweep->instances[i];

        instance->driver = ATM_LUSTRE;
        for (int k = 0; k < instance->count; k++) {
            instance->configs[k].config.stripe_count = instance->configs[k].config.aggregators;
            instance->configs[k].config.stripe_size = MIB;
        }
    }
    assert_int_equal(picked(study, "gio", 0, 0)->stripe_count, 2);
    assert_int_equal(picked(study, "gio", 5, 0)->stripe_count, 4);
    assert_int_equal(picked(study, "cray", 5, 0)->aggregators, 4);
    run_rule(study, "cray-all", &rule);
    assert_int_equal(rule.repetitions, 0); /* how many are all? */
    study_strategy_clear(&rule);
    study->servers = 1;
    assert_int_equal(picked(study, "gio", 5, 0)->stripe_count, 1);
    assert_int_equal(picked(study, "cray-all", 5, 0)->aggregators, 1);
    for (int i = 0; i < study->instances; i++) /* made-up.py has it last */
        study->sweep->instances[i].configs[study->sweep->instances[i].count - 1].variant = "gio";
    assert_int_equal(picked(study, "gio", 5, 0)->buffer, 4 * MIB);
    study->sweep->instances[5].access.write = false;
    run_rule(study, "gio", &rule);
    assert_true(isnan(rule.seconds[5]) && !isnan(rule.seconds[4]));
    study_strategy_clear(&rule);
    study_close(study);
}

static void test_variants(void **state)
{
    study *study = open_study(1);

    (void) state;
    assert_int_equal(variants_run(study), ATM_OK);
    assert_int_equal(study->placement.pairs, 27);
    assert_int_equal(study->placement.group_count, 9);
    assert_true(fabs(study->placement.ratio.min - 1.25) < 1e-9);
    assert_true(fabs(study->placement.ratio.max - 1.25) < 1e-9);
    assert_true(fabs(study->bluegene.ratio.mean - 1.0625) < 1e-9);
    assert_true(fabs(study->aware.ratio.mean - 1.25 / 1.0625) < 1e-9);
    assert_int_equal(study->aware.pairs, 27);
    assert_int_equal(study->locking.pairs, 27);
    assert_true(fabs(study->locking.ratio.mean - 1 / 0.9) < 1e-9);
    study_close(study);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep),    cmocka_unit_test(test_calls),
        cmocka_unit_test(test_design),   cmocka_unit_test(test_noise),
        cmocka_unit_test(test_spread),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_ompio),    cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_rules),    cmocka_unit_test(test_rules_lustre),
        cmocka_unit_test(test_variants),
    };

    if (argc < 2)
        return 2;
    ground = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
