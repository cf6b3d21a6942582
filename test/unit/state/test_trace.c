/* Traces: what is read, what is refused and in which words, files that grow. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "state/trace.h"

#define HEADER                                                                                     \
    "{\"format\": \"romio-autotune-trace\", \"version\": 1, \"path\": \"/scratch\", "              \
    "\"driver\": \"lustre\", \"host\": \"n1\", \"started\": 1.5}\n"
#define PROBE "{\"time\": 10.5, \"kind\": \"probe\", \"target\": 3, \"bytes\": 1048576, "
#define JOBS                                                                                       \
    "{\"time\": 4, \"kind\": \"jobs\", \"total\": 820, \"batch\": 700, \"debug\": 12, "            \
    "\"extra_large\": 0, \"large\": 1, \"medium\": 20, \"small\": 33, \"extra_small\": 766, "      \
    "\"new\": 400, \"middle_aged\": 220, \"old\": 200, \"virtual_memory\": 1e14, "                 \
    "\"memory\": 8e13}\n"

static char file[] = "trace-XXXXXX";

static void put(const char *text, const char *mode)
{
    FILE *to = fopen(file, mode);

    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

static trace *read_text(const char *text)
{
    trace *t = trace_create();
    atm_message message = {""};

    put(text, "w");
    assert_non_null(t);
    if (trace_read(t, file, &message) != ATM_OK)
        fail_msg("%s", message.text);
    trace_sort(t);
    return t;
}

static void everything(void **state)
{
    trace *t = read_text(
        HEADER PROBE "\"seconds\": 0.0085}\n"
                     "{\"time\": 9, \"kind\": \"probe\", \"target\": 3, \"bytes\": 1048576, "
                     "\"seconds\": 0.007, \"later\": [1]}\n"
                     "{\"time\": 12, \"kind\": \"truth\", \"target\": 3, \"bytes\": 1073741824, "
                     "\"seconds\": 1.83}\n"
                     "{\"time\": 13, \"kind\": \"service\", \"target\": 1, \"samples\": 120, "
                     "\"seconds\": 0.0031}\n"
                     "{\"time\": 14, \"kind\": \"target\", \"target\": 3, \"full\": 0.93}\n"
                     "{\"time\": 13, \"kind\": \"target\", \"target\": 3, \"full\": 0.5}\n"
                     "{\"time\": 15, \"kind\": \"target\", \"target\": 3, \"inactive\": true}\n"
                     "{\"time\": 16, \"kind\": \"error\", \"target\": 1, \"bytes\": 1048576, "
                     "\"error\": \"ENOSPC\"}\n"
                     "{\"time\": 17, \"kind\": \"weather\", \"rain\": true}\n" JOBS);
    const trace_target *three = trace_find(t, 3), *one = trace_find(t, 1);
    double from, to;

    (void) state;
    assert_string_equal(t->path, "/scratch");
    assert_int_equal(t->count, 2);
    assert_int_equal(t->targets[0].target, 1);
    assert_null(trace_find(t, 2));
    assert_int_equal(three->series[TRACE_PROBE].count, 2);
    assert_true(three->series[TRACE_PROBE].samples[0].seconds == 0.007);
    assert_true(three->series[TRACE_PROBE].samples[1].time == 10.5);
    assert_true(three->series[TRACE_TRUTH].samples[0].bytes == 1073741824);
    assert_true(three->full == 0.93 && three->inactive && !three->degraded);
    assert_true(isnan(one->full));
    assert_true(one->series[TRACE_SERVICE].samples[0].bytes == 120);
    assert_true(one->errors == 1 && one->failed == 16);
    assert_int_equal(t->job_count, 1);
    assert_true(t->jobs[0].features[0] == 820 && t->jobs[0].features[12] == 8e13);
    assert_int_equal(t->ignored, 1);
    assert_true(trace_span(t, &from, &to) && from == 9 && to == 13);
    trace_forget(t, 10);
    assert_int_equal(three->series[TRACE_PROBE].count, 1);
    assert_int_equal(t->job_count, 0);
    trace_destroy(t);
}

/* The quick way for the usual line gives what the slow one gives. */
static void both_ways(void **state)
{
    static const char *const usual = HEADER PROBE "\"seconds\": 0.00851}\n",
                             *const spaced =
                                 HEADER "{ \"kind\" : \"probe\", \"time\" : 10.5, \"bytes\": "
                                        "1.048576e6, \"target\" : 3 , \"seconds\": 8.51e-3 }\n";
    trace *first = read_text(usual), *second = read_text(spaced);

    (void) state;
    assert_memory_equal(&first->targets[0].series[TRACE_PROBE].samples[0],
                        &second->targets[0].series[TRACE_PROBE].samples[0], sizeof(trace_sample));
    trace_destroy(first);
    trace_destroy(second);
}

