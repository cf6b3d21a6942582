/* vesta: the simulated machine's command line. */

#include <cstdio>
#include <cstring>
#include <exception>

#include <simgrid/forward.h>
#include <simgrid/version.h>

#include "commands.hpp"

namespace vesta
{

std::string simgrid_version()
{
    return "SimGrid " + std::to_string(SIMGRID_VERSION_MAJOR) + "." +
           std::to_string(SIMGRID_VERSION_MINOR);
}

const char *set_spread(const char *value, Spread *spread)
{
    static const char *const names[] = {"round-robin", "allocation", "random"};

    for (int i = 0; i < 3; i++)
        if (strcmp(value, names[i]) == 0) {
            *spread = static_cast<Spread>(i);
            return nullptr;
        }
    return "must be round-robin, allocation or random";
}

const char *set_cache(const char *value, Cache *policy)
{
    static const char *const names[] = {"behind", "lazy", "through"};

    for (int i = 0; i < 3; i++)
        if (strcmp(value, names[i]) == 0) {
            *policy = static_cast<Cache>(i);
            return nullptr;
        }
    return "must be behind, lazy or through";
}

void put_ground(atm_value *root, const Parameters &parameters, int seed)
{
    atm_value *ground, *facts;

    atm_put_string(root, "format", "romio-autotune-sweep");
    atm_put_integer(root, "version", 1);
    ground = atm_put_object(root, "ground");
    atm_put_string(ground, "name", "vesta");
    atm_put_string(ground, "kind", "simulated");
    atm_put_string(ground, "title",
                   "Vesta, the Blue Gene/Q of the hybrid model's paper, simulated");
    atm_put_string(ground, "version", MODEL_VERSION);
    atm_put_string(ground, "date", date_now().c_str());
    atm_put_integer(ground, "seed", seed);
    facts = atm_put_object(ground, "facts");
    atm_put_string(facts, "simulator", simgrid_version().c_str());
    atm_put_string(facts, "network", "5-D torus, links of 2 GB/s, 16 ranks a node");
    atm_put_string(facts, "psets", "32 nodes, two bridges of 2 GB/s, an I/O node with 4 GiB cache");
    atm_put_string(facts, "storage", "40 disks of 250 MB/s, blocks of 8 MiB in turn");
    atm_put_string(facts, "write-behind",
                   (std::to_string(parameters.flushers) + " blocks at once").c_str());
    atm_put_string(facts, "placement", "bridge-first");
}

static int help(FILE *out)
{
    fputs("usage: vesta COMMAND [options]\n"
          "The machine of the hybrid model's paper, Vesta, simulated with SimGrid.\n"
          "  run          one collective write\n"
          "  sweep        all instances and configurations of the paper\n"
          "  calibrate    the elemental operations, as the paper measured them\n"
          "  sensitivity  what other assumptions about the storage would change\n"
          "Each has --help; vesta --version tells that of the machine.\n",
          out);
    return out == stdout ? 0 : 2;
}

} // namespace vesta

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {{"run", vesta::command_run},
                    {"sweep", vesta::command_sweep},
                    {"calibrate", vesta::command_calibrate},
                    {"sensitivity", vesta::command_sensitivity}};

    if (argc < 2)
        return vesta::help(stderr);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return vesta::help(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        printf("vesta %s\n", vesta::MODEL_VERSION);
        return 0;
    }
    for (const auto &command : commands) {
        if (strcmp(argv[1], command.name) != 0)
            continue;
        try {
            return command.run(argc - 1, argv + 1);
        } catch (const std::exception &error) {
            fprintf(stderr, "vesta %s: %s\n", argv[1], error.what());
            return 1;
        }
    }
    fprintf(stderr, "vesta: there is no command %s (try --help)\n", argv[1]);
    return 2;
}
