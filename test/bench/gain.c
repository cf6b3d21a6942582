/*
 * What decisions gain: a collective write or read with ROMIO's defaults, with
 * what autotune: decides, and with every number of aggregators and buffer size of
 * a sweep.  All of them take turns; medians are compared.
 *     gain DIRECTORY ROUNDS BYTES [PROFILE]
 * BYTES: of each rank, in pieces of BYTES / 64 where they are strided.
 * Exit code 1 where a goal is missed.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

#define GOAL_DEFAULT 1.05
#define GOAL_BEST 1.10

enum { PIECES = 64, MAX_CONFIGS = 64, MAX_ROUNDS = 1000, DEFAULT = 0, OURS = 1, MIB = 1 << 20 };

struct config {
    int aggregators, buffer; /* aggregators 0: independent; not looked at in the first two */
};

struct access {
    const char *name;
    int strided, writes;
};

static const struct access accesses[] = {{"strided write", 1, 1},
                                         {"contiguous write", 0, 1},
                                         {"strided read", 1, 0},
                                         {"contiguous read", 0, 0}};

static struct config configs[MAX_CONFIGS] = {{0, 0}, {0, 0}, {0, 0}};
static int config_count = 3;
static double seconds[MAX_CONFIGS][MAX_ROUNDS];
static const char *directory, *profile;
static int rank, ranks, bytes;
static char *data;

