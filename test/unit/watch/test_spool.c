/* Spools: whole blocks, on a descriptor of their own. */

#include "help.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "watch/spool.h"

TEST_CALLS;

static char folder[] = "/tmp/test_spool.XXXXXX";

static int make_folder(void **state)
{
    (void) state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void) state;
    return rmdir(folder);
}

static void create(uint64_t limit, atw_spool *spool)
{
    atw_spool_head head = atw_spool_head_new(3, 8);

    assert_true(atw_spool_create(folder, limit, &head, spool));
}

static void finish(atw_spool *spool)
{
    atw_spool_close(spool);
    assert_int_equal(unlink(spool->path), 0);
}

static size_t content(const atw_spool *spool, char *bytes, size_t room)
{
    FILE *file = fopen(spool->path, "rb");
    size_t length;

    assert_non_null(file);
    length = fread(bytes, 1, room, file);
    fclose(file);
    return length;
}

static bool put(atw_spool *spool, const char *text)
{
    return atw_spool_put(spool, ATW_BLOCK_SURVEY, 2, text, strlen(text), NULL, 0);
}

/* --- what is written */

static uint64_t began; /* of main, by the clock that never goes back */

static uint64_t seconds(uint64_t number)
{
    return number * UINT64_C(1000000000);
}

/* Times count from the process's start, not from that of the spool. */
static void test_start(void **state)
{
    atw_spool_head head = atw_spool_head_new(-1, 0);
    struct timespec now;

    (void) state;
    clock_gettime(CLOCK_REALTIME, &now);
    assert_true(head.monotonic < began);
    assert_true(head.monotonic + seconds(3600) > began);
    assert_true(head.realtime <= seconds((uint64_t) now.tv_sec + 1));
    assert_true(head.realtime + seconds(3600) > seconds((uint64_t) now.tv_sec));
}

static void test_head(void **state)
{
    atw_spool_head head;
    atw_spool spool, other;
    struct stat what;
    int low = open("/dev/null", O_RDONLY);

    (void) state;
    close(low);
    create(1 << 20, &spool);
    assert_int_equal(stat(spool.path, &what), 0);
    assert_int_equal(what.st_mode & 07777, 0600);
    assert_true(fcntl(spool.fd, F_GETFD) & FD_CLOEXEC);
    assert_true(spool.fd > low + 10);
    assert_int_equal(open("/dev/null", O_RDONLY), low); /* as without it */
    close(low);
    assert_int_equal(content(&spool, (char *) &head, sizeof(head)), sizeof(head));
    assert_memory_equal(head.magic, "ATWSPOOL", 8);
    assert_int_equal(head.version, 1);
    assert_int_equal(head.order, 0x01020304);
    assert_int_equal(head.pid, getpid());
    assert_int_equal(head.rank, 3);
    assert_int_equal(head.ranks, 8);
    create(1 << 20, &other);
    assert_string_not_equal(spool.path, other.path);
    finish(&spool);
    finish(&other);
}

static void test_blocks(void **state)
{
    char bytes[256];
    atw_spool_block block;
    atw_spool spool;

    (void) state;
    create(1 << 20, &spool);
    assert_true(atw_spool_put(&spool, ATW_BLOCK_FILE, 5, "1234", 4, "abcde", 5));
    assert_true(atw_spool_put(&spool, ATW_BLOCK_END, 0, NULL, 0, NULL, 0));
    assert_int_equal(content(&spool, bytes, sizeof(bytes)), 64 + 16 + 16 + 16);
    memcpy(&block, bytes + 64, sizeof(block));
    assert_int_equal(block.kind, ATW_BLOCK_FILE);
    assert_int_equal(block.thread, 5);
    assert_int_equal(block.bytes, 9);
    assert_memory_equal(bytes + 80, "1234abcde\0\0\0\0\0\0\0", 16);
    memcpy(&block, bytes + 96, sizeof(block));
    assert_int_equal(block.kind, ATW_BLOCK_END);
    assert_int_equal(block.bytes, 0);
    atw_spool_cut(&spool, 96);
    assert_int_equal(content(&spool, bytes, sizeof(bytes)), 96);
    finish(&spool);
}

/* --- what goes wrong */

static void test_limit(void **state)
{
    atw_spool_head head = atw_spool_head_new(-1, 0);
    atw_spool spool;

    (void) state;
    create(64 + 24 + ATW_SPOOL_RESERVE, &spool);
    assert_true(put(&spool, "12345678"));
    assert_false(put(&spool, "1"));
    assert_int_equal(spool.size, 64 + 24);
    assert_true(atw_spool_put(&spool, ATW_BLOCK_END, 0, NULL, 0, NULL, 0));
    finish(&spool);
    assert_false(atw_spool_create("/does/not/exist", 1 << 20, &head, &spool));
    assert_int_equal(spool.fd, -1);
    assert_false(put(&spool, "1"));
}

