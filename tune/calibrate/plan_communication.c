/* Points of collective communication and of the exchange between ranks and
 * aggregators.  Sizes are the paper's (section V.B). */

#include "plan.h"

#include <limits.h>
#include <math.h>

#define BUFFER_MAX (UINT64_C(256) << 20) /* what the chooser considers: candidates.c */

typedef struct size_range {
    uint64_t min, max; /* powers of two */
} size_range;

static size_range range_of(atm_operation operation)
{
    switch (operation) {
        case ATM_ALLREDUCE:
            return (size_range){4, 1 << 20};
        case ATM_EXCHANGE:
            return (size_range){1, 64 << 20};
        default:
            return (size_range){1, 256 << 10};
    }
}

static int steps_of(size_range range)
{
    int steps = 1;

    for (uint64_t size = range.min; size < range.max; size *= 2)
        steps++;
    return steps;
}

bool plan_communication(plan_list *list, atm_operation operation)
{
    plan_group groups[PLAN_GROUPS];
    int group_count = plan_groups(list->job, groups);
    size_range range = range_of(operation);
    int sizes = steps_of(range);

    for (int g = 0; g < group_count; g++)
        for (int s = 0; s < sizes; s++)
            if (!plan_add(list, (plan_point){.operation = operation,
                                             .nodes = groups[g].nodes,
                                             .per_node = groups[g].per_node,
                                             .ranks = groups[g].ranks,
                                             .senders = groups[g].ranks,
                                             .receivers = groups[g].ranks,
                                             .stripes = 1,
                                             .bytes = range.min << s,
                                             .rung = groups[g].rung + plan_rung(s, sizes)}))
                return false;
    return true;
}

/* Every rank to its aggregator (contiguous accesses), to all of them (strided
 * ones), or in between. */
enum { SHAPES = 3 };

static int fan_of(int shape, int aggregators)
{
    return shape == 0 ? 1 : shape == 1 ? aggregators : (int) lround(sqrt(aggregators));
}

/* links: by order.  Where nodes are near and far; if both orders come to the same, one is left. */
static bool add_orders(plan_list *list, plan_point point, const plan_links *links)
{
    point.links = links[point.order];
    if (!plan_add(list, point))
        return false;
    point.order = ATM_BY_PSET;
    point.links = links[point.order];
    point.rung++;
    return plan_groups_of(list->job, point.nodes) <= 1 || plan_add(list, point);
}

/* Both directions: writes gather, reads scatter.  An aggregator's data of a
 * round is at most its collective buffer. */
static bool add_exchange(plan_list *list, plan_point point, const plan_links *links)
{
    int aggregators = point.receivers;

    if ((double) point.bytes * point.ranks * point.fan / aggregators > (double) BUFFER_MAX ||
        (double) point.bytes * point.fan > INT_MAX) /* alltoallv counts in int */
        return true;
    if (!add_orders(list, point, links))
        return false;
    point.senders = aggregators;
    point.receivers = point.ranks;
    return add_orders(list, point, links);
}

/* The point in all sizes, which have the same links. */
static bool add_sizes(plan_list *list, plan_point point)
{
    const plan_job *job = list->job;
    size_range range = range_of(ATM_EXCHANGE);
    int sizes = steps_of(range), rung = point.rung;
    plan_links links[ATM_ORDER_COUNT] = {{0}};

    for (int order = 0; job->links != NULL && order < ATM_ORDER_COUNT; order++) {
        point.order = (atm_order) order;
        if (!job->links(job->world, &point, &links[order]))
            return false;
    }
    point.order = ATM_BY_DATA;
    for (int s = 0; s < sizes; s++) {
        point.bytes = range.min << s;
        point.rung = rung + plan_rung(s, sizes);
        if (!add_exchange(list, point, links))
            return false;
    }
    return true;
}

bool plan_exchange(plan_list *list)
{
    plan_group groups[PLAN_GROUPS];
    int group_count = plan_groups(list->job, groups);

    for (int g = 0; g < group_count; g++) {
        int ranks = groups[g].ranks, steps = 1;

        for (int a = 1; a < ranks; a *= 2)
            steps++;
        for (int i = 0; i < steps; i++)
            for (int shape = 0; shape < SHAPES; shape++) {
                int aggregators = i < steps - 1 ? 1 << i : ranks;

                if (!add_sizes(list, (plan_point){.operation = ATM_EXCHANGE,
                                                  .nodes = groups[g].nodes,
                                                  .per_node = groups[g].per_node,
                                                  .ranks = ranks,
                                                  .senders = ranks,
                                                  .receivers = aggregators,
                                                  .fan = fan_of(shape, aggregators),
                                                  .stripes = 1,
                                                  .rung = groups[g].rung + plan_rung(i, steps) +
                                                          (shape == 2)}))
                    return false;
            }
    }
    return true;
}
