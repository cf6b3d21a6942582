/* Rank, verdict and rule of a search; what its predictions and facts are. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "files/record.h"
#include "search/seen_io.h"
#include "search/gp.h"
#include "search/prior.h"
#include "search/findings.h"
#include "search/rule.h"

static const char text[] =
    "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["
    "{\"name\": \"cb_nodes\", \"values\": [1, 2, 4, 8]}, "
    "{\"name\": \"cb_buffer_size\", \"values\": [1048576, 16777216]}, "
    "{\"name\": \"hdf5.fill_time\", \"values\": [\"never\"]}]}";

static ats_space *load_space(void)
{
    ats_space *space = NULL;

    assert_int_equal(ats_space_parse(text, strlen(text), "s.json", NULL, &space), ATM_OK);
    return space;
}

static void add(ats_seen *seen, ats_kind kind, int number, int choice, ats_end end, double value)
{
    ats_trial trial = {kind, number, {{choice}}};
    ats_outcome outcome = {.end = end, .value = value, .wall = value};

    assert_int_equal(ats_seen_add(seen, &trial, &outcome), ATM_OK);
}

/* --- who won */

static ats_seen some_runs(void)
{
    ats_seen seen = {.at = NULL};

    add(&seen, ATS_EXPLORE, 0, 0, ATS_DONE, 4);
    add(&seen, ATS_EXPLORE, 1, 1, ATS_DONE, 1); /* lucky */
    add(&seen, ATS_EXPLORE, 2, 2, ATS_DONE, 2);
    add(&seen, ATS_EXPLORE, 3, 3, ATS_FAILED, 0);
    add(&seen, ATS_EXPLORE, 4, 4, ATS_DONE, 0.5); /* but then it fails */
    add(&seen, ATS_CHECK, 0, 0, ATS_DONE, 4.2);
    add(&seen, ATS_CHECK, 0, 1, ATS_DONE, 3);
    add(&seen, ATS_CHECK, 0, 2, ATS_DONE, 2.1);
    add(&seen, ATS_CHECK, 0, 4, ATS_FAILED, 0);
    add(&seen, ATS_CHECK, 1, 1, ATS_DONE, 3.1);
    return seen;
}

static void ranks(void **state)
{
    ats_seen seen = some_runs();
    ats_point best;
    int count;
    ats_ranked *all = ats_rank(&seen, &count);

    (void) state;
    assert_int_equal(count, 5);
    assert_int_equal(all[0].point.choice[0], 2);
    assert_int_equal(all[0].runs, 2);
    assert_true(fabs(all[0].median - 2.05) < 1e-12);
    assert_int_equal(all[1].point.choice[0], 1);
    assert_true(all[1].low == 1 && all[1].high == 3.1);
    assert_true(ats_point_is_default(&all[2].point));
    assert_int_equal(all[4].failures + all[3].failures, 2);
    assert_true(ats_leader(&seen, NULL, 0, &best));
    assert_int_equal(best.choice[0], 2);
    free(all);
    ats_seen_destroy(&seen);
}

static void judges(void **state)
{
    ats_seen seen = some_runs();
    ats_point best = {{2}};
    ats_verdict v = ats_judge(&seen, &best, 1);

    (void) state;
    assert_true(v.known && v.sure && !v.paired);
    assert_int_equal(v.runs, 2);
    assert_true(fabs(v.speed_up - 4.1 / 2.05) < 1e-12);
    /* pairs come before all others; one that is not whole does not count */
    add(&seen, ATS_VERIFY, 0, 2, ATS_DONE, 5);
    add(&seen, ATS_VERIFY, 0, 0, ATS_DONE, 5);
    add(&seen, ATS_VERIFY, 1, 0, ATS_DONE, 4);
    add(&seen, ATS_VERIFY, 1, 2, ATS_DONE, 4);
    add(&seen, ATS_VERIFY, 2, 0, ATS_DONE, 40);
    add(&seen, ATS_VERIFY, 2, 2, ATS_FAILED, 0);
    v = ats_judge(&seen, &best, 1);
    assert_true(v.known && v.paired && !v.sure);
    assert_int_equal(v.runs, 2);
    assert_true(v.speed_up == 1);
    assert_true(v.interval[0] <= 4.5 && v.interval[1] >= 4.5);
    ats_seen_destroy(&seen);
}

