/* Traces: lines as described, whole after whatever ended the last prober, kept to a size and
 * a number of files, and a disk that is full for a while costs what was to be written then. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help.h"
#include "probe/trace_write.h"

static char directory[] = "/tmp/autotune-trace.XXXXXX";
static char path[64];
static trace_plan plan = {.name = "nid1",
                          .path = "/scratch",
                          .driver = "lustre",
                          .host = "nid1",
                          .bytes = 1 << 20,
                          .files = 3};

static int make_directory(void **state)
{
    (void) state;
    if (mkdtemp(directory) == NULL)
        return -1;
    plan.directory = directory;
    snprintf(path, sizeof(path), "%s/probe-nid1.jsonl", directory);
    signal(SIGXFSZ, SIG_IGN);
    return 0;
}

/* How many files there are, after removing them. */
static int empty_directory(void)
{
    DIR *entries = opendir(directory);
    int count = 0;

    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char name[512];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof(name), "%s/%s", directory, entry->d_name);
        count += unlink(name) == 0;
    }
    closedir(entries);
    return count;
}

static int remove_directory(void **state)
{
    (void) state;
    empty_directory();
    return rmdir(directory);
}

static trace *opened(void)
{
    trace *made = NULL;
    atm_message message = {""};

    if (trace_open(&plan, &message, &made) != ATM_OK)
        fail_msg("%s", message.text);
    return made;
}

static void put(trace *trace, int target)
{
    trace_write write = {1520708288.1234, target, 1 << 20, 0.0085123456};

    trace_put_probe(trace, &write);
}

/* Each line must be a document; how many there are, the last in last_p. */
static int lines(const char *name, char last_p[1024])
{
    FILE *file = fopen(name, "r");
    char line[1024];
    int count = 0;

    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        atm_value *value = NULL;

        assert_int_equal(atm_value_parse(line, strlen(line), "line", NULL, &value), ATM_OK);
        atm_value_destroy(value);
        strcpy(last_p, line);
        count++;
    }
    fclose(file);
    return count;
}

static void test_lines(void **state)
{
    trace *trace = opened();
    target_state full = {.full = 0.93, .degraded = true};
    trace_write write = {12.5, 3, 1 << 20, 0};
    jobs_features jobs = {{820, 700}};
    char last[1024];

    (void) state;
    assert_int_equal(lines(path, last), 1);
    assert_non_null(strstr(last, "{\"format\":\"romio-autotune-trace\",\"version\":1,\"path\":"
                                 "\"/scratch\",\"driver\":\"lustre\",\"host\":\"nid1\","
                                 "\"started\":"));
    put(trace, 3);
    lines(path, last);
    assert_string_equal(last, "{\"time\":1520708288.123,\"kind\":\"probe\",\"target\":3,"
                              "\"bytes\":1048576,\"seconds\":0.00851235}\n");
    trace_put_target(trace, 12.5, 3, &full);
    lines(path, last);
    assert_string_equal(last, "{\"time\":12.5,\"kind\":\"target\",\"target\":3,\"full\":0.93,"
                              "\"degraded\":true,\"inactive\":false,\"no_create\":false}\n");
    trace_put_error(trace, &write, ENOSPC);
    lines(path, last);
    assert_string_equal(last, "{\"time\":12.5,\"kind\":\"error\",\"target\":3,"
                              "\"bytes\":1048576,\"error\":\"ENOSPC\"}\n");
    trace_put_service(trace, 12.5, 3, 120, 0.0031);
    lines(path, last);
    assert_string_equal(last, "{\"time\":12.5,\"kind\":\"service\",\"target\":3,\"samples\":120,"
                              "\"seconds\":0.0031}\n");
    trace_put_jobs(trace, 12.5, &jobs);
    assert_int_equal(lines(path, last), 6);
    assert_non_null(strstr(last, "\"total\":820,\"batch\":700,\"debug\":0,\"extra_large\":0,"));
    trace_close(trace);
    empty_directory();
}

