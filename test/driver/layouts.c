/*
 * Layouts of new files on Lustre: what a directory has for its files, what the user
 * wants and what is chosen; and that the file's own attribute, MPI_File_get_info,
 * the explanation and the record say the same.
 */

#include "common.h"
#include "layouts.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES = 1 << 20, OSTS = 4 };

static const char *chosen; /* a profile that chooses a stripe for each rank */
static int tuned;          /* whether it is asked: a file of one process is not tuned */
static unsigned wanted;    /* the stripes that a file then gets in the root */
static unsigned char out[BYTES], in[BYTES];

/* --- a server that refuses layouts */

static int refusing;

int ioctl(int fd, unsigned long request, ...)
{
    static int (*next)(int, unsigned long, ...);
    va_list arguments;
    void *argument;

    va_start(arguments, request);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    if (refusing && request == LL_IOC_LOV_SETSTRIPE) {
        errno = ENOSPC;
        return -1;
    }
    if (next == NULL)
        *(void **) &next = dlsym(RTLD_NEXT, "ioctl");
    return next(fd, request, argument);
}

/* --- files */

static MPI_Info hints_for(const char *profile)
{
    MPI_Info info = one_hint("romio_autotune", "enable");

    MPI_Info_set(info, "romio_autotune_profile", profile);
    MPI_Info_set(info, "romio_autotune_explain", path("", "explanation"));
    MPI_Info_set(info, "romio_autotune_record", path("", "record"));
    return info;
}

static void remove_files(const char *name)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(path("", name));
        unlink(path("", "explanation"));
        unlink(path("", "record"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static MPI_File open_new(const char *name, MPI_Info info)
{
    MPI_File fh = MPI_FILE_NULL;

    remove_files(name);
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", name), RDWR_CREATE, info, &fh);
    MPI_Info_free(&info);
    return fh;
}

static int write_all(MPI_File fh)
{
    return MPI_File_write_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE,
                                 MPI_STATUS_IGNORE);
}

/* As rank 0 sees it, on all ranks. */
static struct layout layout_told(const char *name)
{
    struct layout layout = {0};

    if (rank == 0)
        layout = layout_of(name);
    MPI_Bcast(&layout, sizeof(layout), MPI_BYTE, 0, MPI_COMM_WORLD);
    return layout;
}

/* --- reports */

/* The number of the last `"key":` after the last `"after"` in a file, or -1. */
static long number_in(const char *file, const char *after, const char *key)
{
    static char text[4 << 20];
    FILE *stream = fopen(path("", file), "r");
    char *at = text, *next, quoted[64];
    long number = -1;

    if (stream == NULL)
        return -1;
    text[fread(text, 1, sizeof(text) - 1, stream)] = '\0';
    fclose(stream);
    for (next = strstr(at, after); next != NULL; next = strstr(at + 1, after))
        at = next;
    snprintf(quoted, sizeof(quoted), "\"%s\":", key);
    at = strstr(at, quoted);
    if (at != NULL)
        number = strtol(at + strlen(quoted), NULL, 10);
    return number;
}

static int said_in(const char *file, const char *after, const struct layout *is)
{
    if (rank != 0)
        return 1;
    return number_in(file, after, "stripe_size") == (long) is->unit &&
           number_in(file, after, "stripe_count") == (long) is->count &&
           number_in(file, after, "first_ost") == (long) is->first_ost;
}

static int reported(MPI_File fh, const struct layout *is)
{
    return atol(hint_of(fh, "striping_unit")) == (long) is->unit &&
           atol(hint_of(fh, "striping_factor")) == (long) is->count &&
           atol(hint_of(fh, START_IODEVICE)) == (long) is->first_ost;
}

/* On an open file that was written; closes it. */
static void check_reports(MPI_File fh, const char *name, const char *what, int late)
{
    struct layout is = layout_told(path("", name));

    tap_ok(strstr(hint_of(fh, "romio_autotune_status"), "ufs is used") == NULL,
           "%s: the status is that of Lustre", what);
    if (is.magic != COMPOSITE_MAGIC)
        tap_ok(reported(fh, &is), "%s: get_info says what is", what);
    MPI_File_close(&fh);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is.magic != COMPOSITE_MAGIC)
        tap_ok(said_in("record", "\"layout\"", &is), "%s: the record says what is", what);
    if (late)
        tap_ok(said_in("explanation", "romio-autotune-layout", &is),
               "%s: the explanation says what is", what);
}

/* --- directories */

/* What a program gets that knows nothing of layouts. */
static struct layout plain_layout(const char *name)
{
    int fd;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(path("", name));
        fd = open(path("", name), O_CREAT | O_RDWR, 0666);
        if (fd >= 0)
            close(fd);
    }
    return layout_told(path("", name));
}

