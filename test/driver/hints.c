/*
 * The driver's own hints and reports, and cb_buffer_size growing after open,
 * which overruns a buffer in ROMIO and must not through us.
 */

#include "common.h"

#include <unistd.h>

static MPI_File open_with(const char *key, const char *value)
{
    MPI_Info info = key != NULL ? one_hint(key, value) : MPI_INFO_NULL;
    MPI_File fh = MPI_FILE_NULL;

    MPI_File_open(MPI_COMM_WORLD, path("autotune:", "hints"), RDWR_CREATE, info, &fh);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return fh;
}

/* What follows a decision of which nobody knows how it ends. */
static const char DECIDED[] = "tuned, or default with a reason";

static int status_is(const char *status, const char *expected)
{
    if (expected != DECIDED)
        return strcmp(status, expected) == 0;
    return strcmp(status, "tuned") == 0 || strncmp(status, "tuned; it is not known", 22) == 0 ||
           (strncmp(status, "default: ", 9) == 0 && strstr(status, "no decision") == NULL &&
            strstr(status, "ignored") == NULL);
}

/* ignored: NULL, or what the status says of a hint that is wrong */
static void reports(const char *value, const char *mode, const char *status, const char *ignored)
{
    MPI_File fh = open_with(value != NULL ? "romio_autotune" : NULL, value);
    const char *shown = value != NULL ? value : "absent";

    if (!tap_ok(fh != MPI_FILE_NULL, "romio_autotune %s: opens", shown))
        return;
    tap_ok(strcmp(hint_of(fh, "romio_autotune"), mode) == 0, "romio_autotune %s: mode %s", shown,
           mode);
    if (ignored != NULL)
        tap_ok(strstr(hint_of(fh, "romio_autotune_status"), ignored) != NULL,
               "romio_autotune %s: status has \"%s\"", shown, ignored);
    else
        tap_ok(status_is(hint_of(fh, "romio_autotune_status"), status),
               "romio_autotune %s: status %s", shown, status);
    tap_ok(strcmp(hint_of(fh, "romio_autotune_wrapped"), fs) == 0, "romio_autotune %s: wraps %s",
           shown, fs);
    MPI_File_close(&fh);
}

static void test_modes(void)
{
    char long_value[MPI_MAX_INFO_VAL];

    unsetenv("ROMIO_AUTOTUNE");
    reports(NULL, "automatic", DECIDED, NULL);
    reports("automatic", "automatic", DECIDED, NULL);
    reports("enable", "enable", DECIDED, NULL);
    reports("disable", "disable", "disabled", NULL);
    reports("DISABLE", "disable", "disabled", NULL);
    reports("off", "disable", "disabled", NULL);
    reports("Yes", "automatic", DECIDED, NULL);
    reports("maybe", "automatic", NULL, "; romio_autotune=maybe ignored: not enable,");
    memset(long_value, 'x', sizeof(long_value));
    long_value[sizeof(long_value) - 1] = '\0';
    reports(long_value, "automatic", NULL, "; romio_autotune=xxxxxxxx");
    setenv("ROMIO_AUTOTUNE", "disable", 1);
    reports(NULL, "disable", "disabled", NULL);
    reports("enable", "enable", DECIDED, NULL);
    setenv("ROMIO_AUTOTUNE", "0", 1);
    reports(NULL, "disable", "disabled", NULL);
    reports("1", "automatic", DECIDED, NULL);
    setenv("ROMIO_AUTOTUNE", "nonsense", 1);
    reports(NULL, "automatic", NULL, "; romio_autotune=nonsense ignored:");
    unsetenv("ROMIO_AUTOTUNE");
}

/* Rank 0's hint holds for all, and ranks without it do not wait for it. */
static void test_hint_on_some_ranks(void)
{
    MPI_File fh = open_with(rank % 2 == 0 ? "romio_autotune" : NULL, "disable");

    tap_ok(fh != MPI_FILE_NULL && strcmp(hint_of(fh, "romio_autotune_status"), "disabled") == 0,
           "a hint given on even ranks only is rank 0's");
    MPI_File_close(&fh);
}

/* Interleaved blocks, so that two-phase I/O fills its whole buffer. */
static void write_and_check(MPI_File fh, int nonblocking, const char *what)
{
    enum { BLOCK = 4096, BLOCKS = 64, BYTES = BLOCK * BLOCKS };
    unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype type;
    int error;

    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL);
    fill(out, BYTES, rank);
    memset(in, 0, BYTES);
    if (nonblocking) {
        error = MPI_File_iwrite_at_all(fh, 0, out, BYTES, MPI_BYTE, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        error = MPI_File_write_at_all(fh, 0, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    tap_ok(error == MPI_SUCCESS, "%s: written", what);
    MPI_File_read_at_all(fh, 0, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "%s: read back", what);
    MPI_Type_free(&type);
    free(out);
    free(in);
}

static MPI_File open_small_buffer(void)
{
    MPI_File fh;
    MPI_Info info = one_hint("cb_buffer_size", "65536");

    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "romio_cb_read", "enable");
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", "grow"), RDWR_CREATE, info, &fh);
    MPI_Info_free(&info);
    return fh;
}

static void set_buffer_size(MPI_File fh, const char *size)
{
    MPI_Info info = one_hint("cb_buffer_size", size);

    MPI_File_set_info(fh, info);
    MPI_Info_free(&info);
}

static void test_growth(void)
{
    MPI_File fh = open_small_buffer();
    MPI_Info info;

    write_and_check(fh, 0, "buffer as opened");
    set_buffer_size(fh, "1048576");
    tap_ok(strcmp(hint_of(fh, "cb_buffer_size"), "1048576") == 0, "set_info: growth is honoured");
    write_and_check(fh, 0, "buffer grown by set_info");
    set_buffer_size(fh, "32768");
    write_and_check(fh, 0, "buffer shrunk");
    info = one_hint("cb_buffer_size", "2097152");
    MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", info);
    MPI_Info_free(&info);
    tap_ok(strcmp(hint_of(fh, "cb_buffer_size"), "2097152") == 0, "set_view: growth is honoured");
    write_and_check(fh, 0, "buffer grown by set_view");
    MPI_File_close(&fh);
}

static void test_growth_refused(void)
{
    MPI_File fh = open_small_buffer();

    write_and_check(fh, 1, "nonblocking");
    set_buffer_size(fh, "1048576");
    tap_ok(strcmp(hint_of(fh, "cb_buffer_size"), "65536") == 0,
           "growth after a nonblocking collective is refused");
    tap_ok(strstr(hint_of(fh, "romio_autotune_status"), "cb_buffer_size=1048576 ignored") != NULL,
           "and the status says so");
    write_and_check(fh, 0, "buffer kept");
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    test_modes();
    test_hint_on_some_ranks();
    test_growth();
    test_growth_refused();
    return finish();
}
