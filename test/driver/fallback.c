/*
 * A file that the Lustre driver cannot handle, because it has no layout: Lustre refused
 * the one that was asked for, and the default is set; or there is no Lustre.
 */

#include "common.h"

enum { BYTES = 5000 };

static void test_fallback(int mode, const char *no_indep_rw, const char *what)
{
    MPI_Info info = one_hint("striping_unit", "100000");
    unsigned char out[BYTES];
    MPI_File fh;

    fill(out, BYTES, rank);
    MPI_Info_set(info, "romio_no_indep_rw", no_indep_rw);
    if (!tap_ok(MPI_File_open(MPI_COMM_WORLD, path("autotune:lustre:", "bad"), mode, info, &fh) ==
                    MPI_SUCCESS,
                "%s: opens", what)) {
        MPI_Info_free(&info);
        return;
    }
    MPI_Info_free(&info);
    if (strcmp(fs, "lustre") != 0) {
        tap_ok(strcmp(hint_of(fh, "romio_autotune_wrapped"), "ufs") == 0, "%s: wraps ufs", what);
        tap_ok(strstr(hint_of(fh, "romio_autotune_status"), "no Lustre layout") != NULL,
               "%s: the status says why", what);
        tap_ok(strncmp(hint_of(fh, "romio_filesystem_type"), "UFS", 3) == 0, "%s: so does ROMIO",
               what);
    }
    tap_ok(MPI_File_write_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE,
                                 MPI_STATUS_IGNORE) == MPI_SUCCESS,
           "%s: collective write", what);
    if (strcmp(fs, "lustre") == 0)
        tap_ok(atoi(hint_of(fh, "striping_unit")) > 0 &&
                   strcmp(hint_of(fh, "striping_unit"), "100000") != 0,
               "%s: the default layout", what);
    MPI_File_close(&fh);
    tap_ok(file_holds("bad", ranks, BYTES), "%s: the file is right", what);
    if (rank == 0)
        MPI_File_delete(path("autotune:", "bad"), MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    test_fallback(RDWR_CREATE, "false", "read and write");
    test_fallback(MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_EXCL, "false", "write only");
    test_fallback(RDWR_CREATE, "true", "deferred open");
    return finish();
}
