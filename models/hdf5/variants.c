/* Ways to store a data set. */

#include "variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/chunk.h"

#define ROWS_BYTES (UINT64_C(1) << 20) /* of chunks of whole rows, at least */

/* --- which there are */

typedef enum layout { AS_GIVEN, CONTIGUOUS, BLOCKS, ROWS } layout;

static const struct {
    const char *name;
    layout layout;
    bool aligned, unfilled;
} shapes[] = {
    {"as given", AS_GIVEN, false, false},
    {"contiguous", CONTIGUOUS, false, false},
    {"contiguous, aligned", CONTIGUOUS, true, false},
    {"chunks of a block", BLOCKS, false, false},
    {"chunks of a block, not filled", BLOCKS, false, true},
    {"chunks of a block, aligned, not filled", BLOCKS, true, true},
    {"chunks of rows, not filled", ROWS, false, true},
    {"chunks of rows, aligned, not filled", ROWS, true, true},
};

_Static_assert(sizeof(shapes) / sizeof(shapes[0]) == ATM_H5_VARIANTS, "a variant of each");

uint64_t atm_h5_unit(const atm_request *request)
{
    if (request->driver == ATM_LUSTRE && request->defaults.stripe_size > 0)
        return request->defaults.stripe_size;
    if (request->driver == ATM_GPFS && request->defaults.block > 0)
        return request->defaults.block;
    return UINT64_C(1) << 20;
}

/* The largest block of a rank, in each dimension. */
static void block_shape(const atm_h5_question *question, int ranks, uint64_t *shape_p)
{
    for (int i = 0; i < question->set.dimensions; i++) {
        shape_p[i] = 1;
        for (int k = 0; k < ranks; k++)
            if (question->slabs[k].count[i] > 0 && question->slabs[k].block[i] > shape_p[i])
                shape_p[i] = question->slabs[k].block[i];
    }
}

/* What advice has to say of chunks.  A shape that is the whole data set is none. */
static void advise_chunks(const atm_h5_question *question, int ranks, layout layout, uint64_t unit,
                          atm_settings *settings)
{
    const int dimensions = question->set.dimensions;

    if (layout == BLOCKS) {
        settings->has[ATM_SET_HDF5_CHUNK] = true;
        settings->values[ATM_SET_HDF5_CHUNK] = (uint64_t) dimensions;
        block_shape(question, ranks, settings->chunk);
    } else {
        settings->has[ATM_SET_HDF5_CHUNK_BYTES] = true;
        settings->values[ATM_SET_HDF5_CHUNK_BYTES] = unit > ROWS_BYTES ? unit : ROWS_BYTES;
    }
}

/* Half a unit: smaller objects would take up more than twice their size. */
static uint64_t threshold_of(uint64_t unit)
{
    return unit / 2;
}

/* Bytes that are allocated at once; 0: they are refused anyway. */
static uint64_t bytes_at_once(const atm_h5_set *set)
{
    const uint64_t *shape = set->chunked ? set->chunk : set->sizes;
    uint64_t bytes = set->element;

    for (int i = 0; i < set->dimensions; i++)
        if (__builtin_mul_overflow(bytes, shape[i], &bytes))
            return 0;
    return bytes;
}

static void advise_rest(atm_h5_variant *variant, bool aligned, bool unfilled, uint64_t unit)
{
    atm_settings *settings = &variant->settings;

    if (aligned) {
        settings->has[ATM_SET_HDF5_ALIGNMENT] = true;
        settings->values[ATM_SET_HDF5_ALIGNMENT] = variant->file.alignment = unit;
        settings->threshold = variant->file.threshold = threshold_of(unit);
    }
    if (unfilled && variant->set.fill) {
        settings->has[ATM_SET_HDF5_FILL] = true;
        settings->values[ATM_SET_HDF5_FILL] = 0; /* never */
        variant->set.fill = false;
    }
}

static bool is_same(const atm_h5_variant *one, const atm_h5_variant *other)
{
    const atm_h5_set *a = &one->set, *b = &other->set;
    bool aligned = one->file.alignment > 1;

    if (a->chunked != b->chunked || aligned != (other->file.alignment > 1))
        return false;
    if (aligned && (one->file.alignment != other->file.alignment ||
                    one->file.threshold != other->file.threshold))
        return false;
    return !a->chunked ||
           (a->fill == b->fill &&
            memcmp(a->chunk, b->chunk, (size_t) a->dimensions * sizeof(*a->chunk)) == 0);
}

/* False if this data set cannot be stored this way. */
static bool make(const atm_h5_question *question, int ranks, uint64_t unit, int index,
                 atm_h5_variant *variant_p)
{
    atm_h5_variant variant = {
        .name = shapes[index].name, .file = question->file, .set = question->set};
    layout layout = shapes[index].layout;

    if (layout != AS_GIVEN) {
        variant.file.alignment = variant.file.threshold = 0;
        variant.set.chunked = false;
    }
    if (layout == BLOCKS || layout == ROWS) {
        advise_chunks(question, ranks, layout, unit, &variant.settings);
        variant.set.chunked =
            atm_chunk_shape(&variant.settings, variant.set.sizes, variant.set.dimensions,
                            variant.set.element, variant.set.chunk);
        if (!variant.set.chunked || (!shapes[index].unfilled && !question->set.fill))
            return false;
    }
    if (shapes[index].aligned && bytes_at_once(&variant.set) < threshold_of(unit))
        return false;
    advise_rest(&variant, shapes[index].aligned, shapes[index].unfilled, unit);
    if (atm_h5_set_refused(&variant.set) != NULL)
        return false;
    *variant_p = variant;
    return true;
}

