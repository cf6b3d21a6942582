#include "importer.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lefts.h"

enum { NOT_FOUND = 127 }; /* as a shell ends */

struct importer {
    const char *dir, *db;
    const collect_reader *reader;
    int seconds;
    double next;
    pid_t child; /* 0: none */
    int said;    /* what it says, as JSON; -1: nothing can be */
    struct dirent **users;
    int count, at; /* users; the one whose folder is imported */
    uid_t uid;     /* theirs */
    char folder[PATH_MAX];
    lefts *lefts;
    char program[PATH_MAX];
};

/* --- the child */

/* It reads what users wrote, and must not be able to do more than that. */
static bool become(const collect_reader *reader)
{
    if (reader->name == NULL)
        return true;
    unsetenv("XDG_DATA_HOME");
    return setgroups(1, &reader->gid) == 0 && setgid(reader->gid) == 0 &&
           setuid(reader->uid) == 0 && setenv("HOME", reader->home, 1) == 0 &&
           setenv("USER", reader->name, 1) == 0 && setenv("LOGNAME", reader->name, 1) == 0;
}

static void run_import(const importer *i)
{
    const char *words[] = {i->program, "history", "import", "--json", i->folder, NULL};
    int nothing = open("/dev/null", O_RDWR);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(i->said >= 0 ? i->said : nothing, STDOUT_FILENO);
    /* not by its command line, which everybody sees: an address may have a password */
    if (become(i->reader) && (i->db == NULL || setenv("ROMIO_AUTOTUNE_HISTORY", i->db, 1) == 0))
        execvp(i->program, (char *const *) words);
    _exit(NOT_FOUND);
}

/* --- one folder after the other */

static void end_round(importer *i, double now)
{
    while (i->count > 0)
        free(i->users[--i->count]);
    free(i->users);
    i->users = NULL;
    i->next = now + i->seconds;
}

static void end_folder(importer *i)
{
    if (i->said >= 0)
        close(i->said);
    i->said = -1;
    lefts_free(i->lefts);
    i->lefts = NULL;
}

static void start_next(importer *i, double now)
{
    if (i->at >= i->count) {
        end_round(i, now);
        return;
    }
    snprintf(i->folder, sizeof(i->folder), "%.3800s/%.200s", i->dir, i->users[i->at]->d_name);
    i->uid = (uid_t) strtoul(i->users[i->at]->d_name, NULL, 10);
    i->lefts = lefts_note(i->folder, i->reader);
    i->said = memfd_create("autotune-import", MFD_CLOEXEC);
    i->child = fork();
    if (i->child == 0)
        run_import(i);
    if (i->child < 0) {
        say("cannot import: %m");
        i->child = 0;
        end_folder(i);
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
        say_of_user(i->uid,
                    "%s: not imported: autotune is neither beside autotune-collect nor in PATH, or "
                    "cannot run as the user that it should",
                    i->folder);
    else if (WIFEXITED(status))
        say_of_user(i->uid, "%s: the import ended with %d", i->folder, WEXITSTATUS(status));
    else
        say_of_user(i->uid, "%s: the import was killed by signal %d", i->folder, WTERMSIG(status));
}

void importer_reap(importer *i, double now)
{
    int status;

    if (i->child == 0 || waitpid(i->child, &status, WNOHANG) != i->child)
        return;
    i->child = 0;
    if (!WIFEXITED(status) || !lefts_settle(i->lefts, i->said, i->uid))
        say_why(i, status);
    end_folder(i);
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

importer *importer_new(const char *dir, const char *db, const collect_reader *reader, int seconds)
{
    importer *i = calloc(1, sizeof(*i));

    if (i == NULL)
        return NULL;
    i->dir = dir;
    i->db = db;
    i->reader = reader;
    i->seconds = seconds;
    i->said = -1;
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
    end_folder(i);
    end_round(i, 0);
    free(i);
}
