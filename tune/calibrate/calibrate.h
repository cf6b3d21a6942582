/*
 * autotune-calibrate: measures the times of elemental operations on this machine.
 *
 *   plan*.c, schedule*.c  which points, in which order                 plan.h
 *   reach.c               what was not reached, in words               plan.h
 *   repetitions.c         what repetitions tell                        repetitions.h
 *   visits_journal.c, points_file.c  what was measured, on disk                   visits_journal.h,
 * points_file.h
 *   -- the above without MPI, the below with it --
 *   calibrate.c           main
 *   calibrate_options.c   the command line
 *   ranks.c               ranks, nodes, groups of them, placement
 *   surroundings.c        what is known of machine, file system and job
 *   scratch.c             the directory for data files
 *   room.c                how large these may be
 *   first_look.c          what storage is like, in some seconds
 *   transfer.c            files through the system calls of each driver
 *   cache.c, bursts.c     how much the file system's cache holds
 *   sample.c              repetitions of anything
 *   collective.c, exchange.c, storage.c, touch.c   the operations
 *   provide.c             files to read: those that were written
 *   visits.c              visit after visit
 *
 * Ranks agree on whatever may fail on one of them before they continue:
 * functions that return a code (0, or an errno value) give the same on all
 * ranks unless they say "local".
 */

#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <limits.h>
#include <mpi.h>

#include "files/file_system.h"
#include "atc.h"
#include "place/near.h"
#include "place/place.h"
#include "visits_journal.h"
#include "common/options.h"
#include "plan.h"
#include "train/points.h"

#define CACHE_MEASURED UINT64_MAX
enum { CAL_CACHES = 7 };

/* --- calibrate_options.c */

typedef struct cal_options {
    const char *directory, *out, *policy, *topology, *name;
    double budget; /* seconds, 0: none */
    uint64_t block, cache, memory;
    uint64_t seed;
    int driver;    /* atm_driver, or -1 */
    int visits;    /* 0: 2, if there is time */
    unsigned only; /* operations, a bit each */
    bool dry_run, force, slurm;
} cal_options;

/* Local.  -1: go on, else an exit code. */
int options_read(int argc, char **argv, cal_options *options_p);
extern const option_table calibrate_options;

/* --- ranks.c */

typedef struct cal_group {
    int nodes, per_node;
    MPI_Comm comm; /* MPI_COMM_NULL on other ranks */
} cal_group;

typedef struct cal_world {
    MPI_Comm comm;
    int rank, ranks, nodes;
    int *node_of;   /* [ranks] */
    int *index_of;  /* [ranks] among those of its node */
    int *ranks_of;  /* [nodes] */
    int *groups_in; /* [nodes] as plan_job has them, or NULL */
    double apart[ATM_APART];
    char (*names)[MPI_MAX_PROCESSOR_NAME]; /* [nodes] on rank 0 */
    atm_topology *machine;                 /* on rank 0 */
    const atm_policy *policy;
    cal_group groups[PLAN_GROUPS];
    int group_count;
} cal_world;

/* False: rank 0 said why.  End with world_clear in any case. */
bool world_make(const cal_options *options, cal_world *world);
void world_clear(cal_world *world);

/* A communicator of the ranks that take part. */
int world_group(cal_world *world, int nodes, int per_node, MPI_Comm *comm_p);
/* Aggregators among them, in ranks of that communicator; on all ranks of the world.
 * ranks[count] is the caller's. */
int world_place(const cal_world *world, int nodes, int per_node, atm_order order, int count,
                int *ranks);
/* As plan_job's links, of a cal_world. */
bool world_links(const void *world, const plan_point *point, plan_links *links_p);

/* Wait for all without using the processor that others measure with. */
void world_rest(const cal_world *world);
/* The largest code of all ranks. */
int world_agree(MPI_Comm comm, int code);

/* --- surroundings.c: rank 0 */

typedef struct cal_facts {
    const char *type;    /* of the file system: as the driver compares it */
    atm_mount mount;     /* "" where not known */
    char library[256];   /* MPI's first line */
    uint64_t block;      /* bytes */
    uint64_t memory;     /* of a node, bytes */
    uint64_t free_bytes; /* on the file system */
    uint64_t all_bytes;
    int cores;
    int nics;    /* network adapters of a node; 0: not known */
    int servers; /* Lustre's OSTs, else 1 */
    atm_driver driver;
} cal_facts;

/* directory, or the one it will be made in.  Local; false: said why. */
bool facts_find(const cal_options *options, cal_facts *facts_p);
/* "machine" and "jobs" of a points file; the caller destroys them.  Local. */
atm_value *facts_machine(const cal_options *options, const cal_world *world, const cal_facts *facts,
                         uint64_t cache);
