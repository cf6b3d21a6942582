/* MPI's collectives as MPICH does them. */

#include "collectives.hpp"

#include <algorithm>
#include <cmath>

namespace sg = simgrid::s4u;

namespace vesta
{

/* Sizes at which MPICH changes its algorithm (MPIR_CVAR_*_SHORT_MSG_SIZE). */
constexpr double ALLREDUCE_SHORT = 2048, ALLTOALL_SHORT = 256;

/* The size that flows are simulated with; times of other sizes follow from it. */
constexpr uint64_t UNIT = MiB;

/* Flows above which nothing is simulated: the busiest link decides. */
constexpr size_t MANY = 20000;

enum Kind { DOUBLING, SHIFT };

double Collectives::for_byte(int kind, int step, const std::function<std::vector<Flow>()> &make)
{
    auto found = known_.find({kind, step});

    if (found == known_.end()) {
        double start = sg::Engine::get_clock();

        network_.move(make());
        double time = (sg::Engine::get_clock() - start) / static_cast<double>(UNIT);
        found = known_.emplace(std::make_pair(kind, step), time).first;
    }
    return found->second;
}

double Collectives::message_time(int hops) const
{
    return network_.parameters.latency + network_.parameters.hop_latency * hops +
           2 * network_.parameters.message_time;
}

/* Bytes that the ranks of a node copy, all together. */
double Collectives::inside(double bytes) const
{
    return bytes / network_.parameters.memory_rate;
}

/* --- allreduce: inside the nodes, then between their first ranks */

/* Every node exchanges that many bytes with the one whose number differs in a bit. */
double Collectives::doubling(int step, double bytes)
{
    const Machine &machine = network_.machine;
    double time = for_byte(DOUBLING, step, [&] {
        std::vector<Flow> flows;

        for (int node = 0; node < machine.nodes(); node++)
            flows.push_back({node, node ^ (1 << step), UNIT});
        return flows;
    });
    return message_time(machine.torus.hops(0, 1 << step)) + time * bytes;
}

/* Binomial trees inside; between, recursive doubling, or for long messages
 * Rabenseifner's halving and doubling. */
double Collectives::allreduce_time(double bytes)
{
    double time = 0;

    for (int left = network_.machine.per_node / 2; left > 0; left /= 2)
        time += 2 * (message_time(0) + inside(left * bytes));
    for (int step = 0; 1 << step < network_.machine.nodes(); step++)
        if (bytes <= ALLREDUCE_SHORT)
            time += doubling(step, bytes);
        else
            time += 2 * doubling(step, bytes / (2 << step));
    return time;
}

/* --- alltoall */

/* Sends from every node to the one `distance` further on. */
double Collectives::shift(int distance, double bytes)
{
    const Machine &machine = network_.machine;

    return bytes * for_byte(SHIFT, distance, [&] {
               std::vector<Flow> flows;

               for (int node = 0; node < machine.nodes(); node++)
                   flows.push_back({node, (node + distance) % machine.nodes(), UNIT});
               return flows;
           });
}

/* Bruck: in step k every rank sends half of its data to the one 2^k further on. */
double Collectives::bruck_time(double bytes)
{
    const Machine &machine = network_.machine;
    double half = machine.ranks() / 2.0 * bytes, each = machine.per_node;
    double time = 2 * inside(2 * half * each); /* to and from the order of ranks */

    for (int step = 1; step < machine.ranks(); step *= 2) {
        double leave = std::min<double>(step, each);

        time += message_time(machine.torus.hops(0, step / machine.per_node)) +
                inside((each - leave) * half) +
                shift(std::max(1, step / machine.per_node), leave * half);
    }
    return time;
}

/* Everybody sends to the next rank, then to the one after, ... */
double Collectives::scattered_time(double bytes)
{
    const Machine &machine = network_.machine;
    double each = machine.per_node, pairs = each * each;
    double time = message_time(0) + inside(each * (each - 1) * bytes) +
                  2 * network_.parameters.message_time * (machine.ranks() - 2);

    for (int distance = 1; distance < machine.nodes(); distance++)
        time += shift(distance, pairs * bytes);
    return time;
}

double Collectives::alltoall_time(double bytes)
{
    return bytes <= ALLTOALL_SHORT ? bruck_time(bytes) : scattered_time(bytes);
}

/* --- alltoallv with few pairs */

/* The rank with most messages, and the longest way. */
double Collectives::overhead(const std::vector<Message> &messages) const
{
    const Machine &machine = network_.machine;
    std::vector<int> count(machine.ranks());
    int hops = 0;

    for (const Message &message : messages) {
        int from = machine.node_of(message.from), to = machine.node_of(message.to);

        count[message.from]++;
        count[message.to]++;
        hops = std::max(hops, machine.torus.hops(from, to));
    }
    return network_.parameters.latency + network_.parameters.hop_latency * hops +
           network_.parameters.message_time * *std::max_element(count.begin(), count.end());
}

/* Messages between the same nodes share their way. */
std::vector<Flow> Collectives::flows_of(const std::vector<Message> &messages) const
{
    std::map<std::pair<int, int>, uint64_t> bytes;
    std::vector<Flow> flows;

    for (const Message &message : messages)
        bytes[{network_.machine.node_of(message.from), network_.machine.node_of(message.to)}] +=
            message.bytes;
    for (const auto &[nodes, size] : bytes)
        flows.push_back({nodes.first, nodes.second, size});
    return flows;
}

void Collectives::exchange(const std::vector<Message> &messages) const
{
    sg::this_actor::sleep_for(overhead(messages));
    network_.move(flows_of(messages));
}

Collectives::Cost Collectives::exchange_cost(const std::vector<Message> &pattern) const
{
    std::vector<Message> messages = pattern;

    for (Message &message : messages)
        message.bytes = UNIT;
    const std::vector<Flow> flows = flows_of(messages);
    double start = sg::Engine::get_clock(), time;
    if (flows.size() > MANY) {
        time = network_.busiest(flows);
    } else {
        network_.move(flows);
        time = sg::Engine::get_clock() - start;
    }
    return {overhead(pattern), time / static_cast<double>(UNIT)};
}

} // namespace vesta
