/*
 * Checks the time of the stand-in, which must be preloaded: time.sh runs
 *     test_time DIRECTORY
 * with DIRECTORY shown as Lustre of 4 OSTs of 20 MB/s, 10 ms a request and 50 ms
 * for each lock that is transferred.  Sleeps are never too short, so that least
 * times are exact; most times are not looked at but where something is said to
 * happen at once, and there the best of some tries counts.
 */

#include "standin_time.h"
#include "test_standin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KB = 1000, MB = 1000 * KB, TRIES = 5 };

#define MS 1000000ull
#define LATENCY (10 * MS)
#define LOCK (50 * MS)
#define NS_OF_BYTE 50

static char self[PATH_MAX];
static char data[4 * MiB];
static struct standin_shared *shared;

/* --- the state of the OSTs */

static struct standin_counters sum;

static void reset(void)
{
    for (unsigned i = 0; i < shared->ost_count; i++) {
        standin_ost_enter(&shared->osts[i]);
        shared->osts[i].counters = (struct standin_counters){0};
        standin_ost_leave(&shared->osts[i]);
    }
}

static const struct standin_counters *add_up(void)
{
    sum = (struct standin_counters){0};
    for (unsigned i = 0; i < shared->ost_count; i++) {
        const struct standin_counters *one = &shared->osts[i].counters;

        sum.requests += one->requests;
        sum.written += one->written;
        sum.read += one->read;
        sum.grants += one->grants;
        sum.transfers += one->transfers;
        sum.busy += one->busy;
    }
    return &sum;
}

/* --- files and processes */

/* COUNT stripes of SIZE from OST 1 on; closed by the caller. */
static int create(const char *name, int count, uint32_t size)
{
    struct lum lum = {{0}};
    int fd;

    unlink(name);
    fd = open(name, O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);
    assert_true(fd >= 0);
    put32(&lum, 0, V1);
    put32(&lum, 24, size);
    put32(&lum, 28, (uint32_t) count | 1u << 16);
    assert_int_equal(ioctl(fd, SETSTRIPE, &lum), 0);
    return fd;
}

/* This program on a node of that name, writing SIZE bytes at OFFSET, or reading. */
static pid_t start(const char *node, const char *what, const char *name, long offset, long size)
{
    pid_t pid = fork();
    char at[32], bytes[32];

    assert_true(pid >= 0);
    if (pid != 0)
        return pid;
    setenv("STANDIN_NODE", node, 1);
    snprintf(at, sizeof at, "%ld", offset);
    snprintf(bytes, sizeof bytes, "%ld", size);
    execl(self, self, what, name, at, bytes, (char *) NULL);
    _exit(127);
}