static void twice(void **state)
{
    trace *t = read_text(HEADER PROBE "\"seconds\": 0.0085}\n" JOBS);
    atm_message message = {""};

    (void) state;
    assert_int_equal(trace_read(t, file, &message), ATM_OK);
    trace_sort(t);
    assert_int_equal(t->targets[0].series[TRACE_PROBE].count, 1);
    assert_int_equal(t->job_count, 1);
    trace_destroy(t);
}

static void cut_off(void **state)
{
    trace *t = read_text(HEADER PROBE "\"seconds\": 0.0085}\n" PROBE "\"seco");

    (void) state;
    assert_int_equal(t->targets[0].series[TRACE_PROBE].count, 1);
    assert_int_equal(t->ignored, 1);
    trace_destroy(t);
}

typedef struct bad {
    const char *text, *says;
} bad;

static void refused(void **state)
{
    static const bad cases[] = {
        {"", "has no header"},
        {PROBE "\"seconds\": 1}\n", ":1: format: must be"},
        {"{\"format\": \"romio-autotune-trace\", \"version\": 2, \"path\": \"/\"}\n",
         ":1: version"},
        {"{\"format\": \"romio-autotune-trace\", \"version\": 1}\n", ":1: path"},
        {HEADER PROBE "\"seconds\": 0}\n", ":2: seconds: must be a number greater than 0"},
        {HEADER PROBE "\"seconds\": -1}\n", ":2: seconds"},
        {HEADER PROBE "\"seconds\": 1e7}\n", ":2: seconds"},
        {HEADER PROBE "\"seconds\": \"1\"}\n", ":2: seconds"},
        {HEADER PROBE "\"seconds\": 0x1}\n", ":2: "},
        {HEADER PROBE "}\n", ":2: "},
        {HEADER "\n{\"kind\": \"probe\"}\n", ":3: time"},
        {HEADER "{\"time\": 1}\n", ":2: kind"},
        {HEADER "{\"time\": 1, \"kind\": \"truth\", \"target\": 65536, \"bytes\": 1, "
                "\"seconds\": 1}\n",
         ":2: target"},
        {HEADER "{\"time\": 1, \"kind\": \"truth\", \"target\": 1.5, \"bytes\": 1, \"seconds\": "
                "1}\n",
         ":2: target"},
        {HEADER "{\"time\": 1, \"kind\": \"target\", \"target\": 1, \"full\": 2}\n", ":2: full"},
        {HEADER "{\"time\": 1, \"kind\": \"jobs\", \"total\": 2}\n", ":2: batch"},
        {HEADER "[]\n", ":2: "},
        {HEADER "{\"format\": \"romio-autotune-trace\", \"version\": 1, \"path\": \"/home\"}\n",
         ":2: path: is another file system's than /scratch"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        trace *t = trace_create();
        atm_message message = {""};

        put(cases[i].text, "w");
        assert_int_equal(trace_read(t, file, &message), ATM_BAD_FILE);
        if (strncmp(message.text, file, strlen(file)) != 0 ||
            strstr(message.text, cases[i].says) == NULL)
            fail_msg("case %zu: %s", i, message.text);
        trace_destroy(t);
    }
}

static void absent(void **state)
{
    trace *t = trace_create();
    atm_message message = {""};

    (void) state;
    assert_int_equal(trace_read(t, "no/such/file", &message), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "no/such/file: cannot be read"));
    trace_destroy(t);
}

