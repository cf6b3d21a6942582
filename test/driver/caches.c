/*
 * What one file leaves in caches is known when the next is decided on, or when it is read.  Called
 * as PROGRAM DIRECTORY FS with CACHES_PROFILE, by which a cache drains slowly or at once.
 */

#include "common.h"

enum { BYTES = 1 << 20 };

/* A record tells what was decided for each call. */
static MPI_File open_recorded(const char *name, const char *record, int mode)
{
    MPI_Info info = one_hint("romio_autotune", "enable");
    MPI_File fh;

    MPI_Info_set(info, "romio_autotune_profile", getenv("CACHES_PROFILE"));
    MPI_Info_set(info, "romio_autotune_record", path("", record));
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", name), mode, info, &fh);
    MPI_Info_free(&info);
    return fh;
}

/* Writes twice. */
static void write_file(const char *name, const char *record)
{
    char *out = calloc(1, BYTES);
    MPI_File fh = open_recorded(name, record, RDWR_CREATE);

    for (int i = 0; i < 2; i++)
        MPI_File_write_at_all(fh, ((MPI_Offset) i * ranks + rank) * BYTES, out, BYTES, MPI_BYTE,
                              MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    free(out);
}

static void read_file(const char *name, const char *record)
{
    char *in = malloc(BYTES);
    MPI_File fh = open_recorded(name, record, MPI_MODE_RDONLY);

    MPI_File_read_at_all(fh, (MPI_Offset) rank * BYTES, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    free(in);
}

/* A file that others have written. */
static void make_file(const char *name)
{
    char *out = calloc(1, BYTES);
    FILE *file = rank == 0 ? fopen(path("", name), "w") : NULL;

    for (int i = 0; file != NULL && i < ranks; i++)
        fwrite(out, 1, BYTES, file);
    if (file != NULL)
        fclose(file);
    free(out);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The largest of these in a record; -1: there is no record. */
static double largest(const char *key, const char *record)
{
    static char line[65536];
    char member[32];
    double most = 0;
    FILE *file;

    snprintf(member, sizeof(member), "\"%s\":", key);
    file = fopen(path("", record), "r");
    if (file == NULL || fgets(line, sizeof(line), file) == NULL)
        return -1;
    fclose(file);
    for (char *at = strstr(line, member); at != NULL; at = strstr(at + 1, member)) {
        double bytes = atof(at + strlen(member));

        most = bytes > most ? bytes : most;
    }
    return most;
}

static void check_reads(void)
{
    make_file("other");
    read_file("one", "one.read");
    read_file("other", "other.read");
    if (rank == 0) {
        double one = largest("cached", "one.read"), other = largest("cached", "other.read");

        tap_ok(one >= (double) BYTES * ranks, "what was just written is read from caches: %g", one);
        tap_ok(other == 0, "what others have written is not: %g", other);
    } else {
        tap_ok(1, "what was just written");
        tap_ok(1, "what others have written");
    }
}

int main(int argc, char **argv)
{
    int slow;

    start(&argc, &argv);
    slow = strstr(getenv("CACHES_PROFILE"), "slow") != NULL;
    write_file("one", "one.record");
    write_file("two", "two.record");
    if (rank == 0) {
        double all = 2.0 * BYTES * ranks, one = largest("dirty", "one.record"),
               two = largest("dirty", "two.record");

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
    check_reads();
    return finish();
}
