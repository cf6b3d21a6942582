/*
 * What the driver stores about an open file, in an attribute of fd->comm, and
 * the structures that steps pass to each other.  Uses wrapped drivers and names,
 * and only types of the models.
 */

#ifndef AD_AUTOTUNE_STATE_H_INCLUDED
#define AD_AUTOTUNE_STATE_H_INCLUDED

#include "ad_autotune_name.h"
#include "ad_autotune_wrapped.h"
#include "decide/decide.h"
#include "decide/look.h"
#include "decide/situation_file.h"
#include "files/record.h"
#include "files/search.h"
#include "place/topology.h"

#include <sys/types.h>

#pragma GCC visibility push(hidden)

/* Counters of this rank, for one direction.  All are doubles, so that they can
 * be reduced together: ad_autotune_record.c says how each one is reduced. */
typedef struct ADIOI_AUTOTUNE_counters {
    double calls;   /* blocking collective calls */
    double seconds; /* in them */

    double accesses;        /* of the file inside them */
    double bytes;           /* moved by these accesses */
    double storage_seconds; /* in these accesses */

    double independent_calls; /* accesses outside of them */
    double independent_bytes;
    double independent_seconds; /* but for nonblocking ones */
} ADIOI_AUTOTUNE_counters;

/* One collective call on this rank; doubles for the same reason. */
typedef struct ADIOI_AUTOTUNE_call {
    double seconds, storage_seconds;
    double bytes, accesses;
    double at;    /* since open */
    double write; /* 1: a write */
} ADIOI_AUTOTUNE_call;

/* Striping of a file on Lustre; zeros, and a start of -1, where nothing is said. */
typedef struct ADIOI_AUTOTUNE_striping {
    int unit, count; /* 0: not known, or by default */
    int start;       /* the first OST; -1: any */
    int osts;        /* if some have more than one stripe, else 0 */
} ADIOI_AUTOTUNE_striping;

/* The user's hints; on rank 0. */
typedef struct ADIOI_AUTOTUNE_settings {
    char *profile, *topology, *explain; /* NULL where not given; ours, as the next */
    char *storage;                      /* romio_autotune_state */
    uint64_t access_size, memory;       /* 0 where not given, as the next */
    uint64_t calls;                     /* collective ones that are expected */
    unsigned fixed;                     /* bit 1u << atm_fix, but for ATM_FIX_COLLECTIVE: */
    int fixed_read, fixed_write;
    int fixed_list;                   /* cb_config_list names the aggregators */
    int cb_nodes;                     /* 0 where not given */
    ADIOI_AUTOTUNE_striping striping; /* {0, 0, -1} where not given */
    char *advice;                     /* romio_autotune_advice; NULL where not given; ours */
} ADIOI_AUTOTUNE_settings;

/* ROMIO's hints that a decision sets. */
typedef struct ADIOI_AUTOTUNE_plan {
    int cb_nodes;
    int cb_buffer_size;
    int cb_read, cb_write; /* ADIOI_HINT_xxx */
    int co_ratio;          /* Lustre, else 0 */
    int threshold; /* Lustre: larger accesses of disjoint ranks are not aggregated; 0: all are */
    /* What bounds the aggregators' file domains, but on Lustre: all ranks take those of rank 0, as
     * each computes the domains of all (ad_aggregate.c:130), while ROMIO goes on with hints that
     * differ. */
    int striping_unit, min_fdomain_size;
} ADIOI_AUTOTUNE_plan;

enum { ADIOI_AUTOTUNE_NOTES = 384 };

