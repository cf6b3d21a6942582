#include "importer.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect.h"

enum { NOT_FOUND = 127 }; /* as a shell ends */

/* A spool that nobody writes. */
typedef struct left {
    char *name;
    off_t size;
    ino_t inode;
} left;

struct importer {
    const char *dir, *db;
    int seconds;
    double next;
    pid_t child; /* 0: none */
    struct dirent **users;
    int count, at; /* users; the one whose folder is imported */
    char folder[PATH_MAX];
    left *lefts;
    size_t left_count;
    char program[PATH_MAX];
};

/* --- what is left behind */

/* Open, and with a lock of ours if nobody else has one; -1: somebody has. */
static int open_idle(int folder, const char *name, struct stat *what_p)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, what_p) == 0 && S_ISREG(what_p->st_mode) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void forget(importer *i)
{
    while (i->left_count > 0)
        free(i->lefts[--i->left_count].name);
    free(i->lefts);
    i->lefts = NULL;
}

static void note(importer *i, const char *name, const struct stat *what)
{
    left *more = realloc(i->lefts, (i->left_count + 1) * sizeof(*more));

    if (more == NULL)
        return;
    i->lefts = more;
    more[i->left_count] = (left){strdup(name), what->st_size, what->st_ino};
    i->left_count += more[i->left_count].name != NULL;
}

static void note_idle(importer *i)
{
    DIR *folder = opendir(i->folder);
    const struct dirent *entry;
    struct stat what;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        int fd = dot != NULL && strcmp(dot, ".spool") == 0
                     ? open_idle(dirfd(folder), entry->d_name, &what)
                     : -1;

        if (fd >= 0) {
            note(i, entry->d_name, &what);
            close(fd);
        }
    }
    if (folder != NULL)
        closedir(folder);
}

static void remove_noted(const importer *i)
{
    int folder = open(i->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat what;

    for (size_t k = 0; folder >= 0 && k < i->left_count; k++) {
        int fd = open_idle(folder, i->lefts[k].name, &what);

        if (fd < 0)
            continue;
        if (what.st_size == i->lefts[k].size && what.st_ino == i->lefts[k].inode)
            unlinkat(folder, i->lefts[k].name, 0);
        close(fd);
    }
    if (folder >= 0)
        close(folder);
}

/* --- one folder after the other */

static void run_import(const importer *i)
{
    const char *words[] = {i->program, "history", "import", "--remove",
                           i->folder,  NULL,      NULL,     NULL};
    int nothing = open("/dev/null", O_RDWR);
    sigset_t none;

    if (i->db != NULL) {
        words[5] = "--db";
        words[6] = i->db;
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    execvp(i->program, (char *const *) words);
    _exit(NOT_FOUND);
}

static void end_round(importer *i, double now)
{
    while (i->count > 0)
        free(i->users[--i->count]);
    free(i->users);
    i->users = NULL;
    i->next = now + i->seconds;
}

static void start_next(importer *i, double now)
{
    if (i->at >= i->count) {
        end_round(i, now);
        return;
    }
    snprintf(i->folder, sizeof(i->folder), "%.3800s/%.200s", i->dir, i->users[i->at]->d_name);
    note_idle(i);
    i->child = fork();
    if (i->child == 0)
        run_import(i);
    if (i->child < 0) {
        say("cannot import: %m");
        i->child = 0;
        forget(i);
        end_round(i, now);
    }
}

static int is_user(const struct dirent *entry)
{
    return isdigit((unsigned char) entry->d_name[0]);
}

void importer_tick(importer *i, double now)
{
    if (i->child != 0 || now < i->next)
        return;
    i->at = 0;
    i->count = scandir(i->dir, &i->users, is_user, alphasort);
    if (i->count < 0) {
        i->count = 0;
        i->users = NULL;
    }
    start_next(i, now);
}

static void say_why(const importer *i, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        say_of_client("%s: not imported: autotune is neither beside autotune-collect nor in PATH",
                      i->folder);
    else if (WIFEXITED(status))
        say_of_client("%s: the import ended with %d", i->folder, WEXITSTATUS(status));
    else
        say_of_client("%s: the import was killed by signal %d", i->folder, WTERMSIG(status));
}

void importer_reap(importer *i, double now)
{
    int status;

    if (i->child == 0 || waitpid(i->child, &status, WNOHANG) != i->child)
        return;
    i->child = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        remove_noted(i);
    else
        say_why(i, status);
    forget(i);
    i->at++;
    start_next(i, now);
}

/* --- start and end */

/* The one that was installed with us. */
static void find_program(importer *i)
{
    ssize_t length = readlink("/proc/self/exe", i->program, sizeof(i->program) - 16);

    i->program[length > 0 ? length : 0] = '\0';
    if (strrchr(i->program, '/') != NULL)
        strcpy(strrchr(i->program, '/') + 1, "autotune");
    if (access(i->program, X_OK) != 0)
        strcpy(i->program, "autotune");
}

importer *importer_new(const char *dir, const char *db, int seconds)
{
    importer *i = calloc(1, sizeof(*i));

    if (i == NULL)
        return NULL;
    i->dir = dir;
    i->db = db;
    i->seconds = seconds;
    find_program(i);
    return i;
}

void importer_free(importer *i)
{
    int status;

    if (i == NULL)
        return;
    if (i->child != 0) {
        kill(i->child, SIGTERM);
        waitpid(i->child, &status, 0);
    }
    forget(i);
    end_round(i, 0);
    free(i);
}
