/* ELF files, as far as program.c must look into them.  Nothing of them is run, and anything may be
 * in them. */

#ifndef PROGRAM_ELF_H
#define PROGRAM_ELF_H

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

enum { PROGRAM_ELF_PARTS = 64 };

typedef struct program_elf {
    bool ours;                  /* of this machine's processor */
    bool dynamic;               /* has libraries, or can have */
    char interpreter[PATH_MAX]; /* its loader; "": none */
    ElfW(Phdr) parts[PROGRAM_ELF_PARTS];
    int count;
} program_elf;

/* The entries of its dynamic section, and the strings that they name. */
typedef struct program_dynamic {
    ElfW(Dyn) * entries; /* [count] */
    size_t count;
    char *strings; /* [size], a zero after them */
    size_t size;
} program_dynamic;

/* False if it is no ELF file, or a damaged one. */
bool program_elf_read(int file, program_elf *elf_p);

/* False if there is none, or a damaged one.  Give it back. */
bool program_dynamic_read(int file, const program_elf *elf, program_dynamic *dynamic_p);

void program_dynamic_release(program_dynamic *dynamic);

/* The string of the next entry with this tag from *at on, which moves behind it; NULL: no more. */
const char *program_dynamic_next(const program_dynamic *dynamic, ElfW(Sxword) tag, size_t *at);

/* Whether a library defines this symbol; if text_p is not NULL, the text that is its value, "" if
 * that is none. */
bool program_elf_defines(int file, const program_elf *elf, const char *symbol, size_t size,
                         char *text_p);

#endif /* PROGRAM_ELF_H */
