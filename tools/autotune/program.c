/*
 * A program's MPI library: the dynamic loader says which libraries it would get, and each that
 * has MPI is asked for its version.
 */

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program_elf.h"
#include "program_library.h"

/* --- where it is */

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

/* As execvp looks for it; false: nowhere. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    const char *at = getenv("PATH");

    if (strchr(name, '/') != NULL)
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && access(path, F_OK) == 0;
    for (at = at != NULL ? at : "/bin:/usr/bin"; *at != '\0'; at += *at == ':') {
        int length = (int) strcspn(at, ":");

        if (snprintf(path, PATH_MAX, "%.*s/%s", length > 0 ? length : 1, length > 0 ? at : ".",
                     name) < PATH_MAX &&
            is_program(path))
            return true;
        at += length;
    }
    return false;
}

/* --- scripts */

static bool read_script(int file, program *p)
{
    char line[PATH_MAX];
    ssize_t length = pread(file, line, sizeof(line) - 1, 0);
    const char *word;

    if (length < 2 || memcmp(line, "#!", 2) != 0)
        return false;
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    word = line + 2 + strspn(line + 2, " \t");
    p->kind = PROGRAM_SCRIPT;
    snprintf(p->interpreter, sizeof(p->interpreter), "%s", word);
    return true;
}

/* --- libraries */

/* One line of the loader's: "libmpi.so.12 => /usr/lib/libmpi.so.12 (0x...)" */
static bool path_in_line(char *line, char path[PATH_MAX])
{
    char *from = strstr(line, "=> /");

    if (from == NULL)
        return false;
    from += 3;
    from[strcspn(from, " \n")] = '\0';
    return snprintf(path, PATH_MAX, "%s", from) < PATH_MAX;
}

/* Runs "LOADER --list PROGRAM", which starts nothing of the program. */
static FILE *list_libraries(const char *loader, const char *path, pid_t *child_p)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    *child_p = fork();
    if (*child_p == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(STDERR_FILENO);
        unsetenv("LD_PRELOAD");
        execl(loader, loader, "--list", path, (char *) NULL);
        _exit(127);
    }
    close(ends[1]);
    if (*child_p < 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}

static const char *find_library(const char *path, program *p)
{
    char line[2 * PATH_MAX], library[PATH_MAX];
    pid_t child = -1;
    FILE *list = list_libraries(p->interpreter, path, &child);
    int status = -1;

    if (list == NULL)
        return "its libraries cannot be listed";
    while (fgets(line, sizeof(line), list) != NULL)
        if (p->mpi == PROGRAM_NO_MPI && path_in_line(line, library) &&
            program_library_ask(library, &p->mpi, p->version, sizeof(p->version)))
            strcpy(p->library, library);
    fclose(list);
    if (waitpid(child, &status, 0) != child || status != 0)
        return "the dynamic loader does not start it: are all its libraries there?";
    return NULL;
}

/* --- together */

static const char *examine(int file, const char *path, program *p)
{
    program_elf elf;

    if (read_script(file, p))
        return NULL;
    if (!program_elf_read(file, &elf))
        return "is neither a program nor a script";
    if (!elf.ours)
        return "is a program for another machine";
    if (!elf.dynamic || elf.interpreter[0] == '\0') {
        p->kind = PROGRAM_STATIC;
        return NULL;
    }
    p->kind = PROGRAM_DYNAMIC;
    strcpy(p->interpreter, elf.interpreter);
    return find_library(path, p);
}

const char *program_examine(const char *name, program *program_p)
{
    program p = {.kind = PROGRAM_OTHER, .mpi = PROGRAM_NO_MPI};
    char path[PATH_MAX];
    const char *wrong;
    int file;

    if (!find_program(name, path))
        return "no such program";
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return strerror(errno);
    wrong = examine(file, path, &p);
    close(file);
    if (wrong == NULL)
        *program_p = p;
    return wrong;
}
