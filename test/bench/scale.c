/*
 * What a decision costs rank 0 and any other rank of jobs up to a million ranks:
 * what they compute and allocate, in one process without MPI.
 *
 *     scale [RANKS...]
 *
 * Processor time in milliseconds, the median of repetitions, and how it grew from
 * the job before it.
 */

#include <time.h>
#include <unistd.h>

#include "unit/models/scale_help.h"

enum { REPEATS = 9, STEPS_MAX = 8 };

/* As ad_autotune_decide.c broadcasts it: a decision with its texts, and the ranks of
 * a short list. */
typedef struct message {
    int flags[4], plan[5];
    atm_config config;
    atm_access access;
    double parts[ATM_PART_COUNT], others[3];
    char reason[sizeof(atm_message)], notes[256];
    int ranks[16];
} message;

enum { SHORT_LIST = 16 };

/* All that the steps of a decision need and leave behind */
typedef struct rank0 {
    scale_job job;
    const char *conf; /* Slurm's topology.conf, or NULL: names only */
    const atm_profile *profile;
    atm_driver driver;
    atm_topology *topology;
    atm_choice *choice;
    int aggregators;
    int *ranks;
} rank0;

/* --- steps */

static bool find_topology(rank0 *rank0)
{
    atm_job_place place = {
        .ranks = rank0->job.ranks, .host = rank0->job.host, .slurm_conf_topology = rank0->conf};
    atm_message reason;
    atm_where where;

    return atm_topology_of_job(&place, &reason, &where, &rank0->topology) == ATM_OK &&
           where == (rank0->conf != NULL ? ATM_WHERE_SLURM : ATM_WHERE_NAMES);
}

static void drop_topology(rank0 *rank0)
{
    atm_topology_destroy(rank0->topology);
}

static bool choose(rank0 *rank0)
{
    atm_request request = scale_request(rank0->driver, rank0->topology, rank0->profile);

    atm_request_set_topology(&request, rank0->topology);
    if (atm_choose(&request, rank0->profile, &rank0->choice) != ATM_OK)
        return false;
    rank0->aggregators = rank0->choice->candidates[rank0->choice->chosen].config.aggregators;
    return true;
}

static void drop_choice(rank0 *rank0)
{
    atm_choice_destroy(rank0->choice);
}

/* The driver's list has room for every rank. */
static bool place(rank0 *rank0)
{
    rank0->ranks = malloc((size_t) rank0->topology->ranks * sizeof(*rank0->ranks));
    return rank0->ranks != NULL &&
           atm_place(rank0->topology, atm_policy_at(0), rank0->aggregators, rank0->ranks) == ATM_OK;
}

static void drop_list(rank0 *rank0)
{
    free(rank0->ranks);
}

/* --- measuring */

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *) left, b = *(const double *) right;

    return a < b ? -1 : a > b;
}

typedef struct cost {
    double ms;         /* median */
    size_t peak, kept; /* bytes */
} cost;

/* What the last repetition has made stays. */
static bool measure(rank0 *rank0, bool (*step)(struct rank0 *), void (*drop)(struct rank0 *),
                    cost *cost_p)
{
    double ms[REPEATS];
    size_t before = live;

    for (int i = 0; i < REPEATS; i++) {
        if (i > 0)
            drop(rank0);
        peak = live;
        ms[i] = now_ms();
        if (!step(rank0))
            return false;
        ms[i] = now_ms() - ms[i];
    }
    qsort(ms, REPEATS, sizeof(*ms), by_size);
    *cost_p = (cost){.ms = ms[REPEATS / 2], .peak = peak - before, .kept = live - before};
    return true;
}

/* Any other rank: receives a message and a list, and looks for itself in it. */
static double other_rank_us(const rank0 *rank0)
{
    size_t bytes = (size_t) rank0->aggregators * sizeof(int);
    double start = now_ms();
    volatile int found = -1;

    for (int i = 0; i < REPEATS; i++) {
        int *ranks = __real_malloc(bytes);

        if (ranks == NULL)
            return -1;
        memcpy(ranks, rank0->ranks, bytes);
        for (int k = 0; k < rank0->aggregators; k++)
            if (ranks[k] == rank0->job.ranks) /* none */
                found = k;
        __real_free(ranks);
    }
    (void) found;
    return (now_ms() - start) * 1e3 / REPEATS;
}

