#include "program_needs.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program_elf.h"
#include "program_search.h"

enum { MOST = 4096 };

/* The program, and each library after what needs it. */
typedef struct needed {
    char *name; /* as it is asked for; of the program, NULL */
    char *path;
    char *rpath; /* its own and those of what needs it; or NULL */
} needed;

typedef struct walk {
    needed at[MOST];
    int count;
    program_cache cache;
    char missing[256];
    bool failed; /* no memory */
} walk;

/* --- what one of them says */

static char *origin_of(const char *path)
{
    char *whole = realpath(path, NULL), *slash = whole != NULL ? strrchr(whole, '/') : NULL;

    if (slash != NULL)
        slash[slash == whole] = '\0';
    return whole;
}

/* The first entry with a tag, expanded; free it. */
static char *folders_of(const program_dynamic *dynamic, ElfW(Sxword) tag, const char *origin)
{
    size_t at = 0;
    const char *folders = program_dynamic_next(dynamic, tag, &at);

    return folders != NULL ? program_paths_expand(folders, origin != NULL ? origin : ".") : NULL;
}

/* "own:others", either of which may be NULL. */
static char *join(char *own, const char *others)
{
    char *both = NULL;

    if (own == NULL || others == NULL)
        return own == NULL && others != NULL ? strdup(others) : own;
    if (asprintf(&both, "%s:%s", own, others) < 0)
        both = NULL;
    free(own);
    return both;
}

/* --- the walk */

static bool is_known(const walk *walk, const char *name)
{
    for (int i = 1; i < walk->count; i++)
        if (strcmp(walk->at[i].name, name) == 0)
            return true;
    return false;
}

static bool is_there(const walk *walk, const char *path)
{
    for (int i = 0; i < walk->count; i++)
        if (strcmp(walk->at[i].path, path) == 0)
            return true;
    return false;
}

static void add(walk *walk, const char *name, const program_paths *paths, const char *rpath)
{
    needed found = {.rpath = NULL};
    char path[PATH_MAX];

    if (is_known(walk, name) || walk->count == MOST)
        return;
    if (!program_search(paths, name, path)) {
        if (walk->missing[0] == '\0')
            snprintf(walk->missing, sizeof(walk->missing), "%s", name);
        return;
    }
    if (is_there(walk, path))
        return;
    found.name = strdup(name);
    found.path = strdup(path);
    found.rpath = rpath != NULL ? strdup(rpath) : NULL;
    walk->failed |= found.name == NULL || found.path == NULL;
    if (!walk->failed)
        walk->at[walk->count++] = found;
}

static void add_needs(walk *walk, int number, const program_dynamic *dynamic)
{
    char *origin = origin_of(walk->at[number].path);
    program_paths paths = {.environment = getenv("LD_LIBRARY_PATH"), .cache = &walk->cache};
    char *runpath = folders_of(dynamic, DT_RUNPATH, origin), *rpath = NULL;
    const char *name;

    if (runpath == NULL)
        rpath = folders_of(dynamic, DT_RPATH, origin);
    rpath = join(rpath, walk->at[number].rpath);
    paths.rpath = runpath == NULL ? rpath : NULL;
    paths.runpath = runpath;
    for (size_t at = 0; (name = program_dynamic_next(dynamic, DT_NEEDED, &at)) != NULL;)
        add(walk, name, &paths, rpath);
    free(origin);
    free(runpath);
    free(rpath);
}

static void look_into(walk *walk, int number)
{
    int file = open(walk->at[number].path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    program_dynamic dynamic;
    program_elf elf;

    if (file < 0)
        return;
    if (program_elf_read(file, &elf) && program_dynamic_read(file, &elf, &dynamic)) {
        add_needs(walk, number, &dynamic);
        program_dynamic_release(&dynamic);
    }
    close(file);
}

/* Their paths are the list's from now on. */
static void hand_over(walk *walk, program_needs *needs)
{
    for (int i = 1; i < walk->count; i++) {
        needs->paths[needs->count++] = walk->at[i].path;
        walk->at[i].path = NULL;
    }
    strcpy(needs->missing, walk->missing);
}

static void release(walk *walk)
{
    for (int i = 0; i < walk->count; i++) {
        free(walk->at[i].name);
        free(walk->at[i].path);
        free(walk->at[i].rpath);
    }
    program_cache_release(&walk->cache);
    free(walk);
}

bool program_needs_find(const char *program, const char *cache, program_needs *needs_p)
{
    walk *walk = calloc(1, sizeof(*walk));
    program_needs needs = {.paths = NULL};

    if (walk == NULL)
        return false;
    program_cache_read(cache, &walk->cache);
    walk->at[0].path = strdup(program);
    walk->count = walk->at[0].path != NULL;
    for (int i = 0; i < walk->count; i++)
        look_into(walk, i);
    if (walk->count > 0 && !walk->failed)
        needs.paths = calloc((size_t) walk->count, sizeof(*needs.paths));
    if (needs.paths != NULL) {
        hand_over(walk, &needs);
        *needs_p = needs;
    }
    release(walk);
    return needs.paths != NULL;
}

void program_needs_release(program_needs *needs)
{
    for (int i = 0; i < needs->count; i++)
        free(needs->paths[i]);
    free(needs->paths);
}
