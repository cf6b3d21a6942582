/* The file system's cache: until it is full, writes are as fast as memory. */

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/burst.h"

#define DRAIN_SECONDS 60.0 /* at most; servers that take longer are not waited for */

enum { STEP = 8 << 20, STEPS = 1 << 16 };

static void fill_path(const cal_files *files, char *path, size_t room)
{
    snprintf(path, room, "%s/fill.data", files->directory);
}

/* The file of which each rank writes its own part; rank 0 makes it.  Local file. */
static int open_fill(MPI_Comm comm, const cal_files *files, int stripes, int *file_p)
{
    char path[PATH_MAX];
    int rank, file = -1, code = 0;

    fill_path(files, path, sizeof(path));
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && access(path, F_OK) != 0) {
        code = files->driver->create(path, stripes, files->stripe_size, &file);
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

/* Each writer writes one step; gives the slowest one's seconds. */
static int write_step(MPI_Comm comm, const cal_files *files, int file, const char *buffer,
                      uint64_t bytes, uint64_t at, int writers, double *seconds_p)
{
    double both[3] = {0}, start;
    int rank;

    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    start = MPI_Wtime();
    if (rank < writers)
        both[1] = files->driver->write(file, buffer, bytes, at + bytes * (uint64_t) rank);
    both[0] = MPI_Wtime() - start;
    both[2] = sample_signal() != 0;
    MPI_Allreduce(MPI_IN_PLACE, both, 3, MPI_DOUBLE, MPI_MAX, comm);
    *seconds_p = both[0];
    return both[2] > 0 ? CAL_SIGNAL : (int) both[1];
}

/* Removes the file, so that the next one has its own stripes. */
static void remove_fill(const cal_world *world, const cal_files *files)
{
    char path[PATH_MAX];

    MPI_Barrier(world->comm);
    fill_path(files, path, sizeof(path));
    if (world->rank == 0)
        unlink(path);
    MPI_Barrier(world->comm);
}

/* Writes until it has been slow for as long as it was not, or until time or room ends; *count_p
 * steps. */
static int write_burst(const cal_world *world, const cal_files *files, const cal_burst *how,
                       int file, const char *buffer, double *steps, int *count_p)
{
    uint64_t round = how->step * (uint64_t) how->writers, at = 0;
    double spent = 0;
    int code = 0, count = 0, enough = INT_MAX;

    for (; code == 0 && count < enough && count < STEPS && spent < how->seconds &&
           at + round <= how->room;
         at += round) {
        code = write_step(world->comm, files, file, buffer, how->step, at, how->writers,
                          &steps[count]);
        spent += steps[count++];
        if (enough == INT_MAX && burst_is_slow(steps, count))
            enough = burst_enough(steps, count);
    }
    *count_p = count;
    return code;
}

/* What steps show; nothing if they never became slow. */
static cal_cache judge_burst(const double *steps, int count, double round)
{
    cal_cache none = {0};
    burst found;

    if (!burst_is_slow(steps, count) || !burst_split(steps, count, round, &found) ||
        found.capacity < 1)
        return none;
    burst_fit(steps, count, round, &found);
    return (cal_cache){
        .bytes = floor(found.capacity), .knee = found.knee, .rate = round / found.full};
}

int cache_measure(const cal_world *world, cal_files *files, const cal_burst *how,
                  cal_cache *cache_p)
{
    char *buffer = malloc(how->step);
    double *steps = malloc(STEPS * sizeof(*steps));
    int file = -1, count = 0;
    int code = world_agree(world->comm, buffer == NULL || steps == NULL ? ENOMEM : 0);

    if (code == 0) {
        memset(buffer, 1, how->step);
        code = open_fill(world->comm, files, how->stripes, &file);
    }
    if (code == 0)
        code = write_burst(world, files, how, file, buffer, steps, &count);
    if (code == 0)
        *cache_p = judge_burst(steps, count, (double) how->step * how->writers);
    if (file >= 0)
        close(file);
    remove_fill(world, files);
    free(buffer);
    free(steps);
    return code;
}

/* What remains after the clients' caches were flushed drains with time. */
int cache_drain(MPI_Comm comm, cal_files *files)
{
    int directory = open(files->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;
    double left;

    if (directory >= 0 && syncfs(directory) != 0 && errno != ENOSYS)
        code = errno;
    if (directory >= 0)
        close(directory);
    code = world_agree(comm, code);
    left = files->level - files->rate * (MPI_Wtime() - files->level_at);
    MPI_Bcast(&left, 1, MPI_DOUBLE, 0, comm); /* clocks differ */
    if (code == 0 && left > 0 && files->rate > 0)
        usleep((useconds_t) (1e6 * fmin(left / files->rate, fmin(DRAIN_SECONDS, files->longest))));
    files->level = 0;
    return code;
}

int cache_fill(MPI_Comm comm, cal_files *files, char *buffer, size_t bytes)
{
    double now = MPI_Wtime(), target = 2.0 * (double) files->cache, seconds, start = now;
    uint64_t written = 0, step = bytes < STEP ? bytes : STEP;
    int ranks, file, code = open_fill(comm, files, 1, &file);

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
        code = write_step(comm, files, file, buffer, step, files->filled, ranks, &seconds);
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
