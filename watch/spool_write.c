/* All by system calls: those of the C library lead to wrappers. */

#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* --- a descriptor that programs do not use */

/* One that is just beyond the limit of the process takes none from the program, and no loop up to
 * the limit closes it. */
static int beyond_limit(int fd)
{
    struct rlimit limit, more;
    int high = -1;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max ||
        limit.rlim_cur >= INT_MAX)
        return -1;
    more = limit;
    more.rlim_cur++;
    if (setrlimit(RLIMIT_NOFILE, &more) == 0) {
        high = (int) syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, (int) limit.rlim_cur);
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    return high;
}

static int highest(int fd)
{
    struct rlimit limit;
    int from = 1 << 16;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t) from)
        from = (int) limit.rlim_cur;
    for (int at = from - 1; at > fd && at > from - 64; at--) {
        int high = (int) syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, at);

        if (high >= 0)
            return high;
    }
    return -1;
}

int atw_spool_move_up(int fd)
{
    int high = fd >= 0 ? beyond_limit(fd) : -1;

    if (fd >= 0 && high < 0)
        high = highest(fd);
    if (high < 0)
        return fd;
    syscall(SYS_close, fd);
    return high;
}

/* A thread of the program that closes all descriptors may have closed this one, and opened another
 * file with its number. */
