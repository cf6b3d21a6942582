/*
 * Processor time of one choice, at most 1 ms for 500 candidates: with the built-in profile
 * and with one as large as the paper's calibration makes it (support vectors for
 * all 1044 points of an exchange, 270 neighbours for rounds).
 *
 *     bench_choose           milliseconds
 *     bench_choose 1         one choice of each, for callgrind:
 *         valgrind --tool=callgrind --toggle-collect=atm_choose bench_choose 1
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "choose/choose.h"
#include "formats/formats.h"

#define MIB (UINT64_C(1) << 20)

static uint64_t state = 88172645463325252u;

static double unit(void)
{
    state ^= state << 13; /* xorshift64 */
    state ^= state >> 7;
    state ^= state << 17;
    return (double) (state >> 11) * 0x1p-53;
}

static void put_randoms(atm_value *object, const char *key, int rows, int columns)
{
    atm_value *array = atm_put_array(object, key);

    for (int i = 0; i < rows; i++) {
        atm_value *row = columns > 1 ? atm_put_array(array, NULL) : array;

        for (int k = 0; k < columns; k++)
            atm_put_number(row, NULL, 4 * unit() - 2);
    }
}

/* Five features, logarithms of all, random points. */
static void put_surrogate(atm_value *operations, const char *name, const char *model, int points)
{
    static const double min[] = {1, 1, 1, 1, 1}, max[] = {1e6, 1e4, 1e8, 1e8, 1e15};
    static const double zero[] = {0, 0, 0, 0, 0}, scale[] = {4, 3, 5, 5, 8};
    atm_value *object = atm_put_object(operations, name), *part;

    atm_put_string(object, "model", model);
    part = atm_put_array(object, "features");
    for (int i = 0; i < 5; i++)
        atm_put_string(part, NULL, atm_feature_name((atm_feature) i));
    atm_put_numbers(object, "min", min, 5);
    atm_put_numbers(object, "max", max, 5);
    atm_put_number(object, "error", 0.1);
    part = atm_put_object(object, "pipeline");
    atm_put_numbers(part, "box_cox", zero, 5);
    atm_put_numbers(part, "scale", scale, 5);
    atm_put_string(part, "target", "log");
    part = atm_put_object(object, "parameters");
    if (strcmp(model, "svr") == 0) {
        atm_put_number(part, "gamma", 0.3);
        atm_put_number(part, "bias", -5);
        put_randoms(part, "vectors", points, 5);
        put_randoms(part, "alphas", points, 1);
    } else {
        atm_put_integer(part, "neighbours", 5);
        put_randoms(part, "points", points, 5);
        put_randoms(part, "outputs", points, 1);
    }
}

static atm_profile *large_profile(void)
{
    static const char *const rounds[] = {"write_first", "write_partial", "read_first",
                                         "read_partial"};
    atm_value *root = atm_value_object(), *operations;
    atm_profile *profile = NULL;
    size_t length;
    char *text;

    atm_put_string(root, "format", ATM_PROFILE_FORMAT);
    atm_put_integer(root, "version", ATM_PROFILE_VERSION);
    atm_put_object(root, "machine");
    operations = atm_put_object(root, "operations");
    put_surrogate(operations, "exchange", "svr", 1044);
    put_surrogate(operations, "alltoall", "svr", 51);
    for (int i = 0; i < 4; i++)
        put_surrogate(operations, rounds[i], "knn", 270);
    put_surrogate(operations, "write_full", "knn", 27);
    put_surrogate(operations, "read_full", "knn", 27);
    if (atm_value_print(root, &text, &length) == ATM_OK) {
        atm_message message = {""};

        if (atm_profile_parse(text, length, "large", &message, &profile) != ATM_OK)
            fprintf(stderr, "%s\n", message.text);
        free(text);
    }
    atm_value_destroy(root);
    return profile;
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

static atm_request make_request(atm_driver driver, const atm_profile *profile)
{
    uint64_t bytes = 64 * MIB, ranks = 8192;
    atm_request request = {.driver = driver,
                           .job = {.ranks = (int) ranks, .nodes = 512},
                           .access = {.write = true,
                                      .strided = true,
                                      .interleaved = true,
                                      .new_file = true,
                                      .active_ranks = (int) ranks,
                                      .bytes_min = bytes,
                                      .bytes_max = bytes,
                                      .bytes = bytes * ranks,
                                      .end = bytes * ranks - 1,
                                      .block = MIB,
                                      .stride = MIB * ranks},
                           .new_layout = true,
                           .memory = UINT64_C(8) << 30,
                           .psets = 16,
                           .bridges = 32,
                           .nics = 4};

    request.defaults = atm_default_config(driver, &request.job, profile);
    return request;
}

/* Best of all repeats; negative when it fails. */
static double measure(const atm_request *request, const atm_profile *profile, int repeats,
                      int *count_p)
{
    double best = -1;

    for (int i = 0; i < repeats; i++) {
        atm_choice *choice;
        double start = now_ms(), taken;

        if (atm_choose(request, profile, &choice) != ATM_OK)
            return -1;
        taken = now_ms() - start;
        best = best < 0 || taken < best ? taken : best;
        *count_p = choice->count;
        atm_choice_destroy(choice);
    }
    return best;
}

static bool bench(const char *name, atm_driver driver, bool strided, const atm_profile *profile,
                  int repeats)
{
    atm_request request = make_request(driver, profile);
    double best, whole;
    int count = 0;

    if (!strided) {
        request.access.strided = request.access.interleaved = false;
        request.access.block = request.access.bytes_max;
        request.access.stride = 0;
    }
    best = measure(&request, profile, repeats, &count);
    request.whole = true;
    whole = measure(&request, profile, repeats, &count);
    printf("choice %-8s %-6s %-10s %4d candidates %7.3f ms (at most 1), "
           "all to the end %7.3f ms\n",
           name, atm_driver_name(driver), strided ? "strided" : "contiguous", count, best, whole);
    return best >= 0 && best <= 1;
}

int main(int argc, char **argv)
{
    int repeats = argc > 1 ? atoi(argv[1]) : 50;
    atm_profile *profiles[] = {NULL, large_profile()};
    static const char *const names[] = {"built-in", "large"};
    bool good = true;

    if (profiles[1] == NULL || atm_profile_generic(NULL, &profiles[0]) != ATM_OK)
        return 1;
    for (int i = 0; i < 2; i++) {
        profiles[i]->machine.servers = 1000;
        for (int driver = 0; driver < ATM_DRIVER_COUNT; driver++)
            for (int strided = 0; strided < 2; strided++)
                good = bench(names[i], (atm_driver) driver, strided, profiles[i], repeats) && good;
        atm_profile_destroy(profiles[i]);
    }
    return good ? 0 : 1;
}
