/* What ranks write of data sets of HDF5, against an enumeration of all elements. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "hdf5/access.h"
#include "random.h"
#include "unit/models/summarise.h"

static uint64_t state = 16;

static uint64_t draw(uint64_t below)
{
    return atm_random(&state) % below;
}

/* --- pieces */

typedef struct random_case {
    atm_h5_file file;
    atm_h5_set set;
    int ranks;
    atm_h5_slab slabs[6];
} random_case;

static void draw_slab(const atm_h5_set *set, atm_h5_slab *slab)
{
    for (int i = 0; i < set->dimensions; i++) {
        uint64_t size = set->sizes[i];

        slab->block[i] = 1 + draw(size);
        slab->stride[i] = slab->block[i] + draw(3);
        slab->start[i] = draw(size - slab->block[i] + 1);
        slab->count[i] = 1 + draw((size - slab->start[i] - slab->block[i]) / slab->stride[i] + 1);
        if (draw(20) == 0)
            slab->count[i] = 0;
    }
}

static random_case draw_case(void)
{
    random_case c = {.ranks = 1 + (int) draw(6)};

    c.set.dimensions = 1 + (int) draw(4);
    c.set.element = 1 + draw(16);
    c.set.chunked = draw(3) > 0;
    c.set.fill = draw(2) > 0;
    for (int i = 0; i < c.set.dimensions; i++) {
        c.set.sizes[i] = 1 + draw(12);
        c.set.chunk[i] = 1 + draw(c.set.sizes[i]);
    }
    c.file.alignment = 1 + draw(300);
    c.file.alignment *= draw(2);
    c.file.threshold = draw(400);
    for (int i = 0; i < c.ranks; i++)
        draw_slab(&c.set, &c.slabs[i]);
    return c;
}

static bool is_selected(const atm_h5_slab *slab, int i, uint64_t x)
{
    for (uint64_t k = 0; k < slab->count[i]; k++) {
        uint64_t from = slab->start[i] + k * slab->stride[i];

        if (x >= from && x < from + slab->block[i])
            return true;
    }
    return false;
}

/* Byte of the file where an element begins; false: it is not selected. */
static bool locate(const atm_h5_placed *placed, const atm_h5_slab *slab, uint64_t index,
                   uint64_t *at_p)
{
    const atm_h5_set *set = &placed->set;
    uint64_t x[ATM_H5_DIMENSIONS], chunk = 0, inside = 0;

    for (int i = set->dimensions - 1; i >= 0; i--) {
        x[i] = index % set->sizes[i];
        index /= set->sizes[i];
        if (!is_selected(slab, i, x[i]))
            return false;
    }
    for (int i = 0; i < set->dimensions; i++) {
        chunk = chunk * placed->across[i] + x[i] / set->chunk[i];
        inside = inside * set->chunk[i] + x[i] % set->chunk[i];
    }
    *at_p = placed->at[chunk] + inside * set->element;
    return true;
}

/* Marks what a rank writes, element by element. */
static char *mark(const atm_h5_placed *placed, const atm_h5_slab *slab, uint64_t end)
{
    char *marks = calloc(end + 1, 1);
    uint64_t elements = 1, at;

    assert_non_null(marks);
    for (int i = 0; i < placed->set.dimensions; i++)
        elements *= placed->set.sizes[i];
    for (uint64_t i = 0; i < elements; i++)
        if (locate(placed, slab, i, &at))
            memset(marks + at, 1, placed->set.element);
    return marks;
}

/* The runs of marks are the pieces. */
static void compare(const char *marks, uint64_t end, int rank, const atm_h5_pieces *list)
{
    size_t count = 0;

    for (uint64_t at = 0; at < end; at++) {
        uint64_t first = at;

        while (marks[at] != 0)
            at++;
        if (at == first)
            continue;
        assert_true(count < list->count);
        assert_int_equal(list->pieces[count].offset, first);
        assert_int_equal(list->pieces[count].length, at - first);
        assert_int_equal(list->pieces[count].rank, rank);
        count++;
    }
    assert_int_equal(count, list->count);
}

