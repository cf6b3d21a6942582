/* Names of programs. */

#include "program_name.h"

#include <stdio.h>
#include <string.h>

static const char *without_folders(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* --- arguments; the last one may have been cut, and is then not looked at */

typedef struct words {
    const char *at, *end;
} words;

/* NULL: there is none. */
static const char *next(words *words)
{
    const char *word = words->at,
               *zero = word < words->end ? memchr(word, '\0', (size_t) (words->end - word)) : NULL;

    if (zero == NULL)
        return NULL;
    words->at = zero + 1;
    return word;
}

/* --- Python */

/* python, python3.11, pypy3 */
static bool is_python(const char *name)
{
    return begins(name, "python") || begins(name, "pypy");
}

/* Finds "script.py" in "python -u -W error script.py", and in "python -m mpi4py script.py" as well,
 * since mpi4py runs it; "package.module" in "python -m package.module".  NULL: a command or
 * standard input. */
static const char *script(words words)
{
    const char *word, *value;

    next(&words); /* python itself */
    while ((word = next(&words)) != NULL) {
        const char *letter = word + strcspn(word, "cmWX");

        if (word[0] != '-')
            return word;
        if (word[1] == '-' || (*letter == '\0' && word[1] != '\0'))
            continue;
        if (*letter == '\0' || *letter == 'c') /* standard input, a command */
            return NULL;
        value = letter[1] != '\0' ? letter + 1 : next(&words);
        if (*letter == 'm' && value != NULL && !begins(value, "mpi4py"))
            return value;
    }
    return NULL;
}

/* --- all programs */

/* Length without what Linux appends to the path of a deleted program. */
static size_t length_of(const char *name)
{
    static const char deleted[] = " (deleted)";
    size_t length = strlen(name), more = sizeof(deleted) - 1;

    return length > more && strcmp(name + length - more, deleted) == 0 ? length - more : length;
}

void atm_program_name(const char *exe, const char *arguments, size_t length, size_t size,
                      char *name_p)
{
    words all = {arguments, arguments + length}, rest = all;
    const char *first = next(&rest), *name, *script_name;

    name = without_folders(exe != NULL && exe[0] != '\0' ? exe : first != NULL ? first : "");
    script_name = is_python(name) ? script(all) : NULL;
    if (script_name != NULL && script_name[0] != '\0')
        name = without_folders(script_name);
    snprintf(name_p, size, "%.*s", (int) length_of(name), name);
}
