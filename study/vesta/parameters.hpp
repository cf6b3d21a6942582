/*
 * What the simulated Vesta is made of.  Rates are bytes per second, times are
 * seconds.  "Paper" marks what section II of Isaila et al., CLUSTER 2015, says of
 * the machine; the others are assumptions, explained in README.md.
 */

#ifndef VESTA_PARAMETERS_HPP
#define VESTA_PARAMETERS_HPP

#include <cstdint>

namespace vesta
{

/* Changes with everything that changes a simulated time. */
constexpr const char *MODEL_VERSION = "1";

constexpr uint64_t MiB = uint64_t(1) << 20;

/* Which disk a block of a file is on. */
enum class Spread {
    ROUND_ROBIN, /* block number modulo disks */
    ALLOCATION,  /* each I/O node deals its blocks out in turn, as they get dirty */
    RANDOM       /* hash of the block number */
};

/* When a block leaves the cache of an I/O node. */
enum class Cache {
    BEHIND, /* at once */
    LAZY,   /* while more than half of the cache is dirty */
    THROUGH /* a write ends when it is on disk */
};

struct Parameters {
    int per_node = 16;            /* paper */
    double link_rate = 2e9;       /* paper: of the torus, and from bridge to I/O node */
    uint64_t cache = 4096 * MiB;  /* paper: of an I/O node */
    int disks = 40;               /* paper */
    double disk_rate = 250e6;     /* paper */
    uint64_t block = 8 * MiB;     /* paper */
    double infiniband_rate = 4e9; /* paper: QDR, 32 Gbit/s of data */

    double memory_rate = 12e9;           /* between ranks of a node, all together */
    double latency = 2.5e-6;             /* of a message */
    double hop_latency = 4e-8;           /* more for each link on its way */
    double message_time = 1e-6;          /* of a core, for each message sent or received */
    double forward_time = 2e-4;          /* of a request from compute node to I/O node */
    double copy_rate = 1.2e9;            /* of an I/O node's core, from the request to the cache */
    double seek_time = 8e-3;             /* of a disk, between blocks of different I/O nodes */
    double token_time = 2e-4;            /* of the token server, for a request */
    double revoke_time = 1e-3;           /* of an I/O node that gives up a part of its range */
    int flushers = 72;                   /* blocks that an I/O node writes at once: GPFS's
                                            default of prefetchThreads */
    Spread spread = Spread::ROUND_ROBIN; /* paper */
    Cache policy = Cache::BEHIND;

    bool background = true;
    double burst_every = 20; /* mean time between the starts of bursts */
    double burst_length = 2; /* mean */
    double burst_load = 0.5; /* of the disks that it meets: half of them */
};

} // namespace vesta

#endif /* VESTA_PARAMETERS_HPP */
