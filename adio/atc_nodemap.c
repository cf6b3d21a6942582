#include "atc.h"

#include <stdlib.h>
#include <string.h>

/* A map with the number of communicators that hold it. */
typedef struct shared_map {
    atc_nodemap map;
    int holders;
} shared_map;

/* What a rank must know about its own place. */
typedef struct place {
    int node, node_ranks, index;
} place;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static int copy_map(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag)
{
    (void) comm, (void) keyval, (void) extra;
    ((shared_map *) value)->holders++;
    *(void **) copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static void free_map(shared_map *shared)
{
    if (shared != NULL) {
        free(shared->map.node_of);
        free(shared->map.names);
        free(shared);
    }
}

static int release_map(MPI_Comm comm, int keyval, void *value, void *extra)
{
    shared_map *shared = value;

    (void) comm, (void) keyval, (void) extra;
    if (--shared->holders == 0)
        free_map(shared);
    return MPI_SUCCESS;
}

/* Place by shared memory; largest_p is the most ranks that any node has. */
static atc_status place_by_memory(MPI_Comm comm, place *place_p, int *nodes_p, int *largest_p)
{
    MPI_Comm node_comm;
    place mine;
    int leads, before = 0, nodes, largest, rank, rc;

    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_comm) !=
        MPI_SUCCESS)
        return ATC_MPI_FAILED;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_rank(node_comm, &mine.index);
    MPI_Comm_size(node_comm, &mine.node_ranks);
    leads = mine.index == 0;
    rc = MPI_Exscan(&leads, &before, 1, MPI_INT, MPI_SUM, comm);
    mine.node = rank == 0 ? 0 : before; /* Exscan leaves rank 0's result undefined */
    if (rc == MPI_SUCCESS)
        rc = MPI_Bcast(&mine.node, 1, MPI_INT, 0, node_comm);
    if (rc == MPI_SUCCESS)
        rc = MPI_Allreduce(&leads, &nodes, 1, MPI_INT, MPI_SUM, comm);
    if (rc == MPI_SUCCESS)
        rc = MPI_Allreduce(&mine.node_ranks, &largest, 1, MPI_INT, MPI_MAX, comm);
    MPI_Comm_free(&node_comm);
    if (rc != MPI_SUCCESS)
        return ATC_MPI_FAILED;
    *place_p = mine;
    *nodes_p = nodes;
    *largest_p = largest;
    return ATC_OK;
}

/* A rank's name while nodes are distinguished by names. */
typedef struct named_rank {
    char name[MPI_MAX_PROCESSOR_NAME];
    int rank;
} named_rank;

