/* A partition: the nodes of psets, bridges and ranks. */

#ifndef VESTA_MACHINE_HPP
#define VESTA_MACHINE_HPP

#include <string>
#include <vector>

#include "parameters.hpp"
#include "torus.hpp"

extern "C" {
#include "place/topology.h"
}

namespace vesta
{

constexpr int PSET_NODES = 32;
constexpr int PSET_BRIDGES = 2;

class Machine
{
  public:
    Machine(int nodes, int per_node);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    const Torus torus;
    const int per_node;

    int nodes() const
    {
        return torus.nodes();
    }
    int ranks() const
    {
        return nodes() * per_node;
    }
    int psets() const
    {
        return nodes() / PSET_NODES;
    }
    int bridges() const
    {
        return psets() * PSET_BRIDGES;
    }
    /* Ranks fill node after node. */
    int node_of(int rank) const
    {
        return rank / per_node;
    }
    /* A pset is a node board, 2 x 2 x 2 x 2 x 2 nodes; it has one I/O node. */
    int pset_of(int node) const;
    /* The bridge of a node's pset that is nearer: opposite corners of the board,
     * so that each serves 16 nodes, none further than two links. */
    int bridge_of(int node) const;

    /* n_a ranks in the order of ROMIO's list, by a policy of place/place.h. */
    std::vector<int> place(const std::string &policy, int aggregators) const;
    /* For a file of so many bytes, which the ranks hold in order, in domains of whole blocks. */
    std::vector<int> place_for(const std::string &policy, int aggregators, uint64_t bytes,
                               uint64_t block) const;

    /* As the model is told. */
    atm_job job() const;

  private:
    atm_topology *topology_;
};

/* n_a of the paper's equation 2. */
int aggregators_of(const Machine &machine, int per_pset);

} // namespace vesta

#endif /* VESTA_MACHINE_HPP */
