/*
 * Seeded programs of nonblocking, split and blocking, collective and independent
 * operations with messages between them: none hangs, and all bytes are right.
 *
 *     mixed DIRECTORY FS      MIXED_FIRST, MIXED_COUNT: seeds
 *                             MIXED_PREFIX: other than "autotune:"
 *
 * A seed that hangs is named on stderr; the program then ends with code 3.
 */

#include "common.h"
#include "mixed.h"

#include <signal.h>
#include <unistd.h>

enum { WATCHDOG = 30 };

static plan program;
static MPI_File files[FILES];
static unsigned char data[MAX_OPS][PART];
static MPI_Request requests[MAX_OPS], messages[MAX_EVENTS];
static int message_count;
static char wrong[128]; /* the first thing that was; "": nothing */

static const char *file_name(int file)
{
    return file == 0 ? "mixed.0" : "mixed.1";
}

/* --- data operations */

static void start_nonblocking(op *op, unsigned char *buffer, MPI_Request *request)
{
    MPI_Offset offset = view_offset(&program, op, rank);
    MPI_File fh = files[op->file];
    int n = op->bytes[rank];

    if (op->kind == IWRITE_ALL || op->kind == IREAD_ALL)
        MPI_File_seek(fh, offset, MPI_SEEK_SET);
    if (op->kind == IWRITE_ALL)
        MPI_File_iwrite_all(fh, buffer, n, MPI_BYTE, request);
    else if (op->kind == IWRITE_AT_ALL)
        MPI_File_iwrite_at_all(fh, offset, buffer, n, MPI_BYTE, request);
    else if (op->kind == IREAD_ALL)
        MPI_File_iread_all(fh, buffer, n, MPI_BYTE, request);
    else if (op->kind == IREAD_AT_ALL)
        MPI_File_iread_at_all(fh, offset, buffer, n, MPI_BYTE, request);
    else if (op->kind == IWRITE_AT)
        MPI_File_iwrite_at(fh, offset, buffer, n, MPI_BYTE, request);
    else if (op->kind == IREAD_AT)
        MPI_File_iread_at(fh, offset, buffer, n, MPI_BYTE, request);
}

