/* The level of a write cache over rounds, in closed form. */

#include "write_cache.h"

#include <math.h>

#include "surrogate_math.h"

/* No file system holds more. */
#define BYTES_MAX 1e18
#define EXPONENT_MAX 4

atm_status atm_write_cache_read(const atm_value *value, atm_message *message,
                                atm_write_cache *cache_p)
{
    static const char *const keys[] = {"bytes",   "nodes", "writers", "round",
                                       "servers", "error", "knee",    NULL};
    atm_write_cache cache = {0};
    double *const exponents[] = {&cache.nodes, &cache.writers, &cache.round, &cache.servers};
    atm_status status;

    if (value == NULL) {
        *cache_p = cache;
        return ATM_OK;
    }
    status = atm_check_keys(value, keys, message);
    if (status == ATM_OK)
        status = atm_get_number(value, "bytes", 1, BYTES_MAX, message, &cache.bytes);
    for (int i = 0; status == ATM_OK && i < 4; i++)
        status =
            atm_get_number(value, keys[1 + i], -EXPONENT_MAX, EXPONENT_MAX, message, exponents[i]);
    if (status == ATM_OK)
        status = atm_get_number(value, "error", 0, 10, message, &cache.error);
    if (status == ATM_OK)
        status = atm_opt_number(value, "knee", 0, 1, message, &cache.knee);
    if (status == ATM_OK)
        *cache_p = cache;
    return status;
}

void atm_write_cache_write(const atm_write_cache *cache, atm_value *object)
{
    atm_put_number(object, "bytes", cache->bytes);
    atm_put_number(object, "nodes", cache->nodes);
    atm_put_number(object, "writers", cache->writers);
    atm_put_number(object, "round", cache->round);
    atm_put_number(object, "servers", cache->servers);
    atm_put_number(object, "error", cache->error);
    if (cache->knee > 0)
        atm_put_number(object, "knee", cache->knee);
}

/* x^exponent; numbers below 1 are no part of a node or server. */
static double power(double x, double exponent)
{
    return exponent == 0 || x <= 1 ? 1 : sur_exp(exponent * sur_log(x));
}

double atm_write_cache_capacity(const atm_write_cache *cache,
                                const double features[ATM_FEATURE_COUNT])
{
    if (cache->bytes == 0)
        return 0;
    return cache->bytes * power(features[ATM_NODES], cache->nodes) *
           power(features[ATM_RECEIVERS], cache->writers) *
           power(features[ATM_RECEIVERS] * features[ATM_BYTES], cache->round) *
           power(features[ATM_STRIPES], cache->servers);
}

/* Rounds in the knee, as many absorbed ones that save as much; *level goes from there. */
static double follow_knee(double capacity, double knee, double growth, double count, double *level)
{
    double left = fmax(0, fmin(1, (capacity - *level) / knee)); /* 1 - u */
    double after = left * sur_exp(-count * growth / knee);

    *level = capacity - knee * after;
    return (left - after) * knee / growth;
}

double atm_write_cache_follow(double capacity, double knee, const atm_cached_rounds *rounds,
                              double *level)
{
    double growth = rounds->bytes - rounds->drain * (rounds->absorbed + rounds->between);
    double full = fmax(rounds->absorbed, rounds->bytes / rounds->drain - rounds->between);
    double room = fmax(0, capacity - knee - *level), absorbed = rounds->count;

    if (growth > 0)
        absorbed = fmin(rounds->count, room / growth);
    *level = fmax(0, fmin(capacity, *level + absorbed * growth));
    if (knee > 0 && growth > 0 && absorbed < rounds->count)
        absorbed += follow_knee(capacity, knee, growth, rounds->count - absorbed, level);
    return absorbed * rounds->absorbed + (rounds->count - absorbed) * full;
}
