#include "calibrate.h"

#include <stdio.h>
#include <stdlib.h>

/* Rank 0 reads the command line first and speaks for all. */
static int read_options(int argc, char **argv, int rank, cal_options *options_p)
{
    int code = -1;

    if (rank == 0)
        code = options_read(argc, argv, options_p);
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code < 0 && rank != 0)
        options_read(argc, argv, options_p);
    return code;
}

static int calibrate(const cal_options *options)
{
    cal_world world;
    int code = 1, inside = 1;

    if (world_make(options, &world)) {
        if (options->slurm && world.rank == 0)
            inside = facts_slurm(&world);
        MPI_Bcast(&inside, 1, MPI_INT, 0, world.comm);
        code = inside ? run(options, &world) : 1;
    }
    world_clear(&world);
    return code;
}

int main(int argc, char **argv)
{
    cal_options options;
    int rank, code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    code = read_options(argc, argv, rank, &options);
    if (code < 0)
        code = calibrate(&options);
    MPI_Finalize();
    return code;
}
