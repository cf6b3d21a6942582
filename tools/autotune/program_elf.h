/* ELF files, as far as program.c must look into them. */

#ifndef PROGRAM_ELF_H
#define PROGRAM_ELF_H

#include <limits.h>
#include <stdbool.h>

typedef struct program_elf {
    bool ours;                  /* of this machine's processor */
    bool dynamic;               /* has libraries, or can have */
    char interpreter[PATH_MAX]; /* its loader; "": none */
} program_elf;

/* False if it is no ELF file, or a damaged one. */
bool program_elf_read(int file, program_elf *elf_p);

#endif /* PROGRAM_ELF_H */
