/* Composition of counts and surrogates, and the memo of estimates. */

#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memo: a table that keeps the last estimate of each hash */

enum { MEMO_LINES = 1024 }; /* a power of two */

typedef struct memo_line {
    int operation; /* -1: empty */
    double features[ATM_FEATURE_COUNT];
    atm_estimate estimate;
} memo_line;

struct atm_memo {
    bool uses[ATM_OPERATION_COUNT][ATM_FEATURE_COUNT]; /* features that surrogates look at */
    memo_line lines[MEMO_LINES];
};

atm_memo *atm_memo_create(const atm_profile *profile)
{
    atm_memo *memo = malloc(sizeof(*memo));
    double min, max;

    if (memo == NULL)
        return NULL;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        for (int k = 0; k < ATM_FEATURE_COUNT; k++)
            memo->uses[i][k] =
                atm_surrogate_range(profile->operations[i], (atm_feature) k, &min, &max);
    for (int i = 0; i < MEMO_LINES; i++)
        memo->lines[i].operation = -1;
    return memo;
}

void atm_memo_destroy(atm_memo *memo)
{
    free(memo);
}

static unsigned memo_hash(int operation, const double *features)
{
    uint64_t hash = (uint64_t) operation, bits;

    for (int i = 0; i < ATM_FEATURE_COUNT; i++) {
        memcpy(&bits, &features[i], sizeof(bits));
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (unsigned) hash & (MEMO_LINES - 1);
}

static void ask(const atm_profile *profile, atm_operation operation, const double *features,
                atm_estimate *estimate_p)
{
    atm_surrogate_predict(profile->operations[operation], features, estimate_p);
    estimate_p->seconds *= profile->scale[atm_operation_kind(operation)];
}

atm_estimate atm_estimate_item(const atm_profile *profile, const atm_cost_item *item,
                               atm_memo *memo)
{
    double features[ATM_FEATURE_COUNT];
    atm_estimate estimate;
    memo_line *line;

    if (memo == NULL) {
        ask(profile, item->operation, item->features, &estimate);
        return estimate;
    }
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        features[i] = memo->uses[item->operation][i] ? item->features[i] : 0;
    line = &memo->lines[memo_hash((int) item->operation, features)];
    if (line->operation != (int) item->operation ||
        memcmp(line->features, features, sizeof(features)) != 0) {
        ask(profile, item->operation, features, &line->estimate);
        line->operation = (int) item->operation;
        memcpy(line->features, features, sizeof(features));
    }
    return line->estimate;
}

/* --- composition */

static bool same_estimate(const atm_cost_item *one, const atm_cost_item *other)
{
    return one->operation == other->operation &&
           memcmp(one->features, other->features, sizeof(one->features)) == 0;
}

/* Whether no earlier item has the estimate of items[index]. */
static bool is_first(const atm_cost_item *items, int index)
{
    for (int i = 0; i < index; i++)
        if (items[i].count > 0 && same_estimate(&items[i], &items[index]))
            return false;
    return true;
}

/* How often the estimate of item is used. */
static double uses_of(const atm_counts *counts, const atm_cost_item *item)
{
    double uses = 0;

    for (int i = 0; i < counts->item_count; i++)
        if (same_estimate(&counts->items[i], item))
            uses += counts->items[i].count;
    return uses;
}

/* Storage first, the most frequent before others: this shows soonest whether a
 * limit is exceeded. */
static void order_items(const atm_counts *counts, int *order)
{
    for (int i = 0; i < counts->item_count; i++) {
        const atm_cost_item *item = &counts->items[i];
        int at = i;

        for (; at > 0; at--) {
            const atm_cost_item *before = &counts->items[order[at - 1]];

            if (item->part != ATM_STORAGE ||
                (before->part == ATM_STORAGE && before->count >= item->count))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* Squared deviation of everything that uses the estimate of items[index]; 0
 * unless it is the first item that does. */
static double variance_of(const atm_counts *counts, int index, const atm_estimate *estimate)
{
    double deviation;

    if (!is_first(counts->items, index))
        return 0;
    deviation = uses_of(counts, &counts->items[index]) * estimate->seconds * estimate->uncertainty;
    return deviation * deviation;
}

void atm_predict_counts(const atm_profile *profile, const atm_counts *counts, atm_memo *memo,
                        double limit, atm_prediction *prediction_p)
{
    atm_prediction sum = {.seconds = 0};
    int order[ATM_MAX_COST_ITEMS];
    double variance = 0;

    order_items(counts, order);
    for (int i = 0; i < counts->item_count && !sum.cut; i++) {
        const atm_cost_item *item = &counts->items[order[i]];
        atm_estimate estimate;

        if (item->count <= 0)
            continue;
        estimate = atm_estimate_item(profile, item, memo);
        sum.parts[item->part] += item->count * estimate.seconds;
        sum.seconds = sum.parts[ATM_PARTITIONING] + sum.parts[ATM_SHUFFLE] + sum.parts[ATM_STORAGE];
        sum.outside |= (unsigned) estimate.outside << item->operation;
        variance += variance_of(counts, order[i], &estimate);
        sum.cut = sum.seconds > limit;
    }
    sum.uncertainty = sum.seconds > 0 ? sqrt(variance) / sum.seconds : 0;
    *prediction_p = sum;
}

atm_status atm_predict(const atm_profile *profile, atm_driver driver, const atm_job *job,
                       const atm_access *access, const atm_config *config, atm_memo *memo,
                       atm_counts *counts_p, atm_prediction *prediction_p)
{
    atm_status status = atm_count(NULL, driver, job, access, config, counts_p);

    if (status == ATM_OK)
        atm_predict_counts(profile, counts_p, memo, INFINITY, prediction_p);
    return status;
}

/* Variance of the estimates that `one` has and `other` has not, or has more or
 * less often; with `common`, also of those that both have. */
static double variance_between(const atm_profile *profile, const atm_counts *one,
                               const atm_counts *other, bool common)
{
    double variance = 0;

    for (int i = 0; i < one->item_count; i++) {
        const atm_cost_item *item = &one->items[i];
        double others = uses_of(other, item), deviation;
        atm_estimate estimate;

        if (item->count <= 0 || !is_first(one->items, i) || (others > 0 && !common))
            continue;
        estimate = atm_estimate_item(profile, item, NULL);
        deviation = (uses_of(one, item) - others) * estimate.seconds * estimate.uncertainty;
        variance += deviation * deviation;
    }
    return variance;
}

double atm_predict_difference(const atm_profile *profile, const atm_counts *one,
                              const atm_counts *other)
{
    return sqrt(variance_between(profile, one, other, true) +
                variance_between(profile, other, one, false));
}
