/*
 * autotune-write: one collective write through "autotune:" and through the
 * driver it wraps, interleaved, with what was decided and what it gained.
 */

#include <errno.h>
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct options {
    const char *directory;
    long bytes; /* of each process */
    long block; /* contiguous in the file; processes take turns */
    int repeats;
} options;

static const char usage[] =
    "usage: mpiexec -n N autotune-write [options] DIRECTORY\n"
    "Write one shared file collectively through \"autotune:\" and through the driver\n"
    "it wraps, in turns, and print what was decided and what it gained.\n"
    "  -b, --bytes SIZE    bytes of each process (8M)\n"
    "  -k, --block SIZE    contiguous block; processes take turns in the file (64K)\n"
    "  -r, --repeats N     writes of each kind (7)\n"
    "  -h, --help          this text\n"
    "SIZE may end in K, M or G.\n";

/* Returns -1 when text is no positive size. */
static long parse_size(const char *text)
{
    char *end;
    long value;
    int shift = 0;

    errno = 0;
    value = strtol(text, &end, 10);
    switch (*end) {
        case 'G':
            shift += 10; /* fall through */
        case 'M':
            shift += 10; /* fall through */
        case 'K':
            shift += 10;
            end++;
    }
    if (errno != 0 || value <= 0 || *end != '\0' || value > (1L << 40) >> shift)
        return -1;
    return value << shift;
}

