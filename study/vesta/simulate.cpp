/* One simulation in this process. */

#include "simulate.hpp"

namespace sg = simgrid::s4u;

namespace vesta
{

void simulate(int nodes, const Parameters &parameters,
              const std::function<void(const Network &, Storage *)> &work)
{
    set_up_engine("vesta");
    const Machine machine(nodes, parameters.per_node);
    const Network network(machine, parameters);
    Storage storage(machine.psets(), parameters);

    sg::Actor::create("work", network.host(0), [&] { work(network, &storage); });
    sg::Engine::get_instance()->run();
}

} // namespace vesta
