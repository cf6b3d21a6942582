/*
 * A PnetCDF program: a grid written by rows and read back by columns, with collective,
 * independent and nonblocking calls, and records appended step by step.
 *
 *   pnetcdf NAME WRAPPED
 *
 * NAME goes to PnetCDF as it is.  WRAPPED is the driver that autotune must report to wrap in the
 * file that PnetCDF opened, or "none" if autotune must not be there.
 */

#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>

#include "mpitap.h"

enum {
    ROWS = 61,
    COLUMNS = 103,
    STEPS = 3,
};

enum way { COLLECTIVE, INDEPENDENT, NONBLOCKING, WAYS };

static const char *const names[WAYS] = {"collective", "independent", "nonblocking"};

static int rank, size;

/* ---- the block of a rank ---- */

struct block {
    MPI_Offset start[2], count[2];
};

static MPI_Offset share_start(int of, int share)
{
    return (MPI_Offset) of * share / size;
}

static struct block rows_block(void)
{
    MPI_Offset start = share_start(ROWS, rank);

    return (struct block){{start, 0}, {share_start(ROWS, rank + 1) - start, COLUMNS}};
}

static struct block columns_block(void)
{
    MPI_Offset start = share_start(COLUMNS, rank);

    return (struct block){{0, start}, {ROWS, share_start(COLUMNS, rank + 1) - start}};
}

/* Fills values, or counts those that differ. */
static int visit(int of, const struct block *b, int *values, int filling)
{
    int wrong = 0;

    for (MPI_Offset i = 0; i < b->count[0]; i++)
        for (MPI_Offset j = 0; j < b->count[1]; j++) {
            int *value = &values[i * b->count[1] + j];
            int want = (of + 1) * 1000000 + (int) ((b->start[0] + i) * COLUMNS + b->start[1] + j);
            if (filling)
                *value = want;
            wrong += *value != want;
        }
    return wrong;
}

/* ---- variables ---- */

static int *values_of(const struct block *b)
{
    return calloc((size_t) (b->count[0] * b->count[1]) + 1, sizeof(int));
}

static int write_grid(int file, int variable, enum way way)
{
    struct block b = rows_block();
    int *values = values_of(&b), error, request, status = NC_NOERR;

    visit(way, &b, values, 1);
    switch (way) {
        case COLLECTIVE:
            error = ncmpi_put_vara_int_all(file, variable, b.start, b.count, values);
            break;
        case INDEPENDENT:
            error = ncmpi_begin_indep_data(file);
            if (error == NC_NOERR)
                error = ncmpi_put_vara_int(file, variable, b.start, b.count, values);
            ncmpi_end_indep_data(file);
            break;
        default:
            error = ncmpi_iput_vara_int(file, variable, b.start, b.count, values, &request);
            if (error == NC_NOERR)
                error = ncmpi_wait_all(file, 1, &request, &status);
    }
    free(values);
    return error == NC_NOERR && status == NC_NOERR;
}

static int read_grid(int file, enum way way)
{
    struct block b = columns_block();
    int *values = values_of(&b), variable, wrong = 1;

    if (ncmpi_inq_varid(file, names[way], &variable) == NC_NOERR &&
        ncmpi_get_vara_int_all(file, variable, b.start, b.count, values) == NC_NOERR)
        wrong = visit(way, &b, values, 0);
    free(values);
    return wrong == 0;
}

/* One row of records for each step, shared by columns */
static int records(int file, int variable, int writing)
{
    int good = 1;

    for (int step = 0; step < STEPS; step++) {
        struct block b = columns_block();
        b.start[0] = step;
        b.count[0] = 1;
        int *values = values_of(&b), error;
        if (writing) {
            visit(WAYS, &b, values, 1);
            error = ncmpi_put_vara_int_all(file, variable, b.start, b.count, values);
        } else {
            error = ncmpi_get_vara_int_all(file, variable, b.start, b.count, values);
        }
        good = good && error == NC_NOERR && visit(WAYS, &b, values, 0) == 0;
        free(values);
    }
    return good;
}

/* ---- the file ---- */

/* Whether the file reports to wrap that driver, or none */
static int file_wraps(int file, const char *wrapped)
{
    char value[64] = "none";
    MPI_Info info;
    int flag = 0;

    if (ncmpi_inq_file_info(file, &info) != NC_NOERR)
        return 0;
    MPI_Info_get(info, "romio_autotune_wrapped", sizeof value - 1, value, &flag);
    MPI_Info_free(&info);
    return strcmp(value, wrapped) == 0;
}

static int define(int file, int *variables)
{
    int dimensions[2], record_dimensions[2], good;

    good = ncmpi_def_dim(file, "rows", ROWS, &dimensions[0]) == NC_NOERR &&
           ncmpi_def_dim(file, "columns", COLUMNS, &dimensions[1]) == NC_NOERR &&
           ncmpi_def_dim(file, "step", NC_UNLIMITED, &record_dimensions[0]) == NC_NOERR;
    record_dimensions[1] = dimensions[1];
    for (int way = 0; way < WAYS; way++)
        good = good &&
               ncmpi_def_var(file, names[way], NC_INT, 2, dimensions, &variables[way]) == NC_NOERR;
    return good &&
           ncmpi_def_var(file, "records", NC_INT, 2, record_dimensions, &variables[WAYS]) ==
               NC_NOERR &&
           ncmpi_enddef(file) == NC_NOERR;
}

static void create(const char *name, const char *wrapped)
{
    int file, variables[WAYS + 1];
    int error =
        ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file);

    if (!tap_ok(error == NC_NOERR, "create"))
        return;
    tap_ok(file_wraps(file, wrapped), "autotune wraps: %s", wrapped);
    if (tap_ok(define(file, variables), "define")) {
        for (int way = 0; way < WAYS; way++)
            tap_ok(write_grid(file, variables[way], way), "write %s", names[way]);
        tap_ok(records(file, variables[WAYS], 1), "write records");
    }
    tap_ok(ncmpi_close(file) == NC_NOERR, "close");
}

/* Name by which PnetCDF can open a file: from 1.13 on it looks into the file itself first, and
 * knows only the prefixes of ROMIO's own drivers. */
static const char *name_to_read(const char *name)
{
    static const char prefix[] = "autotune:";
    const int knows = PNETCDF_VERSION_MAJOR == 1 && PNETCDF_VERSION_MINOR < 13;

    if (knows || strncmp(name, prefix, strlen(prefix)) != 0)
        return name;
    setenv("ROMIO_FSTYPE_FORCE", prefix, 1);
    return name + strlen(prefix);
}

static void read_back(const char *name)
{
    int file, variable;

    if (!tap_ok(ncmpi_open(MPI_COMM_WORLD, name_to_read(name), NC_NOWRITE, MPI_INFO_NULL, &file) ==
                    NC_NOERR,
                "open again"))
        return;
    for (int way = 0; way < WAYS; way++)
        tap_ok(read_grid(file, way), "read %s", names[way]);
    if (tap_ok(ncmpi_inq_varid(file, "records", &variable) == NC_NOERR, "records are there"))
        tap_ok(records(file, variable, 0), "read records");
    tap_ok(ncmpi_close(file) == NC_NOERR, "close again");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 3) {
        fprintf(stderr, "usage: pnetcdf NAME WRAPPED\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    create(argv[1], argv[2]);
    read_back(argv[1]);
    int failed = tap_done();
    MPI_Finalize();
    return failed;
}
