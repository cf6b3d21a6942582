/*
 * autotune-write: one collective write, or read, through "autotune:" and through the
 * driver it wraps, interleaved, with what was decided and the gain.
 */

#include "write.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atm.h"

static const char usage[] =
    "usage: mpiexec -n N autotune-write [options] DIRECTORY\n"
    "Write one shared file collectively through \"autotune:\" and through the driver\n"
    "it wraps, alternately, and print what was decided and what it gained.\n"
    "  -b, --bytes SIZE    bytes of each process (8M)\n"
    "  -k, --block SIZE    contiguous blocks, which alternate between processes (64K)\n"
    "  -r, --repeats N     accesses of each kind (7)\n"
    "  -R, --read          read the file instead\n"
    "  -l, --line NAME     print one line of a table, called NAME\n"
    "  -H, --heading       print the heading of such lines, and do nothing else\n"
    "  -V, --version       of this program\n"
    "  -h, --help          this text\n"
    "SIZE may end in K, M or G.\n";

static const char version[] = "autotune-write (romio-autotune) " PACKAGE_VERSION "\n";

/* Returns -1 when text is no positive size. */
static long parse_size(const char *text)
{
    uint64_t size;

    return atm_parse_size(text, UINT64_C(1) << 40, &size) ? (long) size : -1;
}

static int complain_wrong(int rank, const char *text)
{
    if (rank == 0)
        fprintf(stderr, "autotune-write: %s\nTry 'autotune-write --help'.\n", text);
    return 2;
}

static int check(const options *opts, long repeats, int names, int rank)
{
    if (opts->heading)
        return 0;
    if (names != 1)
        return complain_wrong(rank, "name one directory");
    if (opts->bytes < 0 || opts->block < 0 || repeats < 1 || repeats > 10000 ||
        opts->bytes > 1 << 30 || opts->bytes % opts->block != 0)
        return complain_wrong(rank, "sizes must be positive, bytes at most 1G and a multiple of "
                                    "block, repeats 1 to 10000");
    return 0;
}

