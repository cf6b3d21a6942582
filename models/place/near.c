/* Distribution of data over groups of nodes. */

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

/* Returns a pseudo-random index in [0, count), so that sampling cannot alias with the node size. */
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

        apart += place_group_of(topology, rank) != place_group_of(topology, rank + distance);
    }
    return (double) apart / count;
}

/* Share of ranks outside the place of their part's middle, where aggregators near the data are
 * (place_near.c). */
static double astray_at(const atm_topology *topology, int64_t parts, place_of *place)
{
    int ranks = topology->ranks, count = ranks < SAMPLE ? ranks : SAMPLE, astray = 0;

    for (int i = 0; i < count; i++) {
        int64_t rank = count < ranks ? sampled(i, ranks) : i, part = rank * parts / ranks;
        int64_t middle = (2 * part + 1) * ranks / (2 * parts);

        astray += place(topology, (int) rank) != place(topology, (int) middle);
    }
    return (double) astray / count;
}

/* Distances beyond the last rank count as being in another group. */
atm_job atm_job_of(const atm_topology *topology)
{
    atm_job job = {
        .ranks = topology->ranks, .nodes = topology->nodes, .groups = atm_groups(topology)};

    for (int i = 0; i < ATM_APART; i++)
        job.apart[i] = topology->ranks > 1 << i ? apart_at(topology, 1 << i)
                       : job.groups > 1         ? 1
                                                : 0;
    for (int i = 0; i < ATM_APART && 1 << i < topology->ranks; i++) {
        job.astray.node[i] = astray_at(topology, 1 << i, place_node_of);
        job.astray.group[i] = astray_at(topology, 1 << i, place_group_of);
    }
    return job;
}

/* --- messages */

/* Ranks and aggregators of a node or group, messages that leave it for aggregators elsewhere, and
 * those that its aggregators receive from elsewhere. */
typedef struct traffic {
    int64_t ranks, aggregators, out, in;
} traffic;

static void count_some(const atm_topology *topology, const int *aggregators, int count, int fan,
                       place_of *place, traffic *places)
{
    for (int rank = 0; rank < topology->ranks; rank++) {
        int64_t own = (int64_t) rank * count / topology->ranks;
        int from = place(topology, rank);

        for (int i = 0; i < fan; i++) {
            int to = place(topology, aggregators[(own + i) % count]);

            places[from].out += from != to;
            places[to].in += from != to;
        }
    }
}

/* Counts messages of all ranks to all aggregators. */
static void count_all(const atm_topology *topology, const int *aggregators, int count,
                      place_of *place, int place_count, traffic *places)
{
    for (int rank = 0; rank < topology->ranks; rank++)
        places[place(topology, rank)].ranks++;
    for (int i = 0; i < count; i++)
        places[place(topology, aggregators[i])].aggregators++;
    for (int i = 0; i < place_count; i++) {
        places[i].out = places[i].ranks * (count - places[i].aggregators);
        places[i].in = places[i].aggregators * (topology->ranks - places[i].ranks);
    }
}

atm_status atm_link_messages(const atm_topology *topology, const int *aggregators, int count,
                             int fan, bool of_psets, int64_t *messages_p)
{
    place_of *place = of_psets ? place_group_of : place_node_of;
    int place_count = of_psets ? atm_groups(topology) : topology->nodes;
    traffic *places = calloc((size_t) place_count, sizeof(*places));
    int64_t most = 0;

    if (places == NULL)
        return ATM_NO_MEMORY;
    if (fan < count)
        count_some(topology, aggregators, count, fan, place, places);
    else
        count_all(topology, aggregators, count, place, place_count, places);
    for (int i = 0; i < place_count; i++) {
        most = places[i].out > most ? places[i].out : most;
        most = places[i].in > most ? places[i].in : most;
    }
    free(places);
    *messages_p = of_psets && topology->psets <= 1 ? 0 : most;
    return ATM_OK;
}

atm_status atm_most_at(const atm_topology *topology, const int *ranks, int count, bool of_psets,
                       int64_t *most_p)
{
    place_of *place = of_psets ? place_group_of : place_node_of;
    int place_count = of_psets ? atm_groups(topology) : topology->nodes;
    int *at = calloc((size_t) place_count, sizeof(*at)), most = 1;

    if (at == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        int here = ++at[place(topology, ranks[i])];

        most = here > most ? here : most;
    }
    free(at);
    *most_p = of_psets && topology->psets <= 1 ? 1 : most;
    return ATM_OK;
}

/* First rank of one of count equal runs. */
static int first_of(const atm_topology *topology, int run, int count)
{
    return (int) ((int64_t) run * topology->ranks / count);
}

/* --- affinity */

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

        for (int group = 0; group < groups && place_holds(holders, run, offset); group++) {
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
            ranks_of[run * groups + place_group_of(topology, rank)]++;
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