/* Cut at every byte of what was written last, as by a crash: it goes on after the last whole
 * line. */
static void test_killed(void **state)
{
    char last[1024];
    struct stat one, two;
    trace *trace = opened();

    (void) state;
    put(trace, 1);
    stat(path, &one);
    put(trace, 2);
    stat(path, &two);
    trace_close(trace);
    for (off_t length = two.st_size - 1; length >= 0; length -= length > one.st_size ? 1 : 37) {
        int whole = length >= one.st_size ? 2 : 0;

        assert_int_equal(truncate(path, length), 0);
        trace = opened();
        put(trace, 2);
        trace_close(trace);
        assert_true(lines(path, last) >= whole + 1);
        assert_non_null(strstr(last, "\"target\":2"));
    }
    assert_int_equal(empty_directory(), 1);
}

static void test_goes_on_or_not(void **state)
{
    char last[1024];
    trace *trace = opened();

    (void) state;
    put(trace, 1);
    trace_close(trace);
    trace = opened();
    put(trace, 1);
    trace_close(trace);
    assert_int_equal(lines(path, last), 3); /* one header */
    plan.path = "/other";
    trace = opened();
    trace_close(trace);
    plan.path = "/scratch";
    assert_int_equal(lines(path, last), 1);
    assert_int_equal(empty_directory(), 2); /* the other was put aside */
}

static void test_rotation(void **state)
{
    char last[1024];
    trace *trace;
    uint64_t before = plan.bytes;

    (void) state;
    plan.bytes = 1000;
    trace = opened();
    for (int i = 0; i < 100; i++) {
        struct stat stat_of;

        put(trace, i);
        assert_int_equal(stat(path, &stat_of), 0);
        assert_true(stat_of.st_size <= 1000);
    }
    assert_true(trace_file_count(trace) > 5);
    assert_true(lines(path, last) >= 2);
    assert_non_null(strstr(last, "\"target\":99,"));
    trace_close(trace);
    plan.bytes = before;
    assert_int_equal(empty_directory(), 3);
}

/* Files of a host whose name starts like ours are not removed. */
static void test_others_files(void **state)
{
    char other[128];
    trace *trace;

    (void) state;
    snprintf(other, sizeof(other), "%s/probe-nid1.site.jsonl", directory);
    close(open(other, O_CREAT | O_WRONLY, 0600));
    plan.files = 1;
    trace = opened();
    trace_close(trace);
    plan.files = 3;
    assert_int_equal(access(other, F_OK), 0);
    empty_directory();
}

static void limit_size(rlim_t bytes)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* The limit takes half a line and then none, as a full disk does. */
static void test_full(void **state)
{
    char last[1024];
    struct stat stat_of;
    trace *trace = opened();

    (void) state;
    put(trace, 1);
    stat(path, &stat_of);
    limit_size((rlim_t) stat_of.st_size + 30);
    put(trace, 2);
    put(trace, 3);
    assert_int_equal(trace_lost(trace), 2);
    assert_int_equal(lines(path, last), 2);
    limit_size(RLIM_INFINITY);
    put(trace, 4);
    assert_int_equal(trace_lost(trace), 0);
    assert_int_equal(lines(path, last), 4);
    assert_non_null(
        strstr(last, "\"kind\":\"note\",\"text\":\"2 lines before this one were lost\""));
    trace_close(trace);
    empty_directory();
}

static void test_no_directory(void **state)
{
    trace *trace = NULL;
    atm_message message = {""};
    trace_plan nowhere = plan;

    (void) state;
    nowhere.directory = "/nowhere";
    assert_int_equal(trace_open(&nowhere, &message, &trace), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "/nowhere/probe-nid1.jsonl: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),          cmocka_unit_test(test_killed),
        cmocka_unit_test(test_goes_on_or_not), cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_others_files),   cmocka_unit_test(test_full),
        cmocka_unit_test(test_no_directory),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
