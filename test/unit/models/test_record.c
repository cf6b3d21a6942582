/* Records: to lines and back, at their limits, and without memory. */

#include "memory_help.h"
#include "record_help.h"

static void round_trip(void **state)
{
    (void) state;
    for (int i = 0; i < 200; i++) {
        atm_record *record = random_record((int) dice(12), (int) dice(120));
        char *line = line_of(record), *again_line;
        atm_record *again = record_of(line);

        again_line = line_of(again);
        assert_string_equal(line, again_line);
        check_same(record, again);
        free(record);
        free(again);
        free(line);
        free(again_line);
    }
}

static void nothing_known(void **state)
{
    atm_record *record = calloc(1, sizeof(*record)), *again;
    char *line = line_of(record);

    (void) state;
    assert_non_null(strstr(line, "\"started\":\"1970-01-01T00:00:00Z\""));
    again = record_of(line);
    check_same(record, again);
    free(record);
    free(again);
    free(line);
}

/* More than there is room for, and lines that would be too long. */
static void limits(void **state)
{
    (void) state;
    for (int i = 0; i < 5; i++) {
        int decisions = i < 2 ? 3 : ATM_RECORD_DECISIONS + 5, calls = ATM_RECORD_CALLS + 44;
        atm_record *record = random_record(decisions, calls), *again;
        char *line;

        assert_int_equal(record->call_count, ATM_RECORD_CALLS);
        assert_int_equal(record->calls_dropped, 44);
        for (int k = 0; i == 4 && k < record->decision_count; k++) {
            memset(record->decisions[k].reason.text, '\n', sizeof(record->decisions[k].reason));
            record->decisions[k].reason.text[255] = '\0';
        }
        line = line_of(record);
        again = record_of(line);
        assert_int_equal(again->decision_count + (int) again->decisions_dropped, decisions);
        assert_int_equal(again->call_count + (int) again->calls_dropped, calls);
        assert_memory_equal(again->calls, record->calls,
                            (size_t) again->call_count * sizeof(record->calls[0]));
        assert_true(i == 4 ? again->call_count == 0 : again->call_count > 0);
        assert_true(i == 4 ? again->decision_count < ATM_RECORD_DECISIONS
                           : again->decision_count == record->decision_count);
        assert_true(again->calls_dropped == 44 || strlen(line) > ATM_RECORD_LINE - 4096);
        free(record);
        free(again);
        free(line);
    }
}

/* Names are bytes: those that JSON has no characters for must not cost the
 * record, nor must a text that is too long. */
static void hostile_text(void **state)
{
    atm_record *record = random_record(1, 1), *again;
    char *line;

    (void) state;
    strcpy(record->file, "/a\xff/\xc3");
    memset(record->status, 0xe2, sizeof(record->status) - 1);
    record->status[sizeof(record->status) - 1] = '\0';
    memset(record->profile, '\x01', sizeof(record->profile) - 1);
    strcpy(record->profile + sizeof(record->profile) - 5, "tail");
    line = line_of(record);
    again = record_of(line);
    assert_string_equal(again->file, "/a\xef\xbf\xbd/\xef\xbf\xbd");
    assert_int_equal(strlen(again->status), (sizeof(record->status) - 1) / 3 * 3);
    assert_memory_equal(again->status, "\xef\xbf\xbd\xef\xbf\xbd", 6);
    assert_string_equal(again->profile, record->profile);
    free(record);
    free(again);
    free(line);
}

static void bad_numbers(void **state)
{
    static const double bad[] = {NAN, INFINITY, -1};
    atm_record *record = random_record(1, 1);
    size_t length = 77;
    char *line = NULL;

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        record->decisions[0].parts[ATM_SHUFFLE] = bad[i];
        assert_int_equal(atm_record_line(record, &line, &length), ATM_BAD_ARGUMENT);
    }
    record->decisions[0].parts[ATM_SHUFFLE] = 0;
    record->ranks = -1;
    assert_int_equal(atm_record_line(record, &line, &length), ATM_BAD_ARGUMENT);
    record->ranks = 1;
    record->started = (time_t) INT64_C(253402300800); /* year 10000 */
    assert_int_equal(atm_record_line(record, &line, &length), ATM_BAD_ARGUMENT);
    record->started--;
    assert_true(line == NULL && length == 77);
    assert_int_equal(atm_record_line(record, &line, &length), ATM_OK);
    free(line);
    free(record);
}

/* Beyond what doubles hold exactly: nearly. */
static void huge_sizes(void **state)
{
    atm_record *record = calloc(1, sizeof(*record)), *again;
    char *line;

    (void) state;
    record->write.bytes = UINT64_MAX;
    record->read.bytes = (UINT64_C(1) << 60) + 1;
    line = line_of(record);
    again = record_of(line);
    assert_true(again->write.bytes == UINT64_MAX);
    assert_true(again->read.bytes == UINT64_C(1) << 60);
    free(record);
    free(again);
    free(line);
}

/* A time is the nearest nanosecond, and one that is too long for that itself. */
static void clocks(void **state)
{
    static const double times[][2] = {
        {1.0 / 3, 0.333333333},         {2e-10, 0},    {5e-10, 1e-9}, {999999.9999999999, 1e6},
        {1e6 + 1.0 / 3, 1e6 + 1.0 / 3}, {1e300, 1e300}};

    (void) state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        atm_record *record = calloc(1, sizeof(*record)), *again;
        char *line;

        record->seconds = times[i][0];
        line = line_of(record);
        again = record_of(line);
        assert_true(again->seconds == times[i][1]);
        free(record);
        free(again);
        free(line);
    }
}

static void no_memory(void **state)
{
    atm_record *record = random_record(2, 2), *again = NULL;
    char *line = NULL;
    size_t length;

    (void) state;
    everybody = true;
    FAIL_EACH(atm_record_line(record, &line, &length), (void) 0);
    everybody = false;
    FAIL_EACH(atm_record_parse(line, length, "line", NULL, &again), (void) 0);
    free(line);
    free(record);
    free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),  cmocka_unit_test(nothing_known),
        cmocka_unit_test(limits),      cmocka_unit_test(hostile_text),
        cmocka_unit_test(bad_numbers), cmocka_unit_test(huge_sizes),
        cmocka_unit_test(clocks),      cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
