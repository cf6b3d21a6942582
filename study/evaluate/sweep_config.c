/* Sweeps: configurations, their times and their operation counts. */

#include "sweep_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"
#include "common/units.h"

enum { REPETITIONS_MAX = 10000, STRIPES_MAX = 2000 };

/* --- one configuration */

static atm_status read_times(const atm_value *value, const char *key, atm_message *message,
                             sweep_times *times)
{
    double least, most;
    size_t count;
    atm_status status = atm_get_numbers(value, key, 1, REPETITIONS_MAX, ATM_ABOVE_ZERO, 1e9,
                                        message, &times->seconds, &count);

    if (status != ATM_OK)
        return status;
    times->count = (int) count;
    times->median = stats_median(times->seconds, times->count);
    if (isnan(times->median))
        return ATM_NO_MEMORY;
    least = most = times->seconds[0];
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, times->seconds[i]);
        most = fmax(most, times->seconds[i]);
    }
    times->spread = (most - least) / times->median;
    return ATM_OK;
}

/* The ratio with which ROMIO lets that many write (atm_lustre_writers). */
static int co_ratio_of(int writers, int stripes)
{
    return writers > stripes ? writers / stripes : 1;
}

static atm_status read_striping(const atm_value *value, const sweep_instance *i,
                                atm_message *message, atm_config *config)
{
    int64_t stripes = 1, stripe_size = 0;
    bool lustre = i->driver == ATM_LUSTRE;
    atm_status status;

    if (!lustre && atm_value_find(value, "stripes") != NULL)
        return atm_complain(value, "stripes", message, "is for the driver lustre only");
    if (!lustre && atm_value_find(value, "stripe_size") != NULL)
        return atm_complain(value, "stripe_size", message, "is for the driver lustre only");
    if (!lustre)
        return ATM_OK;
    status = atm_get_integer(value, "stripes", 1, STRIPES_MAX, message, &stripes);
    if (status == ATM_OK)
        status = atm_get_integer(value, "stripe_size", 1, INT32_MAX, message, &stripe_size);
    if (status != ATM_OK)
        return status;
    config->stripe_count = (int) stripes;
    config->stripe_size = (uint64_t) stripe_size;
    config->co_ratio = co_ratio_of(config->aggregators, config->stripe_count);
    return ATM_OK;
}

static atm_status read_config(const atm_value *value, uint64_t block, const sweep_instance *i,
                              atm_message *message, atm_config *config_p)
{
    atm_config config = {.collective = true, .stripe_count = 1, .co_ratio = 1};
    int64_t aggregators, buffer;
    atm_counts counts;
    atm_status status =
        atm_get_integer(value, "aggregators", 1, i->job.ranks, message, &aggregators);

    if (status == ATM_OK)
        status = atm_get_integer(value, "buffer", 1, INT32_MAX, message, &buffer);
    if (status == ATM_OK)
        status = atm_opt_truth(value, "collective", message, &config.collective);
    if (status != ATM_OK)
        return status;
    config.aggregators = (int) aggregators;
    config.buffer = (uint64_t) buffer;
    if (i->driver == ATM_GPFS)
        config.block = block > 0 ? block : 1 << 20;
    status = read_striping(value, i, message, &config);
    if (status != ATM_OK)
        return status;
    if (sweep_count(i, &config, NULL, &counts) != ATM_OK)
        return atm_complain(value, NULL, message, "is nothing that a run can have");
    *config_p = config;
    return ATM_OK;
}

/* --- all of an instance */

static bool same(const atm_config *one, const atm_config *other)
{
    return one->collective == other->collective && one->aggregators == other->aggregators &&
           one->buffer == other->buffer && one->stripe_count == other->stripe_count &&
           one->stripe_size == other->stripe_size;
}

static bool same_variant(const sweep_config *one, const sweep_config *other)
{
    if (one->variant == NULL || other->variant == NULL)
        return one->variant == other->variant;
    return strcmp(one->variant, other->variant) == 0;
}