atm_value *facts_job(const cal_options *options, const cal_world *world, const cal_facts *facts,
                     const char *started, const char *storage, const char *left_out);
/* False: not in an allocation, or with another number of tasks; said so.  Local. */
bool facts_slurm(const cal_world *world);

/* --- scratch.c: rank 0, local */

#define SCRATCH_NAME "autotune-calibrate.d"

/* Make directory/SCRATCH_NAME, without files of a run that was killed.  False: said
 * why; *code_p is the exit code. */
bool scratch_make(const cal_options *options, int *code_p);
void scratch_remove(const cal_options *options);
/* Bytes of files left by a run that was killed. */
uint64_t scratch_bytes(const cal_options *options);

/* --- transfer.c: local; 0 or an errno value */

typedef struct access_driver {
    /* a new file; stripes of stripe_size where the driver has them */
    int (*create)(const char *path, int stripes, uint64_t stripe_size, int *file_p);
    int (*write)(int file, const char *buffer, uint64_t bytes, uint64_t offset);
    int (*read)(int file, char *buffer, uint64_t bytes, uint64_t offset);
} access_driver;

extern const access_driver access_drivers[ATM_DRIVER_COUNT];

/* --- sample.c */

enum { SAMPLE_WARM = 5 };

/* What is repeated.  Functions are called on all ranks of comm with the
 * repetition's number, the first (of batches up to SAMPLE_WARM) to warm up; they keep calling what
 * is collective after a failure, and give 0 or an errno value (local). */
typedef struct cal_work {
    MPI_Comm comm;
    bool batches; /* several in a row may stand for one */
    int batch;    /* otherwise: as many are one; 0: one */
    bool apart;   /* ranks do not wait for each other */
    int most;     /* repetitions that may be asked for, 4 or more */
    void *state;
    int (*before)(void *state, int repetition); /* not timed; or NULL */
    int (*run)(void *state, int number);        /* counted over all of a batch */
    int (*after)(void *state, int repetition);  /* not timed; or NULL */
} cal_work;

/* seconds[most] gets repetitions, the slowest rank of each.  Gives CAL_SIGNAL
 * if one came. */
#define CAL_SIGNAL (-1)
int sample_work(const cal_work *work, double limit, double *seconds, int most, int *count_p);

/* The first signal this rank got, or 0. */
int sample_signal(void);
void sample_catch_signals(void);

/* --- the operations: measure a point on all ranks of the world */

/* A file to read: pieces of so many bytes, that begin as far apart. */
typedef struct cal_kept {
    int stripes;       /* 0: none */
    int visit, number; /* its name; number -1: made to be read */
    uint64_t pieces, spacing, bytes;
} cal_kept;

/* One for each number of stripes. */
enum { CAL_KEPT = 64 };

typedef struct cal_files {
    const access_driver *driver;
    char directory[PATH_MAX - 64];
    uint64_t stripe_size;
    int servers;     /* that a file may be striped over: 1 but on Lustre */
    uint64_t disk;   /* for one file, */
    int count;       /* of so many at a time */
    uint64_t cache;  /* to exceed, of all nodes; 0: cached speed is what is wanted */
    bool absorb;     /* writes are measured with room in it, write_drained without; else all
                        without */
    double rate;     /* at which it drains, bytes per second; 0: not known */
    double level;    /* bytes in it, */
    double level_at; /* at that time */
    uint64_t filled; /* where fill.data goes on */
    bool drops;      /* what is to be read is dropped from caches before */
    bool reads;      /* there are points that read: files are kept for them */
    double longest;  /* seconds that anything may take */
    plan_look look;
    cal_kept kept[CAL_KEPT];
    bool touched_apart; /* new memory is measured by itself, so that first rounds need none */
    int visit;          /* so many; the same on all ranks */
    bool is_local;      /* no other node has these files */
} cal_files;

/* Bytes of a node's data.  What is used again is at least that far back, so that no processor has
 * it in its cache. */
#define CAL_DATA_SET (256.0 * (1 << 20))

typedef struct cal_place {
    const plan_point *point;
    MPI_Comm comm;     /* of those who take part, or MPI_COMM_NULL */
    int rank, ranks;   /* in it */
    const int *chosen; /* [chosen_count] ranks that aggregate */
    int chosen_count;
    char *buffer; /* plan_memory of the point at least; of an exchange, a node's data set more */
    size_t buffer_bytes;
    int most; /* repetitions */
    double limit;
    cal_files *files;
} cal_place;

int measure_collective(const cal_place *place, double *seconds, int *count_p);
int measure_exchange(const cal_place *place, bool alltoallv, double *seconds, int *count_p);
int measure_storage(const cal_place *place, double *seconds, int *count_p);
/* Processor time of this node, in ticks */
typedef struct cal_stolen {
    double stolen, wanted; /* by others; with what was used here */
} cal_stolen;
/* False where the system does not tell. */
bool stolen_read(cal_stolen *now_p);
double stolen_share(const cal_stolen *before);

