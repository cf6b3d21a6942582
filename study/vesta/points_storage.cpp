/*
 * Writes of many ranks at once (paper, section V.C.3): 270 points of a first
 * round, with locks to hand out, 54 of a full and 270 of a partial round after it, which the
 * caches have room for, and 274 of a full round with the caches full.  For one, two and four
 * blocks, three numbers of nodes and as many ranks as there are aggregators for 4, 16 and 64 a
 * bridge; all but full rounds also of 1/10, 2/10, ... of them.  Neighbours are in different psets
 * or, for every other tenth, in the same; full rounds have both.
 *
 * Every writer has a part of the file for itself, written round after round.  As blocks
 * are dealt out to the disks in turn, the size of these parts determines how many disks
 * are written to at once: with full caches, all of them, 1/2, 1/4, ... and as few as
 * possible are measured.  These rounds start with empty caches, which shows what the caches
 * hold.
 */

#include "points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "study.hpp"

extern "C" {
#include "common/burst.h"
}

namespace sg = simgrid::s4u;

namespace vesta
{

constexpr uint64_t DOMAIN_BYTES = 1024 * MiB;
constexpr int TENTHS = 10;
constexpr uint64_t SHARED[] = {1, 2, 4, 8, 20, 40}; /* divisors of disks and domains */
constexpr uint64_t FILLINGS = 3, ROUNDS_MIN = 16;   /* of the caches, of a burst */

struct Bench {
    const Network &network;
    Storage *storage;
    uint64_t buffer, seed;
    int first_repetitions;
    StoragePoints *found;
};

/* Disks that the first count writers write to in any round: all blocks / those of the disk with
 * most. */
static double disks_at_once(const Bench &bench, size_t count, uint64_t domain)
{
    const Parameters &parameters = bench.network.parameters;
    std::vector<double> load(static_cast<size_t>(parameters.disks));
    double sum = 0, most = 0;

    for (size_t i = 0; i < count; i++)
        for (uint64_t at = 0; at < bench.buffer; at += parameters.block)
            load[(i * domain + at) / parameters.block % load.size()]++;
    for (double disk : load) {
        sum += disk;
        most = std::max(most, disk);
    }
    return sum / most;
}

static uint64_t rounds_for(const Bench &bench, size_t writers, uint64_t fillings)
{
    const uint64_t caches =
        bench.network.parameters.cache * static_cast<uint64_t>(bench.network.machine.psets());

    return (fillings * caches + writers * bench.buffer - 1) / (writers * bench.buffer);
}

/* The smallest domain of so many rounds, in whole blocks, that has this common divisor
 * with the number of disks. */
static uint64_t domain_for(const Bench &bench, uint64_t rounds, uint64_t divisor)
{
    const Parameters &parameters = bench.network.parameters;
    uint64_t blocks = (rounds * bench.buffer + parameters.block - 1) / parameters.block;

    while (std::gcd(blocks, static_cast<uint64_t>(parameters.disks)) != divisor)
        blocks++;
    return blocks * parameters.block;
}

/* The first count ranks of the list write their next buffer. */
static double write_round(Writers *writers, const std::vector<int> &ranks, size_t count,
                          uint64_t domain, uint64_t offset, uint64_t buffer)
{
    std::vector<Request> requests;
    double start = sg::Engine::get_clock();

    for (size_t i = 0; i < count; i++)
        requests.push_back({ranks[i], i * domain + offset, buffer});
    writers->write(requests);
    return sg::Engine::get_clock() - start;
}

/* 1 + the share of neighbours among the first count writers that are in different psets. */
static double far_of(const Machine &machine, const std::vector<int> &ranks, size_t count)
{
    double far = 0;

    for (size_t i = 1; i < count; i++)
        far += machine.pset_of(machine.node_of(ranks[i])) !=
               machine.pset_of(machine.node_of(ranks[i - 1]));
    return count > 1 ? 1 + far / static_cast<double>(count - 1) : 1;
}

static void add(const Bench &bench, atm_operation operation, const std::vector<int> &ranks,
                size_t writers, double disks, std::vector<double> seconds)
{
    const Machine &machine = bench.network.machine;

    bench.found->points.push_back({operation, static_cast<double>(machine.ranks()),
                                   static_cast<double>(writers), 1,
                                   static_cast<double>(bench.buffer), disks,
                                   far_of(machine, ranks, writers), std::move(seconds)});
}

/* Rounds to the nearest: no number then comes twice. */
static size_t share(const std::vector<int> &ranks, int tenths)
{
    return (ranks.size() * static_cast<size_t>(tenths) + TENTHS / 2) / TENTHS;
}

/* Each repetition on a new file, with empty caches. */
static void add_first(const Bench &bench, const std::vector<int> &ranks, int order)
{
    for (int tenths = 1 + order; tenths <= TENTHS; tenths += orders_of(bench.network.machine)) {
        size_t count = share(ranks, tenths);
        Writers writers(bench.network, bench.storage, ranks, true);
        std::vector<double> seconds;

        for (int r = 0; r < bench.first_repetitions; r++) {
            bench.storage->begin(rng_hash(rng_hash(bench.seed, count), static_cast<uint64_t>(r)));
            seconds.push_back(write_round(&writers, ranks, count, DOMAIN_BYTES, 0, bench.buffer));
        }
        add(bench, ATM_WRITE_FIRST, ranks, count, 1, seconds);
    }
}

/* Adds rounds with locks handed out and caches that have drained. */
static void add_later(const Bench &bench, const std::vector<int> &ranks, int order)
{
    Writers writers(bench.network, bench.storage, ranks, true);
    uint64_t at = 0;

    bench.storage->begin(rng_hash(bench.seed, ranks.size() + 2));
    write_round(&writers, ranks, ranks.size(), DOMAIN_BYTES, at, bench.buffer);
    for (int tenths = 1; tenths <= TENTHS; tenths++) {
        size_t count = share(ranks, tenths);
        double seconds;

        bench.storage->drain();
        at += bench.buffer;
        seconds = write_round(&writers, ranks, count, DOMAIN_BYTES, at, bench.buffer);
        if ((tenths - 1) % orders_of(bench.network.machine) == order)
            add(bench, ATM_WRITE_PARTIAL, ranks, count, 1, {seconds});
        if (tenths == TENTHS)
            add(bench, ATM_WRITE_FULL, ranks, count, 1, {seconds});
    }
}

/* Adds rounds into full caches, which are filled first: rounds that found room are not part of the
 * point. */
static void add_drained(const Bench &bench, const std::vector<int> &ranks, uint64_t rounds,
                        uint64_t domain)
{
    const double bytes = static_cast<double>(ranks.size() * bench.buffer);
    const double disks = disks_at_once(bench, ranks.size(), domain);
    Writers writers(bench.network, bench.storage, ranks, true);
    std::vector<double> seconds;
    burst burst;

    bench.storage->begin(rng_hash(bench.seed, ranks.size()));
    for (uint64_t i = 0; i < rounds; i++)
        seconds.push_back(
            write_round(&writers, ranks, ranks.size(), domain, i * bench.buffer, bench.buffer));
    if (burst_split(seconds.data(), static_cast<int>(rounds), bytes, &burst)) {
        if (burst.capacity > 0)
            bench.found->capacities.push_back(
                {static_cast<double>(ranks.size()), bytes, disks, burst.capacity});
        seconds.erase(seconds.begin(), seconds.begin() + burst.absorbed);
    } else {
        seconds.erase(seconds.begin()); /* locks */
    }
    add(bench, ATM_WRITE_DRAINED, ranks, ranks.size(), disks, seconds);
}

/* For every number of disks that writers of whole blocks can meet at once. */
static void add_drained_rounds(const Bench &bench, const std::vector<int> &ranks, bool tiny)
{
    const uint64_t rounds = std::max(ROUNDS_MIN, rounds_for(bench, ranks.size(), FILLINGS));
    std::set<long> seen;

    for (uint64_t divisor : SHARED) {
        const uint64_t domain = domain_for(bench, rounds, divisor);

        if (seen.insert(std::lround(disks_at_once(bench, ranks.size(), domain))).second)
            add_drained(bench, ranks, rounds, domain);
        if (tiny)
            break;
    }
}

StoragePoints storage_points(const Network &network, Storage *storage, uint64_t buffer,
                             uint64_t seed, bool tiny)
{
    StoragePoints found;
    const Bench bench = {network, storage, buffer, seed, tiny ? 2 : 10, &found};

    for (int per_pset : STUDY_PER_PSET)
        for (int order = 0; order < orders_of(network.machine); order++) {
            const std::vector<int> ranks = network.machine.place(
                POINTS_ORDERS[order], aggregators_of(network.machine, per_pset));

            add_drained_rounds(bench, ranks, tiny);
            if (tiny && per_pset > STUDY_PER_PSET[0])
                continue;
            add_first(bench, ranks, order);
            add_later(bench, ranks, order);
        }
    storage->end();
    return found;
}

} // namespace vesta
