/* The file system's cache: until it is full, writes are as fast as memory. */

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/stats.h"

enum { STEP = 8 << 20, FAST = 8, SLOW = 4, STEPS = 1 << 16 };

static void fill_path(const cal_files *files, char *path, size_t room)
{
    snprintf(path, room, "%s/fill.data", files->directory);
}

/* The file of which each rank writes its own part; rank 0 makes it.  Local file. */
static int open_fill(MPI_Comm comm, const cal_files *files, int *file_p)
{
    char path[PATH_MAX];
    int rank, file = -1, code = 0;

    fill_path(files, path, sizeof(path));
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && access(path, F_OK) != 0) {
        code = files->driver->create(path, 1, files->stripe_size, &file);
        if (code == 0)
            close(file);
    }
    code = world_agree(comm, code);
    if (code != 0)
        return code;
    file = open(path, O_RDWR | O_CLOEXEC);
    code = world_agree(comm, file < 0 ? errno : 0);
    if (code == 0)
        *file_p = file;
    else if (file >= 0)
        close(file);
    return code;
}

/* Each rank writes one step; gives the slowest rank's seconds. */
static int write_step(MPI_Comm comm, const cal_files *files, int file, const char *buffer,
                      uint64_t bytes, uint64_t at, double *seconds_p)
{
    double both[3], start;
    int rank;

    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    start = MPI_Wtime();
    both[1] = files->driver->write(file, buffer, bytes, at + bytes * (uint64_t) rank);
    both[0] = MPI_Wtime() - start;
    both[2] = sample_signal() != 0;
    MPI_Allreduce(MPI_IN_PLACE, both, 3, MPI_DOUBLE, MPI_MAX, comm);
    *seconds_p = both[0];
    return both[2] > 0 ? CAL_SIGNAL : (int) both[1];
}

/* The last steps take twice as long as the first ones did. */
static bool slowed_down(const double *seconds, int count)
{
    return count >= FAST + SLOW &&
           stats_median(seconds + count - SLOW, SLOW) > 2 * stats_median(seconds, FAST);
}

int cache_measure(const cal_world *world, cal_files *files, double seconds, uint64_t room,
                  uint64_t *cache_p, double *rate_p)
{
    char *buffer = malloc(STEP), path[PATH_MAX];
    double *steps = malloc(STEPS * sizeof(*steps)), spent = 0;
    uint64_t round = (uint64_t) STEP * (uint64_t) world->ranks, at = 0;
    int file = -1, count = 0;
    int code = world_agree(world->comm, buffer == NULL || steps == NULL ? ENOMEM : 0);

    *cache_p = 0;
    if (code == 0) {
        memset(buffer, 1, STEP);
        code = open_fill(world->comm, files, &file);
    }
    for (; code == 0 && count < STEPS && spent < seconds && at + round <= room; at += round) {
        code = write_step(world->comm, files, file, buffer, STEP, at, &steps[count]);
        spent += steps[count++];
        if (code == 0 && slowed_down(steps, count)) {
            *cache_p = at + round;
            *rate_p = (double) round / stats_median(steps + count - SLOW, SLOW);
            break;
        }
    }
    if (file >= 0)
        close(file);
    MPI_Barrier(world->comm);
    fill_path(files, path, sizeof(path));
    if (world->rank == 0)
        unlink(path);
    free(buffer);
    free(steps);
    return code;
}

int cache_fill(MPI_Comm comm, cal_files *files, char *buffer, size_t bytes)
{
    double now = MPI_Wtime(), target = 2.0 * (double) files->cache, seconds, start = now;
    uint64_t written = 0, step = bytes < STEP ? bytes : STEP;
    int ranks, file, code = open_fill(comm, files, &file);

    if (code != 0)
        return code;
    MPI_Comm_size(comm, &ranks);
    files->level -= files->rate * (now - files->level_at);
    if (files->level < 0)
        files->level = 0;
    MPI_Bcast(&files->level, 1, MPI_DOUBLE, 0, comm); /* clocks differ */
    while (code == 0 && files->level < target) {
        uint64_t round = step * (uint64_t) ranks;

        if (files->filled + round > 2 * files->cache + round)
            files->filled = 0;
        code = write_step(comm, files, file, buffer, step, files->filled, &seconds);
        files->filled += round;
        files->level += (double) round;
        written += round;
    }
    files->level_at = MPI_Wtime();
    if (files->rate == 0 && written > 0)
        files->rate = (double) written / (files->level_at - start);
    close(file);
    return code;
}