/* -1, or the exit code; what there is to print is printed on rank 0. */
static int parse(int argc, char **argv, int rank, options *opts)
{
    static const struct option names[] = {{"bytes", required_argument, NULL, 'b'},
                                          {"block", required_argument, NULL, 'k'},
                                          {"repeats", required_argument, NULL, 'r'},
                                          {"read", no_argument, NULL, 'R'},
                                          {"line", required_argument, NULL, 'l'},
                                          {"heading", no_argument, NULL, 'H'},
                                          {"version", no_argument, NULL, 'V'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    long repeats = 7;
    int c, code;

    *opts = (options){.bytes = 8 << 20, .block = 64 << 10};
    opterr = rank == 0;
    while ((c = getopt_long(argc, argv, "b:k:r:Rl:HVh", names, NULL)) != -1) {
        if (c == 'b')
            opts->bytes = parse_size(optarg);
        else if (c == 'k')
            opts->block = parse_size(optarg);
        else if (c == 'r')
            repeats = parse_size(optarg);
        else if (c == 'R')
            opts->read = 1;
        else if (c == 'l')
            opts->line = optarg;
        else if (c == 'H')
            opts->heading = 1;
        else if (c == 'V' || c == 'h')
            return rank == 0 && fputs(c == 'V' ? version : usage, stdout) < 0;
        else
            return complain_wrong(rank, "wrong option");
    }
    code = check(opts, repeats, argc - optind, rank);
    if (code != 0)
        return code;
    opts->repeats = (int) repeats;
    opts->directory = argv[optind];
    return -1;
}

/* Prints the error's text on rank 0; returns the error. */
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

/* Processes take turns with blocks. */
static int transfer(MPI_File file, const options *opts, char *buffer, int read)
{
    MPI_Datatype type;
    int rank, ranks, error;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector((int) (opts->bytes / opts->block), (int) opts->block, (int) opts->block * ranks,
                    MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, (MPI_Offset) rank * opts->block, MPI_BYTE, type, "native",
                      MPI_INFO_NULL);
    if (read)
        error = MPI_File_read_all(file, buffer, (int) opts->bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        error = MPI_File_write_all(file, buffer, (int) opts->bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

/* Open, access and close name, which a write creates; seconds_p is the slowest
 * rank's, info_p the file's hints, which the caller frees. */
static int access_once(const char *name, const options *opts, char *buffer, int read,
                       double *seconds_p, MPI_Info *info_p)
{
    int mode = read ? MPI_MODE_RDONLY : MPI_MODE_CREATE | MPI_MODE_WRONLY, rank, error;
    double start, mine;
    MPI_File file;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && !read)
        MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    error = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    if (complain(error, "opening", name, rank) != MPI_SUCCESS)
        return error;
    error = transfer(file, opts, buffer, read);
    MPI_File_get_info(file, info_p);
    MPI_File_close(&file);
    mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, seconds_p, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (complain(error, read ? "reading" : "writing", name, rank) != MPI_SUCCESS)
        MPI_Info_free(info_p);
    return error;
}

/* Checks that what was read is what was written. */
static int verify(const char *buffer, long bytes, int rank)
{
    int wrong = 0;

    for (long i = 0; i < bytes; i++)
        wrong |= buffer[i] != 'a' + rank % 26;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (wrong && rank == 0)
        fprintf(stderr, "autotune-write: what was read is not what was written\n");
    return wrong ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* Accesses of both kinds in turns, the first of each pair alternating. */
static int repeat(const options *opts, int rank, char name[KINDS][4096], char *buffer,
                  outcome *outcomes)
{
    int error = MPI_SUCCESS, terminal = rank == 0 && isatty(STDERR_FILENO);
    MPI_Info info;

    for (int i = 0; error == MPI_SUCCESS && i < KINDS * opts->repeats; i++) {
        int kind = (i + i / 2) % 2;

        error = access_once(name[kind], opts, buffer, opts->read, &outcomes[kind].seconds[i / 2],
                            &info);
        if (error == MPI_SUCCESS)
            MPI_Info_free(&info);
        if (terminal)
            fprintf(stderr, "\r%s %d of %d ", opts->read ? "read" : "write", i + 1,
                    KINDS * opts->repeats);
    }
    if (terminal)
        fprintf(stderr, "\r%30s\r", "");
    return error;
}

/* The first access of each kind warms up; that of autotune: tells which driver is
 * wrapped. */
static int measure(const options *opts, int rank, char *buffer, outcome *outcomes)
{
    char name[KINDS][4096], wrapped[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    double seconds;
    int error;

    snprintf(name[AUTOTUNE], sizeof(name[AUTOTUNE]), "autotune:%s/autotune-write.data",
             opts->directory);
    error = access_once(name[AUTOTUNE], opts, buffer, 0, &seconds, &info);
    if (error != MPI_SUCCESS)
        return error;
    write_hint(info, "romio_autotune_wrapped", wrapped);
    MPI_Info_free(&info);
    snprintf(name[WRAPPED], sizeof(name[WRAPPED]), "%s:%s/autotune-write.data", wrapped,
             opts->directory);
    for (int kind = 0; error == MPI_SUCCESS && kind < KINDS; kind++) {
        if (opts->read)
            memset(buffer, 0, opts->bytes);
        error = access_once(name[kind], opts, buffer, opts->read, &seconds, &outcomes[kind].info);
        if (error == MPI_SUCCESS)
            error = verify(buffer, opts->bytes, rank);
    }
    if (error == MPI_SUCCESS)
        error = repeat(opts, rank, name, buffer, outcomes);
    if (rank == 0)
        MPI_File_delete(name[WRAPPED], MPI_INFO_NULL);
    return error;
}

static int run(const options *opts, int rank, int ranks)
{
    outcome outcomes[KINDS] = {{malloc(opts->repeats * sizeof(double)), MPI_INFO_NULL},
                               {malloc(opts->repeats * sizeof(double)), MPI_INFO_NULL}};
    double *ratios = malloc(opts->repeats * sizeof(*ratios));
    char *buffer = malloc(opts->bytes);
    int ready = buffer != NULL && ratios != NULL && outcomes[0].seconds != NULL &&
                outcomes[1].seconds != NULL;
    int code = 1;

    MPI_Allreduce(MPI_IN_PLACE, &ready, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (ready) {
        memset(buffer, 'a' + rank % 26, opts->bytes);
        code = measure(opts, rank, buffer, outcomes) != MPI_SUCCESS;
    } else if (rank == 0) {
        fprintf(stderr, "autotune-write: out of memory\n");
    }
    if (code == 0 && rank == 0)
        write_gain(opts, ranks, outcomes, ratios);
    for (int kind = 0; kind < KINDS; kind++) {
        if (outcomes[kind].info != MPI_INFO_NULL)
            MPI_Info_free(&outcomes[kind].info);
        free(outcomes[kind].seconds);
    }
    free(ratios);
    free(buffer);
    return code;
}

int main(int argc, char **argv)
{
    options opts;
    int rank, ranks, code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    code = parse(argc, argv, rank, &opts);
    if (code < 0 && opts.heading) {
        code = 0;
        if (rank == 0)
            write_heading();
    }
    if (code < 0)
        code = run(&opts, rank, ranks);
    MPI_Finalize();
    return code;
}
