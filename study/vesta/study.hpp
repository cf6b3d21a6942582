/* What the paper varies (Table I), and how a run of it is seeded. */

#ifndef VESTA_STUDY_HPP
#define VESTA_STUDY_HPP

#include <string>
#include <vector>

#include "common/rng.h"
#include "twophase.hpp"

namespace vesta
{

struct Instance {
    int nodes;
    uint64_t bytes; /* of a process */
};

extern const std::vector<int> STUDY_NODES;
extern const std::vector<uint64_t> STUDY_BUFFERS;
extern const std::vector<int> STUDY_PER_PSET; /* aggregators for each bridge, beside it */

std::vector<Instance> study_instances();
/* The nine configurations; those with index STUDY_DEFAULT are the machine's own. */
std::vector<Configuration> study_configurations(const Machine &machine);
constexpr size_t STUDY_DEFAULT = 7;

/* What others do differs from run to run. */
uint64_t run_seed(uint64_t seed, const Instance &instance, const Configuration &configuration,
                  int repetition);

} // namespace vesta

#endif /* VESTA_STUDY_HPP */
