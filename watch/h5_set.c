/* Data sets.  One that is chunked, compressed, external, compact or virtual keeps its layout. */

#include "advice/chunk.h"
#include "h5_tune.h"

typedef struct target {
    const atw_h5 *h5;
    const atw_lists *lists;
    const atm_settings *set;
    int64_t list; /* a copy of the program's */
} target;

/* --- chunks, for a data set in one piece whose size is fixed */

static bool put_chunks(const target *t)
{
    const atw_h5 *h5 = t->h5;
    uint64_t sizes[ATM_CHUNK_RANK], limits[ATM_CHUNK_RANK], shape[ATM_CHUNK_RANK];
    int rank;

    if (h5->H5Pget_layout(t->list) != ATW_H5_CONTIGUOUS || h5->H5Pget_nfilters(t->list) != 0 ||
        h5->H5Sget_simple_extent_type(t->lists->space) != ATW_H5_SIMPLE)
        return false;
    rank = h5->H5Sget_simple_extent_ndims(t->lists->space);
    if (rank < 1 || rank > ATM_CHUNK_RANK ||
        h5->H5Sget_simple_extent_dims(t->lists->space, sizes, limits) != rank)
        return false;
    for (int i = 0; i < rank; i++)
        if (limits[i] != sizes[i])
            return false; /* HDF5 refuses it, and so it shall */
    return atm_chunk_shape(t->set, sizes, rank, h5->H5Tget_size(t->lists->type), shape) &&
           h5->H5Pset_chunk(t->list, rank, shape) >= 0;
}

/* --- when space is allocated, and filled */

static bool put_allocation(const target *t)
{
    int now, wanted = (int) t->set->values[ATM_SET_HDF5_ALLOCATION] + ATW_H5_EARLY;
    bool chunked = t->h5->H5Pget_layout(t->list) == ATW_H5_CHUNKED;
    int usual = chunked ? ATW_H5_INCREMENTAL : ATW_H5_LATE;

    if (!t->set->has[ATM_SET_HDF5_ALLOCATION] || t->h5->H5Pget_alloc_time(t->list, &now) < 0 ||
        now != usual || wanted == usual || (wanted == ATW_H5_INCREMENTAL && !chunked))
        return false;
    return t->h5->H5Pset_alloc_time(t->list, wanted) >= 0;
}

/* What is stored elsewhere has to be filled. */
static bool is_plain(const target *t)
{
    static const int classes[] = {ATW_H5_STRING, ATW_H5_REFERENCE, ATW_H5_VARIABLE};

    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (t->h5->H5Tdetect_class(t->lists->type, classes[i]) != 0)
            return false;
    return true;
}

/* A program that has a value of its own to fill with wants it. */
static bool put_fill(const target *t)
{
    static const int times[] = {ATW_H5_FILL_NEVER, ATW_H5_FILL_IFSET, ATW_H5_FILL_ALLOC};
    int now, value, wanted;

    if (!t->set->has[ATM_SET_HDF5_FILL] || t->h5->H5Pget_fill_time(t->list, &now) < 0 ||
        t->h5->H5Pfill_value_defined(t->list, &value) < 0 || now != ATW_H5_FILL_IFSET)
        return false;
    wanted = times[t->set->values[ATM_SET_HDF5_FILL]];
    if (wanted == ATW_H5_FILL_IFSET ||
        (wanted == ATW_H5_FILL_NEVER && (value == ATW_H5_USER_FILL || !is_plain(t))) ||
        (wanted == ATW_H5_FILL_ALLOC && value == ATW_H5_NO_FILL))
        return false;
    return t->h5->H5Pset_fill_time(t->list, wanted) >= 0;
}

/* --- all of it */

static bool put(const target *t)
{
    bool chunks = put_chunks(t);
    bool allocation = put_allocation(t);
    bool fill = put_fill(t);

    return chunks || allocation || fill;
}

/* True for contiguous and chunked data sets whose data is in the file itself. */
static bool is_ordinary(const atw_h5 *h5, int64_t list)
{
    int layout = h5->H5Pget_layout(list);

    return (layout == ATW_H5_CONTIGUOUS || layout == ATW_H5_CHUNKED) &&
           h5->H5Pget_external_count(list) == 0;
}

static const atm_settings *settings_of(const atw_h5 *h5, int64_t at)
{
    char name[4096];
    ssize_t length = h5->H5Fget_name(at, name, sizeof(name));
    const atm_settings *set =
        length > 0 && (size_t) length < sizeof(name) ? atw_h5_known(name) : NULL;

    for (int i = 0; set != NULL && i < ATM_SETTING_COUNT; i++)
        if (set->has[i] && (atw_h5_of_sets() & atw_h5_bit((atm_setting) i)))
            return set;
    return NULL;
}

void atw_h5_set(const atw_h5 *h5, atw_lists *lists)
{
    int64_t class = *h5->set_creation, given = *lists->creation;
    target t = {.h5 = h5, .lists = lists, .set = settings_of(h5, lists->at)};

    if (t.set == NULL || (given != ATW_H5_DEFAULT && h5->H5Pisa_class(given, class) <= 0))
        return;
    t.list = given == ATW_H5_DEFAULT ? h5->H5Pcreate(class) : h5->H5Pcopy(given);
    if (t.list < 0)
        return;
    if (is_ordinary(h5, t.list) && put(&t))
        *lists->creation = lists->made[0] = t.list;
    else
        h5->H5Pclose(t.list);
}