static void must(int error, const char *what)
{
    if (error == MPI_SUCCESS)
        return;
    fprintf(stderr, "gain: %s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void make_sweep(void)
{
    for (int aggregators = 1;; aggregators = 2 * aggregators < ranks ? 2 * aggregators : ranks) {
        for (int buffer = MIB; buffer <= 64 * MIB && config_count < MAX_CONFIGS; buffer *= 4)
            configs[config_count++] = (struct config){aggregators, buffer};
        if (aggregators == ranks)
            return;
    }
}

static MPI_Info hints_of(int which)
{
    char number[32];
    MPI_Info info;

    MPI_Info_create(&info);
    if (which == OURS && profile != NULL)
        MPI_Info_set(info, "romio_autotune_profile", profile);
    if (which == DEFAULT || which == OURS)
        return info;
    MPI_Info_set(info, "romio_cb_write", configs[which].aggregators > 0 ? "enable" : "disable");
    MPI_Info_set(info, "romio_cb_read", configs[which].aggregators > 0 ? "enable" : "disable");
    if (configs[which].aggregators > 0) {
        MPI_Info_set(info, "cb_config_list", "*:*");
        snprintf(number, sizeof(number), "%d", configs[which].aggregators);
        MPI_Info_set(info, "cb_nodes", number);
        snprintf(number, sizeof(number), "%d", configs[which].buffer);
        MPI_Info_set(info, "cb_buffer_size", number);
    }
    return info;
}

static void set_view(MPI_File file, int strided)
{
    int piece = bytes / PIECES;
    MPI_Datatype type;

    if (!strided)
        return;
    MPI_Type_vector(PIECES, piece, piece * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    must(
        MPI_File_set_view(file, (MPI_Offset) rank * piece, MPI_BYTE, type, "native", MPI_INFO_NULL),
        "set_view");
    MPI_Type_free(&type);
}

/* An order of the configurations that differs from round to round and is the same
 * on all ranks: none always comes after the same other. */
static void shuffle(int *order, int round)
{
    unsigned long long seed = 2862933555777941757ULL * (unsigned) (round + 2) + 3037000493ULL;

    for (int i = 0; i < config_count; i++)
        order[i] = i;
    for (int i = config_count - 1; i > 0; i--) {
        int other, kept = order[i];

        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        other = (int) ((seed >> 33) % (unsigned) (i + 1));
        order[i] = order[other];
        order[other] = kept;
    }
}

/* Seconds from open to close, of the slowest rank */
static double run(const struct access *access, int which)
{
    MPI_Offset offset = access->strided ? 0 : (MPI_Offset) rank * bytes;
    MPI_Info info = hints_of(which);
    char name[4096];
    MPI_File file;
    double start, mine, slowest;

    snprintf(name, sizeof(name), "%sufs:%s/%s", which == OURS ? "autotune:" : "", directory,
             access->writes ? "written" : "read");
    if (access->writes && rank == 0)
        MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    must(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file), name);
    set_view(file, access->strided);
    if (access->writes)
        must(MPI_File_write_at_all(file, offset, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE),
             "write_at_all");
    else
        must(MPI_File_read_at_all(file, offset, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE),
             "read_at_all");
    must(MPI_File_close(&file), "close");
    mine = MPI_Wtime() - start;
    MPI_Info_free(&info);
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static void name_config(int which, char *text, size_t size)
{
    if (which == DEFAULT || which == OURS)
        snprintf(text, size, which == OURS ? "autotune" : "default");
    else if (configs[which].aggregators == 0)
        snprintf(text, size, "independent");
    else
        snprintf(text, size, "%d x %d MiB", configs[which].aggregators,
                 configs[which].buffer / MIB);
}

/* Whether both goals are met; on rank 0 */
static int show(const struct access *access, int rounds)
{
    double medians[MAX_CONFIGS], ours, to_default, to_best;
    int best = DEFAULT, met;
    char text[64];

    for (int i = 0; i < config_count; i++) {
        medians[i] = median_of(seconds[i], rounds);
        if (i != OURS && medians[i] < medians[best])
            best = i;
    }
    ours = medians[OURS];
    to_default = ours / medians[DEFAULT];
    to_best = ours / medians[best];
    met = to_default <= GOAL_DEFAULT && to_best <= GOAL_BEST;
    printf("%s, %s: autotune/default %.3f (goal %.2f), autotune/best %.3f (goal %.2f)  %s\n",
           directory, access->name, to_default, GOAL_DEFAULT, to_best, GOAL_BEST,
           met ? "met" : "MISSED");
    for (int i = 0; i < config_count; i++) {
        name_config(i, text, sizeof(text));
        printf("    %-14s %9.3f ms%s\n", text, 1e3 * medians[i], i == best ? "  best" : "");
    }
    fflush(stdout);
    return met;
}

int main(int argc, char **argv)
{
    int rounds, missed = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rounds = argc > 3 ? atoi(argv[2]) : 0;
    bytes = argc > 3 ? atoi(argv[3]) / PIECES * PIECES : 0;
    if (rounds < 1 || rounds > MAX_ROUNDS || bytes < 1) {
        fprintf(stderr, "usage: gain DIRECTORY ROUNDS BYTES [PROFILE]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    directory = argv[1];
    profile = argc > 4 ? argv[4] : NULL;
    data = malloc((size_t) bytes);
    memset(data, 1, (size_t) bytes); /* what nobody has written is one page of zeros */
    make_sweep();
    for (size_t a = 0; a < sizeof(accesses) / sizeof(accesses[0]); a++) {
        if (!accesses[a].writes) { /* what is read, the same for all */
            struct access fill = {"", accesses[a].strided, 0};

            fill.writes = 1;
            run(&fill, DEFAULT);
            if (rank == 0) {
                char from[4096], to[4096];

                snprintf(from, sizeof(from), "%s/written", directory);
                snprintf(to, sizeof(to), "%s/read", directory);
                rename(from, to);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
        for (int round = -1; round < rounds; round++) { /* the first one warms up */
            int order[MAX_CONFIGS];

            shuffle(order, round);
            for (int i = 0; i < config_count; i++) {
                double took = run(&accesses[a], order[i]);

                if (round >= 0)
                    seconds[order[i]][round] = took;
            }
        }
        if (rank == 0)
            missed += !show(&accesses[a], rounds);
    }
    free(data);
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return missed != 0;
}
