/* Tests of the simulated machine: its routes, and cases whose times are known.
 * Prints TAP. */

#include <cmath>
#include <cstdio>
#include <functional>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

#include "simulate.hpp"

extern "C" {
#include "counts/counts.h"
}

namespace sg = simgrid::s4u;
using namespace vesta;

static int count, failed;

static void ok(bool good, const char *what)
{
    count++;
    failed += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", count, what);
}

static bool near(double is, double expected, double tolerance)
{
    if (std::fabs(is - expected) <= tolerance * expected)
        return true;
    printf("# %g, not %g\n", is, expected);
    return false;
}

/* --- routes */

static int next_node(const Torus &torus, int link)
{
    int dimension = Torus::dimension_of(link), size = torus.shape()[dimension];
    Place at = torus.place(link / 2 / DIMENSIONS);

    at[dimension] = (at[dimension] + (link % 2 == 1 ? 1 : size - 1)) % size;
    return torus.node(at);
}

/* Connected, dimension after dimension, as short as can be. */
static bool is_route(const Torus &torus, int from, int to, const std::vector<int> &links)
{
    int at = from, dimension = 0;

    for (int link : links) {
        if (link / 2 / DIMENSIONS != at || Torus::dimension_of(link) < dimension)
            return false;
        dimension = Torus::dimension_of(link);
        at = next_node(torus, link);
    }
    return at == to && static_cast<int>(links.size()) == torus.hops(from, to) &&
           torus.hops(from, to) == torus.hops(to, from);
}

static void test_routes(int nodes)
{
    const Torus torus(nodes);
    std::vector<int> used(torus.links());
    bool good = true, even = true;

    for (int from = 0; from < nodes; from++)
        for (int to = 0; to < nodes; to++) {
            const std::vector<int> links = torus.route(from, to);

            good = good && is_route(torus, from, to, links);
            for (int link : links)
                used[link]++;
        }
    for (int link = 0; link < torus.links(); link++)
        even = even && used[link] > 0 && used[link] == used[Torus::dimension_of(link) * 2];
    ok(good, "routes are dimension-ordered, shortest, and as long back as there");
    ok(even, "all pairs use every link of a dimension as often");
}

static void test_psets(int nodes)
{
    const Machine machine(nodes, 16);
    std::vector<int> members(machine.psets()), served(nodes);
    bool good = true;

    for (int node = 0; node < nodes; node++) {
        int bridge = machine.bridge_of(node);

        members[machine.pset_of(node)]++;
        served[bridge]++;
        good = good && machine.pset_of(bridge) == machine.pset_of(node) &&
               machine.torus.hops(node, bridge) <= 2;
    }
    for (int node = 0; node < nodes; node++)
        good = good && (served[node] == 0 || served[node] == 16);
    for (int size : members)
        good = good && size == PSET_NODES;
    ok(good, "psets have 32 nodes, and bridges serve the 16 that are nearest");

    const std::vector<int> ranks = machine.place("bridge-first", machine.bridges());
    std::set<int> bridges;
    for (int rank : ranks)
        if (machine.bridge_of(machine.node_of(rank)) == machine.node_of(rank))
            bridges.insert(machine.node_of(rank));
    ok(static_cast<int>(bridges.size()) == machine.bridges(), "bridge-first finds every bridge");
}

/* --- tokens */

static void test_tokens(void)
{
    Tokens tokens;

    ok(tokens.acquire(0, 0, 10).asked, "the first writer asks for the file");
    ok(!tokens.acquire(0, 1000, 1010).asked, "and then has all of it");
    const Tokens::Grant grant = tokens.acquire(1, 500, 510);
    ok(grant.asked && grant.revoked == std::set<int>{0}, "the next one takes a part");
    ok(!tokens.acquire(1, 510, 1000).asked, "up to where the holder has written");
    ok(!tokens.acquire(0, 10, 500).asked && !tokens.acquire(0, 1010, 2000).asked,
       "who keeps what lies before, and behind");
    ok(tokens.ranges() == 3, "three ranges are left");
}

/* --- cases with known times */

/* Quiet and without overheads, so that one resource decides. */
static Parameters bare(void)
{
    Parameters parameters;

    parameters.background = false;
    parameters.forward_time = parameters.seek_time = 0;
    parameters.copy_rate = 1e15;
    return parameters;
}

static double timed(const std::function<void()> &work)
{
    double start = sg::Engine::get_clock();

    work();
    return sg::Engine::get_clock() - start;
}

