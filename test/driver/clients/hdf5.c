/*
 * A parallel HDF5 program: chunked and contiguous data sets, written by rows
 * and read back by columns, collectively and independently.
 *
 *   hdf5 NAME WRAPPED
 *
 * NAME goes to HDF5 as it is.  WRAPPED is the driver that autotune must report
 * to wrap in the file that HDF5 opened, or "none" if autotune must not be there.
 */

#include <hdf5.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "mpitap.h"

enum {
    ROWS = 61,
    COLUMNS = 103,
    CHUNK_ROWS = 8,
    CHUNK_COLUMNS = 25,
};

static const struct kind {
    const char *name;
    int chunked, collective;
} kinds[] = {
    {"contiguous-collective", 0, 1},
    {"contiguous-independent", 0, 0},
    {"chunked-collective", 1, 1},
    {"chunked-independent", 1, 0},
};

enum {
    KINDS = sizeof kinds / sizeof kinds[0],
};

static int rank, size;

/* ---- the block of a rank ---- */

struct block {
    hsize_t start[2], count[2];
};

static hsize_t share_start(int of, int share)
{
    return (hsize_t) of * share / size;
}

static struct block rows_block(void)
{
    hsize_t start = share_start(ROWS, rank);

    return (struct block){{start, 0}, {share_start(ROWS, rank + 1) - start, COLUMNS}};
}

static struct block columns_block(void)
{
    hsize_t start = share_start(COLUMNS, rank);

    return (struct block){{0, start}, {ROWS, share_start(COLUMNS, rank + 1) - start}};
}

static int expected(int kind, hsize_t row, hsize_t column)
{
    return (kind + 1) * 1000000 + (int) (row * COLUMNS + column);
}

/* Fills values, or counts those that differ. */
static int visit(int kind, const struct block *b, int *values, int filling)
{
    int wrong = 0;

    for (hsize_t i = 0; i < b->count[0]; i++)
        for (hsize_t j = 0; j < b->count[1]; j++) {
            int *value = &values[i * b->count[1] + j];
            int want = expected(kind, b->start[0] + i, b->start[1] + j);
            if (filling)
                *value = want;
            wrong += *value != want;
        }
    return wrong;
}

/* ---- one data set ---- */

static herr_t transfer(hid_t set, int kind, const struct block *b, int *values, int writing)
{
    hid_t plist = H5Pcreate(H5P_DATASET_XFER);
    hid_t file_space = H5Dget_space(set), memory_space = H5Screate_simple(2, b->count, NULL);
    herr_t error;

    H5Pset_dxpl_mpio(plist, kinds[kind].collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, b->start, NULL, b->count, NULL);
    if (writing)
        error = H5Dwrite(set, H5T_NATIVE_INT, memory_space, file_space, plist, values);
    else
        error = H5Dread(set, H5T_NATIVE_INT, memory_space, file_space, plist, values);
    H5Sclose(memory_space);
    H5Sclose(file_space);
    H5Pclose(plist);
    return error;
}

static int write_set(hid_t file, int kind)
{
    const hsize_t sizes[2] = {ROWS, COLUMNS}, chunk[2] = {CHUNK_ROWS, CHUNK_COLUMNS};
    struct block b = rows_block();
    hid_t space = H5Screate_simple(2, sizes, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    int *values = malloc(b.count[0] * b.count[1] * sizeof *values + 1);

    /* No time stamps: equal contents are equal bytes. */
    H5Pset_obj_track_times(plist, 0);
    if (kinds[kind].chunked)
        H5Pset_chunk(plist, 2, chunk);
    hid_t set =
        H5Dcreate(file, kinds[kind].name, H5T_STD_I32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    visit(kind, &b, values, 1);
    herr_t error = transfer(set, kind, &b, values, 1);
    herr_t close_error = H5Dclose(set);
    H5Pclose(plist);
    H5Sclose(space);
    free(values);
    return set >= 0 && error >= 0 && close_error >= 0;
}

static int read_set(hid_t file, int kind)
{
    struct block b = columns_block();
    int *values = calloc(b.count[0] * b.count[1] + 1, sizeof *values);
    hid_t set = H5Dopen(file, kinds[kind].name, H5P_DEFAULT);
    herr_t error = transfer(set, kind, &b, values, 0);
    int wrong = visit(kind, &b, values, 0);

    H5Dclose(set);
    free(values);
    return set >= 0 && error >= 0 && wrong == 0;
}

/* ---- what HDF5 runs on ---- */

static int is_libmpi(struct dl_phdr_info *library, size_t info_size, void *count)
{
    const char *slash = strrchr(library->dlpi_name, '/');

    (void) info_size;
    if (strncmp(slash ? slash + 1 : library->dlpi_name, "libmpi", 6) == 0) {
        if (rank == 0)
            printf("MPI library: %s\n", library->dlpi_name);
        ++*(int *) count;
    }
    return 0;
}

/* Whether HDF5's file reports to wrap that driver, or none */
static int file_wraps(hid_t file, const char *wrapped)
{
    char value[64] = "none";
    void *handle = NULL;
    MPI_Info info;
    int flag = 0;

    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0)
        return 0;
    MPI_File_get_info(*(MPI_File *) handle, &info);
    MPI_Info_get(info, "romio_autotune_wrapped", sizeof value - 1, value, &flag);
    MPI_Info_free(&info);
    return strcmp(value, wrapped) == 0;
}

int main(int argc, char **argv)
{
    int libraries = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 3) {
        fprintf(stderr, "usage: hdf5 NAME WRAPPED\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    dl_iterate_phdr(is_libmpi, &libraries);
    tap_ok(libraries == 1, "one MPI library is loaded, HDF5's is the program's");

    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (tap_ok(file >= 0, "create")) {
        tap_ok(file_wraps(file, argv[2]), "autotune wraps: %s", argv[2]);
        for (int kind = 0; kind < KINDS; kind++)
            tap_ok(write_set(file, kind), "write %s", kinds[kind].name);
        tap_ok(H5Fclose(file) >= 0, "close");
    }
    file = H5Fopen(argv[1], H5F_ACC_RDONLY, access);
    if (tap_ok(file >= 0, "open again")) {
        for (int kind = 0; kind < KINDS; kind++)
            tap_ok(read_set(file, kind), "read %s", kinds[kind].name);
        tap_ok(H5Fclose(file) >= 0, "close again");
    }
    H5Pclose(access);
    int failed = tap_done();
    MPI_Finalize();
    return failed;
}