static void written(void **unused)
{
    (void) unused;
    for (int round = 0; round < 3000; round++) {
        random_case c = draw_case();
        atm_h5_pieces list = {.pieces = NULL};
        atm_h5_placed *placed;
        atm_h5_space *space;

        assert_int_equal(atm_h5_space_create(&c.file, &space), ATM_OK);
        assert_int_equal(atm_h5_set_place(space, &c.set, &placed), ATM_OK);
        for (int i = 0; i < c.ranks; i++) {
            uint64_t end = atm_h5_space_end(space);
            char *marks = mark(placed, &c.slabs[i], end);

            assert_int_equal(atm_h5_written(placed, &c.slabs[i], i, &list), ATM_OK);
            compare(marks, end, i, &list);
            free(marks);
        }
        atm_h5_pieces_free(&list);
        atm_h5_placed_destroy(placed);
        atm_h5_space_destroy(space);
    }
}

/* Every chunk once, and ranks differ by one chunk at most. */
static void filled(void **unused)
{
    (void) unused;
    for (int round = 0; round < 500; round++) {
        random_case c = draw_case();
        atm_h5_pieces list = {.pieces = NULL};
        uint64_t bytes = 0, least = UINT64_MAX, most = 0;
        atm_h5_placed *placed;
        atm_h5_space *space;

        assert_int_equal(atm_h5_space_create(&c.file, &space), ATM_OK);
        assert_int_equal(atm_h5_set_place(space, &c.set, &placed), ATM_OK);
        for (int i = 0; i < c.ranks; i++) {
            uint64_t own = 0;

            assert_int_equal(atm_h5_filled(placed, c.ranks, i, &list), ATM_OK);
            for (size_t k = 0; k < list.count; k++)
                own += list.pieces[k].length;
            bytes += own;
            least = own < least ? own : least;
            most = own > most ? own : most;
        }
        assert_int_equal(bytes,
                         c.set.chunked && c.set.fill ? placed->chunks * placed->chunk_bytes : 0);
        assert_true(most - least <= placed->chunk_bytes);
        atm_h5_pieces_free(&list);
        atm_h5_placed_destroy(placed);
        atm_h5_space_destroy(space);
    }
}

/* --- summaries */

static int in_order(const void *left, const void *right)
{
    const atm_piece *a = left, *b = right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->rank - b->rank;
}

/* Slabs that are apart: the first dimension is cut. */
static void part(random_case *c)
{
    uint64_t size = c->set.sizes[0];

    for (int i = 0; i < c->ranks; i++) {
        uint64_t from = size * (uint64_t) i / (uint64_t) c->ranks;
        uint64_t to = size * (uint64_t) (i + 1) / (uint64_t) c->ranks;

        c->slabs[i] = c->slabs[0];
        c->slabs[i].start[0] = from < size ? from : size - 1;
        c->slabs[i].block[0] = c->slabs[i].stride[0] = to > from ? to - from : 1;
        c->slabs[i].count[0] = to > from;
    }
}

static void compare_summary(const atm_h5_call *call, atm_piece *pieces, size_t count)
{
    const atm_access *access = &call->access;
    atm_access expected;

    assert_int_equal(call->pieces, count);
    if (count == 0) {
        assert_int_equal(access->bytes, 0);
        return;
    }
    qsort(pieces, count, sizeof(*pieces), in_order);
    assert_int_equal(access_summarise(pieces, count, &expected), ATM_OK);
    assert_int_equal(access->strided, expected.strided);
    assert_int_equal(access->interleaved, expected.interleaved);
    assert_int_equal(access->holes, expected.holes);
    assert_int_equal(access->active_ranks, expected.active_ranks);
    assert_int_equal(access->bytes, expected.bytes);
    assert_int_equal(access->bytes_min, expected.bytes_min);
    assert_int_equal(access->bytes_max, expected.bytes_max);
    assert_int_equal(access->start, expected.start);
    assert_int_equal(access->end, expected.end);
    assert_int_equal(access->stride, expected.stride);
    if (call->smallest == call->largest)
        assert_int_equal(access->block, expected.block);
}

