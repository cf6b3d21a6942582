/* Property lists of seeded programs, and what is read back of files and data sets. */

#ifndef TUNED_LISTS_H
#define TUNED_LISTS_H

#include <stdarg.h>
#include <stdatomic.h>

#include "tuned.h"

#ifdef WITH_MPI
#include <mpi.h>
#endif

static int rank, ranks = 1;
static atomic_int failed;

__attribute__((format(printf, 2, 3))) static int expect(int holds, const char *format, ...)
{
    va_list list;

    if (holds)
        return 1;
    atomic_fetch_add(&failed, 1);
    flockfile(stderr);
    fprintf(stderr, "rank %d: ", rank);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
    funlockfile(stderr);
    return 0;
}

/* --- lists */

#ifdef WITH_MPI
static void use_mpi(hid_t list, int hint)
{
    MPI_Info info = MPI_INFO_NULL;

    if (hint) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "cb_nodes", "3");
    }
    H5Pset_fapl_mpio(list, MPI_COMM_WORLD, info);
    if (hint)
        MPI_Info_free(&info);
}
#endif

static hid_t access_of(const program *p)
{
    hid_t list;

    if (p->defaults)
        return H5P_DEFAULT;
    list = H5Pcreate(H5P_FILE_ACCESS);
    if (p->driver == CORE)
        H5Pset_fapl_core(list, 65536, 1);
    if (p->driver == STDIO)
        H5Pset_fapl_stdio(list);
#ifdef WITH_MPI
    if (p->driver == SHARED)
        use_mpi(list, p->hint);
#endif
    if (p->alignment)
        H5Pset_alignment(list, OWN_THRESHOLD, OWN_ALIGNMENT);
    if (p->block)
        H5Pset_meta_block_size(list, OWN_BLOCK);
    if (p->sieve)
        H5Pset_sieve_buf_size(list, OWN_SIEVE);
    if (p->cache)
        H5Pset_cache(list, 0, 521, OWN_CACHE, 0.75);
    return list;
}

static hid_t copy_of(hid_t list)
{
    return list == H5P_DEFAULT ? H5P_DEFAULT : H5Pcopy(list);
}

#ifdef WITH_MPI
/* From 1.14 on HDF5 writes what MPI-IO made of the hints into the list that it was given. */
#define KEEPS_HINTS (!H5_VERSION_GE(1, 14, 0))

/* HDF5 1.10 takes no two lists of MPI-IO for equal. */
typedef struct properties {
    hsize_t threshold, alignment, block;
    size_t sieve, slots, cache;
    int writes, hinted;
    char hint[16];
} properties;

static properties properties_of(hid_t list)
{
    properties p;
    hbool_t writes = 0;
    double weight;
    int elements;
    MPI_Comm comm;
    MPI_Info info;

    memset(&p, 0, sizeof(p));
    H5Pget_alignment(list, &p.threshold, &p.alignment);
    H5Pget_meta_block_size(list, &p.block);
    H5Pget_sieve_buf_size(list, &p.sieve);
    H5Pget_cache(list, &elements, &p.slots, &p.cache, &weight);
    H5Pget_coll_metadata_write(list, &writes);
    p.writes = writes;
    H5Pget_fapl_mpio(list, &comm, &info);
    MPI_Comm_free(&comm);
    if (info != MPI_INFO_NULL) {
        if (KEEPS_HINTS)
            MPI_Info_get(info, "cb_nodes", (int) sizeof(p.hint) - 1, p.hint, &p.hinted);
        MPI_Info_free(&info);
    }
    return p;
}
#endif

static int are_equal(hid_t list, hid_t other)
{
#ifdef WITH_MPI
    if (H5Pisa_class(list, H5P_FILE_ACCESS) > 0 && H5Pget_driver(list) == H5FD_MPIO) {
        properties one = properties_of(list), two = properties_of(other);

        return memcmp(&one, &two, sizeof(one)) == 0;
    }
#endif
    return H5Pequal(list, other) > 0;
}

/* The program's list is what it was; closes both. */
static void end_list(hid_t list, hid_t before, const char *what)
{
    if (list == H5P_DEFAULT)
        return;
    expect(are_equal(list, before), "%s: the program's list has changed", what);
    H5Pclose(list);
    H5Pclose(before);
}

static hsize_t pick(int own, hsize_t owns, int advised, hsize_t otherwise)
{
    return own ? owns : advised ? (hsize_t) advised : otherwise;
}

#ifdef WITH_MPI
static void check_mpi(hid_t list, const program *p, const wanted *w, int hints, const char *name)
{
    properties now = properties_of(list);
    char wants[16] = "";

    if (p->hint)
        strcpy(wants, "3");
    else if (hints && w->cb_nodes)
        snprintf(wants, sizeof(wants), "%d", w->cb_nodes);
    expect(now.writes == w->writes, "%s: collective metadata writes %d", name, now.writes);
    expect(!KEEPS_HINTS || strcmp(now.hint, wants) == 0, "%s: cb_nodes '%s' instead of '%s'", name,
           now.hint, wants);
}
#endif

