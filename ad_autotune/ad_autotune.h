/*
 * ad_autotune: a driver that tunes the driver it wraps.
 *
 *   MPI_File_open("autotune:[ufs:|nfs:|gpfs:|lustre:]/path")
 *     -> ADIO_AUTOTUNE_operations.SetInfo       ad_autotune_hints.c
 *          strips the nested prefix             ad_autotune_name.c
 *          reads our hints                      ad_autotune_settings.c
 *          knows its own reports again          ad_autotune_echo.c
 *          finds the wrapped driver             ad_autotune_wrapped.c
 *          installs its table with our slots    ad_autotune_wrapped.c
 *     -> OpenColl                               ad_autotune_open.c
 *          a decision is due                    ad_autotune_tune.c
 *          rank 0 makes it and tells            ad_autotune_decide.c
 *            with a profile                     ad_autotune_profile.c
 *            for ranks that sit somewhere       ad_autotune_job.c
 *          every rank applies it                ad_autotune_apply.c
 *          ROMIO's fields that it sets          ad_autotune_plan.c
 *          on new aggregators                   ad_autotune_reopen.c
 *          and reports it                       ad_autotune_report.c
 *          Lustre: the striping comes later     ad_autotune_late.c
 *          and is read, set and reported        ad_autotune_striping.c
 *     -> collective reads and writes, timed     ad_autotune_watch.c
 *          what they access                     ad_autotune_access.c
 *          a decision may be due again          ad_autotune_tune.c
 *     -> the wrapped driver's functions, for every other call
 *     -> MPI_File_set_size over NFS             ad_autotune_resize.c
 *   MPI_File_close: one record                  ad_autotune_record.c
 *          where it goes                        ad_autotune_output.c
 *
 * After SetInfo, fd->file_system and fd->fns are those of the wrapped driver
 * but for the slots listed in ad_autotune_wrapped.c, so that ROMIO's own
 * tests of fd->file_system keep their meaning and nothing is forwarded call by
 * call.  State lives in an attribute of fd->comm (ad_autotune_state.c).
 */

#ifndef AD_AUTOTUNE_H_INCLUDED
#define AD_AUTOTUNE_H_INCLUDED

#include "adio.h"
#include "ad_autotune_name.h"
#include "atc.h"
#include "atm_choose.h"
#include "atm_record.h"
#include "atm_topology.h"

#pragma GCC visibility push(hidden)

/* ADIO counts became MPI_Aint in MPICH 4.1 (adioi.h, struct ADIOI_Fns_struct). */
#if MPICH_NUMVERSION >= 40100000
typedef MPI_Aint ADIOI_AUTOTUNE_count;
#else
typedef int ADIOI_AUTOTUNE_count;
#endif

/* A driver that can be wrapped.  The list is constant and in
 * ad_autotune_wrapped.c. */
typedef struct ADIOI_AUTOTUNE_wrapped {
    const char *name;    /* as in the prefix, without the colon */
    int file_system;     /* ADIO_xxx constant */
    ADIOI_Fns *fns;      /* the driver's own table */
    unsigned long magic; /* statfs f_type; 0 = chosen when no other is */
} ADIOI_AUTOTUNE_wrapped;

/* The driver for a name that reached us: by its nested prefix, else by the file
 * system that holds or will hold it; local.  path_p gets the name without
 * prefixes.  NULL when the prefix names no driver. */
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_by_file(const char *name, const char **path_p);

/* The name without prefixes; local, and the same wherever the name is. */
const char *ADIOI_AUTOTUNE_path(const char *name);

/* Conversion for a broadcast; index is in [0, number of drivers). */
int ADIOI_AUTOTUNE_wrapped_index(const ADIOI_AUTOTUNE_wrapped *wrapped);
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_at(int index);

/* Which of a table's slots are ours: of a file that is passed through; of one
 * whose collective calls are tuned; of one that is recorded too; of one that has
 * no layout yet. */
typedef enum {
    ADIOI_AUTOTUNE_PLAIN,
    ADIOI_AUTOTUNE_TUNED,
    ADIOI_AUTOTUNE_RECORDED,
    ADIOI_AUTOTUNE_LATE,
    ADIOI_AUTOTUNE_TABLES
} ADIOI_AUTOTUNE_table;

/* Make fd a file of the wrapped driver, with our slots in its table. */
void ADIOI_AUTOTUNE_install(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped,
                            ADIOI_AUTOTUNE_table table);

ADIOI_AUTOTUNE_table ADIOI_AUTOTUNE_table_of(ADIO_File fd);

