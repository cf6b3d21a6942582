/* A partition: the nodes of psets, bridges and ranks. */

#include "machine.hpp"

#include <stdexcept>

extern "C" {
#include "place/near.h"
#include "place/place.h"
}

namespace vesta
{

int Machine::pset_of(int node) const
{
    const Place at = torus.place(node);
    int pset = 0;

    for (int d = 0; d < DIMENSIONS; d++)
        pset = pset * (torus.shape()[d] / 2) + at[d] / 2;
    return pset;
}

int Machine::bridge_of(int node) const
{
    Place at = torus.place(node);
    int odd = 0;

    for (int d = 0; d < DIMENSIONS; d++)
        odd += at[d] % 2;
    for (int d = 0; d < DIMENSIONS; d++)
        at[d] = at[d] / 2 * 2 + (2 * odd > DIMENSIONS);
    return torus.node(at);
}

static std::string name_of(int node)
{
    return "node" + std::to_string(node);
}

/* The document that a site would write for this machine. */
static atm_value *describe(const Machine &machine)
{
    atm_value *root = atm_value_object(), *psets;

    atm_put_string(root, "format", ATM_TOPOLOGY_FORMAT);
    atm_put_integer(root, "version", ATM_TOPOLOGY_VERSION);
    atm_put_integer(root, "ranks_per_node", machine.per_node);
    psets = atm_put_array(root, "psets");
    for (int pset = 0; pset < machine.psets(); pset++) {
        atm_value *nodes = atm_put_array(atm_put_object(psets, nullptr), "nodes");

        for (int i = 0; i < machine.nodes(); i++) {
            if (machine.pset_of(i) != pset)
                continue;
            atm_value *node = atm_put_object(nodes, nullptr);

            atm_put_string(node, "name", name_of(i).c_str());
            atm_put_truth(node, "bridge", machine.bridge_of(i) == i);
            atm_put_integer(node, "hops", machine.torus.hops(i, machine.bridge_of(i)));
        }
    }
    return root;
}

static atm_topology *topology_of(const Machine &machine)
{
    atm_value *document = describe(machine);
    atm_topology *all, *topology;
    atm_message message = {""};
    atm_status status = atm_topology_from_value(document, &message, &all);

    atm_value_destroy(document);
    if (status != ATM_OK)
        throw std::runtime_error(message.text);
    std::vector<std::string> names;
    std::vector<const char *> texts;
    std::vector<int> node_of;
    for (int i = 0; i < machine.nodes(); i++)
        names.push_back(name_of(i));
    for (const std::string &name : names)
        texts.push_back(name.c_str());
    for (int rank = 0; rank < machine.ranks(); rank++)
        node_of.push_back(machine.node_of(rank));
    status = atm_topology_for_job(all, machine.nodes(), texts.data(), machine.ranks(),
                                  node_of.data(), &topology);
    atm_topology_destroy(all);
    if (status != ATM_OK)
        throw std::runtime_error(atm_status_text(status));
    return topology;
}

Machine::Machine(int nodes, int ranks_per_node)
    : torus(nodes), per_node(ranks_per_node), topology_(topology_of(*this))
{
}

Machine::~Machine()
{
    atm_topology_destroy(topology_);
}

static void check(int aggregators, atm_status status)
{
    if (status != ATM_OK)
        throw std::invalid_argument(std::to_string(aggregators) +
                                    " aggregators: " + atm_status_text(status));
}

std::vector<int> Machine::place(const std::string &policy, int aggregators) const
{
    const atm_policy *found = atm_policy_by_name(policy.c_str());
    std::vector<int> ranks(aggregators);

    if (found == nullptr)
        throw std::invalid_argument("no placement policy is named " + policy);
    check(aggregators, atm_place(topology_, found, aggregators, ranks.data()));
    return ranks;
}

std::vector<int> Machine::place_for(const std::string &policy, int aggregators, uint64_t bytes,
                                    uint64_t block) const
{
    std::vector<int> ranks(aggregators);
    atm_access access = {};

    if (policy != "near")
        return place(policy, aggregators);
    access.end = bytes - 1;
    check(aggregators, atm_place_near(topology_, &access, block, aggregators, ranks.data()));
    return ranks;
}

atm_job Machine::job() const
{
    return atm_job_of(topology_);
}

int aggregators_of(const Machine &machine, int per_pset)
{
    return (per_pset + 1) * machine.bridges();
}

} // namespace vesta
