#include "ad_autotune_record.h"

#include "adioi.h"
#include "files/program.h"
#include "files/user.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

/* Bytes of a file of /proc, as many as there are. */
static size_t read_some(const char *path, size_t size, char *text_p)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text_p, size) : -1;

    if (file >= 0)
        close(file);
    return length > 0 ? (size_t) length : 0;
}

/* As the kernel knows it, which a program cannot change, whatever language it is written in. */
static void find_program(size_t size, char *name_p)
{
    char exe[PATH_MAX], arguments[4096];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

    exe[length > 0 ? length : 0] = '\0';
    atm_program_name(exe, arguments, read_some("/proc/self/cmdline", sizeof(arguments), arguments),
                     size, name_p);
}

void ADIOI_AUTOTUNE_who(size_t program_size, char *program_p, size_t user_size, char *user_p)
{
    atm_user_name(user_size, user_p);
    find_program(program_size, program_p);
}
