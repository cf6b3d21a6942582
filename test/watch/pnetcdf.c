/*
 * Calls of PnetCDF, one of each kind.
 *
 *     pnetcdf FILE
 */

#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

enum { ROWS = 4, COLUMNS = 6 };

static void must(int status, const char *what)
{
    if (status == NC_NOERR)
        return;
    fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(status));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define MUST(call) must(call, #call)

static int make(const char *path)
{
    int id, dimensions[2], variable;

    MUST(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &id));
    MUST(ncmpi_def_dim(id, "row", ROWS, &dimensions[0]));
    MUST(ncmpi_def_dim(id, "column", COLUMNS, &dimensions[1]));
    MUST(ncmpi_def_var(id, "data", NC_DOUBLE, 2, dimensions, &variable));
    MUST(ncmpi_enddef(id));
    return id;
}

/* The ways that pass more parameters than there are registers are among them. */
static void use(int id, int rank)
{
    const MPI_Offset start[] = {rank, 0}, lengths[] = {1, COLUMNS}, stride[] = {1, 1},
                     map[] = {COLUMNS, 1};
    MPI_Offset *starts[] = {(MPI_Offset *) start}, *of_parts[] = {(MPI_Offset *) lengths};
    double row[COLUMNS] = {1, 2, 3, 4, 5, 6}, again[COLUMNS] = {0};
    int request, status;

    MUST(ncmpi_put_var1_double_all(id, 0, start, row));
    MUST(ncmpi_put_vara_double_all(id, 0, start, lengths, row));
    MUST(ncmpi_put_vara_all(id, 0, start, lengths, row, COLUMNS, MPI_DOUBLE));
    MUST(ncmpi_put_vars_all(id, 0, start, lengths, stride, row, COLUMNS, MPI_DOUBLE));
    MUST(ncmpi_put_varm_all(id, 0, start, lengths, stride, map, row, COLUMNS, MPI_DOUBLE));
    MUST(ncmpi_put_varn_double_all(id, 0, 1, starts, of_parts, row));
    MUST(ncmpi_iput_vara_double(id, 0, start, lengths, row, &request));
    MUST(ncmpi_wait_all(id, 1, &request, &status));
    MUST(ncmpi_sync(id));
    MUST(ncmpi_get_varm_all(id, 0, start, lengths, stride, map, again, COLUMNS, MPI_DOUBLE));
    MUST(ncmpi_get_vara_double_all(id, 0, start, lengths, again));
    for (int i = 0; i < COLUMNS; i++)
        if (again[i] != row[i])
            must(NC_EINVAL, "what was read");
    if (ncmpi_put_vara_double_all(id, 99, start, lengths, row) != NC_ENOTVAR)
        must(NC_EINVAL, "a variable that is not there");
}

int main(int argc, char **argv)
{
    int id, rank;

    MPI_Init(&argc, &argv);
    if (argc != 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    id = make(argv[1]);
    use(id, rank);
    MUST(ncmpi_close(id));
    MUST(ncmpi_open(MPI_COMM_WORLD, argv[1], NC_NOWRITE, MPI_INFO_NULL, &id));
    MUST(ncmpi_close(id));
    MPI_Finalize();
    return 0;
}