/* New lines, half lines, another file of the same name. */
static void growing(void **state)
{
    trace *t = trace_create();
    trace_follower f;
    size_t added = 9;

    (void) state;
    assert_int_equal(trace_follow(file, &f), ATM_OK);
    unlink(file);
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 0);
    put(HEADER PROBE "\"seconds\": 0.0085}\n" PROBE "\"sec", "w");
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 2);
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 0);
    put("onds\": 0.0095}\n", "a");
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 1);
    assert_true(t->targets[0].series[TRACE_PROBE].samples[1].seconds == 0.0095);
    trace_unfollow(&f);
    trace_destroy(t);
}

/* What came before the file got another name and a successor is not lost. */
static void rotated(void **state)
{
    trace *t = trace_create();
    trace_follower f;
    struct stat info;
    size_t added = 0;

    (void) state;
    put(HEADER PROBE "\"seconds\": 0.0085}\n", "w");
    assert_int_equal(trace_follow(file, &f), ATM_OK);
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 2);
    put(PROBE "\"seconds\": 0.0095}\n", "a");
    assert_int_equal(rename(file, "trace-rotated"), 0);
    assert_int_equal(stat("trace-rotated", &info), 0);
    assert_true(trace_follows(&f, &info));
    put(HEADER JOBS, "w");
    unlink("trace-rotated");
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 3);
    assert_int_equal(t->targets[0].series[TRACE_PROBE].count, 2);
    assert_int_equal(t->job_count, 1);
    assert_false(trace_follows(&f, &info));
    trace_unfollow(&f);
    trace_destroy(t);
}

/* Cut to its header, as by someone who empties it. */
static void emptied(void **state)
{
    trace *t = trace_create();
    trace_follower f;
    size_t added = 0;

    (void) state;
    put(HEADER PROBE "\"seconds\": 0.0085}\n", "w");
    assert_int_equal(trace_follow(file, &f), ATM_OK);
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    put(HEADER, "w");
    assert_int_equal(trace_catch_up(t, &f, NULL, &added), ATM_OK);
    assert_int_equal(added, 1);
    trace_unfollow(&f);
    trace_destroy(t);
}

/* Folders stand for the traces in them. */
static void folders(void **state)
{
    char folder[] = "traces-XXXXXX", path[64];
    char *names[] = {file, folder}, **files = NULL;
    const char *const in[] = {"b.jsonl", "a.jsonl", "lock", ".hidden.jsonl"};
    int count = 0;

    (void) state;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, in[i]);
        fclose(fopen(path, "w"));
    }
    assert_int_equal(trace_files(names, 2, NULL, &files, &count), ATM_OK);
    assert_int_equal(count, 3);
    assert_string_equal(files[0], file);
    assert_non_null(strstr(files[1], "/a.jsonl"));
    assert_non_null(strstr(files[2], "/b.jsonl"));
    trace_files_free(files, count);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, in[i]);
        unlink(path);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything), cmocka_unit_test(both_ways), cmocka_unit_test(twice),
        cmocka_unit_test(cut_off),    cmocka_unit_test(refused),   cmocka_unit_test(absent),
        cmocka_unit_test(growing),    cmocka_unit_test(rotated),   cmocka_unit_test(emptied),
        cmocka_unit_test(folders),
    };
    int failed, handle = mkstemp(file);

    if (handle < 0)
        return 99;
    close(handle);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(file);
    return failed;
}
