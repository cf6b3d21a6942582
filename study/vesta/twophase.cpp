/* Two-phase writes of ROMIO's GPFS driver on the simulated machine. */

#include "twophase.hpp"

#include <algorithm>

namespace sg = simgrid::s4u;

namespace vesta
{

/* ad_gpfs_aggrs.c:233-292: whole blocks, the first domains one more. */
std::vector<Domain> file_domains(uint64_t bytes, int aggregators, uint64_t block)
{
    uint64_t count = static_cast<uint64_t>(aggregators), blocks = (bytes + block - 1) / block;
    uint64_t start = 0;
    std::vector<Domain> domains;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t size = (blocks / count + (i < blocks % count)) * block;

        size = std::min(size, bytes - start);
        domains.push_back({start, size});
        start += size;
    }
    return domains;
}

/* A domain's part of a round; empty past its end. */
static Domain window_of(const Domain &domain, int round, uint64_t buffer)
{
    uint64_t from = std::min(domain.size, static_cast<uint64_t>(round) * buffer);

    return {domain.start + from, std::min(buffer, domain.size - from)};
}

static int rounds_of(const std::vector<Domain> &domains, uint64_t buffer)
{
    uint64_t most = 0;

    for (const Domain &domain : domains)
        most = std::max(most, (domain.size + buffer - 1) / buffer);
    return static_cast<int>(most);
}

/* What the ranks have in a piece of the file, one message each. */
static void add_messages(const Domain &piece, uint64_t each, int aggregator,
                         std::vector<Message> *messages)
{
    uint64_t at = piece.start, end = piece.start + piece.size;

    while (at < end) {
        uint64_t next = std::min(end, (at / each + 1) * each);

        messages->push_back({static_cast<int>(at / each), aggregator, next - at});
        at = next;
    }
}

/* Offsets and lengths of every rank's pieces, 16 bytes for each of its domains. */
static std::vector<Message> requests_of(const std::vector<Domain> &domains, uint64_t each,
                                        const std::vector<int> &aggregators)
{
    std::vector<Message> messages;

    for (size_t i = 0; i < domains.size(); i++)
        add_messages(domains[i], each, aggregators[i], &messages);
    for (Message &message : messages)
        message.bytes = 16;
    return messages;
}

static double lap(double *since)
{
    double now = sg::Engine::get_clock(), passed = now - *since;

    *since = now;
    return passed;
}

Outcome TwoPhase::run(const Access &access, const Configuration &configuration, uint64_t seed)
{
    const Machine &machine = network_.machine;
    const uint64_t total = access.bytes * static_cast<uint64_t>(machine.ranks());
    const std::vector<int> aggregators = machine.place_for(
        configuration.placement, configuration.aggregators, total, network_.parameters.block);
    const std::vector<Domain> domains =
        file_domains(total, configuration.aggregators, network_.parameters.block);
    const double offsets = collectives_.allreduce_time(16.0 * machine.ranks());
    const double sizes = collectives_.allreduce_time(4), counts = collectives_.alltoall_time(4);
    Writers writers(network_, storage_, aggregators, configuration.locking);
    Outcome outcome = {};

    storage_->begin(seed);
    double start = sg::Engine::get_clock(), since = start;
    sg::this_actor::sleep_for(offsets + counts);
    collectives_.exchange(requests_of(domains, access.bytes, aggregators));
    sg::this_actor::sleep_for(sizes);
    outcome.partitioning = lap(&since);
    outcome.rounds = rounds_of(domains, configuration.buffer);
    for (int round = 0; round < outcome.rounds; round++) {
        std::vector<Message> messages;
        std::vector<Request> requests;

        for (size_t i = 0; i < domains.size(); i++) {
            const Domain window = window_of(domains[i], round, configuration.buffer);

            if (window.size == 0)
                continue;
            add_messages(window, access.bytes, aggregators[i], &messages);
            requests.push_back({aggregators[i], window.start, window.size});
        }
        sg::this_actor::sleep_for(counts);
        collectives_.exchange(messages);
        outcome.shuffle += lap(&since);
        writers.write(requests);
        outcome.storage += lap(&since);
    }
    outcome.seconds = since - start;
    outcome.written = storage_->written();
    storage_->end();
    return outcome;
}

} // namespace vesta
