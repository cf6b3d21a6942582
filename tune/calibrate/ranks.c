#include "calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int world_agree(MPI_Comm comm, int code)
{
    int worst;

    if (MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS)
        return EIO;
    return worst;
}

void world_rest(const cal_world *world)
{
    struct timespec nap = {.tv_nsec = 50000};
    MPI_Request request;
    int done = 0;

    MPI_Ibarrier(world->comm, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 1000000)
            nap.tv_nsec *= 2;
    }
}

/* node_of is rank 0's alone in the map. */
static atc_status share_map(const atc_nodemap *map, cal_world *world)
{
    size_t ranks = (size_t) map->ranks, nodes = (size_t) map->nodes;

    world->nodes = map->nodes;
    world->node_of = malloc(ranks * sizeof(int));
    world->index_of = malloc(ranks * sizeof(int));
    world->ranks_of = calloc(nodes, sizeof(int));
    if (world->rank == 0)
        world->names = malloc(nodes * sizeof(*world->names));
    bool room = world->node_of != NULL && world->index_of != NULL && world->ranks_of != NULL &&
                (world->rank != 0 || world->names != NULL);
    atc_status status = atc_agree(world->comm, room ? ATC_OK : ATC_NO_MEMORY);

    if (status != ATC_OK)
        return status;
    if (world->rank == 0) {
        memcpy(world->node_of, map->node_of, ranks * sizeof(int));
        memcpy(world->names, map->names, nodes * sizeof(*world->names));
    }
    if (MPI_Bcast(world->node_of, map->ranks, MPI_INT, 0, world->comm) != MPI_SUCCESS)
        return ATC_MPI_FAILED;
    for (int i = 0; i < map->ranks; i++)
        world->index_of[i] = world->ranks_of[world->node_of[i]]++;
    return ATC_OK;
}