static void nothing_to_judge(void **state)
{
    ats_seen seen = {.at = NULL};
    ats_point best = {{2}};

    (void) state;
    add(&seen, ATS_EXPLORE, 0, 0, ATS_FAILED, 0);
    add(&seen, ATS_EXPLORE, 1, 2, ATS_DONE, 1);
    assert_false(ats_judge(&seen, &best, 1).known);
    ats_seen_destroy(&seen);
}

/* --- the rule */

static atm_value *facts_of(const char *json)
{
    atm_message message = {""};
    atm_value *facts = NULL;

    if (atm_value_parse(json, strlen(json), "facts", &message, &facts) != ATM_OK)
        fail_msg("%s", message.text);
    return facts;
}

static const ats_verdict shown = {.known = true,
                                  .sure = true,
                                  .runs = 5,
                                  .seconds = 20,
                                  .interval = {19, 21},
                                  .default_seconds = 40,
                                  .speed_up = 2,
                                  .low = 1.9,
                                  .high = 2.1};

static void a_rule(void **state)
{
    ats_space *space = load_space();
    atm_value *facts = facts_of("{\"program\": \"vp*ic\", \"user\": \"ada\", \"driver\": \"ufs\", "
                                "\"ranks\": 96, \"nodes\": 4, \"reads\": 0, \"writes\": 10, "
                                "\"files\": [\"/a/field.1.h5\", \"/b/field.22.h5\"]}");
    ats_point best = {{3, 0, 1}};
    atm_message message = {""};
    atm_advice *advice = NULL, *again = NULL;
    atm_value *root;
    char *printed;
    size_t length;

    (void) state;
    assert_int_equal(
        ats_rule(space, &best, &shown, facts, 10, &(ats_whom){NULL, NULL}, &message, &advice),
        ATM_OK);
    assert_string_equal(advice->rules[0].program, "vp\\*ic");
    assert_string_equal(advice->rules[0].user, "ada");
    assert_string_equal(advice->rules[0].file, "*/field.*.h*");
    assert_int_equal(advice->rules[0].operation, ATM_WRITES);
    assert_int_equal(advice->rules[0].ranks[0], 64);
    assert_int_equal(advice->rules[0].ranks[1], 127);
    assert_true(advice->rules[0].evidence.seconds == 2);
    assert_true(advice->rules[0].evidence.default_seconds == 4);
    assert_int_equal(advice->rules[0].evidence.source, ATM_BY_SEARCH);
    /* what is written is advice */
    root = atm_advice_value(advice);
    assert_int_equal(atm_value_print(root, &printed, &length), ATM_OK);
    assert_int_equal(atm_advice_parse(printed, length, "again", &message, &again), ATM_OK);
    assert_int_equal(again->rules[0].set.values[ATM_SET_CB_NODES], 4);
    assert_true(again->rules[0].set.has[ATM_SET_HDF5_FILL]);
    atm_value_destroy(root);
    atm_value_destroy(facts);
    free(printed);
    atm_advice_destroy(again);
    atm_advice_destroy(advice);
    ats_space_destroy(space);
}