/* provide.c: the file to read from of that many stripes, or NULL. */
cal_kept *provide_kept(cal_files *files, int stripes);
void provide_name(const cal_files *files, const cal_kept *kept, char path[PATH_MAX]);
/* Offset and bytes of a reader's own part of the file. */
uint64_t provide_part(const cal_kept *kept, int readers, int reader, uint64_t *bytes_p);
/* Bytes of all rounds of a read that are enough. */
double provide_wanted(const cal_place *place);
/* At least so many bytes for each reader of a file of the point's stripes, and as many as are
 * wanted if it does not take too long to write them; collective.  *kept_p is NULL if even the
 * least would. */
int provide_file(const cal_place *place, uint64_t least, uint64_t wanted, const cal_kept **kept_p);
/* Keeps a file that was written, open here or -1, if that has more to read than the one before;
 * collective.  *kept_p: it was taken over. */
int provide_keep(const cal_place *place, const cal_kept *written, int file, bool *kept_p);
/* Pages of a buffer are no longer there, or are used; local. */
void touch_forget(char *buffer, size_t bytes);
void touch_pages(char *buffer, size_t bytes);
int measure_touch(const cal_place *place, double *seconds, int *count_p);

/* --- first_look.c */

struct cal_session;

/* Collective; files go again. */
int look_around(const struct cal_session *session, plan_look *look_p);

/* --- cache.c */

/* Writes from an idle start by the first so many ranks. */
typedef struct cal_burst {
    int writers;
    int stripes;
    uint64_t step;  /* bytes of a write */
    double seconds; /* at most, */
    uint64_t room;  /* as many bytes */
} cal_burst;

/* Sums over all nodes; bytes is 0 if no limit was found within the time and room. */
typedef struct cal_cache {
    double bytes; /* after which writes become slow, */
    double knee;  /* over the last share of them; */
    double rate;  /* from then on */
} cal_cache;

int cache_measure(const cal_world *world, cal_files *files, const cal_burst *how,
                  cal_cache *cache_p);
/* Fill it again before a write is measured, or empty it. */
int cache_fill(MPI_Comm comm, cal_files *files, char *buffer, size_t bytes);
int cache_drain(MPI_Comm comm, cal_files *files);

/* --- bursts.c */

/* What bursts show of caches: sets session->files, caches and storage; collective. */
int bursts_find_cache(struct cal_session *session);

/* --- prepare.c: rank 0, local */

/* What a run works on; all but world, options and files on rank 0 only. */
typedef struct cal_session {
    const cal_options *options;
    cal_world *world;
    cal_facts facts;
    plan plan;
    schedule schedule;
    journal *journal;
    cal_files files;
    points_cache caches[CAL_CACHES]; /* what bursts showed */
    int cache_count;
    char storage[160];   /* how storage is measured, in words */
    double setup;        /* seconds before the first visit */
    char left_out[1024]; /* what does not fit or was not reached, in words; or "" */
    bool measures_files; /* points for them fit */
    int dropped;         /* visits, as the host took processors away */
    double dropped_seconds;
} cal_session;

/* --- room.c: rank 0, local */

/* Bytes that files may take on disk. */
uint64_t room_for_files(const cal_facts *facts);
/* Sets job->disk to what fits, or to what a journal began with, and session->left_out
 * and files.count. */
atm_status room_fit(cal_session *session, plan_job *job);
/* False: said why there is no room. */
bool room_check(const cal_session *session, int *code_p);

/* Plan and schedule; false: said why, *code_p is the exit code. */
bool prepare_plan(cal_session *session, int *code_p);
void prepare_print(cal_session *session); /* for --dry-run; uses up the schedule */
/* Whether there is room on disk, and nothing that must not be overwritten. */
bool prepare_check(const cal_session *session, int *code_p);
/* How to measure what the first look has seen; collective. */
void prepare_adapt(cal_session *session, const plan_look *look);
/* Notes the visits of a journal. */
void prepare_replay(cal_session *session);
/* Continue an existing journal: session->journal, or NULL if there is none. */
bool prepare_resume(cal_session *session, int *code_p);
bool prepare_journal(cal_session *session, int *code_p);

/* --- visits_progress.c: rank 0, local */

typedef struct cal_progress {
    double drawn; /* when it was last drawn, or 0 */
    bool terminal;
} cal_progress;

void progress_show(cal_progress *progress, const schedule *schedule, const plan_point *point);
void progress_end(cal_progress *progress);

/* --- visits.c */

/* Exit code. */
int run(const cal_options *options, cal_world *world);

#endif /* CALIBRATE_H */
