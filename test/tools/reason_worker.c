/*
 * A program for reasoners to watch: locks and unlocks a byte of FILE again and again, with a pause
 * after each, until it is ended.  Whoever holds the lock slows it down, by as much as they like:
 *
 *     reason_worker work FILE          until SIGTERM; FILE gets as many bytes as it did so
 *     reason_worker write OST FILE     writes a new FILE on this storage target of Lustre instead
 *     reason_worker hold MS FILE...    holds the locks of all files for MS at a time, with just
 *                                      enough time between for one of theirs, until SIGTERM
 */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <lustre/lustre_user.h>

enum { FILES = 64, PAUSE_US = 4000 };

static volatile sig_atomic_t ended;

static void end(int signal)
{
    (void) signal;
    ended = 1;
}

static void wait_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};

    nanosleep(&time, NULL);
}

static int set_lock(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

    return fcntl(fd, F_SETLKW, &lock);
}

/* Nobody sees this: only calls that wait for the lock are judged. */
static void unlock(int fd)
{
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_len = 1};

    syscall(SYS_fcntl, fd, F_SETLK, &lock);
}

static int work(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    long count = 0;

    if (fd < 0)
        return 1;
    while (!ended) {
        if (set_lock(fd) == 0)
            count++;
        unlock(fd);
        syscall(SYS_ftruncate, fd, (off_t) count);
        wait_us(PAUSE_US);
    }
    return 0;
}

static int create_on(int target, const char *path)
{
    struct lov_user_md_v1 layout = {.lmm_magic = LOV_USER_MAGIC_V1,
                                    .lmm_pattern = LOV_PATTERN_RAID0,
                                    .lmm_stripe_count = 1,
                                    .lmm_stripe_offset = (uint16_t) target};
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_LOV_DELAY_CREATE, 0600);

    return fd >= 0 && ioctl(fd, LL_IOC_LOV_SETSTRIPE, &layout) == 0 ? fd : -1;
}

static int write_again(int target, const char *path)
{
    static const char bytes[4096];
    int fd = create_on(target, path);

    if (fd < 0)
        return 1;
    while (!ended) {
        if (pwrite(fd, bytes, sizeof(bytes), 0) < 0)
            return 1;
        wait_us(PAUSE_US);
    }
    return 0;
}

/* The time between two is a matter of luck on a busy machine; a worker waits for one of them. */
static int hold(long ms, char **paths, int count)
{
    int fds[FILES];

    if (count > FILES)
        return 2;
    for (int i = 0; i < count; i++)
        if ((fds[i] = open(paths[i], O_RDWR | O_CREAT, 0600)) < 0)
            return 1;
    while (!ended) {
        for (int i = 0; i < count; i++)
            set_lock(fds[i]);
        wait_us(1000 * ms);
        for (int i = 0; i < count; i++)
            unlock(fds[i]);
        wait_us(PAUSE_US / 8);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = end};

    sigaction(SIGTERM, &action, NULL);
    if (argc == 3 && strcmp(argv[1], "work") == 0)
        return work(argv[2]);
    if (argc == 4 && strcmp(argv[1], "write") == 0)
        return write_again(atoi(argv[2]), argv[3]);
    if (argc > 3 && strcmp(argv[1], "hold") == 0)
        return hold(atol(argv[2]), argv + 3, argc - 3);
    return 2;
}
