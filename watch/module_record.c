/* record: keeps every activity, in the thread's ring until it is written to the spool. */

#include "drain.h"
#include "modules.h"
#include "threads.h"

/* A quarter full is time to write: the rest is room for what comes meanwhile. */
static void see(void **state, const atw_call *call)
{
    atw_ring *ring = &call->thread->ring;

    (void) state;
    if (atw_ring_put(ring, &call->activity) &&
        (atomic_load_explicit(&ring->put, memory_order_relaxed) & (ring->size / 4 - 1)) == 0)
        atw_drain_wake();
}

const atw_module atw_module_record = {.name = "record", .see = see};