/* Returns 0, or the exit code with the reason printed on rank 0. */
static int parse(int argc, char **argv, int rank, options *opts, int *help)
{
    static const struct option names[] = {{"bytes", required_argument, NULL, 'b'},
                                          {"block", required_argument, NULL, 'k'},
                                          {"repeats", required_argument, NULL, 'r'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    long repeats = 7;
    int c;

    *opts = (options){.bytes = 8 << 20, .block = 64 << 10};
    *help = 0;
    opterr = rank == 0;
    while ((c = getopt_long(argc, argv, "b:k:r:h", names, NULL)) != -1) {
        switch (c) {
            case 'b':
                opts->bytes = parse_size(optarg);
                break;
            case 'k':
                opts->block = parse_size(optarg);
                break;
            case 'r':
                repeats = parse_size(optarg);
                break;
            case 'h':
                *help = 1;
                return 0;
            default:
                return 2;
        }
    }
    if (opts->bytes < 0 || opts->block < 0 || repeats < 1 || repeats > 10000 ||
        opts->bytes > 1 << 30 || opts->bytes % opts->block != 0 || argc - optind != 1) {
        if (rank == 0)
            fprintf(
                stderr,
                argc - optind != 1
                    ? "autotune-write: name one directory\n"
                    : "autotune-write: sizes must be positive, bytes at most 1G and a multiple of "
                      "block, repeats 1 to 10000\n");
        return 2;
    }
    opts->repeats = (int) repeats;
    opts->directory = argv[optind];
    return 0;
}

/* The error's text on rank 0; returns the error. */
static int complain(int error, const char *what, const char *name, int rank)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (error != MPI_SUCCESS && rank == 0) {
        MPI_Error_string(error, text, &length);
        fprintf(stderr, "autotune-write: %s %s: %s\n", what, name, text);
    }
    return error;
}

/* Create, write and close name; seconds_p is the slowest rank's, info_p the
 * file's hints, which the caller frees. */
static int write_once(const char *name, const options *opts, const char *buffer, double *seconds_p,
                      MPI_Info *info_p)
{
    int rank, ranks, error;
    double start, mine;
    MPI_Datatype type;
    MPI_File file;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    error = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                          &file);
    if (complain(error, "opening", name, rank) != MPI_SUCCESS)
        return error;
    MPI_Type_vector((int) (opts->bytes / opts->block), (int) opts->block, (int) opts->block * ranks,
                    MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, (MPI_Offset) rank * opts->block, MPI_BYTE, type, "native",
                      MPI_INFO_NULL);
    error = MPI_File_write_all(file, buffer, (int) opts->bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_File_get_info(file, info_p);
    MPI_File_close(&file);
    MPI_Type_free(&type);
    mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, seconds_p, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_delete(name, MPI_INFO_NULL);
    if (complain(error, "writing", name, rank) != MPI_SUCCESS)
        MPI_Info_free(info_p);
    return error;
}

static void get(MPI_Info info, const char *key, char *value)
{
    int flag;

    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (!flag)
        strcpy(value, "-");
}

static void print_decision(MPI_Info info)
{
    static const char *const keys[] = {
        "romio_autotune_wrapped", "romio_autotune_status", "cb_nodes",       "cb_buffer_size",
        "romio_aggregator_list",  "striping_unit",         "striping_factor"};
    char value[MPI_MAX_INFO_VAL + 1];

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        get(info, keys[i], value);
        if (strcmp(value, "-") != 0)
            printf("  %-24s %s\n", keys[i], value);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Sorts values. */
static double median(double *values, int n)
{
    qsort(values, n, sizeof(*values), ascending);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static void print_gain(const options *opts, int ranks, double *seconds[2], const char *wrapped)
{
    double megabytes = (double) opts->bytes * ranks / 1e6;
    double *ratios = malloc(opts->repeats * sizeof(*ratios));
    double ours, theirs;

    for (int i = 0; ratios != NULL && i < opts->repeats; i++)
        ratios[i] = seconds[1][i] / seconds[0][i];
    ours = median(seconds[0], opts->repeats);
    theirs = median(seconds[1], opts->repeats);
    printf("  %-24s %.4f s, %.0f MB/s\n", "autotune:", ours, megabytes / ours);
    printf("  %-24s %.4f s, %.0f MB/s\n", wrapped, theirs, megabytes / theirs);
    if (ratios != NULL) {
        double middle = median(ratios, opts->repeats);

        printf("  %-24s %.3f (median of %d pairs, %.3f to %.3f)\n", "speed-up", middle,
               opts->repeats, ratios[0], ratios[opts->repeats - 1]);
    }
    free(ratios);
}

/* Writes of both kinds in turns, the first of each pair alternating. */
static int measure(const options *opts, int rank, int ranks, const char *buffer, double *seconds[2])
{
    char name[2][4096], wrapped[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int error;

    snprintf(name[0], sizeof(name[0]), "autotune:%s/autotune-write.data", opts->directory);
    /* the first write warms up and tells which driver is wrapped */
    error = write_once(name[0], opts, buffer, &seconds[0][0], &info);
    if (error != MPI_SUCCESS)
        return error;
    get(info, "romio_autotune_wrapped", wrapped);
    if (rank == 0) {
        printf("%d processes, %ld bytes each in blocks of %ld\n", ranks, opts->bytes, opts->block);
        print_decision(info);
        fflush(stdout);
    }
    MPI_Info_free(&info);
    strcat(wrapped, ":");
    snprintf(name[1], sizeof(name[1]), "%s%s/autotune-write.data", wrapped, opts->directory);
    for (int i = 0; i < 2 * opts->repeats; i++) {
        int kind = (i + i / 2) % 2;

        error = write_once(name[kind], opts, buffer, &seconds[kind][i / 2], &info);
        if (error != MPI_SUCCESS)
            return error;
        MPI_Info_free(&info);
        if (rank == 0 && isatty(STDERR_FILENO))
            fprintf(stderr, "\rwrite %d of %d ", i + 1, 2 * opts->repeats);
    }
    if (rank == 0) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r%30s\r", "");
        print_gain(opts, ranks, seconds, wrapped);
    }
    return MPI_SUCCESS;
}

static int run(const options *opts, int rank, int ranks)
{
    char *buffer = malloc(opts->bytes);
    double *seconds[2] = {malloc(opts->repeats * sizeof(double)),
                          malloc(opts->repeats * sizeof(double))};
    int ready = buffer != NULL && seconds[0] != NULL && seconds[1] != NULL;
    int code = 1;

    MPI_Allreduce(MPI_IN_PLACE, &ready, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (ready) {
        memset(buffer, 'a' + rank % 26, opts->bytes);
        code = measure(opts, rank, ranks, buffer, seconds) != MPI_SUCCESS;
    } else if (rank == 0) {
        fprintf(stderr, "autotune-write: out of memory\n");
    }
    free(buffer);
    free(seconds[0]);
    free(seconds[1]);
    return code;
}

int main(int argc, char **argv)
{
    options opts;
    int rank, ranks, help, code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    code = parse(argc, argv, rank, &opts, &help);
    if (help && rank == 0)
        fputs(usage, stdout);
    if (code == 2 && rank == 0)
        fprintf(stderr, "Try 'autotune-write --help'.\n");
    if (code == 0 && !help)
        code = run(&opts, rank, ranks);
    MPI_Finalize();
    return code;
}
