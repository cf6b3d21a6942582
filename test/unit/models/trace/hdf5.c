/* hdf5 FILE SEED CASES [leave]: data sets of HDF5, created and written by all ranks; the calls of
 * MPI-IO are compared with those predicted, piece by piece.  leave: nothing is set; whoever wants
 * to does (module hdf5 of libautotune-watch.so).  hdf5 --version: of the library; exit code 1 if
 * the model does not follow it. */

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "mpitap.h"
#include "hdf5_trace.h"

static int rank, ranks;

/* HDF5 has printed the reasons. */
static hid_t must(hid_t result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "rank %d: cannot %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return result;
}

/* --- the file, and what HDF5 has made of what was asked for */

static hid_t create_file(const char *path, const hdf5_case *c, bool leave, atm_h5_file *file_p)
{
    hid_t list = must(H5Pcreate(H5P_FILE_ACCESS), "make a list"), file;
    hsize_t threshold, alignment, block;

    must(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL), "use MPI-IO");
    if (!leave && c->file.alignment > 1)
        must(H5Pset_alignment(list, c->file.threshold, c->file.alignment), "align");
    if (!leave && c->file.metadata_block > 0)
        must(H5Pset_meta_block_size(list, c->file.metadata_block), "set blocks");
    file = must(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list), "create a file");
    H5Pclose(list);
    list = must(H5Fget_access_plist(file), "ask for a list");
    must(H5Pget_alignment(list, &threshold, &alignment), "ask for the alignment");
    must(H5Pget_meta_block_size(list, &block), "ask for blocks");
    H5Pclose(list);
    *file_p = (atm_h5_file){threshold, alignment, block};
    return file;
}

static hid_t type_of(uint64_t element)
{
    return element == 1   ? H5T_NATIVE_CHAR
           : element == 2 ? H5T_NATIVE_SHORT
           : element == 4 ? H5T_NATIVE_FLOAT
                          : H5T_NATIVE_DOUBLE;
}

static hid_t create_set(hid_t file, const hdf5_case *c, int number, bool leave)
{
    hid_t list = must(H5Pcreate(H5P_DATASET_CREATE), "make a list"), space, made;
    hsize_t sizes[ATM_H5_DIMENSIONS], chunk[ATM_H5_DIMENSIONS];
    char name[] = "set0";

    for (int i = 0; i < c->set.dimensions; i++) {
        sizes[i] = c->set.sizes[i];
        chunk[i] = c->set.chunk[i];
    }
    if (!leave && c->set.chunked)
        must(H5Pset_chunk(list, c->set.dimensions, chunk), "set chunks");
    if (!leave && !c->set.fill)
        must(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER), "set fill time");
    /* Contiguous data would be filled by independent writes, which is not covered. */
    else if (!leave && c->fill_always && c->set.chunked)
        must(H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC), "set fill time");
    name[3] = (char) (name[3] + number);
    space = must(H5Screate_simple(c->set.dimensions, sizes, NULL), "make a space");
    made =
        must(H5Dcreate2(file, name, type_of(c->set.element), space, H5P_DEFAULT, list, H5P_DEFAULT),
             "create a data set");
    H5Sclose(space);
    H5Pclose(list);
    return made;
}

static atm_h5_set ask_set(hid_t made, const hdf5_case *c)
{
    hid_t list = must(H5Dget_create_plist(made), "ask for a list");
    atm_h5_set set = c->set;
    hsize_t chunk[ATM_H5_DIMENSIONS];
    H5D_fill_time_t when;

    set.chunked = H5Pget_layout(list) == H5D_CHUNKED;
    if (set.chunked)
        must(H5Pget_chunk(list, ATM_H5_DIMENSIONS, chunk), "ask for chunks");
    for (int i = 0; set.chunked && i < set.dimensions; i++)
        set.chunk[i] = chunk[i];
    must(H5Pget_fill_time(list, &when), "ask for the fill time");
    set.fill = when != H5D_FILL_TIME_NEVER;
    H5Pclose(list);
    return set;
}

static void write_set(hid_t made, const hdf5_case *c)
{
    const atm_h5_slab *slab = &c->slabs[rank];
    hsize_t elements = 1, start[ATM_H5_DIMENSIONS], stride[ATM_H5_DIMENSIONS],
            count[ATM_H5_DIMENSIONS], block[ATM_H5_DIMENSIONS];
    hid_t space = must(H5Dget_space(made), "ask for a space"), memory;
    hid_t list = must(H5Pcreate(H5P_DATASET_XFER), "make a list");
    void *data;

    for (int i = 0; i < c->set.dimensions; i++) {
        start[i] = slab->start[i];
        stride[i] = slab->stride[i];
        count[i] = slab->count[i];
        block[i] = slab->block[i];
        elements *= slab->count[i] * slab->block[i];
    }
    memory = must(H5Screate_simple(1, &elements, NULL), "make a space");
    if (elements > 0) {
        must(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block), "select");
    } else {
        H5Sselect_none(space);
        H5Sselect_none(memory);
    }
    must(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE), "write together");
    data = calloc(elements + 1, c->set.element);
    if (data == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    must(H5Dwrite(made, type_of(c->set.element), memory, space, list, data), "write");
    free(data);
    H5Pclose(list);
    H5Sclose(memory);
    H5Sclose(space);
}

