/* Output: what a path names, and writing to it. */

#include "text_output_send.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PROC_MAGIC 0x9fa0
#define MAX_LINKS 40

/* --- what a path names */

/* The directory that path is in. */
static void directory_of(const char *path, char *directory)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t) (slash - path) : 0;

    memcpy(directory, path, length);
    directory[length] = '\0';
    if (length == 0)
        strcpy(directory, slash != NULL ? "/" : ".");
}

static bool is_proc(const char *directory)
{
    struct statfs info;

    return statfs(directory, &info) == 0 && info.f_type == PROC_MAGIC;
}

/* The number of a descriptor of this process, or -1. */
static int own_descriptor(const char *directory, const char *path)
{
    char *there = realpath(directory, NULL), *here = realpath("/proc/self/fd", NULL), *end;
    const char *name = strrchr(path, '/');
    long number = -1;

    if (there != NULL && here != NULL && name != NULL && strcmp(there, here) == 0) {
        number = strtol(name + 1, &end, 10);
        if (*end != '\0' || number < 0 || number > INT_MAX)
            number = -1;
    }
    free(there);
    free(here);
    return (int) number;
}

/* The path that a link in directory leads to. */
static int go_on(const char *directory, const char *link, char *path)
{
    int length = link[0] == '/' ? snprintf(path, PATH_MAX, "%s", link)
                                : snprintf(path, PATH_MAX, "%s/%s", directory, link);

    return length < PATH_MAX ? 0 : ENAMETOOLONG;
}

/* The kernel's rule where fs.protected_symlinks and fs.protected_regular are on, which they are not
 * on every node. */
static bool is_planted(const char *directory, uid_t owner)
{
    struct stat info;

    return stat(directory, &info) == 0 && (info.st_mode & S_ISVTX) && (info.st_mode & S_IWOTH) &&
           owner != geteuid() && owner != info.st_uid;
}

bool atm_output_planted(const char *path, uid_t owner)
{
    char directory[PATH_MAX];

    directory_of(path, directory);
    return is_planted(directory, owner);
}

/* Follows the link that output's path is. */
static int follow(atm_output *output, const struct stat *info)
{
    char directory[PATH_MAX], link[PATH_MAX];
    ssize_t length;

    directory_of(output->path, directory);
    if (is_planted(directory, info->st_uid))
        return EACCES;
    output->descriptor = is_proc(directory);
    if (output->descriptor) {
        output->own = own_descriptor(directory, output->path);
        return 0;
    }
    output->others |= info->st_uid != geteuid() && info->st_uid != 0;
    length = readlink(output->path, link, sizeof(link) - 1);
    if (length < 0)
        return errno;
    link[length] = '\0';
    return go_on(directory, link, output->path);
}

int atm_output_find(const char *path, atm_output *output_p)
{
    atm_output output = {.own = -1};
    struct stat info;
    int error = strlen(path) < sizeof(output.path) ? 0 : ENAMETOOLONG;

    if (error == 0)
        strcpy(output.path, path);
    for (int i = 0; error == 0 && !output.descriptor; i++) {
        if (lstat(output.path, &info) != 0 || !S_ISLNK(info.st_mode))
            break;
        error = i < MAX_LINKS ? follow(&output, &info) : ELOOP;
    }
    if (error == 0)
        *output_p = output;
    return error;
}

/* --- writing */

/* Signals that a failing write raises, hidden from a program that did not ask for it. */
static const int signals[] = {SIGPIPE, SIGXFSZ};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

typedef struct quiet {
    sigset_t blocked, before, pending;
} quiet;

static void keep_quiet(quiet *quiet)
{
    sigemptyset(&quiet->blocked);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&quiet->blocked, signals[i]);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &quiet->blocked, &quiet->before);
}

static void end_quiet(const quiet *quiet)
{
    const struct timespec now = {0, 0};
    int saved_errno = errno;
    sigset_t ours;

    sigemptyset(&ours);
    for (int i = 0; i < SIGNALS; i++)
        if (!sigismember(&quiet->pending, signals[i]))
            sigaddset(&ours, signals[i]);
    while (sigtimedwait(&ours, NULL, &now) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
    errno = saved_errno;
}

/* A descriptor that others share may be a blocking one; if it has room, it has
 * room for PIPE_BUF. */
static size_t most_at_once(int file, size_t length)
{
    struct stat info;
    bool waits = (fcntl(file, F_GETFL) & O_NONBLOCK) == 0;

    if (!waits || length <= PIPE_BUF || (fstat(file, &info) == 0 && S_ISREG(info.st_mode)))
        return length;
    return PIPE_BUF;
}

static bool has_room(int file, int patience)
{
    struct pollfd wanted = {.fd = file, .events = POLLOUT};
    int ready;

    while ((ready = poll(&wanted, 1, patience)) < 0 && errno == EINTR)
        ;
    if (ready == 0)
        errno = EAGAIN;
    return ready > 0;
}

static bool send_all(int file, const char *text, size_t length, int patience)
{
    while (length > 0) {
        ssize_t put;

        if (!has_room(file, patience))
            return false;
        put = write(file, text, most_at_once(file, length));
        if (put > 0) {
            text += put;
            length -= (size_t) put;
        } else if (put < 0 && errno == EAGAIN && patience > 0) {
            poll(NULL, 0, 1); /* room for less than this */
            patience--;
        } else if (put == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool atm_output_send(int file, const char *text, size_t length, int patience)
{
    quiet quiet;
    bool sent;

    keep_quiet(&quiet);
    sent = send_all(file, text, length, patience);
    end_quiet(&quiet);
    return sent;
}

atm_status atm_output_failed(const char *path, const char *what, atm_message *message)
{
    if (errno == EAGAIN)
        return atm_no_access(path, message, "cannot be %s: nobody reads from it", what);
    return atm_no_access(path, message, "cannot be %s: %m", what);
}
