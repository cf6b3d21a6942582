/*
 * A round's data exchange.  Ranks on the side that has all ranks exchange
 * point->fan messages each, with the aggregators that follow their own; by
 * Irecv, Isend and Waitall as ADIOI_W_Exchange_data does (ad_write_coll.c:555),
 * or on GPFS by one alltoallv (ad_gpfs_wrcoll.c:1500).  Reads are the mirror.
 *
 * Aggregators have the same buffer in every round, but ranks another part of their data.
 */

#include "calibrate.h"

#include <errno.h>
#include <stdlib.h>

typedef struct exchange {
    MPI_Comm comm;
    int ranks, bytes;
    int *to, *from; /* peers */
    int to_count, from_count;
    MPI_Request *requests;
    MPI_Status *statuses;
    int *send_counts, *send_starts, *receive_counts, *receive_starts; /* alltoallv */
    char *send, *receive;
    char **data;      /* send or receive: what belongs to ranks, not to aggregators, */
    char *data_start; /* and walks through this */
    size_t data_step, data_bytes;
    size_t data_at;
} exchange;

static void walk(exchange *x)
{
    x->data_at += x->data_step;
    if (x->data_at + x->data_step > x->data_bytes)
        x->data_at = 0;
    *x->data = x->data_start + x->data_at;
}

static int run_messages(void *state, int repetition)
{
    exchange *x = state;
    int count = 0, rc = MPI_SUCCESS;

    (void) repetition;
    walk(x);
    for (int i = 0; i < x->from_count && rc == MPI_SUCCESS; i++)
        rc = MPI_Irecv(x->receive + (size_t) i * (size_t) x->bytes, x->bytes, MPI_BYTE, x->from[i],
                       0, x->comm, &x->requests[count++]);
    for (int i = 0; i < x->to_count && rc == MPI_SUCCESS; i++)
        rc = MPI_Isend(x->send + (size_t) i * (size_t) x->bytes, x->bytes, MPI_BYTE, x->to[i], 0,
                       x->comm, &x->requests[count++]);
    if (rc == MPI_SUCCESS)
        rc = MPI_Waitall(count, x->requests, x->statuses);
    return rc == MPI_SUCCESS ? 0 : EIO;
}

static int run_alltoallv(void *state, int repetition)
{
    exchange *x = state;

    (void) repetition;
    walk(x);
    return MPI_Alltoallv(x->send, x->send_counts, x->send_starts, MPI_BYTE, x->receive,
                         x->receive_counts, x->receive_starts, MPI_BYTE, x->comm) == MPI_SUCCESS
               ? 0
               : EIO;
}

/* Aggregators that a rank on the side of all has messages with: fan of them from its
 * own on, which is that of its file domain. */
static int aggregator_of(const cal_place *place, int rank, int message)
{
    int own = (int) ((int64_t) rank * place->chosen_count / place->ranks);

    return place->chosen[(own + message) % place->chosen_count];
}

/* Peers of this rank as one of all, and as an aggregator. */
static void list_peers(const cal_place *place, int *as_rank, int *rank_count, int *as_aggregator,
                       int *aggregator_count)
{
    int fan = place->point->fan;

    *rank_count = *aggregator_count = 0;
    for (int i = 0; i < fan; i++)
        as_rank[(*rank_count)++] = aggregator_of(place, place->rank, i);
    for (int rank = 0; rank < place->ranks; rank++)
        for (int i = 0; i < fan; i++)
            if (aggregator_of(place, rank, i) == place->rank)
                as_aggregator[(*aggregator_count)++] = rank;
}

static void spread(const int *peers, int count, int bytes, int *counts, int *starts)
{
    for (int i = 0; i < count; i++) {
        counts[peers[i]] = bytes;
        starts[peers[i]] = i * bytes;
    }
}

/* Aggregators' side first. */
static bool share_buffer(const cal_place *place, exchange *x, bool gather)
{
    size_t sent = (size_t) x->to_count * (size_t) x->bytes;
    size_t received = (size_t) x->from_count * (size_t) x->bytes;
    size_t fixed = gather ? received : sent;

    if (sent + received > place->buffer_bytes)
        return false;
    x->send = x->receive = place->buffer;
    x->data = gather ? &x->send : &x->receive;
    x->data_start = place->buffer + fixed;
    x->data_step = gather ? sent : received;
    x->data_bytes = place->buffer_bytes - fixed;
    *x->data = x->data_start;
    return true;
}

static int prepare(const cal_place *place, exchange *x)
{
    size_t ranks = (size_t) place->ranks;
    bool gather = place->point->senders == place->ranks;

    *x = (exchange){.comm = place->comm, .ranks = place->ranks, .bytes = (int) place->point->bytes};
    x->to = calloc(7 * ranks, sizeof(*x->to));
    x->requests = malloc(2 * ranks * sizeof(*x->requests));
    x->statuses = malloc(2 * ranks * sizeof(*x->statuses));
    bool room = x->to != NULL && x->requests != NULL && x->statuses != NULL;

    if (world_agree(place->comm, room ? 0 : ENOMEM) != 0)
        return ENOMEM;
    x->from = x->to + ranks;
    x->send_counts = x->from + ranks;
    x->send_starts = x->send_counts + ranks;
    x->receive_counts = x->send_starts + ranks;
    x->receive_starts = x->receive_counts + ranks;
    if (gather)
        list_peers(place, x->to, &x->to_count, x->from, &x->from_count);
    else
        list_peers(place, x->from, &x->from_count, x->to, &x->to_count);
    spread(x->to, x->to_count, x->bytes, x->send_counts, x->send_starts);
    spread(x->from, x->from_count, x->bytes, x->receive_counts, x->receive_starts);
    return world_agree(place->comm, share_buffer(place, x, gather) ? 0 : ENOMEM);
}

int measure_exchange(const cal_place *place, bool alltoallv, double *seconds, int *count_p)
{
    exchange state;
    int code = prepare(place, &state);
    cal_work work = {.comm = place->comm,
                     .batches = true,
                     .most = place->most + SAMPLE_WARM,
                     .state = &state,
                     .run = alltoallv ? run_alltoallv : run_messages};

    if (code == 0)
        code = sample_work(&work, place->limit, seconds, place->most, count_p);
    free(state.to);
    free(state.requests);
    free(state.statuses);
    return code;
}