/* A process has one simulation; its results come back through a pipe. */
static std::vector<double>
simulated(const Parameters &parameters, int nodes,
          const std::function<std::vector<double>(const Network &, Storage *)> &work)
{
    std::vector<double> results(16);
    int ends[2];

    fflush(stdout);
    if (pipe(ends) != 0)
        return results;
    pid_t child = fork();
    if (child == 0) {
        simulate(nodes, parameters, [&](const Network &network, Storage *storage) {
            results = work(network, storage);
        });
        results.resize(16);
        ssize_t size = static_cast<ssize_t>(16 * sizeof(double));
        _exit(write(ends[1], results.data(), static_cast<size_t>(size)) != size);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], results.data(), 16 * sizeof(double));
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    if (got != static_cast<ssize_t>(16 * sizeof(double)) || status != 0)
        results.assign(16, 0);
    return results;
}

static void test_network(void)
{
    const std::vector<double> times =
        simulated(bare(), 32, [](const Network &network, Storage *storage) {
            Writers one(network, storage, {16}, false), two(network, storage, {16, 17}, false);
            const uint64_t size = 64 * MiB;

            storage->begin(1);
            return std::vector<double>{timed([&] {
                                           one.write({{16, 0, size}});
                                       }),
                                       timed([&] {
                                           two.write({{16, 0, size}, {17, size, size}});
                                       }),
                                       timed([&] {
                                           network.move({{0, 1, 2 * size}, {0, 1, size}});
                                       }),
                                       timed([&] {
                                           network.move({{0, 0, size}});
                                       }),
                                       network.busiest({{0, 1, 2 * size}, {0, 1, size}})};
        });
    const double size = 64.0 * MiB;

    ok(near(times[0], size / 2e9, 1e-5), "one writer has its bridge's 2 GB/s");
    ok(near(times[1], 2 * size / 2e9, 1e-5), "two ranks of a node write one after the other");
    ok(near(times[2], 3 * size / 2e9, 1e-5), "flows share a link");
    ok(near(times[3], size / 12e9, 1e-5), "ranks of a node meet in memory");
    ok(near(times[4], 3 * size / 2e9, 1e-5), "the busiest link is known without simulation");
}

/* A rank of each of 32 nodes, in rounds of 1 GiB; how fast after the first skipped bytes. */
static double rate_of(Parameters parameters, uint64_t skipped, uint64_t bytes)
{
    const std::vector<double> times =
        simulated(parameters, 32, [=](const Network &network, Storage *storage) {
            std::vector<int> ranks;
            uint64_t at = 0;

            for (int node = 0; node < 32; node++)
                ranks.push_back(16 * node);
            Writers writers(network, storage, ranks, false);
            auto write_until = [&](uint64_t end) {
                while (at < end) {
                    std::vector<Request> requests;

                    for (int rank : ranks) {
                        requests.push_back({rank, at, 32 * MiB});
                        at += 32 * MiB;
                    }
                    writers.write(requests);
                }
            };
            storage->begin(1);
            write_until(skipped);
            double seconds = timed([&] { write_until(skipped + bytes); });
            storage->end();
            bool all = storage->written() == skipped + bytes;
            storage->drain();
            return std::vector<double>{seconds,
                                       all && storage->flushed() == storage->written() ? 1.0 : 0.0};
        });

    ok(times[1] == 1, "all that was written arrives on disk");
    return static_cast<double>(bytes) / times[0];
}

static void test_storage(void)
{
    Parameters parameters = bare();
    const uint64_t gib = 1024 * MiB;

    parameters.disk_rate = 25e6;
    ok(near(rate_of(parameters, 0, 4 * gib), 4e9, 0.01), "4 GiB go to the cache at 2 x 2 GB/s");
    ok(near(rate_of(parameters, 8 * gib, 8 * gib), 40 * 25e6, 0.05),
       "what follows goes at the speed of 40 disks");
    parameters.disk_rate = 250e6;
    parameters.link_rate = parameters.infiniband_rate = 100e9;
    ok(near(rate_of(parameters, 32 * gib, 32 * gib), 40 * 250e6, 0.05),
       "disks saturate at 40 x 250 MB/s");
    parameters.infiniband_rate = 4e9;
    ok(near(rate_of(parameters, 32 * gib, 32 * gib), 4e9, 0.05),
       "or an I/O node's InfiniBand at 4 GB/s");
}

