/* What all ranks access, joined rank by rank in any grouping, against the same
 * computed from the list of all ranks as ROMIO does it. */

#include "atc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CASES = 10000, MAX_RANKS = 12 };

static unsigned long long seed = 1;

static int below(int limit)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int) ((seed >> 33) % (unsigned) limit);
}

/* Some ranks have nothing; their range ends before it starts. */
static atc_access random_rank(void)
{
    int64_t start = below(50);
    int bytes = below(3) == 0 ? 0 : 1 + below(30), pieces = bytes > 1 ? 1 + below(2) : 1;
    int64_t end = start + bytes - 1 + (pieces > 1 ? below(20) : 0);

    if (pieces > 1 && below(8) == 0) /* a filetype that overlaps itself */
        end = below((int) start + 1);
    atc_access access = atc_access_of_rank(start, end, (uint64_t) bytes, (uint64_t) pieces, 7);

    access.times[0] = below(100);
    access.spare = (uint64_t) below(100);
    return access;
}

/* ad_write_coll.c:119 */
static int interleaved(const atc_access *rank, int ranks)
{
    int count = 0;

    for (int i = 1; i < ranks; i++)
        if (rank[i].first_start < rank[i - 1].first_end && rank[i].first_start <= rank[i].first_end)
            count++;
    return count > 0;
}

/* In an order of joins that a reduction might choose. */
static atc_access join_all(const atc_access *rank, int ranks)
{
    atc_access left, right;
    int half = 1 + (ranks > 2 ? below(ranks - 1) : 0);

    if (ranks == 1)
        return rank[0];
    left = join_all(rank, half);
    right = join_all(rank + half, ranks - half);
    return atc_access_join(&left, &right);
}

static void same_as_list(void **state)
{
    atc_access rank[MAX_RANKS];

    (void) state;
    for (int i = 0; i < CASES; i++) {
        int ranks = 1 + below(MAX_RANKS), active = 0;
        int64_t start = INT64_MAX, end = -1;
        uint64_t bytes = 0, least = UINT64_MAX, most = 0, pieces = 0, spare = UINT64_MAX;
        double slowest = 0;
        atc_access all;

        for (int k = 0; k < ranks; k++) {
            rank[k] = random_rank();
            slowest = rank[k].times[0] > slowest ? rank[k].times[0] : slowest;
            spare = rank[k].spare < spare ? rank[k].spare : spare;
            if (rank[k].bytes == 0)
                continue;
            active++;
            assert_true(rank[k].start <= rank[k].end);
            start = rank[k].start < start ? rank[k].start : start;
            end = rank[k].end > end ? rank[k].end : end;
            bytes += rank[k].bytes;
            pieces += rank[k].pieces;
            least = rank[k].bytes < least ? rank[k].bytes : least;
            most = rank[k].bytes > most ? rank[k].bytes : most;
        }
        all = join_all(rank, ranks);
        assert_int_equal(all.interleaved, interleaved(rank, ranks));
        assert_int_equal(all.active, active);
        assert_true(all.bytes == bytes && all.pieces == pieces && all.bytes_max == most);
        assert_true(all.times[0] == slowest && all.spare == spare);
        if (active > 0)
            assert_true(all.start == start && all.end == end && all.bytes_min == least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_list)};

    return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
