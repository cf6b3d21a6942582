/*
 * The torus and the links to the I/O nodes as SimGrid sees them.  Everything that
 * takes simulated time must be called by an actor.
 */

#ifndef VESTA_NETWORK_HPP
#define VESTA_NETWORK_HPP

#include <simgrid/s4u.hpp>

#include <vector>

#include "machine.hpp"

namespace vesta
{

/* Bytes on their way between nodes. */
struct Flow {
    int from, to;
    uint64_t bytes;
};

class Network
{
  public:
    /* Makes the engine's platform: one network in a process. */
    Network(const Machine &machine, const Parameters &parameters);

    const Machine &machine;
    const Parameters &parameters;

    simgrid::s4u::Host *host(int node) const
    {
        return hosts_[node];
    }
    /* All start now; ends when the last one has arrived. */
    void move(const std::vector<Flow> &flows) const;
    /* Sends from a node through its bridge to the I/O node of its pset. */
    void forward(int node, uint64_t bytes) const;

    /* The time that the busiest link needs for its share: what no schedule of
     * these flows can beat.  Takes no simulated time. */
    double busiest(const std::vector<Flow> &flows) const;

  private:
    std::vector<simgrid::s4u::Host *> hosts_, io_hosts_;

    void add_torus(simgrid::s4u::NetZone *zone);
    void add_io_nodes(simgrid::s4u::NetZone *zone, const std::vector<simgrid::s4u::Link *> &links);
};

/* Must be called once, before anything else of SimGrid's. */
void set_up_engine(const char *program);

} // namespace vesta

#endif /* VESTA_NETWORK_HPP */
