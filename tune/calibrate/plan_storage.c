/* Points of file accesses: one, two and four blocks with their neighbours, or
 * stripes, the buffers that the chooser considers (candidates.c), and for
 * independent access what lies below. */

#include "plan.h"

#define MIB (UINT64_C(1) << 20)
#define BUFFER_MAX (256 * MIB)

enum {
    SIZES = 64,
    COUNTS = 64,
    STRIPE_UNIT = 65536 /* stripes of Lustre are multiples of it: LOV_MIN_STRIPE_SIZE */
};

typedef struct sizes {
    uint64_t at[SIZES];
    int count;
    uint64_t max;
} sizes;

static void add_size(sizes *set, uint64_t size)
{
    int i = set->count;

    if (size < 1 || size > set->max || set->count == SIZES)
        return;
    while (i > 0 && set->at[i - 1] > size)
        i--;
    if (i > 0 && set->at[i - 1] == size)
        return;
    for (int k = set->count++; k > i; k--)
        set->at[k] = set->at[k - 1];
    set->at[i] = size;
}

/* Largest piece that a rank has memory for, and one rank disk space. */
static uint64_t largest(const plan_job *job)
{
    uint64_t max = job->memory / (uint64_t) plan_most(job);

    if (max > job->disk / 4)
        max = job->disk / 4;
    return max < BUFFER_MAX ? max : BUFFER_MAX;
}

/* Accesses to files with stripes, which ranks share the locks of: whole ones, and halves. */
static sizes pieces_of(const plan_job *job)
{
    sizes set = {.max = largest(job)};

    for (uint64_t size = 4096; size < job->block; size *= 4)
        add_size(&set, size);
    for (uint64_t size = job->block; size <= BUFFER_MAX; size *= 2) {
        add_size(&set, size);
        add_size(&set, size + size / 2);
    }
    return set;
}

/* Accesses to files with blocks, which are read first if a byte of them is to be written. */
static sizes sizes_of(const plan_job *job)
{
    uint64_t unit = job->block;
    sizes set = {.max = largest(job)};

    for (int blocks = 1; blocks <= 4; blocks *= 2) {
        add_size(&set, (uint64_t) blocks * unit - 1);
        add_size(&set, (uint64_t) blocks * unit);
        add_size(&set, (uint64_t) blocks * unit + 1);
    }
    for (uint64_t size = 4096; size < MIB; size *= 4)
        add_size(&set, size);
    while (unit < MIB)
        unit *= 2;
    for (uint64_t size = unit; size <= BUFFER_MAX; size *= 2)
        add_size(&set, size);
    add_size(&set, 3 * unit); /* not a power of two */
    add_size(&set, 24 * unit);
    return set;
}

/* A round of two-phase writes on Lustre is a stripe, of which there are no
 * smaller ones; candidates.c has those that are considered. */
static bool is_stripe(const plan_job *job, atm_operation operation)
{
    return job->driver == ATM_LUSTRE &&
           (operation == ATM_WRITE_FIRST || operation == ATM_WRITE_FULL ||
            operation == ATM_WRITE_DRAINED);
}

static sizes stripes_of(const plan_job *job)
{
    sizes set = {.max = largest(job)};

    for (uint64_t size = STRIPE_UNIT; size < MIB; size *= 4)
        add_size(&set, size);
    for (uint64_t size = MIB; size <= BUFFER_MAX; size *= 2)
        add_size(&set, size);
    add_size(&set, 3 * MIB); /* not a power of two */
    add_size(&set, 24 * MIB);
    add_size(&set, job->block);
    return set;
}

static sizes sizes_for(const plan_job *job, atm_operation operation)
{
    if (is_stripe(job, operation))
        return stripes_of(job);
    return job->driver == ATM_LUSTRE && plan_is_independent(operation) ? pieces_of(job)
                                                                       : sizes_of(job);
}

static int counts_to(int max, int counts[COUNTS])
{
    int count = 0;

    for (int value = 1; value < max && count < COUNTS - 2; value *= 2) {
        counts[count++] = value;
        if (value >= 2 && value / 2 * 3 < max && count < COUNTS - 2)
            counts[count++] = value / 2 * 3;
    }
    counts[count++] = max;
    return count;
}

