/*
 * MPI-IO of every kind, on any number of ranks; mpi.expected has what rank 0 is seen to do.
 *
 *     mpi FILE
 *
 * One request is completed in another thread, where MPI allows it.
 */

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 1000 };

static char block[BLOCK];
static int rank;

static void must(int code)
{
    if (code != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void blocking(MPI_File file)
{
    MPI_Offset mine = (MPI_Offset) rank * BLOCK, size;
    MPI_Status status;

    must(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    must(MPI_File_write_at(file, mine, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE));
    must(MPI_File_write_at_all(file, mine, block, BLOCK / 8, MPI_DOUBLE, &status));
    must(MPI_File_seek(file, mine, MPI_SEEK_SET));
    must(MPI_File_read(file, block, BLOCK / 2, MPI_BYTE, MPI_STATUS_IGNORE));
    must(MPI_File_read_at(file, 1 << 20, block, BLOCK, MPI_BYTE, &status)); /* behind the end */
    must(MPI_File_sync(file));
    must(MPI_File_set_size(file, 100000));
    must(MPI_File_get_size(file, &size));
}

/* Messages among them are nobody's business. */
static void several(MPI_File file)
{
    MPI_Offset mine = (MPI_Offset) rank * BLOCK;
    MPI_Request requests[4];
    MPI_Status statuses[4], *volatile none = MPI_STATUSES_IGNORE; /* of which gcc knows no size */
    int sent = 1, got;

    must(MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]));
    must(MPI_File_iwrite_at(file, mine, block, 10, MPI_INT, &requests[1]));
    must(MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[2]));
    must(MPI_File_iread_at(file, mine, block, 20, MPI_INT, &requests[3]));
    must(MPI_Waitall(4, requests, statuses));
    must(MPI_File_iwrite_at(file, mine, block, 30, MPI_INT, &requests[0]));
    must(MPI_File_iread_at(file, mine, block, 40, MPI_INT, &requests[1]));
    must(MPI_Waitall(2, requests, none));
}

static void nonblocking(MPI_File file)
{
    MPI_Offset mine = (MPI_Offset) rank * BLOCK;
    MPI_Request request;
    int done = 0;

    must(MPI_File_iwrite_at(file, mine, block, 50, MPI_BYTE, &request));
    must(MPI_Wait(&request, MPI_STATUS_IGNORE));
    must(MPI_File_iread_at(file, mine, block, 60, MPI_BYTE, &request));
    while (!done)
        must(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
}

static void split(MPI_File file)
{
    MPI_Offset mine = (MPI_Offset) rank * BLOCK;
    MPI_Status status;

    must(MPI_File_write_at_all_begin(file, mine, block, 70, MPI_BYTE));
    must(MPI_File_write_at_all_end(file, block, MPI_STATUS_IGNORE));
    must(MPI_File_read_at_all_begin(file, mine, block, 80, MPI_BYTE));
    must(MPI_File_read_at_all_end(file, block, &status));
}

static void *complete(void *request)
{
    must(MPI_Wait(request, MPI_STATUS_IGNORE));
    return NULL;
}

static void in_another_thread(MPI_File file)
{
    MPI_Request request;
    pthread_t thread;

    must(MPI_File_iwrite_at(file, 77777, block, 7, MPI_BYTE, &request));
    if (pthread_create(&thread, NULL, complete, &request) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int level;
    MPI_File file;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                       &file));
    blocking(file);
    several(file);
    nonblocking(file);
    split(file);
    if (level == MPI_THREAD_MULTIPLE)
        in_another_thread(file);
    must(MPI_File_close(&file));
    if (MPI_File_open(MPI_COMM_SELF, "/does/not/exist", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) ==
        MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0 && level == MPI_THREAD_MULTIPLE)
        printf("threads\n");
    MPI_Finalize();
    return 0;
}