/* A real file system has no pool but those that its administrators made. */
static const char *pool_name(void)
{
    const char *name = getenv("LATE_POOL");

    return name != NULL ? name : "flash";
}

static int set_default(const char *kind)
{
    if (strcmp(kind, "two") == 0)
        return set_plain_default(path("", kind), 2 << 20, 2);
    if (strcmp(kind, "pool") == 0)
        return set_pool_default(path("", kind), 2, pool_name());
    if (strcmp(kind, "parts") == 0)
        return set_composite_default(path("", kind));
    return 0;
}

/* NULL, or why not; the same on all ranks. */
static const char *make_directory(const char *kind)
{
    int error = 0;

    if (strcmp(kind, "pool") == 0 && pool_name()[0] == '\0')
        return "LATE_POOL names none";
    if (rank == 0 &&
        ((mkdir(path("", kind), 0777) != 0 && errno != EEXIST) || set_default(kind) != 0))
        error = errno;
    MPI_Bcast(&error, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return error != 0 ? strerror(error) : NULL;
}

/* No decision can be made: as if we were not there. */
static void test_default(const char *kind, const struct layout *plain)
{
    char name[64], what[64];
    MPI_File fh;

    snprintf(name, sizeof(name), "%s/default", kind);
    snprintf(what, sizeof(what), "default in %s", kind);
    fh = open_new(name, hints_for("/no/such/profile"));
    write_all(fh);
    tap_ok(same_kind(layout_told(path("", name)), *plain), "%s: as a plain file's", what);
    check_reports(fh, name, what, 0);
}

/* Plain defaults are replaced by what is better; others are there for a reason. */
static void test_chosen(const char *kind, const struct layout *plain, int replaced)
{
    char name[64], what[64];
    struct layout is;
    MPI_File fh;

    snprintf(name, sizeof(name), "%s/chosen", kind);
    snprintf(what, sizeof(what), "chosen in %s", kind);
    fh = open_new(name, hints_for(chosen));
    if (replaced) {
        tap_ok(hint_of(fh, "striping_unit")[0] == '\0' && hint_of(fh, "striping_factor")[0] == '\0',
               "%s: no striping before the first access", what);
        tap_ok(rank != 0 || (number_in("explanation", "\"candidates\"", "stripe_count") ==
                                 (long) plain->count &&
                             number_in("explanation", "\"candidates\"", "stripe_size") ==
                                 (long) plain->unit),
               "%s: the model knows the default", what);
    }
    write_all(fh);
    is = layout_told(path("", name));
    if (replaced)
        tap_ok(is.count == wanted && !same_kind(is, *plain), "%s: %u x %u", what, is.count,
               is.unit);
    else
        tap_ok(same_kind(is, *plain), "%s: the directory's", what);
    check_reports(fh, name, what, replaced);
}

/* The user's striping counts everywhere; a pool stays. */
static void test_wanted(const char *kind, const struct layout *plain)
{
    MPI_Info info = hints_for(chosen);
    char name[64], what[64];
    struct layout is;
    MPI_File fh;

    snprintf(name, sizeof(name), "%s/wanted", kind);
    snprintf(what, sizeof(what), "wanted in %s", kind);
    MPI_Info_set(info, "striping_factor", "3");
    MPI_Info_set(info, "striping_unit", "131072");
    fh = open_new(name, info);
    write_all(fh);
    is = layout_told(path("", name));
    tap_ok(is.count == 3 && is.unit == 131072, "%s: %u x %u", what, is.count, is.unit);
    tap_ok(strcmp(is.pool, plain->pool) == 0, "%s: pool \"%s\"", what, is.pool);
    check_reports(fh, name, what, 0);
}

static void test_directory(const char *kind, int replaced)
{
    const char *problem = make_directory(kind);
    char name[64];
    struct layout plain;

    if (problem != NULL) {
        tap_ok(1, "%s # SKIP the default cannot be set here: %s", kind, problem);
        return;
    }
    snprintf(name, sizeof(name), "%s/plain", kind);
    plain = plain_layout(name);
    tap_ok(plain.magic != 0, "%s: a plain file has a layout", kind);
    test_default(kind, &plain);
    test_chosen(kind, &plain, replaced);
    test_wanted(kind, &plain);
}

/* --- hints that cannot be */

static void test_refused_hint(const char *key, const char *value)
{
    MPI_Info info = hints_for(chosen);
    char said[128];
    MPI_File fh;

    MPI_Info_set(info, key, value);
    fh = open_new("refused", info);
    if (!tap_ok(fh != MPI_FILE_NULL, "%s=%s: opens", key, value))
        return;
    snprintf(said, sizeof(said), "%s=%s ignored: refused for ", key, value);
    tap_ok(strstr(hint_of(fh, "romio_autotune_status"), said) != NULL, "%s=%s: %s", key, value,
           hint_of(fh, "romio_autotune_status"));
    tap_ok(write_all(fh) == MPI_SUCCESS, "%s=%s: can be written", key, value);
    tap_ok(layout_told(path("", "refused")).count == wanted, "%s=%s: is as if not given", key,
           value);
    check_reports(fh, "refused", value, tuned);
}

static void test_existing(void)
{
    struct layout plain = plain_layout("existing");
    MPI_Info info = hints_for(chosen);
    MPI_File fh = MPI_FILE_NULL;

    MPI_Info_set(info, "striping_unit", "131072");
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", "existing"), RDWR_CREATE, info, &fh);
    tap_ok(reported(fh, &plain), "an existing file: its striping is reported");
    tap_ok(strstr(hint_of(fh, "romio_autotune_status"), "striping_unit=131072 ignored") != NULL,
           "an existing file: %s", hint_of(fh, "romio_autotune_status"));
    MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", info);
    tap_ok(reported(fh, &plain), "an existing file: still after set_view");
    MPI_Info_set(info, "striping_unit", "0");
    MPI_File_set_info(fh, info);
    tap_ok(reported(fh, &plain) && write_all(fh) == MPI_SUCCESS, "an existing file: 0 is no wish");
    MPI_Info_free(&info);
    MPI_File_close(&fh);
}

/* --- between open and the first write */

/* Moved away by rank 0, or removed if there is no new name. */
static void move(const char *elsewhere)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && elsewhere == NULL)
        unlink(path("", "moved"));
    else if (rank == 0)
        rename(path("", "moved"), path("", elsewhere));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_moved(MPI_File fh, const char *what, unsigned count)
{
    tap_ok(write_all(fh) == MPI_SUCCESS, "%s: can be written", what);
    memset(in, 0, BYTES);
    MPI_File_read_at_all(fh, (MPI_Offset) rank * BYTES, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "%s: and read", what);
    tap_ok(atoi(hint_of(fh, "striping_factor")) == (int) count, "%s: has its stripes", what);
    MPI_File_close(&fh);
}