/* The driver behind a table set by ADIOI_AUTOTUNE_install. */
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_of(ADIO_File fd);

/* Counters of this rank, for one direction.  All are doubles, so that they can
 * be reduced at once (ad_autotune_record.c). */
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

/* One collective call on this rank. */
typedef struct ADIOI_AUTOTUNE_call {
    double seconds, storage_seconds; /* the slowest rank's is recorded */
    double bytes, accesses;          /* summed up */
    double at;                       /* since open */
    double write;
} ADIOI_AUTOTUNE_call;

/* Striping of a file on Lustre. */
typedef struct ADIOI_AUTOTUNE_striping {
    int unit, count; /* 0: not known, or by default */
    int start;       /* the first OST; -1: any */
} ADIOI_AUTOTUNE_striping;

/* What the user asked of us, and what they fixed; on rank 0. */
typedef struct ADIOI_AUTOTUNE_settings {
    char *profile, *topology, *explain; /* NULL where not given; ours */
    uint64_t access_size, memory;       /* 0 where not given */
    unsigned fixed;                     /* bit 1u << atm_fix, but for ATM_FIX_COLLECTIVE: */
    int fixed_read, fixed_write;
    int fixed_list;                   /* cb_config_list names the aggregators */
    int cb_nodes;                     /* asked for; 0: not */
    ADIOI_AUTOTUNE_striping striping; /* asked for; all "not": {0, 0, -1} */
} ADIOI_AUTOTUNE_settings;

/* ROMIO's hints that a decision sets. */
typedef struct ADIOI_AUTOTUNE_plan {
    int cb_nodes;
    int cb_buffer_size;
    int cb_read, cb_write; /* ADIOI_HINT_xxx */
    int co_ratio;          /* Lustre, else 0 */
} ADIOI_AUTOTUNE_plan;

enum { ADIOI_AUTOTUNE_NOTES = 256 };

/* Made by rank 0, sent to all as bytes. */
typedef struct ADIOI_AUTOTUNE_decision {
    int call;  /* 0: at open, else the number of the collective call it precedes */
    int apart; /* every rank accesses something, and nothing between others' first and last */
    int kept;  /* the last one stays; all else is without meaning */
    int tuned; /* else what the wrapped driver and the user want */
    ADIOI_AUTOTUNE_plan plan;
    atm_config config;
    atm_access access; /* it is made for; no pieces */
    double parts[ATM_PART_COUNT];
    double uncertainty;
    char reason[sizeof(atm_message)];
    char notes[ADIOI_AUTOTUNE_NOTES]; /* hints that were ignored, and why */
} ADIOI_AUTOTUNE_decision;

/* Factors by which a file's operations were slower than predicted. */
typedef struct ADIOI_AUTOTUNE_scale {
    double communication, storage;
} ADIOI_AUTOTUNE_scale;

/* A cached profile; ad_autotune_profile.c. */
typedef struct ADIOI_AUTOTUNE_profile ADIOI_AUTOTUNE_profile;

/* A cached topology; ad_autotune_job.c. */
typedef struct ADIOI_AUTOTUNE_job ADIOI_AUTOTUNE_job;

/* What only rank 0 remembers of an open file. */
typedef struct ADIOI_AUTOTUNE_root {
    ADIOI_AUTOTUNE_settings *settings; /* ours, as all that follows; NULL: not needed */
    ADIOI_AUTOTUNE_profile *profile;
    ADIOI_AUTOTUNE_job *job;
    int *default_ranks; /* of the wrapped driver's aggregators */
    ADIOI_AUTOTUNE_plan default_plan;
    ADIOI_AUTOTUNE_scale scale;
    int confirmed;       /* a call accessed what the decision was made for */
    int descriptor;      /* of the late file, as created; -1: none */
    atm_message failure; /* why no decision can be made, or "" */
    char *record;        /* where the record goes */
    char *filename;      /* of what */
    atm_record *log;     /* what will stand there */
} ADIOI_AUTOTUNE_root;

/* Decisions are made at open and before calls 1, 2, 4, ... that an int counts; what
 * is reported changes once more when nonblocking calls begin. */
enum { ADIOI_AUTOTUNE_REPORTS = 34 };

/* What the driver remembers of an open file: on all ranks or on none
 * (ad_autotune_hints.c). */