static void summaries(void **unused)
{
    (void) unused;
    for (int round = 0; round < 1000; round++) {
        random_case c = draw_case();
        atm_h5_pieces list = {.pieces = NULL};
        atm_piece *all = NULL;
        size_t count = 0;
        atm_h5_calls calls;
        atm_h5_placed *placed;
        atm_h5_space *space;

        part(&c);
        assert_int_equal(atm_h5_space_create(&c.file, &space), ATM_OK);
        assert_int_equal(atm_h5_set_place(space, &c.set, &placed), ATM_OK);
        assert_int_equal(atm_h5_summarise(placed, c.slabs, c.ranks, &calls), ATM_OK);
        for (int i = 0; i < c.ranks; i++) {
            assert_int_equal(atm_h5_written(placed, &c.slabs[i], i, &list), ATM_OK);
            all = realloc(all, (count + list.count + 1) * sizeof(*all));
            assert_non_null(all);
            if (list.count > 0)
                memcpy(all + count, list.pieces, list.count * sizeof(*all));
            count += list.count;
        }
        compare_summary(&calls.write, all, count);
        free(all);
        atm_h5_pieces_free(&list);
        atm_h5_placed_destroy(placed);
        atm_h5_space_destroy(space);
    }
}

/* --- what is not covered */

static void refused(void **unused)
{
    const atm_h5_set good = {
        .dimensions = 2, .sizes = {100, 100}, .element = 8, .chunked = true, .chunk = {10, 100}};
    atm_h5_slab slab = {.stride = {1, 1}, .count = {1, 1}, .block = {100, 100}};
    atm_h5_file file = {.alignment = 0};
    atm_h5_calls calls = {.chunks = 7};
    atm_h5_set set = good;

    (void) unused;
    assert_null(atm_h5_set_refused(&set));
    set.dimensions = 6;
    assert_string_equal(atm_h5_set_refused(&set), "has no dimensions, or more than 5");
    set = good;
    set.sizes[1] = 0;
    assert_string_equal(atm_h5_set_refused(&set), "has a dimension of 0");
    set = good;
    set.sizes[0] = set.sizes[1] = UINT64_C(1) << 40;
    assert_string_equal(atm_h5_set_refused(&set), "is too large");
    set = good;
    set.chunk[0] = 101;
    assert_string_equal(atm_h5_set_refused(&set), "has chunks of no size, or larger than itself");
    set = good;
    set.element = UINT64_C(1) << 30;
    assert_string_equal(atm_h5_set_refused(&set), "has chunks of 4 GiB and more");
    assert_int_equal(atm_h5_count(&file, &set, &slab, 1, &calls), ATM_BAD_ARGUMENT);
    set = good;
    set.sizes[0] = UINT64_C(1) << 25;
    set.chunk[0] = 1;
    assert_string_equal(atm_h5_set_refused(&set), "has more than a million chunks");
    slab.start[0] = 1;
    assert_int_equal(atm_h5_count(&file, &good, &slab, 1, &calls), ATM_BAD_ARGUMENT);
    slab.start[0] = 0;
    assert_int_equal(atm_h5_count(&file, &good, &slab, 0, &calls), ATM_BAD_ARGUMENT);
    file.alignment = ATM_H5_ALIGNMENT_MAX + 1;
    assert_int_equal(atm_h5_count(&file, &good, &slab, 1, &calls), ATM_BAD_ARGUMENT);
    assert_int_equal(calls.chunks, 7);
    file.alignment = 0;
    assert_int_equal(atm_h5_count(&file, &good, &slab, 1, &calls), ATM_OK);
    assert_int_equal(calls.chunks, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written),
        cmocka_unit_test(filled),
        cmocka_unit_test(summaries),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
