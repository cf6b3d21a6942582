/*
 * models/: predicts the time of one collective read or write, chooses the
 * fastest configuration and explains the choice.  Pure C: no MPI, no globals
 * that change, no exit, no printing; every function is a function of its
 * arguments, in every locale.
 *
 *     access, job, configuration
 *       -> counts      which elemental operations happen, how often   counts/counts.h
 *       -> surrogates  what each costs on this machine                cost/surrogate.h
 *       -> prediction  the sum, in three parts                        choose/predict.h
 *       -> choice      the best of all allowed configurations         choose/choose.h
 *       -> decision    what is done in a whole situation              decide/decide.h
 *       -> placement   where its aggregators sit                      place/place.h,
 * place/topology.h
 *       -> explanation why                                            choose/explain.h
 *     profiles hold the surrogates of one machine                     files/profile.h
 *     where they are looked for                                       files/search.h
 *     which of them fits                                              files/installed.h
 *     advice holds what measured best for a program                   advice/advice.h
 *     data sets of HDF5 become accesses                               hdf5/access.h
 *     records hold what was decided for a file and the outcome        files/record.h
 *     files are JSON                                                  value/value.h
 *     and what a path names is written to                             value/text_output.h
 *
 * This header has what they share.
 *
 * Errors: functions return an atm_status; outputs are the last arguments and
 * are set only on success.  An atm_message that is passed gets a sentence that
 * names file, field and problem.  Destroy functions take NULL.
 */

#ifndef ATM_H
#define ATM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef ATC_EMBEDDED
#include "atm_embedded.h" /* made when this goes into libmpi */
#endif

typedef enum atm_status {
    ATM_OK,
    ATM_NO_MEMORY,
    ATM_BAD_ARGUMENT, /* a value no caller may pass */
    ATM_BAD_FILE,     /* contents that cannot be used: a sentence says why */
    ATM_NO_ACCESS,    /* a file that cannot be read or written */
    ATM_NO_CHOICE     /* no configuration is allowed by the constraints */
} atm_status;

const char *atm_status_text(atm_status status);

typedef struct atm_message {
    char text[256];
} atm_message;

/* A number from 1 to max; K, M, G or T after it, also small, multiply it by powers
 * of 1024.  False, and *size_p as it was, for any other text. */
bool atm_parse_size(const char *text, uint64_t max, uint64_t *size_p);

/* --- what happens: elemental operations */

/* Communication first, then storage, then memory. */
typedef enum atm_operation {
    ATM_ALLREDUCE,
    ATM_ALLGATHER,
    ATM_ALLTOALL,
    ATM_EXCHANGE, /* sparse alltoallv or point to point */
    ATM_BCAST,
    ATM_WRITE_FIRST,   /* a round on a new file: locking */
    ATM_WRITE_FULL,    /* a later round, all aggregators */
    ATM_WRITE_PARTIAL, /* a last round, some of them */
    ATM_WRITE_DRAINED, /* a round into full caches: what these drain */
    ATM_READ_FIRST,
    ATM_READ_FULL,
    ATM_READ_PARTIAL,
    ATM_READ_CACHED, /* a round of what its ranks have just written: from their caches */
    ATM_WRITE_INDEPENDENT,
    ATM_READ_INDEPENDENT,
    ATM_TOUCH, /* the first use of memory for collective buffers */
    ATM_OPERATION_COUNT
} atm_operation;

typedef enum atm_kind { ATM_COMMUNICATION_KIND, ATM_STORAGE_KIND, ATM_KIND_COUNT } atm_kind;

/* Features in the order of every feature vector.  An operation that does not
 * depend on one ignores it.  Nodes and ranks of an exchange are those with
 * messages. */
typedef enum atm_feature {
    ATM_NODES,     /* n: nodes of the job */
    ATM_PER_NODE,  /* c: ranks (storage: accessing ranks) on a node */
    ATM_SENDERS,   /* exchange: ranks that send; else all */
    ATM_RECEIVERS, /* exchange: ranks that receive; storage: accessing ranks */
    ATM_BYTES,     /* of one message or access */
    ATM_STRIPES,   /* storage: servers that are accessed at once; 1: not known */
    ATM_MESSAGES,  /* exchange: pairs of ranks with data; else 1 */
    ATM_FAR,       /* exchange: 1 + share of the bytes that leave their group of nodes;
                      storage: 1 + share of neighbouring file domains in different ones; else 1 */
    ATM_LINK,      /* exchange: 1 + messages from or to other nodes of the node that has most of
                      them; storage: accessing ranks on the node that has most of them; else 1 */
    ATM_UPLINK,    /* the same of psets, where there are some; else 1 */
    ATM_FEATURE_COUNT
} atm_feature;

typedef enum atm_part { ATM_PARTITIONING, ATM_SHUFFLE, ATM_STORAGE, ATM_PART_COUNT } atm_part;

