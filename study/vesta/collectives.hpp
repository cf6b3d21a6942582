/*
 * MPI's collectives as MPICH does them, step after step, each step a pattern of
 * flows between nodes.  The torus belongs to the job alone and is quiet when a
 * collective starts, so that the same pattern always takes the same time: each is
 * simulated once, for one size, and scaled (without latency, times of flows are
 * proportional to their bytes).
 */

#ifndef VESTA_COLLECTIVES_HPP
#define VESTA_COLLECTIVES_HPP

#include <functional>
#include <map>
#include <utility>

#include "network.hpp"

namespace vesta
{

/* One message of an alltoallv. */
struct Message {
    int from, to; /* ranks */
    uint64_t bytes;
};

class Collectives
{
  public:
    explicit Collectives(const Network &network) : network_(network)
    {
    }

    /* What they take when all ranks call them at once.  New patterns are
     * simulated meanwhile, which takes simulated time: call these before the
     * clock of a job runs. */
    double allreduce_time(double bytes);
    double alltoall_time(double bytes);

    /* alltoallv, of which only messages with data are sent; ends when the last one
     * has arrived. */
    void exchange(const std::vector<Message> &messages) const;

    /* The same for messages that are all alike, in any size: fixed + bytes x
     * for_byte.  The sizes in the pattern do not matter. */
    struct Cost {
        double fixed, for_byte;
    };
    Cost exchange_cost(const std::vector<Message> &pattern) const;

  private:
    const Network &network_;
    std::map<std::pair<int, int>, double> known_; /* seconds for a byte, by kind and step */

    double for_byte(int kind, int step, const std::function<std::vector<Flow>()> &make);
    double message_time(int hops) const;
    double inside(double bytes) const;
    double doubling(int step, double bytes);
    double shift(int distance, double bytes);
    double bruck_time(double bytes);
    double scattered_time(double bytes);
    double overhead(const std::vector<Message> &messages) const;
    std::vector<Flow> flows_of(const std::vector<Message> &messages) const;
};

} // namespace vesta

#endif /* VESTA_COLLECTIVES_HPP */
