/* Records: to lines and back, at their limits, and from text that nobody
 * vouches for.  Linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "atm_record.h"

static long allocations, fail_at = -1; /* the allocation that fails, from 0 */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return allocations++ == fail_at ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocations++ == fail_at ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return allocations++ == fail_at ? NULL : __real_realloc(old, size);
}

static uint64_t seed = 1;

static uint64_t dice(uint64_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % sides;
}

static double factor(void)
{
    return (double) dice(1000000007) / (double) (1 + dice(1000003));
}

/* Whole nanoseconds */
static double seconds(void)
{
    return (double) (dice(1000000007) * (1 + dice(1000))) / 1e9;
}

/* Valid UTF-8 of at most size - 1 bytes, much of it to be escaped. */
static void fill_text(char *text_p, size_t size)
{
    static const char *const characters[] = {"a",
                                             "/",
                                             " ",
                                             "\"",
                                             "\\",
                                             "\n",
                                             "\t",
                                             "\x7f",
                                             "\xc3\xa4",
                                             "\xe2\x82\xac",
                                             "\xf0\x9f\x98\x80"};
    size_t room = size > 300 ? dice(300) : dice(size);

    text_p[0] = '\0';
    while (room > 4) {
        const char *character = characters[dice(sizeof(characters) / sizeof(characters[0]))];

        strcat(text_p, character);
        room -= strlen(character);
    }
}

/* Into zeroed memory: records are compared byte by byte, padding and all. */
static void fill_decision(atm_record_decision *decision)
{
    decision->call = dice(1000);
    decision->tuned = dice(2);
    decision->write = dice(2);
    decision->config.collective = dice(2);
    decision->config.automatic = dice(2);
    decision->config.aggregators = (int) dice(1000);
    decision->config.buffer = dice(1 << 30);
    decision->config.stripe_size = dice(1 << 30);
    decision->config.stripe_count = (int) dice(100) - 1;
    decision->config.co_ratio = (int) dice(5);
    decision->config.block = dice(1 << 30);
    decision->rank_count = (int) dice(2 * ATM_RECORD_RANKS);
    for (int i = 0; i < decision->rank_count && i < ATM_RECORD_RANKS; i++)
        decision->ranks[i] = (int) dice(1000000);
    decision->access.write = decision->write;
    decision->access.strided = dice(2);
    decision->access.interleaved = dice(2);
    decision->access.holes = dice(2);
    decision->access.new_file = dice(2);
    decision->access.active_ranks = (int) dice(100000);
    decision->access.bytes_min = dice(1 << 20);
    decision->access.bytes_max = dice(1 << 30);
    decision->access.bytes = dice(1 << 30) << 22;
    decision->access.start = dice(100);
    decision->access.end = dice(1 << 30) << 22;
    decision->access.block = dice(1 << 20);
    decision->access.stride = dice(1 << 20);
    for (int i = 0; i < ATM_PART_COUNT; i++)
        decision->parts[i] = seconds();
    decision->uncertainty = factor();
    decision->storage_scale = factor();
    decision->communication_scale = factor();
    fill_text(decision->reason.text, sizeof(decision->reason.text));
}

static void fill_call(uint64_t number, atm_record_call *call)
{
    call->call = number;
    call->write = dice(2);
    call->at = seconds();
    call->seconds = seconds();
    call->storage_seconds = seconds();
    call->bytes = dice(1 << 30) << 22;
    call->accesses = dice(100000);
}

static atm_record_counters random_counters(void)
{
    return (atm_record_counters){.calls = dice(1000),
                                 .seconds = seconds(),
                                 .accesses = dice(1 << 30),
                                 .bytes = dice(1 << 30) << 22,
                                 .storage_seconds = seconds(),
                                 .independent_calls = dice(100),
                                 .independent_bytes = dice(1 << 30),
                                 .independent_seconds = seconds()};
}

