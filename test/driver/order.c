/*
 * Ranks that start a nonblocking operation wait for nobody.  Each case lets ranks
 * start one in an order that messages enforce: a late rank starts when it knows
 * that all others have started, or rank after rank.  Where the message does not
 * come within the late rank's patience, the others wait for it: a program without
 * patience would hang.  The late rank then starts all the same, and the next case is run.
 *
 * Nonblocking entries must wait for nobody.  Where ROMIO's begin of a split collective
 * waits is found out with the wrapped driver, and no more is allowed.
 *
 *     order DIRECTORY FS      ORDER_SKIP: number of the first group of cases
 *                             ORDER_PREFIX: other than "autotune:"
 *                             ORDER_ALL: every rank is late in turn, however many
 */

#include "common.h"
#include "patient.h"

#include <signal.h>
#include <unistd.h>

enum { PIECES = 8, PIECE = 512, BYTES = PIECES * PIECE, MAX_RANKS = 16 };
enum { WATCHDOG = 60 };

/* seconds: of a wait that is expected, and of one that is a failure */
static const double brief = 0.2, long_enough = 20;

static unsigned char out[BYTES], in[BYTES];
static MPI_Request request;

/* --- what is started, and then waited for */

struct entry {
    const char *name;
    int split, writes, ordered, collective;
    void (*start)(MPI_File fh);
    void (*finish)(MPI_File fh);
};

static void wait_for_it(MPI_File fh)
{
    (void) fh;
    patient_wait(&request, MPI_STATUS_IGNORE);
}

#define NONBLOCKING(call, ...)                                                                     \
    static void start_##call(MPI_File fh)                                                          \
    {                                                                                              \
        MPI_File_##call(fh, __VA_ARGS__, BYTES, MPI_BYTE, &request);                               \
    }
#define SPLIT(call, data, ...)                                                                     \
    static void start_##call(MPI_File fh)                                                          \
    {                                                                                              \
        MPI_File_##call##_begin(fh, __VA_ARGS__, BYTES, MPI_BYTE);                                 \
    }                                                                                              \
    static void end_##call(MPI_File fh)                                                            \
    {                                                                                              \
        MPI_File_##call##_end(fh, data, MPI_STATUS_IGNORE);                                        \
    }

NONBLOCKING(iwrite_all, out)
NONBLOCKING(iwrite_at_all, 0, out)
NONBLOCKING(iread_all, in)
NONBLOCKING(iread_at_all, 0, in)
NONBLOCKING(iwrite_at, 0, out)
NONBLOCKING(iread_at, 0, in)
SPLIT(write_all, out, out)
SPLIT(write_at_all, out, 0, out)
SPLIT(write_ordered, out, out)
SPLIT(read_all, in, in)
SPLIT(read_at_all, in, 0, in)
SPLIT(read_ordered, in, in)

static const struct entry entries[] = {
    {"iwrite_all", 0, 1, 0, 1, start_iwrite_all, wait_for_it},
    {"iwrite_at_all", 0, 1, 0, 1, start_iwrite_at_all, wait_for_it},
    {"iread_all", 0, 0, 0, 1, start_iread_all, wait_for_it},
    {"iread_at_all", 0, 0, 0, 1, start_iread_at_all, wait_for_it},
    {"iwrite_at", 0, 1, 0, 0, start_iwrite_at, wait_for_it},
    {"iread_at", 0, 0, 0, 0, start_iread_at, wait_for_it},
    {"write_all_begin", 1, 1, 0, 1, start_write_all, end_write_all},
    {"write_at_all_begin", 1, 1, 0, 1, start_write_at_all, end_write_at_all},
    {"write_ordered_begin", 1, 1, 1, 1, start_write_ordered, end_write_ordered},
    {"read_all_begin", 1, 0, 0, 1, start_read_all, end_read_all},
    {"read_at_all_begin", 1, 0, 0, 1, start_read_at_all, end_read_at_all},
    {"read_ordered_begin", 1, 0, 1, 1, start_read_ordered, end_read_ordered},
};

/* --- cases */

enum prior { NOTHING, TOGETHER, ALONE, PRIORS };

static const char *const prior_names[PRIORS] = {"first access", "after a collective write",
                                                "after an independent write"};

struct access {
    const struct entry *entry;
    int existing; /* file */
    enum prior prior;
    int independent; /* without two-phase I/O, by hint */
    int interleaved;
    int order; /* below ranks: the late rank; then one after the other, up or down */
};

static int is_early(const struct access *access, int other)
{
    if (access->order < ranks)
        return rank == access->order && other != rank;
    return other == (access->order == ranks ? rank - 1 : rank + 1);
}

