/* Processor time to find the topology of a job of 100,000 ranks on 10,000 nodes, in at
 * most 20 ms, from each source; and of the largest files that are not refused. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "place/where.h"

enum { REPEATS = 20, NODES = 10000, EACH = 10, RANKS = NODES * EACH, LEAF = 40 };

static char names[NODES][16];
static const char *host[RANKS];
static char file[] = "/tmp/bench_where.XXXXXX", conf[] = "/tmp/bench_where.XXXXXX";

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

static FILE *create(char *path)
{
    int descriptor = mkstemp(path);

    return descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
}

/* Leaves of 40 nodes. */
static bool write_files(void)
{
    FILE *json = create(file), *text = create(conf);

    if (json == NULL || text == NULL)
        return false;
    fprintf(json, "{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [");
    for (int i = 0; i < NODES; i += LEAF) {
        fprintf(json,
                "%s{\"nodes\": [{\"name\": \"n%05d\", \"bridge\": true}, "
                "{\"name\": \"n[%05d-%05d]\"}]}",
                i > 0 ? "," : "", i, i + 1, i + LEAF - 1);
        fprintf(text, "SwitchName=s%d Nodes=n[%05d-%05d]\n", i, i, i + LEAF - 1);
    }
    fprintf(json, "]}\n");
    return (fclose(json) | fclose(text)) == 0;
}

static bool bench(const char *what, const atm_job_place *place, atm_where expected, int repeats,
                  double most_ms)
{
    double best = -1;
    bool good = true;

    for (int i = 0; i < repeats && good; i++) {
        double start = now_ms(), taken;
        atm_topology *topology = NULL;
        atm_message reason;
        atm_where where;

        good = atm_topology_of_job(place, &reason, &where, &topology) == ATM_OK;
        taken = now_ms() - start;
        best = best < 0 || taken < best ? taken : best;
        if (good && where != expected) {
            fprintf(stderr, "%s\n", reason.text);
            good = false;
        }
        atm_topology_destroy(topology);
    }
    printf("where %-28s %9.3f ms (at most %g)\n", what, best, most_ms);
    return good && best <= most_ms;
}

int main(void)
{
    atm_job_place place = {.ranks = RANKS, .host = host};
    const char *one = "n0";
    bool good;
    FILE *largest;

    if (!write_files()) {
        perror("bench_where");
        return 1;
    }
    for (int i = 0; i < NODES; i++)
        snprintf(names[i], sizeof(names[i]), "n%05d", i);
    for (int i = 0; i < RANKS; i++)
        host[i] = names[i / EACH];
    good = bench("node names, ranks in blocks", &place, ATM_WHERE_NAMES, REPEATS, 20);
    for (int i = 0; i < RANKS; i++)
        host[i] = names[i % NODES];
    good = bench("node names, ranks dealt", &place, ATM_WHERE_NAMES, REPEATS, 20) && good;
    place.slurm_conf_topology = conf;
    good = bench("topology.conf", &place, ATM_WHERE_SLURM, REPEATS, 20) && good;
    place.topology_file = file;
    good = bench("topology file", &place, ATM_WHERE_FILE, REPEATS, 20) && good;

    place = (atm_job_place){.ranks = 1, .host = &one, .slurm_conf_topology = conf};
    largest = fopen(conf, "w");
    if (largest == NULL)
        return 1;
    fprintf(largest, "SwitchName=s Nodes=n[0-1048575]\n");
    fclose(largest);
    good = bench("topology.conf, 1048576 nodes", &place, ATM_WHERE_SLURM, 1, 2000) && good;
    unlink(file);
    unlink(conf);
    return good ? 0 : 1;
}