/* True if an equal variant is already there. */
static bool is_known(const atm_h5_variants *all, const atm_h5_variant *variant)
{
    for (int i = 0; i < all->count; i++)
        if (is_same(&all->variants[i], variant))
            return true;
    return false;
}

/* --- what they cost */

/* Predicts a series of calls with this configuration. */
static atm_status predict(const atm_request *request, const atm_profile *profile,
                          const atm_config *config, atm_prediction *prediction_p)
{
    atm_counts counts;
    atm_status status = atm_count_request(request, config, &counts);

    if (status == ATM_OK)
        atm_predict_counts(profile, &counts, NULL, INFINITY, prediction_p);
    return status;
}

static atm_status predict_calls(const atm_request *request, const atm_profile *profile,
                                const atm_h5_calls *calls, const atm_config *config,
                                atm_h5_time *time_p)
{
    atm_request fill = *request, write = *request;
    atm_prediction filling = {.seconds = 0}, writing;
    atm_status status = ATM_OK;

    fill.access = calls->fill.access;
    write.access = calls->write.access;
    if (fill.access.bytes > 0)
        status = predict(&fill, profile, config, &filling);
    if (status == ATM_OK)
        status = predict(&write, profile, config, &writing);
    if (status != ATM_OK)
        return status;
    *time_p = (atm_h5_time){.seconds = filling.seconds + writing.seconds, .fill = filling.seconds};
    time_p->uncertainty =
        (filling.seconds * filling.uncertainty + writing.seconds * writing.uncertainty) /
        time_p->seconds;
    return ATM_OK;
}

/* The file is new for whichever call comes first. */
static atm_status count(const atm_request *request, const atm_h5_question *question,
                        atm_h5_variant *variant)
{
    atm_h5_calls *calls = &variant->calls;
    atm_status status =
        atm_h5_count(&variant->file, &variant->set, question->slabs, request->job.ranks, calls);

    if (status != ATM_OK)
        return status;
    calls->fill.access.new_file = request->access.new_file && calls->fill.access.bytes > 0;
    calls->write.access.new_file = request->access.new_file && calls->fill.access.bytes == 0;
    /* Nobody writes: there is nothing to predict. */
    return calls->write.access.bytes > 0 ? ATM_OK : ATM_BAD_ARGUMENT;
}

static atm_status evaluate(const atm_request *request, const atm_profile *profile,
                           const atm_h5_question *question, atm_h5_variant *variant)
{
    atm_request write = *request;
    atm_choice *choice;
    atm_status status = count(request, question, variant);

    if (status != ATM_OK)
        return status;
    write.access = variant->calls.write.access;
    status = atm_choose(&write, profile, &choice);
    if (status != ATM_OK)
        return status;
    variant->config = choice->candidates[choice->chosen].config;
    atm_choice_destroy(choice);
    status = predict_calls(request, profile, &variant->calls, &variant->config, &variant->chosen);
    if (status == ATM_OK)
        status = predict_calls(request, profile, &variant->calls, &request->defaults,
                               &variant->defaults);
    return status;
}

static int find_best(const atm_h5_variants *all)
{
    double shortest = INFINITY;
    int best = 0;

    for (int i = 0; i < all->count; i++)
        shortest = fmin(shortest, all->variants[i].chosen.seconds);
    while (all->variants[best].chosen.seconds > shortest * (1 + ATM_TIE))
        best++;
    return best;
}

atm_status atm_h5_compare(const atm_request *request, const atm_profile *profile,
                          const atm_h5_question *question, atm_h5_variants **variants_p)
{
    atm_h5_variants *all = calloc(1, sizeof(*all));
    atm_status status = all != NULL ? ATM_OK : ATM_NO_MEMORY;

    if (all != NULL)
        all->unit = atm_h5_unit(request);
    for (int i = 0; status == ATM_OK && i < ATM_H5_VARIANTS; i++) {
        atm_h5_variant *variant = &all->variants[all->count];

        if (!make(question, request->job.ranks, all->unit, i, variant)) {
            if (i == 0)
                status = ATM_BAD_ARGUMENT;
            continue;
        }
        if (is_known(all, variant))
            continue;
        status = evaluate(request, profile, question, variant);
        if (status == ATM_OK)
            all->count++;
        else if (i > 0 && status == ATM_BAD_ARGUMENT)
            status = ATM_OK; /* not covered */
    }
    if (status == ATM_OK) {
        all->best = find_best(all);
        *variants_p = all;
    } else {
        atm_h5_variants_destroy(all);
    }
    return status;
}

void atm_h5_variants_destroy(atm_h5_variants *variants)
{
    free(variants);
}
