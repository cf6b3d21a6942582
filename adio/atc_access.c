#include "atc.h"

#include <stdbool.h>
#include <string.h>

/* A file that is only read may have overlapping filetypes: a rank can then end
 * before it starts.  ROMIO compares neighbours by these offsets as they are. */
atc_access atc_access_of_rank(int64_t start, int64_t end, uint64_t bytes, uint64_t pieces,
                              uint64_t stride)
{
    bool back = bytes > 0 && end < start;
    atc_access access = {.start = back ? end : start,
                         .end = back ? start : end,
                         .bytes = bytes,
                         .bytes_min = bytes,
                         .bytes_max = bytes,
                         .pieces = bytes > 0 ? pieces : 0,
                         .stride = pieces > 1 ? stride : 0,
                         .active = bytes > 0,
                         .strided = bytes > 0 && pieces > 1,
                         .first_start = start,
                         .first_end = end,
                         .last_end = end};

    return access;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Ranges, and numbers that only ranks with bytes have. */
static void join_ranges(const atc_access *lower, const atc_access *higher, atc_access *joined)
{
    const atc_access *only = lower->active ? lower : higher;

    if (!lower->active || !higher->active) {
        joined->start = only->start;
        joined->end = only->end;
        joined->bytes_min = only->bytes_min;
        return;
    }
    joined->start = lower->start < higher->start ? lower->start : higher->start;
    joined->end = lower->end > higher->end ? lower->end : higher->end;
    joined->bytes_min = lower->bytes_min < higher->bytes_min ? lower->bytes_min : higher->bytes_min;
}

static void join_runs(const atc_access *lower, const atc_access *higher, atc_access *joined)
{
    joined->runs = lower->runs;
    for (int i = 0; i < joined->runs; i++) {
        joined->from[i] = lower->from[i] < higher->from[i] ? lower->from[i] : higher->from[i];
        joined->to[i] = lower->to[i] > higher->to[i] ? lower->to[i] : higher->to[i];
    }
}

/* Interleaved as in ad_write_coll.c:119: a rank starts before its lower
 * neighbour ends; one without bytes does not count, but hides those below it. */
atc_access atc_access_join(const atc_access *lower, const atc_access *higher)
{
    atc_access joined = {.bytes = lower->bytes + higher->bytes,
                         .bytes_max = larger(lower->bytes_max, higher->bytes_max),
                         .pieces = lower->pieces + higher->pieces,
                         .stride = larger(lower->stride, higher->stride),
                         .active = lower->active + higher->active,
                         .strided = lower->strided || higher->strided,
                         .interleaved = lower->interleaved || higher->interleaved ||
                                        (higher->first_start < lower->last_end &&
                                         higher->first_start <= higher->first_end),
                         .first_start = lower->first_start,
                         .first_end = lower->first_end,
                         .last_end = higher->last_end};

    joined.spare = lower->spare < higher->spare ? lower->spare : higher->spare;
    join_ranges(lower, higher, &joined);
    join_runs(lower, higher, &joined);
    for (int i = 0; i < ATC_ACCESS_TIMES; i++)
        joined.times[i] = lower->times[i] > higher->times[i] ? lower->times[i] : higher->times[i];
    return joined;
}

static void join(void *lower, void *higher, int *count, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *count; i++) {
        atc_access one, other;

        /* MPI's temporary buffers need not be aligned */
        memcpy(&one, (const char *) lower + (size_t) i * sizeof(one), sizeof(one));
        memcpy(&other, (char *) higher + (size_t) i * sizeof(other), sizeof(other));
        one = atc_access_join(&one, &other);
        memcpy((char *) higher + (size_t) i * sizeof(one), &one, sizeof(one));
    }
}

atc_access atc_access_in_run(atc_access access, int rank, int ranks)
{
    int own;

    access.runs = ranks < ATC_ACCESS_RUNS ? ranks : ATC_ACCESS_RUNS;
    own = (int) ((((int64_t) rank + 1) * access.runs - 1) / ranks);
    for (int i = 0; i < access.runs; i++) {
        bool holds = i == own && access.active;

        access.from[i] = holds ? access.start : INT64_MAX;
        access.to[i] = holds ? access.end : -1;
    }
    return access;
}

/* Neighbours matter, so the operation does not commute. */
atc_status atc_access_sum(MPI_Comm comm, const atc_access *mine, atc_access *all_p)
{
    atc_access own;
    MPI_Datatype type;
    MPI_Op op;
    int rank, ranks, error;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    own = atc_access_in_run(*mine, rank, ranks);
    MPI_Type_contiguous(sizeof(*mine), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(join, 0, &op);
    error = MPI_Reduce(&own, all_p, 1, type, op, 0, comm);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return error == MPI_SUCCESS ? ATC_OK : ATC_MPI_FAILED;
}
