/*
 * Files that get their layout after they were created, by whom, and what other
 * processes see of it.
 */

#include "test_standin.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static int set_stripes(int fd, unsigned count)
{
    struct lum lum = {{0}};

    put32(&lum, 0, V1);
    put32(&lum, 24, MiB);
    put32(&lum, 28, 0xffff0000 | count);
    return ioctl(fd, SETSTRIPE, &lum);
}

/* The stripe count, or 0 while there is no layout. */
static int stripes_of(int fd)
{
    struct lum lum = {{0}};

    if (ioctl(fd, GETSTRIPE, &lum) == 0)
        return get16(&lum, 28);
    assert_int_equal(errno, ENODATA);
    return 0;
}

static int exit_code_of(pid_t child)
{
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void late_write_before_layout_is_refused(void **state)
{
    int fd = create_delayed();
    int copy = dup(fd);
    struct iovec v = {.iov_base = "x", .iov_len = 1};
    struct aiocb aio = {.aio_fildes = fd, .aio_buf = "x", .aio_nbytes = 1};

    (void) state;
    FAILS(write(fd, "x", 1), EBADF);
    FAILS(write(copy, "x", 1), EBADF);
    FAILS(pwrite(fd, "x", 1, 0), EBADF);
    FAILS(pwrite64(fd, "x", 1, 0), EBADF);
    FAILS(writev(fd, &v, 1), EBADF);
    FAILS(pwritev(fd, &v, 1, 0), EBADF);
    FAILS(pwritev2(fd, &v, 1, 0, 0), EBADF);
    FAILS(aio_write(&aio), EBADF);
    FAILS(fallocate(fd, 0, 0, 1), EBADF);
    assert_int_equal(stripes_of(fd), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), 0);
    assert_int_equal(set_stripes(fd, 3), 0);
    assert_int_equal(write(fd, "x", 1), 1);
    assert_int_equal(pwritev(copy, &v, 1, 1), 1);
    close(copy);
    close(fd);
}

/* A late file that nobody has open. */
static void leave_late(const char *name)
{
    int fd = open(name, O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);

    assert_true(fd >= 0);
    close(fd);
}

/* Item 2 of "A layout can be chosen late": 3 of 3 tries after the close. */
void late_plain_open_brings_the_default(void **state)
{
    static const struct {
        const char *name;
        int flags;
    } opens[] = {{"lustre/rdwr", O_RDWR},
                 {"lustre/wronly", O_WRONLY},
                 {"lustre/create", O_CREAT | O_RDWR},
                 {"lustre/trunc", O_WRONLY | O_TRUNC}};

    (void) state;
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        int late, plain;

        leave_late(opens[i].name);
        plain = open(opens[i].name, opens[i].flags, 0600);
        check_layout(plain, 0x1, 4 * MiB, 1, NULL);
        late = open(opens[i].name, O_RDWR | DELAY_CREATE);
        FAILS(set_stripes(late, 2), EEXIST);
        assert_int_equal(write(plain, "x", 1), 1);
        assert_int_equal(write(late, "x", 1), 1);
        close(plain);
        close(late);
    }
}

/* The same client still holds a writable handle: no layout comes, and a write
 * through the plain descriptor is refused until one is set. */
void late_plain_open_beside_a_writer_does_not(void **state)
{
    int late = open("lustre/beside", O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);
    int plain = open("lustre/beside", O_RDWR);

    (void) state;
    check_no_layout(plain);
    FAILS(write(plain, "x", 1), EBADF);
    FAILS(write(late, "x", 1), EBADF);
    close(late);
    late = open("lustre/beside", O_WRONLY); /* plain holds it now */
    check_no_layout(late);
    assert_int_equal(set_stripes(plain, 3), 0);
    assert_int_equal(write(plain, "x", 1), 1);
    assert_int_equal(write(late, "x", 1), 1);
    close(plain);
    close(late);
}

void late_readers_and_delayed_opens_never_do(void **state)
{
    int reader, late;

    (void) state;
    leave_late("lustre/readers");
    reader = open("lustre/readers", O_RDONLY);
    check_no_layout(reader);
    late = open("lustre/readers", O_RDWR | DELAY_CREATE);
    check_no_layout(late);
    close(late);
    late = open("lustre/readers", O_CREAT | O_WRONLY | DELAY_CREATE, 0600);
    check_no_layout(late);
    close(late);
    late = open("lustre/readers", O_RDWR); /* a reader is no writer */
    check_layout(late, 0x1, 4 * MiB, 1, NULL);
    close(late);
    close(reader);
}