static bool is_at(int fd, const char *path)
{
    struct stat one, other;

    return fd >= 0 && fstat(fd, &one) == 0 && lstat(path, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static int open_path(const char *path, int flags)
{
    int fd = (int) syscall(SYS_openat, AT_FDCWD, path,
                           flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);

    if (!is_at(fd, path))
        return -1;
    fd = atw_spool_move_up(fd);
    return is_at(fd, path) ? fd : -1;
}

/* --- create */

static uint64_t ns(clockid_t clock)
{
    struct timespec now = {0, 0};

    clock_gettime(clock, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static uint64_t draw_unique(void)
{
    uint64_t drawn;

    if (getrandom(&drawn, sizeof(drawn), GRND_NONBLOCK) == sizeof(drawn))
        return drawn;
    return (ns(CLOCK_REALTIME) ^ (uint64_t) getpid() << 48) * 0x9e3779b97f4a7c15u;
}

static bool name(const char *folder, uint64_t unique, char *path)
{
    char host[65] = "";

    if (gethostname(host, sizeof(host) - 1) != 0 || host[0] == '\0')
        strcpy(host, "unknown");
    for (char *slash = host; (slash = strchr(slash, '/')) != NULL;)
        *slash = '_';
    return snprintf(path, PATH_MAX, "%s/autotune-%s-%ld-%016llx.spool", folder, host,
                    (long) getpid(), (unsigned long long) unique) < PATH_MAX;
}

static bool is_same(const atw_spool *spool, int fd)
{
    struct stat what;

    return fd >= 0 && fstat(fd, &what) == 0 && what.st_dev == spool->device &&
           what.st_ino == spool->inode;
}

static bool put_head(atw_spool *spool, const atw_spool_head *head)
{
    struct stat what;

    if (spool->fd < 0 || fstat(spool->fd, &what) != 0)
        return false;
    spool->device = what.st_dev;
    spool->inode = what.st_ino;
    spool->size = sizeof(*head);
    return syscall(SYS_pwrite64, spool->fd, head, sizeof(*head), (off_t) 0) == sizeof(*head);
}

/* Field 22 of /proc/self/stat counts from the start of the machine; the name before may have any
 * bytes, also parentheses. */
static uint64_t since_start(void)
{
    char text[1024], *at = NULL;
    int fd = (int) syscall(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
    long length = fd >= 0 ? syscall(SYS_read, fd, text, sizeof(text) - 1) : 0;
    uint64_t now = ns(CLOCK_BOOTTIME), ticks = (uint64_t) sysconf(_SC_CLK_TCK), start = 0;

    if (fd >= 0)
        syscall(SYS_close, fd);
    if (length > 0) {
        text[length] = '\0';
        at = strrchr(text, ')');
    }
    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (at != NULL)
        start = strtoull(at, NULL, 10);
    if (start == 0 || start > now / (1000000000 / ticks))
        return 0;
    return now - start * (1000000000 / ticks);
}

/* Its moment is the process's start: the spool may begin long after the first activities. */
atw_spool_head atw_spool_head_new(int rank, int ranks)
{
    uint64_t monotonic = ns(CLOCK_MONOTONIC), age = since_start();
    uint64_t ago = age < monotonic ? age : monotonic;
    atw_spool_head head = {.version = ATW_SPOOL_VERSION,
                           .order = ATW_SPOOL_ORDER,
                           .realtime = ns(CLOCK_REALTIME) - ago,
                           .monotonic = monotonic - ago,
                           .pid = (uint32_t) getpid(),
                           .uid = (uint32_t) geteuid(),
                           .rank = rank,
                           .ranks = ranks,
                           .unique = draw_unique()};

    memcpy(head.magic, ATW_SPOOL_MAGIC, sizeof(head.magic));
    return head;
}

bool atw_spool_create(const char *folder, uint64_t limit, const atw_spool_head *head,
                      atw_spool *spool_p)
{
    spool_p->fd = -1;
    spool_p->limit = limit;
    spool_p->size = 0;
    if (!name(folder, head->unique, spool_p->path))
        return false;
    spool_p->fd = open_path(spool_p->path, O_CREAT | O_EXCL);
    if (put_head(spool_p, head))
        return true;
    if (spool_p->fd >= 0)
        unlink(spool_p->path);
    atw_spool_close(spool_p);
    return false;
}

/* --- a file of the collector's */

/* One that was killed has its files for a moment longer than its sockets. */
static bool lock(int fd)
{
    for (int i = 0; i < 100; i++) {
        struct timespec moment = {0, 1000000};

        if (syscall(SYS_flock, fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        syscall(SYS_nanosleep, &moment, NULL);
    }
    return false;
}

static bool has_head(int fd, const atw_spool_head *head, uint64_t size)
{
    atw_spool_head there;
    struct stat what;

    return fstat(fd, &what) == 0 && S_ISREG(what.st_mode) && what.st_uid == head->uid &&
           (uint64_t) what.st_size >= size &&
           syscall(SYS_pread64, fd, &there, sizeof(there), (off_t) 0) == sizeof(there) &&
           memcmp(&there, head, sizeof(there)) == 0;
}

bool atw_spool_take_over(const char *path, uint64_t limit, const atw_spool_head *head,
                         uint64_t size, atw_spool *spool_p)
{
    struct stat what;
    int fd;

    spool_p->fd = -1;
    if (path[0] != '/' || strlen(path) >= sizeof(spool_p->path) || size < sizeof(*head))
        return false;
    fd = open_path(path, O_NONBLOCK);
    if (fd < 0)
        return false;
    if (!lock(fd) || !has_head(fd, head, size) || fstat(fd, &what) != 0 ||
        syscall(SYS_ftruncate, fd, (off_t) size) != 0) {
        syscall(SYS_close, fd);
        return false;
    }
    strcpy(spool_p->path, path);
    spool_p->fd = fd;
    spool_p->limit = limit;
    spool_p->size = size;
    spool_p->device = what.st_dev;
    spool_p->inode = what.st_ino;
    return true;
}

/* --- blocks */

/* The descriptor may have been closed, or be another file's by now. */
static bool have(atw_spool *spool)
{
    int fd;

    if (is_same(spool, spool->fd))
        return true;
    if (spool->fd < 0)
        return false;
    fd = open_path(spool->path, 0);
    if (is_same(spool, fd)) {
        spool->fd = fd;
        return true;
    }
    if (fd >= 0)
        syscall(SYS_close, fd);
    spool->fd = -1;
    return false;
}

/* What was left out, and the end, can be told even if there is no room for more.  A file that
 * grows beyond the limit of the process would end it. */
static bool has_room(const atw_spool *spool, enum atw_spool_kind kind, uint64_t bytes)
{
    struct rlimit limit;

    if (kind != ATW_BLOCK_DROPPED && kind != ATW_BLOCK_END)
        bytes += ATW_SPOOL_RESERVE;
    if (bytes > spool->limit || spool->size > spool->limit - bytes)
        return false;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           (limit.rlim_cur >= bytes && spool->size <= limit.rlim_cur - bytes);
}

/* What is left of the pieces after done bytes of them. */
static void skip(struct iovec *pieces, int count, size_t done)
{
    for (int i = 0; i < count; i++) {
        size_t part = done < pieces[i].iov_len ? done : pieces[i].iov_len;

        pieces[i].iov_base = (char *) pieces[i].iov_base + part;
        pieces[i].iov_len -= part;
        done -= part;
    }
}

static bool write_all(int fd, struct iovec *pieces, int count, uint64_t at, uint64_t bytes)
{
    while (bytes > 0) {
        long done = syscall(SYS_pwritev, fd, pieces, (unsigned long) count, (off_t) at, 0L);

        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        if (done < 0)
            continue;
        skip(pieces, count, (size_t) done);
        at += (uint64_t) done;
        bytes -= (uint64_t) done;
    }
    return true;
}

void atw_spool_cut(atw_spool *spool, uint64_t size)
{
    if (have(spool) && syscall(SYS_ftruncate, spool->fd, (off_t) size) == 0)
        spool->size = size;
}

bool atw_spool_put(atw_spool *spool, enum atw_spool_kind kind, uint32_t thread, const void *first,
                   size_t first_bytes, const void *second, size_t second_bytes)
{
    static const char zeros[8];
    atw_spool_block block = {kind, thread, first_bytes + second_bytes};
    size_t padding = (8 - block.bytes % 8) % 8;
    struct iovec pieces[] = {{&block, sizeof(block)},
                             {(void *) first, first_bytes},
                             {(void *) second, second_bytes},
                             {(void *) zeros, padding}};
    uint64_t bytes = sizeof(block) + block.bytes + padding;

    if (!has_room(spool, kind, bytes) || !have(spool))
        return false;
    if (!write_all(spool->fd, pieces, 4, spool->size, bytes)) {
        atw_spool_cut(spool, spool->size);
        return false;
    }
    spool->size += bytes;
    return true;
}

bool atw_spool_append(atw_spool *spool, const void *blocks, size_t bytes)
{
    struct iovec piece = {(void *) blocks, bytes};

    if (!has_room(spool, ATW_BLOCK_END, bytes) || !have(spool))
        return false;
    if (!write_all(spool->fd, &piece, 1, spool->size, bytes)) {
        atw_spool_cut(spool, spool->size);
        return false;
    }
    spool->size += bytes;
    return true;
}

void atw_spool_close(atw_spool *spool)
{
    if (is_same(spool, spool->fd))
        syscall(SYS_close, spool->fd);
    spool->fd = -1;
}
