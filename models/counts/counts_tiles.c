/* Blocks of one size side by side against windows: how many pairs share bytes. */

#include "counts_inside.h"

typedef unsigned __int128 wide;

/* Sum of floor((a i + b) / m) over i in [0, n), modulo 2^64, in O(log m): Euclid on
 * m and a. */
static uint64_t floor_sum(uint64_t n, uint64_t m, uint64_t a, uint64_t b)
{
    uint64_t sum = 0;

    for (;;) {
        uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
        sum += pairs * (a / m) + n * (b / m);
        a %= m;
        b %= m;
        wide top = (wide) a * n + b;
        if (top < m)
            return sum;
        if (top >> 64 == 0) { /* much faster */
            n = (uint64_t) top / m;
            b = (uint64_t) top % m;
        } else {
            n = (uint64_t) (top / m);
            b = (uint64_t) (top % m);
        }
        uint64_t swap = m;
        m = a;
        a = swap;
    }
}

/* gcd(a, m); *inverse_p of a / gcd modulo m / gcd, by Euclid's extended algorithm.
 * m < 2^62 */
static uint64_t gcd(uint64_t a, uint64_t m, uint64_t *inverse_p)
{
    uint64_t r = m, next_r = a % m;
    int64_t t = 0, next_t = 1;

    while (next_r != 0) {
        uint64_t quotient = r / next_r, rest = r % next_r;
        int64_t swap = t - (int64_t) quotient * next_t;
        r = next_r;
        next_r = rest;
        t = next_t;
        next_t = swap;
    }
    *inverse_p = t < 0 ? (uint64_t) (t + (int64_t) (m / r)) : (uint64_t) t;
    return r;
}

static uint64_t product(uint64_t a, uint64_t b, uint64_t m)
{
    wide p = (wide) a * b;

    return p >> 64 == 0 ? (uint64_t) p % m : (uint64_t) (p % m);
}

/* -a modulo m */
static uint64_t negative(uint64_t a, uint64_t m)
{
    return a % m == 0 ? 0 : m - a % m;
}

/* How many of a i + b, i in [0, n), are multiples of m. */
static uint64_t multiples(uint64_t n, uint64_t m, uint64_t a, uint64_t b)
{
    uint64_t inverse;

    if (n <= 1 || a % m == 0)
        return b % m == 0 ? n : 0;
    uint64_t g = gcd(a, m, &inverse), step = m / g;
    uint64_t first = product(inverse, negative(b / g, step), step);
    return b % g == 0 && first < n ? (n - 1 - first) / step + 1 : 0;
}

/*
 * Multiples of m among b + a i + c k, i in [0, n), k in [0, l).
 * With g = gcd(c, m), an i has such k if a i = -b modulo g: every s-th, from some
 * i0 on.  The j-th of them has k = u + v j modulo m' = m / g: one in each whole m'
 * below l, and one more if (u + v j) mod m' is below the rest.
 */
static uint64_t multiples_in_grid(uint64_t n, uint64_t l, uint64_t m, uint64_t a, uint64_t c,
                                  uint64_t b)
{
    uint64_t of_c, of_a;

    if (n == 0 || l == 0)
        return 0;
    if (c % m == 0)
        return l * multiples(n, m, a, b);
    if (a % m == 0)
        return n * multiples(l, m, c, b);
    uint64_t g = gcd(c, m, &of_c), e = gcd(a, g, &of_a), s = g / e, modulus = m / g;
    if (b % e != 0)
        return 0;
    uint64_t i0 = product(of_a, negative(b / e, s), s);
    if (i0 >= n)
        return 0;
    uint64_t count = (n - 1 - i0) / s + 1, rest = l % modulus;
    uint64_t start = (uint64_t) (((wide) a * i0 + b) / g % modulus);
    uint64_t u = product(of_c, negative(start, modulus), modulus);
    uint64_t v = product(of_c, negative(a / e, modulus), modulus);
    return count * (l / modulus) + count + floor_sum(count, modulus, v, u) -
           floor_sum(count, modulus, v, u + modulus - rest);
}

