/* Which program a command starts, and with the driver preloaded. */

#include "launched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atm.h"
#include "preloaded.h"

static bool is_named(const char *word, const char *name)
{
    const char *slash = strrchr(word, '/');

    return strcmp(slash != NULL ? slash + 1 : word, name) == 0;
}

static bool is_preloaded(char *const *command)
{
    const char *list = getenv("LD_PRELOAD");

    for (int i = 0; command[i] != NULL && command[i + 1] != NULL; i++)
        if (is_named(command[i], "autotune") && strcmp(command[i + 1], "run") == 0)
            return true;
    return list != NULL && strstr(list, "libromio-autotune") != NULL;
}

/* Arguments are not opened unless they could be started: one may be a pipe. */
static bool may_be_program(const char *word)
{
    struct stat facts;

    if (word[0] == '-')
        return false;
    return strchr(word, '/') == NULL ||
           (stat(word, &facts) == 0 && S_ISREG(facts.st_mode) && access(word, X_OK) == 0);
}

/* Launchers, scripts and arguments are no programs with an MPI library. */
void launched_examine(char *const *command, launched *launched_p)
{
    launched l = {.name = NULL, .preloads = is_preloaded(command)};

    for (int i = 0; command[i] != NULL && l.name == NULL; i++)
        if (may_be_program(command[i]) && program_examine(command[i], &l.program) == NULL &&
            l.program.mpi != PROGRAM_NO_MPI)
            l.name = command[i];
    *launched_p = l;
}

bool launched_needs_preload(const launched *launched)
{
    return launched->name != NULL && !launched->preloads &&
           (launched->program.mpi == PROGRAM_MPICH_ABI ||
            launched->program.mpi == PROGRAM_OPEN_MPI);
}

/* autotune: this program, or beside it, as in a build tree. */
static void find_autotune(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    char *slash;

    path[length > 0 ? length : 0] = '\0';
    slash = strrchr(path, '/');
    if (slash != NULL)
        snprintf(slash + 1, size - (size_t) (slash + 1 - path), "autotune");
    if (slash == NULL || access(path, X_OK) != 0)
        snprintf(path, size, "%s/autotune", BINDIR);
}

char **launched_preload(const launched *launched, char *const *command, const char *library,
                        const char *verb)
{
    static char self[PATH_MAX], named[PATH_MAX];
    char *before[] = {self,  (char *) "run", (char *) "--quiet", (char *) "--library",
                      named, (char *) "--"};
    enum { BEFORE = sizeof(before) / sizeof(before[0]) };
    int count = 0;
    char **all;

    find_autotune(self, sizeof(self));
    library = library != NULL ? library : PRELOADED_LIBRARY;
    snprintf(named, sizeof(named), "%s", library);
    if (access(library, R_OK) != 0) {
        fprintf(
            stderr,
            "autotune %s: %s uses %s, for which the driver is preloaded, but %s: %s (--library)\n",
            verb, launched->name, launched->program.version, library, strerror(errno));
        return NULL;
    }
    while (command[count] != NULL)
        count++;
    all = calloc((size_t) count + BEFORE + 1, sizeof(*all));
    if (all == NULL) {
        fprintf(stderr, "autotune %s: %s\n", verb, atm_status_text(ATM_NO_MEMORY));
        return NULL;
    }
    memcpy(all, before, sizeof(before));
    memcpy(all + BEFORE, command, (size_t) count * sizeof(*all));
    fprintf(stderr, "autotune %s: %s uses %s: the driver is preloaded, for all files\n", verb,
            launched->name, launched->program.version);
    return all;
}

const char *launched_absent(const launched *launched)
{
    if (launched->name == NULL && !launched->preloads)
        return "no program in the command is seen to have an MPI library: if a script starts it, "
               "put \"autotune run --\" before what the script starts";
    if (launched->program.mpi == PROGRAM_UNKNOWN_MPI)
        return "the ABI of its MPI library is not known here";
    if (launched->program.mpi == PROGRAM_OURS && !launched->preloads)
        return "it opened no file through autotune: (--force sends all files there)";
    return "it opened no file with MPI-IO";
}
