/* Which bursts show what caches hold, and how storage is measured then. */

#include "calibrate.h"

#include <math.h>
#include <stdio.h>

#define CACHE_PART 0.1    /* of a budget that the cache may take: to measure, and to fill */
#define CACHE_SECONDS 120 /* without one */
#define FASTER 1.5        /* rates that differ by less may be the same */

/* Bytes of a write that are enough to see what it takes, at most: less where the disks would have
 * to work on it for longer than a part of the time. */
#define STEP_MAX (8.0 * 1024 * 1024)
#define STEP_MIN 65536.0
#define STEP_PART 0.01

enum { KINDS = 5, AGAIN = CAL_CACHES - KINDS };

typedef struct kind {
    int writers, stripes;
} kind;

/* All ranks first, which tells whether there is a cache, then fewer of them; where files have
 * stripes, also more of these, each with a cache of its own or not.  Then all again: where a
 * kernel stops writers depends on what it saw of them before, by a tenth of the capacity. */
static int list_kinds(const cal_session *session, kind kinds[CAL_CACHES])
{
    const cal_world *world = session->world;
    const kind all[KINDS] = {
        {world->ranks, 1}, {world->ranks, 2}, {world->nodes, 1}, {1, 1}, {world->ranks, 4}};
    int servers = session->files.servers, count = 0;

    for (int i = 0; i < KINDS; i++) {
        bool known = all[i].stripes > servers;

        for (int k = 0; k < count; k++)
            known |= kinds[k].writers == all[i].writers && kinds[k].stripes == all[i].stripes;
        if (!known)
            kinds[count++] = all[i];
    }
    for (int i = 0; i < AGAIN; i++)
        kinds[count++] = kinds[0];
    return count;
}

/* Notes what a burst showed, and what has to drain before the next one. */
static void note(cal_session *session, const cal_burst *how, const cal_cache *cache)
{
    session->caches[session->cache_count++] =
        (points_cache){.nodes = session->world->nodes,
                       .writers = how->writers,
                       .round = (double) how->step * how->writers,
                       .servers = how->stripes,
                       .bytes = cache->bytes,
                       .rate = cache->rate,
                       .knee = cache->knee};
    session->files.level = cache->bytes;
    session->files.level_at = MPI_Wtime();
    session->files.rate = cache->rate;
}

/* Fewer ranks cannot write to the same disks faster than all of them: if it seems so, something
 * else has slowed them down, as memory that the host of a virtual machine has to find. */
static bool can_drain(const kind *few, const kind *all, double rate, double rate_of_all)
{
    return few->stripes != all->stripes || rate < FASTER * rate_of_all;
}

static uint64_t step_of(const cal_session *session, double most)
{
    double bytes = STEP_PART * most * session->schedule.options.look.all / session->world->ranks;

    return (uint64_t) (fmax(STEP_MIN, fmin(bytes, STEP_MAX)) / STEP_MIN) * (uint64_t) STEP_MIN;
}

/* Within so many seconds, if the next takes no longer than the first, that of all ranks; what that
 * showed. */
static int measure(cal_session *session, double most, cal_cache *all_p)
{
    const cal_world *world = session->world;
    double start = MPI_Wtime(), spent = 0, first = 0;
    kind kinds[CAL_CACHES];
    int count = list_kinds(session, kinds);
    uint64_t step = step_of(session, most);
    int code = 0;

    for (int i = 0; code == 0 && i < count && spent + first < most; i++) {
        cal_burst how = {kinds[i].writers, kinds[i].stripes, step, (most - spent) / 2,
                         room_for_files(&session->facts) / 2};
        cal_cache cache = {0};

        code = cache_drain(world->comm, &session->files);
        if (code == 0)
            code = cache_measure(world, &session->files, &how, &cache);
        if (i == 0)
            *all_p = cache;
        if (code != 0 || (cache.bytes == 0 && i == 0))
            break;
        if (cache.bytes > 0 && can_drain(&kinds[i], &kinds[0], cache.rate, all_p->rate))
            note(session, &how, &cache);
        spent = MPI_Wtime() - start;
        MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, world->comm); /* clocks differ */
        first = i == 0 ? spent : first;
    }
    return code;
}

/* Writes faster than the disk go to a cache: how much goes there and how fast it drains
 * is measured, and from then on writes with room in it.  Where that is not what is planned,
 * twice the cache is written first, to see the disk's speed. */
int bursts_find_cache(cal_session *session)
{
    const cal_options *options = session->options;
    double nodes = session->world->nodes, budget = options->budget, fill;
    double most = budget > 0 ? budget * CACHE_PART : CACHE_SECONDS;
    cal_cache all = {0};
    uint64_t cache;
    int code = 0;

    if (options->cache == 0) {
        snprintf(session->storage, sizeof(session->storage), "cached, as requested");
        return 0;
    }
    if (options->cache == CACHE_MEASURED && !session->schedule.options.look.cached) {
        snprintf(session->storage, sizeof(session->storage),
                 "as it is: writes end when the file system has them on its disks");
        return 0;
    }
    if (options->cache != CACHE_MEASURED)
        all.bytes = (double) options->cache * nodes;
    else
        code = measure(session, most, &all);
    if (code != 0)
        return code;
    cache = (uint64_t) all.bytes;
    fill = 2 * all.bytes / (all.rate > 0 ? all.rate : 4e8 * nodes);
    if (cache == 0)
        snprintf(session->storage, sizeof(session->storage),
                 "cached: the cache size was not found within the time and space available");
    else if (2.0 * (double) cache + (double) session->files.disk * session->files.count >
             (double) room_for_files(&session->facts))
        snprintf(session->storage, sizeof(session->storage),
                 "cached: there is no room for twice a cache of %.1f GB", (double) cache / 1e9);
    else if (budget > 0 && fill > most)
        snprintf(session->storage, sizeof(session->storage),
                 "cached: filling a cache of %.1f GB takes too much of the budget",
                 (double) cache / 1e9);
    else {
        bool absorb = (options->only >> ATM_WRITE_DRAINED & 1) != 0 && session->cache_count > 0;

        snprintf(session->storage, sizeof(session->storage),
                 absorb ? "with room in a cache of %.1f GB, and with that full"
                        : "through a cache of %.1f GB: twice as much is written first",
                 (double) cache / 1e9);
        session->files.cache = cache;
        session->files.rate = all.rate;
        session->files.absorb = absorb;
    }
    return 0;
}