static void test_renamed(void)
{
    MPI_File fh = open_new("moved", hints_for(chosen));

    move("elsewhere");
    check_moved(fh, "renamed", wanted);
    tap_ok(layout_told(path("", "elsewhere")).count == wanted, "renamed: under its new name");
}

/* No stripes come to a file without a name; the error says so, and what does help. */
static void test_removed(void)
{
    MPI_Info info = hints_for(chosen);
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    MPI_File fh = open_new("moved", hints_for(chosen));
    int code, length;

    move(NULL);
    code = write_all(fh);
    if (tuned) { /* a file of one process has its layout from the beginning */
        if (code != MPI_SUCCESS)
            MPI_Error_string(code, text, &length);
        tap_ok(strstr(text, "removed before its first write") != NULL, "removed: \"%s\"", text);
        tap_ok(strstr(text, "striping_factor") != NULL && strstr(text, "romio_autotune=disable"),
               "removed: the way out is named");
    }
    MPI_File_close(&fh);
    MPI_Info_set(info, "striping_factor", "3");
    fh = open_new("moved", info);
    move(NULL);
    check_moved(fh, "removed, with a hint", 3);
    info = hints_for(chosen);
    remove_files("moved");
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", "moved"),
                  RDWR_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &fh);
    MPI_Info_free(&info);
    move(NULL);
    check_moved(fh, "removed, to be deleted on close", wanted);
}

static void test_server_refuses(void)
{
    MPI_File fh = open_new("full", hints_for(chosen));
    int code;

    refusing = 1;
    code = write_all(fh);
    tap_ok(class_of(code) == MPI_ERR_NO_SPACE, "no layout can be had: class %d", class_of(code));
    refusing = 0;
    tap_ok(write_all(fh) == MPI_SUCCESS, "when one can be had again, the file is written");
    check_reports(fh, "full", "refused once", 1);
}

int main(int argc, char **argv)
{
    static char name[NAME_MAX_LENGTH];

    start(&argc, &argv);
    snprintf(name, sizeof(name), "%s", getenv("LATE_PROFILE"));
    chosen = name;
    fill(out, BYTES, rank);
    tuned = ranks > 1;
    wanted = !tuned ? plain_layout("plain").count : ranks > OSTS ? OSTS : (unsigned) ranks;
    test_directory("none", tuned);
    test_directory("two", tuned);
    test_directory("pool", 0);
    test_directory("parts", 0);
    test_refused_hint("striping_unit", "100000");
    test_refused_hint(START_IODEVICE, "77");
    test_existing();
    test_renamed();
    test_removed();
    if (tuned)
        test_server_refuses();
    return finish();
}
