/* Imports: all or nothing, once, and what is new. */

#include "unit/history/history_help.h"

#include "history/import.h"
#include "history/prune.h"
#include "history/trial.h"
#include "unit/history/spool_help.h"

static const char path[] = "import.spool";

static ath_imported bring_in(ath_database *database, bool *whole_p)
{
    atm_message message = {""};
    ath_imported sum = {0};

    if (ath_import_spool(database, path, NULL, &message, &sum, whole_p) != ATH_OK)
        fail_msg("%s", message.text);
    return sum;
}

/* --- spools */

static void a_spool_once(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 1);
    uint64_t dropped = 3;
    ath_imported sum;
    bool whole = false;

    (void) state;
    spool_activities(file, 0, 1, 100);
    spool_activities(file, 1, 1, 50);
    spool_block(file, ATW_BLOCK_DROPPED, 1, &dropped, sizeof(dropped));
    spool_text(file, ATW_BLOCK_SURVEY, "{\"reads\": 0}");
    spool_end(file);
    sum = bring_in(database, &whole);
    assert_true(whole);
    assert_int_equal(sum.spools, 1);
    assert_int_equal(sum.activities, 300);
    assert_int_equal(sum.dropped, 3);
    assert_int_equal(number_in(database, "SELECT count(*) FROM activity"), 300);
    assert_int_equal(number_in(database, "SELECT activities FROM process"), 300);
    assert_int_equal(number_in(database, "SELECT dropped FROM process"), 3);
    assert_int_equal(number_in(database, "SELECT rank FROM process"), 3);
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 2);
    assert_int_equal(number_in(database, "SELECT count(*) FROM survey"), 1);
    assert_int_equal(number_in(database, "SELECT sum(activities) FROM use"), 300);
    assert_int_equal(number_in(database, "SELECT sum(bytes) FROM use"), 300 * 4096);
    assert_int_equal(number_in(database, "SELECT count(*) FROM activity a, activity p WHERE "
                                         "a.parent = p.number AND a.start >= p.start AND "
                                         "a.start + a.duration <= p.start + p.duration"),
                     150);
    assert_string_equal(text_in(database, "SELECT program FROM process").text, "vpic");
    assert_string_equal(text_in(database, "SELECT arguments FROM process").text, "vpic -n 1");
    assert_string_equal(text_in(database, "SELECT job FROM process").text, "123");

    sum = bring_in(database, &whole);
    assert_int_equal(sum.spools, 0);
    assert_int_equal(sum.activities, 0);
    assert_int_equal(sum.known, 1);
    assert_int_equal(number_in(database, "SELECT count(*) FROM activity"), 300);
    assert_int_equal(number_in(database, "SELECT sum(activities) FROM use"), 300);
    assert_int_equal(number_in(database, "SELECT count(*) FROM survey"), 1);
    ath_close(database);
}

static void a_spool_that_grows(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 2);
    ath_imported sum;
    bool whole = true;

    (void) state;
    spool_activities(file, 0, 1, 100);
    fflush(file);
    sum = bring_in(database, &whole);
    assert_false(whole);
    assert_int_equal(sum.activities, 200);
    spool_file(file, 3, "/scratch/later");
    spool_activities(file, 0, 201, 10);
    fwrite("cut", 1, 3, file);
    fflush(file);
    sum = bring_in(database, &whole);
    assert_false(whole);
    assert_int_equal(sum.spools, 1);
    assert_int_equal(sum.activities, 20);
    assert_int_equal(number_in(database, "SELECT count(*) FROM activity"), 220);
    assert_int_equal(number_in(database, "SELECT count(*) FROM process"), 1);
    assert_int_equal(number_in(database, "SELECT sum(activities) FROM use"), 220);
    fclose(file);
    ath_close(database);
}

/* --- what is refused leaves nothing */

static void refused(FILE *file, const char *expected)
{
    ath_database *database = empty_history();
    atm_message message = {""};
    ath_imported sum = {0};
    bool whole;

    fclose(file);
    assert_int_equal(ath_import_spool(database, path, NULL, &message, &sum, &whole), ATH_BAD_FILE);
    if (strstr(message.text, expected) == NULL || strstr(message.text, path) == NULL)
        fail_msg("%s, not %s", message.text, expected);
    assert_int_equal(sum.spools + sum.activities, 0);
    assert_int_equal(number_in(database, "SELECT count(*) FROM source"), 0);
    assert_int_equal(number_in(database, "SELECT count(*) FROM process"), 0);
    assert_int_equal(number_in(database, "SELECT count(*) FROM activity"), 0);
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 0);
    ath_close(database);
}

