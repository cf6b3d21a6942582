/* autotune place: which ranks aggregate. */

#include "autotune.h"

#include <stdio.h>
#include <stdlib.h>

#include "atm_place.h"
#include "options.h"

typedef struct place_options {
    const char *topology;
    const char *policy;
    int aggregators;
    bool json;
} place_options;

static const option_entry entries[] = {
    {"topology", "FILE|TEXT", "where ranks sit", OPTION_TEXT, offsetof(place_options, topology),
     NULL},
    {"aggregators", "N", "how many", OPTION_COUNT, offsetof(place_options, aggregators), NULL},
    {"policy", "NAME", "bridge-first (default), uniform or bluegene", OPTION_TEXT,
     offsetof(place_options, policy), NULL},
    {"json", NULL, "print a document", OPTION_FLAG, offsetof(place_options, json), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune place [options]",
    "List the ranks that aggregate, in the order of ROMIO's list.  A topology is a\n"
    "file in JSON or a text such as \"psets:4 nodes:32 bridges:2 ranks:16\": psets,\n"
    "nodes and bridges of each, ranks of a node.\n",
    entries};

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

static void print_text(const atm_topology *topology, const atm_policy *policy, const int *ranks,
                       int count)
{
    printf("%d aggregators of %d ranks on %d nodes, %d psets, %d bridges: %s\n", count,
           topology->ranks, topology->nodes, topology->psets, topology->bridges, policy->name);
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

int autotune_place(int argc, char **argv)
{
    place_options options = {.policy = atm_policy_at(0)->name};
    option_result result = options_parse(&table, argc, argv, &options);
    const atm_policy *policy;
    atm_topology *topology;
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    policy = atm_policy_by_name(options.policy);
    if (options.topology == NULL || options.aggregators == 0)
        return options_complain(&table, "--topology and --aggregators are needed (try --help)");
    if (policy == NULL)
        return options_complain(&table, "--policy %s: there is no such policy", options.policy);
    if (!autotune_topology(options.topology, &topology))
        return 1;
    if (options.aggregators > topology->ranks)
        code = options_complain(&table, "--aggregators %d: there are only %d ranks",
                                options.aggregators, topology->ranks);
    else
        code = place(topology, policy, &options);
    atm_topology_destroy(topology);
    return code;
}
