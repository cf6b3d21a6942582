/*
 * A spool as lines, for tests: blocks are checked, activities are printed in the order of threads
 * and of their ends as
 *
 *     THREAD LAYER CALL PATH OFFSET BYTES ERROR PARENT [starts|completes]
 *
 * where PARENT is the call that it was made in, "-" if there is none.  dump --facts prints what the
 * spool says of its process, --surveys what modules tell.  Whatever is wrong ends it with 1; a
 * spool that does not end in order, with 3.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch/atw.h"

enum { MOST = 1 << 20 };

typedef struct spool {
    char *bytes;
    size_t length;
    const char *calls; /* JSON */
    size_t calls_length;
    char *paths[1 << 16];
    atw_activity *activities[MOST];
    uint32_t threads[MOST];
    size_t count;
    uint64_t dropped;
    bool ended;
} spool;

static spool s;
static const char *wanted = "";

static void wrong(const char *what, size_t at)
{
    fprintf(stderr, "dump: %s at %zu\n", what, at);
    exit(1);
}

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        wrong("cannot be read", 0);
    s.bytes = malloc(1 << 28);
    s.length = fread(s.bytes, 1, 1 << 28, file);
    fclose(file);
}

/* --- blocks */

static void take_activities(char *content, uint64_t bytes, uint32_t thread, size_t at)
{
    if (bytes % sizeof(atw_activity) != 0 || bytes == 0)
        wrong("activities of a broken size", at);
    if (s.calls == NULL)
        wrong("activities before the calls", at);
    for (uint64_t i = 0; i < bytes; i += sizeof(atw_activity)) {
        atw_activity *activity = (atw_activity *) (content + i);

        if (activity->file != 0 && s.paths[activity->file] == NULL)
            wrong("a file that was not named", at);
        if (activity->id >> 40 != thread || (activity->id & 0xffffffffff) == 0)
            wrong("an id of another thread", at);
        if (activity->end < activity->start)
            wrong("an end before its start", at);
        s.threads[s.count] = thread;
        s.activities[s.count++] = activity;
    }
}

static void take_file(const char *content, uint64_t bytes, size_t at)
{
    uint32_t number;

    if (bytes <= sizeof(number))
        wrong("a file without a name", at);
    memcpy(&number, content, sizeof(number));
    if (number == 0 || number >= 1 << 16 || s.paths[number] != NULL)
        wrong("a file that has another name", at);
    s.paths[number] = strndup(content + sizeof(number), bytes - sizeof(number));
}

static void take(const atw_spool_block *block, char *content, size_t at)
{
    uint64_t number;

    if (s.ended)
        wrong("a block after the end", at);
    switch (block->kind) {
        case ATW_BLOCK_FACTS:
            if (strcmp(wanted, "--facts") == 0)
                printf("%.*s\n", (int) block->bytes, content);
            break;
        case ATW_BLOCK_SURVEY:
            if (strcmp(wanted, "--surveys") == 0)
                printf("%.*s\n", (int) block->bytes, content);
            break;
        case ATW_BLOCK_CALLS:
            s.calls = content;
            s.calls_length = block->bytes;
            break;
        case ATW_BLOCK_FILE:
            take_file(content, block->bytes, at);
            break;
        case ATW_BLOCK_ACTIVITIES:
            take_activities(content, block->bytes, block->thread, at);
            break;
        case ATW_BLOCK_DROPPED:
            memcpy(&number, content, sizeof(number));
            s.dropped += number;
            break;
        case ATW_BLOCK_END:
            s.ended = true;
            break;
        default:
            wrong("a block of no known kind", at);
    }
}

static void take_all(void)
{
    atw_spool_head head;
    size_t at = sizeof(head);

    memcpy(&head, s.bytes, sizeof(head));
    if (s.length < sizeof(head) || memcmp(head.magic, ATW_SPOOL_MAGIC, 8) != 0 ||
        head.version != ATW_SPOOL_VERSION || head.order != ATW_SPOOL_ORDER || head.unique == 0)
        wrong("no head", 0);
    while (at < s.length) {
        atw_spool_block block;
        size_t padded;

        if (s.length - at < sizeof(block))
            wrong("a block that is cut off", at);
        memcpy(&block, s.bytes + at, sizeof(block));
        padded = (block.bytes + 7) / 8 * 8;
        if (s.length - at - sizeof(block) < padded)
            wrong("a block that is cut off", at);
        take(&block, s.bytes + at + sizeof(block), at);
        at += sizeof(block) + padded;
    }
}

/* --- lines */

/* [["open", "posix"], ...]: the names of one, quotes and all. */
static void names_of(unsigned call, char *name, char *layer)
{
    const char *at = s.calls + 1, *end = s.calls + s.calls_length;

    for (; at < end; at++)
        if (*at == '[' && call-- == 0)
            break;
    if (at >= end || sscanf(at, "[\"%63[^\"]\", \"%15[^\"]\"]", name, layer) != 2)
        wrong("a call without a name", 0);
}

static const char *parent_of(const atw_activity *activity, char *name)
{
    char layer[16];

    if (activity->parent == 0)
        return "-";
    for (size_t i = 0; i < s.count; i++)
        if (s.activities[i]->id == activity->parent) {
            names_of(s.activities[i]->call, name, layer);
            return name;
        }
    return "lost";
}

static void print(size_t i)
{
    const atw_activity *a = s.activities[i];
    char name[64], layer[16], parent[64];

    names_of(a->call, name, layer);
    printf("%" PRIu32 " %s %s %s %" PRId64 " %" PRIu64 " %d %s%s\n", s.threads[i], layer, name,
           a->file != 0 ? s.paths[a->file] : "-", a->offset, a->bytes, a->error,
           parent_of(a, parent),
           a->flags & ATW_STARTS      ? " starts"
           : a->flags & ATW_COMPLETES ? " completes"
                                      : "");
}

int main(int argc, char **argv)
{
    if (argc == 3)
        wanted = argv[1];
    else if (argc != 2)
        wrong("usage: dump [--facts|--surveys] SPOOL", 0);
    load(argv[argc - 1]);
    take_all();
    for (uint32_t thread = 0, left = (uint32_t) s.count; left > 0 && wanted[0] == '\0'; thread++)
        for (size_t i = 0; i < s.count; i++)
            if (s.threads[i] == thread) {
                print(i);
                left--;
            }
    if (s.dropped > 0 && wanted[0] == '\0')
        printf("dropped %" PRIu64 "\n", s.dropped);
    return s.ended ? 0 : 3;
}