static FILE *with_activity(atw_activity activity)
{
    FILE *file = spool_usual(path, 3);

    spool_activities(file, 0, 1, 100);
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, &activity, sizeof(activity));
    return file;
}

static void bad_activities(void **state)
{
    atw_activity good = {.id = 1000, .start = STARTED, .end = STARTED + 1, .offset = -1};
    atw_activity bad = good;

    (void) state;
    bad.call = 2;
    refused(with_activity(bad), "call 2 is not in the list of calls");
    bad = good;
    bad.file = 3;
    refused(with_activity(bad), "file 3 has no name");
    bad.file = UINT32_MAX;
    refused(with_activity(bad), "has no name");
    bad = good;
    bad.end = STARTED - 1;
    refused(with_activity(bad), "an activity ends before it begins");
    bad = good;
    bad.id = 0;
    refused(with_activity(bad), "this is no activity");
    bad = good;
    bad.bytes = UINT64_MAX;
    refused(with_activity(bad), "a call cannot move 18446744073709551615 bytes");
    bad.bytes = (UINT64_C(1) << 50) + 1;
    refused(with_activity(bad), "a call cannot move 1125899906842625 bytes");
    bad = good;
    bad.end = (UINT64_C(1) << 60) + 1;
    refused(with_activity(bad), "an activity cannot end at 1152921504606846977 ns");
}

static void bad_texts(void **state)
{
    FILE *file;

    (void) state;
    file = spool_begin(path, 4);
    spool_text(file, ATW_BLOCK_FACTS, "{\"program\": ");
    refused(file, "byte 80");
    file = spool_begin(path, 4);
    spool_text(file, ATW_BLOCK_FACTS, "{\"program\": 1}");
    refused(file, "program");
    file = spool_begin(path, 4);
    spool_text(file, ATW_BLOCK_CALLS, "[[\"open\"]]");
    refused(file, "[0]");
    file = spool_usual(path, 4);
    spool_file(file, 0, "/f");
    refused(file, "a file cannot have the number 0");
    file = spool_usual(path, 4);
    spool_file(file, UINT32_MAX, "/f");
    refused(file, "a file cannot have the number 4294967295");
    file = spool_begin(path, 4);
    spool_activities(file, 0, 1, 1);
    refused(file, "is not in the list of calls");
}

/* Only root can make one. */
static void spools_of_others(void **state)
{
    FILE *file;

    (void) state;
    if (geteuid() != 0)
        skip();
    file = spool_usual(path, 5);
    assert_int_equal(fchown(fileno(file), 12345, (gid_t) -1), 0);
    refused(file, "says that it is of user 0, but belongs to user 12345");
    unlink(path); /* others make a new one */
}

static void names_of_any_bytes(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 6);
    bool whole;

    (void) state;
    spool_file(file, 3, "/x/\xff\x1b[31m\n\"';--");
    spool_end(file);
    bring_in(database, &whole);
    assert_string_equal(text_in(database, "SELECT path FROM file WHERE path LIKE '/x/%'").text,
                        "/x/\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd\"';--");
    ath_close(database);
}

static void a_file_has_one_name(void **state)
{
    static const char *const names[] = {"field.1",
                                        "./field.1",
                                        "../run/field.1",
                                        "/scratch/run//field.1",
                                        "/scratch/./run/x/../field.1",
                                        "/scratch/run/autotune:field.1",
                                        "/scratch/run/autotune:/scratch/run/field.1",
                                        "ufs:/scratch/run/field.1"};
    ath_database *database = empty_history();
    FILE *file = spool_begin(path, 7);
    bool whole;

    (void) state;
    spool_text(file, ATW_BLOCK_FACTS, "{\"directory\": \"/scratch/run\"}");
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        spool_file(file, i + 1, names[i]);
    spool_file(file, 100, "pipe:[17]");
    spool_end(file);
    bring_in(database, &whole);
    assert_string_equal(text_in(database, "SELECT path FROM file WHERE path LIKE '/%'").text,
                        "/scratch/run/field.1");
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 2);
    ath_close(database);
}

/* --- records */

