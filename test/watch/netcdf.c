/*
 * Calls of NetCDF, one of each kind, on a file of the classic format and on one of NetCDF-4.
 *
 *     netcdf FILE      FILE and FILE.4
 */

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 6 };

static void must(int status, const char *what)
{
    if (status == NC_NOERR)
        return;
    fprintf(stderr, "%s: %s\n", what, nc_strerror(status));
    exit(1);
}

#define MUST(call) must(call, #call)

static void use(const char *path, int mode)
{
    static const size_t start[] = {1, 2}, lengths[] = {2, 3};
    static const ptrdiff_t stride[] = {1, 1}, map[] = {3, 1};
    float all[ROWS * COLUMNS] = {1}, part[6] = {2};
    int id, dimensions[2], variable, text;

    MUST(nc_create(path, NC_CLOBBER | mode, &id));
    MUST(nc_def_dim(id, "row", ROWS, &dimensions[0]));
    MUST(nc_def_dim(id, "column", COLUMNS, &dimensions[1]));
    MUST(nc_def_var(id, "data", NC_FLOAT, 2, dimensions, &variable));
    MUST(nc_def_var(id, "name", NC_CHAR, 1, dimensions, &text));
    MUST(nc_enddef(id));
    MUST(nc_put_var_float(id, variable, all));
    MUST(nc_put_var1_double(id, variable, start, &(double){3}));
    MUST(nc_put_vara_float(id, variable, start, lengths, part));
    MUST(nc_put_vara(id, variable, start, lengths, part));
    MUST(nc_put_vars_float(id, variable, start, lengths, stride, part));
    MUST(nc_put_varm_float(id, variable, start, lengths, stride, map, part));
    MUST(nc_put_var_text(id, text, "four"));
    MUST(nc_sync(id));
    MUST(nc_close(id));
    MUST(nc_open(path, NC_NOWRITE, &id));
    MUST(nc_get_vara_float(id, variable, start, lengths, part));
    MUST(nc_get_var_float(id, variable, all));
    if (nc_get_vara_float(id, 99, start, lengths, part) != NC_ENOTVAR)
        must(NC_EINVAL, "a variable that is not there");
    MUST(nc_close(id));
}

int main(int argc, char **argv)
{
    char path[4096];
    int id;

    if (argc != 2)
        return 2;
    use(argv[1], 0);
    snprintf(path, sizeof(path), "%s.4", argv[1]);
    use(path, NC_NETCDF4);
    if (nc_open("/does/not/exist", NC_NOWRITE, &id) == NC_NOERR)
        return 1;
    return 0;
}
