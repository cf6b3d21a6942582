/* Headers of ELF files. */

#include "program_elf.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

/* --- bytes of a file */

/* Reads a table, which must lie within the file, and appends a zero.  NULL if it cannot. */
static void *read_table(int file, uint64_t offset, uint64_t length)
{
    struct stat facts;
    char *table;

    if (fstat(file, &facts) != 0 || length == 0 || length > (uint64_t) facts.st_size ||
        offset > (uint64_t) facts.st_size - length)
        return NULL;
    table = malloc(length + 1);
    if (table == NULL)
        return NULL;
    if (pread(file, table, length, (off_t) offset) != (ssize_t) length) {
        free(table);
        return NULL;
    }
    table[length] = '\0';
    return table;
}

/* Where in the file an address of memory comes from. */
static bool find_address(const program_elf *elf, uint64_t address, uint64_t *offset_p)
{
    for (int i = 0; i < elf->count; i++) {
        const ElfW(Phdr) *part = &elf->parts[i];

        if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
            address - part->p_vaddr < part->p_filesz) {
            *offset_p = part->p_offset + (address - part->p_vaddr);
            return true;
        }
    }
    return false;
}

/* --- headers */

static bool read_head(int file, ElfW(Ehdr) * head_p)
{
    return pread(file, head_p, sizeof(*head_p), 0) == sizeof(*head_p) &&
           memcmp(head_p->e_ident, ELFMAG, SELFMAG) == 0;
}

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

    if (!read_head(file, &head))
        return false;
    elf.ours = head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_ident[EI_DATA] == ELFDATA2LSB &&
               (MACHINE == EM_NONE || head.e_machine == MACHINE);
    for (int i = 0; elf.ours && i < head.e_phnum && i < PROGRAM_ELF_PARTS; i++) {
        ElfW(Phdr) *part = &elf.parts[elf.count++];

        if (pread(file, part, sizeof(*part), (off_t) head.e_phoff + i * head.e_phentsize) !=
            sizeof(*part))
            return false;
        elf.dynamic = elf.dynamic || part->p_type == PT_DYNAMIC;
        if (part->p_type == PT_INTERP && !read_interpreter(file, part, &elf))
            return false;
    }
    *elf_p = elf;
    return true;
}

/* --- the dynamic section */

static bool read_entries(int file, const program_elf *elf, program_dynamic *dynamic)
{
    for (int i = 0; i < elf->count; i++)
        if (elf->parts[i].p_type == PT_DYNAMIC) {
            dynamic->entries = read_table(file, elf->parts[i].p_offset, elf->parts[i].p_filesz);
            dynamic->count = elf->parts[i].p_filesz / sizeof(*dynamic->entries);
            break;
        }
    return dynamic->entries != NULL;
}

static bool value_of(const program_dynamic *dynamic, ElfW(Sxword) tag, uint64_t *value_p)
{
    for (size_t i = 0; i < dynamic->count && dynamic->entries[i].d_tag != DT_NULL; i++)
        if (dynamic->entries[i].d_tag == tag) {
            *value_p = dynamic->entries[i].d_un.d_val;
            return true;
        }
    return false;
}

bool program_dynamic_read(int file, const program_elf *elf, program_dynamic *dynamic_p)
{
    program_dynamic dynamic = {.count = 0};
    uint64_t address, offset, size;

    if (read_entries(file, elf, &dynamic) && value_of(&dynamic, DT_STRTAB, &address) &&
        value_of(&dynamic, DT_STRSZ, &size) && find_address(elf, address, &offset)) {
        dynamic.strings = read_table(file, offset, size);
        dynamic.size = size;
    }
    if (dynamic.strings == NULL) {
        program_dynamic_release(&dynamic);
        return false;
    }
    *dynamic_p = dynamic;
    return true;
}

void program_dynamic_release(program_dynamic *dynamic)
{
    free(dynamic->entries);
    free(dynamic->strings);
}

const char *program_dynamic_next(const program_dynamic *dynamic, ElfW(Sxword) tag, size_t *at)
{
    while (*at < dynamic->count && dynamic->entries[*at].d_tag != DT_NULL) {
        const ElfW(Dyn) *entry = &dynamic->entries[(*at)++];

        if (entry->d_tag == tag && entry->d_un.d_val < dynamic->size)
            return dynamic->strings + entry->d_un.d_val;
    }
    return NULL;
}

/* --- symbols */

static bool read_section(int file, const ElfW(Ehdr) * head, unsigned number, ElfW(Shdr) * section_p)
{
    return number < head->e_shnum &&
           pread(file, section_p, sizeof(*section_p),
                 (off_t) (head->e_shoff + (uint64_t) number * head->e_shentsize)) ==
               sizeof(*section_p);
}

/* The dynamic symbols, and the section of their names. */
static bool find_symbols(int file, const ElfW(Ehdr) * head, ElfW(Shdr) * symbols_p,
                         ElfW(Shdr) * names_p)
{
    for (unsigned i = 0; read_section(file, head, i, symbols_p); i++)
        if (symbols_p->sh_type == SHT_DYNSYM)
            return read_section(file, head, symbols_p->sh_link, names_p);
    return false;
}

static const ElfW(Sym) * find_symbol(const ElfW(Sym) * symbols, size_t count, const char *names,
                                     size_t size, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < size &&
            strcmp(names + symbols[i].st_name, name) == 0)
            return &symbols[i];
    return NULL;
}

static void read_text(int file, const program_elf *elf, uint64_t address, size_t size, char *text_p)
{
    uint64_t offset;
    ssize_t length =
        find_address(elf, address, &offset) ? pread(file, text_p, size - 1, (off_t) offset) : 0;

    text_p[length > 0 ? length : 0] = '\0';
}

bool program_elf_defines(int file, const program_elf *elf, const char *symbol, size_t size,
                         char *text_p)
{
    ElfW(Ehdr) head;
    ElfW(Shdr) symbols, names;
    ElfW(Sym) *table = NULL;
    const ElfW(Sym) *found = NULL;
    char *strings = NULL;

    if (read_head(file, &head) && find_symbols(file, &head, &symbols, &names)) {
        table = read_table(file, symbols.sh_offset, symbols.sh_size);
        strings = read_table(file, names.sh_offset, names.sh_size);
    }
    if (table != NULL && strings != NULL)
        found =
            find_symbol(table, symbols.sh_size / sizeof(*table), strings, names.sh_size, symbol);
    if (found != NULL && text_p != NULL)
        read_text(file, elf, found->st_value, size, text_p);
    free(table);
    free(strings);
    return found != NULL;
}
