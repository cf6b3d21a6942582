/*
 * Large writes of disjoint ranks on Lustre, with a profile by which nobody should aggregate them:
 * these are left alone by ROMIO's threshold, all others are not.
 */

#include "common.h"

enum { LARGE = 1 << 18, SMALL = 4096 };

static unsigned char *data;

static MPI_File open_tuned(const char *name, MPI_Info info)
{
    MPI_File file;

    if (rank == 0)
        MPI_File_delete(path("", name), MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", name), RDWR_CREATE, info, &file);
    return file;
}

static void contiguous(void)
{
    MPI_File file = open_tuned("contiguous", MPI_INFO_NULL);
    int threshold;

    MPI_File_write_at_all(file, (MPI_Offset) rank * LARGE, data, LARGE, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    threshold = atoi(hint_of(file, "romio_lustre_coll_threshold"));
    tap_ok(threshold == LARGE / 2, "what is larger than half of it is left alone (%d)", threshold);
    tap_ok(strcmp(hint_of(file, "romio_cb_write"), "automatic") == 0,
           "two-phase I/O is not switched off");
    MPI_File_close(&file);
    tap_ok(file_holds("contiguous", ranks, LARGE), "all bytes are there");
}

/* A type with holes, of which each rank has one piece. */
static void pieces_of_strided_types(void)
{
    int sizes[1] = {ranks * LARGE}, size[1] = {LARGE}, start[1] = {rank * LARGE};
    MPI_File file = open_tuned("subarray", MPI_INFO_NULL);
    MPI_Datatype type;

    MPI_Type_create_subarray(1, sizes, size, start, MPI_ORDER_C, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, data, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(atoi(hint_of(file, "romio_lustre_coll_threshold")) == LARGE / 2,
           "also if types have holes");
    MPI_File_close(&file);
    MPI_Type_free(&type);
    tap_ok(file_holds("subarray", ranks, LARGE), "all bytes of these are there");
}

/* After a large one, pieces that alternate between ranks. */
static void interleaved(void)
{
    MPI_File file = open_tuned("interleaved", MPI_INFO_NULL);
    unsigned char *back = malloc(LARGE);
    MPI_Datatype type;

    MPI_File_write_at_all(file, (MPI_Offset) rank * LARGE, data, LARGE, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_Type_vector(LARGE / SMALL, SMALL, SMALL * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 3; i++) { /* some calls are not looked at by the driver */
        MPI_File_set_view(file, (MPI_Offset) rank * SMALL, MPI_BYTE, type, "native", MPI_INFO_NULL);
        MPI_File_write_all(file, data, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
        memset(back, 0, LARGE);
        MPI_File_read_at_all(file, 0, back, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
        tap_ok(is_filled(back, LARGE, rank), "interleaved bytes are there (%d)", i);
    }
    MPI_File_close(&file);
    MPI_Type_free(&type);
    free(back);
}

static void users_threshold(void)
{
    MPI_Info info = one_hint("romio_lustre_coll_threshold", "12345678");
    MPI_File file = open_tuned("user", info);

    MPI_File_write_at_all(file, (MPI_Offset) rank * LARGE, data, LARGE, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    tap_ok(strcmp(hint_of(file, "romio_lustre_coll_threshold"), "12345678") == 0,
           "the user's own stays");
    MPI_File_close(&file);
    MPI_Info_free(&info);
    tap_ok(file_holds("user", ranks, LARGE), "all bytes are there with it");
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    data = malloc(LARGE);
    fill(data, LARGE, rank);
    contiguous();
    pieces_of_strided_types();
    interleaved();
    users_threshold();
    free(data);
    return finish();
}
