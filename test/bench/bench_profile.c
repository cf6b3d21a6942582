/*
 * How long a profile of about 1 MB takes to load: a knn for every operation,
 * numbers of 17 digits.
 *
 *     bench_profile [loads]
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/profile.h"
#include "formats/formats.h"

enum { POINTS = 500 };

static uint64_t state = 88172645463325252u;

static double next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double) (state >> 11) / 9007199254740992.0;
}

static void put_knn(atm_value *surrogate)
{
    static const char *const columns[] = {"min", "max", NULL};
    static double points[POINTS * ATM_FEATURE_COUNT], outputs[POINTS];
    atm_value *features, *parameters, *range;

    for (int i = 0; i < POINTS * ATM_FEATURE_COUNT; i++)
        points[i] = next_random();
    for (int i = 0; i < POINTS; i++)
        outputs[i] = next_random();
    atm_put_string(surrogate, "model", "knn");
    features = atm_put_array(surrogate, "features");
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        atm_put_string(features, NULL, atm_feature_name(i));
    for (int side = 0; columns[side]; side++) {
        range = atm_put_array(surrogate, columns[side]);
        for (int i = 0; i < ATM_FEATURE_COUNT; i++)
            atm_put_number(range, NULL, side);
    }
    atm_put_number(surrogate, "error", 0.1);
    parameters = atm_put_object(surrogate, "parameters");
    atm_put_integer(parameters, "neighbours", 5);
    atm_put_matrix(parameters, "points", points, POINTS, ATM_FEATURE_COUNT);
    atm_put_numbers(parameters, "outputs", outputs, POINTS);
}

static atm_status write_profile(const char *path)
{
    atm_value *root = atm_value_object(), *operations;
    atm_message message = {""};
    atm_status status;

    atm_put_string(root, "format", ATM_PROFILE_FORMAT);
    atm_put_integer(root, "version", ATM_PROFILE_VERSION);
    atm_put_object(root, "machine");
    operations = atm_put_object(root, "operations");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        put_knn(atm_put_object(operations, atm_operation_name(i)));
    status = atm_value_write(root, path, &message);
    if (status)
        fprintf(stderr, "%s\n", message.text);
    atm_value_destroy(root);
    return status;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static double load(const char *path)
{
    struct timespec start, stop;
    atm_profile *profile;
    atm_message message;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    if (atm_profile_load(path, &message, &profile)) {
        fprintf(stderr, "%s\n", message.text);
        exit(1);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &stop);
    atm_profile_destroy(profile);
    return (double) (stop.tv_sec - start.tv_sec) * 1e3 +
           (double) (stop.tv_nsec - start.tv_nsec) / 1e6;
}

int main(int argc, char **argv)
{
    int loads = argc > 1 ? atoi(argv[1]) : 21;
    char path[] = "/tmp/bench_profile.XXXXXX";
    double *times = calloc((size_t) (loads > 0 ? loads : 1), sizeof(*times));
    int file = mkstemp(path);
    struct stat info;

    if (loads < 1 || file < 0 || !times || write_profile(path))
        return 1;
    close(file);
    for (int i = 0; i < loads; i++)
        times[i] = load(path);
    qsort(times, (size_t) loads, sizeof(*times), compare);
    if (stat(path, &info) == 0)
        printf("profile load: %lld bytes, fastest %.2f ms of CPU, median %.2f ms, %d loads\n",
               (long long) info.st_size, times[0], times[loads / 2], loads);
    unlink(path);
    free(times);
    return 0;
}
