#include "program_library.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/abi.h"
#include "program_elf.h"

/* Whether a file has a text in it. */
static bool has_text(int file, const char *text)
{
    struct stat facts;
    bool found = false;

    if (fstat(file, &facts) == 0 && facts.st_size > 0) {
        void *bytes = mmap(NULL, (size_t) facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);

        if (bytes != MAP_FAILED) {
            found = memmem(bytes, (size_t) facts.st_size, text, strlen(text)) != NULL;
            munmap(bytes, (size_t) facts.st_size);
        }
    }
    return found;
}

/* The number of a version in a library: what of it is one. */
static void cut_number(char *text)
{
    size_t length = 0;

    while (isalnum((unsigned char) text[length]) ||
           (text[length] != '\0' && strchr(".-+", text[length])))
        length++;
    text[length] = '\0';
}

/* Family of an MPI library; those built from MPICH contain its name besides their own. */
static const char *family_of(int file)
{
    const char *family = NULL;

    for (size_t i = 0; i < ABI_MPICH_FAMILIES; i++)
        if (has_text(file, abi_mpich_families[i]))
            family = abi_mpich_families[i];
    return family;
}

static void ask_mpich(int file, const program_elf *elf, program_mpi *mpi_p, char *version,
                      size_t size)
{
    const char *family = family_of(file);
    char number[32] = "";

    if (family == NULL) {
        *mpi_p = PROGRAM_UNKNOWN_MPI;
        snprintf(version, size, "an MPI library that is not known here");
        return;
    }
    program_elf_defines(file, elf, "MPII_Version_string", sizeof(number), number);
    cut_number(number);
    *mpi_p = has_text(file, "romio_autotune_status") ? PROGRAM_OURS : PROGRAM_MPICH_ABI;
    snprintf(version, size, "%s%s%s", family, number[0] != '\0' ? " " : "", number);
}

static bool ask(int file, program_mpi *mpi_p, char *version, size_t size)
{
    program_elf elf;

    if (!program_elf_read(file, &elf) ||
        !program_elf_defines(file, &elf, "PMPI_Get_library_version", 0, NULL))
        return false;
    if (program_elf_defines(file, &elf, "ompi_mpi_comm_world", 0, NULL)) {
        *mpi_p = PROGRAM_OPEN_MPI;
        snprintf(version, size, "Open MPI");
    } else {
        ask_mpich(file, &elf, mpi_p, version, size);
    }
    return true;
}

bool program_library_ask(const char *path, program_mpi *mpi_p, char *version, size_t size)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool found = file >= 0 && ask(file, mpi_p, version, size);

    if (file >= 0)
        close(file);
    return found;
}