/* n equal ranges, relative to the first block */
typedef struct ranges {
    uint64_t n;
    uint64_t start, size;
    uint64_t pitch; /* from one start to the next */
} ranges;

/* Blocks that each range touches, summed. */
static uint64_t touched(uint64_t block, const ranges *r)
{
    uint64_t last = r->start + r->size - 1;

    if (r->n == 1)
        return last / block - r->start / block + 1;
    if (r->size == r->pitch) /* a block that goes over a boundary is one more */
        return (last + (r->n - 1) * r->pitch) / block - r->start / block + r->n -
               multiples(r->n - 1, block, r->pitch, r->start + r->pitch);
    return floor_sum(r->n, block, r->pitch, last) - floor_sum(r->n, block, r->pitch, r->start) +
           r->n;
}

/* Ranges of that size touch a block of each owner; all others touch no more blocks
 * than there are owners. */
static bool touches_all(const counts_tiles *tiles, uint64_t size)
{
    return (size - 1) / tiles->block >= tiles->owners - 1;
}

static uint64_t owners_touched(const counts_tiles *tiles, const ranges *r)
{
    return touches_all(tiles, r->size) ? r->n * tiles->owners : touched(tiles->block, r);
}

/* (owner, window) with common bytes, where the ranges are cut into windows. */
static uint64_t window_owners(const counts_tiles *tiles, const ranges *r, uint64_t window)
{
    uint64_t rest = r->size % window, cuts = (r->size - 1) / window;

    if (touches_all(tiles, window)) {
        const ranges last = {r->n, r->start + r->size - rest, rest, r->pitch};
        return r->n * (r->size / window) * tiles->owners +
               (rest != 0 ? owners_touched(tiles, &last) : 0);
    }
    /* Again a block that goes over a cut is one more. */
    return touched(tiles->block, r) + r->n * cuts -
           multiples_in_grid(r->n, cuts, tiles->block, r->pitch, window, r->start + window);
}

counts_pairs counts_pairs_of(const counts_tiles *tiles, const counts_run *run, uint64_t window,
                             uint64_t limit)
{
    const ranges all = {run->domains, run->start - tiles->origin, run->size, run->size};
    counts_pairs pairs = {.pieces = touched(tiles->block, &all)};

    pairs.domains = touches_all(tiles, run->size) ? run->domains * tiles->owners : pairs.pieces;
    pairs.windows = window_owners(tiles, &all, window);
    if (limit > (run->size - 1) / window) {
        pairs.limited = pairs.windows;
    } else if (limit > 0) {
        uint64_t done = limit * window;
        const ranges rest = {all.n, all.start + done, all.size - done, all.pitch};
        pairs.limited = pairs.windows - window_owners(tiles, &rest, window);
    }
    return pairs;
}

counts_tiles counts_tiles_of(const atm_access *access)
{
    uint64_t range = access->end - access->start + 1, active = (uint64_t) access->active_ranks;
    uint64_t pieces = access->strided ? counts_ceil(access->bytes, access->block) : active;
    bool even = access->bytes_min == access->bytes_max;
    counts_tiles tiles = {.origin = access->start, .owners = active};

    if (access->strided)
        tiles.exact = even && active > 1 && access->stride / access->block == active &&
                      access->stride % access->block == 0 && access->bytes_max % access->block == 0;
    else
        tiles.exact = even;
    tiles.exact = tiles.exact && !access->holes && access->bytes == range;
    if (tiles.exact)
        tiles.block = access->strided ? access->block : access->bytes_max;
    else if (access->bytes > range) /* ranks share bytes */
        tiles.block = access->strided ? access->block : counts_ceil(access->bytes, active);
    else
        tiles.block = counts_ceil(range, pieces);
    return tiles;
}
