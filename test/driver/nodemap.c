/*
 * adio/: node map, its cache, agreement.  Called as
 *     nodemap memory|names|real NODES
 * With "memory" MPI is made to say that ranks sit round robin on NODES nodes
 * by what they share, with "names" by what their processors are called; with
 * "real" nothing is made up.
 */

#include "atc.h"
#include "mpitap.h"

#include <stdlib.h>
#include <string.h>

static const char *told_by = "real";
static int pretended = 1;

/* The library calls these two instead of libmpi's. */
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *split)
{
    int rank, size;

    if (strcmp(told_by, "real") == 0)
        return PMPI_Comm_split_type(comm, type, key, info, split);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    return MPI_Comm_split(comm, strcmp(told_by, "memory") == 0 ? rank % pretended : rank, key,
                          split);
}

int MPI_Get_processor_name(char *name, int *length)
{
    int rank;

    if (strcmp(told_by, "names") != 0)
        return PMPI_Get_processor_name(name, length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* sorting by name and numbering by rank differ */
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", 9 - rank % pretended);
    return MPI_SUCCESS;
}

static void test_map(MPI_Comm comm, int nodes, const char *what)
{
    const atc_nodemap *map, *again;
    int rank, ranks, right;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (!tap_ok(atc_nodemap_get(comm, &map) == ATC_OK, "%s: there is a map", what))
        return;
    tap_ok(map->ranks == ranks && map->nodes == nodes, "%s: %d nodes", what, nodes);
    tap_ok(map->node == rank % nodes && map->index == rank / nodes, "%s: this rank's place", what);
    tap_ok(map->node_ranks == (ranks - rank % nodes + nodes - 1) / nodes, "%s: ranks of its node",
           what);
    tap_ok((rank == 0) == (map->node_of != NULL) && (rank == 0) == (map->names != NULL),
           "%s: the whole map is on rank 0 only", what);
    right = 1;
    for (int i = 0; rank == 0 && i < ranks; i++)
        right = right && map->node_of[i] == i % nodes;
    tap_ok(right, "%s: every rank's node", what);
    tap_ok(rank != 0 || map->names[nodes - 1][0] != '\0', "%s: nodes have names", what);
    tap_ok(rank != 0 || strcmp(told_by, "names") != 0 || nodes == 1 ||
               strcmp(map->names[1], "node8") == 0,
           "%s: of their first ranks", what);
    tap_ok(atc_nodemap_get(comm, &again) == ATC_OK && again == map, "%s: the map is cached", what);
}

/* A duplicate shares the map, and may outlive its original. */
static void test_duplicate(int nodes)
{
    MPI_Comm first, second;
    const atc_nodemap *map, *same;

    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    atc_nodemap_get(first, &map);
    MPI_Comm_dup(first, &second);
    MPI_Comm_free(&first);
    tap_ok(atc_nodemap_get(second, &same) == ATC_OK && same == map, "a duplicate has the same map");
    tap_ok(same->nodes == nodes, "which outlives the original");
    MPI_Comm_free(&second);
}

static void test_agree(void)
{
    int rank, ranks;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    tap_ok(atc_agree(MPI_COMM_WORLD, ATC_OK) == ATC_OK, "all agree");
    tap_ok(atc_agree(MPI_COMM_WORLD, rank == ranks - 1 ? ATC_NO_MEMORY : ATC_OK) == ATC_NO_MEMORY,
           "one rank's failure is everybody's");
    tap_ok(strcmp(atc_status_text(ATC_NO_MEMORY), "out of memory") == 0, "statuses have texts");
}

int main(int argc, char **argv)
{
    int nodes, code;

    MPI_Init(&argc, &argv);
    if (argc != 3) {
        fprintf(stderr, "usage: nodemap memory|names|real NODES\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    told_by = argv[1];
    nodes = pretended = atoi(argv[2]);
    test_map(MPI_COMM_WORLD, nodes, "world");
    test_map(MPI_COMM_SELF, 1, "self");
    test_duplicate(nodes);
    test_agree();
    code = tap_done();
    MPI_Finalize();
    return code;
}
