/* The five-dimensional torus and its routes. */

#include "torus.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace vesta
{

struct Shape {
    int nodes;
    Place size;
};

static constexpr Shape shapes[] = {{32, {{2, 2, 2, 2, 2}}},
                                   {64, {{2, 2, 4, 2, 2}}},
                                   {128, {{2, 2, 4, 4, 2}}},
                                   {256, {{4, 2, 4, 4, 2}}},
                                   {512, {{4, 4, 4, 4, 2}}}};

static const Shape *find(int nodes)
{
    for (const Shape &shape : shapes)
        if (shape.nodes == nodes)
            return &shape;
    return nullptr;
}

bool Torus::has_shape(int nodes)
{
    return find(nodes) != nullptr;
}

Torus::Torus(int nodes) : nodes_(nodes)
{
    const Shape *shape = find(nodes);

    if (shape == nullptr)
        throw std::invalid_argument("no partition has " + std::to_string(nodes) + " nodes");
    shape_ = shape->size;
}

/* The last dimension runs fastest, as ranks do in the order ABCDET. */
Place Torus::place(int node) const
{
    Place place;

    for (int d = DIMENSIONS - 1; d >= 0; d--) {
        place[d] = node % shape_[d];
        node /= shape_[d];
    }
    return place;
}

int Torus::node(const Place &place) const
{
    int node = 0;

    for (int d = 0; d < DIMENSIONS; d++)
        node = node * shape_[d] + place[d];
    return node;
}

int Torus::hops(int from, int to) const
{
    const Place a = place(from), b = place(to);
    int hops = 0;

    for (int d = 0; d < DIMENSIONS; d++) {
        int up = (b[d] - a[d] + shape_[d]) % shape_[d];

        hops += std::min(up, shape_[d] - up);
    }
    return hops;
}

static int parity_without(const Place &a, const Place &b, int dimension)
{
    int sum = 0;

    for (int d = 0; d < DIMENSIONS; d++)
        if (d != dimension)
            sum += a[d] + b[d];
    return sum % 2;
}

std::vector<int> Torus::route(int from, int to) const
{
    const Place start = place(from), end = place(to);
    Place at = start;
    std::vector<int> links;

    for (int d = 0; d < DIMENSIONS; d++) {
        int size = shape_[d], up = (end[d] - start[d] + size) % size;
        bool goes_up = 2 * up != size ? 2 * up < size : parity_without(start, end, d) == 0;

        while (at[d] != end[d]) {
            links.push_back(link(node(at), d, goes_up));
            at[d] = (at[d] + (goes_up ? 1 : size - 1)) % size;
        }
    }
    return links;
}

} // namespace vesta
