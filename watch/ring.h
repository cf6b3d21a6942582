/*
 * A ring of activities: one thread puts, another takes, and neither waits.  What finds no room is
 * counted.
 */

#ifndef ATW_RING_H
#define ATW_RING_H

#include "atw.h"

typedef struct atw_ring {
    /* whoever puts */
    atw_activity *slots;
    uint64_t size;  /* a power of two */
    uint64_t taken; /* as last seen */
    _Atomic uint64_t put, dropped;
    /* whoever takes, in a cache line of its own */
    _Alignas(64) _Atomic uint64_t got;
} atw_ring;

/* false: no room. */
static inline bool atw_ring_put(atw_ring *ring, const atw_activity *activity)
{
    uint64_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);

    if (put - ring->taken >= ring->size) {
        ring->taken = atomic_load_explicit(&ring->got, memory_order_acquire);
        if (put - ring->taken >= ring->size) {
            atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
            return false;
        }
    }
    ring->slots[put & (ring->size - 1)] = *activity;
    atomic_store_explicit(&ring->put, put + 1, memory_order_release);
    return true;
}

/* How many there are. */
static inline uint64_t atw_ring_count(atw_ring *ring)
{
    return atomic_load_explicit(&ring->put, memory_order_acquire) -
           atomic_load_explicit(&ring->got, memory_order_relaxed);
}

/* How many there are in a row from *first_p on. */
static inline size_t atw_ring_peek(atw_ring *ring, const atw_activity **first_p)
{
    uint64_t got = atomic_load_explicit(&ring->got, memory_order_relaxed);
    uint64_t count = atomic_load_explicit(&ring->put, memory_order_acquire) - got;
    uint64_t at = got & (ring->size - 1);

    *first_p = ring->slots + at;
    return count < ring->size - at ? count : ring->size - at;
}

static inline void atw_ring_got(atw_ring *ring, size_t count)
{
    atomic_fetch_add_explicit(&ring->got, count, memory_order_release);
}

/* Number that found no room since this was last asked. */
static inline uint64_t atw_ring_dropped(atw_ring *ring)
{
    return atomic_exchange_explicit(&ring->dropped, 0, memory_order_relaxed);
}

#endif /* ATW_RING_H */