/* "any process of it", as long as it lives */
void late_holder_may_be_any_process(void **state)
{
    int ready[2], plain;
    pid_t holder;
    char token;

    (void) state;
    assert_int_equal(pipe(ready), 0);
    holder = fork();
    if (holder == 0) {
        int fd = open("lustre/holder", O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);
        if (fd < 0 || write(ready[1], "r", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &token, 1), 1);
    plain = open("lustre/holder", O_RDWR);
    check_no_layout(plain);
    close(plain);
    assert_int_equal(kill(holder, SIGKILL), 0);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    plain = open("lustre/holder", O_RDWR);
    check_layout(plain, 0x1, 4 * MiB, 1, NULL);
    close(plain);
    close(ready[0]);
    close(ready[1]);
}

/* Several at the same moment: one of them was first, and brought a layout. */
void late_plain_opens_of_many_are_one(void **state)
{
    (void) state;
    for (int round = 0; round < 20; round++) {
        pid_t children[4];
        int start[2];
        char token;

        leave_late("lustre/many");
        assert_int_equal(pipe(start), 0);
        for (int i = 0; i < 4; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                close(start[1]);
                if (read(start[0], &token, 1) != 0)
                    _exit(3);
                _exit(stripes_of(open("lustre/many", O_RDWR)) == 1 ? 0 : 1);
            }
        }
        close(start[1]);
        close(start[0]);
        for (int i = 0; i < 4; i++)
            assert_int_equal(exit_code_of(children[i]), 0);
        assert_int_equal(unlink("lustre/many"), 0);
    }
}

/* "cat, cp, dd, stat work on it meanwhile" */
void late_empty_file_can_be_read(void **state)
{
    struct stat st;
    char byte;
    int fd;

    (void) state;
    leave_late("lustre/empty");
    fd = open("lustre/empty", O_RDONLY);
    assert_int_equal(read(fd, &byte, 1), 0);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(stat("lustre/empty", &st), 0);
    assert_int_equal(st.st_size, 0);
    assert_int_equal(system("cat lustre/empty > copy && cp lustre/empty copy"), 0);
    check_no_layout(fd);
    close(fd);
}

/* Opens before the layout is there, writes after: the offset is its number. */
static void write_late(const char *name, int number, int flags, int ready, int go)
{
    int fd = open(name, O_RDWR | flags);
    char token = fd >= 0 && stripes_of(fd) == 0;
    char letter = 'a' + number;

    if (write(ready, &token, 1) != 1 || read(go, &token, 1) != 1)
        _exit(1);
    _exit(stripes_of(fd) == 3 && pwrite(fd, &letter, 1, number) == 1 ? 0 : 2);
}

void late_layout_reaches_other_processes(void **state)
{
    const char *name = "lustre/late";
    int fd = open(name, O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);
    int ready[2], go[2];
    pid_t children[2];
    char token, content[2];

    (void) state;
    assert_int_equal(pipe(ready) | pipe(go), 0);
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0)
            write_late(name, i, i == 0 ? 0 : DELAY_CREATE, ready[1], go[0]);
        assert_int_equal(read(ready[0], &token, 1), 1);
        assert_int_equal(token, 1);
    }
    assert_int_equal(set_stripes(fd, 3), 0);
    assert_int_equal(stripes_of(fd), 3);
    assert_int_equal(write(go[1], "gg", 2), 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(exit_code_of(children[i]), 0);
    assert_int_equal(pread(fd, content, 2, 0), 2);
    assert_memory_equal(content, "ab", 2);
    for (int i = 0; i < 2; i++)
        close(ready[i]), close(go[i]);
    close(fd);
}

/* Children set layouts of one file at the same moment, which is when START has
 * no writer left; returns how many of them got theirs. */
