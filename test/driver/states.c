/*
 * Files in states in which aggregators or buffer must not change, or not without
 * more being done: whatever is decided, the bytes are right.  With hints of the
 * wrapped driver only: what to decide comes from the environment.
 */

#include "common.h"

#include <unistd.h>

enum { BLOCK = 1000, BLOCKS = 40, BYTES = BLOCK * BLOCKS, MORE = 1 << 20 };

static unsigned char out[BYTES], in[BYTES];

static MPI_File open_file(const char *file, int mode, MPI_Info info)
{
    MPI_File fh = MPI_FILE_NULL;

    MPI_File_open(MPI_COMM_WORLD, path("autotune:", file), mode, info, &fh);
    return fh;
}

static MPI_File create_with(const char *file, const char *key, const char *value)
{
    MPI_Info info = key != NULL ? one_hint(key, value) : MPI_INFO_NULL;
    MPI_File fh;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path("", file));
    MPI_Barrier(MPI_COMM_WORLD);
    fh = open_file(file, RDWR_CREATE, info);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return fh;
}

/* Blocks of all ranks in turn, with holes where `apart` is more than 1. */
static void interleave(MPI_File fh, int block, int apart)
{
    MPI_Datatype type;

    MPI_Type_vector(BYTES / block, block, block * ranks * apart, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) rank * block * apart, MPI_BYTE, type, "native",
                      MPI_INFO_NULL);
    MPI_Type_free(&type);
}

