/* across FROM TO: one rank sends 4 MiB to another. */

#include <mpi.h>
#include <stdlib.h>

enum { BYTES = 4 << 20 };

int main(int argc, char **argv)
{
    static char bytes[BYTES];
    int rank, from, to;

    MPI_Init(&argc, &argv);
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    from = atoi(argv[1]);
    to = atoi(argv[2]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == from)
        MPI_Send(bytes, BYTES, MPI_BYTE, to, 0, MPI_COMM_WORLD);
    if (rank == to)
        MPI_Recv(bytes, BYTES, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
