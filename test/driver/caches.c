/*
 * What one file leaves in caches is known when the next is decided on.  Called as
 * PROGRAM DIRECTORY FS with CACHES_PROFILE, by which a cache drains slowly or at once.
 */

#include "common.h"

enum { BYTES = 1 << 20 };

/* Writes twice; a record tells what was decided for each call. */
static void write_file(const char *name)
{
    MPI_Info info = one_hint("romio_autotune", "enable");
    char *out = calloc(1, BYTES), record[64];
    MPI_File fh;

    snprintf(record, sizeof(record), "%s.record", name);
    MPI_Info_set(info, "romio_autotune_profile", getenv("CACHES_PROFILE"));
    MPI_Info_set(info, "romio_autotune_record", path("", record));
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", name), RDWR_CREATE, info, &fh);
    MPI_Info_free(&info);
    for (int i = 0; i < 2; i++)
        MPI_File_write_at_all(fh, ((MPI_Offset) i * ranks + rank) * BYTES, out, BYTES, MPI_BYTE,
                              MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    free(out);
}

/* The largest "dirty" in a file's record; -1: there is no record. */
static double dirty_of(const char *name)
{
    static char line[65536];
    char record[64];
    double most = 0;
    FILE *file;

    snprintf(record, sizeof(record), "%s.record", name);
    file = fopen(path("", record), "r");
    if (file == NULL || fgets(line, sizeof(line), file) == NULL)
        return -1;
    fclose(file);
    for (char *at = strstr(line, "\"dirty\":"); at != NULL; at = strstr(at + 1, "\"dirty\":")) {
        double dirty = atof(at + strlen("\"dirty\":"));

        most = dirty > most ? dirty : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    int slow;

    start(&argc, &argv);
    slow = strstr(getenv("CACHES_PROFILE"), "slow") != NULL;
    write_file("one");
    write_file("two");
    if (rank == 0) {
        double all = 2.0 * BYTES * ranks, one = dirty_of("one"), two = dirty_of("two");

        if (slow) {
            tap_ok(one >= 0 && one < all, "the first file starts with %g bytes in caches", one);
            tap_ok(two > 0.9 * all && two < 2.1 * all, "the second with the first's: %g", two);
        } else {
            tap_ok(one == 0, "nothing stays in caches that drain at once: %g", one);
            tap_ok(two == 0, "nor from file to file: %g", two);
        }
    } else {
        tap_ok(1, "the first file");
        tap_ok(1, "the second");
    }
    return finish();
}