static char *sample(void)
{
    const char *top = getenv("top_srcdir");
    char name[4096], *text = calloc(1, 1 << 16);
    FILE *file;

    snprintf(name, sizeof(name), "%s/test/tools/records/version-2.json", top != NULL ? top : ".");
    file = fopen(name, "r");
    if (file == NULL)
        fail_msg("%s cannot be read", name);
    assert_non_null(fgets(text, 1 << 16, file));
    fclose(file);
    return text;
}

static void write_lines(const char *name, const char *line, int copies, const char *rest)
{
    FILE *file = fopen(name, "w");

    for (int i = 0; i < copies; i++)
        fputs(line, file);
    fputs(rest, file);
    fclose(file);
}

static void records_once(void **state)
{
    ath_database *database = empty_history();
    ath_imported sum = {0};
    atm_message message = {""};
    char *line = sample();

    (void) state;
    write_lines("one.jsonl", line, 1, "{\"format\": \"romio-au");
    write_lines("two.jsonl", line, 2, "");
    assert_int_equal(ath_import_records(database, "one.jsonl", NULL, NULL, "ada", &message, &sum),
                     ATH_OK);
    assert_int_equal(ath_import_records(database, "two.jsonl", NULL, "p", NULL, &message, &sum),
                     ATH_OK);
    assert_int_equal(sum.records, 1);
    assert_int_equal(sum.known, 2);
    assert_int_equal(sum.trials, 1); /* half of the writes had other settings */
    assert_int_equal(number_in(database, "SELECT count(*) FROM record"), 1);
    assert_int_equal(number_in(database, "SELECT calls FROM trial"), 1);
    assert_int_equal(number_in(database, "SELECT writes FROM trial"), 0);
    assert_int_equal(number_in(database, "SELECT origin FROM trial"), 0);
    assert_string_equal(text_in(database, "SELECT settings FROM trial").text,
                        "{\"cb_nodes\":2,\"cb_buffer_size\":16777216,"
                        "\"romio_cb_read\":\"automatic\"}");
    assert_string_equal(text_in(database, "SELECT username FROM record").text, "ada");
    free(line);
    ath_close(database);
}

/* Holes that are read and written again are no bytes of the program's. */
static void bytes_are_those_of_advice(void **state)
{
    atm_record *record = calloc(1, sizeof(*record));
    ath_trial trial;

    (void) state;
    assert_non_null(record);
    atm_record_add_decision(record,
                            &(atm_record_decision){.call = 1,
                                                   .write = true,
                                                   .rank_count = 2,
                                                   .config = {.collective = true, .aggregators = 2},
                                                   .access = {.write = true, .bytes = 1000},
                                                   .advised = true});
    atm_record_add_call(record,
                        &(atm_record_call){.call = 1, .write = true, .seconds = 1, .bytes = 7000});
    assert_true(ath_trial_of(record, true, &trial));
    assert_int_equal(trial.origin, ATH_BY_ADVICE);
    assert_true(trial.bytes == 1000);
    record->decisions[0].advised = false;
    record->decisions[0].hinted = record->decisions[0].tuned = true;
    assert_true(ath_trial_of(record, true, &trial));
    assert_int_equal(trial.origin, ATH_BY_USER);
    record->decisions[0].call = 0; /* at open, it was a guess */
    assert_true(ath_trial_of(record, true, &trial));
    assert_true(trial.bytes == 7000);
    free(record);
}

/* The driver decided anew after each call, and mostly the same. */
static void trials_are_counted_by_settings(void **state)
{
    static const int aggregators[] = {2, 4, 2, 8, 2};
    atm_record *record = calloc(1, sizeof(*record));
    ath_trial trial;

    (void) state;
    assert_non_null(record);
    for (uint64_t i = 1; i <= 5; i++) {
        int count = aggregators[i - 1];
        atm_record_decision decision = {
            .call = i,
            .write = true,
            .tuned = true,
            .rank_count = count,
            .config = {.collective = true, .aggregators = count, .buffer = 1 << 20},
            .parts = {0, 0, 4.0 * (double) i},
            .access = {.write = true, .bytes = 1000 * i}};

        atm_record_add_decision(record, &decision);
        atm_record_add_call(record, &(atm_record_call){.call = i,
                                                       .write = true,
                                                       .seconds = count == 2 ? (double) i : 100,
                                                       .bytes = 1000 * i});
    }
    assert_true(ath_trial_of(record, true, &trial));
    assert_int_equal(trial.calls, 3);
    assert_int_equal(trial.settings.values[ATM_SET_CB_NODES], 2);
    assert_true(trial.bytes == 3000 && trial.seconds == 3 && trial.predicted == 12);
    atm_record_add_call(record, &(atm_record_call){.call = 6, .write = true, .seconds = 1});
    record->decisions[4].rank_count = 3; /* three calls of six, or less */
    assert_false(ath_trial_of(record, true, &trial));
    free(record);
}