typedef struct ADIOI_AUTOTUNE_state {
    /* the same on all ranks */
    const ADIOI_AUTOTUNE_wrapped *wrapped;
    ADIOI_AUTOTUNE_mode mode;
    int ranks;
    char notes[ADIOI_AUTOTUNE_NOTES]; /* hints that were ignored, for the status */
    char status[512];                 /* as in romio_autotune_status */
    int nonblocking;                  /* a nonblocking collective was started */
    int cb_read, cb_write;            /* ADIOI_HINT_xxx without us */
    int recorded;                     /* leave a record at close */
    int late;                         /* Lustre: created without a layout, none is agreed on */
    ADIOI_AUTOTUNE_striping usual;    /* of a new file beside a late one; zeros: not known */
    int usual_length;                 /* of what the directory has for them; 0: nothing */
    unsigned char usual_bytes[32];    /* of struct lov_user_md_v1 */
    ADIOI_AUTOTUNE_decision decision; /* the last one */
    atm_config layout; /* striping of the last one for a write that tuned; else zeros */
    int calls;         /* blocking collective calls */
    int due;           /* the call before which the next decision is due; 0: never */
    ADIOI_AUTOTUNE_plan reported[ADIOI_AUTOTUNE_REPORTS]; /* by MPI_File_get_info */
    int reports;

    /* this rank's */
    int opened;                       /* OpenColl succeeded */
    int buffer_size;                  /* of fd->io_buf */
    ADIOI_AUTOTUNE_striping striping; /* of the file, where this rank has seen it */
    ADIOI_AUTOTUNE_counters compared; /* when times were last compared */
    ADIOI_AUTOTUNE_counters read, write;
    double opened_at;              /* MPI_Wtime */
    ADIOI_AUTOTUNE_call *timeline; /* [ATM_RECORD_CALLS] if recorded; ours */
    ADIOI_AUTOTUNE_root *root;     /* on rank 0, NULL elsewhere; ours */
} ADIOI_AUTOTUNE_state;

/* The table that a file with this state has when nothing is special about it. */
void ADIOI_AUTOTUNE_install_watched(ADIO_File fd, const ADIOI_AUTOTUNE_state *state);

/* Attach zeroed state to fd->comm, with a root on rank 0; it is freed, and the
 * record written, with the communicator.  NULL when MPI refuses. */
ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd);
/* Of a file with a table of ours. */
ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd);

/* --- records */

/* Of the resource manager, or "". */
const char *ADIOI_AUTOTUNE_job_id(void);
/* On rank 0: the path that a pattern stands for, or NULL and why.  ADIOI_Malloc'ed. */
char *ADIOI_AUTOTUNE_output_path(const char *pattern, atm_message *why);
/* The same, if lines can be appended there. */
char *ADIOI_AUTOTUNE_record_path(const char *pattern, atm_message *why);
/* Begin to keep what a record needs. */
void ADIOI_AUTOTUNE_record_begin(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* On rank 0: a decision was put into effect. */
void ADIOI_AUTOTUNE_record_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* A collective call is over: its own counters. */
void ADIOI_AUTOTUNE_record_call(ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_call *call);
/* Collective: append the record of a file that all ranks have opened.  Best
 * effort: nothing that fails here concerns the program. */
void ADIOI_AUTOTUNE_record_write(MPI_Comm comm, ADIOI_AUTOTUNE_state *state);
void ADIOI_AUTOTUNE_record_end(ADIOI_AUTOTUNE_state *state);

/* --- our hints */

/* Rank 0's: what users_info and the environment say.  Text about values that
 * make no sense is appended to notes[size]. */
ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_create(MPI_Info users_info, char *notes,
                                                        size_t size);
/* Whether users_info has a value of the key that was not just reported in
 * `before`. */
int ADIOI_AUTOTUNE_wishes(MPI_Info users_info, MPI_Info before, const char *key, int is_switch);
/* The user's wishes of a later MPI_File_set_info or _set_view, of a file
 * that reported `before` until then. */
void ADIOI_AUTOTUNE_settings_add(ADIOI_AUTOTUNE_settings *settings, MPI_Info users_info,
                                 MPI_Info before);
void ADIOI_AUTOTUNE_settings_destroy(ADIOI_AUTOTUNE_settings *settings);

/* The hint key, else the variable of the same name in capitals, said in
 * *from_environment (may be NULL); "" if neither.  value has room for
 * MPI_MAX_INFO_VAL characters and the end. */
void ADIOI_AUTOTUNE_get_hint(MPI_Info users_info, const char *key, char *value,
                             int *from_environment);
/* The user's value of a hint in info, as ROMIO knows it; 0: there is none. */
int ADIOI_AUTOTUNE_get_value(MPI_Info info, const char *key, char *value);
/* Set a hint of fd->info. */
void ADIOI_AUTOTUNE_set_number(ADIO_File fd, const char *key, int number);
/* "KEY=VALUE ignored: WHY" after earlier notes, as far as there is room; not
 * twice. */
void ADIOI_AUTOTUNE_note(char *notes, size_t size, const char *key, const char *value,
                         const char *why);

/* The same of a hint of ours; one from the environment is said on stderr as well,
 * once. */
void ADIOI_AUTOTUNE_refuse(char *notes, size_t size, const char *key, const char *value,
                           int from_environment, const char *why);

/* Report what is in effect, or why the wrapped driver's own values are. */
void ADIOI_AUTOTUNE_report(ADIO_File fd, const char *status);
void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason);
/* Report the last decision, and remember what get_info shows from now on. */
void ADIOI_AUTOTUNE_report_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state);