bool sweep_is_condition(const char *variant)
{
    return strcmp(variant, SWEEP_UNIFORM) == 0 || strcmp(variant, SWEEP_BLUEGENE) == 0 ||
           strcmp(variant, SWEEP_NEAR) == 0 || strcmp(variant, SWEEP_STOCK) == 0 ||
           strcmp(variant, SWEEP_EXISTING) == 0;
}

/* What would be taken twice: a configuration, or the one of a rule. */
static atm_status check_twice(const atm_value *value, const sweep_instance *i, int index,
                              atm_message *message)
{
    const sweep_config *config = &i->configs[index];

    for (int k = 0; k < i->count; k++) {
        const sweep_config *other = &i->configs[k];

        if (k == index || !same_variant(config, other))
            continue;
        if (config->variant != NULL && !sweep_is_condition(config->variant))
            return atm_complain(value, "variant", message,
                                "is a rule's, of which there is another");
        if (same(&config->config, &other->config))
            return atm_complain(value, NULL, message,
                                "is a configuration that the instance already has");
    }
    return ATM_OK;
}

static atm_status read_parts(const atm_value *value, sweep_config *config, atm_message *message)
{
    static const char *const keys[] = {"partitioning", "shuffle", "storage", NULL};
    const atm_value *parts;
    atm_status status;

    if (atm_value_find(value, "parts") == NULL)
        return ATM_OK;
    status = atm_get_object(value, "parts", message, &parts);
    if (status == ATM_OK)
        status = atm_check_keys(parts, keys, message);
    for (int i = 0; status == ATM_OK && i < ATM_PART_COUNT; i++)
        status = atm_get_number(parts, keys[i], 0, 1e9, message, &config->parts[i]);
    config->has_parts = status == ATM_OK;
    return status;
}

/* ROMIO orders what cb_config_list names by rank.  With GPFS, runs are placed bridge-first, and
 * Blue Gene's own list alternates between bridges too. */
static atm_order order_of(const sweep_instance *instance, const char *variant)
{
    if (instance->driver != ATM_GPFS)
        return ATM_BY_DATA;
    if (variant == NULL || strcmp(variant, SWEEP_EXISTING) == 0)
        return ATM_BY_PSET;
    return sweep_is_condition(variant) ? ATM_BY_DATA : ATM_BY_PSET;
}

static atm_status read_one(const atm_value *value, uint64_t block, sweep_instance *i, int index,
                           atm_message *message)
{
    static const char *const keys[] = {"aggregators", "buffer",  "collective", "stripes",
                                       "stripe_size", "default", "variant",    "seconds",
                                       "in_call",     "parts",   NULL};
    sweep_config *config = &i->configs[index];
    bool is_default = false;
    atm_status status = atm_check_keys(value, keys, message);

    if (status == ATM_OK)
        status = read_config(value, block, i, message, &config->config);
    if (status == ATM_OK)
        status = atm_opt_truth(value, "default", message, &is_default);
    config->config.order = order_of(i, config->variant);
    if (status == ATM_OK)
        status = read_times(value, "seconds", message, &config->times);
    if (status == ATM_OK && atm_value_find(value, "in_call") != NULL)
        status = read_times(value, "in_call", message, &config->in_call);
    if (status == ATM_OK)
        status = read_parts(value, config, message);
    if (status != ATM_OK || !is_default)
        return status;
    if (config->variant != NULL)
        return atm_complain(value, "default", message, "must not be that of a variant");
    if (i->defaults >= 0)
        return atm_complain(value, "default", message, "is that of another configuration too");
    i->defaults = index;
    return ATM_OK;
}

