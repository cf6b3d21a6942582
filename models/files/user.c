/* Names of users. */

#include "user.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* A file's lines, one after the other; what is longer than LINE is left out. */
enum { LINE = 1024 };

typedef struct lines {
    int file;
    char room[4096];
    size_t at, length;
} lines;

static int next_byte(lines *lines)
{
    if (lines->at == lines->length) {
        ssize_t got = read(lines->file, lines->room, sizeof(lines->room));

        if (got <= 0)
            return -1;
        lines->at = 0;
        lines->length = (size_t) got;
    }
    return (unsigned char) lines->room[lines->at++];
}

static bool next_line(lines *lines, char line_p[LINE])
{
    size_t length = 0;
    int byte;

    while ((byte = next_byte(lines)) >= 0 && byte != '\n')
        if (length < LINE)
            line_p[length++] = (char) byte;
    line_p[length < LINE ? length : 0] = '\0';
    return byte >= 0 || length > 0;
}

/* "name:password:number:..." */
static bool is_of(char *line, uid_t user)
{
    char *password = strchr(line, ':'), *number = NULL, *end;

    if (password != NULL)
        number = strchr(password + 1, ':');
    if (number == NULL || password == line || number[1] < '0' || number[1] > '9' ||
        strtoul(number + 1, &end, 10) != user || *end != ':')
        return false;
    *password = '\0';
    return true;
}

bool atm_user_in_file(const char *path, uid_t user, size_t size, char *name_p)
{
    lines lines = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    char line[LINE];
    bool found = false;

    if (lines.file < 0)
        return false;
    while (!found && next_line(&lines, line))
        found = is_of(line, user);
    close(lines.file);
    if (found)
        snprintf(name_p, size, "%s", line);
    return found;
}

/* What getpwuid loads may not fit a program that was linked statically. */
static bool ask(uid_t user, size_t size, char *name_p)
{
    char room[4096];
    struct passwd entry, *found = NULL;

    if (getauxval(AT_BASE) == 0 || getpwuid_r(user, &entry, room, sizeof(room), &found) != 0 ||
        found == NULL)
        return false;
    snprintf(name_p, size, "%s", found->pw_name);
    return true;
}

bool atm_user_find(uid_t user, size_t size, char *name_p)
{
    return atm_user_in_file("/etc/passwd", user, size, name_p) || ask(user, size, name_p);
}

void atm_user_name(size_t size, char *name_p)
{
    if (!atm_user_find(geteuid(), size, name_p))
        snprintf(name_p, size, "%lu", (unsigned long) geteuid());
}