int plan_stripe_counts(const plan_job *job)
{
    int counts[COUNTS];

    return counts_to(job->servers, counts);
}

uint64_t plan_stripe(const plan_point *point, atm_driver driver, uint64_t usual)
{
    uint64_t bytes = point->before_bytes + point->bytes;

    if (driver != ATM_LUSTRE || plan_is_read(point->operation) ||
        plan_is_independent(point->operation))
        return usual;
    return (bytes + STRIPE_UNIT - 1) / STRIPE_UNIT * STRIPE_UNIT;
}

/* Adds a last round with fewer bytes than the one before, by the same ranks: file domains are
 * alike, so some ranks of every node have a shorter one. */
static bool add_partial(plan_list *list, plan_point point)
{
    point.before_bytes = 2 * point.bytes;
    return plan_add(list, point);
}

/* Adds the point in each order that matters: on Lustre a prefix of the list of aggregators writes,
 * on GPFS neighbours hand locks to each other. */
static bool add_orders(plan_list *list, plan_point point, bool partial)
{
    bool both = list->job->driver == ATM_GPFS && plan_groups_of(list->job, point.nodes) > 1 &&
                !plan_is_independent(point.operation);

    if (!(partial ? add_partial(list, point) : plan_add(list, point)))
        return false;
    point.order = ATM_BY_PSET;
    point.rung++;
    return !both || (partial ? add_partial(list, point) : plan_add(list, point));
}

/* Aggregators near the data and from pset to pset are on the same nodes, but for few. */
static bool find_links(plan_point *point, const plan_job *job)
{
    point->order = job->driver == ATM_LUSTRE ? ATM_BY_PSET : ATM_BY_DATA;
    point->links = (plan_links){0, 0};
    return job->links == NULL || !plan_is_storage(point->operation) ||
           job->links(job->world, point, &point->links);
}

/* ROMIO gives each stripe the same number of writers, or each writer the same
 * number of stripes (ad_lustre_aggregate.c:49-83). */
static bool is_dealt(int writers, int stripes)
{
    return writers % stripes == 0 || stripes % writers == 0;
}

static bool add_sizes(plan_list *list, plan_point point, const sizes *set, bool partial)
{
    int rung = point.rung;

    for (int i = 0; i < set->count; i++) {
        point.bytes = set->at[i];
        point.rung = rung + plan_rung(i, set->count);
        if (!add_orders(list, point, partial))
            return false;
    }
    return true;
}

/* Adds accesses by point.senders ranks with all numbers of stripes and all sizes. */
static bool add_accesses(plan_list *list, plan_point point, const sizes *set)
{
    const plan_job *job = list->job;
    bool partial = point.operation == ATM_WRITE_PARTIAL || point.operation == ATM_READ_PARTIAL;
    bool stripe = is_stripe(job, point.operation);
    int stripes[COUNTS], rung = point.rung;
    int count = counts_to(point.operation == ATM_TOUCH ? 1 : job->servers, stripes);

    for (int i = 0; i < count; i++) {
        if (stripe && !is_dealt(point.receivers, stripes[i]))
            continue;
        point.stripes = stripes[i];
        /* a writer for each stripe is what is tried first */
        point.rung = rung + (stripe && point.receivers == stripes[i] ? 0 : plan_rung(i, count));
        if (!add_sizes(list, point, set, partial))
            return false;
    }
    return true;
}

bool plan_storage(plan_list *list, atm_operation operation)
{
    const plan_job *job = list->job;
    const sizes set = sizes_for(job, operation);
    int receivers[COUNTS], count = counts_to(job->ranks, receivers);
    plan_point point = {.operation = operation,
                        .nodes = job->nodes,
                        .per_node = job->ranks,
                        .ranks = job->ranks,
                        .senders = job->ranks};

    for (int i = 0; i < count; i++) {
        point.receivers = receivers[i];
        point.rung = plan_rung(i, count);
        /* all ranks access the file, but for those that have nothing */
        if (plan_is_independent(operation) && receivers[i] < job->ranks)
            point.rung++;
        if (!find_links(&point, job) || !add_accesses(list, point, &set))
            return false;
    }
    return true;
}
