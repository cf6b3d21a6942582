/*
 * A value that a program gives back as it was reported is no wish.  Libraries pass the
 * info of MPI_File_get_info to every MPI_File_set_view (HDF5 does), or to the next
 * open: decisions must be the same as for a twin that is never told anything.  A value
 * that differs from what was reported is a wish and stays, and so do those of open.
 *
 *     echo DIRECTORY FS      ECHO_PROFILE: a profile that forces decisions
 *                            ECHO_CHANGES: they change with the access
 */

#include "common.h"

#include <unistd.h>

enum { PIECES = 64, SMALL = 4096, LARGE = 16384, WISH = 50000 };

static unsigned char out[PIECES * LARGE], in[PIECES * LARGE];

/* Calls before which decisions are made (1, 2, 4), and some between */
static const struct {
    int block, writes;
} rounds[] = {{SMALL, 1}, {LARGE, 1}, {LARGE, 0}, {SMALL, 0}, {SMALL, 1}, {LARGE, 1}};

enum { ROUNDS = sizeof(rounds) / sizeof(rounds[0]) };

/* --- what was decided */

static const char *const keys[] = {"romio_autotune",
                                   "romio_autotune_status",
                                   "cb_nodes",
                                   "romio_aggregator_list",
                                   "cb_buffer_size",
                                   "romio_cb_read",
                                   "romio_cb_write",
                                   "striping_factor",
                                   "striping_unit",
                                   "romio_lustre_co_ratio",
                                   "romio_lustre_coll_threshold",
                                   "romio_autotune_memory"};

/* The wrapped driver may repeat a striping of 0, which means none. */
static const char *value_of(MPI_File file, const char *key)
{
    const char *value = hint_of(file, key);

    return strncmp(key, "striping", 8) == 0 && strcmp(value, "0") == 0 ? "" : value;
}

/* Whether both files report the same; the first difference is printed. */
static int same_decisions(MPI_File one, MPI_File other)
{
    char value[MPI_MAX_INFO_VAL + 1];

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        snprintf(value, sizeof(value), "%s", value_of(one, keys[i]));
        if (strcmp(value, value_of(other, keys[i])) == 0)
            continue;
        if (rank == 0)
            printf("# %s is '%s', and '%s' of the twin\n", keys[i], value_of(other, keys[i]),
                   value);
        return 0;
    }
    return 1;
}

/* --- files */

static MPI_Info base_info(void)
{
    MPI_Info info = one_hint("romio_autotune", "enable");

    MPI_Info_set(info, "romio_autotune_profile", getenv("ECHO_PROFILE"));
    return info;
}

/* Names that differ by a number: what is expected at open is the same. */
static MPI_File open_new(const char *file, MPI_Info info)
{
    MPI_File fh = MPI_FILE_NULL;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path("", file));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", file), RDWR_CREATE, info, &fh);
    return fh;
}

static MPI_File open_usual(const char *file)
{
    MPI_Info info = base_info();
    MPI_File fh = open_new(file, info);

    MPI_Info_free(&info);
    return fh;
}

/* --- a collective access with a view of its own, and an info for that */

static void set_view(MPI_File fh, int block, MPI_Info info)
{
    MPI_Datatype type;

    MPI_Type_vector(PIECES, block, block * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) rank * block, MPI_BYTE, type, "native", info);
    MPI_Type_free(&type);
}

