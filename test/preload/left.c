/*
 * Open MPI with the preload library: a file that stays Open MPI's own beside one that the driver
 * has, both open at once.  Each does what a file does, whoever has it. left NAME1 OWNER1 NAME2
 * OWNER2 OWNER: host or driver.  Prints TAP.
 */

#include <stdlib.h>
#include <string.h>

#include "mpitap.h"

enum { INTS = 3000, BYTES = INTS * (int) sizeof(int) };

static int rank, ranks;

typedef struct side {
    const char *name, *owner;
    MPI_File file;
    int written[INTS];
} side;

static int has_status(MPI_File file)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int flag = 0;

    MPI_File_get_info(file, &info);
    if (info != MPI_INFO_NULL) {
        MPI_Info_get(info, "romio_autotune_status", MPI_MAX_INFO_VAL, value, &flag);
        MPI_Info_free(&info);
    }
    return flag;
}

static void open_side(side *s)
{
    int code = MPI_File_open(MPI_COMM_WORLD, s->name, MPI_MODE_CREATE | MPI_MODE_RDWR,
                             MPI_INFO_NULL, &s->file);

    if (!tap_ok(code == MPI_SUCCESS, "%s's: opens", s->owner))
        MPI_Abort(MPI_COMM_WORLD, 2);
    tap_ok(has_status(s->file) == (strcmp(s->owner, "driver") == 0), "%s's: and is its own",
           s->owner);
    for (int i = 0; i < INTS; i++)
        s->written[i] = (rank + 1) * INTS + i + (s->owner[0] == 'h');
}

/* Blocks of this rank, every ranks-th. */
static void write_strided(side *s)
{
    enum { BLOCK = 100 };
    MPI_Datatype type;
    MPI_Status status;
    int count = 0;

    MPI_Type_vector(INTS / BLOCK, BLOCK, BLOCK * ranks, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(s->file, (MPI_Offset) rank * BLOCK * (int) sizeof(int), MPI_INT, type,
                      "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_File_write_all(s->file, s->written, INTS, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    tap_ok(count == INTS, "%s's: written collectively", s->owner);
    MPI_File_sync(s->file);
}

static void read_back(side *s)
{
    int *found = calloc(INTS, sizeof(*found)), good;
    MPI_Offset place;
    MPI_Request request;

    MPI_File_seek(s->file, 0, MPI_SEEK_SET);
    MPI_File_read_all_begin(s->file, found, INTS, MPI_INT);
    MPI_File_read_all_end(s->file, found, MPI_STATUS_IGNORE);
    good = memcmp(found, s->written, BYTES) == 0;
    MPI_File_get_position(s->file, &place);
    tap_ok(good && place == INTS, "%s's: read in two steps", s->owner);
    memset(found, 0, BYTES);
    MPI_File_iread_at(s->file, 0, found, INTS, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tap_ok(memcmp(found, s->written, BYTES) == 0, "%s's: read without waiting", s->owner);
    free(found);
}

static void ask(side *s)
{
    MPI_Offset size = 0;
    int mode = 0, members = 0, atomic = 1;
    MPI_Group group;

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(s->file, &size);
    MPI_File_get_amode(s->file, &mode);
    MPI_File_get_atomicity(s->file, &atomic);
    MPI_File_get_group(s->file, &group);
    MPI_Group_size(group, &members);
    MPI_Group_free(&group);
    tap_ok(size == (MPI_Offset) BYTES * ranks && mode == (MPI_MODE_CREATE | MPI_MODE_RDWR) &&
               members == ranks && !atomic,
           "%s's: answers", s->owner);
    tap_ok(MPI_File_f2c(MPI_File_c2f(s->file)) == s->file, "%s's: a handle for Fortran and back",
           s->owner);
}

int main(int argc, char **argv)
{
    side sides[2];
    int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 5)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < 2; i++) {
        sides[i] = (side){.name = argv[1 + 2 * i], .owner = argv[2 + 2 * i]};
        open_side(&sides[i]);
    }
    tap_ok(MPI_File_c2f(sides[0].file) != MPI_File_c2f(sides[1].file),
           "handles for Fortran differ");
    for (int i = 0; i < 2; i++)
        write_strided(&sides[i]);
    for (int i = 0; i < 2; i++)
        read_back(&sides[i]);
    for (int i = 0; i < 2; i++)
        ask(&sides[i]);
    for (int i = 0; i < 2; i++) {
        MPI_File_close(&sides[i].file);
        tap_ok(sides[i].file == MPI_FILE_NULL, "%s's: closes", sides[i].owner);
    }
    code = tap_done();
    MPI_Finalize();
    return code;
}
