/* One simulation in this process: SimGrid allows no second. */

#ifndef VESTA_SIMULATE_HPP
#define VESTA_SIMULATE_HPP

#include <functional>

#include "twophase.hpp"

namespace vesta
{

/* Makes the machine, has an actor run work on it, and returns when it is done. */
void simulate(int nodes, const Parameters &parameters,
              const std::function<void(const Network &, Storage *)> &work);

} // namespace vesta

#endif /* VESTA_SIMULATE_HPP */
