/*
 * Late striping: whatever the first access to a new file on Lustre is, the file
 * has a layout when it is over, and what was written can be read.
 */

#include "common.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <lustre/lustre_user.h>

enum { BYTES = 1 << 20, OSTS = 4 };

static const char *profile;
static int wanted; /* a stripe for each rank, or the default for one, whose files are not tuned */
static unsigned char out[BYTES], in[BYTES];

/* Stripes of a closed file on rank 0; 0: no layout. */
static int stripes_of(const char *name)
{
    static char room[sizeof(struct lov_user_md) + 2000 * sizeof(struct lov_user_ost_data)];
    struct lov_user_md *lum = (struct lov_user_md *) room;
    int fd = open(name, O_RDONLY), stripes = 0;

    memset(room, 0, sizeof(room));
    lum->lmm_magic = LOV_USER_MAGIC;
    if (fd >= 0 && ioctl(fd, LL_IOC_LOV_GETSTRIPE, lum) == 0)
        stripes = lum->lmm_stripe_count;
    if (fd >= 0)
        close(fd);
    MPI_Bcast(&stripes, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return stripes;
}

static MPI_File open_new(const char *file, int mode, const char *key, const char *value)
{
    MPI_Info info = one_hint("romio_autotune", "enable");
    MPI_File fh = MPI_FILE_NULL;

    MPI_Info_set(info, "romio_autotune_profile", profile);
    if (key != NULL)
        MPI_Info_set(info, key, value);
    MPI_File_open(MPI_COMM_WORLD, path("autotune:", file), mode, info, &fh);
    MPI_Info_free(&info);
    return fh;
}

/* What a program gets that knows nothing of layouts. */
static int plain_stripes(void)
{
    int fd = rank == 0 ? open(path("", "plain"), O_CREAT | O_RDWR, 0666) : -1;

    if (fd >= 0)
        close(fd);
    return stripes_of(path("", "plain"));
}

/* --- first accesses */

static void collective_write(MPI_File fh)
{
    MPI_File_write_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void split_write(MPI_File fh)
{
    MPI_File_write_at_all_begin(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE);
    MPI_File_write_at_all_end(fh, out, MPI_STATUS_IGNORE);
}

static void nonblocking_write(MPI_File fh)
{
    MPI_Request request;

    MPI_File_iwrite_at_all(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collective_read(MPI_File fh)
{
    MPI_File_read_at_all(fh, 0, in, 1, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void one_writes(MPI_File fh)
{
    if (rank == ranks - 1)
        MPI_File_write_at(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void all_write_alone(MPI_File fh)
{
    MPI_File_write_at(fh, (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void one_writes_strided(MPI_File fh)
{
    MPI_Datatype type;

    MPI_Type_vector(4, 16, 32, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) rank * BYTES, MPI_BYTE, type, "native", MPI_INFO_NULL);
    if (rank == 0)
        MPI_File_write_at(fh, 0, out, 64, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
}

static void one_writes_nonblocking(MPI_File fh)
{
    MPI_Request request;

    if (rank != 0)
        return;
    MPI_File_iwrite_at(fh, 0, out, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void shared_pointer(MPI_File fh)
{
    MPI_File_write_ordered(fh, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void resize(MPI_File fh)
{
    MPI_File_set_size(fh, 12345);
}

static void preallocate(MPI_File fh)
{
    MPI_File_preallocate(fh, 12345);
}

static void synchronise(MPI_File fh)
{
    MPI_File_sync(fh);
}

static void ask_size(MPI_File fh)
{
    MPI_Offset size;

    MPI_File_get_size(fh, &size);
}

static void nothing(MPI_File fh)
{
    (void) fh;
}

static const struct {
    const char *name;
    void (*access)(MPI_File fh);
    int tuned; /* the layout is the profile's choice */
} firsts[] = {{"collective write", collective_write, 1},
              {"split collective write", split_write, 1},
              {"nonblocking collective write", nonblocking_write, 1},
              {"collective read", collective_read, 0},
              {"independent write of the last rank", one_writes, 1},
              {"independent writes of all ranks", all_write_alone, 1},
              {"strided write of rank 0", one_writes_strided, 1},
              {"nonblocking write of rank 0", one_writes_nonblocking, 1},
              {"ordered write", shared_pointer, 1},
              {"set_size", resize, 1},
              {"preallocate", preallocate, 1},
              {"sync", synchronise, 1},
              {"get_size", ask_size, 1},
              {"close", nothing, 1}};

/* Then a collective write, as if nothing had been, and a read of all. */
static void check_rest(MPI_File fh, const char *name)
{
    collective_write(fh);
    memset(in, 0, sizeof(in));
    MPI_File_read_at_all(fh, (MPI_Offset) rank * BYTES, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(is_filled(in, BYTES, rank), "%s: a collective write after it can be read", name);
    tap_ok(atoi(hint_of(fh, "striping_factor")) == stripes_of(path("", "late")),
           "%s: the striping is reported", name);
}

static void test_first(size_t i, int more)
{
    MPI_File fh = open_new("late", RDWR_CREATE | MPI_MODE_EXCL, NULL, NULL);
    int stripes;

    if (!tap_ok(fh != MPI_FILE_NULL, "%s: opens", firsts[i].name))
        return;
    firsts[i].access(fh);
    if (more)
        check_rest(fh, firsts[i].name);
    MPI_File_close(&fh);
    stripes = stripes_of(path("", "late"));
    if (firsts[i].tuned)
        tap_ok(stripes == wanted, "%s first: %d stripes", firsts[i].name, stripes);
    else
        tap_ok(stripes > 0, "%s first: %d stripes", firsts[i].name, stripes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path("", "late"));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* --- files whose striping is not ours to choose */

static void test_kept(const char *what, const char *key, const char *value, int kept)
{
    MPI_File fh = open_new("kept", RDWR_CREATE, key, value);

    collective_write(fh);
    MPI_File_close(&fh);
    tap_ok(stripes_of(path("", "kept")) == kept, "%s", what);
}

static void test_mode(void)
{
    MPI_File fh = open_new("mode", RDWR_CREATE | MPI_MODE_EXCL, NULL, NULL), again;
    int mode;

    MPI_File_get_amode(fh, &mode);
    tap_ok(mode == (RDWR_CREATE | MPI_MODE_EXCL), "the mode is the user's");
    again = open_new("mode", RDWR_CREATE | MPI_MODE_EXCL, NULL, NULL);
    tap_ok(again == MPI_FILE_NULL, "a second exclusive open fails");
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    static char name[NAME_MAX_LENGTH];

    start(&argc, &argv);
    snprintf(name, sizeof(name), "%s", getenv("LATE_PROFILE"));
    profile = name;
    fill(out, BYTES, rank);
    wanted = ranks > OSTS ? OSTS : ranks > 1 ? ranks : plain_stripes();
    for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++)
        for (int more = 0; more < 2; more++)
            test_first(i, more);
    test_kept("the user's striping is kept", "striping_factor", "3", 3);
    test_kept("an existing file's striping is kept", NULL, NULL, 3);
    test_mode();
    return finish();
}
