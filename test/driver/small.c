/*
 * A small call among large ones, as libraries make them for a header or for data of their own:
 * large calls are made as if it had not been, whichever call it is, and so are the stripes of a new
 * file.
 *
 *     small DIRECTORY FS             compares what is reported after each large call
 *     SMALL_TIMES=N small ...        prints the time of large calls over that without a small
 *                                    one, medians of N pairs, instead
 */

#include "common.h"

#include <unistd.h>

enum { CALLS = 15, BLOCK = 65536, BLOCKS = 16, BYTES = BLOCK * BLOCKS, HEADER = 512, NONE = CALLS };

static const char *const keys[] = {
    "romio_autotune_status", "cb_nodes",        "romio_aggregator_list", "cb_buffer_size",
    "romio_cb_write",        "striping_factor", "striping_unit"};
enum { KEYS = sizeof(keys) / sizeof(keys[0]), COUNT = KEYS - 2 };

typedef struct report {
    char values[KEYS][256];
} report;

static unsigned char out[BYTES];

static report report_of(MPI_File fh)
{
    report report;

    for (int i = 0; i < KEYS; i++)
        snprintf(report.values[i], sizeof(report.values[i]), "%s", hint_of(fh, keys[i]));
    return report;
}

/* A small first call brings the stripes: as many, of the size that is expected at open; for those,
 * another number of aggregators may be as good as the one that was chosen together with them. */
static int is_same(const report *one, const report *other, int call, int small)
{
    int first = small == 0 && strcmp(fs, "lustre") == 0;

    for (int i = first ? COUNT : 0; i < (first ? COUNT + 1 : KEYS); i++) {
        if (strcmp(one->values[i], other->values[i]) == 0)
            continue;
        if (rank == 0)
            printf("# call %d is small, after large call %d: %s is '%s', not '%s'\n", small, call,
                   keys[i], other->values[i], one->values[i]);
        return 0;
    }
    return 1;
}

/* Names without digits, so that no file is expected to be like the last one. */
static MPI_File open_new(int small, const char *access_size)
{
    MPI_Info info = one_hint("romio_autotune_calls", "15");
    MPI_File fh = MPI_FILE_NULL;
    char name[32];

    snprintf(name, sizeof(name), "file-%c%s", 'a' + small, access_size != NULL ? "-told" : "");
    if (access_size != NULL)
        MPI_Info_set(info, "romio_autotune_access_size", access_size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path("", name));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", name), RDWR_CREATE, info, &fh);
    MPI_Info_free(&info);
    return fh;
}

static void write_small(MPI_File fh)
{
    MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(fh, 0, out, rank == 0 ? HEADER : 0, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void write_large(MPI_File fh, int call)
{
    MPI_Datatype type;

    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) (1 + call) * ranks * BYTES + (MPI_Offset) rank * BLOCK,
                      MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(fh, 0, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

/* All calls; what is reported after the large ones, reports_p[CALLS], unless NULL.  Returns their
 * seconds. */
static double write_file(int small, const char *access_size, report *reports_p)
{
    MPI_File fh = open_new(small, access_size);
    double seconds = 0, start;

    for (int call = 0, large = 0; large < CALLS - 1; call++) {
        if (call == small) {
            write_small(fh);
            continue;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        start = MPI_Wtime();
        write_large(fh, large);
        seconds += MPI_Wtime() - start;
        if (reports_p != NULL)
            reports_p[large] = report_of(fh);
        large++;
    }
    MPI_File_close(&fh);
    return seconds;
}

static void compare(const char *access_size)
{
    static report without[CALLS], with[CALLS];

    write_file(NONE, access_size, without);
    tap_ok(strncmp(without[0].values[0], "tuned", 5) == 0, "without a small call: %s",
           without[0].values[0]);
    for (int small = 0; small < CALLS; small++) {
        int same = 1;

        write_file(small, access_size, with);
        for (int call = 0; call < CALLS - 1; call++)
            same = same && is_same(&without[call], &with[call], call, small);
        tap_ok(same, "call %d is small%s: large ones as without", small,
               access_size != NULL ? ", size is told" : "");
    }
}

/* --- times */

static int by_size(const void *one, const void *other)
{
    double a = *(const double *) one, b = *(const double *) other;

    return (a > b) - (a < b);
}

static void print_times(int pairs)
{
    double *ratios = malloc((size_t) pairs * sizeof(*ratios));

    for (int small = 0; small < CALLS; small++) {
        for (int i = 0; i < pairs; i++)
            ratios[i] = write_file(small, NULL, NULL) / write_file(NONE, NULL, NULL);
        qsort(ratios, (size_t) pairs, sizeof(*ratios), by_size);
        if (rank == 0)
            printf("call %2d is small: %.3f (%.3f to %.3f)\n", small, ratios[pairs / 2],
                   ratios[pairs / 4], ratios[3 * pairs / 4]);
    }
    free(ratios);
}

int main(int argc, char **argv)
{
    const char *pairs = getenv("SMALL_TIMES");

    start(&argc, &argv);
    fill(out, BYTES, rank);
    if (pairs != NULL) {
        print_times(atoi(pairs) > 0 ? atoi(pairs) : 1);
        MPI_Finalize();
        return 0;
    }
    compare(NULL);
    compare("4M");
    return finish();
}