static void for_whom(void **state)
{
    ats_space *space = load_space();
    atm_value *facts = facts_of("{\"files\": [\"/a/one\", \"/a/two\"]}");
    ats_point best = {{3}};
    atm_message message = {""};
    atm_advice *advice = NULL;

    (void) state;
    assert_int_equal(
        ats_rule(space, &best, &shown, NULL, 0, &(ats_whom){NULL, NULL}, &message, &advice),
        ATM_BAD_ARGUMENT);
    assert_int_equal(
        ats_rule(space, &best, &shown, facts, 0, &(ats_whom){NULL, NULL}, &message, &advice),
        ATM_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "--program"));
    assert_int_equal(
        ats_rule(space, &best, &shown, facts, 0, &(ats_whom){"app*", "*.nc"}, &message, &advice),
        ATM_OK);
    assert_string_equal(advice->rules[0].program, "app*");
    assert_string_equal(advice->rules[0].file, "*.nc");
    assert_int_equal(advice->rules[0].operation, ATM_ANY_DIRECTION);
    assert_true(advice->rules[0].evidence.seconds == 20);
    atm_advice_destroy(advice);
    atm_value_destroy(facts);
    ats_space_destroy(space);
}

static void rules_of_others_stay(void **state)
{
    static const char others[] =
        "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
        "{\"match\": {\"program\": \"app\"}, \"set\": {\"cb_nodes\": 1}, "
        "\"evidence\": {\"source\": \"search\"}}, "
        "{\"match\": {\"program\": \"app\"}, \"set\": {\"cb_nodes\": 2}, "
        "\"evidence\": {\"source\": \"hand\"}}, "
        "{\"match\": {\"program\": \"other\"}, \"set\": {\"cb_nodes\": 3}, "
        "\"evidence\": {\"source\": \"search\"}}, "
        "{\"match\": {\"user\": \"ada\"}, \"set\": {\"cb_nodes\": 4}, "
        "\"evidence\": {\"source\": \"history\"}}]}";
    ats_space *space = load_space();
    ats_point best = {{4}};
    atm_message message = {""};
    atm_advice *advice = NULL, *earlier = NULL;

    (void) state;
    assert_int_equal(atm_advice_parse(others, strlen(others), "o", &message, &earlier), ATM_OK);
    assert_int_equal(
        ats_rule(space, &best, &shown, NULL, 0, &(ats_whom){"app", NULL}, &message, &advice),
        ATM_OK);
    assert_int_equal(ats_rule_keep(advice, earlier, &message), ATM_OK);
    assert_int_equal(advice->count, 4);
    assert_int_equal(advice->rules[0].set.values[ATM_SET_CB_NODES], 8);
    for (int i = 1; i < 4; i++)
        assert_int_equal(advice->rules[i].set.values[ATM_SET_CB_NODES], i + 1);
    assert_int_equal(ats_rule_keep(advice, earlier, &message), ATM_OK);
    assert_int_equal(advice->count, 4); /* not twice */
    atm_advice_destroy(earlier);
    atm_advice_destroy(advice);
    ats_space_destroy(space);
}

/* --- what records tell, and what is predicted from it; the folder of records is in the
 * environment */

static atm_value *facts_of_record(const char *pattern, ats_io *io_p)
{
    const char *folder = getenv("SEARCH_TEST_RECORDS");
    atm_message message = {""};
    atm_value *facts = NULL;
    char path[4096];

    assert_non_null(folder);
    snprintf(path, sizeof(path), "%s/version-2.json", folder);
    if (ats_facts_read(path, pattern, &message, io_p, &facts) != ATM_OK)
        fail_msg("%s", message.text);
    return facts;
}

static void reads_records(void **state)
{
    ats_io io;
    atm_value *facts = facts_of_record(NULL, &io);
    const atm_value *array;
    const char *driver;

    (void) state;
    assert_true(io.calls > 0);
    assert_true(io.seconds > 0);
    assert_int_equal(atm_get_string(facts, "driver", NULL, &driver), ATM_OK);
    assert_string_equal(driver, "ufs");
    assert_int_equal(atm_get_array(facts, "accesses", 1, ATS_FACTS_ACCESSES, NULL, &array), ATM_OK);
    atm_value_destroy(facts);
    facts = facts_of_record("*.h5", &io);
    assert_int_equal(io.calls, 0);
    assert_int_equal(io.records, 1); /* of another file: the driver was there */
    assert_null(atm_value_find(facts, "driver"));
    atm_value_destroy(facts);
    assert_int_equal(ats_facts_read("/nowhere", NULL, NULL, &io, &facts), ATM_OK);
    assert_int_equal(io.calls, 0);
    assert_int_equal(io.records, 0);
    assert_null(atm_value_find(facts, "driver"));
    atm_value_destroy(facts);
}

