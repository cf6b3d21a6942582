/*
 * What is hard to follow: processes that fork, exec, close what is not theirs, or end early.  Each
 * case says on stdout what a program can see, the same without the library.
 *
 *     cases CASE FILE
 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path, *self;

static int open_it(void)
{
    int fd = open(path, O_RDWR | O_CREAT, 0600);

    printf("descriptor %d\n", fd);
    return fd;
}

static void put(int fd, off_t offset)
{
    if (pwrite(fd, "x", 1, offset) != 1)
        printf("pwrite: %s\n", strerror(errno));
}

/* Writes enough that writing begins before the process ends, but not too much for a ring. */
static void put_many(int fd)
{
    for (int i = 0; i < 5000; i++)
        put(fd, 1000 + i);
}

static void wait_for(pid_t child)
{
    int status = -1;

    waitpid(child, &status, 0);
    printf("the child ended with %d\n", status);
}

/* --- processes */

static int fork_(void)
{
    int fd = open_it();
    pid_t child;

    put(fd, 1);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        put(fd, 2);
        fflush(stdout);
        exit(0);
    }
    wait_for(child);
    put(fd, 3);
    return 0;
}

static int fork_early(void)
{
    int fd = open_it();
    pid_t child;

    put_many(fd);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        put(fd, 2);
        _exit(7);
    }
    wait_for(child);
    put(fd, 3);
    return 0;
}

static int exec_(void)
{
    put(open_it(), 1);
    fflush(stdout);
    execl(self, self, "one", path, (char *) NULL);
    return 1;
}

static int exec_fails(void)
{
    int fd = open_it();

    put(fd, 1);
    printf("exec: %d", execlp("/does/not/exist", "x", (char *) NULL));
    printf(" %s\n", strerror(errno));
    put(fd, 2);
    return 0;
}

/* The child has its parent's memory, and closes descriptors of its own. */
static int vfork_(void)
{
    int fd = open_it();
    pid_t child;

    put(fd, 1);
    child = vfork();
    if (child == 0) {
        close(fd);
        dup2(1, fd);
        execl("/bin/true", "true", (char *) NULL);
        _exit(1);
    }
    wait_for(child);
    put(fd, 2);
    return 0;
}

static int one(void)
{
    put(open_it(), 9);
    return 0;
}

/* --- ends */

static int early(void)
{
    put(open_it(), 1);
    fflush(stdout);
    _exit(5);
}

static int quick(void)
{
    put(open_it(), 1);
    fflush(stdout);
    quick_exit(6);
}

static int killed(void)
{
    put_many(open_it());
    fflush(stdout);
    return raise(SIGKILL);
}

static void *worker(void *fd)
{
    put_many(*(int *) fd);
    return NULL;
}

/* The process ends with its last thread. */
static int last_thread(void)
{
    static int fd;
    pthread_t id;

    fd = open_it();
    fflush(stdout);
    if (pthread_create(&id, NULL, worker, &fd) != 0)
        return 1;
    pthread_exit(NULL);
}

/* --- descriptors */

static int close_all(void)
{
    int fd = open_it(), closed = 0;

    put_many(fd);
    for (int i = 3; i < 70000; i++)
        closed += close(i) == 0;
    printf("closed %d\n", closed);
    put_many(open_it());
    return 0;
}

static int close_from(void)
{
    put_many(open_it());
    closefrom(3);
    put_many(open_it());
    printf("close_range: %d\n", close_range(3, ~0u, 0));
    put(open_it(), 3);
    return 0;
}

/* Behind the library's back. */
static int close_raw(void)
{
    int fd = open_it();

    put_many(fd);
    for (int i = fd + 1; i < 70000; i++)
        syscall(SYS_close, i);
    put_many(fd);
    return 0;
}

static int reuse(void)
{
    int fd = open_it(), ends[2];
    char letter;

    put(fd, 1);
    close(fd);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || write(ends[0], "x", 1) != 1 ||
        read(ends[1], &letter, 1) != 1)
        return 1;
    printf("socket %d\n", ends[0]);
    dup2(open_it(), ends[0]);
    put(ends[0], 2);
    return 0;
}

static int many(void)
{
    static int fds[10000];
    char name[4200];
    int opened = 0;

    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof(name), "%s-%d", path, i);
        fds[i] = open(name, O_RDWR | O_CREAT, 0600);
        opened += fds[i] >= 0;
        unlink(name);
    }
    for (int i = 0; i < 10000; i++)
        put(fds[i], i);
    printf("opened %d\n", opened);
    return 0;
}

/* What modules look for. */
static int strided(void)
{
    int fd = open_it();
    char block[1024];

    if (ftruncate(fd, 4 << 20) != 0)
        return 1;
    for (int i = 0; i < 100; i++)
        if (pread(fd, block, sizeof(block), i * 20480) != sizeof(block))
            return 1;
    return 0;
}

/* The library's file may not grow, which must not end the process. */
static int no_room(void)
{
    struct rlimit limit = {4096, 4096};
    int fd = open_it();

    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 1000; i++)
        put(fd, i);
    return 0;
}

/* --- signals */

static int handlers_fd;

static void handler(int number)
{
    (void) number;
    put(handlers_fd, 2);
}

static int signal_(void)
{
    handlers_fd = open_it();
    signal(SIGUSR1, handler);
    put(handlers_fd, 1);
    raise(SIGUSR1);
    put(handlers_fd, 3);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} cases[] = {{"fork", fork_},          {"fork-early", fork_early},
             {"exec", exec_},          {"exec-fails", exec_fails},
             {"vfork", vfork_},        {"one", one},
             {"early", early},         {"quick", quick},
             {"killed", killed},       {"last-thread", last_thread},
             {"close-all", close_all}, {"close-from", close_from},
             {"close-raw", close_raw}, {"reuse", reuse},
             {"many", many},           {"strided", strided},
             {"no-room", no_room},     {"signal", signal_}};

int main(int argc, char **argv)
{
    self = argv[0];
    path = argc == 3 ? argv[2] : NULL;
    for (size_t i = 0; path != NULL && i < sizeof(cases) / sizeof(cases[0]); i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            return cases[i].run();
    fprintf(stderr, "usage: cases CASE FILE\n");
    return 2;
}
