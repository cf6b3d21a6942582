/*
 * What is recorded of a file.  Called as
 *     record DIRECTORY FS FILE RECORD
 * writes FILE with two collective calls and reads it back with one, through
 * two-phase I/O; RECORD is the hint romio_autotune_record, none if it is "".
 */

#include "mpitap.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 40000 };

static MPI_File open_recorded(const char *name, const char *record, int mode)
{
    MPI_File file = MPI_FILE_NULL;
    MPI_Info info;

    MPI_Info_create(&info);
    if (record[0] != '\0')
        MPI_Info_set(info, "romio_autotune_record", record);
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "romio_cb_read", "enable");
    MPI_File_open(MPI_COMM_WORLD, name, mode, info, &file);
    MPI_Info_free(&info);
    return file;
}

int main(int argc, char **argv)
{
    char name[4096], *buffer = malloc(BYTES), status[MPI_MAX_INFO_VAL + 1];
    int rank, flag, code;
    MPI_File file;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    if (argc != 5) {
        fprintf(stderr, "usage: record DIRECTORY FS FILE RECORD\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(buffer, rank, BYTES);

    snprintf(name, sizeof(name), "autotune:%s/none/%s", argv[1], argv[3]);
    tap_ok(open_recorded(name, argv[4], MPI_MODE_RDONLY) == MPI_FILE_NULL, "a failed open");
    snprintf(name, sizeof(name), "autotune:%s/%s", argv[1], argv[3]);
    file = open_recorded(name, argv[4], MPI_MODE_CREATE | MPI_MODE_RDWR);
    if (!tap_ok(file != MPI_FILE_NULL, "a recorded open"))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; i++)
        MPI_File_write_ordered(file, buffer, BYTES / 2, MPI_BYTE, MPI_STATUS_IGNORE);
    /* an independent access is no part of a collective call */
    MPI_File_read_at(file, 0, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, (MPI_Offset) rank * BYTES, buffer, BYTES, MPI_BYTE,
                         MPI_STATUS_IGNORE);
    MPI_File_get_info(file, &info);
    MPI_Info_get(info, "romio_autotune_status", MPI_MAX_INFO_VAL, status, &flag);
    MPI_Info_free(&info);
    tap_ok(MPI_File_close(&file) == MPI_SUCCESS, "close");
    code = tap_done();
    if (rank == 0)
        printf("status %s\n", status);
    free(buffer);
    MPI_Finalize();
    return code;
}