static void test_locks(void)
{
    Parameters parameters = bare();
    parameters.token_time = 0.5;
    parameters.revoke_time = 2;
    /* a node of another pset: its I/O node has to take the token from the first */
    const Machine machine(64, 16);
    int other = 0;
    while (machine.pset_of(other) == machine.pset_of(0))
        other++;
    const std::vector<double> times =
        simulated(parameters, 64, [=](const Network &network, Storage *storage) {
            Writers writers(network, storage, {0, 16 * other}, true);
            const uint64_t size = 8 * MiB;

            storage->begin(1);
            return std::vector<double>{timed([&] {
                                           writers.write({{0, 0, size}});
                                       }),
                                       timed([&] {
                                           writers.write({{0, size, size}});
                                       }),
                                       timed([&] {
                                           writers.write({{16 * other, 100 * size, size}});
                                       }),
                                       timed([&] {
                                           writers.write({{16 * other, 101 * size, size}});
                                       })};
        });
    const double write = 8.0 * MiB / 2e9;

    ok(near(times[0], 0.5 + write, 1e-5), "the first write waits for the token server");
    ok(near(times[1], write, 1e-5), "the second does not");
    ok(near(times[2], 2.5 + write, 1e-5), "another I/O node also waits for the holder");
    ok(near(times[3], write, 1e-5), "and then has a range of its own");
}

/* --- two-phase writes */

static void test_domains(void)
{
    const std::vector<Domain> domains = file_domains(100 * MiB, 4, 8 * MiB);
    uint64_t end = 0;
    bool good = domains.size() == 4;

    for (const Domain &domain : domains) {
        good = good && domain.start == end && domain.start % (8 * MiB) == 0;
        end += domain.size;
    }
    ok(good && end == 100 * MiB && domains[0].size == 32 * MiB && domains[1].size == 24 * MiB,
       "file domains are whole blocks, and cover the access");
    ok(file_domains(16 * MiB, 4, 8 * MiB)[3].size == 0, "or are empty");
}

/* The counts of models/ were compared with traced runs of ROMIO. */
static bool counted_as(uint64_t each, int aggregators, uint64_t buffer)
{
    const int ranks = 2048;
    const uint64_t bytes = each * ranks;
    atm_job job = {};
    atm_access access = {};
    atm_config config = {};
    atm_counts counts;
    uint64_t writes = 0, rounds = 0;

    job.ranks = ranks;
    job.nodes = 128;
    access.write = access.new_file = true;
    access.active_ranks = ranks;
    access.bytes_min = access.bytes_max = access.block = each;
    access.bytes = bytes;
    access.end = bytes - 1;
    config.collective = true;
    config.aggregators = aggregators;
    config.buffer = buffer;
    config.stripe_count = config.co_ratio = 1;
    config.block = 8 * MiB;
    if (atm_count(nullptr, ATM_GPFS, &job, &access, &config, &counts) != ATM_OK)
        return false;
    for (const Domain &domain : file_domains(bytes, aggregators, config.block)) {
        uint64_t windows = (domain.size + buffer - 1) / buffer;

        writes += windows;
        rounds = std::max(rounds, windows);
    }
    return rounds == counts.rounds && writes == counts.accesses && bytes == counts.access_bytes;
}

static void test_counts(void)
{
    bool good = true;

    for (uint64_t each : {1, 4, 96, 196})
        for (int aggregators : {40, 136, 520})
            for (uint64_t buffer : {8, 16, 32})
                good = good && counted_as(each * MiB, aggregators, buffer * MiB);
    ok(good, "rounds and writes are as many as ROMIO has");
}

static std::vector<double> whole_run(uint64_t seed, bool background)
{
    Parameters parameters;

    parameters.background = background;
    parameters.burst_every = 1;
    return simulated(parameters, 32, [=](const Network &network, Storage *storage) {
        const Configuration configuration = {10, 16 * MiB, "bridge-first", true};
        const Outcome outcome = TwoPhase(network, storage).run({96 * MiB}, configuration, seed);

        return std::vector<double>{
            outcome.seconds, outcome.partitioning + outcome.shuffle + outcome.storage,
            static_cast<double>(outcome.written), static_cast<double>(outcome.rounds)};
    });
}

static void test_runs(void)
{
    const std::vector<double> first = whole_run(1, true), again = whole_run(1, true);
    const std::vector<double> other = whole_run(2, true), quiet = whole_run(1, false);
    const double bytes = 96.0 * MiB * 512;

    ok(first[0] > 0 && first[2] == bytes, "what the job has is what is written");
    ok(near(first[1], first[0], 1e-9), "the parts are the whole");
    ok(first[3] == std::ceil(std::ceil(bytes / 8 / MiB / 10) / 2),
       "in as many rounds as domains have buffers");
    ok(first[0] == again[0], "the same seed gives the same time");
    ok(first[0] != other[0], "another one does not");
    ok(quiet[0] < first[0], "others cost time");
}

int main(void)
{
    for (int nodes : {32, 128, 512})
        test_routes(nodes);
    test_psets(128);
    test_psets(512);
    test_tokens();
    test_network();
    test_storage();
    test_locks();
    test_domains();
    test_counts();
    test_runs();
    printf("1..%d\n", count);
    return failed > 0;
}
