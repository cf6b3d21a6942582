/* Room on disk: how large files may be, and what that leaves out. */

#include "calibrate.h"

#include <stdio.h>
#include <unistd.h>

#define GIB (UINT64_C(1) << 30)
#define FILL_STEP 64e6 /* that a file which fills a cache may be larger, on a node */

static uint64_t reserve_of(const cal_facts *facts)
{
    return facts->all_bytes / 20 > GIB ? facts->all_bytes / 20 : GIB;
}

uint64_t room_for_files(const cal_facts *facts)
{
    uint64_t reserve = reserve_of(facts);

    return facts->free_bytes > reserve ? facts->free_bytes - reserve : 0;
}

/* The part of the room for a file that fills the cache: half of it for a cache whose
 * size is to be measured, nothing if it does not fit (visits.c, find_cache, says so). */
static uint64_t for_cache(const cal_session *session, uint64_t room)
{
    uint64_t cache = session->options->cache;
    double fill = (2.0 * (double) cache + FILL_STEP) * session->world->nodes;

    if (cache == CACHE_MEASURED)
        return room / 2;
    return cache > 0 && fill < (double) room ? (uint64_t) fill : 0;
}

static const char *words_of(plan_bound bound)
{
    return bound == PLAN_BY_ROOM     ? "free space"
           : bound == PLAN_BY_BUDGET ? "the budget"
                                     : "the buffers (four times their size)";
}

/* The sentence for people and for the points file. */
static atm_status describe(cal_session *session, const plan_job *job, plan_bound bound)
{
    plan_missing missing;
    atm_status status = plan_find_missing(job, &missing);
    char *text = session->left_out;
    size_t size = sizeof(session->left_out);
    int length;

    text[0] = '\0';
    if (status != ATM_OK || missing.by_memory + missing.by_disk == 0)
        return status;
    length = snprintf(text, size, "%d of %d points are left out",
                      missing.by_memory + missing.by_disk, missing.possible);
    if (missing.by_disk > 0)
        length += snprintf(text + length, size - (size_t) length,
                           "; %d need files larger than %.3g GB, the limit set by %s",
                           missing.by_disk, (double) job->disk / 1e9, words_of(bound));
    if (missing.by_memory > 0)
        snprintf(text + length, size - (size_t) length,
                 "; %d need more than %.3g GB of buffers on a node", missing.by_memory,
                 (double) job->memory / 1e9);
    return ATM_OK;
}

static uint64_t journal_bytes(const cal_options *options)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s.journal", options->out);
    return options->force ? 0 : journal_disk(path);
}

atm_status room_fit(cal_session *session, plan_job *job)
{
    uint64_t room = room_for_files(&session->facts), begun = journal_bytes(session->options);
    plan_bound bound;

    job->disk =
        plan_file_bytes(job, session->options->budget, room - for_cache(session, room), &bound);
    if (begun > 0)
        job->disk = begun;
    session->files.count = plan_files(job);
    return describe(session, job, bound);
}

bool room_check(const cal_session *session, int *code_p)
{
    const cal_facts *facts = &session->facts;
    const char *directory = session->options->directory;
    double room = (double) room_for_files(facts) + (double) scratch_bytes(session->options);
    double need = (double) session->files.disk * session->files.count;

    *code_p = 1;
    if (session->files.count > 0 && !session->measures_files) {
        fprintf(stderr,
                "autotune-calibrate: %s: no file fits: %.3g GB are free and %.3g GB must stay so; "
                "make room, name another directory, or measure communication alone "
                "(--only allreduce,allgather,alltoall,exchange,bcast)\n",
                directory, (double) facts->free_bytes / 1e9, (double) reserve_of(facts) / 1e9);
        return false;
    }
    if (need > room) { /* only what was begun when there was more */
        fprintf(
            stderr,
            "autotune-calibrate: %s: was begun with files of %.3g GB together, but only %.3g GB "
            "may be taken now; make room and give the same command, or start anew with "
            "--force\n",
            directory, need / 1e9, room / 1e9);
        return false;
    }
    return true;
}
