/* vesta run: one collective write, described in words. */

#include <cstdio>

#include "commands.hpp"
#include "simulate.hpp"
#include "study.hpp"

extern "C" {
#include "place/place.h"
}

namespace vesta
{

struct RunOptions {
    int nodes = 128, per_pset = 64, aggregators = 0, seed = 1;
    uint64_t bytes = 4 * MiB, buffer = 16 * MiB;
    const char *placement = "bridge-first";
    bool existing = false, quiet = false;
    Parameters parameters;
};

static const char *set_run_spread(const char *value, void *variables)
{
    return set_spread(value, &static_cast<RunOptions *>(variables)->parameters.spread);
}

static const char *set_run_cache(const char *value, void *variables)
{
    return set_cache(value, &static_cast<RunOptions *>(variables)->parameters.policy);
}

static const option_entry entries[] = {
    {"nodes", "N", "32, 64, 128 (default), 256 or 512", OPTION_COUNT, offsetof(RunOptions, nodes),
     nullptr},
    {"bytes", "SIZE", "that each of the 16 ranks of a node writes (default 4M)", OPTION_SIZE,
     offsetof(RunOptions, bytes), nullptr},
    {"per-pset", "N", "bg_nodes_pset: aggregators for each bridge (default 64)", OPTION_COUNT,
     offsetof(RunOptions, per_pset), nullptr},
    {"aggregators", "N", "of the job, instead of --per-pset", OPTION_COUNT,
     offsetof(RunOptions, aggregators), nullptr},
    {"buffer", "SIZE", "collective buffer (default 16M)", OPTION_SIZE, offsetof(RunOptions, buffer),
     nullptr},
    {"placement", "NAME", "bridge-first (default), uniform or bluegene", OPTION_TEXT,
     offsetof(RunOptions, placement), nullptr},
    {"existing", nullptr, "the file has its locks already", OPTION_FLAG,
     offsetof(RunOptions, existing), nullptr},
    {"quiet", nullptr, "nobody else uses the disks", OPTION_FLAG, offsetof(RunOptions, quiet),
     nullptr},
    {"spread", "NAME", "of blocks: round-robin (default), allocation, random", OPTION_SPECIAL, 0,
     set_run_spread},
    {"cache", "NAME", "behind (default), lazy or through", OPTION_SPECIAL, 0, set_run_cache},
    {"flushers", "N", "blocks that an I/O node writes at once (default 72)", OPTION_COUNT,
     offsetof(RunOptions, parameters) + offsetof(Parameters, flushers), nullptr},
    {"seed", "N", "of everything random (default 1)", OPTION_COUNT, offsetof(RunOptions, seed),
     nullptr},
    {nullptr, nullptr, nullptr, OPTION_FLAG, 0, nullptr}};

static const option_table table = {"vesta run [options]",
                                   "Simulate one collective write and print what it took.\n",
                                   entries, nullptr};

static void print(const Machine &machine, const RunOptions &options,
                  const Configuration &configuration, const Outcome &outcome)
{
    printf("%d ranks on %d nodes, %d psets, %d bridges; %d aggregators, buffers of %llu bytes\n",
           machine.ranks(), machine.nodes(), machine.psets(), machine.bridges(),
           configuration.aggregators, static_cast<unsigned long long>(options.buffer));
    printf("%llu bytes in %d rounds\n", static_cast<unsigned long long>(outcome.written),
           outcome.rounds);
    printf("partitioning  %12.6f s\nshuffle       %12.6f s\nstorage       %12.6f s\n",
           outcome.partitioning, outcome.shuffle, outcome.storage);
    printf("total         %12.6f s  %.3f GB/s\n", outcome.seconds,
           static_cast<double>(outcome.written) / outcome.seconds / 1e9);
}

int command_run(int argc, char **argv)
{
    RunOptions options;
    option_result result = options_parse(&table, argc, argv, &options);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (!Torus::has_shape(options.nodes))
        return options_complain(&table, "--nodes %d: must be 32, 64, 128, 256 or 512",
                                options.nodes);
    if (atm_policy_by_name(options.placement) == nullptr)
        return options_complain(&table, "--placement %s: there is no such policy",
                                options.placement);
    if (options.aggregators > options.nodes * options.parameters.per_node ||
        options.per_pset >= PSET_NODES / PSET_BRIDGES * options.parameters.per_node)
        return options_complain(&table, "more aggregators than ranks");
    if (options.buffer > options.parameters.cache / 2)
        return options_complain(&table, "--buffer: more than half of an I/O node's cache");
    options.parameters.background = !options.quiet;
    simulate(options.nodes, options.parameters, [&](const Network &network, Storage *storage) {
        const Instance instance = {options.nodes, options.bytes};
        Configuration configuration = {options.aggregators, options.buffer, options.placement,
                                       !options.existing};

        if (configuration.aggregators == 0)
            configuration.aggregators = aggregators_of(network.machine, options.per_pset);
        uint64_t seed = run_seed(static_cast<uint64_t>(options.seed), instance, configuration, 0);
        print(network.machine, options, configuration,
              TwoPhase(network, storage).run({options.bytes}, configuration, seed));
    });
    return 0;
}

} // namespace vesta