/* Free it. */
static atm_record *random_record(int decisions, int calls)
{
    atm_record *record = calloc(1, sizeof(*record));

    fill_text(record->file, sizeof(record->file));
    fill_text(record->wrapped, sizeof(record->wrapped));
    fill_text(record->status, sizeof(record->status));
    fill_text(record->mode, sizeof(record->mode));
    fill_text(record->profile, sizeof(record->profile));
    fill_text(record->host, sizeof(record->host));
    fill_text(record->job, sizeof(record->job));
    record->ranks = (int) dice(1000000);
    record->nodes = (int) dice(10000);
    record->pid = (int64_t) dice(4194304);
    record->started = (time_t) dice(INT64_C(4102444800));
    record->seconds = seconds();
    for (int i = 0; i < decisions; i++) {
        atm_record_decision decision;

        memset(&decision, 0, sizeof(decision));
        fill_decision(&decision);
        atm_record_add_decision(record, &decision);
    }
    for (int i = 0; i < calls; i++) {
        atm_record_call call;

        memset(&call, 0, sizeof(call));
        fill_call((uint64_t) i + 1, &call);
        atm_record_add_call(record, &call);
    }
    record->read = random_counters();
    record->write = random_counters();
    return record;
}

static char *line_of(const atm_record *record)
{
    char *line = NULL;
    size_t length = 0;

    assert_int_equal(atm_record_line(record, &line, &length), ATM_OK);
    assert_int_equal(strlen(line), length);
    assert_true(length < ATM_RECORD_LINE);
    assert_ptr_equal(strchr(line, '\n'), line + length - 1);
    return line;
}

static atm_record *record_of(const char *line)
{
    atm_message message = {""};
    atm_record *record = NULL;
    atm_status status = atm_record_parse(line, strlen(line), "line", &message, &record);

    if (status != ATM_OK)
        fail_msg("%s", message.text);
    return record;
}

static void check_same(const atm_record *record, atm_record *again)
{
    assert_int_equal(again->version, ATM_RECORD_VERSION);
    again->version = record->version;
    assert_string_equal(again->file, record->file);
    assert_string_equal(again->status, record->status);
    for (int i = 0; i < record->decision_count; i++)
        assert_string_equal(again->decisions[i].reason.text, record->decisions[i].reason.text);
    assert_memory_equal(again, record, sizeof(*record));
}

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
    assert_int_equal(strlen(again->status), 255);
    assert_memory_equal(again->status, "\xef\xbf\xbd\xef\xbf\xbd", 6);
    assert_memory_equal(again->profile, "...\x01", 4);
    assert_string_equal(again->profile + strlen(again->profile) - 5, "\x01tail");
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

static char *sample(const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[4096], *text = calloc(1, 1 << 16);
    FILE *file;

    snprintf(path, sizeof(path), "%s/test/data/records/%s", top != NULL ? top : ".", name);
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
    char *line = line_of(record), *start = strstr(line, "1970-"), bad[4096];

    (void) state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        atm_message message = {""};
        atm_record *read = NULL;

        snprintf(bad, sizeof(bad), "%.*s%s%s", (int) (start - line), line, times[i],
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

static void no_memory(void **state)
{
    atm_record *record = random_record(2, 2), *again = NULL;
    char *line = NULL;
    size_t length;
    atm_status status;

    (void) state;
    for (long i = 0;; i++) {
        allocations = 0;
        fail_at = i;
        status = atm_record_line(record, &line, &length);
        fail_at = -1;
        if (status == ATM_OK)
            break;
        assert_int_equal(status, ATM_NO_MEMORY);
        assert_null(line);
    }
    assert_true(allocations > 50);
    for (long i = 0;; i++) {
        allocations = 0;
        fail_at = i;
        status = atm_record_parse(line, length, "line", NULL, &again);
        fail_at = -1;
        if (status == ATM_OK)
            break;
        assert_int_equal(status, ATM_NO_MEMORY);
        assert_null(again);
    }
    free(line);
    free(record);
    free(again);
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
        cmocka_unit_test(round_trip),   cmocka_unit_test(nothing_known),
        cmocka_unit_test(limits),       cmocka_unit_test(hostile_text),
        cmocka_unit_test(bad_numbers),  cmocka_unit_test(huge_sizes),
        cmocka_unit_test(clocks),       cmocka_unit_test(samples),
        cmocka_unit_test(missing_keys), cmocka_unit_test(refused),
        cmocka_unit_test(bad_times),    cmocka_unit_test(fuzz),
        cmocka_unit_test(no_memory),    cmocka_unit_test(paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
