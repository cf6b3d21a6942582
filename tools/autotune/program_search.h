/* Where the dynamic loader finds libraries: its search, without running it. */

#ifndef PROGRAM_SEARCH_H
#define PROGRAM_SEARCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* ld.so.cache; {.text = NULL}: none. */
typedef struct program_cache {
    char *text;
    size_t length;
} program_cache;

void program_cache_read(const char *path, program_cache *cache_p);

void program_cache_release(program_cache *cache);

/* Lists of folders with colons between them, an empty one being this folder; NULL: none. */
typedef struct program_paths {
    const char *rpath;       /* of the one that needs a library, then of what needs that, ... */
    const char *environment; /* LD_LIBRARY_PATH */
    const char *runpath;     /* then rpath is not looked at */
    const program_cache *cache;
} program_paths;

/* The folders with origin instead of $ORIGIN; free it.  NULL: no memory. */
char *program_paths_expand(const char *folders, const char *origin);

/* The first file of that name that is a library of this machine, as ld.so(8) looks for it. */
bool program_search(const program_paths *paths, const char *name, char path_p[PATH_MAX]);

#endif /* PROGRAM_SEARCH_H */