/* Seconds of independent calls are those of the slowest rank, too. */
static void adds_what_is_independent(void **state)
{
    atm_record *record = calloc(1, sizeof(*record));
    char path[] = "/tmp/test_result.XXXXXX", *line;
    atm_message message = {""};
    const atm_value *apart;
    atm_value *facts;
    size_t length;
    ats_io io;
    int fd = mkstemp(path);
    int64_t writes;

    (void) state;
    assert_non_null(record);
    record->ranks = record->nodes = 4;
    record->write = (atm_record_counters){.calls = 2,
                                          .seconds = 1,
                                          .independent_calls = 3,
                                          .independent_bytes = 300,
                                          .independent_seconds = 0.5};
    record->read.independent_seconds = 0.25;
    assert_int_equal(atm_record_line(record, &line, &length), ATM_OK);
    assert_int_equal(write(fd, line, length), length);
    close(fd);
    assert_int_equal(ats_facts_read(path, NULL, &message, &io, &facts), ATM_OK);
    assert_true(io.seconds == 1.75);
    apart = atm_value_find(facts, "apart");
    assert_non_null(apart);
    assert_int_equal(atm_get_integer(apart, "writes", 0, 10, NULL, &writes), ATM_OK);
    assert_int_equal(writes, 3);
    atm_value_destroy(facts);
    unlink(path);
    free(line);
    free(record);
}

static void predicts(void **state)
{
    ats_space *space = load_space();
    atm_message message = {""};
    atm_profile *profile = NULL;
    ats_io io;
    atm_value *facts = facts_of_record(NULL, &io), *none = atm_value_object();
    ats_prior *prior;
    double usual, one, eight, same;

    (void) state;
    assert_int_equal(atm_profile_generic(&message, &profile), ATM_OK);
    assert_null(ats_prior_create(space, profile, none, &message));
    assert_null(ats_prior_create(space, profile, NULL, &message));
    prior = ats_prior_create(space, profile, facts, &message);
    if (prior == NULL)
        fail_msg("%s", message.text);
    usual = ats_prior_seconds(prior, &(ats_point){{0}});
    one = ats_prior_seconds(prior, &(ats_point){{1, 1}});
    eight = ats_prior_seconds(prior, &(ats_point){{4, 1}});
    same = ats_prior_seconds(prior, &(ats_point){{4, 1, 1}}); /* nothing is chunked */
    assert_true(usual > 0 && one > 0 && eight > 0);
    assert_true(one != eight);
    assert_true(eight == same);
    assert_true(ats_prior_seconds(prior, &(ats_point){{1, 1}}) == one);
    ats_prior_destroy(prior);
    atm_profile_destroy(profile);
    atm_value_destroy(facts);
    atm_value_destroy(none);
    ats_space_destroy(space);
}

/* --- the Gaussian process */

static void interpolates(void **state)
{
    ats_space *space = load_space();
    ats_point points[] = {{{1, 1}}, {{2, 1}}, {{4, 1}}, {{1, 2}}, {{4, 2}}};
    double y[] = {3, 2, 0, 3.2, 0.1}, mean, near, deviation, far;
    ats_gp_scales scales = {.known = false};
    ats_gp *gp;

    (void) state;
    assert_int_equal(ats_gp_fit(space, points, y, NULL, 5, &scales, &gp), ATM_OK);
    assert_true(scales.known);
    for (int i = 0; i < 5; i++) {
        ats_gp_at(gp, &points[i], 0, &mean, &near);
        assert_true(fabs(mean - y[i]) < 0.4);
    }
    ats_gp_at(gp, &(ats_point){{3, 1}}, 0, &mean, &deviation);
    assert_true(mean > -0.5 && mean < 2.2);
    assert_true(deviation > near);
    ats_gp_at(gp, &(ats_point){{3, 1, 1}}, 0, &mean, &far);
    assert_true(far > deviation); /* nothing is known of fill_time */
    ats_gp_destroy(gp);
    ats_space_destroy(space);
}

