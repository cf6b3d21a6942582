/* Points of all operations, the most informative first. */

#include "plan.h"

#include <stdlib.h>

#include "common/rng.h"
#include "counts/counts.h"

/* of an operation; the exchange has more dimensions than the others */
enum { POINTS_MAX = 300, EXCHANGES_MAX = 1100 };

/* Ends have 0, the middle 1, quarters 2, ...: the sum over the dimensions of a
 * grid orders its points as nested sparse grids do. */
int plan_rung(int index, int count)
{
    int low = 0, high = count - 1, rung = 0;

    if (index <= low || index >= high)
        return 0;
    for (;;) {
        int middle = (low + high) / 2;

        rung++;
        if (index == middle)
            return rung;
        if (index < middle)
            high = middle;
        else
            low = middle;
    }
}

bool plan_is_storage(atm_operation operation)
{
    return atm_operation_kind(operation) == ATM_STORAGE_KIND;
}

bool plan_is_of_aggregators(atm_operation operation)
{
    return plan_is_storage(operation) || operation == ATM_TOUCH;
}

bool plan_is_read(atm_operation operation)
{
    return operation == ATM_READ_FIRST || operation == ATM_READ_FULL ||
           operation == ATM_READ_PARTIAL || operation == ATM_READ_CACHED ||
           operation == ATM_READ_INDEPENDENT;
}

bool plan_is_independent(atm_operation operation)
{
    return operation == ATM_WRITE_INDEPENDENT || operation == ATM_READ_INDEPENDENT;
}

double plan_volume(const plan_point *point)
{
    double bytes = (double) point->bytes, ranks = point->ranks;

    switch (point->operation) {
        case ATM_ALLREDUCE:
        case ATM_BCAST:
            return bytes * ranks;
        case ATM_ALLGATHER:
        case ATM_ALLTOALL:
            return bytes * ranks * ranks;
        case ATM_EXCHANGE:
            return bytes * point->features[ATM_MESSAGES];
        default:
            return (bytes + (double) point->before_bytes) * point->receivers;
    }
}

double plan_memory(const plan_point *point)
{
    double bytes = (double) point->bytes, messages = point->features[ATM_MESSAGES];

    switch (point->operation) {
        case ATM_ALLREDUCE:
            return 2 * bytes;
        case ATM_BCAST:
            return bytes;
        case ATM_ALLGATHER:
            return bytes * (point->ranks + 1);
        case ATM_ALLTOALL:
            return 2 * bytes * point->ranks;
        case ATM_EXCHANGE:
            return bytes * (messages / point->senders + messages / point->receivers + 2);
        default:
            return bytes > (double) point->before_bytes ? bytes : (double) point->before_bytes;
    }
}

/* A round that warms up and three more. */
double plan_disk(const plan_point *point)
{
    return plan_is_storage(point->operation) ? 4 * plan_volume(point) : 0;
}

int plan_most(const plan_job *job)
{
    int most = 1;

    for (int i = 0; i < job->nodes; i++)
        most = job->ranks_of[i] > most ? job->ranks_of[i] : most;
    return most;
}

int plan_groups_of(const plan_job *job, int nodes)
{
    return job->groups_in != NULL ? job->groups_in[nodes - 1] : 1;
}

/* --- collecting */

/* Distances are those of all ranks on the nodes that take part.  Exchange: links tell more, where
 * they are known.  Storage: locks make the difference, which only GPFS's aggregators pass on. */
static double far_of(const plan_point *p, const plan_job *job)
{
    int few = p->senders < p->receivers ? p->senders : p->receivers;
    atm_job part = {.ranks = (int) ((int64_t) p->nodes * job->ranks / job->nodes),
                    .groups = plan_groups_of(job, p->nodes)};

    if (part.groups <= 1)
        return 1;
    for (int i = 0; i < ATM_APART; i++)
        part.apart[i] = job->apart[i];
    if (p->operation == ATM_EXCHANGE && job->links == NULL)
        return 1 + atm_far_in_order(&part, few, p->fan, p->order);
    if (job->driver == ATM_GPFS && plan_is_storage(p->operation) &&
        !plan_is_independent(p->operation))
        return 1 + atm_far_domains(&part, p->receivers, p->order);
    return 1;
}

/* A round of two-phase writes on Lustre is a stripe of each writer; ranks for themselves have what
 * they have. */
static double servers_of(const plan_point *p, const plan_job *job)
{
    if (plan_is_independent(p->operation))
        return atm_servers_of_stripes((uint64_t) p->receivers * p->bytes, job->block, p->stripes);
    if (job->driver == ATM_LUSTRE && !plan_is_read(p->operation) && p->receivers < p->stripes)
        return p->receivers;
    return p->stripes;
}

