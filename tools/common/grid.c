/* A grid of questions to surrogates. */

#include "grid.h"

#include <math.h>

enum { SIZES = 9, OTHERS = 3 };

typedef struct axis {
    int count;
    double at[SIZES];
} axis;

bool grid_range(const atm_surrogate *const *surrogates, int count, atm_feature feature,
                double *min_p, double *max_p)
{
    double min = -INFINITY, max = INFINITY, low, high;

    for (int i = 0; i < count; i++)
        if (atm_surrogate_range(surrogates[i], feature, &low, &high)) {
            min = fmax(min, low);
            max = fmin(max, high);
        }
    if (isinf(min) || min > max)
        return false;
    *min_p = min;
    *max_p = max;
    return true;
}

/* Values from 1 on at equal ratios; whole numbers, no two the same. */
static axis spread(double min, double max, int count)
{
    axis axis = {0};

    min = fmax(ceil(min), 1);
    max = fmax(floor(max), min);
    for (int i = 0; i < count; i++) {
        double value = round(min * pow(max / min, i / (double) (count - 1)));

        if (axis.count == 0 || value > axis.at[axis.count - 1])
            axis.at[axis.count++] = value;
    }
    return axis;
}

typedef struct walk {
    atm_operation operation;
    const atm_surrogate *const *surrogates;
    int count;
    grid_visit visit;
    void *context;
    axis nodes, per_node, receivers, bytes, stripes;
    double far;
    int visited;
} walk;

static axis axis_of(const walk *walk, atm_feature feature, int count, double otherwise)
{
    double min = otherwise, max = otherwise;

    grid_range(walk->surrogates, walk->count, feature, &min, &max);
    return spread(min, max, count);
}

/* Where nobody looks at nodes or ranks of a node, the number of ranks tells. */
static void make_axes(walk *walk)
{
    bool storage = walk->operation >= ATM_WRITE_FIRST;
    double min = 1, max = 1;

    walk->nodes = axis_of(walk, ATM_NODES, OTHERS, 1);
    if (!grid_range(walk->surrogates, walk->count, ATM_PER_NODE, &min, &max) &&
        grid_range(walk->surrogates, walk->count, storage ? ATM_RECEIVERS : ATM_SENDERS, &min,
                   &max)) {
        min /= walk->nodes.at[0];
        max /= walk->nodes.at[walk->nodes.count - 1];
    }
    walk->per_node = spread(min, max, OTHERS);
    walk->receivers =
        walk->operation == ATM_EXCHANGE ? axis_of(walk, ATM_RECEIVERS, OTHERS, 1) : spread(1, 1, 2);
    walk->bytes = axis_of(walk, ATM_BYTES, SIZES, 1);
    walk->stripes = axis_of(walk, ATM_STRIPES, OTHERS, 1);
    if (!grid_range(walk->surrogates, walk->count, ATM_FAR, &walk->far, &max))
        walk->far = 1;
}

static bool inside(const walk *walk, const double features[ATM_FEATURE_COUNT])
{
    atm_estimate estimate;

    for (int i = 0; i < walk->count; i++) {
        atm_surrogate_predict(walk->surrogates[i], features, &estimate);
        if (estimate.outside)
            return false;
    }
    return true;
}

/* All receivers of an exchange hear from all senders, as far as that was
 * measured. */
static double messages(const walk *walk, double pairs)
{
    double min, max;

    if (!grid_range(walk->surrogates, walk->count, ATM_MESSAGES, &min, &max))
        return 1;
    return fmin(fmax(pairs, min), max);
}

/* The same: from a place to the aggregators of the others, or to its own from the ranks there. */
static double link_of(const walk *walk, atm_feature feature, double places, double ranks,
                      double receivers)
{
    double elsewhere = 1 - 1 / places, min, max;
    double out = ranks / places * receivers * elsewhere;
    double in = ceil(receivers / places) * ranks * elsewhere;

    if (!grid_range(walk->surrogates, walk->count, feature, &min, &max))
        return 1;
    return fmin(fmax(1 + fmax(out, in), min), max);
}

/* Accessing ranks of a node or pset, if they are even, as far as that was measured. */
static double busiest(const walk *walk, atm_feature feature, double ranks)
{
    double min, max;

    if (!grid_range(walk->surrogates, walk->count, feature, &min, &max))
        return 1;
    return fmin(fmax(ceil(ranks), min), max);
}

static void ask_sizes(walk *walk, double features[ATM_FEATURE_COUNT])
{
    int step = 0;

    for (int i = 0; i < walk->bytes.count; i++) {
        features[ATM_BYTES] = walk->bytes.at[i];
        if (inside(walk, features)) {
            walk->visit(walk->context, features, step++);
            walk->visited++;
        }
    }
}

static void ask_job(walk *walk, double nodes, double per_node)
{
    double ranks = nodes * per_node, features[ATM_FEATURE_COUNT];
    bool exchange = walk->operation == ATM_EXCHANGE;

    for (int i = 0; i < walk->receivers.count; i++)
        for (int k = 0; k < walk->stripes.count; k++) {
            double receivers = exchange ? fmin(walk->receivers.at[i], ranks) : ranks;

            features[ATM_NODES] = nodes;
            features[ATM_PER_NODE] = per_node;
            features[ATM_SENDERS] = ranks;
            features[ATM_RECEIVERS] = receivers;
            features[ATM_STRIPES] = walk->stripes.at[k];
            features[ATM_MESSAGES] = exchange ? messages(walk, ranks * receivers) : 1;
            features[ATM_FAR] = walk->far;
            features[ATM_LINK] = features[ATM_UPLINK] = 1;
            if (exchange) {
                features[ATM_LINK] = link_of(walk, ATM_LINK, nodes, ranks, receivers);
                features[ATM_UPLINK] = link_of(walk, ATM_UPLINK, 2, ranks, receivers);
            } else if (atm_operation_kind(walk->operation) == ATM_STORAGE_KIND) {
                features[ATM_LINK] = busiest(walk, ATM_LINK, receivers / nodes);
                features[ATM_UPLINK] = busiest(walk, ATM_UPLINK, receivers / 2);
            }
            ask_sizes(walk, features);
        }
}

int grid_walk(atm_operation operation, const atm_surrogate *const *surrogates, int count,
              grid_visit visit, void *context)
{
    walk walk = {.operation = operation,
                 .surrogates = surrogates,
                 .count = count,
                 .visit = visit,
                 .context = context};

    make_axes(&walk);
    for (int i = 0; i < walk.nodes.count; i++)
        for (int k = 0; k < walk.per_node.count; k++)
            ask_job(&walk, walk.nodes.at[i], walk.per_node.at[k]);
    return walk.visited;
}
