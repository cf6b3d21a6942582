/*
 * Collectives alone: 57 points of allreduce, 51 of alltoall and 1,044 of alltoallv
 * (paper, section V.C.3).
 *
 * The paper gives ranges and numbers of points, not their grid.  Ours has as many:
 *   allreduce  19 sizes from 4 bytes to 1 MiB for each number of ranks;
 *   alltoall   from 1 byte: 19 sizes up to 256 KiB for 2,048 ranks, 17 for 4,096 and
 *              15 for 8,192, as memory shrinks for buffers of ranks x bytes;
 *   alltoallv  for each number of ranks, to as many receivers as there are
 *              aggregators for 4, 16 and 64 a bridge: from 4 numbers of senders, a
 *              message each, in 27 sizes from 1 byte to 64 MiB; and from all ranks to
 *              all receivers in 8 sizes from 1 to 128 bytes.  The receivers of every other
 *              size are in the other order.
 */

#include "points.hpp"

#include <cmath>

#include "study.hpp"

namespace vesta
{

static int log2_of(int value)
{
    int bits = 0;

    while (value > 1) {
        value /= 2;
        bits++;
    }
    return bits;
}

static void add_allreduce(Collectives *collectives, double ranks, int sizes,
                          std::vector<Point> *points)
{
    for (int i = 0; i < sizes; i++) {
        double bytes = 4.0 * (1 << i);

        points->push_back(
            {ATM_ALLREDUCE, ranks, ranks, 1, bytes, 1, 1, {collectives->allreduce_time(bytes)}});
    }
}

static void add_alltoall(Collectives *collectives, double ranks, int sizes,
                         std::vector<Point> *points)
{
    for (int i = 0; i < sizes; i++) {
        double bytes = 1 << i;

        points->push_back(
            {ATM_ALLTOALL, ranks, ranks, 1, bytes, 1, 1, {collectives->alltoall_time(bytes)}});
    }
}

/* Senders are spread over the ranks, neighbours send to the same receiver. */
static std::vector<Message> sparse(const Machine &machine, const std::vector<int> &receivers,
                                   int senders)
{
    std::vector<Message> messages;

    for (int64_t i = 0; i < senders; i++)
        messages.push_back({static_cast<int>(i * machine.ranks() / senders),
                            receivers[static_cast<size_t>(i) * receivers.size() / senders], 1});
    return messages;
}

static std::vector<Message> dense(const Machine &machine, const std::vector<int> &receivers)
{
    std::vector<Message> messages;

    for (int rank = 0; rank < machine.ranks(); rank++)
        for (int receiver : receivers)
            messages.push_back({rank, receiver, 1});
    return messages;
}

static double far_of(const Machine &machine, const std::vector<Message> &messages)
{
    double far = 0;

    for (const Message &message : messages)
        far += machine.pset_of(machine.node_of(message.from)) !=
               machine.pset_of(machine.node_of(message.to));
    return 1 + far / static_cast<double>(messages.size());
}

/* Sizes from `first` on, every `step`-th. */
static void add_exchange(const Machine &machine, const Collectives &collectives,
                         const std::vector<Message> &messages, int senders, size_t receivers,
                         int first, int step, int sizes, std::vector<Point> *points)
{
    const Collectives::Cost cost = collectives.exchange_cost(messages);
    const double far = far_of(machine, messages);

    for (int i = first; i < sizes; i += step) {
        double bytes = 1 << i;

        points->push_back({ATM_EXCHANGE,
                           static_cast<double>(senders),
                           static_cast<double>(receivers),
                           static_cast<double>(messages.size()),
                           bytes,
                           1,
                           far,
                           {cost.fixed + cost.for_byte * bytes}});
    }
}

/* The orders take turns over the sizes; with messages from all to all, none is nearer. */
static void add_exchanges(const Machine &machine, const Collectives &collectives, int per_pset,
                          bool tiny, std::vector<Point> *points)
{
    const int ranks = machine.ranks(), aggregators = aggregators_of(machine, per_pset);
    const int steps = tiny ? 2 : 4, orders = orders_of(machine);

    for (int order = 0; order < orders; order++) {
        const std::vector<int> receivers = machine.place(POINTS_ORDERS[order], aggregators);

        for (int step = 0; step < steps; step++) {
            int senders = static_cast<int>(
                std::lround(aggregators * std::pow(static_cast<double>(ranks) / aggregators,
                                                   step / (steps - 1.0))));

            add_exchange(machine, collectives, sparse(machine, receivers, senders), senders,
                         receivers.size(), (order + step) % orders, orders, 27, points);
        }
        if (!tiny && order == 0)
            add_exchange(machine, collectives, dense(machine, receivers), ranks, receivers.size(),
                         0, 1, 8, points);
    }
}

std::vector<Point> communication_points(const Network &network, bool tiny)
{
    const Machine &machine = network.machine;
    const int ranks = machine.ranks();
    std::vector<Point> points;
    Collectives collectives(network);

    add_allreduce(&collectives, ranks, 19, &points);
    add_alltoall(&collectives, ranks, 19 - 2 * log2_of(machine.nodes() / 128), &points);
    for (int per_pset : STUDY_PER_PSET)
        add_exchanges(machine, collectives, per_pset, tiny, &points);
    return points;
}

} // namespace vesta
