/*
 * A program's MPI library, read from the files that the dynamic loader would load.  Nothing of the
 * program is run, not even its loader, which it names itself.
 */

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program_elf.h"
#include "program_library.h"
#include "program_needs.h"

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

static const char *find_library(const char *path, program *p)
{
    program_needs needs;

    if (!program_needs_find(path, "/etc/ld.so.cache", &needs))
        return strerror(ENOMEM);
    for (int i = 0; i < needs.count; i++) {
        p->hdf5 = p->hdf5 || strstr(needs.paths[i], "/libhdf5") != NULL;
        if (p->mpi == PROGRAM_NO_MPI &&
            program_library_ask(needs.paths[i], &p->mpi, p->version, sizeof(p->version)))
            snprintf(p->library, sizeof(p->library), "%s", needs.paths[i]);
    }
    strcpy(p->missing, needs.missing);
    program_needs_release(&needs);
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
