/* Spools of anybody: numbers that no sum holds, texts that are no surveys, and more than fits. */

#include "unit/history/history_help.h"

#include "history/import.h"
#include "history/prune.h"
#include "unit/history/spool_help.h"

static const char path[] = "limits.spool";

static void expect(ath_database *database, const ath_import_limits *limits, ath_status expected,
                   const char *text)
{
    atm_message message = {""};
    ath_imported sum = {0};
    bool whole;
    ath_status status = ath_import_spool(database, path, limits, &message, &sum, &whole);

    if (status != expected || strstr(message.text, text) == NULL ||
        (text[0] != '\0' && strstr(message.text, path) == NULL))
        fail_msg("%d: %s, not %d: %s", status, message.text, expected, text);
}

/* --- numbers */

static void expect_most(ath_database *database)
{
    static const int64_t most = INT64_C(1) << 61;

    assert_true(number_in(database, "SELECT bytes FROM use") == most);
    assert_true(number_in(database, "SELECT busy FROM use") == most);
    assert_true(number_in(database, "SELECT dropped FROM process") == most);
}

/* The most that each activity may say, more often than whole numbers can sum; and what an older
 * version had let in. */
static void sums_saturate(void **state)
{
    static atw_activity all[3000];
    atw_activity later = {.id = 9000, .end = 1, .bytes = 1, .file = 1};
    ath_database *database = empty_history();
    uint64_t dropped = UINT64_MAX;
    FILE *file = spool_usual(path, 30);

    (void) state;
    for (int i = 0; i < 3000; i++)
        all[i] = (atw_activity){.id = 1 + (uint64_t) i,
                                .end = UINT64_C(1) << 60,
                                .offset = i % 2 == 0 ? INT64_MIN : INT64_MAX,
                                .bytes = UINT64_C(1) << 50,
                                .file = 1};
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, all, sizeof(all));
    for (int i = 0; i < 2; i++)
        spool_block(file, ATW_BLOCK_DROPPED, 0, &dropped, sizeof(dropped));
    fflush(file);
    expect(database, NULL, ATH_OK, "");
    expect_most(database);
    assert_int_equal(number_in(database, "SELECT min(position) FROM activity"), -1);
    assert_int_equal(ath_run(database, "UPDATE use SET busy = 9223372036854775807", NULL, 0, NULL),
                     ATH_OK);
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, &later, sizeof(later));
    spool_end(file);
    expect(database, NULL, ATH_OK, "");
    expect_most(database);
    ath_close(database);
}

/* --- limits */

/* One block of 100 pairs is 12,800 bytes of activities. */
static void users_have_a_limit(void **state)
{
    ath_database *database = empty_history();
    ath_import_limits limits = {.user = 4096};
    FILE *file = spool_usual(path, 31);
    ath_pruned pruned = {0, 0};

    (void) state;
    spool_activities(file, 0, 1, 100);
    fflush(file);
    expect(database, &limits, ATH_NO_ROOM, "may have 4 KiB (--user-limit)");
    assert_int_equal(number_in(database, "SELECT count(*) FROM source"), 0);
    limits.user = 20000;
    expect(database, &limits, ATH_OK, "");
    assert_in_range(number_in(database, "SELECT bytes FROM quota"), 12800, 16000);
    spool_activities(file, 0, 201, 100);
    fclose(file);
    expect(database, &limits, ATH_NO_ROOM, "(--user-limit)");
    assert_int_equal(ath_prune_activities(database, 1.9e9, NULL, &pruned), ATH_OK);
    assert_int_equal(number_in(database, "SELECT count(*) FROM quota"), 0);
    file = spool_usual(path, 32);
    spool_activities(file, 0, 1, 100);
    fclose(file);
    expect(database, &limits, ATH_OK, "");
    ath_close(database);
}

static void all_have_a_limit(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 33);
    int64_t size = 0;
    uint64_t disk;

    (void) state;
    spool_activities(file, 0, 1, 100);
    fclose(file);
    assert_int_equal(ath_size(database, NULL, &size), ATH_OK);
    assert_true(size > 0);
    expect(database, &(ath_import_limits){.database = (uint64_t) size + 4096}, ATH_NO_ROOM,
           "(--limit)");
    if (ath_free_space(database, &disk))
        expect(database, &(ath_import_limits){.keep_free = UINT64_MAX}, ATH_NO_ROOM,
               "(--keep-free)");
    assert_int_equal(number_in(database, "SELECT count(*) FROM source"), 0);
    ath_close(database);
}

static void records_have_it_too(void **state)
{
    const char *top = getenv("top_srcdir");
    char name[4096];
    ath_database *database = empty_history();
    ath_imported sum = {0};
    atm_message message = {""};
    int64_t size = 0;
    ath_import_limits limits;

    (void) state;
    snprintf(name, sizeof(name), "%s/test/tools/records/version-2.json", top != NULL ? top : ".");
    assert_int_equal(ath_size(database, NULL, &size), ATH_OK);
    limits = (ath_import_limits){.database = (uint64_t) size};
    assert_int_equal(ath_import_records(database, name, &limits, NULL, NULL, &message, &sum),
                     ATH_NO_ROOM);
    assert_non_null(strstr(message.text, "(--limit)"));
    assert_int_equal(number_in(database, "SELECT count(*) FROM record"), 0);
    assert_int_equal(ath_import_records(database, name, NULL, NULL, NULL, &message, &sum), ATH_OK);
    assert_int_equal(ath_import_records(database, name, &limits, NULL, NULL, &message, &sum),
                     ATH_OK); /* nothing new */
    ath_close(database);
}

/* --- surveys */

/* What is none is left out, and the activities stay. */
static void surveys_are_checked(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 34);
    size_t length = (9 << 20) + 8;
    char *large = malloc(length);

    (void) state;
    assert_non_null(large);
    memset(large, ' ', length);
    large[0] = '{';
    large[length - 1] = '}';
    spool_activities(file, 0, 1, 1);
    spool_text(file, ATW_BLOCK_SURVEY, "{\"module\": \"survey\", ");
    spool_text(file, ATW_BLOCK_SURVEY, "[1]");
    spool_block(file, ATW_BLOCK_SURVEY, 0, large, length);
    spool_block(file, ATW_BLOCK_SURVEY, 0, large, length);
    spool_end(file);
    expect(database, NULL, ATH_OK, ": a survey is left out: it is no JSON");
    assert_int_equal(number_in(database, "SELECT count(*) FROM activity"), 2);
    assert_int_equal(number_in(database, "SELECT count(*) FROM survey"), 1);
    free(large);
    ath_close(database);
}

static void surveys_have_limits(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual(path, 35);

    (void) state;
    for (int i = 0; i < 1001; i++)
        spool_text(file, ATW_BLOCK_SURVEY, "{}");
    spool_end(file);
    expect(database, NULL, ATH_OK, "its process has more than 1,000");
    assert_int_equal(number_in(database, "SELECT count(*) FROM survey"), 1000);
    ath_close(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_saturate),       cmocka_unit_test(users_have_a_limit),
        cmocka_unit_test(all_have_a_limit),    cmocka_unit_test(records_have_it_too),
        cmocka_unit_test(surveys_are_checked), cmocka_unit_test(surveys_have_limits),
    };

    return cmocka_run_group_tests_name("import limits", tests, NULL, NULL);
}
