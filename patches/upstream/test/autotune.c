/*
 * A file written in turns by all processes through the autotune driver, without and with
 * tuning: it holds the bytes that were written, its info says what the driver did, and a
 * hint that the user set is kept.
 */

#include "mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, BLOCKS = 300, BYTES = BLOCK * BLOCKS, NAME = 1024 };

static const char PREFIX[] = "autotune:";
static const char BUFFER_SIZE[] = "65536";

static int rank, ranks, errs;

static void expect(int holds, const char *what)
{
    if (!holds) {
        errs++;
        fprintf(stderr, "rank %d: not so: %s\n", rank, what);
    }
}

/* Without this there is no going on. */
static void need(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Process 0 knows the arguments: "-fname NAME", with the prefix or without. */
static void get_name(int argc, char **argv, char *name)
{
    const char *given = NULL;

    for (int i = 1; rank == 0 && i + 1 < argc; i++)
        if (strcmp(argv[i], "-fname") == 0)
            given = argv[i + 1];
    if (rank == 0 && (given == NULL || strlen(given) + sizeof(PREFIX) > NAME)) {
        fprintf(stderr, "Usage: autotune -fname filename\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0)
        snprintf(name, NAME, "%s%s", strncmp(given, PREFIX, strlen(PREFIX)) == 0 ? "" : PREFIX,
                 given);
    MPI_Bcast(name, NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Byte i of what process r writes. */
static unsigned char pattern(int seed, int r, int i)
{
    return (unsigned char) (seed + r * 31 + i * 7 + i / BLOCK);
}

static int is_written(const unsigned char *buffer, int seed, int r)
{
    for (int i = 0; i < BYTES; i++)
        if (buffer[i] != pattern(seed, r, i))
            return 0;
    return 1;
}

/* See the blocks of process r: every ranks-th, from the r-th on. */
static void set_view(MPI_File fh, int r)
{
    MPI_Datatype type;

    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    need(MPI_File_set_view(fh, (MPI_Offset) r * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL),
         "MPI_File_set_view");
    MPI_Type_free(&type);
}

/* The value of key in the file's info, "" if it has none. */
static void get_hint(MPI_File fh, const char *key, char *value)
{
    MPI_Info info;
    int flag;

    value[0] = '\0';
    need(MPI_File_get_info(fh, &info), "MPI_File_get_info");
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, value, &flag);
    MPI_Info_free(&info);
}

static void check_info(MPI_File fh, const char *mode)
{
    char value[MPI_MAX_INFO_VAL];
    int disabled = strcmp(mode, "disable") == 0;

    get_hint(fh, "romio_autotune", value);
    expect(strcmp(value, mode) == 0, "romio_autotune is the mode");
    get_hint(fh, "romio_autotune_wrapped", value);
    expect(value[0] != '\0', "romio_autotune_wrapped names a driver");
    get_hint(fh, "romio_autotune_status", value);
    expect(value[0] != '\0' && (strcmp(value, "disabled") == 0) == disabled,
           "romio_autotune_status is disabled in mode disable and only there");
    get_hint(fh, "cb_buffer_size", value);
    expect(strcmp(value, BUFFER_SIZE) == 0, "cb_buffer_size is kept");
}

static void write_file(const char *name, const char *mode, int seed)
{
    unsigned char *buffer = malloc(BYTES);
    MPI_Status status;
    MPI_Info info;
    MPI_File fh;
    int count = 0;

    for (int i = 0; i < BYTES; i++)
        buffer[i] = pattern(seed, rank, i);
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_autotune", mode);
    MPI_Info_set(info, "cb_buffer_size", BUFFER_SIZE);
    need(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &fh),
         "MPI_File_open");
    MPI_Info_free(&info);
    set_view(fh, rank);
    need(MPI_File_write_at_all(fh, 0, buffer, BYTES, MPI_BYTE, &status), "MPI_File_write_at_all");
    MPI_Get_count(&status, MPI_BYTE, &count);
    expect(count == BYTES, "all bytes were written");
    check_info(fh, mode);
    need(MPI_File_close(&fh), "MPI_File_close");
    free(buffer);
}

/* Every process reads what its neighbour wrote. */
static void read_file(const char *name, int seed, const char *what)
{
    unsigned char *buffer = calloc(BYTES, 1);
    int neighbour = (rank + 1) % ranks;
    MPI_File fh;

    need(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh), "MPI_File_open");
    set_view(fh, neighbour);
    need(MPI_File_read_at_all(fh, 0, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE),
         "MPI_File_read_at_all");
    expect(is_written(buffer, seed, neighbour), what);
    need(MPI_File_close(&fh), "MPI_File_close");
    free(buffer);
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"disable", "enable", "automatic"};
    char name[NAME] = "";
    int all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    get_name(argc, argv, name);
    for (int m = 0; m < 3; m++) {
        write_file(name, modes[m], m);
        read_file(name, m, "the bytes are read back");
        read_file(name + strlen(PREFIX), m, "the bytes are read back without the driver");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        expect(MPI_File_delete(name, MPI_INFO_NULL) == MPI_SUCCESS, "the file is deleted");
    MPI_Reduce(&errs, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf(" No Errors\n");
    else if (rank == 0)
        fprintf(stderr, "Found %d errors\n", all);
    MPI_Finalize();
    return errs != 0;
}
