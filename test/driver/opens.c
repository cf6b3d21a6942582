/*
 * Communicators, many opens, and opens that fail on some ranks only: nothing
 * hangs, nothing is left behind.
 */

#include "common.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_fds(void)
{
    DIR *fds = opendir("/proc/self/fd");
    int count = 0;

    if (fds == NULL)
        return -1;
    while (readdir(fds) != NULL)
        count++;
    closedir(fds);
    return count;
}

/* Open, write one byte a rank, close; returns whether all went well. */
static int use_once(MPI_Comm comm, const char *name)
{
    MPI_File fh;
    char byte = 'x';
    int r;

    MPI_Comm_rank(comm, &r);
    return MPI_File_open(comm, name, RDWR_CREATE, MPI_INFO_NULL, &fh) == MPI_SUCCESS &&
           MPI_File_write_at_all(fh, r, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           MPI_File_close(&fh) == MPI_SUCCESS;
}

static void test_communicators(void)
{
    MPI_Comm dup, half, reversed;
    char file[32];

    snprintf(file, sizeof(file), "self.%d", rank);
    tap_ok(use_once(MPI_COMM_SELF, path("autotune:", file)), "MPI_COMM_SELF");
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    tap_ok(use_once(dup, path("autotune:", "dup")), "a duplicate");
    tap_ok(use_once(dup, path("autotune:", "dup")), "a duplicate, again");
    MPI_Comm_free(&dup);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    snprintf(file, sizeof(file), "half.%d", rank % 2);
    tap_ok(use_once(half, path("autotune:", file)), "two halves at the same time");
    MPI_Comm_free(&half);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    tap_ok(use_once(reversed, path("autotune:", "reversed")), "ranks in reverse order");
    MPI_Comm_free(&reversed);
}

/* What an open of comm reports: cb_nodes and the list. */
static void aggregators(MPI_Comm comm, const char *name, MPI_Info info, char *text, size_t size)
{
    MPI_File fh;
    int n = 0;

    text[0] = '\0';
    if (MPI_File_open(comm, name, RDWR_CREATE, info, &fh) != MPI_SUCCESS)
        return;
    n = snprintf(text, size, "%s: ", hint_of(fh, "cb_nodes"));
    snprintf(text + n, size - (size_t) n, "%s", hint_of(fh, "romio_aggregator_list"));
    MPI_File_close(&fh);
}

/* The second open of a communicator learns its aggregators in another way than the
 * first; both have the wrapped driver's where no model can be asked. */
static void test_aggregators_again(void)
{
    static const char *const hints[][2] = {{"romio_autotune_profile", "/not/there"},
                                           {"cb_nodes", "2"},
                                           {"cb_config_list", "*:*"},
                                           {"romio_autotune", "enable"}};
    enum { HINTS = sizeof(hints) / sizeof(hints[0]), ROOM = MPI_MAX_INFO_VAL + 32 };
    static char wrapped[ROOM], first[ROOM], second[ROOM];

    for (int i = 0; i < HINTS; i++) {
        MPI_Info info = one_hint(hints[i][0], hints[i][1]);
        MPI_Comm comm;

        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        aggregators(comm, path("autotune:", "again"), info, first, ROOM);
        aggregators(comm, path("autotune:", "again"), info, second, ROOM);
        tap_ok(first[0] != '\0' && strcmp(first, second) == 0, "%s=%s: the same aggregators again",
               hints[i][0], hints[i][1]);
        aggregators(comm, path(direct(), "again"), info, wrapped, ROOM);
        if (i == 0)
            tap_ok(strcmp(wrapped, second) == 0, "and without a profile, the wrapped driver's");
        MPI_Comm_free(&comm);
        MPI_Info_free(&info);
    }
}

/* Answers of the model are kept for requests that come again: more requests than are kept, in
 * either order, get what each got first. */
static void test_requests_again(void)
{
    enum { CAPS = 6, PASSES = 3, ROOM = 2 * MPI_MAX_INFO_VAL };
    static char first[CAPS][ROOM], text[ROOM];
    int same = 1, differ = 0;

    for (int i = 0; i < CAPS * PASSES; i++) {
        int pass = i / CAPS, cap = pass == 1 ? CAPS - 1 - i % CAPS : i % CAPS;
        char value[32];
        MPI_Info info;
        MPI_File fh;

        snprintf(value, sizeof(value), "%d", 65536 << cap);
        info = one_hint("romio_autotune_memory", value);
        MPI_Info_set(info, "romio_autotune", "enable");
        if (MPI_File_open(MPI_COMM_WORLD, path("autotune:", "asked"), RDWR_CREATE, info, &fh) !=
            MPI_SUCCESS)
            same = 0;
        MPI_Info_free(&info);
        snprintf(text, ROOM, "%s x ", hint_of(fh, "cb_nodes"));
        snprintf(text + strlen(text), ROOM - strlen(text), "%s ", hint_of(fh, "cb_buffer_size"));
        snprintf(text + strlen(text), ROOM - strlen(text), "%s",
                 hint_of(fh, "romio_autotune_status"));
        MPI_File_close(&fh);
        if (pass == 0)
            memcpy(first[cap], text, ROOM);
        same = same && strcmp(first[cap], text) == 0;
        differ += strcmp(first[0], text) != 0;
    }
    tap_ok(same, "the same request, the same decision");
    tap_ok(ranks == 1 || differ > 0, "another request, another decision");
}

static int open_and_close(const char *name)
{
    MPI_File fh;

    return MPI_File_open(MPI_COMM_WORLD, name, RDWR_CREATE, MPI_INFO_NULL, &fh) == MPI_SUCCESS &&
           MPI_File_close(&fh) == MPI_SUCCESS;
}

/* 1,000 opens and closes leave no file descriptor and no memory.  MPI's pools
 * grow now and then, so a leak is what shows in each of ten parts. */
static void test_thousand_opens(void)
{
    enum { PARTS = 10, OPENS = 100 };
    int well = 1, fds = 0;
    long least = 0;

    for (int part = 0; part < PARTS; part++) {
        size_t before = mallinfo2().uordblks;
        long growth;

        for (int i = 0; i < OPENS; i++)
            well = open_and_close(path("autotune:", "many")) && well;
        growth = (long) mallinfo2().uordblks - (long) before;
        least = part == 0 || growth < least ? growth : least;
        fds = part == 0 ? open_fds() : fds;
    }
    tap_ok(well, "%d opens and closes", PARTS * OPENS);
    tap_ok(open_fds() == fds, "no file descriptor is left");
    tap_ok(least < OPENS, "no memory is left");
}

static void test_many_at_once(void)
{
    enum { FILES = 40 };
    MPI_File files[FILES];
    MPI_Info info = one_hint("cb_buffer_size", "4096");
    int opened = 0, right = 1, value;
    char file[32];

    for (int i = 0; i < FILES; i++) {
        snprintf(file, sizeof(file), "open.%d", i);
        opened += MPI_File_open(MPI_COMM_WORLD, path("autotune:", file), RDWR_CREATE, info,
                                &files[i]) == MPI_SUCCESS;
    }
    MPI_Info_free(&info);
    if (!tap_ok(opened == FILES, "%d files open at once", FILES))
        return;
    for (int i = 0; i < FILES; i++) {
        value = i * 1000 + rank;
        MPI_File_write_at_all(files[i], rank * (MPI_Offset) sizeof(value), &value, 1, MPI_INT,
                              MPI_STATUS_IGNORE);
    }
    for (int i = FILES - 1; i >= 0; i--) {
        MPI_File_read_at_all(files[i], rank * (MPI_Offset) sizeof(value), &value, 1, MPI_INT,
                             MPI_STATUS_IGNORE);
        right = right && value == i * 1000 + rank;
        MPI_File_close(&files[i]);
    }
    tap_ok(right, "each holds what was written to it");
}

/* All descriptors of this rank used up, so that its next open() fails. */
static int exhaust_fds(int *fds, int max)
{
    int count = 0;

    while (count < max && (fds[count] = open("/dev/null", O_RDONLY)) >= 0)
        count++;
    return count;
}

/* An open that fails on the last rank only: all ranks get an error, as with
 * the wrapped driver, and the next open works. */
static void test_failure_on_one_rank(void)
{
    enum { LIMIT = 128 };
    static int fds[LIMIT];
    struct rlimit limit;
    MPI_File fh;
    int count = 0, ours, theirs;

    if (ranks == 1)
        return;
    use_once(MPI_COMM_WORLD, path("autotune:", "some"));
    if (rank == ranks - 1) {
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = LIMIT;
        setrlimit(RLIMIT_NOFILE, &limit);
        count = exhaust_fds(fds, LIMIT);
    }
    ours = open_class(MPI_COMM_WORLD, path("autotune:", "some"), MPI_MODE_RDWR, &fh);
    theirs = open_class(MPI_COMM_WORLD, path(direct(), "some"), MPI_MODE_RDWR, &fh);
    while (count > 0)
        close(fds[--count]);
    tap_ok(ours != MPI_SUCCESS, "a failure on one rank is an error on all");
    tap_ok(ours == theirs, "of the wrapped driver's class");
    tap_ok(use_once(MPI_COMM_WORLD, path("autotune:", "some")), "and the next open works");
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    test_communicators();
    test_aggregators_again();
    test_requests_again();
    test_many_at_once();
    test_failure_on_one_rank();
    test_thousand_opens();
    return finish();
}
