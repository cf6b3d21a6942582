/* An HDF5 that has nothing but lists, which remember what is set. */

#ifndef HDF5_HELP_H
#define HDF5_HELP_H

#include <stdio.h>

#include "watch/h5_tune.h"
#include "help.h"

enum { ACCESS_CLASS = 101, CREATION_CLASS, SET_CLASS, LISTS = 64, FIRST_LIST = 1000 };
enum { SEC2 = 1, FAMILY = 7 };

typedef struct list {
    bool open;
    int64_t class, driver;
    uint64_t alignment[2], block, page;
    size_t sieve, cache;
    int versions[2], strategy;
    int layout, allocation, fill, filters, external, fill_value;
    uint64_t chunk[4];
} list;

static list lists[LISTS];
static int made;

static list *at(int64_t id)
{
    assert_in_range(id, FIRST_LIST, FIRST_LIST + made - 1);
    assert_true(lists[id - FIRST_LIST].open);
    return &lists[id - FIRST_LIST];
}

static int64_t create(int64_t class)
{
    assert_true(made < LISTS);
    lists[made] = (list){.open = true,
                         .class = class,
                         .driver = SEC2,
                         .alignment = {1, 1},
                         .block = 2048,
                         .page = 4096,
                         .sieve = 65536,
                         .cache = 1048576,
                         .versions = {0, 2},
                         .layout = ATW_H5_CONTIGUOUS,
                         .allocation = ATW_H5_LATE,
                         .fill = ATW_H5_FILL_IFSET,
                         .fill_value = 1};
    return FIRST_LIST + made++;
}

static int64_t copy(int64_t id)
{
    int64_t other = create(0);

    *at(other) = *at(id);
    return other;
}

static int close_list(int64_t id)
{
    at(id)->open = false;
    return 0;
}

static int is_class(int64_t id, int64_t class)
{
    return id >= FIRST_LIST && id < FIRST_LIST + made && at(id)->class == class;
}

static int64_t driver(int64_t id)
{
    return at(id)->driver;
}

static int set_sec2(int64_t id)
{
    at(id)->driver = SEC2;
    return 0;
}

#define ONE(name, type, member)                                                                    \
    static int get_##name(int64_t id, type *value)                                                 \
    {                                                                                              \
        *value = at(id)->member;                                                                   \
        return 0;                                                                                  \
    }                                                                                              \
    static int set_##name(int64_t id, type value)                                                  \
    {                                                                                              \
        at(id)->member = value;                                                                    \
        return 0;                                                                                  \
    }

ONE(block, uint64_t, block)
ONE(page, uint64_t, page)
ONE(sieve, size_t, sieve)
ONE(allocation, int, allocation)
ONE(fill, int, fill)

static int get_alignment(int64_t id, uint64_t *threshold, uint64_t *alignment)
{
    *threshold = at(id)->alignment[0];
    *alignment = at(id)->alignment[1];
    return 0;
}

static int set_alignment(int64_t id, uint64_t threshold, uint64_t alignment)
{
    at(id)->alignment[0] = threshold;
    at(id)->alignment[1] = alignment;
    return 0;
}

static int get_cache(int64_t id, int *elements, size_t *slots, size_t *bytes, double *weight)
{
    *elements = 0;
    *slots = 521;
    *bytes = at(id)->cache;
    *weight = 0.75;
    return 0;
}

static int set_cache(int64_t id, int elements, size_t slots, size_t bytes, double weight)
{
    assert_true(elements == 0 && slots == 521 && weight == 0.75);
    at(id)->cache = bytes;
    return 0;
}

static int get_versions(int64_t id, int *low, int *high)
{
    *low = at(id)->versions[0];
    *high = at(id)->versions[1];
    return 0;
}

static int set_versions(int64_t id, int low, int high)
{
    at(id)->versions[0] = low;
    at(id)->versions[1] = high;
    return 0;
}

static int version(unsigned *major, unsigned *minor, unsigned *release)
{
    *major = 1;
    *minor = 10;
    *release = 8;
    return 0;
}

