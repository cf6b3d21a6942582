/*
 * The calls that are still expected decide: by the profile, one writer is the fastest as long as
 * a cache has room, and many when it is full.  Called as PROGRAM DIRECTORY FS with LIFE_PROFILE.
 */

#include "common.h"

enum { BYTES = 1 << 18 };

static MPI_File open_with(const char *name, const char *calls)
{
    MPI_Info info = one_hint("romio_autotune", "enable");
    MPI_File fh;

    MPI_Info_set(info, "cb_buffer_size", "262144");
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "romio_autotune_profile", getenv("LIFE_PROFILE"));
    if (calls != NULL)
        MPI_Info_set(info, "romio_autotune_calls", calls);
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", name), RDWR_CREATE, info, &fh);
    MPI_Info_free(&info);
    return fh;
}

/* Writers in effect after so many calls. */
static int writers(MPI_File fh, int calls)
{
    unsigned char *out = malloc(BYTES);

    fill(out, BYTES, rank);
    for (int i = 0; i < calls; i++)
        MPI_File_write_at_all(fh, ((MPI_Offset) i * ranks + rank) * BYTES, out, BYTES, MPI_BYTE,
                              MPI_STATUS_IGNORE);
    free(out);
    return atoi(hint_of(fh, "cb_nodes"));
}

static void with_hint(const char *calls, int expected)
{
    MPI_File fh = open_with(calls, calls);

    tap_ok(writers(fh, 1) == expected, "of %s calls, the first has %s writers, not %d", calls,
           hint_of(fh, "cb_nodes"), expected);
    tap_ok(strcmp(hint_of(fh, "romio_autotune_calls"), calls) == 0, "the hint is reported");
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    MPI_File fh;

    start(&argc, &argv);
    with_hint("1", 1);
    with_hint("100000", ranks);
    fh = open_with("unknown", NULL);
    tap_ok(writers(fh, 1) == 1, "nothing is expected after the first call");
    MPI_File_close(&fh);
    fh = open_with("bad", "many");
    tap_ok(strstr(hint_of(fh, "romio_autotune_status"),
                  "romio_autotune_calls=many ignored: not a number of calls") != NULL,
           "%s", hint_of(fh, "romio_autotune_status"));
    MPI_File_close(&fh);
    fh = open_with("long", NULL);
    tap_ok(writers(fh, 64) == ranks, "with every call as many more are expected: %s writers",
           hint_of(fh, "cb_nodes"));
    MPI_File_close(&fh);
    return finish();
}
