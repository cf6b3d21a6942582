/* What the paper varies. */

#include "study.hpp"

namespace vesta
{

const std::vector<int> STUDY_NODES = {128, 256, 512};
const std::vector<uint64_t> STUDY_BUFFERS = {8 * MiB, 16 * MiB, 32 * MiB};
const std::vector<int> STUDY_PER_PSET = {4, 16, 64};

static const std::vector<uint64_t> megabytes = {1, 2, 4, 8, 16, 32, 64, 96, 128, 196, 256};

std::vector<Instance> study_instances()
{
    std::vector<Instance> instances;

    for (int nodes : STUDY_NODES)
        for (uint64_t size : megabytes)
            instances.push_back({nodes, size * MiB});
    return instances;
}

std::vector<Configuration> study_configurations(const Machine &machine)
{
    std::vector<Configuration> configurations;

    for (int per_pset : STUDY_PER_PSET)
        for (uint64_t buffer : STUDY_BUFFERS)
            configurations.push_back(
                {aggregators_of(machine, per_pset), buffer, "bridge-first", true});
    return configurations;
}

uint64_t run_seed(uint64_t seed, const Instance &instance, const Configuration &configuration,
                  int repetition)
{
    uint64_t run = rng_hash(seed, static_cast<uint64_t>(repetition));

    run = rng_hash(run, static_cast<uint64_t>(instance.nodes));
    run = rng_hash(run, instance.bytes);
    run = rng_hash(run, static_cast<uint64_t>(configuration.aggregators));
    run = rng_hash(run, configuration.buffer);
    for (char letter : configuration.placement)
        run = rng_hash(run, static_cast<uint64_t>(letter));
    return rng_hash(run, configuration.locking);
}

} // namespace vesta
