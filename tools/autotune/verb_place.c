/* autotune place: which ranks are aggregators. */

#include "autotune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/hostlist.h"
#include "place/place.h"
#include "place/where.h"
#include "value/words.h"
#include "common/options.h"

typedef struct place_options {
    const char *topology, *slurm_conf, *hosts;
    const char *policy;
    int aggregators, ranks_per_node;
    bool json;
} place_options;

static const option_entry entries[] = {
    {"topology", "FILE|TEXT", "topology of the ranks", OPTION_TEXT,
     offsetof(place_options, topology), NULL},
    {"slurm-conf", "FILE", "topology of the nodes: Slurm's topology.conf", OPTION_TEXT,
     offsetof(place_options, slurm_conf), NULL},
    {"hosts", "LIST", "the job's, as n[0-3,8]: placed as the driver would", OPTION_TEXT,
     offsetof(place_options, hosts), NULL},
    {"ranks-per-node", "N", "of --hosts (default 1)", OPTION_COUNT,
     offsetof(place_options, ranks_per_node), NULL},
    {"aggregators", "N", "how many", OPTION_COUNT, offsetof(place_options, aggregators), NULL},
    {"policy", "NAME", "near (default), bridge-first, uniform or bluegene", OPTION_TEXT,
     offsetof(place_options, policy), NULL},
    {"json", NULL, "print a JSON document", OPTION_FLAG, offsetof(place_options, json), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune place [options]",
    "List the aggregator ranks, in the order of ROMIO's list.  A topology is a\n"
    "file in JSON or a text such as \"psets:4 nodes:32 bridges:2 ranks:16\": psets,\n"
    "nodes and bridges of each, ranks of a node.\n",
    entries, NULL};

static int print_json(const atm_topology *topology, const atm_policy *policy, const int *ranks,
                      int count)
{
    atm_value *root = atm_value_object(), *list;

    atm_put_string(root, "policy", policy->name);
    atm_put_integer(root, "aggregators", count);
    list = atm_put_array(root, "ranks");
    for (int i = 0; i < count; i++)
        atm_put_integer(list, NULL, ranks[i]);
    list = atm_put_array(root, "nodes");
    for (int i = 0; i < count; i++)
        atm_put_integer(list, NULL, topology->node_of[ranks[i]]);
    return autotune_print(root);
}

static void put_count(int count, const char *what, const char *after)
{
    printf("%d %s%s%s", count, what, atm_plural((uint64_t) count), after);
}

static void print_text(const atm_topology *topology, const atm_policy *policy, const int *ranks,
                       int count)
{
    put_count(count, "aggregator", " of ");
    put_count(topology->ranks, "rank", " on ");
    put_count(topology->nodes, "node", ", ");
    put_count(topology->psets, "pset", ", ");
    put_count(topology->bridges, "bridge", ": ");
    puts(policy->name);
    printf("%8s %8s %8s %8s\n", "index", "rank", "node", "pset");
    for (int i = 0; i < count; i++) {
        int node = topology->node_of[ranks[i]];
        const atm_node *at = &topology->node[node];

        printf("%8d %8d %8d %8d%s%s%s\n", i, ranks[i], node, at->pset, at->bridge ? "  bridge" : "",
               at->name != NULL ? "  " : "", at->name != NULL ? at->name : "");
    }
}

static int place(const atm_topology *topology, const atm_policy *policy,
                 const place_options *options)
{
    int *ranks = malloc((size_t) options->aggregators * sizeof(*ranks)), code = 0;
    atm_status status = ATM_NO_MEMORY;

    if (ranks != NULL)
        status = atm_place(topology, policy, options->aggregators, ranks);
    if (status != ATM_OK) {
        fprintf(stderr, "autotune place: %s\n", atm_status_text(status));
        code = 1;
    } else if (options->json) {
        code = print_json(topology, policy, ranks, options->aggregators);
    } else {
        print_text(topology, policy, ranks, options->aggregators);
    }
    free(ranks);
    return code;
}

/* --- topology of the ranks */

static void complain(const atm_message *message, atm_status status)
{
    fprintf(stderr, "autotune place: %s\n",
            message->text[0] != '\0' ? message->text : atm_status_text(status));
}

/* A job with ranks_per_node ranks in a row on each of the hosts in names. */
static atm_status find_job(const place_options *options, const char *names, size_t hosts,
                           atm_message *message, atm_topology **topology_p)
{
    size_t each = (size_t) options->ranks_per_node;
    const char **host = malloc(hosts * each * sizeof(*host));
    atm_job_place place = {.ranks = (int) (hosts * each),
                           .host = host,
                           .topology_file = options->topology,
                           .slurm_conf_topology = options->slurm_conf};
    atm_where where;
    atm_status status;

    if (host == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < hosts; i++, names += strlen(names) + 1)
        for (size_t k = 0; k < each; k++)
            host[i * each + k] = names;
    status = atm_topology_of_job(&place, message, &where, topology_p);
    free(host);
    return status;
}

/* The exit code; says where the topology came from. */
static int topology_of_hosts(const place_options *options, atm_topology **topology_p)
{
    atm_message message = {""};
    atm_status status = ATM_NO_MEMORY;
    atm_hostlist_size size = {0};
    const char *problem = atm_hostlist_measure(options->hosts, strlen(options->hosts), &size);
    char *names;

    if (problem != NULL)
        return options_complain(&table, "--hosts %s: %s", options->hosts, problem);
    if ((uint64_t) options->ranks_per_node > ATM_TOPOLOGY_MAX_RANKS / size.hosts)
        return options_complain(&table, "--ranks-per-node %d: too many ranks",
                                options->ranks_per_node);
    names = malloc(size.bytes);
    if (names != NULL) {
        atm_hostlist_write(options->hosts, strlen(options->hosts), names);
        status = find_job(options, names, size.hosts, &message, topology_p);
    }
    free(names);
    complain(&message, status);
    return status == ATM_OK ? 0 : 1;
}

static int find_topology(const place_options *options, atm_topology **topology_p)
{
    atm_message message = {""};
    atm_status status;

    if (options->hosts != NULL)
        return topology_of_hosts(options, topology_p);
    if (options->topology != NULL)
        return autotune_topology(options->topology, topology_p) ? 0 : 1;
    status = atm_topology_from_slurm(options->slurm_conf, &message, topology_p);
    if (status != ATM_OK)
        complain(&message, status);
    return status == ATM_OK ? 0 : 1;
}

/* Prints an error message and returns 2. */
static int check_options(const place_options *options)
{
    bool place = options->topology != NULL || options->slurm_conf != NULL;

    if ((!place && options->hosts == NULL) || options->aggregators == 0)
        return options_complain(&table, "--topology and --aggregators are needed (try --help)");
    if (options->hosts == NULL && options->topology != NULL && options->slurm_conf != NULL)
        return options_complain(&table, "--topology or --slurm-conf, or --hosts with them");
    if (options->hosts == NULL && options->ranks_per_node > 0)
        return options_complain(&table, "--ranks-per-node is for --hosts only");
    if (atm_policy_by_name(options->policy) == NULL)
        return options_complain(&table, "--policy %s: there is no such policy; there are %s",
                                options->policy, options_policies);
    return 0;
}

int autotune_place(int argc, char **argv)
{
    place_options options = {.policy = "near"};
    option_result result = options_parse(&table, argc, argv, &options);
    atm_topology *topology;
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    code = check_options(&options);
    if (options.ranks_per_node == 0)
        options.ranks_per_node = 1;
    if (code == 0)
        code = find_topology(&options, &topology);
    if (code != 0)
        return code;
    if (options.aggregators > topology->ranks)
        code = options_complain(&table, "--aggregators %d: there %s only %d rank%s",
                                options.aggregators, topology->ranks == 1 ? "is" : "are",
                                topology->ranks, atm_plural((uint64_t) topology->ranks));
    else
        code = place(topology, atm_policy_by_name(options.policy), &options);
    atm_topology_destroy(topology);
    return code;
}
