/*
 * What the driver reports is what two-phase I/O does: the ranks of
 * romio_aggregator_list access the file and nobody else, with cb_buffer_size
 * bytes at a time.  Also: values of the user come back and are what happens,
 * and a forced decision (a profile of random-profile.awk, named by TRUTH_FORCED)
 * is the one that was forced.
 */

#include "common.h"
#include "traced.h"

enum { PIECES = 64, MAX_RANKS = 16, LARGE = 4096, TINY = 16 };

/* --- what is reported */

struct report {
    int cb_nodes, buffer, aggregators;
    int list[MAX_RANKS];
    char read[16], write[16], status[256];
};

static struct report report_of(MPI_File fh)
{
    struct report r = {.cb_nodes = atoi(hint_of(fh, "cb_nodes")),
                       .buffer = atoi(hint_of(fh, "cb_buffer_size"))};
    char list[MPI_MAX_INFO_VAL + 1], *rest = list;

    snprintf(r.read, sizeof(r.read), "%s", hint_of(fh, "romio_cb_read"));
    snprintf(r.write, sizeof(r.write), "%s", hint_of(fh, "romio_cb_write"));
    snprintf(r.status, sizeof(r.status), "%.255s", hint_of(fh, "romio_autotune_status"));
    snprintf(list, sizeof(list), "%s", hint_of(fh, "romio_aggregator_list"));
    for (char *word; r.aggregators < MAX_RANKS && (word = strtok_r(rest, " ", &rest)) != NULL;)
        r.list[r.aggregators++] = atoi(word);
    return r;
}

static int index_in(const struct report *r, int count)
{
    for (int i = 0; i < count; i++)
        if (r->list[i] == rank)
            return i;
    return -1;
}

static int same_everywhere(const struct report *r)
{
    struct report first = *r;

    MPI_Bcast(&first, sizeof(first), MPI_BYTE, 0, MPI_COMM_WORLD);
    return memcmp(&first, r, sizeof(first)) == 0;
}

/* --- what is expected of it */

/* How many of cb_nodes aggregators ROMIO lets write on Lustre (ad_lustre_aggregate.c:49-83). */
static int lustre_writers(int cb_nodes, int stripes, int co_ratio)
{
    int writers = 1;

    if (cb_nodes >= stripes)
        return stripes * (cb_nodes / stripes < co_ratio ? cb_nodes / stripes : co_ratio);
    for (int divisor = 2; divisor * divisor <= stripes; divisor++) {
        if (stripes % divisor != 0)
            continue;
        if (stripes / divisor <= cb_nodes)
            return stripes / divisor;
        if (divisor <= cb_nodes)
            writers = divisor;
    }
    return writers;
}

/* Size of a window of two-phase I/O, and how many aggregators have at least one. */
static void expect(MPI_File fh, const struct report *r, int writing, uint64_t *window_p,
                   int *active_p)
{
    *window_p = (uint64_t) r->buffer;
    *active_p = r->cb_nodes;
    if (writing && strcmp(fs, "lustre") == 0) { /* ad_lustre_wrcoll.c:446 */
        int stripes = atoi(hint_of(fh, "striping_factor"));

        *window_p = strtoull(hint_of(fh, "striping_unit"), NULL, 10);
        *active_p =
            lustre_writers(r->cb_nodes, stripes, atoi(hint_of(fh, "romio_lustre_co_ratio")));
    }
}

static int windows_are(const struct traced *did, uint64_t window)
{
    uint64_t most = did->bytes < window ? did->bytes : window;

    return did->max == most && did->calls == (did->bytes + window - 1) / window;
}

/* Domains of a GPFS file are whole blocks, and those of a file with stripes are
 * stripes: the last ranks of the list may get none of few bytes. */
static int all_are_busy(int writing, int block, uint64_t window, int active)
{
    if (strcmp(fs, "lustre") == 0)
        return writing && (uint64_t) PIECES * (uint64_t) block * (uint64_t) ranks >
                              window * (uint64_t) (active - 1);
    return block == LARGE;
}

/* --- an access of all ranks, interleaved and without holes */

static unsigned char out[PIECES * LARGE], in[PIECES * LARGE];

static void set_view(MPI_File fh, int block)
{
    MPI_Datatype type;

    MPI_Type_vector(PIECES, block, block * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) rank * block, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
}