/* --- comparing */

static bool is_equal(const char *what, const atm_h5_pieces *predicted, const atm_h5_pieces *seen)
{
    if (predicted->count != seen->count) {
        fprintf(stderr, "rank %d: %s: %zu pieces, predicted %zu\n", rank, what, seen->count,
                predicted->count);
        return false;
    }
    for (size_t i = 0; i < seen->count; i++)
        if (seen->pieces[i].offset != predicted->pieces[i].offset ||
            seen->pieces[i].length != predicted->pieces[i].length) {
            fprintf(stderr, "rank %d: %s: piece %zu is %llu at %llu, predicted %llu at %llu\n",
                    rank, what, i, (unsigned long long) seen->pieces[i].length,
                    (unsigned long long) seen->pieces[i].offset,
                    (unsigned long long) predicted->pieces[i].length,
                    (unsigned long long) predicted->pieces[i].offset);
            return false;
        }
    return true;
}

static bool is_count(const char *what, int predicted, int seen)
{
    if (seen != predicted)
        fprintf(stderr, "rank %d: %s: %d calls, predicted %d\n", rank, what, seen, predicted);
    return seen == predicted;
}

/* One data set: created, then written. */
static bool compare_set(hid_t file, const hdf5_case *c, int number, bool leave, atm_h5_space *space,
                        atm_h5_set *set_p)
{
    atm_h5_pieces predicted = {.pieces = NULL};
    atm_h5_placed *placed = NULL;
    atm_h5_set set;
    hid_t made;
    bool equal;
    int calls;

    hdf5_trace_begin();
    made = create_set(file, c, number, leave);
    calls = hdf5_trace_end();
    set = ask_set(made, c);
    if (atm_h5_set_place(space, &set, &placed) != ATM_OK ||
        atm_h5_filled(placed, ranks, rank, &predicted) != ATM_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    equal = is_count("create", set.chunked && set.fill, calls) &&
            is_equal("create", &predicted, hdf5_trace_call(0));
    hdf5_trace_begin();
    write_set(made, c);
    calls = hdf5_trace_end();
    if (atm_h5_written(placed, &c->slabs[rank], rank, &predicted) != ATM_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    equal =
        is_count("write", 1, calls) && is_equal("write", &predicted, hdf5_trace_call(0)) && equal;
    must(H5Dclose(made), "close a data set");
    atm_h5_pieces_free(&predicted);
    atm_h5_placed_destroy(placed);
    *set_p = set;
    return equal;
}

static void compare_case(const char *path, uint64_t seed, int number, bool leave)
{
    hdf5_case c = hdf5_case_make(seed, number, ranks);
    atm_h5_space *space = NULL;
    atm_h5_file settings;
    atm_h5_set set = c.set;
    bool equal = true;
    hid_t file = create_file(path, &c, leave, &settings);

    if (atm_h5_space_create(&settings, &space) != ATM_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < c.sets; i++)
        equal = compare_set(file, &c, i, leave, space, &set) && equal;
    must(H5Fclose(file), "close the file");
    tap_ok(equal,
           "case %d, %s: %d sets of %d dimensions, %s, alignment %llu from %llu on, blocks of %llu",
           number, c.name, c.sets, set.dimensions,
           !set.chunked ? "contiguous"
           : set.fill   ? "chunked"
                        : "chunked, not filled",
           (unsigned long long) settings.alignment, (unsigned long long) settings.threshold,
           (unsigned long long) settings.metadata_block);
    atm_h5_space_destroy(space);
    free(c.slabs);
}

/* Whether it is a version whose code was read. */
static int print_version(void)
{
    unsigned major, minor, release;

    must(H5get_libversion(&major, &minor, &release), "ask for the version");
    printf("HDF5 %u.%u.%u\n", major, minor, release);
    return !(major == 1 && minor == 10);
}

int main(int argc, char **argv)
{
    int code;

    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return print_version();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4) {
        fprintf(stderr, "usage: hdf5 FILE SEED CASES [leave]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < atoi(argv[3]); i++)
        compare_case(argv[1], strtoull(argv[2], NULL, 10), i, argc > 4);
    code = tap_done();
    MPI_Finalize();
    return code;
}
