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

    if (memo == NULL)
        return NULL;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        for (int k = 0; k < ATM_FEATURE_COUNT; k++)
            memo->uses[i][k] = atm_surrogate_uses(profile->operations[i], (atm_feature) k);
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

/* As it was measured. */
static atm_estimate remember(const atm_profile *profile, const atm_cost_item *item, atm_memo *memo)
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

atm_estimate atm_estimate_item(const atm_profile *profile, const atm_cost_item *item,
                               atm_memo *memo)
{
    atm_estimate estimate = remember(profile, item, memo);

    if (item->slowness > 0)
        estimate.seconds *= item->slowness;
    return estimate;
}

/* --- rounds of writes through a cache */

/* A cost item whose rounds cost one amount while the cache has room and another afterwards. */
typedef struct cached {
    int index; /* of the item: items are in the order of time */
    const atm_cost_item *item;
    atm_estimate absorbed, drained;
} cached;

typedef struct composition {
    const atm_profile *profile;
    const atm_counts *counts;
    atm_memo *memo;
    cached rounds[ATM_MAX_COST_ITEMS]; /* in the order of time */
    int count;
    double capacity, between;
    double level, drain; /* at the end */
} composition;

static bool goes_through_cache(const atm_profile *profile, const atm_cost_item *item)
{
    return profile->write_cache.bytes > 0 &&
           (item->operation == ATM_WRITE_FIRST || item->operation == ATM_WRITE_FULL ||
            item->operation == ATM_WRITE_PARTIAL || item->operation == ATM_WRITE_INDEPENDENT);
}

static const cached *add_cached(composition *c, int index)
{
    const atm_cost_item *item = &c->counts->items[index];
    atm_cost_item drained = *item;
    int at = c->count++;

    drained.operation = ATM_WRITE_DRAINED;
    for (; at > 0 && c->rounds[at - 1].index > index; at--)
        c->rounds[at] = c->rounds[at - 1];
    c->rounds[at] = (cached){.index = index,
                             .item = item,
                             .absorbed = atm_estimate_item(c->profile, item, c->memo),
                             .drained = atm_estimate_item(c->profile, &drained, c->memo)};
    return &c->rounds[at];
}

/* An estimate that is off by one standard deviation; ERRORS_CAPACITY: the capacity, -1: none. */
typedef struct error_of {
    int operation;
    const double *features;
} error_of;

static double with_error(const atm_estimate *estimate, atm_operation operation,
                         const atm_cost_item *item, const error_of *error)
{
    bool is_off = error->operation == (int) operation &&
                  memcmp(error->features, item->features, sizeof(item->features)) == 0;

    return estimate->seconds * (is_off ? 1 + estimate->uncertainty : 1);
}

static double follow(composition *c, error_of error)
{
    double seconds = 0, capacity = c->capacity;

    if (error.operation == ERRORS_CAPACITY)
        capacity *= 1 + c->profile->write_cache.error;
    c->level = (double) c->counts->dirty;
    for (int i = 0; i < c->count; i++) {
        const cached *at = &c->rounds[i];
        const double *features = at->item->features;
        atm_cached_rounds rounds = {
            .count = at->item->count,
            .bytes = at->item->moved,
            .absorbed = with_error(&at->absorbed, at->item->operation, at->item, &error),
            .between = c->between};

        rounds.drain = features[ATM_BYTES] * features[ATM_RECEIVERS] /
                       with_error(&at->drained, ATM_WRITE_DRAINED, at->item, &error);
        seconds += atm_write_cache_follow(capacity, capacity * c->profile->write_cache.knee,
                                          &rounds, &c->level);
        c->drain = rounds.drain;
    }
    return seconds;
}

/* Seconds of all rounds; an estimate's error is the change of the total that it causes. */
static double compose(composition *c, atm_errors *errors)
{
    static const error_of exact = {.operation = -1};
    double seconds = follow(c, exact);

    for (int i = 0; i < c->count; i++) {
        const cached *at = &c->rounds[i];
        const double *features = at->item->features;
        const error_of absorbed = {(int) at->item->operation, features};
        const error_of drained = {ATM_WRITE_DRAINED, features};

        if (!atm_errors_has(errors, absorbed.operation, features))
            atm_errors_add(errors, absorbed.operation, features, follow(c, absorbed) - seconds);
        if (!atm_errors_has(errors, ATM_WRITE_DRAINED, features))
            atm_errors_add(errors, ATM_WRITE_DRAINED, features, follow(c, drained) - seconds);
    }
    atm_errors_add(errors, ERRORS_CAPACITY, NULL,
                   follow(c, (error_of){.operation = ERRORS_CAPACITY}) - seconds);
    follow(c, exact); /* level and drain at the end */
    return seconds;
}

/* --- composition */

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

static void note_outside(atm_prediction *sum, atm_operation operation, const atm_estimate *estimate,
                         double count)
{
    sum->outside |= (unsigned) estimate->outside << operation;
    sum->guessed += count * estimate->seconds * estimate->guessed;
}

/* Share of a read that comes from caches. */
static double cached_part(const composition *c, const atm_cost_item *item)
{
    bool reads = item->operation == ATM_READ_FIRST || item->operation == ATM_READ_FULL ||
                 item->operation == ATM_READ_PARTIAL || item->operation == ATM_READ_INDEPENDENT;

    return reads && c->counts->cached > 0 && atm_profile_uses(c->profile, ATM_READ_CACHED)
               ? c->counts->cached
               : 0;
}

