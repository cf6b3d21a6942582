/*
 * Times the same calls on the same file through the wrapped driver (base),
 * through autotune: and again through the wrapped driver (noise), in rounds like
 *
 *     base autotune noise noise autotune base
 *
 * so that a steady drift of the machine cancels in each round.  The order changes
 * from round to round, because a block runs faster after one of its own side.
 * Each round gives one ratio per comparison; noise/base shows what the machine
 * lets one see.
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

enum {
    BASE,
    AUTOTUNE,
    NOISE,
    SIDES,
    MAX_NAME = 512,
};

static const char *directory, *fs = "ufs", *json_path, *count_side;
static const char *rounds_text = "100", *work_text, *calls_text = "200";

static const struct setting {
    const char *name, *argument, *help;
    const char **value;
} settings[] = {
    {"directory", "DIR", "where the files go (required)", &directory},
    {"fs", "FS", "wrapped driver: ufs (default), nfs, gpfs, lustre", &fs},
    {"rounds", "N", "how long to measure, in rounds (100)", &rounds_text},
    {"json", "FILE", "append each result as one line of JSON", &json_path},
    {"count", "SIDE", "time nothing, run one block for an instruction counter: base, autotune",
     &count_side},
    {"work", "N", "number of the work to count, from 0", &work_text},
    {"calls", "N", "calls to count (200)", &calls_text},
};

enum {
    SETTINGS = sizeof settings / sizeof settings[0],
};

static int rank, size, rounds, missed;

static void usage(FILE *to)
{
    fprintf(to, "usage: overhead --directory DIR [options]\n");
    for (int i = 0; i < SETTINGS; i++)
        fprintf(to, "  --%-10s %-5s %s\n", settings[i].name, settings[i].argument,
                settings[i].help);
    fprintf(to, "  --%-10s %-5s %s\n", "help", "", "this text");
    fprintf(to, "exit code: 0 all ratios are within their targets, 1 one is not, 2 usage\n");
}

static void leave(FILE *to, int code)
{
    if (rank == 0)
        usage(to);
    MPI_Finalize();
    exit(code);
}

/* The text as a number from 0 to INT_MAX; ends the program if it is none */
static int number(const char *text)
{
    char *end;
    long value;

    errno = 0;
    value = text ? strtol(text, &end, 10) : -1;
    if (value < 0 || errno || value > 1000000000 || *end)
        leave(stderr, 2);
    return value;
}

static void parse_options(int argc, char **argv)
{
    struct option names[SETTINGS + 2] = {0};
    int option, index;

    for (int i = 0; i < SETTINGS; i++)
        names[i] = (struct option){settings[i].name, required_argument, NULL, 's'};
    names[SETTINGS] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = rank == 0;
    while ((option = getopt_long(argc, argv, "", names, &index)) != -1) {
        if (option == 'h')
            leave(stdout, 0);
        if (option != 's')
            leave(stderr, 2);
        *settings[index].value = optarg;
    }
    rounds = number(rounds_text);
    if (directory == NULL || optind != argc || rounds < 1)
        leave(stderr, 2);
}

static void file_name(char name[MAX_NAME], int side)
{
    snprintf(name, MAX_NAME, "%s%s:%s/file", side == AUTOTUNE ? "autotune:" : "", fs, directory);
}

/* ---- timing ---- */

/* Seconds until all ranks are through */
static double time_block(const struct work *work, MPI_File file, const char *name, MPI_Comm comm)
{
    double start;

    MPI_Barrier(comm);
    start = MPI_Wtime();
    work_block(work, file, name, comm, work->calls);
    MPI_Barrier(comm);
    return MPI_Wtime() - start;
}

static void run_rounds(const struct work *work, MPI_Comm comm, int count, double *seconds[SIDES])
{
    static const int orders[6][SIDES] = {
        {BASE, AUTOTUNE, NOISE}, {AUTOTUNE, NOISE, BASE}, {NOISE, BASE, AUTOTUNE},
        {BASE, NOISE, AUTOTUNE}, {NOISE, AUTOTUNE, BASE}, {AUTOTUNE, BASE, NOISE},
    };
    char names[SIDES][MAX_NAME];
    MPI_File files[SIDES];

    for (int side = 0; side < SIDES; side++) {
        file_name(names[side], side);
        files[side] = work_open(names[side], comm);
        if (!work->keeps_open)
            MPI_File_close(&files[side]);
        time_block(work, files[side], names[side], comm); /* warm up */
    }
    for (int round = 0; round < count; round++)
        for (int i = 0; i < 2 * SIDES; i++) {
            int side = orders[round % 6][i < SIDES ? i : 2 * SIDES - 1 - i];
            seconds[side][round] += time_block(work, files[side], names[side], comm);
        }
    for (int side = 0; side < SIDES; side++)
        if (work->keeps_open)
            MPI_File_close(&files[side]);
}