/* Names in files; NULL after the last. */
extern const char *const atm_operation_names[ATM_OPERATION_COUNT + 1];
extern const char *const atm_feature_names[ATM_FEATURE_COUNT + 1];

const char *atm_operation_name(atm_operation operation);
atm_kind atm_operation_kind(atm_operation operation);
const char *atm_feature_name(atm_feature feature);
const char *atm_part_name(atm_part part);

/* count times an operation with these features */
typedef struct atm_cost_item {
    atm_operation operation;
    atm_part part;
    double count;
    double features[ATM_FEATURE_COUNT];
    double moved;    /* bytes of all ranks in one access to storage: no more than receivers x bytes,
                        which are those of the rank that the others wait for */
    double slowness; /* of storage now, over what was measured; 0: not known, 1 */
} atm_cost_item;

/* --- what is asked for */

typedef enum atm_driver { ATM_UFS, ATM_NFS, ATM_GPFS, ATM_LUSTRE, ATM_DRIVER_COUNT } atm_driver;

const char *atm_driver_name(atm_driver driver);

enum { ATM_APART = 24 };

typedef struct atm_job {
    int ranks;
    int nodes;  /* ranks are spread evenly over them */
    int groups; /* of nodes that are near each other: psets or, if there is only one, nodes;
                   0: not known */
    /* share of the ranks whose successor 1, 2, 4, ... ranks on is in another group */
    double apart[ATM_APART];
    int mpich; /* version whose ROMIO runs it, 40202 for 4.2.2; 0: 4.0.2 */
    /* share of the ranks on another node, or in another group, than the middle of their part, of 1,
     * 2, 4, ... equal parts of all ranks; the first of nodes is 0: not known */
    struct {
        double node[ATM_APART], group[ATM_APART];
    } astray;
} atm_job;

/* A contiguous piece of a rank's access; not empty. */
typedef struct atm_piece {
    uint64_t offset;
    uint64_t length;
    int rank;
} atm_piece;

/* Distribution of data over ranks: the part of the file that each of `count` equal runs of ranks
 * accesses.  Run i begins with rank i x ranks / count; without bytes, from is above to. */
enum { ATM_HOLDERS = 16 };

typedef struct atm_holders {
    int count; /* 0: not known */
    uint64_t from[ATM_HOLDERS], to[ATM_HOLDERS];
} atm_holders;

/* One collective call, summarised over all ranks. */
typedef struct atm_access {
    bool write;
    bool strided;       /* a rank's bytes are not one piece of the file */
    bool interleaved;   /* ranks' ranges of the file overlap */
    bool holes;         /* not every byte between start and end is accessed */
    bool new_file;      /* newly opened: no locks granted, no buffer used yet */
    int active_ranks;   /* that access at least one byte */
    uint64_t bytes_min; /* of an active rank */
    uint64_t bytes_max;
    uint64_t bytes;  /* of all ranks */
    uint64_t start;  /* first byte accessed */
    uint64_t end;    /* last byte accessed */
    uint64_t block;  /* strided: size of a piece, else bytes_max */
    uint64_t stride; /* strided: distance of a rank's pieces, 0: not known; else 0 */
    uint64_t dirty;  /* bytes of earlier writes that caches still have to drain */
    uint64_t cached; /* read: bytes that the job has written and may still hold */
    atm_holders holders;
    double affinity; /* interleaved: share of what a part of the file has that the group of nodes
                        with most of it holds (place/near.h); 0: not known */
    /* All pieces by offset, then rank, where they are known, else NULL.  They
     * stay the caller's; the fields above are their summary. */
    const atm_piece *pieces;
    size_t piece_count;
    uint64_t warm; /* new file: collective buffers of up to so many bytes need no new memory */
} atm_access;

/* The order of the aggregators, which is that of the file domains. */
typedef enum atm_order {
    ATM_BY_DATA, /* near the ranks that hold the data, those in the order of ranks: ROMIO's own */
    ATM_BY_PSET, /* from one pset to the next: every prefix is spread evenly */
    ATM_ORDER_COUNT
} atm_order;

const char *atm_order_name(atm_order order);

typedef struct atm_config {
    bool collective;      /* else every rank accesses the file itself */
    bool automatic;       /* collective only if interleaved: ROMIO's default except on GPFS */
    int aggregators;      /* n_a */
    atm_order order;      /* of these */
    uint64_t buffer;      /* s_cb: collective buffer */
    uint64_t stripe_size; /* Lustre; also alignment of generic file domains, 0 = none */
    int stripe_count;     /* Lustre, else 1 */
    int co_ratio;         /* Lustre: aggregators for one stripe */
    uint64_t block;       /* GPFS: file system block */
    int servers;          /* GPFS: blocks are dealt out to them in turn; 0: not known.  Lustre:
                             targets of the stripes if some have more than one, else 0 */
    bool steered;         /* Lustre: on targets that are picked by their state */
    bool by_size; /* Lustre, not collective: ROMIO finds in every call that writes are large */
} atm_config;

#endif /* ATM_H */
