/* Points of tune/train/points.h, as they are simulated. */

#ifndef VESTA_POINTS_HPP
#define VESTA_POINTS_HPP

#include <vector>

#include "twophase.hpp"
#include "value.hpp"

namespace vesta
{

/* What an operation took, every repetition of it. */
struct Point {
    atm_operation operation;
    double senders, receivers, messages;
    double bytes;
    double stripes; /* disks that are written to at once */
    double far;     /* as ATM_FAR */
    std::vector<double> seconds;
};

/* What the caches took in before they were full. */
struct Capacity {
    double writers, round, disks, bytes;
};

struct StoragePoints {
    std::vector<Point> points;
    std::vector<Capacity> capacities;
};

/* The placements that are measured: neighbours in different psets, and in the same. */
constexpr int ORDERS = 2;
constexpr const char *POINTS_ORDERS[ORDERS] = {"bridge-first", "near"};

inline int orders_of(const Machine &machine)
{
    return machine.psets() > 1 ? ORDERS : 1;
}

/* Sizes and numbers are those of section V.C.3 of the paper; all must be called by
 * an actor. */
std::vector<Point> communication_points(const Network &network, bool tiny);
StoragePoints storage_points(const Network &network, Storage *storage, uint64_t buffer,
                             uint64_t seed, bool tiny);

} // namespace vesta

#endif /* VESTA_POINTS_HPP */
