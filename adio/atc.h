/*
 * adio/: what needs MPI but not ROMIO.  Used inside libmpi
 * by the driver and outside it by tools and tests.
 *
 *   atc_agree    all ranks or none
 *   atc_cache    values kept with a communicator
 *   atc_nics     network adapters of this node
 *   atc_nodemap  which ranks share a node
 *   atc_access   what all ranks together access in a collective call
 *
 * Functions return an atc_status and set their outputs, the last arguments,
 * only on success.  Nothing here prints, exits or changes error handlers.
 */

#ifndef ATC_H
#define ATC_H

#include <mpi.h>
#include <stdint.h>

#ifdef ATC_EMBEDDED
#include "atc_embedded.h"
#endif

#pragma GCC visibility push(hidden)

/* In rising order of severity, which atc_agree relies on. */
typedef enum { ATC_OK, ATC_NO_MEMORY, ATC_MPI_FAILED } atc_status;

/* A sentence without a full stop; static. */
const char *atc_status_text(atc_status status);

/* Collective: the most severe status of all ranks, the same on each, so that
 * they continue or give up together. */
atc_status atc_agree(MPI_Comm comm, atc_status mine);

/* One kind of value kept in an attribute of communicators.  Static storage; when
 * MPI_Finalize has begun and no value is left, it is in its initial state again. */
typedef struct atc_cache {
    int keyval;
    int values; /* attached */
    int ended;  /* MPI_Finalize has begun */
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *release;
} atc_cache;

#define ATC_CACHE_INITIALIZER                                                                      \
    {                                                                                              \
        MPI_KEYVAL_INVALID, 0, 0, NULL, NULL                                                       \
    }

/* Attach value to comm; local.  On success release (called once, when comm is
 * freed or another value put) owns it.  The callbacks are those of the first
 * put of this cache. */
atc_status atc_cache_put(atc_cache *cache, MPI_Comm comm, void *value,
                         MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *release);

/* The value attached to comm, or NULL; local. */
void *atc_cache_get(const atc_cache *cache, MPI_Comm comm);

/* Which ranks of a communicator share a node.  Nodes are numbered by their
 * lowest rank. */
typedef struct atc_nodemap {
    int ranks; /* of the communicator */
    int nodes;
    int node;       /* this rank's */
    int node_ranks; /* ranks on this rank's node */
    int index;      /* of this rank among those, by rank */

    /* on rank 0, NULL elsewhere */
    int *node_of;                          /* [ranks] */
    char (*names)[MPI_MAX_PROCESSOR_NAME]; /* [nodes] */
} atc_nodemap;

/*
 * Collective over the intracommunicator comm.  Ranks that can share memory
 * (MPI_Comm_split_type) share a node; if no two of them can, as with devices
 * that do not check, those with equal processor names do.  The map belongs to
 * comm and its duplicates and lives as long as one of them.
 */
atc_status atc_nodemap_get(MPI_Comm comm, const atc_nodemap **map_p);

/* Measured by the ranks: the seconds of some calls, those of them in storage, and how many calls;
 * the largest of all ranks is used of each. */
enum { ATC_ACCESS_TIMES = 3 };

/* Ranks are looked at in that many runs, or fewer if there are fewer ranks. */
enum { ATC_ACCESS_RUNS = 16 };

/* What one rank accesses in a collective call, or what several neighbouring
 * ranks access together.  Bytes are counted from the start of the file; a range
 * without bytes ends before it starts. */
typedef struct atc_access {
    int64_t start, end; /* first and last byte */
    uint64_t bytes;
    uint64_t bytes_min, bytes_max; /* of a rank with bytes */
    uint64_t pieces;               /* contiguous, of all ranks */
    uint64_t stride;               /* the largest distance of a rank's pieces; 0: one piece */
    int active;                    /* ranks with bytes */
    int strided;                   /* some rank has several pieces */
    int interleaved;               /* neighbouring ranks overlap, as ROMIO tests it */
    double times[ATC_ACCESS_TIMES];
    int64_t first_start, first_end; /* of the lowest rank */
    int64_t last_end;               /* of the highest */
    /* first and last byte of the ranks from i x ranks / runs on; none: from is above to */
    int64_t from[ATC_ACCESS_RUNS], to[ATC_ACCESS_RUNS];
    int runs;
    uint64_t spare; /* memory that a rank has freed and still holds; the least of all ranks */
} atc_access;

/* The access of one rank: bytes in that many pieces. */
atc_access atc_access_of_rank(int64_t start, int64_t end, uint64_t bytes, uint64_t pieces,
                              uint64_t stride);

/* The same with its runs set, as that of one of so many ranks. */
atc_access atc_access_in_run(atc_access access, int rank, int ranks);

/* Joins the accesses of neighbouring ranks, `lower` before `higher`. */
atc_access atc_access_join(const atc_access *lower, const atc_access *higher);

/* Collective: that of all ranks of comm, with runs, on rank 0. */
atc_status atc_access_sum(MPI_Comm comm, const atc_access *mine, atc_access *all_p);

/* The kernel's lists of devices. */
#define ATC_SYS_CLASS "/sys/class"

/* This node's network adapters that have a link, of the most frequent kind; 0 if
 * the lists in sys_class, normally ATC_SYS_CLASS, have none.  Ports and PCI
 * functions of one card are one adapter.  Local, no MPI. */
int atc_nics_count(const char *sys_class);

/* As many network adapters as this node has at least, by what the MPI library tells in
 * environment, normally MPI_INFO_ENV: those near this process, or those it may use; 0 if it
 * does not tell, or something that is no such number.  Local. */
int atc_nics_told(MPI_Info environment);

#pragma GCC visibility pop

#endif /* ATC_H */
