/* Processor time of placements: 10,000 aggregators on 100,000 ranks in at most 20 ms, and
 * growth with the number of ranks. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "place/place.h"

enum { REPEATS = 20 };

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

/* Best of REPEATS; negative when something failed. */
static double measure(const atm_topology *topology, const atm_policy *policy, int aggregators,
                      int *ranks)
{
    double best = -1;

    for (int i = 0; i < REPEATS; i++) {
        double start = now_ms(), taken;

        if (atm_place(topology, policy, aggregators, ranks) != ATM_OK)
            return -1;
        taken = now_ms() - start;
        best = best < 0 || taken < best ? taken : best;
    }
    return best;
}

static bool bench(const char *text, int aggregators, double most_ms)
{
    atm_topology *topology;
    bool good = true;
    int *ranks = malloc((size_t) aggregators * sizeof(*ranks));

    if (ranks == NULL || atm_topology_from_text(text, NULL, &topology) != ATM_OK) {
        free(ranks);
        return false;
    }
    for (int i = 0; atm_policy_at(i) != NULL; i++) {
        double ms = measure(topology, atm_policy_at(i), aggregators, ranks);

        printf("place %-12s %6d of %8d ranks %9.3f ms (at most %g)\n", atm_policy_at(i)->name,
               aggregators, topology->ranks, ms, most_ms);
        good = good && ms >= 0 && ms <= most_ms;
    }
    atm_topology_destroy(topology);
    free(ranks);
    return good;
}

int main(void)
{
    bool good = bench("psets:100 nodes:50 bridges:2 ranks:20", 10000, 20);

    good = bench("psets:1 nodes:100000 bridges:100", 10000, 20) && good;
    good = bench("psets:50000 nodes:1 bridges:1 ranks:2", 10000, 20) && good;
    good = bench("psets:1000 nodes:50 bridges:2 ranks:20", 100000, 250) && good;
    return good ? 0 : 1;
}
