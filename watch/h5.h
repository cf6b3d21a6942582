/* Functions of the HDF5 library that a program has, which is never linked.  Those that its version
 * or its build lacks are NULL. */

#ifndef ATW_H5_H
#define ATW_H5_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "begin.h"

/* X(result, name, parameters): since 1.10, in every build */
#define ATW_H5_EVERYWHERE(X)                                                                       \
    X(int, H5open, (void) )                                                                        \
    X(int, H5get_libversion, (unsigned *, unsigned *, unsigned *) )                                \
    X(int64_t, H5Pcreate, (int64_t))                                                               \
    X(int64_t, H5Pcopy, (int64_t))                                                                 \
    X(int, H5Pclose, (int64_t))                                                                    \
    X(int, H5Pisa_class, (int64_t, int64_t))                                                       \
    X(int64_t, H5Pget_driver, (int64_t))                                                           \
    X(int, H5Pget_alignment, (int64_t, uint64_t *, uint64_t *) )                                   \
    X(int, H5Pset_alignment, (int64_t, uint64_t, uint64_t))                                        \
    X(int, H5Pget_meta_block_size, (int64_t, uint64_t *) )                                         \
    X(int, H5Pset_meta_block_size, (int64_t, uint64_t))                                            \
    X(int, H5Pget_sieve_buf_size, (int64_t, size_t *) )                                            \
    X(int, H5Pset_sieve_buf_size, (int64_t, size_t))                                               \
    X(int, H5Pget_cache, (int64_t, int *, size_t *, size_t *, double *) )                          \
    X(int, H5Pset_cache, (int64_t, int, size_t, size_t, double) )                                  \
    X(int, H5Pget_libver_bounds, (int64_t, int *, int *) )                                         \
    X(int, H5Pset_libver_bounds, (int64_t, int, int) )                                             \
    X(int, H5Pget_layout, (int64_t))                                                               \
    X(int, H5Pset_chunk, (int64_t, int, const uint64_t *) )                                        \
    X(int, H5Pget_alloc_time, (int64_t, int *) )                                                   \
    X(int, H5Pset_alloc_time, (int64_t, int) )                                                     \
    X(int, H5Pget_fill_time, (int64_t, int *) )                                                    \
    X(int, H5Pset_fill_time, (int64_t, int) )                                                      \
    X(int, H5Pfill_value_defined, (int64_t, int *) )                                               \
    X(int, H5Pget_nfilters, (int64_t))                                                             \
    X(int, H5Pget_external_count, (int64_t))                                                       \
    X(int, H5Sget_simple_extent_type, (int64_t))                                                   \
    X(int, H5Sget_simple_extent_ndims, (int64_t))                                                  \
    X(int, H5Sget_simple_extent_dims, (int64_t, uint64_t *, uint64_t *) )                          \
    X(size_t, H5Tget_size, (int64_t))                                                              \
    X(int, H5Tdetect_class, (int64_t, int) )                                                       \
    X(ssize_t, H5Fget_name, (int64_t, char *, size_t))                                             \
    X(int, H5Eget_auto2, (int64_t, void *, void **) )                                              \
    X(int, H5Eset_auto2, (int64_t, void *, void *) )                                               \
    X(int64_t, H5Eget_current_stack, (void) )                                                      \
    X(int, H5Eset_current_stack, (int64_t))                                                        \
    X(int, H5Pset_fapl_sec2, (int64_t))

/* in some: newer ones, with MPI, with what is deprecated; truths are written to the lowest byte at
 * least */
#define ATW_H5_SOMEWHERE(X)                                                                        \
    X(int, H5Eauto_is_v2, (int64_t, unsigned *) )                                                  \
    X(int, H5Eget_auto1, (void *, void **) )                                                       \
    X(int, H5Eset_auto1, (void *, void *) )                                                        \
    X(int, H5Pget_file_space_strategy, (int64_t, int *, void *, uint64_t *) )                      \
    X(int, H5Pset_file_space_strategy, (int64_t, int, int, uint64_t))                              \
    X(int, H5Pget_file_space_page_size, (int64_t, uint64_t *) )                                    \
    X(int, H5Pset_file_space_page_size, (int64_t, uint64_t))                                       \
    X(int, H5Pset_fapl_core, (int64_t, size_t, int) )                                              \
    X(int, H5Pset_fapl_stdio, (int64_t))                                                           \
    X(int, H5Pset_fapl_log, (int64_t, const char *, unsigned long long, size_t))                   \
    X(int, H5Pset_fapl_direct, (int64_t, size_t, size_t, size_t))                                  \
    X(int, H5Pget_fapl_mpio, (int64_t, void *, void *) )                                           \
    X(int, H5Pset_fapl_mpio, (int64_t, atw_handle, atw_handle))                                    \
    X(int, H5Pget_coll_metadata_write, (int64_t, void *) )                                         \
    X(int, H5Pset_coll_metadata_write, (int64_t, int) )                                            \
    X(int, H5Pget_all_coll_metadata_ops, (int64_t, void *) )                                       \
    X(int, H5Pset_all_coll_metadata_ops, (int64_t, int) )

#define ATW_H5_MEMBER(result, name, parameters) result(*name) parameters;

typedef struct atw_h5 {
    ATW_H5_EVERYWHERE(ATW_H5_MEMBER)
    ATW_H5_SOMEWHERE(ATW_H5_MEMBER)
    /* classes of property lists, once the library is open */
    const int64_t *file_access, *file_creation, *set_creation;
} atw_h5;

/* What HDF5 calls its numbers. */
enum { ATW_H5_DEFAULT = 0 };
enum { ATW_H5_CONTIGUOUS = 1, ATW_H5_CHUNKED = 2 };
enum { ATW_H5_EARLY = 1, ATW_H5_LATE = 2, ATW_H5_INCREMENTAL = 3 };
enum { ATW_H5_FILL_ALLOC = 0, ATW_H5_FILL_NEVER = 1, ATW_H5_FILL_IFSET = 2 };
enum { ATW_H5_NO_FILL = 0, ATW_H5_USER_FILL = 2 };
enum { ATW_H5_SIMPLE = 1 };
enum { ATW_H5_STRING = 3, ATW_H5_REFERENCE = 7, ATW_H5_VARIABLE = 9 };

/* NULL: there is no such library, or it lacks what every one has. */
const atw_h5 *atw_h5_functions(void);

/* Errors of what is called in between are not printed. */
typedef struct atw_h5_muted {
    unsigned newer; /* which form of the function it is */
    void *function, *data;
} atw_h5_muted;

atw_h5_muted atw_h5_mute(const atw_h5 *h5);
void atw_h5_unmute(const atw_h5 *h5, atw_h5_muted muted);

#endif /* ATW_H5_H */
