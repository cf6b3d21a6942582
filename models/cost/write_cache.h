/*
 * Caches between a write and the disks: of clients, servers or I/O nodes; from here they
 * look alike.  They absorb writes at one rate until they are full and drain at another.
 *
 *     capacity = bytes x nodes^a x writers^b x round^c x servers^d
 *
 * where a round is the bytes that all writers write at once: the fuller they are, the sooner one
 * of many caches is full, for which all wait.  Kernels begin to hold writers up before a cache is
 * full: over its last part, the knee.
 *
 * As it stands in a profile:
 *
 *     "write_cache": { "bytes": 1e8,                            of one node, writer, byte, server
 *                      "nodes": 1, "writers": 0, "round": -0.05, "servers": 0.1,    exponents
 *                      "error": 0.1,
 *                      "knee": 0.2 }               optional: share of the capacity; else 0
 *
 * The writes of such a profile were measured with room in the caches, write_drained with
 * full ones.  A profile without it knows no
 * caches: a round always costs the same.
 */

#ifndef ATM_WRITE_CACHE_H
#define ATM_WRITE_CACHE_H

#include "atm.h"
#include "value/value.h"

typedef struct atm_write_cache {
    double bytes; /* 0: no cache is known */
    double nodes, writers, round, servers;
    double error; /* of a capacity; relative, one standard deviation */
    double knee;  /* share of it, 0 to 1 */
} atm_write_cache;

/* value: the object above, or NULL for none. */
atm_status atm_write_cache_read(const atm_value *value, atm_message *message,
                                atm_write_cache *cache_p);
void atm_write_cache_write(const atm_write_cache *cache, atm_value *object);

/* Bytes that there is room for when an operation with these features finds no others; 0
 * if no cache is known. */
double atm_write_cache_capacity(const atm_write_cache *cache,
                                const double features[ATM_FEATURE_COUNT]);

/* Equal rounds, one after the other. */
typedef struct atm_cached_rounds {
    double count;
    double bytes;    /* of a round, all writers */
    double absorbed; /* seconds of a round that finds room */
    double drain;    /* bytes per second that leave the cache, all the time */
    double between;  /* seconds from a round to the next, for other things */
} atm_cached_rounds;

/*
 * Seconds that these rounds take with *level bytes in a cache of that capacity; *level
 * becomes what is there afterwards.  A round adds bytes - drain x (absorbed + between), as
 * long as there is room; a full cache takes in what it drains, so that a round then
 * takes bytes / drain, of which `between` has passed already:
 *
 *     k = min(count, (capacity - knee - level) / growth)
 *     t = k absorbed + (count - k) max(absorbed, bytes / drain - between)
 *
 * In the last `knee` bytes a round takes as much of the difference between these two as the knee is
 * full, u: so the level grows by growth x (1 - u), and of the n rounds after the k
 *
 *     1 - u = (1 - u0) exp(-n growth / knee)
 *
 * whose integral is what they save.  Far beyond, that is what a sharp limit at the same capacity
 * saves.
 */
double atm_write_cache_follow(double capacity, double knee, const atm_cached_rounds *rounds,
                              double *level);

#endif /* ATM_WRITE_CACHE_H */
