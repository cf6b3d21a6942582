/*
 * Whatever ranks access in a collective call, the model has a decision for it:
 * random views and offsets, through the summary that the driver makes of them
 * (ad_autotune_access.c).
 */

#include "atc.h"

#include "unit/models/choose_help.h"

#include <math.h>

enum { CASES = 4000, MAX_RANKS = 9, MAX_BLOCKS = 6 };

/* A view as ROMIO flattens it. */
typedef struct view {
    int blocks;
    int64_t index[MAX_BLOCKS], length[MAX_BLOCKS]; /* of a filetype */
    int64_t size, extent, disp;
} view;

/* Blocks in rising order, as MPI wants them.  Filetypes of a file that is only read
 * may be resized so that they overlap. */
static view random_view(bool write)
{
    view view = {.blocks = 1 + random_below(MAX_BLOCKS)};
    int64_t at = random_below(2) ? (int64_t) random_size(10) : 0;

    for (int i = 0; i < view.blocks; i++) {
        view.index[i] = at;
        view.length[i] = random_below(8) ? (int64_t) random_size(random_below(24)) : 0;
        view.size += view.length[i];
        at += view.length[i];
        at += random_below(3) ? (int64_t) random_size(random_below(30)) : 0;
    }
    view.extent = random_below(2) ? at : at + (int64_t) random_size(30);
    if (!write && at > 0 && random_below(4) == 0)
        view.extent = 1 + (int64_t) (random_bits() % (uint64_t) at);
    return view;
}

static int64_t offset_of(const view *view, int64_t data)
{
    int64_t base = view->disp + data / view->size * view->extent, rest = data % view->size;
    int i = 0;

    while (rest >= view->length[i])
        rest -= view->length[i++];
    return base + view->index[i] + rest;
}

static int64_t blocks_of(const view *view, uint64_t *stride_p)
{
    int64_t end = 0, first = 0, last = 0, blocks = 0;

    for (int i = 0; i < view->blocks; i++) {
        if (view->length[i] == 0)
            continue;
        if (blocks == 0 || view->index[i] != end) {
            first = blocks == 0 ? view->index[i] : first;
            last = view->index[i];
            blocks++;
        }
        end = view->index[i] + view->length[i];
    }
    *stride_p = blocks > 1 ? (uint64_t) ((last - first) / (blocks - 1)) : (uint64_t) view->extent;
    return blocks;
}

static atc_access access_of_view(const view *view, int64_t data, int64_t bytes)
{
    uint64_t stride, pieces;
    int64_t blocks;

    if (bytes == 0)
        return atc_access_of_rank(offset_of(view, data), 0, 0, 0, 0);
    blocks = blocks_of(view, &stride);
    pieces = (uint64_t) ((double) bytes / (double) view->size * (double) blocks + 0.5);
    return atc_access_of_rank(offset_of(view, data), offset_of(view, data + bytes - 1),
                              (uint64_t) bytes, pieces > 0 ? pieces : 1, stride);
}

static atc_access random_rank(bool write, int64_t far)
{
    view view = random_view(write);
    int64_t bytes = random_below(5) ? (int64_t) random_size(random_below(40)) : 0;
    int64_t data = random_below(2) ? (int64_t) random_size(random_below(30)) : 0;

    if (view.size == 0 || random_below(3) == 0)
        return atc_access_of_rank(far + data, far + data + bytes - 1, (uint64_t) bytes, 1, 0);
    view.disp = far + (random_below(2) ? (int64_t) random_size(34) : 0);
    bytes = bytes > 64 * view.size ? 64 * view.size + bytes % view.size : bytes;
    return access_of_view(&view, data % (2 * view.size), bytes);
}

static atc_access random_call(bool write, int ranks)
{
    int64_t far = random_below(8) ? 0 : (int64_t) random_size(62);
    bool same = random_below(4) == 0; /* all read the same, or each its own */
    atc_access all = random_rank(write, far), next = all;

    for (int i = 1; i < ranks; i++) {
        if (!same)
            next = random_rank(write, random_below(8) ? far : (int64_t) random_size(62));
        all = atc_access_join(&all, &next);
    }
    return all;
}

static atm_access model_access(const atc_access *all, bool write)
{
    return (atm_access){.write = write,
                        .strided = all->strided,
                        .interleaved = all->interleaved,
                        .holes = all->bytes < (uint64_t) (all->end - all->start) + 1,
                        .new_file = write && random_below(2),
                        .active_ranks = all->active,
                        .bytes_min = all->bytes_min,
                        .bytes_max = all->bytes_max,
                        .bytes = all->bytes,
                        .start = (uint64_t) all->start,
                        .end = (uint64_t) all->end,
                        .block = all->strided ? (all->bytes + all->pieces - 1) / all->pieces
                                              : all->bytes_max,
                        .stride = all->strided ? all->stride : 0};
}

