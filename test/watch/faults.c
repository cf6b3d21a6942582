/*
 * A random program, the same for a seed whatever happens around it: files, streams, threads,
 * children that fork and exec, descriptors that are closed wholesale, and an end of any kind.  It
 * says what a program can see of its calls.
 *
 *     faults SEED [DEPTH]
 *
 * in the folder that is to get its files.  Children, and what is executed, have one DEPTH more.
 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 13, MOST_FILES = 10000, DEEPEST = 2 };

static const char *self;
static uint64_t seed, state;
static int depth;
static char room[ROOM];

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (state >> 33) % below;
}

/* Files of each depth are its own: a child and its parent are not the same program. */
static const char *name(const char *kind, unsigned number)
{
    static _Thread_local char text[64];

    snprintf(text, sizeof(text), "%s-%d-%u", kind, depth, number);
    return text;
}

static void tell(const char *what, long long result)
{
    printf("%s %lld%s%s\n", what, result, result < 0 ? " " : "", result < 0 ? strerror(errno) : "");
}

static uint32_t sum_of(const char *bytes, long long count)
{
    uint32_t sum = 1;

    for (long long i = 0; i < count; i++)
        sum = sum * 31 + (unsigned char) bytes[i];
    return sum;
}

static int open_one(unsigned number)
{
    int fd = open(name("file", number), O_RDWR | O_CREAT, 0600);

    if (fd < 0)
        tell("open", fd);
    return fd;
}

/* --- files */

static void positions(void)
{
    int fd = open_one(draw(4));
    long long done = 0;

    for (int i = (int) draw(3000); i > 0; i--) {
        off_t at = draw(1 << 16);
        const char *from = room + draw(100);

        done += pwrite(fd, from, draw(200), at);
    }
    tell("pwrite", done);
    for (int i = 0; i < 20; i++) {
        off_t at = draw(1 << 16);
        ssize_t got = pread(fd, room, draw(4000), at);

        tell("pread", got);
        printf("sum %u\n", sum_of(room, got));
    }
    tell("close", close(fd));
}

static void streams(void)
{
    const char *mode = draw(2) == 0 ? "w+" : "a+";
    FILE *stream = fopen(name("stream", draw(3)), mode);
    size_t done = 0;

    if (stream == NULL) {
        tell("fopen", -1);
        return;
    }
    for (int i = (int) draw(300); i > 0; i--)
        done += fwrite(room, 1, draw(500), stream);
    tell("fwrite", (long long) done);
    tell("fseek", fseek(stream, (long) draw(1000), SEEK_SET));
    done = fread(room, 1, draw(ROOM), stream);
    printf("fread %zu sum %u\n", done, sum_of(room, (long long) done));
    tell("fclose", fclose(stream));
}

/* As many as there may be; then all at once. */
static void many(void)
{
    static int fds[MOST_FILES];
    struct rlimit limit;
    unsigned count = draw(10) == 0 ? MOST_FILES : 50 + draw(200);
    long long opened = 0, done = 0;

    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < count + 64)
        count = (unsigned) limit.rlim_cur - 64;
    for (unsigned i = 0; i < count; i++) {
        fds[i] = open(name("many", i % 300), O_RDWR | O_CREAT, 0600);
        opened += fds[i] >= 0;
    }
    for (unsigned i = 0; i < count; i++)
        done += pwrite(fds[i], "x", 1, i);
    for (unsigned i = 0; i < count; i++)
        done += close(fds[i]);
    for (unsigned i = 0; i < 300; i++)
        unlink(name("many", i));
    printf("many %lld %lld\n", opened, done);
}

/* What may not grow says so, and ends nobody. */
static void limited(void)
{
    struct rlimit before, less;
    int fd = open_one(draw(4));

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    less = before;
    less.rlim_cur = 1000 + draw(8000);
    setrlimit(RLIMIT_FSIZE, &less);
    for (int i = 0; i < 40; i++)
        tell("limited", pwrite(fd, room, 300, (off_t) i * 300));
    setrlimit(RLIMIT_FSIZE, &before);
    tell("close", close(fd));
}

/* --- threads */

