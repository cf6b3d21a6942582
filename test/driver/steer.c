/*
 * A new file of 48 MiB, written by one collective call.  Called as
 *     steer FILE [KEY VALUE]...      STEER_FILES: more than one, FILE.1, FILE.2, ...
 * with hints; prints the status of each.  STEER_OTHER: the first of them is a quarter as large, and
 * written without a state; STEER_SYNC: each ends with a sync.
 */

#include "mpitap.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 48 << 20 };

static int write_all(const char *file, int all, MPI_Info hints, char *status)
{
    int rank, ranks, bytes, flag = 0, failed;
    char *buffer, name[4096];
    MPI_File handle;
    MPI_Info info;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bytes = all / ranks;
    buffer = malloc(bytes);
    memset(buffer, rank, bytes);
    snprintf(name, sizeof(name), "autotune:%s", file);
    failed = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, hints,
                           &handle) != MPI_SUCCESS;
    if (!failed) {
        failed |= MPI_File_write_at_all(handle, (MPI_Offset) rank * bytes, buffer, bytes, MPI_BYTE,
                                        MPI_STATUS_IGNORE) != MPI_SUCCESS;
        if (getenv("STEER_SYNC") != NULL)
            failed |= MPI_File_sync(handle) != MPI_SUCCESS;
        MPI_File_get_info(handle, &info);
        MPI_Info_get(info, "romio_autotune_status", MPI_MAX_INFO_VAL, status, &flag);
        MPI_Info_free(&info);
        failed |= MPI_File_close(&handle) != MPI_SUCCESS;
    }
    free(buffer);
    return !failed && flag;
}

int main(int argc, char **argv)
{
    char status[MPI_MAX_INFO_VAL + 1] = "", state[MPI_MAX_INFO_VAL + 1] = "", name[4000];
    const char *files;
    MPI_Info hints;
    int rank, code, given;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2 || argc % 2 != 0) {
        fprintf(stderr, "usage: steer FILE [KEY VALUE]...\n");
        MPI_Finalize();
        return 2;
    }
    MPI_Info_create(&hints);
    for (int i = 2; i < argc; i += 2)
        MPI_Info_set(hints, argv[i], argv[i + 1]);
    MPI_Info_get(hints, "romio_autotune_state", MPI_MAX_INFO_VAL, state, &given);
    files = getenv("STEER_FILES");
    for (int i = 0; i < (files != NULL ? atoi(files) : 1); i++) {
        if (files != NULL)
            snprintf(name, sizeof(name), "%s.%d", argv[1], i + 1);
        else
            snprintf(name, sizeof(name), "%s", argv[1]);
        if (getenv("STEER_OTHER") != NULL)
            MPI_Info_set(hints, "romio_autotune_state", i == 0 ? "built-in" : state);
        tap_ok(write_all(name, getenv("STEER_OTHER") != NULL && i == 0 ? BYTES / 4 : BYTES, hints,
                         status),
               "written");
        if (rank == 0)
            printf("# status %s\n", status);
    }
    MPI_Info_free(&hints);
    code = tap_done();
    MPI_Finalize();
    return code;
}
