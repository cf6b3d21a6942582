/* Which bursts show what caches hold. */

#include "calibrate.h"

typedef struct kind {
    int writers, stripes;
} kind;

/* All ranks first, which tells whether there is a cache, then fewer of them; where files have
 * stripes, also more of these, each with a cache of its own or not. */
static int list_kinds(const cal_session *session, kind kinds[CAL_CACHES])
{
    const cal_world *world = session->world;
    const kind all[CAL_CACHES] = {
        {world->ranks, 1}, {world->ranks, 2}, {world->nodes, 1}, {1, 1}, {world->ranks, 4}};
    int servers = session->files.servers, count = 0;

    for (int i = 0; i < CAL_CACHES; i++) {
        bool known = all[i].stripes > servers;

        for (int k = 0; k < count; k++)
            known |= kinds[k].writers == all[i].writers && kinds[k].stripes == all[i].stripes;
        if (!known)
            kinds[count++] = all[i];
    }
    return count;
}

static void note(cal_session *session, const cal_burst *how, uint64_t cache, double rate)
{
    session->caches[session->cache_count++] =
        (points_cache){.nodes = session->world->nodes,
                       .writers = how->writers,
                       .round = (double) how->step * how->writers,
                       .servers = how->stripes,
                       .bytes = (double) cache,
                       .rate = rate};
}

int bursts_measure(cal_session *session, double most, uint64_t *cache_p, double *rate_p)
{
    const cal_world *world = session->world;
    double start = MPI_Wtime(), spent = 0, rate;
    kind kinds[CAL_CACHES];
    int count = list_kinds(session, kinds);
    uint64_t step = 0, cache;
    int code = cache_step(world, &session->files, &step);

    for (int i = 0; code == 0 && i < count && spent < most / 2; i++) {
        cal_burst how = {kinds[i].writers, kinds[i].stripes, step, (most - spent) / 2,
                         room_for_files(&session->facts) / 2};

        code = cache_drain(world->comm, &session->files);
        if (code == 0)
            code = cache_measure(world, &session->files, &how, &cache, &rate);
        if (code != 0 || (cache == 0 && i == 0))
            break;
        if (cache > 0) {
            note(session, &how, cache, rate);
            session->files.level = (double) cache; /* to drain before the next */
            session->files.level_at = MPI_Wtime();
            session->files.rate = rate;
        }
        if (i == 0) {
            *cache_p = cache;
            *rate_p = rate;
        }
        spent = MPI_Wtime() - start;
        MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, world->comm); /* clocks differ */
    }
    return code;
}