static int is_late(const struct access *access, int other)
{
    if (access->order < ranks)
        return other == access->order && other != rank;
    return other == (access->order == ranks ? rank + 1 : rank - 1);
}

/* Tests until all messages have come, 0, or patience ends, 1. */
static int wait_patiently(int count, MPI_Request *messages, double patience)
{
    double end = MPI_Wtime() + patience;
    int flag;

    for (int i = 0; i < count; i++) {
        MPI_Test(&messages[i], &flag, MPI_STATUS_IGNORE);
        while (!flag && MPI_Wtime() < end) {
            usleep(100); /* others need the processor */
            MPI_Test(&messages[i], &flag, MPI_STATUS_IGNORE);
        }
        if (!flag)
            return 1;
    }
    return 0;
}

/* Start and finish in the order of the access; whether a message did not come. */
static int access_in_order(const struct access *access, MPI_File fh, double patience)
{
    MPI_Request messages[MAX_RANKS], started;
    int count = 0, waited;

    for (int other = 0; other < ranks; other++)
        if (is_early(access, other))
            MPI_Irecv(NULL, 0, MPI_BYTE, other, 0, MPI_COMM_WORLD, &messages[count++]);
    waited = wait_patiently(count, messages, patience);
    access->entry->start(fh);
    for (int other = 0; other < ranks; other++)
        if (is_late(access, other))
            MPI_Send(NULL, 0, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    /* ranks that wait for a request leave no processor to those who have not started */
    MPI_Ibarrier(MPI_COMM_WORLD, &started);
    wait_patiently(1, &started, WATCHDOG);
    access->entry->finish(fh);
    for (int i = 0; i < count; i++)
        MPI_Wait(&messages[i], MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &waited, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return waited;
}

/* --- the file */

static unsigned char expected(int offset, int interleaved)
{
    int piece = offset / PIECE;

    if (!interleaved)
        return pattern(offset / BYTES, offset % BYTES);
    return pattern(piece % ranks, piece / ranks * PIECE + offset % PIECE);
}

/* Makes sure on rank 0 that there is no file, or an existing one with what is read. */
static void prepare_file(const struct access *access)
{
    static unsigned char all[MAX_RANKS * BYTES];
    FILE *stream;

    if (rank == 0)
        unlink(path("", "file"));
    if (rank == 0 && access->existing) {
        for (int i = 0; i < ranks * BYTES; i++)
            all[i] = access->entry->writes ? 0 : expected(i, access->interleaved);
        stream = fopen(path("", "file"), "wb");
        fwrite(all, 1, (size_t) ranks * BYTES, stream);
        fclose(stream);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On rank 0, true elsewhere. */
static int file_is_right(const struct access *access)
{
    FILE *stream;
    int right = 1;

    if (rank != 0)
        return 1;
    stream = fopen(path("", "file"), "rb");
    if (stream == NULL)
        return 0;
    for (int i = 0; i < ranks * BYTES && right; i++)
        right = fgetc(stream) == expected(i, access->interleaved);
    right = right && fgetc(stream) == EOF;
    fclose(stream);
    return right;
}

static MPI_File open_file(const struct access *access, const char *prefix)
{
    MPI_Info info = one_hint("romio_cb_write", access->independent ? "disable" : "automatic");
    MPI_File fh = MPI_FILE_NULL;

    MPI_Info_set(info, "romio_cb_read", access->independent ? "disable" : "automatic");
    MPI_File_open(MPI_COMM_WORLD, path(prefix, "file"), RDWR_CREATE,
                  access->independent ? info : MPI_INFO_NULL, &fh);
    MPI_Info_free(&info);
    return fh;
}

/* Ordered accesses want one view on all ranks, and put ranks one after the other. */
static void set_view(const struct access *access, MPI_File fh)
{
    MPI_Offset start = (MPI_Offset) rank * (access->interleaved ? PIECE : BYTES);
    MPI_Datatype type = MPI_BYTE;

    if (access->interleaved) {
        MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_BYTE, &type);
        MPI_Type_commit(&type);
    }
    MPI_File_set_view(fh, access->entry->ordered ? 0 : start, MPI_BYTE, type, "native",
                      MPI_INFO_NULL);
    if (access->interleaved)
        MPI_Type_free(&type);
}

/* Writes to the same place before, alone or together. */
static void access_before(const struct access *access, MPI_File fh)
{
    MPI_Offset offset = access->entry->ordered ? (MPI_Offset) rank * BYTES : 0;

    if (access->prior == ALONE && rank == access->order % ranks)
        MPI_File_write_at(fh, offset, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    if (access->prior == TOGETHER)
        MPI_File_write_at_all(fh, offset, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Repeats the access at the same place, now that the file is known. */
static int access_again(const struct access *access, MPI_File fh, double patience)
{
    MPI_File_seek(fh, 0, MPI_SEEK_SET);
    if (access->entry->ordered)
        MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(in, 0, sizeof(in));
    return access_in_order(access, fh, patience);
}

/* Whether ranks waited for others; *right_p: whether the bytes are right. */
static int run(const struct access *access, const char *prefix, double patience, int *right_p)
{
    int waited;
    MPI_File fh;

    alarm(WATCHDOG + (rank != 0 ? 3 : 0)); /* rank 0 speaks first */
    prepare_file(access);
    fh = open_file(access, prefix);
    set_view(access, fh);
    access_before(access, fh);
    waited = access_in_order(access, fh, patience);
    if (!waited)
        waited = access_again(access, fh, patience);
    MPI_File_close(&fh);
    if (access->entry->writes)
        *right_p = file_is_right(access);
    else
        *right_p = !(access->existing || access->prior == TOGETHER) || is_filled(in, BYTES, rank);
    return waited;
}

/* --- groups of cases: all orders */

static int group, first_group;
static char group_name[128];

static void on_alarm(int number)
{
    char text[256];
    int length;

    (void) number;
    length = snprintf(text, sizeof(text), "hung in group %d: %s\n", group, group_name);
    if (rank == 0 && write(STDERR_FILENO, text, (size_t) length) != length)
        _exit(99);
    _exit(3);
}

static void name_group(const struct access *access, const char *driver)
{
    snprintf(group_name, sizeof(group_name), "%s%s, %s file, %s%s", driver, access->entry->name,
             access->existing ? "existing" : "new", prior_names[access->prior],
             access->independent ? ", without two-phase I/O" : "");
}

/* With many ranks only every third one is late, unless ORDER_ALL is set. */
static int step(int order)
{
    return ranks > 4 && order + 3 < ranks && getenv("ORDER_ALL") == NULL ? 3 : 1;
}

static void test_group(struct access access)
{
    static double patience = long_enough;
    const char *prefix = getenv("ORDER_PREFIX");
    int waits = 0, wrong = 0, right;

    name_group(&access, "");
    for (access.order = 0; access.order < ranks + 2 && !waits; access.order += step(access.order)) {
        access.interleaved = !access.entry->ordered && access.order % 2;
        if (run(&access, prefix != NULL ? prefix : "autotune:", patience, &right)) {
            waits++;
            patience = 1; /* one failure is enough to be patient for */
            if (rank == 0)
                printf("# %s: ranks wait in order %d\n", group_name, access.order);
        }
        MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
        if (!right && rank == 0)
            printf("# %s: wrong bytes in order %d\n", group_name, access.order);
        wrong += !right;
    }
    tap_ok(waits == 0, "%s: ranks wait for nobody", group_name);
    tap_ok(wrong == 0, "%s: the bytes are right", group_name);
}

/* Whether ranks wait in the wrapped driver; nonblocking entries must not. */
static int wrapped_waits(struct access access)
{
    double patience = access.entry->split ? brief : long_enough;
    int waits = 0, right = 1;

    name_group(&access, "wrapped driver: ");
    for (; access.order < (access.entry->split ? ranks : 1) && !waits && right; access.order++)
        waits = run(&access, direct(), patience, &right);
    if (!access.entry->split)
        tap_ok(!waits && right, "%s: ranks wait for nobody", group_name);
    else if (rank == 0)
        printf("# %s: ranks %s\n", group_name, waits ? "wait" : "wait for nobody");
    return waits;
}

/* Whether a file that exists has been written by one rank makes no difference. */
static void test_entry(const struct entry *entry, int independent)
{
    struct access access = {.entry = entry, .existing = 1, .independent = independent};
    int allowed = wrapped_waits(access);

    for (access.existing = 0; access.existing < 2; access.existing++)
        for (int prior = 0; prior < PRIORS - access.existing; prior++) {
            if (prior > 0 && (!entry->collective || independent))
                continue;
            access.prior = (enum prior) prior;
            if (group++ >= first_group && !allowed)
                test_group(access);
        }
}

int main(int argc, char **argv)
{
    const char *skip = getenv("ORDER_SKIP");

    start(&argc, &argv);
    first_group = skip != NULL ? atoi(skip) : 0;
    signal(SIGALRM, on_alarm);
    fill(out, BYTES, rank);
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
        for (int independent = 0; independent <= entries[i].collective; independent++)
            test_entry(&entries[i], independent);
    return finish();
}
