/* The commands of the program; each returns its exit code. */

#ifndef VESTA_COMMANDS_HPP
#define VESTA_COMMANDS_HPP

#include <cstddef>

#include "parameters.hpp"
#include "value.hpp"

extern "C" {
#include "common/options.h"
}

namespace vesta
{

int command_run(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_calibrate(int argc, char **argv);
int command_sensitivity(int argc, char **argv);

/* Names of options' values. */
const char *set_spread(const char *value, Spread *spread);
const char *set_cache(const char *value, Cache *policy);

/* "ground" of a sweep, and what else says which machine this was. */
void put_ground(atm_value *root, const Parameters &parameters, int seed);
std::string simgrid_version();

} // namespace vesta

#endif /* VESTA_COMMANDS_HPP */
