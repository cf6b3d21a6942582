/* What is timed. */

#include <stdio.h>

#include "overhead.h"

enum {
    WRITE_BYTES = 4096,
    WRITE_PLACES = 256, /* the same 1 MiB over and over: the page cache */
};

static void must(int error, const char *what)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (error == MPI_SUCCESS)
        return;
    MPI_Error_string(error, text, &length);
    fprintf(stderr, "overhead: %s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void write_independent(const struct place *place, int number)
{
    static char data[WRITE_BYTES];
    MPI_Offset offset = (MPI_Offset) (number % WRITE_PLACES) * WRITE_BYTES;

    must(MPI_File_write_at(place->file, offset, data, WRITE_BYTES, MPI_BYTE, MPI_STATUS_IGNORE),
         "write_at");
}

static void write_nothing(const struct place *place, int number)
{
    (void) number;
    must(MPI_File_write_at_all(place->file, 0, NULL, 0, MPI_BYTE, MPI_STATUS_IGNORE),
         "write_at_all");
}

/* A byte of each rank */
static void write_bytes(const struct place *place, int number)
{
    char byte = 0;
    int rank;

    (void) number;
    MPI_Comm_rank(place->comm, &rank);
    must(MPI_File_write_at_all(place->file, rank, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE),
         "write_at_all");
}

static void open_and_close(const struct place *place, int number)
{
    MPI_File file = work_open(place->name, place->comm, place->info);

    (void) number;
    must(MPI_File_close(&file), "close");
}

MPI_File work_open(const char *name, MPI_Comm comm, MPI_Info info)
{
    MPI_File file;

    must(MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file), name);
    return file;
}

__attribute__((noinline)) void work_block(const struct work *work, const struct place *place,
                                          int calls)
{
    for (int i = 0; i < calls; i++)
        work->call(place, i);
}

/* The first collective call makes a decision; redecide.c splits its cost. */
const struct work works[] = {
    {"write 4 KiB", 1, 100, 30, 1.02, 0, KEPT, write_independent},
    {"empty collective write", 0, 5, 4, 1.02, 0, KEPT, write_nothing},
    {"open and close", 0, 1, 3, 1.10, 1000, OWN, open_and_close},
    {"first collective write", 0, 1, 3, 0, 0, FRESH, write_bytes},
};

const int work_count = sizeof works / sizeof works[0];
