/* Headers of ELF files. */

#include "program_elf.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

static bool read_interpreter(int file, const ElfW(Phdr) * part, program_elf *elf)
{
    size_t length = part->p_filesz;

    if (length == 0 || length > sizeof(elf->interpreter) ||
        pread(file, elf->interpreter, length, (off_t) part->p_offset) != (ssize_t) length)
        return false;
    elf->interpreter[length - 1] = '\0';
    return true;
}

bool program_elf_read(int file, program_elf *elf_p)
{
    program_elf elf = {.ours = false};
    ElfW(Ehdr) head;

    if (pread(file, &head, sizeof(head), 0) != sizeof(head) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    elf.ours = head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_ident[EI_DATA] == ELFDATA2LSB &&
               (MACHINE == EM_NONE || head.e_machine == MACHINE);
    for (int i = 0; elf.ours && i < head.e_phnum; i++) {
        ElfW(Phdr) part;

        if (pread(file, &part, sizeof(part), (off_t) head.e_phoff + i * head.e_phentsize) !=
            sizeof(part))
            return false;
        elf.dynamic = elf.dynamic || part.p_type == PT_DYNAMIC;
        if (part.p_type == PT_INTERP && !read_interpreter(file, &part, &elf))
            return false;
    }
    *elf_p = elf;
    return true;
}
