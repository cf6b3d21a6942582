/*
 * Shared by the driver's MPI tests.  Each is called as
 *     PROGRAM DIRECTORY FS
 * where DIRECTORY is shown as the file system FS, and compares files opened as
 * "autotune:..." with files opened as "FS:...".
 */

#ifndef DRIVER_COMMON_H
#define DRIVER_COMMON_H

#include "mpitap.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LENGTH 1024
#define RDWR_CREATE (MPI_MODE_CREATE | MPI_MODE_RDWR)
/* the hint for the first OST */
#define START_IODEVICE                                                                             \
    (MPICH_NUMVERSION >= 40200000 ? "start_iodevice" : "romio_lustre_start_iodevice")

static const char *directory, *fs;
static int rank, ranks;

static inline void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    if (*argc != 3) {
        fprintf(stderr, "usage: %s DIRECTORY FS\n", (*argv)[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    directory = (*argv)[1];
    fs = (*argv)[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

static inline int finish(void)
{
    int code = tap_done();

    MPI_Finalize();
    return code;
}

/* PREFIX directory/file; valid until the fourth next call. */
static inline const char *path(const char *prefix, const char *file)
{
    static char names[4][NAME_MAX_LENGTH];
    static int next;
    char *name = names[next++ % 4];

    snprintf(name, NAME_MAX_LENGTH, "%s%s/%s", prefix, directory, file);
    return name;
}

/* "FS:" */
static inline const char *direct(void)
{
    static char prefix[32];

    snprintf(prefix, sizeof(prefix), "%s:", fs);
    return prefix;
}

/* An info object with one key; the caller frees it. */
static inline MPI_Info one_hint(const char *key, const char *value)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

/* The file's value of key, "" if it has none; valid until the next call. */
static inline const char *hint_of(MPI_File file, const char *key)
{
    static char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int flag;

    MPI_File_get_info(file, &info);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    MPI_Info_free(&info);
    if (!flag)
        value[0] = '\0';
    return value;
}

static inline int class_of(int error)
{
    int error_class;

    MPI_Error_class(error, &error_class);
    return error_class;
}

/* Open with the default hints; returns the error class.  ROMIO gives all processes the code of one,
 * which MPICH since 5.0 takes for MPI_ERR_OTHER where it is not its own; there it is the first
 * one's class. */
static inline int open_class(MPI_Comm comm, const char *name, int mode, MPI_File *file)
{
    int error_class = class_of(MPI_File_open(comm, name, mode, MPI_INFO_NULL, file));
#if MPICH_NUMVERSION >= 50000000
    int first = error_class;

    MPI_Bcast(&first, 1, MPI_INT, 0, comm);
    if (error_class == MPI_ERR_OTHER)
        error_class = first;
#endif
    return error_class;
}

/* Byte i of what rank r writes. */
static inline unsigned char pattern(int r, int i)
{
    return (unsigned char) (r * 37 + i * 11 + i / 251);
}

static inline void fill(unsigned char *buffer, int size, int r)
{
    for (int i = 0; i < size; i++)
        buffer[i] = pattern(r, i);
}

static inline int is_filled(const unsigned char *buffer, int size, int r)
{
    for (int i = 0; i < size; i++)
        if (buffer[i] != pattern(r, i))
            return 0;
    return 1;
}

/* Whether the POSIX file holds size bytes of each of n ranks' patterns, in
 * rank order, and nothing else; on rank 0, true elsewhere. */
static inline int file_holds(const char *file, int n, int size)
{
    unsigned char *buffer;
    FILE *stream;
    int holds = 1;

    if (rank != 0)
        return 1;
    stream = fopen(path("", file), "rb");
    if (stream == NULL)
        return 0;
    buffer = malloc(size);
    for (int r = 0; r < n && holds; r++)
        holds = fread(buffer, 1, size, stream) == (size_t) size && is_filled(buffer, size, r);
    holds = holds && fgetc(stream) == EOF;
    free(buffer);
    fclose(stream);
    return holds;
}

#endif /* DRIVER_COMMON_H */