/* A process that may write no more is not ended. */
static void test_limit_of_the_process(void **state)
{
    struct rlimit limit = {8192, 8192};
    char large[8192];
    atw_spool spool;
    int status;
    pid_t child;

    (void) state;
    memset(large, 'x', sizeof(large));
    child = fork();
    if (child == 0) {
        create(1 << 20, &spool);
        setrlimit(RLIMIT_FSIZE, &limit);
        status = put(&spool, "1") ? 0 : 1;
        status += atw_spool_put(&spool, ATW_BLOCK_SURVEY, 0, large, sizeof(large), NULL, 0) ? 2 : 0;
        unlink(spool.path);
        _exit(status);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void test_closed(void **state)
{
    atw_spool spool;
    int fd;

    (void) state;
    create(1 << 20, &spool);
    fd = spool.fd;
    close(fd);
    assert_true(put(&spool, "1"));
    assert_int_equal(dup2(STDERR_FILENO, spool.fd), spool.fd); /* somebody else's now */
    fd = spool.fd;
    assert_true(put(&spool, "2"));
    assert_true(spool.fd != fd);
    assert_int_equal(fcntl(fd, F_GETFD), 0); /* and left alone */
    close(fd);
    assert_int_equal(spool.size, 64 + 24 + 24);
    finish(&spool);
}

static void test_gone(void **state)
{
    atw_spool spool;

    (void) state;
    create(1 << 20, &spool);
    assert_int_equal(unlink(spool.path), 0);
    assert_true(put(&spool, "1")); /* nobody will read it */
    close(spool.fd);
    assert_false(put(&spool, "2"));
    assert_int_equal(spool.fd, -1);
    assert_false(put(&spool, "3"));
    atw_spool_close(&spool);
}

/* --- a file that somebody else began */

/* A collector's: head, one block, and what was not acknowledged. */
static atw_spool_head begin_other(atw_spool *other)
{
    atw_spool_head head = atw_spool_head_new(1, 2);

    assert_true(atw_spool_create(folder, 1 << 20, &head, other));
    assert_true(put(other, "12345678"));
    assert_true(put(other, "not safe"));
    return head;
}

static void test_take_over(void **state)
{
    static const char block[] = "\6\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0more\0\0\0\0";
    char bytes[256];
    atw_spool other, spool;
    atw_spool_head head = begin_other(&other);

    (void) state;
    assert_int_equal(flock(other.fd, LOCK_EX), 0);
    assert_false(atw_spool_take_over(other.path, 1 << 20, &head, 64 + 24, &spool));
    assert_int_equal(spool.fd, -1);
    atw_spool_close(&other);
    assert_true(atw_spool_take_over(other.path, 1 << 20, &head, 64 + 24, &spool));
    assert_true(atw_spool_append(&spool, block, sizeof(block) - 1));
    assert_true(put(&spool, "and more"));
    assert_int_equal(content(&spool, bytes, sizeof(bytes)), 64 + 3 * 24);
    assert_memory_equal(bytes, &head, sizeof(head));
    assert_memory_equal(bytes + 64 + 24, block, sizeof(block) - 1);
    finish(&spool);
}

static void test_take_over_what(void **state)
{
    atw_spool other, spool;
    atw_spool_head head = begin_other(&other), another = atw_spool_head_new(1, 2);
    char link[sizeof(folder) + 8];

    (void) state;
    atw_spool_close(&other);
    assert_false(atw_spool_take_over(other.path, 1 << 20, &another, 88, &spool));
    assert_false(atw_spool_take_over(other.path, 1 << 20, &head, 1 << 16, &spool)); /* shorter */
    assert_false(atw_spool_take_over("", 1 << 20, &head, 88, &spool));
    assert_false(atw_spool_take_over("relative", 1 << 20, &head, 88, &spool));
    snprintf(link, sizeof(link), "%s/link", folder);
    assert_int_equal(symlink(other.path, link), 0);
    assert_false(atw_spool_take_over(link, 1 << 20, &head, 88, &spool));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(unlink(other.path), 0);
    assert_false(atw_spool_take_over(other.path, 1 << 20, &head, 88, &spool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_of_the_process),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_gone),
        cmocka_unit_test(test_take_over),
        cmocka_unit_test(test_take_over_what),
    };
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    began = seconds((uint64_t) now.tv_sec) + (uint64_t) now.tv_nsec;

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