static int by_name_then_rank(const void *a, const void *b)
{
    const named_rank *x = a, *y = b;
    int order = strncmp(x->name, y->name, sizeof(x->name));

    return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Places of all ranks from their names, sorted; returns the number of nodes.
 * first[r] is scratch. */
static int places_from_names(const named_rank *sorted, int ranks, int *first, place *places)
{
    int nodes = 0;

    for (int start = 0, end; start < ranks; start = end) {
        for (end = start; end < ranks && strncmp(sorted[end].name, sorted[start].name,
                                                 sizeof(sorted[end].name)) == 0;
             end++) {
            first[sorted[end].rank] = sorted[start].rank;
            places[sorted[end].rank].index = end - start;
        }
        for (int i = start; i < end; i++)
            places[sorted[i].rank].node_ranks = end - start;
    }
    for (int rank = 0; rank < ranks; rank++)
        places[rank].node = first[rank] == rank ? nodes++ : places[first[rank]].node;
    return nodes;
}

/* Rank 0 alone keeps all names and places; the others get their own. */
static atc_status place_by_name(MPI_Comm comm, const char *name, place *place_p, int *nodes_p)
{
    named_rank *all = NULL;
    place *places = NULL, mine;
    int *first = NULL;
    int rank, ranks, nodes = 0;
    named_rank self = {.rank = 0};
    atc_status status = ATC_OK;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    memcpy(self.name, name, sizeof(self.name));
    self.rank = rank;
    if (rank == 0) {
        all = malloc(ranks * sizeof(*all));
        places = malloc(ranks * sizeof(*places));
        first = malloc(ranks * sizeof(*first));
        if (all == NULL || places == NULL || first == NULL)
            status = ATC_NO_MEMORY;
    }
    status = atc_agree(comm, status);
    if (status != ATC_OK)
        goto free_lists;

    status = ATC_MPI_FAILED;
    if (MPI_Gather(&self, sizeof(self), MPI_BYTE, all, sizeof(self), MPI_BYTE, 0, comm) !=
        MPI_SUCCESS)
        goto free_lists;
    if (rank == 0) {
        qsort(all, ranks, sizeof(*all), by_name_then_rank);
        nodes = places_from_names(all, ranks, first, places);
    }
    if (MPI_Scatter(places, sizeof(mine), MPI_BYTE, &mine, sizeof(mine), MPI_BYTE, 0, comm) !=
            MPI_SUCCESS ||
        MPI_Bcast(&nodes, 1, MPI_INT, 0, comm) != MPI_SUCCESS)
        goto free_lists;
    *place_p = mine;
    *nodes_p = nodes;
    status = ATC_OK;

free_lists:
    free(all);
    free(places);
    free(first);
    return status;
}

/* Fill node_of and names, which are allocated on rank 0. */
static atc_status collect_on_root(MPI_Comm comm, const char *name, atc_nodemap *map)
{
    int *lengths = NULL, *starts = NULL;
    int rank, length, rc;
    atc_status status = ATC_OK;

    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        map->node_of = malloc(map->ranks * sizeof(*map->node_of));
        map->names = malloc(map->nodes * sizeof(*map->names));
        lengths = malloc(map->ranks * sizeof(*lengths));
        starts = malloc(map->ranks * sizeof(*starts));
        if (map->node_of == NULL || map->names == NULL || lengths == NULL || starts == NULL)
            status = ATC_NO_MEMORY;
    }
    status = atc_agree(comm, status);
    if (status != ATC_OK)
        goto free_lists;

    /* the first rank of each node sends its name */
    length = map->index == 0 ? MPI_MAX_PROCESSOR_NAME : 0;
    rc = MPI_Gather(&map->node, 1, MPI_INT, map->node_of, 1, MPI_INT, 0, comm);
    if (rc == MPI_SUCCESS)
        rc = MPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, comm);
    if (rc == MPI_SUCCESS && rank == 0)
        for (int i = 0; i < map->ranks; i++)
            starts[i] = map->node_of[i] * MPI_MAX_PROCESSOR_NAME;
    if (rc == MPI_SUCCESS)
        rc = MPI_Gatherv(name, length, MPI_CHAR, map->names, lengths, starts, MPI_CHAR, 0, comm);
    if (rc != MPI_SUCCESS)
        status = ATC_MPI_FAILED;

free_lists:
    free(lengths);
    free(starts);
    return status;
}

static atc_status build(MPI_Comm comm, atc_nodemap *map)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    atc_status status;
    place mine;
    int largest, length;

    MPI_Comm_size(comm, &map->ranks);
    if (MPI_Get_processor_name(name, &length) != MPI_SUCCESS)
        name[0] = '\0';
    status = place_by_memory(comm, &mine, &map->nodes, &largest);
    if (status == ATC_OK && largest == 1 && map->ranks > 1)
        status = place_by_name(comm, name, &mine, &map->nodes);
    if (status != ATC_OK)
        return status;
    map->node = mine.node;
    map->node_ranks = mine.node_ranks;
    map->index = mine.index;
    return collect_on_root(comm, name, map);
}

atc_status atc_nodemap_get(MPI_Comm comm, const atc_nodemap **map_p)
{
    shared_map *shared = atc_cache_get(&cache, comm);
    atc_status status;

    if (shared != NULL) {
        *map_p = &shared->map;
        return ATC_OK;
    }
    shared = calloc(1, sizeof(*shared));
    status = atc_agree(comm, shared != NULL ? ATC_OK : ATC_NO_MEMORY);
    if (status == ATC_OK)
        status = build(comm, &shared->map);
    if (status == ATC_OK) {
        shared->holders = 1;
        status = atc_cache_put(&cache, comm, shared, copy_map, release_map);
        status = atc_agree(comm, status);
    }
    if (status != ATC_OK) {
        free_map(shared);
        return status;
    }
    *map_p = &shared->map;
    return ATC_OK;
}