static void access_blocking(op *op, unsigned char *buffer)
{
    MPI_Offset offset = view_offset(&program, op, rank);
    MPI_File fh = files[op->file];
    int n = op->bytes[rank];

    if (op->kind == WRITE_AT) {
        MPI_File_write_at(fh, offset, buffer, n, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (op->kind == READ_AT) {
        MPI_File_read_at(fh, offset, buffer, n, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (op->kind == WRITE_ALL) {
        MPI_File_seek(fh, offset, MPI_SEEK_SET);
        MPI_File_write_all(fh, buffer, n, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (op->kind == WRITE_AT_ALL) {
        MPI_File_write_at_all(fh, offset, buffer, n, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (op->kind == READ_AT_ALL) {
        MPI_File_read_at_all(fh, offset, buffer, n, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (op->kind == WRITE_ORDERED) {
        MPI_File_seek_shared(fh, (MPI_Offset) op->region * ranks * PART, MPI_SEEK_SET);
        MPI_File_write_ordered(fh, buffer, n, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (op->kind == WRITE_BEGIN) {
        MPI_File_write_at_all_begin(fh, offset, buffer, n, MPI_BYTE);
    } else if (op->kind == READ_BEGIN) {
        MPI_File_read_at_all_begin(fh, offset, buffer, n, MPI_BYTE);
    }
}

static void start_data(op *op, int index)
{
    unsigned char *buffer = data[index];

    for (int i = 0; i < PART; i++)
        buffer[i] = is_write(op->kind) && i < op->bytes[rank]
                        ? data_at(&program, op, file_offset(&program, op, rank, i))
                        : 0;
    if (op->kind == WRITE_AT || op->kind == READ_AT || op->kind >= FIRST_OF_ALL)
        access_blocking(op, buffer);
    else
        start_nonblocking(op, buffer, &requests[index]);
}

/* Number of the first byte that is not the wanted one; size: none.  What nobody wrote
 * may be anything: data sieving fills holes at the end of a file with its buffer. */
static int first_wrong(const unsigned char *found, const unsigned char *wanted, int size)
{
    int at = 0;

    while (at < size && (wanted[at] == 0 || found[at] == wanted[at]))
        at++;
    return at;
}

/* What an operation that is over has read */
static void check_data(const op *op, int index)
{
    if (op->known && first_wrong(data[index], op->wanted[rank], PART) < PART && wrong[0] == '\0')
        snprintf(wrong, sizeof(wrong), "operation %d of kind %d read something else", index,
                 op->kind);
}

/* --- the others */

static void set_view(MPI_File fh, int interleaved)
{
    MPI_Datatype piece, type;

    if (!interleaved) {
        MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        return;
    }
    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, (MPI_Aint) PIECE * ranks, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) PIECE * rank, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&piece);
}

static void set_buffer(MPI_File fh, int size)
{
    char text[16];
    MPI_Info info;

    snprintf(text, sizeof(text), "%d", size);
    info = one_hint("cb_buffer_size", text);
    MPI_File_set_info(fh, info);
    MPI_Info_free(&info);
}

static void start_op(int index)
{
    op *op = &program.op[index];
    MPI_File fh = files[op->file];

    if (op->kind < SET_VIEW) {
        start_data(op, index);
    } else if (op->kind == SET_VIEW) {
        set_view(fh, op->interleaved);
    } else if (op->kind == SET_INFO) {
        set_buffer(fh, op->value);
    } else if (op->kind == SET_SIZE) {
        MPI_File_set_size(fh, op->value);
        MPI_Barrier(MPI_COMM_WORLD); /* ad_nfs_resize.c:18 truncates on every rank */
    } else if (op->kind == PREALLOCATE) {
        MPI_File_preallocate(fh, op->value);
    } else if (op->kind == SYNC) {
        MPI_File_sync(fh);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(fh);
    }
    if (op->kind == READ_AT || op->kind == READ_AT_ALL)
        check_data(op, index);
}

static void finish_op(int index)
{
    op *op = &program.op[index];

    if (op->kind == WRITE_BEGIN)
        MPI_File_write_at_all_end(files[op->file], data[index], MPI_STATUS_IGNORE);
    else if (op->kind == READ_BEGIN)
        MPI_File_read_at_all_end(files[op->file], data[index], MPI_STATUS_IGNORE);
    else
        MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
    check_data(op, index);
}

/* Independent operations of this rank that are under way */
static void finish_alone(void)
{
    for (int i = 0; i < program.ops; i++) {
        kind kind = program.op[i].kind;

        if ((kind == IWRITE_AT || kind == IREAD_AT) && requests[i] != MPI_REQUEST_NULL) {
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            check_data(&program.op[i], i);
        }
    }
}

static void run_event(const event *event)
{
    const op *op = &program.op[event->op];

    if (event->rank >= 0 && event->rank != rank)
        return;
    if (event->what == START && (event->rank < 0 || op->bytes[rank] > 0))
        start_op(event->op);
    else if (event->what == FINISH)
        finish_op(event->op);
    else if (event->what == FINISH_ALONE)
        finish_alone();
    else if (event->what == SEND)
        MPI_Isend(NULL, 0, MPI_BYTE, event->other, 0, MPI_COMM_WORLD, &messages[message_count++]);
    else if (event->what == RECEIVE)
        MPI_Recv(NULL, 0, MPI_BYTE, event->other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* --- a seed */

static void open_files(const char *prefix)
{
    for (int i = 0; i < program.files; i++) {
        if (rank == 0)
            unlink(path("", file_name(i)));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_open(MPI_COMM_WORLD, path(prefix, file_name(i)), RDWR_CREATE, MPI_INFO_NULL,
                      &files[i]);
    }
}

/* On rank 0 */
static void check_file(int file)
{
    static unsigned char found[MAX_SIZE + 1];
    FILE *stream = fopen(path("", file_name(file)), "rb");
    int size = stream != NULL ? (int) fread(found, 1, sizeof(found), stream) : 0, at;

    if (stream != NULL)
        fclose(stream);
    at = first_wrong(found, program.image[file], size);
    if ((size != program.size[file] || at < size) && wrong[0] == '\0')
        snprintf(wrong, sizeof(wrong), "file %d of %d bytes has %d, and is wrong at %d", file,
                 program.size[file], size, at);
}

static void run_seed(uint64_t seed, const char *prefix)
{
    alarm(WATCHDOG + (rank != 0 ? 3 : 0)); /* rank 0 speaks first */
    plan_draw(&program, seed, ranks);
    wrong[0] = '\0';
    message_count = 0;
    for (int i = 0; i < MAX_OPS; i++)
        requests[i] = MPI_REQUEST_NULL;
    open_files(prefix);
    for (int i = 0; i < program.events; i++)
        run_event(&program.event[i]);
    for (int i = 0; i < message_count; i++)
        MPI_Wait(&messages[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < program.files; i++)
        MPI_File_close(&files[i]);
    for (int i = 0; rank == 0 && i < program.files; i++)
        check_file(i);
}

static void on_alarm(int number)
{
    char text[64];
    int length;

    (void) number;
    length = snprintf(text, sizeof(text), "hung in seed %llu\n", (unsigned long long) program.seed);
    if (rank == 0 && write(STDERR_FILENO, text, (size_t) length) != length)
        _exit(99);
    _exit(3);
}

static long variable(const char *name, long otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? atol(text) : otherwise;
}

int main(int argc, char **argv)
{
    const char *prefix = getenv("MIXED_PREFIX");
    long first, count;
    int failed = 0;

    start(&argc, &argv);
    signal(SIGALRM, on_alarm);
    first = variable("MIXED_FIRST", 1);
    count = variable("MIXED_COUNT", 100);
    for (long seed = first; seed < first + count; seed++) {
        run_seed((uint64_t) seed, prefix != NULL ? prefix : "autotune:");
        if (wrong[0] != '\0') {
            printf("# seed %ld, rank %d: %s\n", seed, rank, wrong);
            fflush(stdout);
            failed++;
        }
    }
    alarm(0);
    tap_ok(failed == 0, "seeds %ld to %ld: the bytes are right", first, first + count - 1);
    return finish();
}