static void finish(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void on(const char *node, const char *what, const char *name, long offset, long size)
{
    finish(start(node, what, name, offset, size));
}

static int access_file(char **words)
{
    long size = atol(words[3]);
    int fd = open(words[1], O_RDWR);

    if (strcmp(words[0], "--sync") == 0)
        return fsync(fd);
    if (strcmp(words[0], "--write") == 0)
        return pwrite(fd, data, (size_t) size, atol(words[2])) != size;
    return pread(fd, data, (size_t) size, atol(words[2])) != size;
}

/* --- tests */

static void an_ost_has_a_rate(void **state)
{
    int fd = create("rate", 1, MiB);
    uint64_t start, middle;

    (void) state;
    reset();
    start = standin_now();
    assert_int_equal(pwrite(fd, data, MB, 0), MB);
    middle = standin_now();
    assert_true(middle - start >= 50 * MS + LATENCY);
    assert_int_equal(pread(fd, data, MB, 0), MB);
    assert_true(standin_now() - middle >= 50 * MS + LATENCY);
    assert_int_equal(add_up()->busy, 2 * (50 * MS + LATENCY));
    assert_int_equal(sum.requests, 2);
    assert_int_equal(sum.written, MB);
    assert_int_equal(sum.read, MB);
    assert_int_equal(shared->osts[1].counters.requests, 2);
    close(fd);
}

static void every_call_that_moves_bytes_counts(void **state)
{
    int fd = create("calls", 1, MiB);
    struct iovec v[2] = {{data, 1000}, {data + 5000, 500}};

    (void) state;
    reset();
    assert_int_equal(write(fd, data, 1000), 1000);
    assert_int_equal(writev(fd, v, 2), 1500);
    assert_int_equal(pwritev(fd, v, 2, 2500), 1500);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(read(fd, data, 1000), 1000);
    assert_int_equal(readv(fd, v, 2), 1500);
    assert_int_equal(preadv(fd, v, 2, 0), 1500);
    assert_int_equal(add_up()->requests, 6);
    assert_int_equal(sum.written, 4000);
    assert_int_equal(sum.read, 4000);
    assert_int_equal(pread(fd, data, 1000, 3500), 500); /* up to the end */
    assert_int_equal(pread(fd, data, 1000, 4000), 0);
    assert_int_equal(add_up()->read, 4500);
    assert_int_equal(sum.requests, 7);
    close(fd);
}

static void each_request_has_a_latency(void **state)
{
    int fd = create("latency", 1, MiB);
    uint64_t start = standin_now();

    (void) state;
    reset();
    for (int i = 0; i < 10; i++)
        assert_int_equal(pwrite(fd, "x", 1, i), 1);
    assert_true(standin_now() - start >= 10 * (LATENCY + NS_OF_BYTE));
    assert_int_equal(add_up()->busy, 10 * (LATENCY + NS_OF_BYTE));
    assert_int_equal(sum.requests, 10);
    close(fd);
}

/* 2 MiB on two OSTs take what 1 MiB takes on one; on one OST, or one after the
 * other, they would take twice as long. */
static void osts_work_at_the_same_time(void **state)
{
    const uint64_t each = (uint64_t) MiB * NS_OF_BYTE + LATENCY;
    uint64_t best = UINT64_MAX;
    int fd = create("parallel", 2, MiB);

    (void) state;
    for (int i = 0; i < TRIES && best >= 2 * each; i++) {
        uint64_t start = standin_now(), took;

        reset();
        assert_int_equal(pwrite(fd, data, 2 * MiB, 0), 2 * MiB);
        took = standin_now() - start;
        assert_true(took >= each);
        best = took < best ? took : best;
    }
    assert_true(best < 2 * each);
    assert_int_equal(shared->osts[1].counters.busy, each);
    assert_int_equal(shared->osts[2].counters.busy, each);
    assert_int_equal(add_up()->requests, 2);
    close(fd);
}

/* From the middle of the second stripe of OST 1 to the middle of the third of OST 2 */
static void bytes_go_to_their_stripes(void **state)
{
    int fd = create("stripes", 2, 65536);

    (void) state;
    reset();
    assert_int_equal(pwrite(fd, data, 3 * 65536, 2 * 65536 + 1000), 3 * 65536);
    assert_int_equal(shared->osts[1].counters.written, 65536 - 1000 + 65536);
    assert_int_equal(shared->osts[2].counters.written, 65536 + 1000);
    assert_int_equal(add_up()->requests, 2);
    close(fd);
}

static void locks_move_between_nodes(void **state)
{
    uint64_t start;

    (void) state;
    close(create("locks", 1, MiB));
    reset();
    start = standin_now();
    on("a", "--write", "locks", 0, 1000);
    on("a", "--write", "locks", 5000, 1000); /* another process of the node */
    assert_int_equal(add_up()->transfers, 0);
    assert_int_equal(sum.grants, 1);
    on("b", "--write", "locks", 1000, 1000);
    on("a", "--write", "locks", 2000, 1000);
    on("b", "--write", "locks", 3000, 1000);
    assert_int_equal(add_up()->transfers, 3);
    assert_int_equal(sum.busy, 3 * LOCK + 5 * (LATENCY + 1000 * NS_OF_BYTE));
    assert_true(standin_now() - start >= sum.busy);
    on("a", "--write", "locks", 2000, 1000); /* what it has, it keeps */
    on("b", "--write", "locks", 1000, 1000);
    on("c", "--read", "locks", 0, 1000);
    assert_int_equal(add_up()->transfers, 4);
    on("b", "--read", "locks", 0, 1000); /* readers share */
    assert_int_equal(add_up()->transfers, 4);
}

/* The same inode number, perhaps, but other objects */
static void a_new_file_has_no_locks(void **state)
{
    (void) state;
    reset();
    for (int i = 0; i < 4; i++) {
        close(create("new", 1, MiB));
        on(i % 2 ? "a" : "b", "--write", "new", 0, 10);
    }
    assert_int_equal(add_up()->transfers, 0);
    assert_int_equal(sum.grants, 4);
}

static void one_stripe_each_moves_no_locks(void **state)
{
    (void) state;
    close(create("dealt", 2, 65536));
    reset();
    for (int round = 0; round < 3; round++) {
        on("a", "--write", "dealt", 2 * round * 65536L, 65536);
        on("b", "--write", "dealt", (2 * round + 1) * 65536L, 65536);
    }
    assert_int_equal(add_up()->transfers, 0);
    assert_int_equal(sum.grants, 2);
    assert_int_equal(sum.requests, 6);
}

static void processes_share_an_ost(void **state)
{
    uint64_t start_at;
    pid_t other;

    (void) state;
    close(create("one", 1, MiB));
    close(create("two", 1, MiB));
    reset();
    start_at = standin_now();
    other = start("a", "--write", "one", 0, MB);
    on("b", "--write", "two", 0, MB);
    finish(other);
    assert_true(standin_now() - start_at >= 2 * (50 * MS + LATENCY));
    assert_int_equal(shared->osts[1].counters.busy, 2 * (50 * MS + LATENCY));
}

/* 1 MB on each of two OSTs, by a link of 10 MB/s */
static void processes_share_the_link_of_their_node(void **state)
{
    uint64_t start_at;
    pid_t other;

    (void) state;
    close(create("link", 2, MiB));
    assert_int_equal(setenv("STANDIN_TIME", "node:10", 1), 0);
    reset();
    start_at = standin_now();
    other = start("linked", "--write", "link", 0, MB);
    on("linked", "--write", "link", MiB, MB);
    finish(other);
    assert_true(standin_now() - start_at >= 200 * MS);
    assert_int_equal(add_up()->busy, 0); /* these OSTs have no limit */
}

static void a_busy_ost_takes_longer(void **state)
{
    int fd = create("busy", 1, MiB);
    uint64_t start = standin_now();

    (void) state;
    reset();
    shared->osts[1].load = 3 * STANDIN_LOAD_1;
    assert_int_equal(pwrite(fd, data, MB, 0), MB);
    assert_true(standin_now() - start >= 3 * (50 * MS + LATENCY));
    shared->osts[1].load = STANDIN_LOAD_1;
    assert_int_equal(pwrite(fd, data, MB, 0), MB);
    assert_int_equal(add_up()->busy, 4 * (50 * MS + LATENCY));
    close(fd);
}

/* A process that dies between entering and leaving leaves nobody waiting; one
 * that dies asleep leaves its place in the queue. */
static void killed_processes_leave_nobody_waiting(void **state)
{
    int status;
    pid_t pid;

    (void) state;
    close(create("killed", 1, MiB));
    on("a", "--write", "killed", 0, 10);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        standin_ost_enter(&shared->osts[1]);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    reset();
    on("b", "--write", "killed", 0, 10);
    assert_int_equal(add_up()->transfers, 0); /* locks were forgotten */
    assert_int_equal(sum.requests, 1);

    pid = start("a", "--write", "killed", 0, 4 * MiB);
    while (add_up()->requests == 1)
        usleep(1000);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    on("b", "--write", "killed", 0, 10);
    assert_int_equal(add_up()->requests, 3);
}

static void data_is_written(void **state)
{
    int fd = create("data", 2, 65536);

    (void) state;
    for (int i = 0; i < 200 * KB; i++)
        data[i] = (char) (i * 7 + i / 256);
    assert_int_equal(pwrite(fd, data, 200 * KB, 777), 200 * KB);
    memset(data, 0, 200 * KB);
    assert_int_equal(pread(fd, data, 200 * KB, 777), 200 * KB);
    for (int i = 0; i < 200 * KB; i++)
        assert_int_equal(data[i], (char) (i * 7 + i / 256));
    close(fd);
}

static void shows_the_name_of_the_node(void **state)
{
    char name[64], small[4];

    (void) state;
    setenv("STANDIN_NODE", "node-7", 1);
    assert_int_equal(gethostname(name, sizeof name), 0);
    assert_string_equal(name, "node-7");
    FAILS(gethostname(small, sizeof small), ENAMETOOLONG);
    unsetenv("STANDIN_NODE");
    assert_int_equal(gethostname(name, sizeof name), 0);
    assert_string_not_equal(name, "node-7");
}

void put32(void *base, size_t at, uint32_t value)
{
    memcpy((char *) base + at, &value, sizeof value);
}

/* 4 MB at once, of which the disk takes one a second; the fifth waits for the first. */
static void writes_end_when_the_cache_has_them(void **state)
{
    uint64_t start;

    (void) state;
    close(create("cached", 1, MiB));
    setenv("STANDIN_TIME", "ost:1,cache:4", 1);
    start = standin_now();
    on("a", "--write", "cached", 0, 4 * MB);
    assert_true(shared->osts[1].free_at > standin_now() + 1000 * MS);
    on("a", "--write", "cached", 4 * MB, MB);
    assert_true(standin_now() - start >= 1000 * MS);
}

/* What the cache took is on the disk after a sync, and was not before. */
static void a_sync_waits_for_the_disk(void **state)
{
    uint64_t start;

    (void) state;
    close(create("synced", 1, MiB));
    setenv("STANDIN_TIME", "ost:1,cache:4", 1);
    reset();
    shared->osts[1].free_at = start = standin_now();
    on("a", "--write", "synced", 0, MB);
    on("a", "--sync", "synced", 0, 0);
    assert_true(standin_now() >= shared->osts[1].free_at);
    assert_true(shared->osts[1].free_at >= start + 1000 * MS);
}

/* The first access makes the file that is shared. */
static int map(void **state)
{
    int fd = create("first", 1, MiB);

    (void) state;
    assert_int_equal(pwrite(fd, "x", 1, 0), 1);
    close(fd);
    fd = open(STANDIN_TIME_FILE, O_RDWR);
    return standin_shared_map(fd, 0, &shared);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ost_has_a_rate),
        cmocka_unit_test(every_call_that_moves_bytes_counts),
        cmocka_unit_test(each_request_has_a_latency),
        cmocka_unit_test(osts_work_at_the_same_time),
        cmocka_unit_test(bytes_go_to_their_stripes),
        cmocka_unit_test(locks_move_between_nodes),
        cmocka_unit_test(a_new_file_has_no_locks),
        cmocka_unit_test(one_stripe_each_moves_no_locks),
        cmocka_unit_test(processes_share_an_ost),
        cmocka_unit_test(a_busy_ost_takes_longer),
        cmocka_unit_test(killed_processes_leave_nobody_waiting),
        cmocka_unit_test(data_is_written),
        cmocka_unit_test(shows_the_name_of_the_node),
        cmocka_unit_test(processes_share_the_link_of_their_node), /* changes STANDIN_TIME */
        cmocka_unit_test(writes_end_when_the_cache_has_them),
        cmocka_unit_test(a_sync_waits_for_the_disk),
    };

    if (argc == 5)
        return access_file(argv + 1);
    if (argc != 2 || chdir(argv[1]) || readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
        fprintf(stderr, "usage: test_time DIRECTORY\n");
        return 99;
    }
    return cmocka_run_group_tests_name("time", tests, map, NULL);
}
