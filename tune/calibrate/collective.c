/* Collectives as two-phase I/O calls them; bytes as counts_add_collective has
 * them: allreduce and bcast of all, allgather of a rank, alltoall of a pair. */

#include "calibrate.h"

#include <errno.h>

typedef struct collective {
    MPI_Comm comm;
    int ranks, bytes, root;
    char *send, *receive;
} collective;

static int result(int rc)
{
    return rc == MPI_SUCCESS ? 0 : EIO;
}

static int run_allreduce(void *state, int repetition)
{
    collective *c = state;

    (void) repetition;
    return result(MPI_Allreduce(c->send, c->receive, c->bytes / 4, MPI_INT, MPI_MAX, c->comm));
}

static int run_allgather(void *state, int repetition)
{
    collective *c = state;

    (void) repetition;
    return result(
        MPI_Allgather(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->comm));
}

static int run_alltoall(void *state, int repetition)
{
    collective *c = state;

    (void) repetition;
    return result(
        MPI_Alltoall(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->comm));
}

/* The root changes: one root alone would run ahead of the others in a batch. */
static int run_bcast(void *state, int repetition)
{
    collective *c = state;

    (void) repetition;
    c->root = (c->root + 1) % c->ranks;
    return result(MPI_Bcast(c->send, c->bytes, MPI_BYTE, c->root, c->comm));
}

int measure_collective(const cal_place *place, double *seconds, int *count_p)
{
    static int (*const runs[])(void *, int) = {
        [ATM_ALLREDUCE] = run_allreduce,
        [ATM_ALLGATHER] = run_allgather,
        [ATM_ALLTOALL] = run_alltoall,
        [ATM_BCAST] = run_bcast,
    };
    const plan_point *point = place->point;
    size_t sent = point->operation == ATM_ALLTOALL ? point->bytes * (size_t) place->ranks
                                                   : (size_t) point->bytes;
    collective state = {.comm = place->comm,
                        .ranks = place->ranks,
                        .bytes = (int) point->bytes,
                        .send = place->buffer,
                        .receive = place->buffer + sent};
    cal_work work = {.comm = place->comm,
                     .batches = true,
                     .most = place->most + SAMPLE_WARM,
                     .state = &state,
                     .run = runs[point->operation]};

    return sample_work(&work, place->limit, seconds, place->most, count_p);
}
