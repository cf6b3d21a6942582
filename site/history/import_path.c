/* One name for each file: programs use relative ones, and MPI's may have a driver's prefix. */

#include <stdint.h>

#include "import_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a driver's prefix, as MPI_File_open takes it */

static size_t prefix_of(const char *name)
{
    static const char *const drivers[] = {"autotune", "ufs",    "nfs", "lustre",    "gpfs",
                                          "daos",     "testfs", "ime", "quobytefs", "pvfs2",
                                          "xfs",      "panfs",  NULL};

    for (int i = 0; drivers[i] != NULL; i++) {
        size_t length = strlen(drivers[i]);

        if (strncmp(name, drivers[i], length) == 0 && name[length] == ':')
            return length + 1;
    }
    return 0;
}

/* "/run" and "x" of "/run/autotune:x", as a library that knows no drivers has it. */
static const char *without_prefix(char *name)
{
    for (char *at = name; (at = strchr(at, ':')) != NULL; at++) {
        char *begin = at;
        size_t length;

        while (begin > name && begin[-1] != '/')
            begin--;
        length = prefix_of(begin);
        if (length == 0 || begin[length] == '\0')
            continue;
        if (begin == name || begin[length] == '/')
            return begin + length;
        memmove(begin, begin + length, strlen(begin + length) + 1);
        return name;
    }
    return name;
}

/* --- from the root */

/* "pipe:[17]", "anon_inode:..." and "unknown" are none. */
static bool is_relative(const char *name)
{
    return name[0] != '/' && name[0] != '\0' && strchr(name, ':') == NULL &&
           strcmp(name, "unknown") != 0;
}

/* In place; ".." of what is a link may be elsewhere, which nobody can tell later. */
static void tidy(char *path)
{
    char *to = path;

    for (const char *from = path; *from != '\0';) {
        size_t length;

        while (*from == '/')
            from++;
        length = strcspn(from, "/");
        if (length == 2 && from[0] == '.' && from[1] == '.') {
            while (to > path && *--to != '/')
                ;
        } else if (length > 0 && !(length == 1 && from[0] == '.')) {
            *to++ = '/';
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
}

char *import_path(const char *directory, const char *name, size_t length)
{
    char *clean = ath_clean(name, length), *path = NULL;
    const char *bare = clean != NULL ? without_prefix(clean) : NULL;

    if (bare == NULL)
        return NULL;
    if (is_relative(bare) && directory != NULL && directory[0] == '/') {
        if (asprintf(&path, "%s/%s", directory, bare) < 0)
            path = NULL;
    } else {
        path = strdup(bare);
    }
    free(clean);
    if (path != NULL && path[0] == '/')
        tidy(path);
    return path;
}
