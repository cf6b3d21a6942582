/* Records from text that nobody vouches for, and the paths they go to. */

#include "record_help.h"

static char *sample(const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[4096], *text = calloc(1, 1 << 16);
    FILE *file;

    snprintf(path, sizeof(path), "%s/test/tools/records/%s", top != NULL ? top : ".", name);
    file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    assert_non_null(fgets(text, 1 << 16, file));
    fclose(file);
    return text;
}

static void samples(void **state)
{
    char *line = sample("version-1.json"), *same;
    atm_record *record = record_of(line);

    (void) state;
    assert_int_equal(record->version, 1);
    assert_string_equal(record->wrapped, "ufs");
    assert_int_equal(record->ranks, 4);
    assert_int_equal(record->write.calls, 2);
    assert_true(record->read.seconds == 4804 / 1e6);
    assert_true(record->read.storage_seconds == 74 / 1e6);
    assert_int_equal(record->decision_count, 0);
    free(line);
    free(record);

    line = sample("version-2.json");
    record = record_of(line);
    same = line_of(record);
    assert_string_equal(same, line);
    free(line);
    free(same);
    free(record);
}

/* Each key but those of version 1's is needed, and named when it is not there;
 * a key that is not known does no harm. */
static void missing_keys(void **state)
{
    char *line = sample("version-2.json"), *bad = malloc(strlen(line) + 8);
    atm_record *record;
    int checked = 0;

    (void) state;
    for (char *key = line; (key = strchr(key, '"')) != NULL; key++) {
        size_t name = strcspn(key + 1, "\"");
        atm_message message = {""};

        if (key[-1] == ':') { /* a string is no key */
            key += name + 1;
            continue;
        }
        sprintf(bad, "%.*sX%s", (int) (key + 1 - line), line, key + 1);
        record = NULL;
        assert_int_equal(atm_record_parse(bad, strlen(bad), "line", &message, &record),
                         ATM_BAD_FILE);
        assert_null(record);
        assert_non_null(strstr(message.text, "is missing"));
        key += name + 1;
        checked++;
    }
    assert_true(checked > 60);
    sprintf(bad, "{\"X\":1,%s", line + 1);
    free(record_of(bad));
    free(bad);
    free(line);
}

static void refused(void **state)
{
    static const struct {
        const char *text, *complaint;
    } cases[] = {
        {"", "line"},
        {"\n", "line"},
        {"[]", "object"},
        {"{}", "line: format: is missing"},
        {"{\"format\":\"romio-autotune-profile\",\"version\":1}", "line: format"},
        {"{\"format\":\"romio-autotune-record\",\"version\":0}", "line: version"},
        {"{\"format\":\"romio-autotune-record\",\"version\":3}", "newer romio-autotune"},
        {"{\"format\":\"romio-autotune-record\",\"version\":2,\"file\":5}", "line: file"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        atm_message message = {""};
        atm_record *record = NULL;

        assert_int_equal(
            atm_record_parse(cases[i].text, strlen(cases[i].text), "line", &message, &record),
            ATM_BAD_FILE);
        if (strstr(message.text, cases[i].complaint) == NULL)
            fail_msg("%s: %s", cases[i].text, message.text);
    }
}

static void bad_times(void **state)
{
    static const char *const times[] = {"2026-11-15 04:54:17Z",  "2026-11-15T04:54:17",
                                        "2026-02-30T04:54:17Z",  "2026-11-15T24:00:00Z",
                                        "2026-11-15T04:54:17ZZ", "26-11-15T04:54:17Z",
                                        "-026-11-15T04:54:17Z",  ""};
    atm_record *record = calloc(1, sizeof(*record));
    char *line = line_of(record), good[4096], bad[4096], *start;

    (void) state;
    snprintf(good, sizeof(good), "%s", line);
    start = strstr(good, "1970-");
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        atm_message message = {""};
        atm_record *read = NULL;

        snprintf(bad, sizeof(bad), "%.*s%s%s", (int) (start - good), good, times[i],
                 strchr(start, '"'));
        assert_int_equal(atm_record_parse(bad, strlen(bad), "line", &message, &read), ATM_BAD_FILE);
        assert_string_equal(message.text, "line: started: must be a time as 2026-01-31T23:59:59Z");
    }
    free(line);
    free(record);
}

/* Any change of bytes is read or refused, and what is read can be written. */
static void fuzz(void **state)
{
    char *sample_line = sample("version-2.json");
    size_t length = strlen(sample_line);
    char *bad = malloc(length + 1);
    int read_back = 0;

    (void) state;
    for (int i = 0; i < 5000; i++) {
        size_t cut = dice(10) == 0 ? dice(length) : length;
        atm_record *record = NULL;
        char *line;

        memcpy(bad, sample_line, length);
        for (uint64_t changes = dice(4); changes > 0; changes--)
            bad[dice(length)] = dice(2) ? "0123456789-.e\"{}[],:\\tfn"[dice(24)] : (char) dice(256);
        if (atm_record_parse(bad, cut, "line", NULL, &record) != ATM_OK)
            continue;
        read_back++;
        line = line_of(record);
        free(record);
        free(record_of(line));
        free(line);
    }
    assert_true(read_back > 250 && read_back < 4750);
    free(bad);
    free(sample_line);
}

static void check_path(const char *pattern, const char *job, const char *expected)
{
    atm_message message = {""};
    char path[64] = "unchanged";
    atm_status status = atm_record_path(pattern, "node/7", 42, job, &message, 24, path);

    if (status == ATM_OK) {
        assert_string_equal(path, expected);
    } else {
        assert_int_equal(status, ATM_BAD_ARGUMENT);
        assert_string_equal(message.text, expected);
        assert_int_equal(atm_record_path(pattern, "node/7", 42, job, NULL, 24, path),
                         ATM_BAD_ARGUMENT);
    }
}

static void paths(void **state)
{
    char path[4];

    (void) state;
    check_path("", "", "");
    check_path("/tmp/record", "", "/tmp/record");
    check_path("%h.%p.%j", "", "node_7.42.nojob");
    check_path("%j/%%p", "123", "123/%p");
    check_path("%j", "../up", ".._up");
    check_path("r%", "", "r%: ends in %");
    check_path("r%x", "", "r%x: %x is unknown; there are %p, %h, %j and %%");
    check_path("r%\n", "", "r%\n: %? is unknown; there are %p, %h, %j and %%");
    check_path("12345678901234567890123", "", "12345678901234567890123");
    check_path("123456789012345678901234", "",
               "123456789012345678901234: gives a path of 24 bytes or more");
    assert_int_equal(atm_record_path("", "", 0, "", NULL, 0, path), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_record_path("abcd", "", 0, "", NULL, 4, path), ATM_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),   cmocka_unit_test(missing_keys), cmocka_unit_test(refused),
        cmocka_unit_test(bad_times), cmocka_unit_test(fuzz),         cmocka_unit_test(paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