/* On rank 0: the machine's topology, or one that knows no node by name. */
static bool read_topology(const char *path, atm_topology **topology_p)
{
    atm_message message = {""};
    atm_value *document = NULL;
    atm_status status;

    if (path == NULL) {
        status = atm_topology_from_text("nodes:1", &message, topology_p);
    } else {
        status = atm_value_read(path, &message, &document);
        if (status == ATM_OK)
            status = atm_topology_from_value(document, &message, topology_p);
        atm_value_destroy(document);
    }
    if (status != ATM_OK)
        fprintf(stderr, "autotune-calibrate: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    return status == ATM_OK;
}

static bool takes_part(const cal_world *world, int nodes, int per_node, int rank)
{
    return world->node_of[rank] < nodes && world->index_of[rank] < per_node;
}

/* On rank 0: the topology of the ranks that take part; destroy it. */
static atm_status topology_of(const cal_world *world, int nodes, int per_node,
                              atm_topology **topology_p)
{
    const char **names = malloc((size_t) nodes * sizeof(*names));
    int *node_of = malloc((size_t) world->ranks * sizeof(*node_of)), members = 0;
    atm_status status = ATM_NO_MEMORY;

    if (names != NULL && node_of != NULL) {
        for (int i = 0; i < nodes; i++)
            names[i] = world->names[i];
        for (int i = 0; i < world->ranks; i++)
            if (takes_part(world, nodes, per_node, i))
                node_of[members++] = world->node_of[i];
        status = atm_topology_for_job(world->machine, nodes, names, members, node_of, topology_p);
    }
    free(names);
    free(node_of);
    return status;
}

/* Local, on rank 0. */
static bool count_groups(cal_world *world)
{
    bool *seen = calloc((size_t) world->nodes, sizeof(*seen)), known = false;
    atm_topology *topology = NULL;
    int groups = 0;

    if (seen != NULL)
        known = topology_of(world, world->nodes, INT_MAX, &topology) == ATM_OK;
    for (int i = 0; known && i < world->nodes; i++) {
        int group = topology->psets > 1 ? topology->node[i].pset : i;

        groups += !seen[group];
        seen[group] = true;
        world->groups_in[i] = groups;
    }
    if (known)
        memcpy(world->apart, atm_job_of(topology).apart, sizeof(world->apart));
    atm_topology_destroy(topology);
    free(seen);
    return known;
}

/* Which nodes are near each other, where the order of aggregators is ours to choose. */
static bool find_groups(cal_world *world)
{
    int known = 1;

    if (world->policy != atm_policy_at(0))
        return true;
    world->groups_in = malloc((size_t) world->nodes * sizeof(int));
    if (world_agree(world->comm, world->groups_in != NULL ? 0 : ENOMEM) != 0)
        return false;
    if (world->rank == 0)
        known = count_groups(world);
    MPI_Bcast(&known, 1, MPI_INT, 0, world->comm);
    if (known) {
        MPI_Bcast(world->groups_in, world->nodes, MPI_INT, 0, world->comm);
        MPI_Bcast(world->apart, ATM_APART, MPI_DOUBLE, 0, world->comm);
    }
    return known;
}

bool world_make(const cal_options *options, cal_world *world)
{
    const atc_nodemap *map;
    int ready = 1;
    atc_status status;

    *world = (cal_world){.comm = MPI_COMM_WORLD, .policy = atm_policy_by_name(options->policy)};
    MPI_Comm_rank(world->comm, &world->rank);
    MPI_Comm_size(world->comm, &world->ranks);
    status = atc_nodemap_get(world->comm, &map);
    if (status == ATC_OK)
        status = share_map(map, world);
    if (status != ATC_OK) {
        if (world->rank == 0)
            fprintf(stderr, "autotune-calibrate: node map: %s\n", atc_status_text(status));
        return false;
    }
    if (world->rank == 0)
        ready = read_topology(options->topology, &world->machine);
    MPI_Bcast(&ready, 1, MPI_INT, 0, world->comm);
    if (!ready)
        return false;
    ready = find_groups(world);
    if (!ready && world->rank == 0)
        fprintf(stderr, "autotune-calibrate: %s\n", atm_status_text(ATM_NO_MEMORY));
    return ready;
}

void world_clear(cal_world *world)
{
    for (int i = 0; i < world->group_count; i++)
        if (world->groups[i].comm != MPI_COMM_NULL)
            MPI_Comm_free(&world->groups[i].comm);
    free(world->node_of);
    free(world->index_of);
    free(world->ranks_of);
    free(world->groups_in);
    free(world->names);
    atm_topology_destroy(world->machine);
}

int world_group(cal_world *world, int nodes, int per_node, MPI_Comm *comm_p)
{
    bool mine = takes_part(world, nodes, per_node, world->rank);
    cal_group *group = world->groups;

    for (int i = 0; i < world->group_count; i++, group++)
        if (group->nodes == nodes && group->per_node == per_node) {
            *comm_p = group->comm;
            return 0;
        }
    *group = (cal_group){.nodes = nodes, .per_node = per_node};
    if (world->group_count == PLAN_GROUPS ||
        MPI_Comm_split(world->comm, mine ? 0 : MPI_UNDEFINED, world->rank, &group->comm) !=
            MPI_SUCCESS)
        return EIO;
    world->group_count++;
    *comm_p = group->comm;
    return 0;
}

/* Another policy than the default is one order for all. */
static const atm_policy *policy_for(const cal_world *world, atm_order order)
{
    return world->policy == atm_policy_at(0) && order == ATM_BY_DATA ? atm_policy_by_name("near")
                                                                     : world->policy;
}

/* Local, on rank 0: of those who take part. */
static atm_status place_of(const cal_world *world, int nodes, int per_node, atm_order order,
                           int count, int *ranks, atm_topology **topology_p)
{
    atm_status status = topology_of(world, nodes, per_node, topology_p);

    return status != ATM_OK ? status
                            : atm_place(*topology_p, policy_for(world, order), count, ranks);
}

static atm_status links_of(const atm_topology *topology, const plan_point *point, const int *ranks,
                           int count, bool of_psets, int64_t *link_p)
{
    return point->operation == ATM_EXCHANGE
               ? atm_link_messages(topology, ranks, count, point->fan, of_psets, link_p)
               : atm_most_at(topology, ranks, count, of_psets, link_p);
}

/* On rank 0. */
bool world_links(const void *context, const plan_point *point, plan_links *links_p)
{
    int count = point->senders < point->receivers ? point->senders : point->receivers;
    int *ranks = malloc((size_t) count * sizeof(*ranks));
    atm_topology *topology = NULL;
    plan_links links = {0, 0};
    atm_status status = ATM_NO_MEMORY;

    if (ranks != NULL)
        status =
            place_of(context, point->nodes, point->per_node, point->order, count, ranks, &topology);
    if (status == ATM_OK)
        status = links_of(topology, point, ranks, count, false, &links.node);
    if (status == ATM_OK)
        status = links_of(topology, point, ranks, count, true, &links.pset);
    atm_topology_destroy(topology);
    free(ranks);
    if (status == ATM_OK)
        *links_p = links;
    return status == ATM_OK;
}

int world_place(const cal_world *world, int nodes, int per_node, atm_order order, int count,
                int *ranks)
{
    atm_topology *topology = NULL;
    int code = 0;

    if (world->rank == 0) {
        if (place_of(world, nodes, per_node, order, count, ranks, &topology) != ATM_OK)
            code = ENOMEM;
        atm_topology_destroy(topology);
    }
    MPI_Bcast(&code, 1, MPI_INT, 0, world->comm);
    if (code == 0)
        MPI_Bcast(ranks, count, MPI_INT, 0, world->comm);
    return code;
}