static void access_and_check(MPI_File fh, int writing, int block, const char *what)
{
    int bytes = PIECES * block, active, index, error;
    struct traced did;
    struct report r;
    uint64_t window;

    set_view(fh, block);
    memset(in, 0, sizeof(in));
    MPI_Barrier(MPI_COMM_WORLD);
    trace_start();
    if (writing)
        error = MPI_File_write_at_all(fh, 0, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        error = MPI_File_read_at_all(fh, 0, in, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    trace_stop();
    did = writing ? traced_writes : traced_reads;
    r = report_of(fh);
    tap_ok(error == MPI_SUCCESS && (writing || memcmp(in, out, (size_t) bytes) == 0), "%s: %s",
           what, writing ? "written" : "read back");
    tap_ok(same_everywhere(&r) && r.cb_nodes == r.aggregators && r.cb_nodes >= 1 && r.buffer >= 1,
           "%s: a report that makes sense, the same on all ranks", what);
    if (strcmp(writing ? r.write : r.read, "disable") == 0) {
        tap_ok(did.calls > 0, "%s: each rank for itself, as reported", what);
        return;
    }
    expect(fh, &r, writing, &window, &active);
    index = index_in(&r, active);
    tap_ok(index >= 0 || did.calls == 0, "%s: nobody else than %d of %d aggregators", what, active,
           r.cb_nodes);
    tap_ok(!all_are_busy(writing, block, window, active) || index < 0 || did.calls > 0,
           "%s: and all of these", what);
    tap_ok(windows_are(&did, window), "%s: %llu bytes at a time", what,
           (unsigned long long) window);
}

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

/* --- tests */

/* Large, tiny, large: the tiny call is the second, before which the access is
 * looked at again; so is the fourth. */
static void test_phases(void)
{
    MPI_File fh = open_new("phases", MPI_INFO_NULL);

    access_and_check(fh, 1, LARGE, "large write");
    access_and_check(fh, 1, TINY, "tiny write");
    access_and_check(fh, 1, LARGE, "large write again");
    access_and_check(fh, 0, LARGE, "large read");
    access_and_check(fh, 0, LARGE, "large read again");
    MPI_File_close(&fh);
}

static void test_small_memory(void)
{
    char memory[32];
    MPI_Info info;
    MPI_File fh;

    snprintf(memory, sizeof(memory), "%d", ranks * 30000);
    info = one_hint("romio_autotune_memory", memory);
    fh = open_new("memory", info);
    MPI_Info_free(&info);
    tap_ok(atoi(hint_of(fh, "cb_buffer_size")) <= ranks * 30000, "memory: the cap holds");
    tap_ok(strcmp(hint_of(fh, "romio_autotune_memory"), memory) == 0,
           "memory: the hint comes back");
    access_and_check(fh, 1, LARGE, "little memory, write");
    access_and_check(fh, 0, LARGE, "little memory, read");
    access_and_check(fh, 1, TINY, "little memory, tiny write");
    access_and_check(fh, 0, TINY, "little memory, tiny read");
    MPI_File_close(&fh);
}

static void test_user_cb_nodes(void)
{
    int wanted = ranks > 2 ? 3 : ranks;
    char text[16];
    MPI_Info info;
    MPI_File fh;

    snprintf(text, sizeof(text), "%d", wanted);
    info = one_hint("cb_nodes", text);
    MPI_Info_set(info, "cb_buffer_size", "50000");
    fh = open_new("user", info);
    MPI_Info_free(&info);
    access_and_check(fh, 1, LARGE, "the user's cb_nodes, write");
    access_and_check(fh, 0, LARGE, "the user's cb_nodes, read");
    tap_ok(atoi(hint_of(fh, "cb_nodes")) == wanted, "the user's cb_nodes: %d it is", wanted);
    tap_ok(atoi(hint_of(fh, "cb_buffer_size")) == 50000, "the user's cb_buffer_size");
    MPI_File_close(&fh);
}

/* A list of the user's keeps the wrapped driver's aggregators. */
static void test_user_list(void)
{
    MPI_Info info = one_hint("cb_config_list", "*:2");
    char list[MPI_MAX_INFO_VAL + 1];
    MPI_File fh;

    MPI_File_open(MPI_COMM_WORLD, path(direct(), "list"), RDWR_CREATE, info, &fh);
    snprintf(list, sizeof(list), "%s", hint_of(fh, "romio_aggregator_list"));
    MPI_File_close(&fh);
    fh = open_new("list", info);
    MPI_Info_free(&info);
    access_and_check(fh, 1, LARGE, "the user's list, write");
    access_and_check(fh, 0, LARGE, "the user's list, read");
    tap_ok(strcmp(list, hint_of(fh, "romio_aggregator_list")) == 0, "the user's list is kept: %s",
           list);
    MPI_File_close(&fh);
}

static void test_user_switches(void)
{
    MPI_Info info = one_hint("romio_cb_write", "enable");
    MPI_File fh;

    MPI_Info_set(info, "romio_cb_read", "disable");
    fh = open_new("switches", info);
    access_and_check(fh, 1, LARGE, "two-phase I/O asked for");
    access_and_check(fh, 0, LARGE, "none asked for");
    tap_ok(strcmp(hint_of(fh, "romio_cb_write"), "enable") == 0 &&
               strcmp(hint_of(fh, "romio_cb_read"), "disable") == 0,
           "the user's switches come back");
    MPI_Info_set(info, "romio_cb_write", "disable");
    MPI_Info_set(info, "romio_cb_read", "enable");
    MPI_File_set_info(fh, info);
    MPI_Info_free(&info);
    access_and_check(fh, 1, LARGE, "the other way round, write");
    access_and_check(fh, 0, LARGE, "the other way round, read");
    tap_ok(strcmp(hint_of(fh, "romio_cb_write"), "disable") == 0 &&
               strcmp(hint_of(fh, "romio_cb_read"), "enable") == 0,
           "the user's new switches come back");
    MPI_File_close(&fh);
}

/* Where ranks keep apart and the access was just looked at (calls 1, 2 and 4), ROMIO
 * does not have to look at it as well. */
static void test_apart(void)
{
    char bytes[16];
    MPI_Info info;
    MPI_File fh;

    snprintf(bytes, sizeof(bytes), "%d", LARGE); /* or it might be small */
    info = one_hint("romio_autotune_access_size", bytes);
    fh = open_new("apart", info);
    MPI_Info_free(&info);
    for (int call = 1; call <= 4; call++) {
        MPI_Offset offset = (MPI_Offset) ((call - 1) * ranks + rank) * LARGE;
        int gathers;

        trace_start();
        MPI_File_write_at_all(fh, offset, out, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
        trace_stop();
        gathers = traced_gathers;
        MPI_File_sync(fh);
        MPI_Barrier(MPI_COMM_WORLD); /* GPFS: an aggregator may still be writing */
        memset(in, 0, LARGE);
        MPI_File_read_at(fh, offset, in, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
        tap_ok(memcmp(in, out, LARGE) == 0, "apart, call %d: read back", call);
        if (strcmp(hint_of(fh, "romio_cb_write"), "automatic") == 0 &&
            (strcmp(fs, "ufs") == 0 || strcmp(fs, "nfs") == 0))
            tap_ok(gathers == (call == 3 ? 2 : 0), "apart, call %d: offsets are gathered %d times",
                   call, gathers);
    }
    MPI_File_close(&fh);
}

/* Lustre: one stripe cannot have more than one writer a co_ratio. */
static void test_forced(const char *forced)
{
    MPI_File fh = open_new("forced", MPI_INFO_NULL);
    int lustre = strcmp(fs, "lustre") == 0;
    struct report at_open = report_of(fh), r;

    access_and_check(fh, 1, LARGE, forced);
    r = report_of(fh);
    if (strcmp(forced, "independent") == 0) { /* never where ranks would wait for locks */
        tap_ok(strcmp(r.write, "disable") != 0, "interleaved writes are collective");
        access_and_check(fh, 0, LARGE, forced);
        r = report_of(fh);
        tap_ok(strcmp(r.read, "disable") == 0, "independent reads it is");
    }
    if (strcmp(forced, "one") == 0)
        tap_ok(r.cb_nodes == 1, "one it is");
    if (strcmp(forced, "many") == 0 && !lustre)
        tap_ok(r.cb_nodes == ranks && at_open.cb_nodes == ranks, "%d it is", ranks);
    if (strcmp(forced, "small") == 0 && !lustre)
        tap_ok(r.buffer == 1 << 20, "1 MiB it is");
    if (strcmp(forced, "large") == 0 && !lustre)
        tap_ok(at_open.buffer > r.buffer && r.cb_nodes == 1, "one large buffer it is");
    if (strcmp(forced, "change") == 0 && !lustre)
        tap_ok(at_open.cb_nodes == 1 && r.cb_nodes == ranks, "it changes at the first call");
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    const char *forced = getenv("TRUTH_FORCED");

    start(&argc, &argv);
    fill(out, sizeof(out), rank);
    test_phases();
    test_small_memory();
    test_user_cb_nodes();
    test_user_list();
    test_user_switches();
    test_apart();
    if (forced != NULL)
        test_forced(forced);
    return finish();
}
