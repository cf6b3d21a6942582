/*
 * Times the same calls on the same file through the wrapped driver (base),
 * through autotune:, through autotune: with romio_autotune=disable, and again
 * through the wrapped driver (noise), in rounds like
 *
 *     base autotune noise disabled disabled noise autotune base
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
    DISABLED,
    NOISE,
    SIDES,
    MAX_NAME = 512,
};

static const char *const side_names[SIDES] = {"base", "autotune", "disabled", "noise floor"};

static const char *directory, *fs = "ufs", *naming = "prefix", *json_path, *count_side;
static const char *rounds_text = "100", *work_text = "0,1,2", *calls_text = "200", *target_text;

static const struct setting {
    const char *name, *argument, *help;
    const char **value;
} settings[] = {
    {"directory", "DIR", "where the files go (required)", &directory},
    {"fs", "FS", "wrapped driver: ufs (default), nfs, gpfs, lustre", &fs},
    {"names", "HOW", "prefix: name the wrapped driver (default); plain: let it be detected",
     &naming},
    {"rounds", "N", "how long to measure, in rounds (100)", &rounds_text},
    {"work", "LIST", "numbers of the works, from 0 (0,1,2); to count, one", &work_text},
    {"target", "RATIO", "largest allowed one, instead of each work's own limits", &target_text},
    {"json", "FILE", "append each result as one line of JSON", &json_path},
    {"count", "SIDE", "time nothing, run one block for an instruction counter: base, autotune",
     &count_side},
    {"calls", "N", "calls to count (200)", &calls_text},
};

enum {
    SETTINGS = sizeof settings / sizeof settings[0],
};

static int rank, size, rounds, missed;
static double target; /* 0: each work's own */
static MPI_Info off;  /* romio_autotune=disable */

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
    target = target_text != NULL ? atof(target_text) : 0;
    if (directory == NULL || optind != argc || rounds < 1 ||
        (strcmp(naming, "prefix") != 0 && strcmp(naming, "plain") != 0))
        leave(stderr, 2);
}

static void file_name(char name[MAX_NAME], int side)
{
    int tuned = side == AUTOTUNE || side == DISABLED, plain = strcmp(naming, "plain") == 0;

    snprintf(name, MAX_NAME, "%s%s%s%s/file", tuned ? "autotune:" : "", plain ? "" : fs,
             plain ? "" : ":", directory);
}

static MPI_Info info_of(int side)
{
    return side == DISABLED ? off : MPI_INFO_NULL;
}

/* ---- timing ---- */

/* Seconds until all ranks are through; file is used by works that keep one open. */
static double time_block(const struct work *work, MPI_File file, int side, MPI_Comm comm)
{
    struct place place = {.file = file, .info = info_of(side), .comm = comm};
    char name[MAX_NAME];
    double start;

    file_name(name, side);
    place.name = name;
    if (work->opens == FRESH)
        place.file = work_open(name, comm, place.info);
    MPI_Barrier(comm);
    start = MPI_Wtime();
    work_block(work, &place, work->calls);
    MPI_Barrier(comm);
    start = MPI_Wtime() - start;
    if (work->opens == FRESH)
        MPI_File_close(&place.file);
    return start;
}

static void run_rounds(const struct work *work, MPI_Comm comm, int count, double *seconds[SIDES])
{
    /* each side after each other one equally often */
    static const int orders[SIDES][SIDES] = {
        {BASE, AUTOTUNE, NOISE, DISABLED},
        {AUTOTUNE, DISABLED, BASE, NOISE},
        {DISABLED, NOISE, AUTOTUNE, BASE},
        {NOISE, BASE, DISABLED, AUTOTUNE},
    };
    MPI_File files[SIDES];
    char name[MAX_NAME];

    for (int side = 0; side < SIDES; side++) {
        file_name(name, side);
        files[side] = work->opens == KEPT ? work_open(name, comm, info_of(side)) : MPI_FILE_NULL;
        time_block(work, files[side], side, comm); /* warm up */
    }
    for (int round = 0; round < count; round++)
        for (int i = 0; i < 2 * SIDES; i++) {
            int side = orders[round % SIDES][i < SIDES ? i : 2 * SIDES - 1 - i];
            seconds[side][round] += time_block(work, files[side], side, comm);
        }
    for (int side = 0; side < SIDES; side++)
        if (work->opens == KEPT)
            MPI_File_close(&files[side]);
}

/* ---- results ---- */

static double target_of(const struct work *work)
{
    return target > 0 ? target : work->target;
}

static void show_verdict(const struct work *work, double ratio, double difference)
{
    double most = target > 0 ? 0 : work->most;
    int above = ratio > target_of(work) || (most > 0 && difference > most);

    printf("  %s %.2f", above ? "ABOVE" : "within", target_of(work));
    if (most > 0)
        printf(" and %.0f us", most);
    missed += above;
}

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
            s->q3, s->low, s->high, target_of(work));
    fclose(file);
}

static void show(const struct work *work, int ranks, int count, int side, double *seconds[SIDES])
{
    struct spread s = spread_of_ratios(seconds[side], seconds[BASE], count);
    double per_call = 1e6 / (2.0 * work->calls);
    double base = median_of(seconds[BASE], count) * per_call;
    double other = median_of(seconds[side], count) * per_call;

    printf("%-7s %-23s %5d  %-11s %10.3f %10.3f  %7.4f  %7.4f  %6.4f-%6.4f  %6.4f-%6.4f", fs,
           work->name, ranks, side_names[side], base, other, other / base, s.median, s.q1, s.q3,
           s.low, s.high);
    if (side != NOISE && work->target > 0)
        show_verdict(work, s.median, other - base);
    printf("\n");
    fflush(stdout);
    if (json_path)
        show_json(work, ranks, count, side_names[side], base, other, &s);
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
    if (rank == 0)
        for (int side = BASE + 1; side < SIDES; side++)
            show(work, ranks, count, side, seconds);
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
    struct place place = {.info = MPI_INFO_NULL, .comm = MPI_COMM_WORLD};
    char name[MAX_NAME];

    if (index >= work_count || size != 1)
        leave(stderr, 2);
    file_name(name, side);
    place.name = name;
    place.file = work_open(name, place.comm, place.info);
    works[index].call(&place, 0);
    work_block(&works[index], &place, calls);
    MPI_File_close(&place.file);
}

/* The listed works */
static void measure_all(void)
{
    char list[64], *next;

    snprintf(list, sizeof(list), "%s", work_text);
    if (rank == 0)
        show_heading();
    for (char *one = strtok_r(list, ",", &next); one; one = strtok_r(NULL, ",", &next)) {
        if (number(one) >= work_count)
            leave(stderr, 2);
        measure(&works[number(one)]);
    }
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse_options(argc, argv);
    MPI_Info_create(&off);
    MPI_Info_set(off, "romio_autotune", "disable");

    if (count_side)
        run_counted();
    else
        measure_all();
    MPI_Info_free(&off);
    MPI_Finalize();
    return missed != 0;
}