/* One estimate, count times. */
static double add_estimate(composition *c, const atm_cost_item *item, double count,
                           atm_prediction *sum, atm_errors *errors)
{
    atm_estimate estimate = atm_estimate_item(c->profile, item, c->memo);

    note_outside(sum, item->operation, &estimate, count);
    atm_errors_add(errors, (int) item->operation, item->features,
                   count * estimate.seconds * estimate.uncertainty);
    return count * estimate.seconds;
}

/* The item's seconds; where a cache is in between, at least these. */
static double add_item(composition *c, int index, atm_prediction *sum, atm_errors *errors)
{
    const atm_cost_item *item = &c->counts->items[index];

    if (goes_through_cache(c->profile, item)) {
        const cached *rounds = add_cached(c, index);

        note_outside(sum, item->operation, &rounds->absorbed, item->count);
        note_outside(sum, ATM_WRITE_DRAINED, &rounds->drained, item->count);
        return item->count * rounds->absorbed.seconds;
    }
    double part = cached_part(c, item);
    atm_cost_item from_cache = *item;

    if (part == 0)
        return add_estimate(c, item, item->count, sum, errors);
    from_cache.operation = ATM_READ_CACHED;
    return add_estimate(c, item, (1 - part) * item->count, sum, errors) +
           add_estimate(c, &from_cache, part * item->count, sum, errors);
}

static void total(atm_prediction *sum)
{
    sum->seconds = sum->parts[ATM_PARTITIONING] + sum->parts[ATM_SHUFFLE] + sum->parts[ATM_STORAGE];
}

/* Adds rounds that had only been bounded from below. */
static void add_cached_rounds(composition *c, atm_prediction *sum, atm_errors *errors)
{
    const double *features = c->rounds[0].item->features;
    double bound = 0, rounds = 0;

    for (int i = 0; i < c->count; i++) {
        bound += c->rounds[i].item->count * c->rounds[i].absorbed.seconds;
        rounds += c->rounds[i].item->count;
    }
    c->capacity = atm_write_cache_capacity(&c->profile->write_cache, features);
    c->between = (sum->parts[ATM_SHUFFLE] + c->counts->idle) / rounds;
    sum->parts[ATM_STORAGE] += compose(c, errors) - bound;
    sum->dirty = c->level;
    sum->drain = c->drain;
    sum->capacity = c->capacity;
    total(sum);
}

double atm_prediction_scaled(const atm_prediction *prediction, atm_kind kind, double factor)
{
    double storage = prediction->parts[ATM_STORAGE];
    double others = prediction->parts[ATM_PARTITIONING] + prediction->parts[ATM_SHUFFLE];

    return kind == ATM_STORAGE_KIND ? factor * storage + others : storage + factor * others;
}

/* Combines a relative error with doubt about the scale of each kind of cost. */
static double with_doubt(const atm_profile *profile, const atm_prediction *sum, double error)
{
    double variance = log1p(error) * log1p(error);

    for (int i = 0; i < ATM_KIND_COUNT; i++) {
        double longer = atm_prediction_scaled(sum, (atm_kind) i, exp(profile->doubt[i]));

        variance += pow(log(longer / sum->seconds), 2);
    }
    return expm1(sqrt(variance));
}

/* Seconds that ROMIO's loop needs to compare one request with a window: 0.66 to 0.72 ns were
 * measured on one machine (aarch64), also with more requests than a cache holds.  Not calibrated:
 * it counts only where there are very many. */
static const double COMPARISON = 0.7e-9;

static void predict(const atm_profile *profile, const atm_counts *counts, atm_memo *memo,
                    double limit, atm_prediction *prediction_p, atm_errors *errors)
{
    composition c;
    atm_prediction sum = {
        .parts = {[ATM_PARTITIONING] = counts->once, [ATM_SHUFFLE] = COMPARISON * counts->compared},
        .once = counts->once};
    int order[ATM_MAX_COST_ITEMS];

    c.profile = profile; /* most of it is room for rounds, which are set when they are there */
    c.counts = counts;
    c.memo = memo;
    c.count = 0;
    errors->count = 0;
    errors->rest = 0;
    order_items(counts, order);
    for (int i = 0; i < counts->item_count && !sum.cut; i++) {
        const atm_cost_item *item = &counts->items[order[i]];

        if (item->count <= 0 || !atm_profile_uses(profile, item->operation))
            continue;
        sum.parts[item->part] += add_item(&c, order[i], &sum, errors);
        total(&sum);
        sum.cut = sum.seconds > limit;
    }
    if (c.count > 0 && !sum.cut) {
        add_cached_rounds(&c, &sum, errors);
        sum.cut = sum.seconds > limit;
    }
    errors->rest = ATM_COMPOSITION * sum.seconds;
    if (sum.seconds > 0 && !sum.cut)
        sum.uncertainty = atm_errors_deviation(profile, errors) / sum.seconds;
    if (sum.uncertainty > 0 && (profile->doubt[0] > 0 || profile->doubt[1] > 0))
        sum.uncertainty = with_doubt(profile, &sum, sum.uncertainty);
    *prediction_p = sum;
}

void atm_predict_counts(const atm_profile *profile, const atm_counts *counts, atm_memo *memo,
                        double limit, atm_prediction *prediction_p)
{
    atm_errors errors;

    predict(profile, counts, memo, limit, prediction_p, &errors);
}

void atm_predict_errors(const atm_profile *profile, const atm_counts *counts, atm_memo *memo,
                        atm_prediction *prediction_p, atm_errors *errors_p)
{
    predict(profile, counts, memo, INFINITY, prediction_p, errors_p);
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
