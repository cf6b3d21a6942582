/* Servers at once: the domains of a call start on servers that repeat. */

#include "counts_inside.h"

/* More are not looked at one by one. */
enum { SERVERS_MAX = 4096 };

typedef struct ring {
    uint64_t size;
    double starts[SERVERS_MAX]; /* domains that start there */
} ring;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* at + step on a ring of that size, both below it. */
static uint64_t onward(uint64_t at, uint64_t step, uint64_t size)
{
    return at + step < size ? at + step : at + step - size;
}

/* Domains of so many blocks each, one after the other; the server of the next. */
static uint64_t add_domains(ring *ring, uint64_t at, uint64_t blocks, uint64_t domains)
{
    uint64_t size = ring->size, step = blocks % size, period = size / common_divisor(size, step);
    uint64_t all = domains / period, more = domains % period, next = at;

    for (uint64_t i = 0; i < counts_min(domains, period); i++, at = onward(at, step, size)) {
        ring->starts[at] += (double) (all + (i < more));
        if (i < more)
            next = onward(at, step, size);
    }
    return next;
}

/* Windows of so many blocks put a load of 1 on as many servers.  All wait for the one with
 * most: as many servers, all with that load, would be as slow. */
static double effective(const ring *ring, uint64_t blocks)
{
    uint64_t size = ring->size, leaves = size - blocks; /* the window that begins there ends */
    double load = ring->starts[0], sum = 0, most = 0;

    for (uint64_t i = 1; i < blocks; i++)
        load += ring->starts[size - i];
    for (uint64_t i = 0; i < size; i++) {
        sum += load;
        most = load > most ? load : most;
        leaves = onward(leaves, 1, size);
        load += ring->starts[onward(i, 1, size)] - ring->starts[leaves];
    }
    return sum / most;
}

double counts_servers_at_once(const counts_domains *domains, uint64_t count, uint64_t blocks,
                              uint64_t servers)
{
    uint64_t large = counts_min(count, domains->large), at;
    ring ring;

    if (servers > SERVERS_MAX || count == 0)
        return 0;
    ring.size = servers;
    for (uint64_t i = 0; i < servers; i++) /* not all of it: this is counted for every candidate */
        ring.starts[i] = 0;
    at = add_domains(&ring, 0, domains->small + 1, large);
    if (domains->small > 0)
        add_domains(&ring, at, domains->small, count - large);
    return effective(&ring, counts_min(blocks, servers));
}

double atm_servers_of_stripes(uint64_t bytes, uint64_t stripe_size, int servers)
{
    uint64_t most;
    double at_once;

    if (servers <= 1 || stripe_size == 0 || bytes == 0)
        return 1;
    most = counts_ceil(counts_ceil(bytes, stripe_size), (uint64_t) servers);
    at_once = (double) bytes / (double) stripe_size / (double) most;
    return at_once > 1 ? at_once : 1;
}
