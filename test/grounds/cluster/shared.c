/*
 * What MPI programs rely on in a cluster: ranks are on the nodes that were asked
 * for, what is written collectively through autotune: is read by ranks of other
 * nodes, and locks of the file system hold between nodes.
 *
 * Called as shared DIRECTORY NODES.
 */

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpitap.h"

enum { BLOCK = 16384, BLOCKS = 64, INCREMENTS = 20 };

static int rank, ranks;

/* How many different names the ranks' nodes have */
static int count_nodes(void)
{
    char(*names)[MPI_MAX_PROCESSOR_NAME] = calloc(ranks, sizeof(*names));
    int length, nodes = 0;

    MPI_Get_processor_name(names[rank], &length);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, names, sizeof(*names), MPI_CHAR,
                  MPI_COMM_WORLD);
    for (int i = 0, j; i < ranks; i++) {
        for (j = 0; j < i && strcmp(names[i], names[j]) != 0;)
            j++;
        nodes += j == i;
    }
    free(names);
    return nodes;
}

/* Byte i of the part of a rank: differs between ranks, blocks and places */
static unsigned char byte_of(int owner, int i)
{
    return (unsigned char) (owner * 37 + i / BLOCK * 11 + i % 251);
}

static void set_turns_view(MPI_File file, int owner)
{
    MPI_Datatype turns;

    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &turns);
    MPI_Type_commit(&turns);
    MPI_File_set_view(file, (MPI_Offset) owner * BLOCK, MPI_BYTE, turns, "native", MPI_INFO_NULL);
    MPI_Type_free(&turns);
}

static int write_turns(const char *name)
{
    unsigned char *data = malloc(BLOCK * BLOCKS);
    MPI_Info info;
    MPI_File file;
    int error;

    for (int i = 0; i < BLOCK * BLOCKS; i++)
        data[i] = byte_of(rank, i);
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    error = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    if (error == MPI_SUCCESS) {
        set_turns_view(file, rank);
        error = MPI_File_write_all(file, data, BLOCK * BLOCKS, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    free(data);
    return error == MPI_SUCCESS;
}

/* Reads what the rank half of all away wrote, which is on another node */
static int read_turns(const char *name)
{
    unsigned char *data = calloc(BLOCK, BLOCKS);
    int owner = (rank + ranks / 2) % ranks, same = 1, count = 0;
    MPI_Status status;
    MPI_File file;

    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS) {
        set_turns_view(file, owner);
        MPI_File_read_all(file, data, BLOCK * BLOCKS, MPI_BYTE, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        MPI_File_close(&file);
    }
    for (int i = 0; i < BLOCK * BLOCKS && same; i++)
        same = data[i] == byte_of(owner, i);
    if (count != BLOCK * BLOCKS || !same)
        fprintf(stderr, "rank %d: read %d bytes of rank %d, %s\n", rank, count, owner,
                same ? "the right ones" : "wrong ones");
    free(data);
    return same && count == BLOCK * BLOCKS;
}

static void set_lock(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = sizeof(int)};

    if (fcntl(fd, F_SETLKW, &lock) != 0) {
        perror("fcntl");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* All ranks add to one number in the file, as data sieving reads and writes. */
static int add_under_lock(const char *path)
{
    int fd, sum = 0, right = 1;

    /* created, closed and opened by all, as by ROMIO (ad_opencoll.c) */
    if (rank == 0) {
        fd = open(path, O_RDWR | O_CREAT, 0644);
        right = pwrite(fd, &sum, sizeof(sum), 0) == sizeof(sum);
        close(fd);
        usleep(200000); /* until GlusterFS's client knows: see the limits in README.md */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    fd = open(path, O_RDWR);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < INCREMENTS && right; i++) {
        set_lock(fd, F_WRLCK);
        right = pread(fd, &sum, sizeof(sum), 0) == sizeof(sum);
        sum++;
        right = right && pwrite(fd, &sum, sizeof(sum), 0) == sizeof(sum);
        set_lock(fd, F_UNLCK);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    right = right && pread(fd, &sum, sizeof(sum), 0) == sizeof(sum);
    if (!right || sum != ranks * INCREMENTS)
        fprintf(stderr, "rank %d: sum is %d instead of %d\n", rank, sum, ranks * INCREMENTS);
    close(fd);
    return right && sum == ranks * INCREMENTS;
}

int main(int argc, char **argv)
{
    char path[PATH_MAX], name[PATH_MAX + 10];
    int status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3) {
        fprintf(stderr, "usage: shared DIRECTORY NODES\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    tap_ok(count_nodes() == atoi(argv[2]), "ranks are on %s nodes", argv[2]);

    snprintf(path, sizeof(path), "%s/turns", argv[1]);
    snprintf(name, sizeof(name), "autotune:%s", path);
    tap_ok(write_turns(name), "written collectively through autotune:");
    tap_ok(read_turns(name), "read by ranks of other nodes");

    snprintf(path, sizeof(path), "%s/sum", argv[1]);
    tap_ok(add_under_lock(path), "locks hold between nodes");

    status = tap_done();
    MPI_Finalize();
    return status;
}