static int set_at_once(int fd, int setters)
{
    int start[2], winners = 0;
    pid_t children[setters];

    assert_int_equal(pipe(start), 0);
    for (int i = 0; i < setters; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            char token;
            close(start[1]);
            if (read(start[0], &token, 1) != 0)
                _exit(3);
            _exit(set_stripes(fd, 1 + i % 4) == 0 ? 0 : errno == EEXIST ? 1 : 2);
        }
    }
    close(start[1]);
    close(start[0]);
    for (int i = 0; i < setters; i++) {
        int code = exit_code_of(children[i]);
        assert_in_range(code, 0, 1);
        winners += code == 0;
    }
    return winners;
}

void late_layouts_of_many_are_one(void **state)
{
    (void) state;
    for (int round = 0; round < 20; round++) {
        int fd = create_delayed();
        assert_int_equal(set_at_once(fd, 4), 1);
        close(fd);
    }
}

void late_truncate_brings_no_layout(void **state)
{
    int fd = create_delayed();

    (void) state;
    assert_int_equal(ftruncate(fd, 10 * MiB), 0);
    assert_int_equal(stripes_of(fd), 0);
    assert_int_equal(set_stripes(fd, 2), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), 10 * MiB);
    close(fd);
}

/* A file whose name is gone never gets a layout, and nothing can be written to it. */
void late_unlinked_file_stays_without_a_layout(void **state)
{
    const char *name = "lustre/unlinked";
    int fd = open(name, O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600), again;
    char path[64];

    (void) state;
    assert_int_equal(unlink(name), 0);
    FAILS(set_stripes(fd, 2), ESTALE);
    FAILS(fsetxattr(fd, "lustre.lov", request(V1, 0, MiB, 2, 1), 32, 0), ESTALE);
    FAILS(write(fd, "x", 1), EBADF);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    again = open(path, O_RDWR);
    assert_true(again >= 0);
    assert_int_equal(ftruncate(fd, 10), 0);
    FAILS(write(again, "x", 1), EBADF);
    close(again);
    close(fd);
    fd = open(name, O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);
    assert_int_equal(rename(name, "lustre/renamed"), 0);
    assert_int_equal(set_stripes(fd, 2), 0);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

void late_unseen_write_brings_the_default(void **state)
{
    FILE *stream = fopen("lustre/stdio", "w");
    int fd;

    (void) state;
    assert_non_null(stream);
    assert_int_equal(fputs("x", stream), 1);
    fclose(stream);
    fd = open("lustre/stdio", O_RDONLY);
    assert_int_equal(stripes_of(fd), 1);
    close(fd);
}

/* mkstemp and the like are not seen; what they create is no late file. */
void late_unseen_create_has_the_default(void **state)
{
    char name[] = "lustre/unseen-XXXXXX";
    int fd = mkstemp(name), again;

    (void) state;
    assert_true(fd >= 0);
    again = open(name, O_RDWR);
    check_layout(again, 0x1, 4 * MiB, 1, NULL);
    assert_int_equal(write(fd, "x", 1), 1);
    close(again);
    close(fd);
}

/* A program started by exec knows nothing of how its descriptors were opened. */
void late_inherited_descriptor_is_known(void **state)
{
    int fd = create_delayed();
    pid_t child = fork();

    (void) state;
    if (child == 0) {
        dup2(fd, STDOUT_FILENO);
        execlp("sh", "sh", "-c", "echo x 2> /dev/null", (char *) NULL);
        _exit(0);
    }
    assert_int_not_equal(exit_code_of(child), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), 0);
    close(fd);
}

/* A descriptor for which writing was found to be harmless. */
static int open_harmless(void)
{
    int fd = open("/dev/null", O_WRONLY);

    assert_int_equal(write(fd, "x", 1), 1);
    return fd;
}

void late_reused_descriptor_is_looked_at(void **state)
{
    int fd = create_delayed();
    int reused = open_harmless();

    (void) state;
    assert_int_equal(dup2(fd, reused), reused);
    FAILS(write(reused, "x", 1), EBADF);
    close(reused);

    reused = open_harmless();
    close(reused);
    assert_int_equal(dup(fd), reused);
    FAILS(write(reused, "x", 1), EBADF);
    close(reused);
    close(fd);

    reused = open_harmless();
    fclose(fdopen(reused, "w"));
    fd = create_delayed();
    assert_int_equal(fd, reused);
    FAILS(write(fd, "x", 1), EBADF);
    close(fd);
}