static int get_strategy(int64_t id, int *strategy, void *persist, uint64_t *threshold)
{
    *strategy = at(id)->strategy;
    *(bool *) persist = false;
    *threshold = 1;
    return 0;
}

static int set_strategy(int64_t id, int strategy, int persist, uint64_t threshold)
{
    assert_true(persist == 0 && threshold == 1);
    at(id)->strategy = strategy;
    return 0;
}

static int layout(int64_t id)
{
    return at(id)->layout;
}

static int set_chunk(int64_t id, int rank, const uint64_t *shape)
{
    at(id)->layout = ATW_H5_CHUNKED;
    at(id)->allocation = at(id)->allocation == ATW_H5_LATE ? ATW_H5_INCREMENTAL : ATW_H5_EARLY;
    memcpy(at(id)->chunk, shape, (size_t) rank * sizeof(*shape));
    return 0;
}

static int fill_value(int64_t id, int *value)
{
    *value = at(id)->fill_value;
    return 0;
}

static int filters(int64_t id)
{
    return at(id)->filters;
}

static int external(int64_t id)
{
    return at(id)->external;
}

/* A space of 10 x 20 elements of 8 bytes, in a file that a test names. */
static struct {
    int type;
    uint64_t limit;
    int class; /* that the type has */
    const char *file;
} data;

static int space_type(int64_t id)
{
    (void) id;
    return data.type;
}

static int dimensions(int64_t id)
{
    (void) id;
    return 2;
}

static int sizes(int64_t id, uint64_t *now, uint64_t *most)
{
    (void) id;
    now[0] = 10;
    now[1] = most[1] = 20;
    most[0] = data.limit;
    return 2;
}

static size_t type_size(int64_t id)
{
    (void) id;
    return 8;
}

static int has_class(int64_t id, int class)
{
    (void) id;
    return class == data.class;
}

static ssize_t file_name(int64_t id, char *name, size_t size)
{
    (void) id;
    return snprintf(name, size, "%s", data.file);
}

static const int64_t classes[] = {ACCESS_CLASS, CREATION_CLASS, SET_CLASS};

static const atw_h5 whole = {.H5get_libversion = version,
                             .H5Pcreate = create,
                             .H5Pcopy = copy,
                             .H5Pclose = close_list,
                             .H5Pisa_class = is_class,
                             .H5Pget_driver = driver,
                             .H5Pget_alignment = get_alignment,
                             .H5Pset_alignment = set_alignment,
                             .H5Pget_meta_block_size = get_block,
                             .H5Pset_meta_block_size = set_block,
                             .H5Pget_sieve_buf_size = get_sieve,
                             .H5Pset_sieve_buf_size = set_sieve,
                             .H5Pget_cache = get_cache,
                             .H5Pset_cache = set_cache,
                             .H5Pget_libver_bounds = get_versions,
                             .H5Pset_libver_bounds = set_versions,
                             .H5Pget_layout = layout,
                             .H5Pset_chunk = set_chunk,
                             .H5Pget_alloc_time = get_allocation,
                             .H5Pset_alloc_time = set_allocation,
                             .H5Pget_fill_time = get_fill,
                             .H5Pset_fill_time = set_fill,
                             .H5Pfill_value_defined = fill_value,
                             .H5Pget_nfilters = filters,
                             .H5Pget_external_count = external,
                             .H5Sget_simple_extent_type = space_type,
                             .H5Sget_simple_extent_ndims = dimensions,
                             .H5Sget_simple_extent_dims = sizes,
                             .H5Tget_size = type_size,
                             .H5Tdetect_class = has_class,
                             .H5Fget_name = file_name,
                             .H5Pset_fapl_sec2 = set_sec2,
                             .H5Pget_file_space_strategy = get_strategy,
                             .H5Pset_file_space_strategy = set_strategy,
                             .H5Pget_file_space_page_size = get_page,
                             .H5Pset_file_space_page_size = set_page,
                             .file_access = &classes[0],
                             .file_creation = &classes[1],
                             .set_creation = &classes[2]};

#endif /* HDF5_HELP_H */