/* --- the table */

static double last[STEPS_MAX]; /* milliseconds of the job before, by column */

static void show_ms(int column, double ms)
{
    printf(" %9.3f", ms);
    if (last[column] > 0)
        printf(" x%-5.1f", ms / last[column]);
    else
        printf(" %-6s", "");
    last[column] = ms;
}

static void show_heading(const char *title)
{
    printf("\n%s\n%8s %8s %6s  %16s %16s  %11s %16s  %10s %9s  %10s %9s %8s\n", title, "ranks",
           "nodes", "psets", "topology ms", "choice ms", "aggregators", "placement ms", "peak KiB",
           "kept KiB", "bcast B", "other B", "other us");
    memset(last, 0, sizeof(last));
}

static bool show_job(rank0 *rank0)
{
    cost topology, choice, list;
    size_t list_bytes, most;

    if (!measure(rank0, find_topology, drop_topology, &topology) ||
        !measure(rank0, choose, drop_choice, &choice) || !measure(rank0, place, drop_list, &list))
        return false;
    list_bytes = (size_t) rank0->aggregators * sizeof(int);
    most = topology.kept + choice.kept + list.peak;
    most = topology.peak > most ? topology.peak : most;
    printf("%8d %8d %6d ", rank0->job.ranks, rank0->topology->nodes, rank0->topology->psets);
    show_ms(0, topology.ms);
    show_ms(1, choice.ms);
    printf("  %11d", rank0->aggregators);
    show_ms(2, list.ms);
    printf("  %10zu %9zu  %10zu %9zu %8.1f\n", most / 1024, topology.kept / 1024,
           sizeof(message) + (rank0->aggregators > SHORT_LIST ? list_bytes : 0), list_bytes,
           other_rank_us(rank0));
    drop_list(rank0);
    drop_choice(rank0);
    drop_topology(rank0);
    return true;
}

static bool show_jobs(const char *title, int per_node, bool dealt, bool slurm, atm_driver driver,
                      const atm_profile *profile, const int *ranks, int count)
{
    char path[] = "/tmp/bench_scale.XXXXXX";
    int descriptor = mkstemp(path);
    bool good = descriptor >= 0;

    show_heading(title);
    for (int i = 0; i < count && good; i++) {
        rank0 rank0 = {.conf = slurm ? path : NULL, .profile = profile, .driver = driver};

        good = scale_job_make(ranks[i], per_node, dealt, &rank0.job) &&
               scale_job_write(&rank0.job, path) && show_job(&rank0);
        scale_job_free(&rank0.job);
    }
    if (descriptor >= 0) {
        close(descriptor);
        unlink(path);
    }
    return good;
}

int main(int argc, char **argv)
{
    static int ranks[STEPS_MAX] = {1000, 10000, 100000, 1000000};
    int count = argc > 1 ? 0 : 4;
    atm_profile *profile;
    bool good;

    for (int i = 1; i < argc && count < STEPS_MAX; i++)
        ranks[count++] = atoi(argv[i]);
    if (atm_profile_generic(NULL, &profile) != ATM_OK)
        return 2;
    profile->machine.servers = 1000;
    good = show_jobs("16 ranks a node in blocks, names only, ufs", 16, false, false, ATM_UFS,
                     profile, ranks, count) &&
           show_jobs("16 ranks a node dealt out, names only, lustre", 16, true, false, ATM_LUSTRE,
                     profile, ranks, count) &&
           show_jobs("16 ranks a node in blocks, topology.conf, gpfs", 16, false, true, ATM_GPFS,
                     profile, ranks, count) &&
           show_jobs("64 ranks a node in blocks, topology.conf, ufs", 64, false, true, ATM_UFS,
                     profile, ranks, count) &&
           show_jobs("1 rank a node, topology.conf, ufs", 1, false, true, ATM_UFS, profile, ranks,
                     count);
    atm_profile_destroy(profile);
    return good ? 0 : 2;
}