/* They tell of stripes, at the pace of the access that was expected. */
static void independent_calls_are_trials(void **state)
{
    atm_record *record = calloc(1, sizeof(*record));
    ath_trial trial;

    (void) state;
    assert_non_null(record);
    record->stripe_count = 4;
    record->stripe_size = 1 << 20;
    record->write = (atm_record_counters){
        .independent_calls = 10, .independent_bytes = 2000, .independent_seconds = 4};
    atm_record_add_decision(record,
                            &(atm_record_decision){.write = true,
                                                   .tuned = true,
                                                   .rank_count = 2,
                                                   .config = {.collective = true, .aggregators = 2},
                                                   .access = {.write = true, .bytes = 1000}});
    assert_false(ath_trial_of(record, false, &trial));
    assert_true(ath_trial_of(record, true, &trial));
    assert_true(trial.independent);
    assert_int_equal(trial.origin, ATH_BY_MODEL);
    assert_int_equal(trial.calls, 10);
    assert_true(trial.bytes == 1000 && trial.seconds == 2 && trial.predicted == 0);
    assert_true(trial.settings.has[ATM_SET_STRIPING_FACTOR]);
    assert_int_equal(trial.settings.values[ATM_SET_STRIPING_FACTOR], 4);
    assert_false(trial.settings.has[ATM_SET_CB_NODES]);
    record->write.calls = 1; /* then those count, of which nothing is known */
    assert_false(ath_trial_of(record, true, &trial));
    record->write.calls = 0;
    record->stripe_count = 0; /* nothing to learn about */
    record->stripe_size = 0;
    assert_false(ath_trial_of(record, true, &trial));
    free(record);
}

/* Stripes that no rule of advice can have. */
static void trials_can_be_advised(void **state)
{
    atm_record *record = calloc(1, sizeof(*record));
    ath_trial trial;

    (void) state;
    assert_non_null(record);
    record->stripe_count = 4;
    record->stripe_size = 100000;
    atm_record_add_decision(
        record, &(atm_record_decision){.call = 1,
                                       .write = true,
                                       .rank_count = 2,
                                       .config = {.collective = true, .aggregators = 2}});
    atm_record_add_call(record,
                        &(atm_record_call){.call = 1, .write = true, .seconds = 1, .bytes = 7000});
    assert_false(ath_trial_of(record, true, &trial));
    record->stripe_size = 131072;
    assert_true(ath_trial_of(record, true, &trial));
    free(record);
}

static void bad_records_leave_nothing(void **state)
{
    ath_database *database = empty_history();
    ath_imported sum = {0};
    atm_message message = {""};
    char *line = sample();

    (void) state;
    write_lines("bad.jsonl", line, 1, "{}\n");
    assert_int_equal(ath_import_records(database, "bad.jsonl", NULL, NULL, NULL, &message, &sum),
                     ATH_BAD_FILE);
    assert_non_null(strstr(message.text, "bad.jsonl:2"));
    assert_int_equal(sum.records, 0);
    assert_int_equal(number_in(database, "SELECT count(*) FROM record"), 0);
    assert_int_equal(ath_import_records(database, "none.jsonl", NULL, NULL, NULL, &message, &sum),
                     ATH_NO_ACCESS);
    free(line);
    ath_close(database);
}

