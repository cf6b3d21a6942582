#include "program_search.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program_elf.h"
#include "value/value_text.h"

static bool is_library(const char *path)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    program_elf elf = {.ours = false};

    if (file < 0)
        return false;
    if (!program_elf_read(file, &elf))
        elf.ours = false;
    close(file);
    return elf.ours && elf.dynamic;
}

/* --- folders */

char *program_paths_expand(const char *folders, const char *origin)
{
    static const char *const names[] = {"$ORIGIN", "${ORIGIN}"};
    char *whole = NULL;
    size_t size;
    FILE *to = open_memstream(&whole, &size);

    if (to == NULL)
        return NULL;
    while (*folders != '\0') {
        int i = strncmp(folders, names[1], strlen(names[1])) == 0;

        if (strncmp(folders, names[i], strlen(names[i])) == 0) {
            fputs(origin, to);
            folders += strlen(names[i]);
        } else {
            fputc(*folders++, to);
        }
    }
    if (fclose(to) != 0) {
        free(whole);
        whole = NULL;
    }
    return whole;
}

static bool look_in(const char *folders, const char *name, char path_p[PATH_MAX])
{
    if (folders == NULL || *folders == '\0')
        return false;
    for (const char *at = folders;; at++) {
        int length = (int) strcspn(at, ":");

        if (snprintf(path_p, PATH_MAX, "%.*s/%s", length > 0 ? length : 1, length > 0 ? at : ".",
                     name) < PATH_MAX &&
            is_library(path_p))
            return true;
        at += length;
        if (*at == '\0')
            return false;
    }
}

/* --- ld.so.cache: dl-cache.h of glibc */

typedef struct cache_head {
    char magic[20]; /* "glibc-ld.so.cache1.1" */
    uint32_t count, strings;
    uint32_t more[5];
} cache_head;

typedef struct cache_entry {
    int32_t flags;
    uint32_t name, path; /* from the head on */
    uint32_t version;
    uint64_t hardware;
} cache_entry;

/* What is before it in caches for old loaders as well. */
typedef struct cache_old_head {
    char magic[12]; /* "ld.so-1.7.0" */
    uint32_t count;
} cache_old_head;

enum { OLD_ENTRY = 12 };

void program_cache_read(const char *path, program_cache *cache_p)
{
    *cache_p = (program_cache){.text = NULL};
    if (atm_text_read(path, NULL, &cache_p->text, &cache_p->length) != ATM_OK)
        *cache_p = (program_cache){.text = NULL};
    if (cache_p->length > 0)
        cache_p->text[cache_p->length - 1] = '\0'; /* the end of any string in it */
}

void program_cache_release(program_cache *cache)
{
    free(cache->text);
}

/* The head and what follows it; NULL: none that is known here. */
static const char *find_head(const program_cache *cache, cache_head *head_p, size_t *length_p)
{
    static const char magic[] = "glibc-ld.so.cache1.1";
    cache_old_head old;
    size_t from = 0;

    if (cache->text == NULL || cache->length < sizeof(old))
        return NULL;
    memcpy(&old, cache->text, sizeof(old));
    if (memcmp(old.magic, "ld.so-1.7.0", 11) == 0)
        from = (sizeof(old) + (size_t) old.count * OLD_ENTRY + 7) & ~(size_t) 7;
    if (from > cache->length || cache->length - from < sizeof(*head_p))
        return NULL;
    memcpy(head_p, cache->text + from, sizeof(*head_p));
    *length_p = cache->length - from;
    return memcmp(head_p->magic, magic, sizeof(head_p->magic)) == 0 ? cache->text + from : NULL;
}

static bool look_in_cache(const program_cache *cache, const char *name, char path_p[PATH_MAX])
{
    cache_head head;
    cache_entry entry;
    size_t length;
    const char *text = find_head(cache, &head, &length);

    for (uint32_t i = 0; text != NULL && i < head.count; i++) {
        size_t at = sizeof(head) + (size_t) i * sizeof(entry);

        if (at + sizeof(entry) > length)
            break;
        memcpy(&entry, text + at, sizeof(entry));
        if (entry.name < length && entry.path < length && strcmp(text + entry.name, name) == 0 &&
            snprintf(path_p, PATH_MAX, "%s", text + entry.path) < PATH_MAX && is_library(path_p))
            return true;
    }
    return false;
}

/* --- together */

#if defined(__x86_64__)
#define TRIPLET "x86_64-linux-gnu"
#else
#define TRIPLET "aarch64-linux-gnu"
#endif

bool program_search(const program_paths *paths, const char *name, char path_p[PATH_MAX])
{
    static const char folders[] =
        "/lib/" TRIPLET ":/usr/lib/" TRIPLET ":/lib64:/usr/lib64:/lib:/usr/lib";

    if (strchr(name, '/') != NULL)
        return snprintf(path_p, PATH_MAX, "%s", name) < PATH_MAX && is_library(path_p);
    return (paths->runpath == NULL && look_in(paths->rpath, name, path_p)) ||
           look_in(paths->environment, name, path_p) || look_in(paths->runpath, name, path_p) ||
           look_in_cache(paths->cache, name, path_p) || look_in(folders, name, path_p);
}