static void check_choice(const atm_request *request, const atm_choice *choice)
{
    for (int i = 0; i < choice->count; i++) {
        const atm_candidate *candidate = &choice->candidates[i];
        double seconds = 0;

        assert_int_not_equal(candidate->verdict, ATM_UNCOUNTED);
        for (int part = 0; part < ATM_PART_COUNT; part++) {
            assert_true(isfinite(candidate->prediction.parts[part]));
            assert_true(candidate->prediction.parts[part] >= 0);
            seconds += candidate->prediction.parts[part];
        }
        assert_true(seconds > 0 && candidate->prediction.parts[ATM_STORAGE] > 0);
        assert_true(request->access.bytes == 0 || candidate->rounds > 0);
    }
}

/* Items are what the surrogates are asked about. */
static void check_counts(const atm_request *request, const atm_config *config)
{
    atm_counts counts;

    assert_int_equal(
        atm_count(NULL, request->driver, &request->job, &request->access, config, &counts), ATM_OK);
    for (int i = 0; i < counts.item_count; i++) {
        assert_true(isfinite(counts.items[i].count) && counts.items[i].count > 0);
        for (int k = 0; k < ATM_FEATURE_COUNT; k++)
            assert_true(isfinite(counts.items[i].features[k]) && counts.items[i].features[k] > 0);
    }
    assert_true(counts.accesses > 0 && counts.access_bytes > 0);
}

static void every_access_has_a_decision(void **state)
{
    atm_profile *profile = simple_profile(1e-5, 1e-9, 0.1);
    int refused = 0, decided = 0;

    (void) state;
    seed = 1;
    for (int i = 0; i < CASES; i++) {
        int ranks = 1 + random_below(MAX_RANKS), nodes = 1 + random_below(ranks);
        atm_driver driver = (atm_driver) random_below(ATM_DRIVER_COUNT);
        atm_request request = request_for(driver, nodes, 1, 1, profile);
        bool write = random_below(2);
        atc_access all = random_call(write, ranks);
        atm_choice *choice = NULL;

        request.job.ranks = ranks;
        request.mode = (atm_mode) random_below(ATM_MODE_COUNT);
        request.whole = true;
        request.access = model_access(&all, write);
        if (all.active == 0) /* the driver decides nothing then */
            continue;
        if (atm_choose(&request, profile, &choice) != ATM_OK) {
            refused++;
            continue;
        }
        decided++;
        check_choice(&request, choice);
        check_counts(&request, &choice->candidates[choice->chosen].config);
        atm_choice_destroy(choice);
    }
    print_message("# %d decided, %d refused\n", decided, refused);
    assert_int_equal(refused, 0);
    assert_true(decided > CASES / 2);
    atm_profile_destroy(profile);
}

/* --- what was refused once, by hand */

static void decides(atc_access one, atc_access other, bool write)
{
    atm_profile *profile = simple_profile(1e-5, 1e-9, 0.1);
    atm_request request = request_for(ATM_LUSTRE, 2, 1, 1, profile);
    atc_access all = atc_access_join(&one, &other);
    atm_choice *choice = NULL;

    request.access = model_access(&all, write);
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
    check_choice(&request, choice);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* Small pieces close together, and a large one: the average is more than their
 * distance. */
static void blocks_larger_than_the_stride(void **state)
{
    (void) state;
    decides(atc_access_of_rank(0, 29, 20, 2, 20), atc_access_of_rank(100, 1000099, 1000000, 1, 0),
            true);
}

/* The last block of the filetype is far away, and not reached. */
static void stride_larger_than_the_file(void **state)
{
    (void) state;
    decides(atc_access_of_rank(0, 29, 20, 3, 333333), atc_access_of_rank(30, 59, 20, 3, 333333),
            true);
}

/* A filetype that overlaps itself: more bytes than the range has, and the last of
 * them before the first. */
static void bytes_read_again(void **state)
{
    (void) state;
    decides(atc_access_of_rank(0, 9, 1000, 10, 5), atc_access_of_rank(0, 9, 1000, 10, 5), false);
    decides(atc_access_of_rank(500, 20, 1000, 10, 5), atc_access_of_rank(0, 9, 1000, 10, 5), false);
}

static void offsets_of_exbibytes(void **state)
{
    const int64_t far = INT64_C(1) << 62;

    (void) state;
    decides(atc_access_of_rank(far, far + 99, 100, 1, 0),
            atc_access_of_rank(far + 100, far + 199, 100, 1, 0), true);
    decides(atc_access_of_rank(0, 99, 100, 1, 0), atc_access_of_rank(far, far + 99, 100, 1, 0),
            true);
    decides(atc_access_of_rank(0, 99, 100, 1, 0),
            atc_access_of_rank(INT64_MAX - 99, INT64_MAX, 100, 1, 0), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_larger_than_the_stride),
        cmocka_unit_test(stride_larger_than_the_file),
        cmocka_unit_test(bytes_read_again),
        cmocka_unit_test(offsets_of_exbibytes),
        cmocka_unit_test(every_access_has_a_decision),
    };

    return cmocka_run_group_tests_name("any access", tests, NULL, NULL);
}
