/*
 * exp and log of the surrogates.  The C library's differ in the last bits from
 * platform to platform, and a choice between configurations must not; these
 * use additions, multiplications and divisions only, which IEEE 754 fixes.
 * (Compile with -ffp-contract=off.)  Errors: 2 units in the last place, expm1 4.
 */

#ifndef SUR_MATH_H
#define SUR_MATH_H

#include <math.h>
#include <string.h>

#include "atm.h"

#define SUR_LN2 0x1.62e42fefa39efp-1

/* ln 2 in two parts: multiples of the first by up to 2^11 are exact */
#define SUR_LN2_HIGH 0x1.62e42feep-1
#define SUR_LN2_LOW 0x1.a39ef35793c76p-33

/* e^r - 1 for |r| <= ln 2 / 2: Taylor's series, even and odd powers apart to
 * halve the chain of dependent operations */
static inline double sur_expm1_small(double r)
{
    double r2 = r * r;
    double even = 1 / 479001600.0;
    double odd = 1 / 6227020800.0;

    even = even * r2 + 1 / 3628800.0;
    odd = odd * r2 + 1 / 39916800.0;
    even = even * r2 + 1 / 40320.0;
    odd = odd * r2 + 1 / 362880.0;
    even = even * r2 + 1 / 720.0;
    odd = odd * r2 + 1 / 5040.0;
    even = even * r2 + 1 / 24.0;
    odd = odd * r2 + 1 / 120.0;
    even = even * r2 + 1 / 2.0;
    odd = odd * r2 + 1 / 6.0;
    return r + r2 * (even + r * odd);
}

/* e^x for -708 <= x <= 709; without a branch, so that loops are vectorised */
static inline double sur_exp_within(double x)
{
    const double rounder = 0x1.8p52; /* adding it leaves the nearest integer in the low bits */
    double power = x * 0x1.71547652b82fep0 + rounder, scale, r;
    uint64_t bits;

    memcpy(&bits, &power, sizeof(bits));
    power -= rounder;
    r = x - power * SUR_LN2_HIGH - power * SUR_LN2_LOW;
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof(scale));
    return scale + scale * sur_expm1_small(r);
}

/* e^x; below -708 and above 709 it stays at the value there */
static inline double sur_exp(double x)
{
    x = x < -708 ? -708 : x;
    return sur_exp_within(x > 709 ? 709 : x);
}

/* e^x - 1, exact also near 0 */
static inline double sur_expm1(double x)
{
    return fabs(x) < 0.34 ? sur_expm1_small(x) : sur_exp(x) - 1;
}

/* ln x for normal x > 0: x = 2^power m with m about 1, and
 * ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 ...), s = (m - 1) / (m + 1) */
static inline double sur_log(double x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu;
    double m, s, s2, s4, even, odd, power;
    uint64_t bits, offset;

    memcpy(&bits, &x, sizeof(bits));
    offset = bits - root_half;
    power = (double) ((int64_t) offset >> 52);
    bits = (offset & 0x000fffffffffffffu) + root_half;
    memcpy(&m, &bits, sizeof(m));
    s = (m - 1) / (m + 1);
    s2 = s * s;
    s4 = s2 * s2;
    even = ((((s4 * (1 / 23.0) + 1 / 19.0) * s4 + 1 / 15.0) * s4 + 1 / 11.0) * s4 + 1 / 7.0) * s4 +
           1 / 3.0;
    odd = (((s4 * (1 / 21.0) + 1 / 17.0) * s4 + 1 / 13.0) * s4 + 1 / 9.0) * s4 + 1 / 5.0;
    return power * SUR_LN2_HIGH + (2 * s + (2 * s * s2 * (even + s2 * odd) + power * SUR_LN2_LOW));
}

/* Variance of ln of a factor with this relative error. */
static inline double sur_square_of_log(double error)
{
    double logarithm = sur_log(1 + error);

    return logarithm * logarithm;
}

#endif /* SUR_MATH_H */
