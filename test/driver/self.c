/*
 * Many files, one after the other, for self.sh to watch which other files that opens.
 *
 *     self DIRECTORY FS      SELF_FILES: how many
 *                            SELF_SHARED: opened by all ranks together, else each alone
 *
 * An access of DIRECTORY/opens-begin, which is not there, precedes the first open.
 */

#include "common.h"

#include <unistd.h>

enum { BYTES = 4096 };

static unsigned char out[BYTES], in[BYTES];

/* Whether what was written can be read */
static int use(MPI_Comm comm, const char *file, int r)
{
    MPI_Offset offset = (MPI_Offset) r * BYTES;
    MPI_File fh = MPI_FILE_NULL;

    MPI_File_open(comm, path("autotune:", file), RDWR_CREATE, MPI_INFO_NULL, &fh);
    if (fh == MPI_FILE_NULL)
        return 0;
    MPI_File_write_at_all(fh, offset, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
    memset(in, 0, BYTES);
    MPI_File_read_at_all(fh, offset, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    return is_filled(in, BYTES, rank);
}

/* Every other file is opened with another communicator of the same ranks. */
int main(int argc, char **argv)
{
    const char *files = getenv("SELF_FILES");
    int shared = getenv("SELF_SHARED") != NULL, right = 1;
    char file[64];
    MPI_Comm comms[2];

    start(&argc, &argv);
    fill(out, BYTES, rank);
    comms[0] = shared ? MPI_COMM_WORLD : MPI_COMM_SELF;
    MPI_Comm_split(MPI_COMM_WORLD, shared ? 0 : rank, 0, &comms[1]);
    if (access(path("", "opens-begin"), F_OK) == 0)
        right = 0;
    for (int i = 0; i < atoi(files != NULL ? files : "10"); i++) {
        snprintf(file, sizeof(file), "self.%d.%d", shared ? 0 : rank, i);
        right = use(comms[i % 2], file, shared ? rank : 0) && right;
    }
    MPI_Comm_free(&comms[1]);
    tap_ok(right, "files can be read back");
    return finish();
}