/* What is predicted is taken where nothing was seen, and scaled as the data says. */
static void trusts_predictions(void **state)
{
    ats_space *space = load_space();
    ats_point points[] = {{{1, 1}}, {{2, 1}}, {{4, 1}}};
    double predicted[] = {3, 2, 0}, y[] = {4, 3, 1}, mean, deviation;
    ats_gp_scales scales = {.known = false};
    ats_gp *gp;

    (void) state;
    assert_int_equal(ats_gp_fit(space, points, y, predicted, 3, &scales, &gp), ATM_OK);
    ats_gp_at(gp, &(ats_point){{3, 2}}, 1, &mean, &deviation);
    assert_true(fabs(mean - 2) < 0.3);
    ats_gp_destroy(gp);
    ats_space_destroy(space);
}

/* Predictions beside which the usual noise is lost to rounding, and such as have no covariance. */
static void refuses_what_has_no_covariance(void **state)
{
    ats_space *space = load_space();
    ats_point points[] = {{{1, 1}}, {{1, 1}}, {{4, 1}}};
    double predicted[] = {2e8, 2e8, 0}, y[] = {2e8, 2e8, 0}, mean, deviation;
    ats_gp_scales scales = {.known = true, .noise = 0};
    ats_gp *gp = NULL;

    (void) state;
    assert_int_equal(ats_gp_fit(space, points, y, predicted, 3, &scales, &gp), ATM_OK);
    ats_gp_at(gp, &points[1], 2e8, &mean, &deviation);
    assert_true(fabs(mean - 2e8) < 2e5 && deviation > 0);
    ats_gp_destroy(gp);
    gp = NULL;
    for (int known = 0; known < 2; known++) {
        predicted[2] = known == 0 ? INFINITY : 1e300;
        scales = (ats_gp_scales){.known = known == 1, .noise = 3};
        assert_int_equal(ats_gp_fit(space, points, y, predicted, 3, &scales, &gp),
                         ATM_BAD_ARGUMENT);
        assert_null(gp);
        assert_true(scales.known == (known == 1) && scales.noise == 3);
    }
    ats_space_destroy(space);
}

/* --- the page */

static void a_page(void **state)
{
    ats_space *space = load_space();
    ats_seen seen = some_runs();
    atm_message message = {""};
    int count;
    ats_ranked *ranked = ats_rank(&seen, &count);
    ats_report report = {.space = space,
                         .seen = &seen,
                         .ranked = ranked,
                         .count = count,
                         .has_winner = true,
                         .winner = {{2}},
                         .verdict = shown,
                         .command = "app <&> x",
                         .strategy = "model",
                         .metric = "time of I/O",
                         .in_seconds = true};
    char page[65536] = "";
    FILE *file;

    (void) state;
    if (ats_report_page(&report, "search.html", &message) != ATM_OK)
        fail_msg("%s", message.text);
    file = fopen("search.html", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
    fclose(file);
    unlink("search.html");
    assert_non_null(strstr(page, "app &lt;&amp;&gt; x"));
    assert_non_null(strstr(page, "cb_nodes=2"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "http://"));
    free(ranked);
    ats_seen_destroy(&seen);
    ats_space_destroy(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks),
                                       cmocka_unit_test(judges),
                                       cmocka_unit_test(nothing_to_judge),
                                       cmocka_unit_test(a_rule),
                                       cmocka_unit_test(for_whom),
                                       cmocka_unit_test(rules_of_others_stay),
                                       cmocka_unit_test(reads_records),
                                       cmocka_unit_test(adds_what_is_independent),
                                       cmocka_unit_test(predicts),
                                       cmocka_unit_test(interpolates),
                                       cmocka_unit_test(trusts_predictions),
                                       cmocka_unit_test(refuses_what_has_no_covariance),
                                       cmocka_unit_test(a_page)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