/* At least 1: surrogates take logarithms. */
static double link_feature(int64_t link, bool exchange)
{
    return exchange ? 1 + (double) link : link > 1 ? (double) link : 1;
}

static void set_features(plan_point *p, const plan_job *job)
{
    bool storage = plan_is_of_aggregators(p->operation), exchange = p->operation == ATM_EXCHANGE;
    int many = p->senders > p->receivers ? p->senders : p->receivers;

    p->features[ATM_NODES] = storage ? job->nodes : p->nodes;
    p->features[ATM_PER_NODE] =
        storage ? (double) p->receivers / job->nodes : (double) p->ranks / p->nodes;
    p->features[ATM_SENDERS] = p->senders;
    p->features[ATM_RECEIVERS] = p->receivers;
    p->features[ATM_BYTES] = (double) p->bytes;
    p->features[ATM_STRIPES] = servers_of(p, job);
    p->features[ATM_MESSAGES] = exchange ? (double) many * p->fan : 1;
    p->features[ATM_FAR] = far_of(p, job);
    p->features[ATM_LINK] = link_feature(p->links.node, exchange);
    p->features[ATM_UPLINK] = link_feature(p->links.pset, exchange);
}

double plan_needs_memory(const plan_job *job, const plan_point *point)
{
    int most = plan_most(job);

    if (!plan_is_of_aggregators(point->operation) && point->per_node < most)
        most = point->per_node;
    return plan_memory(point) * most;
}

/* What does not fit in memory or on disk is left out. */
bool plan_add(plan_list *list, plan_point point)
{
    const plan_job *job = list->job;

    set_features(&point, job);
    if (plan_needs_memory(job, &point) > (double) job->memory ||
        plan_disk(&point) > (double) job->disk)
        return true;
    if (list->count == list->room) {
        int room = 2 * list->room + 64;
        plan_point *points = realloc(list->points, (size_t) room * sizeof(*points));

        if (points == NULL)
            return false;
        list->points = points;
        list->room = room;
    }
    list->points[list->count++] = point;
    return true;
}

static int compare_features(const plan_point *a, const plan_point *b)
{
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        if (a->features[i] != b->features[i])
            return a->features[i] < b->features[i] ? -1 : 1;
    return 0;
}

static int by_features(const void *a, const void *b)
{
    const plan_point *x = a, *y = b;
    int order = compare_features(x, y);

    return order != 0 ? order : x->rung - y->rung;
}

static int by_rung(const void *a, const void *b)
{
    const plan_point *x = a, *y = b;

    if (x->rung != y->rung)
        return x->rung - y->rung;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Points that look the same to a surrogate are taken once, in nested order, and no
 * more than a points file can hold. */
static int arrange(plan_point *points, int count, int most, uint64_t seed)
{
    int kept = 0;

    qsort(points, (size_t) count, sizeof(*points), by_features);
    for (int i = 0; i < count; i++)
        if (kept == 0 || compare_features(&points[kept - 1], &points[i]) != 0)
            points[kept++] = points[i];
    for (int i = 0; i < kept; i++)
        points[i].key = rng_hash(seed, (uint64_t) i);
    qsort(points, (size_t) kept, sizeof(*points), by_rung);
    return kept < most ? kept : most;
}

static bool add_operation(plan_list *list, atm_operation operation)
{
    if (operation == ATM_EXCHANGE)
        return plan_exchange(list);
    return plan_is_of_aggregators(operation) ? plan_storage(list, operation)
                                             : plan_communication(list, operation);
}

atm_status plan_make(const plan_job *job, plan *plan_p)
{
    plan_list list = {.job = job};
    plan made = {0};

    for (int operation = 0; operation < ATM_OPERATION_COUNT; operation++) {
        int first = list.count, most = operation == ATM_EXCHANGE ? EXCHANGES_MAX : POINTS_MAX;

        made.first[operation] = first;
        if ((job->only >> operation & 1) == 0)
            continue;
        if (!add_operation(&list, (atm_operation) operation)) {
            free(list.points);
            return ATM_NO_MEMORY;
        }
        if (list.count > first)
            list.count = first + arrange(list.points + first, list.count - first, most,
                                         rng_hash(job->seed, (uint64_t) operation));
    }
    made.first[ATM_OPERATION_COUNT] = made.count = list.count;
    made.points = list.points;
    *plan_p = made;
    return ATM_OK;
}

void plan_clear(plan *plan)
{
    free(plan->points);
    *plan = (struct plan){0};
}