/* Made by rank 0, broadcast as bytes. */
typedef struct ADIOI_AUTOTUNE_decision {
    int call;      /* 0: at open, else the number of the collective call it precedes */
    int disjoint;  /* every rank has bytes, and ROMIO does not find them interleaved */
    int small;     /* the call is passed over: it moves little of what is expected */
    int unchanged; /* the last decision stands; the members below are meaningless */
    int tuned;     /* else the wrapped driver's values and the user's */
    ADIOI_AUTOTUNE_plan plan;
    atm_config config;
    atm_access access;            /* it is made for, without pieces */
    double calls;                 /* like it that were expected */
    double parts[ATM_PART_COUNT]; /* seconds of one, in the mean */
    double uncertainty;
    double drain, capacity; /* of caches: bytes a second, bytes; 0: not known */
    char reason[sizeof(atm_message)];
    int judged; /* a state of storage is known; paused or not */
    int rule;   /* of the advice that holds, from 1 on; 0: none does */

    /* broadcast where there is any, after the rest */
    char advised[ATM_ADVISED];        /* that rule, in words, if it fixes anything; else "" */
    char notes[ADIOI_AUTOTUNE_NOTES]; /* hints that were ignored, and why */
} ADIOI_AUTOTUNE_decision;

/* Cached topologies, profiles and advice (ad_autotune_job.c, ad_autotune_files.c,
 * ad_autotune_files.c). */
typedef struct ADIOI_AUTOTUNE_job ADIOI_AUTOTUNE_job;
typedef struct ADIOI_AUTOTUNE_profile ADIOI_AUTOTUNE_profile;
typedef struct ADIOI_AUTOTUNE_advice ADIOI_AUTOTUNE_advice;

/* An explanation that names a profile needs it once in its file. */
typedef struct ADIOI_AUTOTUNE_told {
    char hash[ATM_HASH]; /* the profile's; "": not made */
    char *path;          /* of the file that has it; NULL: none; to be freed */
} ADIOI_AUTOTUNE_told;

/* Rank 0's part of the state.  All it points to is ours, but for topology and profile,
 * which their entries own. */
typedef struct ADIOI_AUTOTUNE_root {
    /* hints */
    ADIOI_AUTOTUNE_settings *settings;
    char *filename; /* without prefixes */
    char *record;   /* the record's path, or NULL */

    /* what decisions start from (ad_autotune_prepare.c); NULL: not known */
    atm_search_values places; /* where it is looked for; valid during the open */
    const atm_topology *topology;
    const atm_profile *profile;
    atm_answers *answers; /* the profile's, as the next */
    ADIOI_AUTOTUNE_told *told;
    int *default_ranks; /* the wrapped driver's aggregators */
    ADIOI_AUTOTUNE_plan default_plan;
    ADIOI_AUTOTUNE_job *job_entry;
    ADIOI_AUTOTUNE_profile *profile_entry;
    atm_fit fit;         /* of the profile */
    int servers;         /* of the file system; 0: not known */
    atm_message failure; /* why no decision can be made, or "" */

    atm_scale scale; /* measured so far */
    atm_past past;   /* what the last look was at, and found */
    atm_look look;
    int looked;          /* it did */
    int expects;         /* more than the profile says what is accessed */
    int confirmed;       /* a call was decided for */
    int reconsiders;     /* only the number of expected calls is new */
    double open_seconds; /* that the wrapped open took */
    double first_at;     /* MPI_Wtime of the first collective call */
    dev_t device;        /* of the file system; 0: not known, as the next */
    ino_t inode;
    atm_access largest; /* write of those that were looked at; 0 bytes: none */
    int paused;         /* what is known of storage is left alone for this file */
    int descriptor;     /* of a late file, as created; -1: none */
    int *targets;       /* of a late file's stripes, by the last decision; NULL: any; to be freed */
    int target_count;
    atm_record *log;               /* of a recorded file, else NULL */
    ADIOI_AUTOTUNE_advice *advice; /* NULL: none */
} ADIOI_AUTOTUNE_root;

/* Decisions are made at open and before calls 1, 2, 4, ... as counted by an int;
 * what is reported changes once more when nonblocking calls begin. */
enum { ADIOI_AUTOTUNE_REPORTS = 34 };

/* Bytes of struct lov_user_md_v1. */
enum { ADIOI_AUTOTUNE_LAYOUT = 32 };

