/* An MPI library, loaded by a child that asks it. */

#include "program_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi.h"

/* MPI_MAX_LIBRARY_VERSION_STRING of any library, and more. */
enum { VERSION_MAX = 1 << 16 };

/* Whether a file has a text in it. */
static bool has_text(const char *path, const char *text)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts;
    bool found = false;

    if (file < 0)
        return false;
    if (fstat(file, &facts) == 0 && facts.st_size > 0) {
        void *bytes = mmap(NULL, (size_t) facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);

        if (bytes != MAP_FAILED) {
            found = memmem(bytes, (size_t) facts.st_size, text, strlen(text)) != NULL;
            munmap(bytes, (size_t) facts.st_size);
        }
    }
    close(file);
    return found;
}

/* Whether a function is of the library itself, and not of one that it needs. */
static bool is_of(const void *function, const char *path)
{
    struct stat one, other;
    Dl_info where;

    return function != NULL && dladdr(function, &where) != 0 && stat(where.dli_fname, &one) == 0 &&
           stat(path, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* In the child: its version, which may be asked for before MPI is initialised. */
static void tell(const char *path, int to)
{
    int (*get)(char *, int *) = NULL;
    char *version = calloc(1, VERSION_MAX);
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL), *found;
    int length = 0;

    if (library == NULL || version == NULL)
        _exit(1);
    found = dlsym(library, "PMPI_Get_library_version");
    if (!is_of(found, path))
        _exit(1);
    memcpy(&get, &found, sizeof(get));
    if (get(version, &length) != 0)
        _exit(1);
    _exit(write(to, version, strlen(version)) >= 0 ? 0 : 1);
}

static void ask_child(const char *path, char *version, size_t size)
{
    int ends[2], length = 0;
    pid_t child;

    version[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    child = fork();
    if (child == 0) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        tell(path, ends[1]);
    }
    close(ends[1]);
    if (child > 0) {
        length = (int) read(ends[0], version, size - 1);
        version[length > 0 ? length : 0] = '\0';
        while (waitpid(child, NULL, 0) < 0)
            ;
    }
    close(ends[0]);
}

/* Its first line, with single blanks. */
static void tidy(char *version)
{
    char *to = version;

    version[strcspn(version, "\n,")] = '\0';
    for (const char *from = version; *from != '\0'; from++) {
        char next = *from == '\t' ? ' ' : *from;

        if (next != ' ' || (to > version && to[-1] != ' '))
            *to++ = next;
    }
    *to = '\0';
}

static program_mpi family_of(const char *path, const char *version)
{
    if (abi_is_openmpi(version))
        return PROGRAM_OPEN_MPI;
    if (!abi_is_mpich(version))
        return PROGRAM_UNKNOWN_MPI;
    return has_text(path, "romio_autotune_status") ? PROGRAM_OURS : PROGRAM_MPICH_ABI;
}

bool program_library_ask(const char *path, program_mpi *mpi_p, char *version, size_t size)
{
    if (!has_text(path, "PMPI_Get_library_version"))
        return false; /* without loading it */
    ask_child(path, version, size);
    if (version[0] == '\0')
        return false;
    tidy(version);
    *mpi_p = family_of(path, version);
    return true;
}
