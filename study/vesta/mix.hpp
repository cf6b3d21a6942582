/* Seeds out of numbers. */

#ifndef VESTA_MIX_HPP
#define VESTA_MIX_HPP

#include <cstdint>

namespace vesta
{

/* splitmix64's output function over both. */
inline uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

} // namespace vesta

#endif /* VESTA_MIX_HPP */