/* --- what comes back: infos of MPI_File_get_info as hints */

/* Whether it was reported by a file of ours, whatever has been added. */
int ADIOI_AUTOTUNE_is_echo(MPI_Info users_info);
/* Bits of the hints that decisions set and the user gave, of such an info. */
unsigned ADIOI_AUTOTUNE_echo_kept(MPI_Info users_info);
/* A copy without the hints that decisions set, but for those kept; free it. */
MPI_Info ADIOI_AUTOTUNE_echo_strip(MPI_Info users_info, unsigned kept);
/* A copy in which values that this file has reported before are those of now; free
 * it. */
MPI_Info ADIOI_AUTOTUNE_echo_renew(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                                   MPI_Info users_info);
/* Remember what get_info shows from now on. */
void ADIOI_AUTOTUNE_echo_remember(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Report which hints of users_info the user gave, for opens that pass it on. */
void ADIOI_AUTOTUNE_echo_report(ADIO_File fd, MPI_Info users_info);

/* --- decisions */

/* Collective: decide for a file that has been opened, or on some ranks not. */
void ADIOI_AUTOTUNE_tune_open(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode);
/* Count a collective call; 1 if a decision is due before it, on all ranks. */
int ADIOI_AUTOTUNE_tune_due(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Collective: then make it for a call that accesses `mine` on this rank.  Whether
 * ranks keep apart in this call, as far as known; the same on all of them. */
int ADIOI_AUTOTUNE_tune_call(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int writes,
                             atc_access mine);

/* What this rank accesses in a collective call; local. */
atc_access ADIOI_AUTOTUNE_access(ADIO_File fd, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset);

/* On rank 0, before the first decision: where ranks sit, what the wrapped driver
 * would do, the profile. */
void ADIOI_AUTOTUNE_prepare(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Collective: rank 0 decides for access (NULL: the last decision is kept; this and
 * apart are looked at only there) and tells; ranks_p gets the aggregators, decision->plan.cb_nodes
 * of them, ADIOI_Malloc'ed, or NULL. */
void ADIOI_AUTOTUNE_decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const atm_access *access,
                           int apart, int call, ADIOI_AUTOTUNE_decision *decision_p, int **ranks_p);

/* On rank 0: tell, where the user asked for it, what was chosen and why. */
void ADIOI_AUTOTUNE_explain(const ADIOI_AUTOTUNE_state *state, const atm_request *request,
                            const atm_profile *profile, const atm_choice *choice, const int *ranks,
                            ADIOI_AUTOTUNE_decision *decision);
/* The same of the layout that a late file got. */
void ADIOI_AUTOTUNE_explain_layout(ADIOI_AUTOTUNE_state *state);

/* The plan that fd's hints amount to. */
ADIOI_AUTOTUNE_plan ADIOI_AUTOTUNE_plan_of(ADIO_File fd);
/* "enable", "disable" or "automatic". */
const char *ADIOI_AUTOTUNE_switch_name(int hint);
/* Collective: put a decision into effect on every rank, or on none (then 0);
 * takes ranks. */
int ADIOI_AUTOTUNE_apply(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                         const ADIOI_AUTOTUNE_decision *decision, int *ranks);
/* Set a romio_cb_read or _write, with its report; local. */
void ADIOI_AUTOTUNE_set_switch(ADIO_File fd, const char *key, int *hint, int value);
/* Make fd->io_buf as large as this rank needs it; local. */
void ADIOI_AUTOTUNE_fit_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Why aggregators and buffer must stay as they are, or NULL; the same on all
 * ranks. */
const char *ADIOI_AUTOTUNE_held(ADIO_File fd, const ADIOI_AUTOTUNE_state *state);

/* A profile: the file named, or what the search finds; local.  Release it.
 * NULL and a message where there is none. */
ADIOI_AUTOTUNE_profile *ADIOI_AUTOTUNE_profile_acquire(const char *path, atm_message *message);
const atm_profile *ADIOI_AUTOTUNE_profile_get(const ADIOI_AUTOTUNE_profile *profile);
void ADIOI_AUTOTUNE_profile_release(ADIOI_AUTOTUNE_profile *profile);

/* On rank 0: where the ranks of fd->comm sit; release it.  A topology file that is
 * of no use is noted. */
atm_status ADIOI_AUTOTUNE_job_acquire(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                      ADIOI_AUTOTUNE_job **job_p);
const atm_topology *ADIOI_AUTOTUNE_topology(const ADIOI_AUTOTUNE_job *job);
void ADIOI_AUTOTUNE_job_release(ADIOI_AUTOTUNE_job *job);

/* --- Lustre */

/* Give fd, which has no Lustre layout, to the plain driver; local. */
void ADIOI_AUTOTUNE_leave_lustre(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code);

/* Of an open file; 0, or -1 and errno (ENODATA: it has none yet). */
int ADIOI_AUTOTUNE_striping_get(int descriptor, ADIOI_AUTOTUNE_striping *striping_p);
/* Of an open file that has none; the same results (EEXIST: it has one).  pool "":
 * none. */
int ADIOI_AUTOTUNE_striping_set(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                const char *pool);
/* As the directory has it, by its bytes; zero bytes: as the file system has it. */
int ADIOI_AUTOTUNE_striping_set_usual(int descriptor, const ADIOI_AUTOTUNE_state *state);
/* What new files beside filename get: 1 if it is plain striping, of which state's
 * usual_* are filled in; 0 if it is more than that (components, a pool, which pool_p[16]
 * gets, data on the MDT), or cannot be seen. */
int ADIOI_AUTOTUNE_striping_usual(const char *filename, ADIOI_AUTOTUNE_state *state, char *pool_p);
/* Take it for fd's, and report it; unit 0: there is none. */
void ADIOI_AUTOTUNE_striping_report(ADIO_File fd, const ADIOI_AUTOTUNE_striping *striping);

/* How a file on Lustre is to be opened: */
typedef enum {
    ADIOI_AUTOTUNE_ANYHOW,  /* as the wrapped driver does */
    ADIOI_AUTOTUNE_CREATED, /* it is there, with the layout that the user wants */
    ADIOI_AUTOTUNE_CREATED_LATE
} ADIOI_AUTOTUNE_creation;

/* Collective. */
ADIOI_AUTOTUNE_creation ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                                   int access_mode);
/* Collective: set the layout of a late file; the error is the same on all ranks. */
void ADIOI_AUTOTUNE_late_settle(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code);
/* Local: the same where other ranks need not take part. */
void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code);
/* On rank 0, which forgets the file: what is not settled gets a layout. */
void ADIOI_AUTOTUNE_late_end(ADIOI_AUTOTUNE_state *state);
void ADIOI_AUTOTUNE_late_slots(ADIOI_Fns *fns);
/* Open of a file that has a layout: reports the first OST, not the generation. */
void ADIOI_AUTOTUNE_lustre_slots(ADIOI_Fns *fns);

