/* Who holds what, by groups of nodes. */

#include "near.h"

#include <math.h>
#include <stdlib.h>

#include "place_policy.h"

enum {
    PARTS = 32,   /* of the file, that are looked at */
    SAMPLE = 4096 /* ranks, of which successors are looked at */
};

int atm_groups(const atm_topology *topology)
{
    return topology->psets > 1 ? topology->psets : topology->nodes;
}

static int group_of(const atm_topology *topology, int rank)
{
    int node = topology->node_of[rank];

    return topology->psets > 1 ? topology->node[node].pset : node;
}

/* Of [0, count): spread, but at no even distance, which that of nodes might repeat. */
static int sampled(int index, int count)
{
    uint64_t hash = (uint64_t) index * UINT64_C(0x9e3779b97f4a7c15);

    return (int) ((hash >> 32) * (uint64_t) count >> 32);
}

static double apart_at(const atm_topology *topology, int distance)
{
    int pairs = topology->ranks - distance, count = pairs < SAMPLE ? pairs : SAMPLE, apart = 0;

    for (int i = 0; i < count; i++) {
        int rank = count < pairs ? sampled(i, pairs) : i;

        apart += group_of(topology, rank) != group_of(topology, rank + distance);
    }
    return (double) apart / count;
}

/* Beyond the last rank nobody is nearer. */
atm_job atm_job_of(const atm_topology *topology)
{
    atm_job job = {
        .ranks = topology->ranks, .nodes = topology->nodes, .groups = atm_groups(topology)};

    for (int i = 0; i < ATM_APART; i++)
        job.apart[i] = topology->ranks > 1 << i ? apart_at(topology, 1 << i)
                       : job.groups > 1         ? 1
                                                : 0;
    return job;
}

/* First rank of one of count equal runs. */
static int first_of(const atm_topology *topology, int run, int count)
{
    return (int) ((int64_t) run * topology->ranks / count);
}

/* --- affinity */

static bool holds(const atm_holders *holders, int run, uint64_t offset)
{
    return holders->from[run] <= offset && offset <= holders->to[run];
}

/* Share of the ranks that hold a byte which are in the group with most; 0 if nobody does.
 * Each rank of a run is taken to hold as much of all that the run accesses. */
static double share_at(const atm_topology *topology, const atm_holders *holders,
                       const int *ranks_of, uint64_t offset, double *density)
{
    int groups = atm_groups(topology);
    double most = 0, all = 0;

    for (int group = 0; group < groups; group++)
        density[group] = 0;
    for (int run = 0; run < holders->count; run++) {
        double bytes = (double) (holders->to[run] - holders->from[run]) + 1;

        for (int group = 0; group < groups && holds(holders, run, offset); group++) {
            double more = ranks_of[run * groups + group] / bytes;

            density[group] += more;
            all += more;
        }
    }
    for (int group = 0; group < groups; group++)
        most = fmax(most, density[group]);
    return all > 0 ? most / all : 0;
}

static double affinity_of_runs(const atm_topology *topology, const atm_access *access,
                               int *ranks_of, double *density)
{
    const atm_holders *holders = &access->holders;
    int groups = atm_groups(topology), held = 0;
    double sum = 0;

    for (int run = 0; run < holders->count; run++)
        for (int rank = first_of(topology, run, holders->count);
             rank < first_of(topology, run + 1, holders->count); rank++)
            ranks_of[run * groups + group_of(topology, rank)]++;
    for (int part = 0; part < PARTS; part++) {
        uint64_t offset = access->start + (uint64_t) ((part + 0.5) / PARTS *
                                                      (double) (access->end - access->start));
        double share = share_at(topology, holders, ranks_of, offset, density);

        sum += share;
        held += share > 0;
    }
    return held > 0 ? sum / held : 0;
}