/* Sets count, candidates, variants; candidates get the first places. */
static atm_status list_configs(const atm_value *list, sweep_instance *i, int *places,
                               atm_message *message)
{
    int length = (int) atm_value_length(list), place = 0;
    atm_status status = ATM_OK;

    for (int variants = 0; variants < 2; variants++) {
        for (int k = 0; status == ATM_OK && k < length; k++) {
            const atm_value *value = atm_value_item(list, (size_t) k);
            const char *variant = NULL;

            status = atm_opt_string(value, "variant", message, &variant);
            if (status != ATM_OK || (variant != NULL) != (variants == 1))
                continue;
            if (variant != NULL && variant[0] == '\0')
                return atm_complain(value, "variant", message, "must not be empty");
            i->configs[place].variant = variant;
            places[k] = place++;
        }
        if (variants == 0)
            i->candidates = place;
    }
    return status;
}

static void find_best(sweep_instance *i)
{
    for (int k = 1; k < i->candidates; k++)
        if (i->configs[k].times.median < i->configs[i->best].times.median)
            i->best = k;
}

atm_status sweep_read_configs(const atm_value *list, uint64_t block, sweep_instance *instance,
                              atm_message *message)
{
    int length = (int) atm_value_length(list);
    int *places = calloc((size_t) length, sizeof(*places));
    atm_status status = ATM_NO_MEMORY;

    instance->configs = calloc((size_t) length, sizeof(*instance->configs));
    instance->defaults = -1;
    if (places != NULL && instance->configs != NULL) {
        instance->count = length;
        status = list_configs(list, instance, places, message);
    }
    for (int k = 0; status == ATM_OK && k < length; k++)
        status = read_one(atm_value_item(list, (size_t) k), block, instance, places[k], message);
    for (int k = 0; status == ATM_OK && k < length; k++)
        status = check_twice(atm_value_item(list, (size_t) k), instance, places[k], message);
    free(places);
    if (status == ATM_OK && instance->defaults < 0)
        return atm_complain(list, NULL, message, "has no default");
    if (status == ATM_OK)
        find_best(instance);
    return status;
}

atm_status sweep_read_choice(const atm_value *value, uint64_t block, sweep_instance *instance,
                             atm_message *message)
{
    static const char *const keys[] = {"aggregators", "buffer", "collective", "stripes",
                                       "stripe_size", "status", "seconds",    NULL};
    sweep_choice *choice = &instance->choice;
    const atm_value *object;
    atm_status status = atm_get_object(value, "choice", message, &object);

    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    if (status == ATM_OK)
        status = read_config(object, block, instance, message, &choice->config);
    if (status == ATM_OK)
        status = atm_get_string(object, "status", message, &choice->status);
    if (status == ATM_OK)
        status = read_times(object, "seconds", message, &choice->times);
    instance->has_choice = status == ATM_OK;
    return status;
}

/* --- counting */

atm_status sweep_count(const sweep_instance *instance, const atm_config *config,
                       const atm_count_model *model, atm_counts *counts_p)
{
    atm_status status = atm_count_calls(model, instance->driver, &instance->job, &instance->access,
                                        config, instance->calls, counts_p);

    if (status == ATM_OK) /* each run is a process of its own */
        atm_count_touch(config, 0, counts_p);
    return status;
}

/* --- asking */

double sweep_in_call(const sweep_config *config)
{
    return config->in_call.count > 0 ? config->in_call.median : config->times.median;
}

const sweep_config *sweep_under(const sweep_instance *instance, const atm_config *config,
                                const char *condition)
{
    const sweep_config wanted = {.variant = condition};

    for (int i = 0; i < instance->count; i++)
        if (same(&instance->configs[i].config, config) &&
            same_variant(&instance->configs[i], &wanted))
            return &instance->configs[i];
    return NULL;
}

void sweep_words(const sweep_instance *instance, const atm_config *config, char *words, size_t size)
{
    char striping[64] = "";

    if (instance->driver == ATM_LUSTRE)
        snprintf(striping, sizeof(striping), ", %d x %s", config->stripe_count,
                 units_bytes((double) config->stripe_size).text);
    if (!config->collective)
        snprintf(words, size, "each for itself%s", striping);
    else
        snprintf(words, size, "%d x %s%s", config->aggregators,
                 units_bytes((double) config->buffer).text, striping);
}
