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

static bool is_in_preload(const char *library)
{
    const char *list = getenv("LD_PRELOAD");

    return list != NULL && strstr(list, library) != NULL;
}

/* The words of "autotune run" in the command; NULL: it has none. */
static char *const *find_run(char *const *command)
{
    for (; command[0] != NULL && command[1] != NULL; command++)
        if (is_named(command[0], "autotune") && strcmp(command[1], "run") == 0)
            return command + 1;
    return NULL;
}

/* Finds an option, with its value if that is in the same word; NULL: there is none. */
static const char *find_option(char *const *run, const char *option)
{
    size_t length = strlen(option);

    for (; run != NULL && *run != NULL && strcmp(*run, "--") != 0; run++)
        if (strncmp(*run, option, length) == 0 && ((*run)[length] == '\0' || (*run)[length] == '='))
            return *run;
    return NULL;
}

/* Modules of the library that sees calls, if it is preloaded; NULL: it is not. */
static const char *find_modules(char *const *run)
{
    const char *option = find_option(run, "--watch"), *modules = getenv("ROMIO_AUTOTUNE_WATCH");

    if (option != NULL && strchr(option, '=') != NULL)
        return option;
    if (option == NULL && !is_in_preload("libautotune-watch"))
        return NULL;
    return modules != NULL ? modules : "";
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
    char *const *run = find_run(command);
    const char *modules = find_modules(run);
    launched l = {.name = NULL,
                  .preloads = (run != NULL && find_option(run, "--no-driver") == NULL) ||
                              is_in_preload("libromio-autotune"),
                  .watches = modules != NULL,
                  .hdf5 = modules != NULL && strstr(modules, "hdf5") != NULL};

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

bool launched_needs_hdf5(const launched *launched)
{
    return launched->name != NULL && !launched->watches &&
           launched->program.kind == PROGRAM_DYNAMIC && launched->program.hdf5;
}

/* autotune: this program, or beside it, as in a build tree; else as it was installed, or where a
 * package has put it. */
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
    if (access(path, X_OK) != 0)
        snprintf(path, size, "autotune");
}

/* Words that autotune run is told; returns how many. */
static int make_words(const launched_libraries *libraries, const char *words[])
{
    static char self[PATH_MAX];
    int count = 0;

    find_autotune(self, sizeof(self));
    words[count++] = self;
    words[count++] = "run";
    words[count++] = "--quiet";
    if (libraries->driver != NULL) {
        words[count++] = "--library";
        words[count++] = libraries->driver;
    } else {
        words[count++] = "--no-driver";
    }
    if (libraries->hdf5 != NULL) {
        words[count++] = "--watch=hdf5";
        words[count++] = "--watch-library";
        words[count++] = libraries->hdf5;
    }
    words[count++] = "--";
    return count;
}

static void tell(const launched *launched, const launched_libraries *libraries, const char *verb)
{
    if (libraries->driver != NULL)
        fprintf(stderr, "autotune %s: %s uses %s: the driver is preloaded, for all files\n", verb,
                launched->name, launched->program.version);
    if (libraries->hdf5 != NULL)
        fprintf(stderr, "autotune %s: %s uses HDF5: what sets it is preloaded\n", verb,
                launched->name);
}

char **launched_preload(const launched *launched, char *const *command,
                        const launched_libraries *libraries, const char *verb)
{
    const char *words[16];
    int before = make_words(libraries, words), count = 0;
    char **all;

    if (libraries->driver != NULL && access(libraries->driver, R_OK) != 0) {
        fprintf(
            stderr,
            "autotune %s: %s uses %s, for which the driver is preloaded, but %s: %s (--library)\n",
            verb, launched->name, launched->program.version, libraries->driver, strerror(errno));
        return NULL;
    }
    while (command[count] != NULL)
        count++;
    all = calloc((size_t) (before + count) + 1, sizeof(*all));
    if (all == NULL) {
        fprintf(stderr, "autotune %s: %s\n", verb, atm_status_text(ATM_NO_MEMORY));
        return NULL;
    }
    memcpy(all, words, (size_t) before * sizeof(*all));
    memcpy(all + before, command, (size_t) count * sizeof(*all));
    tell(launched, libraries, verb);
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
