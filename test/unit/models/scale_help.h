/*
 * A job of any number of ranks without MPI, and the bytes that the library
 * allocates for it.  Linked with --wrap for malloc, calloc, realloc, strdup and
 * free.
 */

#ifndef SCALE_HELP_H
#define SCALE_HELP_H

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/place.h"
#include "place/where.h"

/* --- bytes */

static size_t live, peak; /* allocated and not freed, and the most of them so far */
static long allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);

static void *taken(void *memory)
{
    allocations++;
    live += malloc_usable_size(memory);
    peak = live > peak ? live : peak;
    return memory;
}

/* What others have allocated may be freed, too. */
static void given(void *memory)
{
    size_t bytes = malloc_usable_size(memory);

    live -= bytes < live ? bytes : live;
}

void *__wrap_malloc(size_t size)
{
    return taken(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return taken(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    given(old);
    return taken(__real_realloc(old, size));
}

char *__wrap_strdup(const char *text)
{
    return taken(__real_strdup(text));
}

void __wrap_free(void *memory)
{
    given(memory);
    __real_free(memory);
}

/* --- a job */

enum { SWITCH_NODES = 32, NAME_ROOM = 16 };

/* The name of each rank's node, as ROMIO gathers them. */
typedef struct scale_job {
    int ranks, nodes;
    char (*name)[NAME_ROOM]; /* [ranks] */
    const char **host;       /* [ranks] */
} scale_job;

/* Node after node is filled with ranks, or ranks are dealt out to the nodes. */
static inline bool scale_job_make(int ranks, int per_node, bool dealt, scale_job *job_p)
{
    scale_job job = {.ranks = ranks, .nodes = (ranks + per_node - 1) / per_node};

    job.name = __real_malloc((size_t) ranks * sizeof(*job.name));
    job.host = __real_malloc((size_t) ranks * sizeof(*job.host));
    if (job.name == NULL || job.host == NULL)
        return false;
    for (int i = 0; i < ranks; i++) {
        snprintf(job.name[i], NAME_ROOM, "nid%06d", dealt ? i % job.nodes : i / per_node);
        job.host[i] = job.name[i];
    }
    *job_p = job;
    return true;
}

static inline void scale_job_free(scale_job *job)
{
    __real_free(job->name);
    __real_free(job->host);
}

/* Its nodes on leaf switches. */
static inline bool scale_job_write(const scale_job *job, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        return false;
    for (int i = 0; i < job->nodes; i += SWITCH_NODES) {
        int end = i + SWITCH_NODES < job->nodes ? i + SWITCH_NODES : job->nodes;

        fprintf(file, "SwitchName=s%d Nodes=nid[%06d-%06d]\n", i, i, end - 1);
    }
    return fclose(file) == 0;
}

/* A collective write of 16 pieces of each rank, 1 MiB together. */
static inline atm_request scale_request(atm_driver driver, const atm_topology *topology,
                                        const atm_profile *profile)
{
    const uint64_t bytes = 1 << 20, ranks = (uint64_t) topology->ranks;
    atm_request request = {.driver = driver,
                           .mode = ATM_ENABLE,
                           .job = {.ranks = topology->ranks, .nodes = topology->nodes},
                           .access = {.write = true,
                                      .strided = true,
                                      .interleaved = true,
                                      .new_file = true,
                                      .active_ranks = topology->ranks,
                                      .bytes_min = bytes,
                                      .bytes_max = bytes,
                                      .bytes = bytes * ranks,
                                      .end = bytes * ranks - 1,
                                      .block = bytes / 16,
                                      .stride = bytes / 16 * ranks},
                           .new_layout = true};

    request.defaults = atm_default_config(driver, &request.job, profile);
    return request;
}

#endif /* SCALE_HELP_H */
