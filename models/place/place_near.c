/* Aggregators near the ranks that hold their parts of the file. */

#include <stdlib.h>

#include "near.h"
#include "place_policy.h"

/* Bridges count as long as they are this part of the aggregators. */
enum { BRIDGES_COUNT = 4 };

/* --- who holds a part */

/* Middle of the part of one of count aggregators, as a share of all that is accessed; 1 or more:
 * it has none.  With blocks, the first ones have one more (ad_gpfs_aggrs.c:386). */
static double middle_of(const atm_access *access, uint64_t block, int part, int count)
{
    double range = (double) (access->end - access->start) + 1, from, to;
    uint64_t blocks = block > 0 ? access->end / block - access->start / block + 1 : 0;
    uint64_t small = blocks / (uint64_t) count, large = blocks % (uint64_t) count;
    uint64_t index = (uint64_t) part, first = index * small + (index < large ? index : large);

    if (blocks == 0)
        return (part + 0.5) / count;
    from = (double) first * (double) block - (double) (access->start % block);
    to = from + (double) (small + (index < large)) * (double) block;
    if (to > range)
        to = range;
    return from < to ? (from + to) / 2 / range : 1;
}

/* The shortest of the runs of ranks that hold a byte; -1: they are not known, or hold some of
 * everything. */
static int run_at(const atm_access *access, uint64_t offset)
{
    const atm_holders *holders = &access->holders;
    uint64_t least = access->end - access->start;
    int found = -1;

    for (int run = 0; run < holders->count; run++)
        if (place_holds(holders, run, offset) && holders->to[run] - holders->from[run] < least) {
            least = holders->to[run] - holders->from[run];
            found = run;
        }
    return found;
}

/* A rank among those that hold the middle of a part: without knowledge, they hold it in order.
 * -1: there is nothing to hold. */
static int holder_of(const atm_topology *topology, const atm_access *access, double middle)
{
    int run;

    if (middle >= 1)
        return -1;
    run = access->interleaved
              ? run_at(access,
                       access->start + (uint64_t) (middle * (double) (access->end - access->start)))
              : -1;
    if (run >= 0)
        middle = (run + 0.5) / access->holders.count;
    return (int) (middle * topology->ranks);
}

/* --- who gets it */

static int anywhere(const atm_topology *topology, int rank)
{
    (void) topology;
    (void) rank;
    return 0;
}

static place_of *const nearest_first[] = {place_node_of, place_group_of, anywhere};

enum { LEVELS = sizeof(nearest_first) / sizeof(nearest_first[0]) };

/* Parts and aggregators that are left for each other. */
typedef struct seats {
    int parts;
    int *holder; /* [parts], -1: nobody */
    int count;
    int *rank;            /* [count], ascending */
    int places;           /* at most */
    int *next, *end, *at; /* those of place i are at[next[i]] ... at[end[i] - 1] */
} seats;

static void sort_seats(const atm_topology *topology, place_of *place, seats *seats)
{
    int first = 0;

    for (int i = 0; i < seats->places; i++)
        seats->end[i] = 0;
    for (int i = 0; i < seats->count; i++)
        seats->end[place(topology, seats->rank[i])]++;
    for (int i = 0; i < seats->places; i++) {
        int here = seats->end[i];

        seats->next[i] = seats->end[i] = first;
        first += here;
    }
    for (int i = 0; i < seats->count; i++)
        seats->at[seats->end[place(topology, seats->rank[i])]++] = seats->rank[i];
}

static int by_rank(const void *left, const void *right)
{
    int a = *(const int *) left, b = *(const int *) right;

    return a < b ? -1 : a > b;
}

/* Parts without an aggregator (-1 in ranks) get one at the place of their holder. */
static void take_seats(const atm_topology *topology, place_of *place, seats *seats, int *ranks)
{
    int left = 0;

    sort_seats(topology, place, seats);
    for (int part = 0; part < seats->parts; part++) {
        int at = seats->holder[part] >= 0 ? place(topology, seats->holder[part])
                 : place == anywhere      ? 0
                                          : -1;

        if (ranks[part] < 0 && at >= 0 && seats->next[at] < seats->end[at])
            ranks[part] = seats->at[seats->next[at]++];
    }
    for (int i = 0; i < seats->places; i++)
        for (int k = seats->next[i]; k < seats->end[i]; k++)
            seats->rank[left++] = seats->at[k];
    qsort(seats->rank, (size_t) left, sizeof(int), by_rank);
    seats->count = left;
}

/* The ranks of bridge-first, in another order. */
static atm_status order(const atm_topology *topology, seats *seats, int *ranks)
{
    atm_status status = place_bridge_first.place(topology, seats->parts, ranks);

    if (status != ATM_OK)
        return status;
    for (int part = 0; part < seats->parts; part++) {
        seats->rank[part] = ranks[part];
        ranks[part] = -1;
    }
    qsort(seats->rank, (size_t) seats->count, sizeof(int), by_rank);
    /* few: in order, which leaves each as near as its neighbours */
    for (int level = seats->parts < topology->nodes; level < LEVELS && seats->count > 0; level++)
        take_seats(topology, nearest_first[level], seats, ranks);
    return ATM_OK;
}

/* One or less on a node, and too many for most to be on bridges. */
static bool are_few(const atm_topology *topology, int aggregators)
{
    return aggregators < topology->nodes && aggregators > BRIDGES_COUNT * topology->bridges;
}

static atm_status place_parts(const atm_topology *topology, const atm_access *access,
                              uint64_t block, seats *seats, int *ranks)
{
    bool placed = false;
    atm_status status = ATM_OK;

    for (int part = 0; part < seats->parts; part++)
        seats->holder[part] =
            holder_of(topology, access, middle_of(access, block, part, seats->parts));
    if (are_few(topology, seats->parts))
        status = place_among_holders(topology, seats->holder, seats->parts, ranks, &placed);
    return status != ATM_OK || placed ? status : order(topology, seats, ranks);
}

atm_status atm_place_near(const atm_topology *topology, const atm_access *access, uint64_t block,
                          int aggregators, int *ranks)
{
    int places = topology->nodes > topology->psets ? topology->nodes : topology->psets;
    seats seats = {.parts = aggregators, .count = aggregators, .places = places};
    atm_status status;
    int *memory;

    if (aggregators < 1 || aggregators > topology->ranks)
        return ATM_BAD_ARGUMENT;
    memory = malloc((3 * (size_t) aggregators + 2 * (size_t) places) * sizeof(*memory));
    if (memory == NULL)
        return ATM_NO_MEMORY;
    seats.holder = memory;
    seats.rank = memory + aggregators;
    seats.at = seats.rank + aggregators;
    seats.next = seats.at + aggregators;
    seats.end = seats.next + places;
    status = place_parts(topology, access, block, &seats, ranks);
    free(memory);
    return status;
}

static atm_status place(const atm_topology *topology, int aggregators, int *ranks)
{
    static const atm_access in_order = {.interleaved = false};

    return atm_place_near(topology, &in_order, 0, aggregators, ranks);
}

const atm_policy place_near = {
    .name = "near", .summary = "near the data of ranks that hold it in order", .place = place};