/* ---- results ---- */

static void show_json(const struct work *work, int ranks, int count, const char *compared,
                      double base, double other, const struct spread *s)
{
    FILE *file = fopen(json_path, "a");

    if (file == NULL) {
        fprintf(stderr, "overhead: %s: %s\n", json_path, strerror(errno));
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    fprintf(file,
            "{\"fs\": \"%s\", \"work\": \"%s\", \"ranks\": %d, \"rounds\": %d, "
            "\"compared\": \"%s\", \"base_us\": %.4f, \"other_us\": %.4f, "
            "\"ratio_of_medians\": %.5f, \"median_ratio\": %.5f, \"q1\": %.5f, \"q3\": %.5f, "
            "\"low95\": %.5f, \"high95\": %.5f, \"target\": %.2f}\n",
            fs, work->name, ranks, count, compared, base, other, other / base, s->median, s->q1,
            s->q3, s->low, s->high, work->target);
    fclose(file);
}

static void show(const struct work *work, int ranks, int count, int side, double *seconds[SIDES])
{
    const char *compared = side == AUTOTUNE ? "autotune" : "noise floor";
    struct spread s = spread_of_ratios(seconds[side], seconds[BASE], count);
    double per_call = 1e6 / (2.0 * work->calls);
    double base = median_of(seconds[BASE], count) * per_call;
    double other = median_of(seconds[side], count) * per_call;

    printf("%-7s %-23s %5d  %-11s %10.3f %10.3f  %7.4f  %7.4f  %6.4f-%6.4f  %6.4f-%6.4f", fs,
           work->name, ranks, compared, base, other, other / base, s.median, s.q1, s.q3, s.low,
           s.high);
    if (side == AUTOTUNE) {
        int above = s.median > work->target || (work->most > 0 && other - base > work->most);

        printf("  %s %.2f", above ? "ABOVE" : "within", work->target);
        if (work->most > 0)
            printf(" and %.0f us", work->most);
        missed += above;
    }
    printf("\n");
    fflush(stdout);
    if (json_path)
        show_json(work, ranks, count, compared, base, other, &s);
}

static void show_heading(void)
{
    printf("%-7s %-23s %5s  %-11s %10s %10s  %7s  %7s  %-13s  %-13s  %s\n", "driver", "work",
           "ranks", "compared", "base us", "other us", "of med.", "ratio", "quartiles",
           "95 % interval", "target");
}

static void measure(const struct work *work)
{
    int ranks = work->ranks ? work->ranks : size;
    int count = rounds * work->repeats;
    double *seconds[SIDES];
    MPI_Comm comm;

    for (int side = 0; side < SIDES; side++)
        seconds[side] = calloc(count, sizeof(double));
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks, rank, &comm);
    if (rank < ranks)
        run_rounds(work, comm, count, seconds);
    if (rank == 0) {
        show(work, ranks, count, AUTOTUNE, seconds);
        show(work, ranks, count, NOISE, seconds);
    }
    MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int side = 0; side < SIDES; side++)
        free(seconds[side]);
}

/* One block on one rank, after one call that pays for what happens only once */
static void run_counted(void)
{
    int index = number(work_text), calls = number(calls_text);
    int side = strcmp(count_side, "autotune") == 0 ? AUTOTUNE : BASE;
    char name[MAX_NAME];
    MPI_File file;

    if (index >= work_count || size != 1)
        leave(stderr, 2);
    file_name(name, side);
    file = work_open(name, MPI_COMM_WORLD);
    works[index].call(file, name, MPI_COMM_WORLD, 0);
    work_block(&works[index], file, name, MPI_COMM_WORLD, calls);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse_options(argc, argv);

    if (count_side) {
        run_counted();
    } else {
        if (rank == 0)
            show_heading();
        for (int i = 0; i < work_count; i++)
            measure(&works[i]);
        MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return missed != 0;
}
