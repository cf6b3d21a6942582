/* Ratios of one condition to the other, by configuration. */

#include "conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

typedef struct pair {
    double ratio;
    double per_node; /* aggregators: what is alike in jobs of different sizes */
    const sweep_instance *instance;
    const atm_config *config;
} pair;

static int compare(const void *a, const void *b)
{
    const pair *one = a, *other = b;
    const atm_config *x = one->config, *y = other->config;

#define ORDER(p, q)                                                                                \
    if ((p) != (q))                                                                                \
    return (p) < (q) ? -1 : 1
    ORDER(x->buffer, y->buffer);
    ORDER(one->per_node, other->per_node);
    ORDER(x->stripe_count, y->stripe_count);
    ORDER(x->stripe_size, y->stripe_size);
    ORDER(x->collective, y->collective);
#undef ORDER
    return 0;
}

static int by_group(const void *a, const void *b)
{
    const pair *one = a, *other = b;
    int order = compare(a, b);

    if (order != 0)
        return order;
    return one->ratio < other->ratio ? -1 : one->ratio > other->ratio;
}

/* All pairs of a variant; the caller frees them. */
static atm_status find_pairs(const study *study, const study_variant *variant, pair **pairs_p,
                             int *count_p)
{
    int all = 0, count = 0;
    pair *pairs;

    for (int i = 0; i < study->instances; i++)
        all += study->sweep->instances[i].count;
    pairs = malloc((size_t) all * sizeof(*pairs));
    if (pairs == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < study->instances; i++) {
        const sweep_instance *instance = &study->sweep->instances[i];

        for (int k = 0; k < instance->candidates; k++) {
            const atm_config *config = &instance->configs[k].config;
            const sweep_config *slow = sweep_under(instance, config, variant->slow);
            const sweep_config *fast = sweep_under(instance, config, variant->fast);

            if (slow == NULL || fast == NULL)
                continue;
            pairs[count++] =
                (pair){slow->times.median / fast->times.median,
                       (double) config->aggregators / instance->job.nodes, instance, config};
        }
    }
    *pairs_p = pairs;
    *count_p = count;
    return ATM_OK;
}

static void name_group(const pair *pair, char *words, size_t size)
{
    char striping[32] = "";

    if (pair->instance->driver == ATM_LUSTRE)
        snprintf(striping, sizeof(striping), ", %d x %s", pair->config->stripe_count,
                 units_bytes((double) pair->config->stripe_size).text);
    snprintf(words, size, "%s, %s a node%s", units_bytes((double) pair->config->buffer).text,
             units_number(pair->per_node).text, striping);
}

static atm_status add_group(study_variant *variant, const pair *pairs, int count, double *ratios)
{
    size_t size = (size_t) (variant->group_count + 1) * sizeof(*variant->groups);
    study_group *groups = realloc(variant->groups, size); /* study_close */

    if (groups == NULL)
        return ATM_NO_MEMORY;
    variant->groups = groups;
    groups += variant->group_count++;
    name_group(&pairs[0], groups->words, sizeof(groups->words));
    for (int i = 0; i < count; i++)
        ratios[i] = pairs[i].ratio;
    return spread_of(ratios, count, &groups->ratio);
}

static atm_status run_one(const study *study, study_variant *variant)
{
    pair *pairs;
    double *ratios;
    atm_status status = find_pairs(study, variant, &pairs, &variant->pairs);

    if (status != ATM_OK)
        return status;
    ratios = malloc(((size_t) variant->pairs + 1) * sizeof(*ratios));
    if (ratios == NULL)
        status = ATM_NO_MEMORY;
    qsort(pairs, (size_t) variant->pairs, sizeof(*pairs), by_group);
    for (int i = 0, next; status == ATM_OK && i < variant->pairs; i = next) {
        for (next = i + 1; next < variant->pairs && compare(&pairs[i], &pairs[next]) == 0;)
            next++;
        status = add_group(variant, pairs + i, next - i, ratios);
    }
    for (int i = 0; status == ATM_OK && i < variant->pairs; i++)
        ratios[i] = pairs[i].ratio;
    if (status == ATM_OK)
        status = spread_of(ratios, variant->pairs, &variant->ratio);
    free(ratios);
    free(pairs);
    return status;
}

atm_status variants_run(study *study)
{
    atm_status status;

    study->placement.slow = study->aware.slow = SWEEP_UNIFORM;
    study->bluegene.slow = study->aware.fast = SWEEP_BLUEGENE;
    study->stock.slow = SWEEP_STOCK;
    study->locking.fast = SWEEP_EXISTING;
    status = run_one(study, &study->placement);
    if (status == ATM_OK)
        status = run_one(study, &study->bluegene);
    if (status == ATM_OK)
        status = run_one(study, &study->aware);
    if (status == ATM_OK)
        status = run_one(study, &study->stock);
    return status == ATM_OK ? run_one(study, &study->locking) : status;
}