/* What fd->info has of the keys that each open sets; they need not be set again. */
enum { ADIOI_AUTOTUNE_LIST = 16 };
typedef struct ADIOI_AUTOTUNE_shown {
    char status[672];               /* as in romio_autotune_status; "": none */
    long long predicted;            /* 1 + microseconds; 0: none */
    int nodes;                      /* cb_nodes, with the list; 0: another one, as ROMIO set it */
    int ranks[ADIOI_AUTOTUNE_LIST]; /* if they are not more */
} ADIOI_AUTOTUNE_shown;

/* On all ranks or on none (ad_autotune_open.c). */
typedef struct ADIOI_AUTOTUNE_state {
    /* the same on all ranks */
    const ADIOI_AUTOTUNE_wrapped *wrapped;
    ADIOI_AUTOTUNE_mode mode;
    int ranks;
    char notes[ADIOI_AUTOTUNE_NOTES]; /* hints that were ignored, for the status */
    ADIOI_AUTOTUNE_shown shown;
    int nonblocking;       /* a nonblocking collective was started */
    int cb_read, cb_write; /* ADIOI_HINT_xxx without us */
    int recorded;          /* leave a record at close */
    int judged;            /* so is what was known of storage at open */
    int by_default;        /* opened without hints (ad_autotune_defaults.c) */
    int postponed;         /* cb_nodes of a default list that is still to be made; 0: it is made */

    int late;     /* Lustre: created without a layout, and none agreed on yet */
    int unlisted; /* errno of a layout with the targets that were picked, which was refused; or 0 */
    int told_unlisted, told_difference; /* of that, and of another layout than decided, once */
    /* the directory's default layout, which a late file may still get */
    ADIOI_AUTOTUNE_striping default_striping; /* zeros: not known */
    int default_length;                       /* of default_layout; 0: the file system's default */
    unsigned char default_layout[ADIOI_AUTOTUNE_LAYOUT];

    ADIOI_AUTOTUNE_decision decision; /* the last one */
    atm_config layout; /* striping of the last one for a write, if tuned; else zeros */
    int calls;         /* blocking collective calls */
    int due;           /* the call before which the next decision is due; 0: never */
    int small;         /* calls that were passed over when one was due */
    int small_in_a_row;
    ADIOI_AUTOTUNE_plan reported[ADIOI_AUTOTUNE_REPORTS]; /* by MPI_File_get_info */
    int reports;

    /* this rank's */
    int opened;                       /* OpenColl succeeded */
    int buffer_size;                  /* of fd->io_buf */
    uint64_t spare;                   /* memory that was free for it */
    ADIOI_AUTOTUNE_striping striping; /* of the file, where this rank has seen it */
    double own_bytes;      /* in the call that was last decided for or confirmed the decision */
    double settle_seconds; /* in syncs and the close */
    double measured[3];    /* in calls like it since then, as in atc_access.times */
    ADIOI_AUTOTUNE_counters read, write;
    double opened_at;              /* MPI_Wtime */
    ADIOI_AUTOTUNE_call *timeline; /* [ATM_RECORD_CALLS] if recorded; ours */
    ADIOI_AUTOTUNE_root *root;     /* on rank 0, NULL elsewhere; ours */
    int unattached;                /* MPI refused the attribute; then of */
    MPI_Comm comm;
    struct ADIOI_AUTOTUNE_state *next;
} ADIOI_AUTOTUNE_state;

/* Attach zeroed state to fd->comm, with a root on rank 0; close owns it and is
 * called when the communicator is freed.  It is never called for a state that MPI
 * refuses to attach. */
ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd,
                                                  MPI_Comm_delete_attr_function *close);
/* Without what it points to. */
void ADIOI_AUTOTUNE_state_free(ADIOI_AUTOTUNE_state *state);
/* The state of a file with an installed table. */
ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd);

/* The table for an open file that is not late: recorded, tuned or plain. */
void ADIOI_AUTOTUNE_install_by_state(ADIO_File fd, const ADIOI_AUTOTUNE_state *state);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_STATE_H_INCLUDED */