atm_status atm_affinity(const atm_topology *topology, const atm_access *access, double *affinity_p)
{
    size_t groups = (size_t) atm_groups(topology), runs = (size_t) access->holders.count;
    double *density = malloc(groups * sizeof(*density));
    int *ranks_of = calloc(groups * (runs > 0 ? runs : 1), sizeof(*ranks_of));
    atm_status status = ATM_NO_MEMORY;

    if (density != NULL && ranks_of != NULL) {
        *affinity_p = affinity_of_runs(topology, access, ranks_of, density);
        status = ATM_OK;
    }
    free(ranks_of);
    free(density);
    return status;
}

/* --- order */

/* A rank among those that hold the middle of one of count parts of the file: without knowledge,
 * they hold it in order. */
static int holder_of(const atm_topology *topology, const atm_access *access, int part, int count)
{
    const atm_holders *holders = &access->holders;
    double middle = (part + 0.5) / count;
    uint64_t offset, least = UINT64_MAX;
    int found = -1;

    if (access->interleaved) {
        offset = access->start + (uint64_t) (middle * (double) (access->end - access->start));
        for (int run = 0; run < holders->count; run++)
            if (holds(holders, run, offset) && holders->to[run] - holders->from[run] < least) {
                least = holders->to[run] - holders->from[run];
                found = run;
            }
        if (least >= access->end - access->start) /* they hold some of everything */
            found = -1;
        if (found >= 0)
            middle = (found + 0.5) / holders->count;
    }
    return (int) (middle * topology->ranks);
}

static int by_rank(const void *left, const void *right)
{
    int a = *(const int *) left, b = *(const int *) right;

    return a < b ? -1 : a > b;
}

/* Aggregators by group, ascending in each: those of group i are at[next[i]] ... at[end[i] - 1]. */
typedef struct seats {
    int *next, *end; /* [groups] */
    int *at;         /* [aggregators] */
} seats;

static void seats_fill(const atm_topology *topology, const int *ranks, int count, seats *seats)
{
    int groups = atm_groups(topology), first = 0;

    for (int i = 0; i < count; i++)
        seats->end[group_of(topology, ranks[i])]++;
    for (int group = 0; group < groups; group++) {
        int here = seats->end[group];

        seats->next[group] = seats->end[group] = first;
        first += here;
    }
    for (int i = 0; i < count; i++)
        seats->at[seats->end[group_of(topology, ranks[i])]++] = ranks[i];
}

/* Parts whose group has no aggregator left get those that nobody wants, in order. */
static void take_seats(const atm_topology *topology, const atm_access *access, seats *seats,
                       int count, int *ranks)
{
    int group = 0;

    for (int part = 0; part < count; part++) {
        int wanted = group_of(topology, holder_of(topology, access, part, count));

        ranks[part] =
            seats->next[wanted] < seats->end[wanted] ? seats->at[seats->next[wanted]++] : -1;
    }
    for (int part = 0; part < count; part++) {
        while (ranks[part] < 0 && seats->next[group] == seats->end[group])
            group++;
        if (ranks[part] < 0)
            ranks[part] = seats->at[seats->next[group]++];
    }
}

atm_status atm_place_near(const atm_topology *topology, const atm_access *access, int aggregators,
                          int *ranks)
{
    size_t groups = (size_t) atm_groups(topology);
    atm_status status = atm_place(topology, &place_bridge_first, aggregators, ranks);
    seats seats;

    if (status != ATM_OK)
        return status;
    qsort(ranks, (size_t) aggregators, sizeof(*ranks), by_rank);
    seats.next = calloc(2 * groups + (size_t) aggregators, sizeof(int));
    if (seats.next == NULL)
        return ATM_NO_MEMORY;
    seats.end = seats.next + groups;
    seats.at = seats.end + groups;
    seats_fill(topology, ranks, aggregators, &seats);
    take_seats(topology, access, &seats, aggregators, ranks);
    free(seats.next);
    return ATM_OK;
}