static void *work(void *number_)
{
    unsigned number = (unsigned) (uintptr_t) number_;
    int fd = open(name("thread", number), O_RDWR | O_CREAT, 0600);
    long long done = 0;

    for (int i = 0; i < 1000 + (int) (number * seed % 2000); i++)
        done += pwrite(fd, "thread", 6, (off_t) i * 6);
    if (close(fd) != 0)
        done = -1;
    return (void *) (intptr_t) done;
}

static void threads(void)
{
    unsigned count = 1 + draw(6);
    pthread_t ids[6];
    void *done;

    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&ids[i], NULL, work, (void *) (uintptr_t) i) != 0)
            exit(3);
    for (unsigned i = 0; i < count; i++) {
        pthread_join(ids[i], &done);
        tell("thread", (intptr_t) done);
    }
}

/* --- descriptors */

static void close_all(void)
{
    int fd;

    switch (draw(4)) {
        case 0:
            for (int i = 3; i < 5000; i++)
                close(i);
            break;
        case 1:
            for (int i = 3; i < 5000; i++)
                syscall(SYS_close, i);
            break;
        case 2:
            closefrom(3);
            break;
        default:
            tell("close_range", close_range(3, ~0u, 0));
    }
    fd = open_one(0);
    tell("after", pwrite(fd, "after", 5, 0));
    close(fd);
}

static void sockets(void)
{
    int fd = open_one(1), ends[2];
    char letter = 'x';

    close(fd);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        exit(3);
    tell("socket", write(ends[0], &letter, 1));
    tell("socket", read(ends[1], &letter, 1));
    fd = open_one(2);
    tell("dup2", dup2(fd, ends[0]) == ends[0]);
    tell("write", write(ends[0], room, 100));
    close(ends[0]);
    close(ends[1]);
    close(fd);
}

/* --- processes */

static void anything(void);

_Noreturn static void leave(void)
{
    int code = 1 + (int) draw(50);
    unsigned how = draw(5);

    fflush(stdout);
    if (how == 0)
        _exit(code);
    if (how == 1)
        quick_exit(code);
    if (how == 2)
        raise(SIGKILL);
    exit(code);
}

static void child(void)
{
    int status = -1;
    pid_t id;

    if (depth >= DEEPEST)
        return;
    fflush(stdout);
    id = fork();
    if (id == 0) {
        depth++;
        for (int i = (int) draw(4); i > 0; i--)
            anything();
        leave();
    }
    waitpid(id, &status, 0);
    tell("child", status);
}

/* In a child; what it executes is this program, or nothing. */
static void execute(void)
{
    char number[32], deeper[32];
    int status = -1;
    pid_t id;

    if (depth >= DEEPEST)
        return;
    snprintf(number, sizeof(number), "%llu", (unsigned long long) seed + 1000 + draw(1000));
    snprintf(deeper, sizeof(deeper), "%d", depth + 1);
    fflush(stdout);
    id = draw(2) == 0 ? fork() : vfork();
    if (id == 0) {
        execl(self, self, number, deeper, (char *) NULL);
        _exit(120);
    }
    waitpid(id, &status, 0);
    tell("executed", status);
    tell("exec", execlp("/does/not/exist", "x", (char *) NULL));
}

static void handler(int signal)
{
    int fd = open("handled", O_RDWR | O_CREAT, 0600);

    (void) signal;
    if (pwrite(fd, "handled", 7, 0) != 7)
        _exit(121);
    close(fd);
}

static void signals(void)
{
    signal(SIGUSR1, handler);
    tell("raise", raise(SIGUSR1));
}

static void anything(void)
{
    static void (*const actions[])(void) = {positions, streams, many,    limited, threads,
                                            close_all, sockets, child,   execute, signals,
                                            positions, streams, threads, child};

    actions[draw(sizeof(actions) / sizeof(actions[0]))]();
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    self = argv[0];
    seed = strtoull(argv[1], NULL, 10);
    depth = argc > 2 ? atoi(argv[2]) : 0;
    state = seed * 1000003 + 17;
    for (int i = 0; i < ROOM; i++)
        room[i] = (char) ('a' + draw(26));
    for (int i = 2 + (int) draw(6); i > 0; i--)
        anything();
    leave();
}