/* Open, on this rank alone, a file that ADIOI_GEN_OpenColl has created or found. */
void ADIOI_AUTOTUNE_open_existing(ADIO_File fd, int *error_code);

/* Error code for a name whose prefix is no driver's, as ROMIO's own. */
int ADIOI_AUTOTUNE_unsupported(const char *where);

/* slots of ADIO_AUTOTUNE_operations */
void ADIOI_AUTOTUNE_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code);
void ADIOI_AUTOTUNE_OpenColl(ADIO_File fd, int rank, int access_mode, int *error_code);
void ADIOI_AUTOTUNE_Delete(const char *filename, int *error_code);

/* slots of an installed table */
void ADIOI_AUTOTUNE_SetInfo_again(ADIO_File fd, MPI_Info users_info, int *error_code);
void ADIOI_AUTOTUNE_OpenColl_wrapped(ADIO_File fd, int rank, int access_mode, int *error_code);
void ADIOI_AUTOTUNE_Resize_waiting(ADIO_File fd, ADIO_Offset size, int *error_code);
void ADIOI_AUTOTUNE_IreadStridedColl(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                     MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                     ADIO_Request *request, int *error_code);
void ADIOI_AUTOTUNE_IwriteStridedColl(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                      MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                      ADIO_Request *request, int *error_code);

/* the same, of a watched file */
void ADIOI_AUTOTUNE_collective_slots(ADIOI_Fns *fns);
void ADIOI_AUTOTUNE_access_slots(ADIOI_Fns *fns);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_H_INCLUDED */
