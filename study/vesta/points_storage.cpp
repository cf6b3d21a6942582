/*
 * Writes of many ranks at once (paper, section V.C.3): 270 points of a first
 * round, with locks to hand out, 27 of full rounds after it, and 270 of a partial
 * round after full ones.  For one, two and four blocks, three numbers of nodes and
 * as many ranks as there are aggregators for 4, 16 and 64 a bridge; first and
 * partial rounds also of 1/10, 2/10, ... of them.
 *
 * Every writer has a part of the file for itself, written round after round: 1 GiB
 * in 128, 64 or 32 rounds (paper, figure 5), which is more than twice what the
 * caches hold.
 */

#include "points.hpp"

#include <algorithm>
#include <cmath>

#include "study.hpp"

namespace sg = simgrid::s4u;

namespace vesta
{

constexpr uint64_t DOMAIN_BYTES = 1024 * MiB;
constexpr int TENTHS = 10;

struct Bench {
    const Network &network;
    Storage *storage;
    uint64_t buffer, seed;
    int first_repetitions, partial_repetitions;
    std::vector<Point> *points;
};

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

static void add(const Bench &bench, atm_operation operation, size_t writers,
                std::vector<double> seconds)
{
    bench.points->push_back({operation, static_cast<double>(bench.network.machine.ranks()),
                             static_cast<double>(writers), 1, static_cast<double>(bench.buffer),
                             std::move(seconds)});
}

/* To the nearest: no number then comes twice. */
static size_t share(const std::vector<int> &ranks, int tenths)
{
    return (ranks.size() * static_cast<size_t>(tenths) + TENTHS / 2) / TENTHS;
}

/* Each repetition on a new file, with empty caches. */
static void add_first(const Bench &bench, const std::vector<int> &ranks)
{
    for (int tenths = 1; tenths <= TENTHS; tenths++) {
        size_t count = share(ranks, tenths);
        Writers writers(bench.network, bench.storage, ranks, true);
        std::vector<double> seconds;

        for (int r = 0; r < bench.first_repetitions; r++) {
            bench.storage->begin(rng_hash(rng_hash(bench.seed, count), static_cast<uint64_t>(r)));
            seconds.push_back(write_round(&writers, ranks, count, DOMAIN_BYTES, 0, bench.buffer));
        }
        add(bench, ATM_WRITE_FIRST, count, seconds);
    }
}

/* Until the end of all domains. */
static void add_full(const Bench &bench, const std::vector<int> &ranks)
{
    Writers writers(bench.network, bench.storage, ranks, true);
    std::vector<double> seconds;

    bench.storage->begin(rng_hash(bench.seed, ranks.size()));
    for (uint64_t at = 0; at < DOMAIN_BYTES; at += bench.buffer)
        seconds.push_back(
            write_round(&writers, ranks, ranks.size(), DOMAIN_BYTES, at, bench.buffer));
    seconds.erase(seconds.begin()); /* locks */
    add(bench, ATM_WRITE_FULL, ranks.size(), seconds);
}

/* After as many full rounds as fill the caches twice; a full round between any two. */
static void add_partial(const Bench &bench, const std::vector<int> &ranks)
{
    const uint64_t caches =
        bench.network.parameters.cache * static_cast<uint64_t>(bench.network.machine.psets());
    const uint64_t before =
        (2 * caches + ranks.size() * bench.buffer - 1) / (ranks.size() * bench.buffer);
    const uint64_t rounds = before + 2 * TENTHS * static_cast<uint64_t>(bench.partial_repetitions);
    const uint64_t domain = rounds * bench.buffer;
    Writers writers(bench.network, bench.storage, ranks, true);
    std::vector<std::vector<double>> seconds(TENTHS);
    uint64_t at = 0;

    bench.storage->begin(rng_hash(bench.seed, ranks.size() + 1));
    for (uint64_t i = 0; i < before; i++, at += bench.buffer)
        write_round(&writers, ranks, ranks.size(), domain, at, bench.buffer);
    for (int r = 0; r < bench.partial_repetitions; r++)
        for (int i = 0; i < TENTHS; i++) {
            int tenths = 7 * (i + r) % TENTHS; /* neither rising nor falling */

            write_round(&writers, ranks, ranks.size(), domain, at, bench.buffer);
            seconds[tenths].push_back(write_round(&writers, ranks, share(ranks, tenths + 1), domain,
                                                  at + bench.buffer, bench.buffer));
            at += 2 * bench.buffer;
        }
    for (int tenths = 0; tenths < TENTHS; tenths++)
        add(bench, ATM_WRITE_PARTIAL, share(ranks, tenths + 1), seconds[tenths]);
}

std::vector<Point> storage_points(const Network &network, Storage *storage, uint64_t buffer,
                                  uint64_t seed, bool tiny)
{
    std::vector<Point> points;
    const Bench bench = {network, storage, buffer, seed, tiny ? 2 : 10, tiny ? 1 : 3, &points};

    for (int per_pset : STUDY_PER_PSET) {
        const std::vector<int> ranks =
            network.machine.place("bridge-first", aggregators_of(network.machine, per_pset));

        add_full(bench, ranks);
        if (tiny && per_pset > STUDY_PER_PSET[0])
            continue;
        add_first(bench, ranks);
        add_partial(bench, ranks);
    }
    storage->end();
    return points;
}

} // namespace vesta