/* A record is of the program that was process 4711 of node01 at that time (2026-11-14). */
static void records_find_their_program(void **state)
{
    static const uint64_t begins[] = {UINT64_C(1794000000000000000), UINT64_C(1794644990000000000),
                                      UINT64_C(1794645990000000000)};
    static const char *const programs[] = {"before", "right", "after"};
    ath_database *database = empty_history();
    ath_imported sum = {0};
    char *line = sample(), facts[128];
    bool whole;

    (void) state;
    write_lines("one.jsonl", line, 1, "");
    assert_int_equal(ath_import_records(database, "one.jsonl", NULL, NULL, NULL, NULL, &sum),
                     ATH_OK);
    for (int i = 0; i < 3; i++) {
        FILE *file = spool_begin(path, 10 + (uint64_t) i);
        atw_activity late = {.id = 1, .start = STARTED, .end = STARTED + UINT64_C(60000000000)};

        fseek(file, offsetof(atw_spool_head, realtime), SEEK_SET);
        fwrite(&begins[i], sizeof(begins[i]), 1, file);
        fseek(file, 0, SEEK_END);
        snprintf(facts, sizeof(facts),
                 "{\"program\": \"/bin/%s\", \"host\": \"node01\", \"directory\": \"/%s\"}",
                 programs[i], programs[i]);
        spool_text(file, ATW_BLOCK_FACTS, facts);
        spool_text(file, ATW_BLOCK_CALLS, "[[\"open\", \"posix\"]]");
        spool_block(file, ATW_BLOCK_ACTIVITIES, 0, &late, sizeof(late));
        spool_end(file);
        bring_in(database, &whole);
    }
    assert_int_equal(ath_run(database, "UPDATE file SET path = 'run/../out.h5'", NULL, 0, NULL),
                     ATH_OK);
    assert_int_equal(ath_import_link(database, NULL), ATH_OK);
    assert_string_equal(text_in(database, "SELECT program FROM record").text, "right");
    assert_string_equal(
        text_in(database, "SELECT f.path FROM record r JOIN file f ON f.id = r.file").text,
        "/right/out.h5");
    free(line);
    ath_close(database);
}

/* --- what is old */

static void pruned_things_stay_away(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 20);
    ath_imported sum = {0};
    ath_pruned pruned = {0, 0};
    char *line = sample();
    bool whole;

    (void) state;
    spool_activities(file, 0, 1, 100);
    spool_text(file, ATW_BLOCK_SURVEY, "{}");
    spool_end(file);
    bring_in(database, &whole);
    write_lines("one.jsonl", line, 1, "");
    assert_int_equal(ath_import_records(database, "one.jsonl", NULL, NULL, NULL, NULL, &sum),
                     ATH_OK);
    assert_int_equal(ath_prune_activities(database, 1.7e9, NULL, &pruned), ATH_OK);
    assert_int_equal(ath_prune_records(database, 1.7e9, NULL, &pruned), ATH_OK);
    assert_int_equal(pruned.processes + pruned.records, 0);
    assert_int_equal(ath_prune_activities(database, 1.9e9, NULL, &pruned), ATH_OK);
    assert_int_equal(ath_prune_records(database, 1.9e9, NULL, &pruned), ATH_OK);
    assert_int_equal(pruned.processes, 1);
    assert_int_equal(pruned.records, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(number_in(database, "SELECT count(*) FROM activity"), 0);
        assert_int_equal(number_in(database, "SELECT count(*) FROM process"), 0);
        assert_int_equal(number_in(database, "SELECT count(*) FROM use"), 0);
        assert_int_equal(number_in(database, "SELECT count(*) FROM survey"), 0);
        assert_int_equal(number_in(database, "SELECT count(*) FROM trial"), 0);
        sum = bring_in(database, &whole);
        assert_int_equal(sum.known, 1);
        assert_true(whole);
        assert_int_equal(ath_import_records(database, "one.jsonl", NULL, NULL, NULL, NULL, &sum),
                         ATH_OK);
        assert_int_equal(sum.records, 0);
    }
    free(line);
    ath_close(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spool_once),
        cmocka_unit_test(a_spool_that_grows),
        cmocka_unit_test(bad_activities),
        cmocka_unit_test(bad_texts),
        cmocka_unit_test(spools_of_others),
        cmocka_unit_test(names_of_any_bytes),
        cmocka_unit_test(a_file_has_one_name),
        cmocka_unit_test(records_once),
        cmocka_unit_test(bytes_are_those_of_advice),
        cmocka_unit_test(trials_are_counted_by_settings),
        cmocka_unit_test(independent_calls_are_trials),
        cmocka_unit_test(trials_can_be_advised),
        cmocka_unit_test(bad_records_leave_nothing),
        cmocka_unit_test(records_find_their_program),
        cmocka_unit_test(pruned_things_stay_away),
    };

    return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
