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

/* Domains of so many blocks each, one after the other; the server of the next. */
static uint64_t add_domains(ring *ring, uint64_t at, uint64_t blocks, uint64_t domains)
{
    uint64_t step = blocks % ring->size, period = ring->size / common_divisor(ring->size, step);

    for (uint64_t i = 0; i < counts_min(domains, period); i++)
        ring->starts[(at + i * step) % ring->size] +=
            (double) (domains / period + (i < domains % period));
    return (at + domains % period * step) % ring->size;
}

/* Windows of so many blocks put a load of 1 on as many servers.  All wait for the one with
 * most: as many servers, all with that load, would be as slow. */
static double effective(const ring *ring, uint64_t blocks)
{
    double load = 0, sum = 0, most = 0;

    for (uint64_t i = 0; i < blocks; i++)
        load += ring->starts[(ring->size - i) % ring->size];
    for (uint64_t i = 0; i < ring->size; i++) {
        sum += load;
        most = load > most ? load : most;
        load += ring->starts[(i + 1) % ring->size] -
                ring->starts[(i + 1 + ring->size - blocks) % ring->size];
    }
    return sum / most;
}

double counts_servers_at_once(const counts_domains *domains, uint64_t count, uint64_t blocks,
                              uint64_t servers)
{
    uint64_t large = counts_min(count, domains->large), at;
    ring ring = {.size = servers};

    if (servers > SERVERS_MAX || count == 0)
        return 0;
    at = add_domains(&ring, 0, domains->small + 1, large);
    if (domains->small > 0)
        add_domains(&ring, at, domains->small, count - large);
    return effective(&ring, counts_min(blocks, servers));
}