static void write_all(MPI_File fh, int bytes, const char *what)
{
    tap_ok(MPI_File_write_at_all(fh, 0, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
           "%s: written", what);
}

static void read_all(MPI_File fh, int bytes, const char *what)
{
    memset(in, 0, BYTES);
    MPI_File_read_at_all(fh, 0, in, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(memcmp(in, out, (size_t) bytes) == 0, "%s: read back", what);
}

/* What must not change while something holds it. */
struct held {
    char list[MPI_MAX_INFO_VAL + 1], buffer[32];
};

static struct held held_of(MPI_File fh)
{
    struct held held;

    snprintf(held.list, sizeof(held.list), "%s", hint_of(fh, "romio_aggregator_list"));
    snprintf(held.buffer, sizeof(held.buffer), "%.31s", hint_of(fh, "cb_buffer_size"));
    return held;
}

static int is_as(MPI_File fh, const struct held *before)
{
    struct held now = held_of(fh);

    return strcmp(now.list, before->list) == 0 && strcmp(now.buffer, before->buffer) == 0;
}

/* --- tests */

/* New aggregators have to open the file first; the others never do until they
 * access it by themselves, as some have before if `early`: as a rank alone, and then only for
 * writing where the program wants no more.  With holes an aggregator reads what it writes. */
static void test_deferred(int mode, int early, const char *what)
{
    MPI_Info info = one_hint("romio_no_indep_rw", "true");
    const char *file = early ? "alone" : "deferred"; /* of the latter, writes are known */
    MPI_File fh = create_with(file, NULL, NULL);

    MPI_File_close(&fh);
    fh = open_file(file, mode, info);
    MPI_Info_free(&info);
    if (early)
        MPI_File_write_at(fh, (MPI_Offset) rank * BLOCK, out, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    interleave(fh, BLOCK, 1);
    write_all(fh, BYTES, what);
    interleave(fh, BLOCK / 100, 1);
    write_all(fh, BLOCK, what);
    interleave(fh, BLOCK, 2);
    write_all(fh, BYTES, what);
    MPI_File_sync(fh);
    MPI_Barrier(MPI_COMM_WORLD);
    if (mode & MPI_MODE_RDWR) {
        read_all(fh, BYTES, what);
        memset(in, 0, BYTES);
        MPI_File_read_at(fh, 0, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
        tap_ok(is_filled(in, BYTES, rank), "%s: independent read", what);
    }
    tap_ok(MPI_File_close(&fh) == MPI_SUCCESS, "%s: closed", what);
    fh = open_file(file, MPI_MODE_RDONLY, MPI_INFO_NULL);
    interleave(fh, BLOCK, 2);
    read_all(fh, BYTES, what);
    MPI_File_close(&fh);
}

/* Asks for another cb_buffer_size; whether that is in effect and nothing else is. */
static int takes_buffer(MPI_File fh, int bytes)
{
    struct held wanted = held_of(fh);
    MPI_Info info;

    snprintf(wanted.buffer, sizeof(wanted.buffer), "%d", bytes);
    info = one_hint("cb_buffer_size", wanted.buffer);
    MPI_File_set_info(fh, info);
    MPI_Info_free(&info);
    return is_as(fh, &wanted);
}

/* Whether it stays as it is, and the status says why. */
static int keeps_buffer(MPI_File fh, int bytes)
{
    struct held before = held_of(fh);

    return !takes_buffer(fh, bytes) && is_as(fh, &before) &&
           strstr(hint_of(fh, "romio_autotune_status"), "cb_buffer_size=") != NULL &&
           strstr(hint_of(fh, "romio_autotune_status"), " ignored: ") != NULL;
}

/* The operation holds the buffer, and nothing tells when a nonblocking one, which
 * it is in ROMIO, lets it go. */
static void test_split(void)
{
    MPI_File fh = create_with("split", NULL, NULL);
    int size = atoi(held_of(fh).buffer) + MORE;

    tap_ok(takes_buffer(fh, size), "split: the buffer grows before");
    interleave(fh, BLOCK, 1);
    MPI_File_write_at_all_begin(fh, 0, out, BYTES, MPI_BYTE);
    size = atoi(held_of(fh).buffer);
    tap_ok(keeps_buffer(fh, size + MORE), "split: it does not between begin and end");
    MPI_File_write_at_all_end(fh, out, MPI_STATUS_IGNORE);
    memset(in, 0, BYTES);
    MPI_File_read_at_all_begin(fh, 0, in, BYTES, MPI_BYTE);
    MPI_File_read_at_all_end(fh, in, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "split: read back");
    tap_ok(keeps_buffer(fh, size + MORE), "split: it does not grow afterwards");
    write_all(fh, BLOCK, "split, then not");
    read_all(fh, BYTES, "split, then not");
    MPI_File_close(&fh);
}

/* Nothing tells when it completes: nothing may change from then on. */
static void test_nonblocking(void)
{
    MPI_File fh = create_with("nonblocking", NULL, NULL);
    MPI_Request request;
    struct held before;

    interleave(fh, BLOCK, 1);
    before = held_of(fh);
    MPI_File_iwrite_at_all(fh, 0, out, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(fh);
    MPI_Barrier(MPI_COMM_WORLD);
    read_all(fh, BYTES, "nonblocking");
    interleave(fh, BLOCK / 100, 1);
    write_all(fh, BLOCK, "nonblocking, then tiny");
    read_all(fh, BLOCK, "nonblocking, then tiny");
    tap_ok(is_as(fh, &before), "nonblocking: aggregators and buffer stay");
    MPI_File_close(&fh);
}

static void test_opened_twice(void)
{
    MPI_File one = create_with("twice", NULL, NULL);
    MPI_File two = open_file("twice", MPI_MODE_RDWR, MPI_INFO_NULL);

    interleave(one, BLOCK, 2);
    interleave(two, BLOCK, 1);
    write_all(two, BYTES, "opened twice, second");
    write_all(one, BYTES, "opened twice, first");
    MPI_File_sync(one);
    MPI_File_sync(two);
    MPI_Barrier(MPI_COMM_WORLD);
    interleave(two, BLOCK, 2);
    read_all(two, BYTES, "opened twice, second");
    MPI_File_close(&one);
    read_all(two, BYTES, "opened twice, first closed");
    MPI_File_close(&two);
}

/* Every rank a file of its own, and at its own pace. */
static void test_self(void)
{
    char file[32];
    MPI_File fh;
    int right = 1;

    snprintf(file, sizeof(file), "self.%d", rank);
    MPI_File_open(MPI_COMM_SELF, path("autotune:", file), RDWR_CREATE, MPI_INFO_NULL, &fh);
    for (int i = 0; i <= rank % 3; i++) {
        MPI_File_write_at_all(fh, i * BLOCK, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
        memset(in, 0, BYTES);
        MPI_File_read_at_all(fh, i * BLOCK, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
        right = right && is_filled(in, BYTES, rank);
    }
    MPI_File_close(&fh);
    tap_ok(right, "MPI_COMM_SELF: read back");
}

/* idle: ranks that access nothing */
static void test_empty(int (*idle)(int), const char *what)
{
    MPI_File fh = create_with("empty", NULL, NULL);
    int bytes = idle(rank) ? 0 : BYTES;

    interleave(fh, BLOCK, 1);
    write_all(fh, bytes, what);
    write_all(fh, 0, what);
    write_all(fh, bytes, what);
    MPI_File_sync(fh);
    MPI_Barrier(MPI_COMM_WORLD);
    read_all(fh, bytes, what);
    MPI_File_close(&fh);
}

static int first(int r)
{
    return r == 0;
}

static int odd(int r)
{
    return r % 2;
}

static int all(int r)
{
    return r >= 0;
}

/* The status says why nothing was decided. */
static void test_one_sided(void)
{
    MPI_File fh = create_with("onesided", NULL, NULL);

    interleave(fh, BLOCK, 1);
    write_all(fh, BYTES, "one-sided");
    read_all(fh, BYTES, "one-sided");
    tap_ok(strncmp(hint_of(fh, "romio_autotune_status"), "default: one-sided", 18) == 0,
           "one-sided: there is no decision");
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    fill(out, BYTES, rank);
    if (getenv("ROMIO_WRITE_AGGMETHOD") != NULL) {
        test_one_sided();
        return finish();
    }
    test_deferred(MPI_MODE_RDWR, 0, "deferred open");
    test_deferred(MPI_MODE_WRONLY, 0, "deferred open, write only");
    test_deferred(MPI_MODE_WRONLY, 1, "deferred open, write only, written alone before");
    test_split();
    test_nonblocking();
    test_opened_twice();
    test_self();
    test_empty(first, "nothing on rank 0");
    test_empty(odd, "nothing on odd ranks");
    test_empty(all, "nothing on any rank");
    return finish();
}
