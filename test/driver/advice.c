/*
 * A file, written and read by one collective call each.  Called as
 *     advice FILE [KEY VALUE]...     ADVICE_REPLACE=PATH: a second time, after PATH.new has become
 *                                    PATH
 * with hints; prints what MPI_File_get_info says after the write, which must be the same on all
 * ranks.
 */

#include "mpitap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 1 << 20, PIECE = 1 << 16, SAID = 1 << 16 };

/* All keys and values, in the order of the info. */
static void say_info(MPI_File handle, char *said)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int count, flag;
    size_t used = 0;

    MPI_File_get_info(handle, &info);
    MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
        used += (size_t) snprintf(said + used, SAID - used, "# %s %s\n", key, value);
    }
    MPI_Info_free(&info);
}

static int is_same_everywhere(const char *said)
{
    char *first = calloc(1, SAID);
    int same, all;

    memcpy(first, said, SAID);
    MPI_Bcast(first, SAID, MPI_BYTE, 0, MPI_COMM_WORLD);
    same = strcmp(first, said) == 0;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    free(first);
    return all;
}

/* Pieces of all ranks in turn. */
static MPI_Datatype make_view(int ranks)
{
    MPI_Datatype pieces, view;

    MPI_Type_vector(BYTES / PIECE, PIECE, ranks * PIECE, MPI_BYTE, &pieces);
    MPI_Type_create_resized(pieces, 0, (MPI_Aint) ranks * BYTES, &view);
    MPI_Type_free(&pieces);
    MPI_Type_commit(&view);
    return view;
}

static int move(MPI_File handle, int rank, char *said)
{
    char *wrote = malloc(BYTES), *read = calloc(1, BYTES);
    int ok;

    memset(wrote, rank + 1, BYTES);
    ok = MPI_File_write_at_all(handle, 0, wrote, BYTES, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    say_info(handle, said);
    ok &= MPI_File_read_at_all(handle, 0, read, BYTES, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    ok &= memcmp(wrote, read, BYTES) == 0;
    free(wrote);
    free(read);
    return ok;
}

static void use(const char *file, MPI_Info hints)
{
    char name[4096], *said = calloc(1, SAID);
    int rank, ranks, ok;
    MPI_Datatype view;
    MPI_File handle;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(name, sizeof(name), "autotune:%s", file);
    ok = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &handle) ==
         MPI_SUCCESS;
    tap_ok(ok, "opened");
    if (!ok)
        return;
    view = make_view(ranks);
    MPI_File_set_view(handle, (MPI_Offset) rank * PIECE, MPI_BYTE, view, "native", MPI_INFO_NULL);
    tap_ok(move(handle, rank, said), "what was written is read");
    tap_ok(is_same_everywhere(said), "ranks agree");
    if (rank == 0)
        printf("%s", said);
    MPI_Type_free(&view);
    tap_ok(MPI_File_close(&handle) == MPI_SUCCESS, "closed");
    free(said);
}

static void replace(const char *path)
{
    char made[4096];
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(made, sizeof(made), "%s.new", path);
    if (rank == 0 && rename(made, path) != 0)
        perror(path);
    usleep(1100000); /* what was found is believed for a second */
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *replaced = getenv("ADVICE_REPLACE");
    MPI_Info hints;
    int code;

    MPI_Init(&argc, &argv);
    if (argc < 2 || argc % 2 != 0) {
        fprintf(stderr, "usage: advice FILE [KEY VALUE]...\n");
        MPI_Finalize();
        return 2;
    }
    MPI_Info_create(&hints);
    for (int i = 2; i < argc; i += 2)
        MPI_Info_set(hints, argv[i], argv[i + 1]);
    use(argv[1], hints);
    if (replaced != NULL) {
        replace(replaced);
        use(argv[1], hints);
    }
    MPI_Info_free(&hints);
    code = tap_done();
    MPI_Finalize();
    return code;
}
