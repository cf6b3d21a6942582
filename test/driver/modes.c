/*
 * Access modes and kinds of call through the driver: what was written is in
 * the file, and modes mean what they mean with the wrapped driver.
 */

#include "common.h"

#include <unistd.h>

enum { BYTES = 10000 };

static unsigned char out[BYTES], in[BYTES];

static MPI_File open_mode(const char *file, int mode, MPI_Info info)
{
    MPI_File fh = MPI_FILE_NULL;

    MPI_File_open(MPI_COMM_WORLD, path("autotune:", file), mode, info, &fh);
    return fh;
}

static MPI_File create(const char *file)
{
    return open_mode(file, RDWR_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL);
}

static void delete (const char *file)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_delete(path("autotune:", file), MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Close, look at the file from outside, delete. */
static void close_and_check(MPI_File *fh, const char *file)
{
    MPI_File_close(fh);
    tap_ok(file_holds(file, ranks, BYTES), "%s: the file is right", file);
    delete (file);
}

static void test_exclusive(void)
{
    MPI_File fh = create("exclusive"), second;

    tap_ok(fh != MPI_FILE_NULL, "exclusive create");
    MPI_File_close(&fh);
    tap_ok(open_class(MPI_COMM_WORLD, path("autotune:", "exclusive"), RDWR_CREATE | MPI_MODE_EXCL,
                      &second) == MPI_ERR_FILE_EXISTS,
           "a second exclusive create is refused");
    delete ("exclusive");
}

static void test_append(void)
{
    MPI_File fh = create("append");
    MPI_Offset position;
    int mode;

    MPI_File_write_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    fh = open_mode("append", MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL);
    MPI_File_get_position(fh, &position);
    tap_ok(position == (MPI_Offset) ranks * BYTES, "append: the individual pointer is at the end");
    MPI_File_get_position_shared(fh, &position);
    tap_ok(position == (MPI_Offset) ranks * BYTES, "append: the shared pointer is at the end");
    MPI_File_get_amode(fh, &mode);
    tap_ok(mode == (MPI_MODE_RDWR | MPI_MODE_APPEND), "append: get_amode");
    close_and_check(&fh, "append");
}

static void test_delete_on_close(void)
{
    MPI_File fh = open_mode("gone", RDWR_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL);

    tap_ok(access(path("", "gone"), F_OK) == 0, "delete on close: there while open");
    MPI_File_write_at_all(fh, rank, out, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    tap_ok(access(path("", "gone"), F_OK) != 0, "delete on close: gone after close");
}

static void test_shared_pointer(void)
{
    MPI_File fh = create("ordered");

    MPI_File_write_ordered(fh, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
    memset(in, 0, BYTES);
    MPI_File_read_ordered(fh, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "shared file pointer: ordered read");
    close_and_check(&fh, "ordered");
}

static void test_deferred_open(void)
{
    MPI_Info info = one_hint("romio_no_indep_rw", "true");
    MPI_File fh = open_mode("deferred", RDWR_CREATE, info);

    MPI_Info_free(&info);
    tap_ok(strcmp(hint_of(fh, "romio_no_indep_rw"), "true") == 0, "deferred open is in effect");
    MPI_File_write_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    /* the GPFS driver's collective write returns before the aggregator wrote */
    MPI_Barrier(MPI_COMM_WORLD);
    /* an independent access of a rank that has not opened the file */
    memset(in, 0, BYTES);
    MPI_File_read_at(fh, (MPI_Offset) rank * BYTES, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "deferred open: independent read");
    close_and_check(&fh, "deferred");
}

static void test_atomic(void)
{
    MPI_File fh = create("atomic");
    int atomic = 0;

    tap_ok(MPI_File_set_atomicity(fh, 1) == MPI_SUCCESS, "atomic mode is set");
    MPI_File_get_atomicity(fh, &atomic);
    tap_ok(atomic, "atomic mode is reported");
    MPI_File_write_at(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(fh, (MPI_Offset) ((rank + 1) % ranks) * BYTES, in, BYTES, MPI_BYTE,
                     MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, (rank + 1) % ranks), "atomic mode: a neighbour's write is seen");
    close_and_check(&fh, "atomic");
}

static void test_nonblocking(void)
{
    MPI_File fh = create("nonblocking");
    MPI_Offset mine = (MPI_Offset) rank * BYTES;
    MPI_Request requests[2];

    MPI_File_iwrite_at_all(fh, mine, out, BYTES / 2, MPI_BYTE, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(fh, mine + BYTES / 2, out + BYTES / 2, BYTES - BYTES / 2, MPI_BYTE,
                       &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_File_sync(fh);
    memset(in, 0, BYTES);
    MPI_File_iread_at_all(fh, mine, in, BYTES, MPI_BYTE, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "nonblocking: read back");
    close_and_check(&fh, "nonblocking");
}

static void test_split(void)
{
    MPI_File fh = create("split");
    MPI_Offset mine = (MPI_Offset) rank * BYTES;

    MPI_File_write_at_all_begin(fh, mine, out, BYTES, MPI_BYTE);
    MPI_File_write_at_all_end(fh, out, MPI_STATUS_IGNORE);
    memset(in, 0, BYTES);
    MPI_File_read_at_all_begin(fh, mine, in, BYTES, MPI_BYTE);
    MPI_File_read_at_all_end(fh, in, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "split collectives: read back");
    close_and_check(&fh, "split");
}

static void test_sizes(void)
{
    MPI_File fh = create("sizes");
    MPI_Offset size = -1;

    tap_ok(MPI_File_set_size(fh, (MPI_Offset) 3 * BYTES * ranks) == MPI_SUCCESS, "set_size");
    MPI_File_get_size(fh, &size);
    tap_ok(size == (MPI_Offset) 3 * BYTES * ranks, "set_size is seen");
    tap_ok(MPI_File_preallocate(fh, (MPI_Offset) 4 * BYTES * ranks) == MPI_SUCCESS, "preallocate");
    MPI_File_write_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_size(fh, (MPI_Offset) BYTES * ranks);
    close_and_check(&fh, "sizes");
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    fill(out, BYTES, rank);
    test_exclusive();
    test_append();
    test_delete_on_close();
    test_shared_pointer();
    test_deferred_open();
    test_atomic();
    test_nonblocking();
    test_split();
    test_sizes();
    return finish();
}