/* Whether the bytes are right */
static int access_all(MPI_File fh, int round)
{
    int bytes = PIECES * rounds[round].block;

    if (rounds[round].writes)
        return MPI_File_write_at_all(fh, 0, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    memset(in, 0, sizeof(in));
    MPI_Barrier(MPI_COMM_WORLD); /* GPFS: an aggregator may still be writing */
    MPI_File_read_at_all(fh, 0, in, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    return rounds[round].block != LARGE || memcmp(in, out, (size_t) bytes) == 0;
}

/* --- ways to give back what was reported */

typedef enum { BY_VIEW, BY_INFO, WITH_ZEROS, WAYS } way;

static const char *const way_names[WAYS] = {"set_view", "set_info", "set_view with striping of 0"};

static void give_back(MPI_File fh, way way, int block, const char *key, const char *value)
{
    MPI_Info info;

    MPI_File_get_info(fh, &info);
    if (way == WITH_ZEROS) {
        /* as newer MPICH reports it where there is no striping */
        MPI_Info_set(info, "striping_factor", "0");
        MPI_Info_set(info, "striping_unit", "0");
        MPI_Info_set(info, START_IODEVICE, "0");
    }
    if (key != NULL)
        MPI_Info_set(info, key, value);
    if (way == BY_INFO)
        MPI_File_set_info(fh, info);
    set_view(fh, block, way == BY_INFO ? MPI_INFO_NULL : info);
    MPI_Info_free(&info);
}

/* One round with both; whether they are alike after it. */
static int compare_round(MPI_File twin, MPI_File echo, way way, int round, int *right)
{
    set_view(twin, rounds[round].block, MPI_INFO_NULL);
    *right = access_all(twin, round) && *right;
    give_back(echo, way, rounds[round].block, NULL, NULL);
    *right = access_all(echo, round) && *right;
    return same_decisions(twin, echo);
}

static void compare(MPI_File twin, MPI_File echo, way way, const char *what)
{
    int right = 1;

    tap_ok(same_decisions(twin, echo), "%s: the same decision at open", what);
    for (int round = 0; round < ROUNDS; round++)
        tap_ok(compare_round(twin, echo, way, round, &right), "%s: the same in round %d", what,
               round);
    tap_ok(right, "%s: the bytes are right", what);
}

/* --- tests */

static void test_echo(way way)
{
    MPI_File twin = open_usual("file1"), echo = open_usual("file2");

    compare(twin, echo, way, way_names[way]);
    MPI_File_close(&twin);
    MPI_File_close(&echo);
}

/* The test would say nothing if the twin's decisions stayed as they are. */
static void test_twin(void)
{
    MPI_File twin = open_usual("file1");
    int first = atoi(hint_of(twin, "cb_nodes")), changes = 0, right = 1;

    tap_ok(strncmp(hint_of(twin, "romio_autotune_status"), "tuned", 5) == 0, "twin: tuned");
    for (int round = 0; round < ROUNDS; round++) {
        set_view(twin, rounds[round].block, MPI_INFO_NULL);
        right = access_all(twin, round) && right;
        changes += atoi(hint_of(twin, "cb_nodes")) != first;
    }
    tap_ok(right, "twin: the bytes are right");
    /* blocks of GPFS and stripes of Lustre have their say */
    if (getenv("ECHO_CHANGES") != NULL && (strcmp(fs, "ufs") == 0 || strcmp(fs, "nfs") == 0))
        tap_ok(changes > 0, "twin: decisions change");
    MPI_File_close(&twin);
}

static void test_zeros_at_open(void)
{
    MPI_Info info = base_info();
    MPI_File twin = open_usual("file1"), echo;

    MPI_Info_set(info, "striping_factor", "0");
    MPI_Info_set(info, "striping_unit", "0");
    MPI_Info_set(info, START_IODEVICE, "0");
    echo = open_new("file2", info);
    MPI_Info_free(&info);
    tap_ok(strstr(hint_of(echo, "romio_autotune_kept"), "striping") == NULL &&
               strstr(hint_of(echo, "romio_autotune_kept"), "iodevice") == NULL,
           "striping of 0 at open is nobody's wish");
    compare(twin, echo, BY_VIEW, "striping of 0 at open");
    MPI_File_close(&twin);
    MPI_File_close(&echo);
}

/* What the user gave at open is fixed, whatever is given back. */
static void test_wish_at_open(way way)
{
    MPI_Info info = base_info();
    MPI_File twin, echo;
    int kept = 1, right = 1;

    MPI_Info_set(info, "cb_buffer_size", "50000");
    MPI_Info_set(info, "cb_nodes", "2");
    twin = open_new("file1", info);
    echo = open_new("file2", info);
    MPI_Info_free(&info);
    for (int round = 0; round < ROUNDS; round++) {
        kept = compare_round(twin, echo, way, round, &right) && kept;
        kept = kept && atoi(hint_of(echo, "cb_buffer_size")) == WISH &&
               atoi(hint_of(echo, "cb_nodes")) == 2;
    }
    tap_ok(kept, "wishes at open, %s: they stay, the rest is as for the twin", way_names[way]);
    tap_ok(right, "wishes at open, %s: the bytes are right", way_names[way]);
    MPI_File_close(&twin);
    MPI_File_close(&echo);
}

/* A wish in the middle: told to the twin by set_info, hidden among what is given back. */
static void test_wish(way way, const char *key)
{
    MPI_File twin = open_usual("file1"), echo = open_usual("file2");
    const char *value = "50000";
    MPI_Info info;
    int kept = 1, right = 1;

    for (int round = 0; round < 2; round++)
        compare_round(twin, echo, way, round, &right);
    if (strcmp(key, "cb_buffer_size") != 0)
        value = strcmp(hint_of(echo, key), "disable") == 0 ? "enable" : "disable";
    info = one_hint(key, value);
    MPI_File_set_info(twin, info);
    MPI_Info_free(&info);
    give_back(echo, way, SMALL, key, value);
    for (int round = 2; round < ROUNDS; round++) {
        kept = compare_round(twin, echo, way, round, &right) && kept;
        kept = kept && strcmp(hint_of(echo, key), value) == 0;
    }
    tap_ok(kept, "%s=%s among what %s gives back: it stays, the rest is as for the twin", key,
           value, way_names[way]);
    tap_ok(right, "%s=%s: the bytes are right", key, value);
    MPI_File_close(&twin);
    MPI_File_close(&echo);
}

/* The info of one file opens another: it has our report in it, and no wishes. */
static void test_other_file(int after)
{
    MPI_File source = open_usual("source"), twin, echo;
    MPI_Info info;
    int right = 1;
    char what[64];

    for (int round = 0; round < after; round++) {
        set_view(source, rounds[round].block, MPI_INFO_NULL);
        right = access_all(source, round) && right;
    }
    MPI_File_get_info(source, &info);
    MPI_File_close(&source);
    twin = open_usual("file1");
    echo = open_new("file2", info);
    MPI_Info_free(&info);
    snprintf(what, sizeof(what), "info of another file after %d calls", after);
    compare(twin, echo, BY_VIEW, what);
    MPI_File_close(&twin);
    MPI_File_close(&echo);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    fill(out, sizeof(out), rank);
    test_twin();
    for (int i = 0; i < WAYS; i++)
        test_echo((way) i);
    test_zeros_at_open();
    test_wish_at_open(BY_VIEW);
    test_wish_at_open(BY_INFO);
    test_wish(BY_VIEW, "cb_buffer_size");
    test_wish(BY_INFO, "cb_buffer_size");
    test_wish(BY_VIEW, "romio_cb_write");
    test_wish(BY_VIEW, "romio_cb_read");
    test_other_file(0);
    test_other_file(1);
    return finish();
}