/* w: zeros where there is no advice. */
static void check_file(hid_t file, const program *p, const wanted *w, int hints, const char *name)
{
    hid_t list = H5Fget_access_plist(file);
    hsize_t threshold, alignment, block;
    size_t sieve, slots, cache;
    double weight;
    int elements;

    H5Pget_alignment(list, &threshold, &alignment);
    H5Pget_meta_block_size(list, &block);
    H5Pget_sieve_buf_size(list, &sieve);
    H5Pget_cache(list, &elements, &slots, &cache, &weight);
    expect(alignment == pick(p->alignment, OWN_ALIGNMENT, w->alignment, 1), "%s: alignment %d",
           name, (int) alignment);
    expect(threshold == (p->alignment   ? OWN_THRESHOLD
                         : w->alignment ? w->threshold
                                        : 1),
           "%s: threshold %d", name, (int) threshold);
    expect(block == pick(p->block, OWN_BLOCK, w->block, 2048), "%s: metadata block %d", name,
           (int) block);
    expect(sieve == pick(p->sieve, OWN_SIEVE, w->sieve, 65536), "%s: sieve buffer %d", name,
           (int) sieve);
    expect(cache == pick(p->cache, OWN_CACHE, w->cache, 1048576), "%s: chunk cache %d", name,
           (int) cache);
#ifdef WITH_MPI
    if (p->driver == SHARED)
        check_mpi(list, p, w, hints, name);
#else
    (void) hints;
#endif
    H5Pclose(list);
}

/* --- data sets */

static hid_t creation_of(const data_set *s, const char *file, int number)
{
    hsize_t chunk[RANK];
    char external[128];
    int fill = OWN_FILL;
    hid_t list;

    if (s->kind == CONTIGUOUS || s->kind == EMPTY || s->kind == STRINGS)
        return H5P_DEFAULT;
    list = H5Pcreate(H5P_DATASET_CREATE);
    for (int i = 0; i < s->rank; i++)
        chunk[i] = s->sizes[i] > 7 ? 7 : s->sizes[i];
    if (s->kind == CHUNKED || s->kind == EXTENSIBLE || s->kind == FILTERED)
        H5Pset_chunk(list, s->rank, chunk);
    if (s->kind == FILTERED && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
        H5Pset_deflate(list, 1);
    if (s->kind == FILLED)
        H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
    if (s->kind == EARLY) {
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC);
    }
    if (s->kind == COMPACT)
        H5Pset_layout(list, H5D_COMPACT);
    if (s->kind == EXTERNAL) {
        snprintf(external, sizeof(external), "%s-%d.raw", file, number);
        H5Pset_external(list, external, 0, H5F_UNLIMITED);
    }
    return list;
}

static void check_chunks(hid_t list, const data_set *s, const wanted *w, const char *what)
{
    hsize_t shape[RANK] = {0}, now[RANK] = {0};
    int chunked = expected_chunks(w, s, shape), has = H5Pget_layout(list) == H5D_CHUNKED;

    if (s->kind == STRINGS)
        return;
    if (s->kind == CHUNKED || s->kind == EXTENSIBLE || s->kind == FILTERED) {
        H5Pget_chunk(list, RANK, now);
        expect(has && now[0] == (s->sizes[0] > 7 ? 7 : s->sizes[0]), "%s: its own chunks", what);
        return;
    }
    if (!expect(has == chunked, "%s: %schunked", what, has ? "" : "not ") || !has)
        return;
    H5Pget_chunk(list, RANK, now);
    for (int i = 0; i < s->rank; i++)
        expect(now[i] == shape[i], "%s: chunk %d is %d instead of %d", what, i, (int) now[i],
               (int) shape[i]);
}

/* Checks times of allocation and filling; one process only, as MPI-IO always allocates early. */
static void check_times(hid_t list, const data_set *s, const wanted *w, const char *what)
{
    int chunked = H5Pget_layout(list) == H5D_CHUNKED;
    H5D_alloc_time_t allocation;
    H5D_fill_time_t fill;
    int wants_allocation = chunked ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_LATE,
        wants_fill = H5D_FILL_TIME_IFSET;

    if (s->kind == COMPACT || s->kind == EXTERNAL || s->kind == STRINGS || s->kind == EMPTY)
        return;
    H5Pget_alloc_time(list, &allocation);
    H5Pget_fill_time(list, &fill);
    if (w->allocation > 0 && (chunked || w->allocation != H5D_ALLOC_TIME_INCR))
        wants_allocation = w->allocation;
    if (w->fill >= 0 && !(s->kind == FILLED && w->fill == H5D_FILL_TIME_NEVER))
        wants_fill = w->fill;
    if (s->kind == EARLY) {
        wants_allocation = H5D_ALLOC_TIME_EARLY;
        wants_fill = H5D_FILL_TIME_ALLOC;
    }
    expect((int) allocation == wants_allocation, "%s: allocation time %d instead of %d", what,
           (int) allocation, wants_allocation);
    expect((int) fill == wants_fill, "%s: fill time %d instead of %d", what, (int) fill,
           wants_fill);
}

static void check_set(hid_t set, const program *p, const data_set *s, const wanted *w,
                      const char *what)
{
    hid_t list = H5Dget_create_plist(set);

    check_chunks(list, s, w, what);
    if (p->driver != SHARED)
        check_times(list, s, w, what);
    H5Pclose(list);
}

#endif /* TUNED_LISTS_H */
