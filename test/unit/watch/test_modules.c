/* What modules make of activities that are made up. */

#include "help.h"

#include <fcntl.h>
#include <json-c/json.h>

#include "watch/drain.h"
#include "watch/modules.h"
#include "watch/threads.h"

TEST_CALLS;

extern const atw_module atw_module_survey, atw_module_readahead, atw_module_histogram,
    atw_module_template;

/* --- help */

/* For the reasoner, which is not here. */
size_t atw_module_states(const atw_module *module, void **states, size_t room)
{
    (void) module;
    (void) states;
    (void) room;
    return 0;
}

/* For the survey. */
void atw_threads_own(uint64_t *calls_p, uint64_t *time_p)
{
    *calls_p = 1000;
    *time_p = 123456;
}

uint64_t atw_drain_spent(void)
{
    return 7890;
}

typedef struct advice {
    int fd;
    off_t offset, length;
} advice;

static advice advised[100];
static int advised_count;

int __wrap_posix_fadvise(int fd, off_t offset, off_t length, int how);
int __wrap_posix_fadvise(int fd, off_t offset, off_t length, int how)
{
    assert_int_equal(how, POSIX_FADV_WILLNEED);
    advised[advised_count++] = (advice){fd, offset, length};
    return 0;
}

static atw_call call_of(unsigned which, int64_t offset, uint64_t bytes)
{
    atw_call call = {.fd = 5};

    call.activity = (atw_activity){.id = 1,
                                   .start = 1000,
                                   .end = 1100,
                                   .offset = offset,
                                   .bytes = bytes,
                                   .file = 3,
                                   .call = (uint16_t) which};
    return call;
}

static void show(const atw_module *module, void **state, unsigned which, int64_t offset,
                 uint64_t bytes)
{
    atw_call call = call_of(which, offset, bytes);

    module->see(state, &call);
}

/* What the module tells; the caller puts it. */
static json_object *told(const atw_module *module, void *const *states, size_t count)
{
    atw_text text = {.bytes = NULL};
    json_object *object;

    atw_text_say(&text, "{");
    module->tell(states, count, &text);
    atw_text_add(&text, "}", 2);
    assert_false(text.failed);
    object = json_tokener_parse(text.bytes);
    assert_non_null(object);
    atw_text_free(&text);
    return object;
}

static int64_t number(json_object *object, const char *key)
{
    json_object *value;

    if (!json_object_object_get_ex(object, key, &value))
        fail_msg("there is no %s in %s", key, json_object_to_json_string(object));
    return json_object_get_int64(value);
}

