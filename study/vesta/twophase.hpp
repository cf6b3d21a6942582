/*
 * Two-phase writes of ROMIO's GPFS driver (ad_gpfs_wrcoll.c, ad_gpfs_aggrs.c) on
 * the simulated machine: the collectives that partition the file, then rounds of
 * exchange and write, each ended by the collective of the next.
 */

#ifndef VESTA_TWOPHASE_HPP
#define VESTA_TWOPHASE_HPP

#include <string>

#include "collectives.hpp"
#include "writers.hpp"

namespace vesta
{

/* Every rank writes that many bytes, rank after rank in the file. */
struct Access {
    uint64_t bytes;
};

struct Configuration {
    int aggregators;
    uint64_t buffer;
    std::string placement = "bridge-first";
    bool locking = true; /* else all tokens are where they are needed */
};

struct Outcome {
    double seconds;
    double partitioning, shuffle, storage; /* its parts */
    int rounds;
    uint64_t written;
};

/* The part of a file that one aggregator writes. */
struct Domain {
    uint64_t start, size;
};

/* ADIOI_GPFS_Calc_file_domains for an access that starts at 0. */
std::vector<Domain> file_domains(uint64_t bytes, int aggregators, uint64_t block);

class TwoPhase
{
  public:
    TwoPhase(const Network &network, Storage *storage)
        : network_(network), storage_(storage), collectives_(network)
    {
    }

    /* On empty caches and a new file; to be called by an actor. */
    Outcome run(const Access &access, const Configuration &configuration, uint64_t seed);

  private:
    const Network &network_;
    Storage *storage_;
    Collectives collectives_;
};

} // namespace vesta

#endif /* VESTA_TWOPHASE_HPP */
