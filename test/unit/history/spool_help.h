/* What the tests of history share: spools as libautotune-watch.so would write them. */

#ifndef SPOOL_HELP_H
#define SPOOL_HELP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/spool_blocks.h"

enum { STARTED = 1000000000 }; /* ns of the monotonic clock */

static inline FILE *spool_begin(const char *path, uint64_t unique)
{
    atw_spool_head head = {.version = ATW_SPOOL_VERSION,
                           .order = ATW_SPOOL_ORDER,
                           .realtime = UINT64_C(1700000000000000000),
                           .monotonic = STARTED,
                           .pid = 4711,
                           .uid = (uint32_t) geteuid(),
                           .rank = -1,
                           .unique = unique};
    FILE *file;

    unlink(path); /* whoever it belonged to */
    file = fopen(path, "w");
    memcpy(head.magic, ATW_SPOOL_MAGIC, sizeof(head.magic));
    fwrite(&head, sizeof(head), 1, file);
    return file;
}

static inline void spool_block(FILE *file, uint32_t kind, uint32_t thread, const void *content,
                               size_t length)
{
    atw_spool_block block = {kind, thread, length};

    fwrite(&block, sizeof(block), 1, file);
    fwrite(content, 1, length, file);
    fwrite("\0\0\0\0\0\0\0", 1, (8 - length % 8) % 8, file);
}

static inline void spool_text(FILE *file, uint32_t kind, const char *text)
{
    spool_block(file, kind, 0, text, strlen(text));
}

static inline void spool_file(FILE *file, uint32_t number, const char *path)
{
    char content[8192];

    memcpy(content, &number, sizeof(number));
    memcpy(content + sizeof(number), path, strlen(path));
    spool_block(file, ATW_BLOCK_FILE, 0, content, sizeof(number) + strlen(path));
}

/* The usual beginning: who it is, two calls, two files. */
static inline FILE *spool_usual(const char *path, uint64_t unique)
{
    FILE *file = spool_begin(path, unique);

    spool_text(file, ATW_BLOCK_FACTS,
               "{\"program\": \"/opt/bin/vpic\", \"arguments\": [\"vpic\", \"-n\", \"1\"], "
               "\"host\": \"node01\", \"user\": \"ada\", \"job\": \"123\", \"rank\": 3, "
               "\"ranks\": 8}");
    spool_text(file, ATW_BLOCK_CALLS,
               "[[\"MPI_File_write_at\", \"mpi\"], [\"pwrite\", \"posix\"]]");
    spool_file(file, 1, "/scratch/field.1");
    spool_file(file, 2, "/scratch/field.2");
    return file;
}

/* Pairs of a write and the pwrite that it makes, which ends first. */
static inline void spool_activities(FILE *file, uint32_t thread, uint64_t first, int pairs)
{
    atw_activity *activities = calloc((size_t) pairs * 2, sizeof(*activities));

    for (int i = 0; i < pairs; i++) {
        uint64_t id = (uint64_t) thread << 40 | (first + 2 * (uint64_t) i);
        uint64_t start = STARTED + 1000 * (first + 2 * (uint64_t) i);
        atw_activity *inner = &activities[2 * i], *outer = inner + 1;

        *outer = (atw_activity){.id = id,
                                .start = start,
                                .end = start + 1900,
                                .offset = 4096 * i,
                                .bytes = 4096,
                                .file = 1 + (uint32_t) i % 2};
        *inner = *outer;
        inner->id = id + 1;
        inner->parent = id;
        inner->call = 1;
        inner->start += 100;
        inner->end -= 100;
    }
    spool_block(file, ATW_BLOCK_ACTIVITIES, thread, activities,
                (size_t) pairs * 2 * sizeof(*activities));
    free(activities);
}

static inline void spool_end(FILE *file)
{
    spool_block(file, ATW_BLOCK_END, 0, "", 0);
    fclose(file);
}

#endif /* SPOOL_HELP_H */
