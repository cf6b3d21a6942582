/* The five-dimensional torus and its routes. */

#ifndef VESTA_TORUS_HPP
#define VESTA_TORUS_HPP

#include <array>
#include <vector>

namespace vesta
{

constexpr int DIMENSIONS = 5;

using Place = std::array<int, DIMENSIONS>;

class Torus
{
  public:
    /* 32, 64, 128, 256 or 512 nodes: the shapes of Blue Gene/Q's partitions. */
    explicit Torus(int nodes);

    static bool has_shape(int nodes);

    int nodes() const
    {
        return nodes_;
    }
    const Place &shape() const
    {
        return shape_;
    }
    int links() const
    {
        return nodes_ * 2 * DIMENSIONS;
    }
    Place place(int node) const;
    int node(const Place &place) const;
    /* The links out of a node, two in each dimension: up and down. */
    static int link(int node, int dimension, bool up)
    {
        return (node * DIMENSIONS + dimension) * 2 + up;
    }
    static int dimension_of(int link)
    {
        return link / 2 % DIMENSIONS;
    }
    int hops(int from, int to) const;
    /* Links on the way, dimension after dimension, the shorter way round.  Where
     * both are as long, the parity of the other coordinates decides, so that over
     * all pairs every link of a dimension is used as often. */
    std::vector<int> route(int from, int to) const;

  private:
    int nodes_;
    Place shape_;
};

} // namespace vesta

#endif /* VESTA_TORUS_HPP */