static json_object *in(json_object *object, const char *key)
{
    json_object *value;

    assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

/* --- survey */

static void test_places(void **unused)
{
    const atw_module *m = &atw_module_survey;
    void *state = NULL;
    json_object *all, *file, *reads;

    (void) unused;
    show(m, &state, TEST_OPEN, -1, 0);
    show(m, &state, TEST_READ, 0, 100); /* files begin at 0 */
    show(m, &state, TEST_READ, 100, 100);
    show(m, &state, TEST_READ, 1200, 100); /* a gap of 1000 */
    show(m, &state, TEST_READ, 2300, 100); /* again: a stride */
    show(m, &state, TEST_READ, 3400, 100);
    show(m, &state, TEST_READ, 0, 100);
    show(m, &state, TEST_READ, 1 << 30, 100);
    show(m, &state, TEST_WRITE, 0, 4096);
    show(m, &state, TEST_CLOSE, -1, 0);
    all = told(m, &state, 1);
    assert_int_equal(number(in(all, "overhead"), "calls"), 1000);
    assert_int_equal(number(in(all, "overhead"), "ns"), 123456);
    assert_int_equal(number(in(all, "overhead"), "writing_ns"), 7890);
    assert_int_equal(json_object_array_length(in(all, "files")), 1);
    file = json_object_array_get_idx(in(all, "files"), 0);
    reads = in(file, "read");
    assert_int_equal(number(reads, "calls"), 7);
    assert_int_equal(number(reads, "bytes"), 700);
    assert_int_equal(number(reads, "ns"), 700);
    assert_int_equal(number(reads, "sequential"), 2);
    assert_int_equal(number(reads, "strided"), 2);
    assert_int_equal(number(reads, "stride"), 1100);
    assert_int_equal(number(reads, "short"), 2);
    assert_int_equal(number(reads, "long"), 1);
    assert_int_equal(json_object_get_int64(json_object_array_get_idx(in(reads, "sizes"), 3)), 7);
    assert_int_equal(number(in(file, "write"), "bytes"), 4096);
    assert_int_equal(json_object_get_int64(json_object_array_get_idx(in(file, "open"), 0)), 1);
    json_object_put(all);
}

static void test_threads_are_summed(void **unused)
{
    const atw_module *m = &atw_module_survey;
    void *states[2] = {NULL, NULL};
    json_object *all;

    (void) unused;
    show(m, &states[0], TEST_READ, 0, 100);
    show(m, &states[1], TEST_READ, 0, 100);
    show(m, &states[1], TEST_MPI_READ, 0, 100); /* another layer is another story */
    all = told(m, states, 2);
    assert_int_equal(json_object_array_length(in(all, "files")), 2);
    assert_int_equal(number(all, "left_out"), 0);
    json_object_put(all);
}

static void test_too_many_files(void **unused)
{
    const atw_module *m = &atw_module_survey;
    void *state = NULL;
    json_object *all;
    int64_t kept;

    (void) unused;
    for (uint32_t file = 1; file <= 5000; file++) {
        atw_call call = call_of(TEST_READ, 0, 1);

        call.activity.file = file;
        m->see(&state, &call);
    }
    all = told(m, &state, 1);
    kept = (int64_t) json_object_array_length(in(all, "files"));
    assert_true(kept > 500 && kept <= 1024);
    assert_int_equal(number(all, "left_out"), 5000 - kept);
    json_object_put(all);
}

/* --- readahead */

static void read_at(void **state, int64_t offset)
{
    show(&atw_module_readahead, state, TEST_READ, offset, 1024);
}

static void test_strides_are_advised(void **unused)
{
    void *state = NULL;
    json_object *all;

    (void) unused;
    advised_count = 0;
    for (int i = 0; i < 5; i++)
        read_at(&state, i * 20480);
    assert_int_equal(advised_count, 0); /* three predictions were right */
    read_at(&state, 5 * 20480);
    assert_int_equal(advised_count, 1);
    assert_int_equal(advised[0].fd, 5);
    assert_int_equal(advised[0].offset, 6 * 20480);
    assert_int_equal(advised[0].length, 1024);
    read_at(&state, 6 * 20480);
    assert_int_equal(advised_count, 2);
    read_at(&state, 0); /* wrong */
    read_at(&state, 20480);
    assert_int_equal(advised_count, 2);
    all = told(&atw_module_readahead, &state, 1);
    assert_int_equal(number(all, "reads"), 9);
    assert_int_equal(number(all, "advised"), 2);
    assert_int_equal(number(all, "hits"), 1);
    assert_int_equal(number(all, "misses"), 1);
    json_object_put(all);
}

static void test_backwards(void **unused)
{
    void *state = NULL;

    (void) unused;
    advised_count = 0;
    for (int i = 10; i >= 0; i--)
        read_at(&state, i * 8192);
    assert_int_equal(advised[0].offset, 4 * 8192);
    assert_int_equal(advised[advised_count - 1].offset, 0); /* nothing before the file */
}

static void test_nothing_is_advised(void **unused)
{
    void *state = NULL;

    (void) unused;
    advised_count = 0;
    for (int i = 0; i < 20; i++)
        read_at(&state, i * 1024); /* the kernel sees this */
    for (int i = 0; i < 20; i++)
        read_at(&state, 77);
    for (int i = 0; i < 20; i++)
        show(&atw_module_readahead, &state, TEST_WRITE, i * 10240, 1024);
    for (int i = 0; i < 20; i++)
        show(&atw_module_readahead, &state, TEST_READ, i * 10240, 0); /* behind the end */
    assert_int_equal(advised_count, 0);
}

/* --- histogram */

static void take_ns(void **state, uint64_t ns)
{
    atw_call call = call_of(TEST_READ, 0, 4096);

    call.activity.id = ns;
    call.activity.end = call.activity.start + ns;
    atw_module_histogram.see(state, &call);
}

static void test_slow_and_fast(void **unused)
{
    void *state = NULL;
    json_object *all, *kind;

    (void) unused;
    take_ns(&state, 1000000000); /* nothing is known yet */
    for (int i = 0; i < 5000; i++)
        take_ns(&state, 1000 + (uint64_t) (i % 10) * 10);
    take_ns(&state, 500000000);
    take_ns(&state, 10);
    all = told(&atw_module_histogram, &state, 1);
    kind = json_object_array_get_idx(in(all, "kinds"), 0);
    assert_string_equal(json_object_get_string(in(kind, "call")), "pread");
    assert_int_equal(number(kind, "from_bytes"), 4096);
    assert_int_equal(number(kind, "count"), 5003);
    assert_int_equal(number(kind, "very_slow"), 1);
    assert_int_equal(number(kind, "very_fast"), 1);
    assert_int_equal(number(kind, "normal"), 5001);
    assert_int_equal(number(kind, "slowest"), 1000000000);
    assert_in_range(number(kind, "median_ns"), 896, 1100);
    json_object_put(all);
}

/* --- template */

static void test_template(void **unused)
{
    void *states[2] = {NULL, NULL};
    json_object *all;

    (void) unused;
    show(&atw_module_template, &states[0], TEST_READ, 0, 10);
    show(&atw_module_template, &states[1], TEST_WRITE, 0, 5);
    all = told(&atw_module_template, states, 2);
    assert_int_equal(number(all, "activities"), 2);
    assert_int_equal(number(all, "bytes"), 15);
    json_object_put(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),         cmocka_unit_test(test_threads_are_summed),
        cmocka_unit_test(test_too_many_files), cmocka_unit_test(test_strides_are_advised),
        cmocka_unit_test(test_backwards),      cmocka_unit_test(test_nothing_is_advised),
        cmocka_unit_test(test_slow_and_fast),  cmocka_unit_test(test_template),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
