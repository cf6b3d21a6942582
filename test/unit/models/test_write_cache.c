/* Write caches: the closed form against a cache that is followed in small steps. */

#include "choose_help.h"

#include <math.h>

#include "common/rng.h"

/* Seconds of the rounds, and the level, as it is in every small part of a round. */
static double step_by_step(double capacity, double knee, const atm_cached_rounds *rounds,
                           double *level)
{
    const int parts = 20000;
    double full = fmax(rounds->absorbed, rounds->bytes / rounds->drain - rounds->between);
    double seconds = 0;

    for (int i = 0; i < parts; i++) {
        double share = rounds->count / parts, bytes = share * rounds->bytes;
        double slow = knee > 0 ? fmin(1, fmax(0, 1 - (capacity - *level) / knee)) : 0;
        double absorbed = share * (rounds->absorbed + slow * (full - rounds->absorbed));
        double between = share * rounds->between;
        double after = *level + bytes - rounds->drain * (absorbed + between);

        seconds += absorbed;
        if (after > capacity) { /* waits until the rest has left */
            seconds += (after - capacity) / rounds->drain;
            after = capacity;
        }
        *level = after > 0 ? after : 0;
    }
    return seconds;
}

static void as_step_by_step(void **state)
{
    uint64_t random = 7;

    (void) state;
    for (int i = 0; i < 300; i++) {
        double drawn[8];

        for (int k = 0; k < 8; k++)
            drawn[k] = rng_unit(&random);
        double capacity = 1e9 * drawn[0], start = capacity * drawn[1];
        atm_cached_rounds rounds = {.count = 1 + floor(50 * drawn[2]),
                                    .bytes = 1e8 * drawn[3] + 1,
                                    .absorbed = drawn[4] + 1e-3,
                                    .drain = 3e8 * drawn[5] + 1,
                                    .between = drawn[6]};
        double level[2] = {start, start}, knee = i % 2 == 0 ? 0 : capacity * drawn[7];
        double closed = atm_write_cache_follow(capacity, knee, &rounds, &level[0]);
        double expected = step_by_step(capacity, knee, &rounds, &level[1]);

        assert_float_equal(closed / expected, 1, 1e-3);
        assert_float_equal(level[0] / (capacity + 1), level[1] / (capacity + 1), 1e-3);
    }
}

/* 10 rounds of 100 bytes into 500, from which 50 leave in the second of a round. */
static void by_hand(void **state)
{
    atm_cached_rounds rounds = {.count = 10, .bytes = 100, .absorbed = 1, .drain = 50};
    double level = 0;

    (void) state;
    assert_true(atm_write_cache_follow(500, 0, &rounds, &level) == 10);
    assert_true(level == 500);
    /* full from the start: 100 bytes leave in two seconds */
    assert_true(atm_write_cache_follow(500, 0, &rounds, &level) == 20);
    assert_true(level == 500);
    /* a second of other things before each round: half of it has left then */
    rounds.between = 1;
    assert_true(atm_write_cache_follow(500, 0, &rounds, &level) == 10);
    rounds.between = 3;
    assert_true(atm_write_cache_follow(500, 0, &rounds, &level) == 10);
    assert_true(level == 0);
}

/* More than it can hold is as good as full. */
static void above_the_brim(void **state)
{
    atm_cached_rounds rounds = {.count = 1, .bytes = 100, .absorbed = 1, .drain = 50};
    double level = 1e6;

    (void) state;
    assert_true(atm_write_cache_follow(500, 0, &rounds, &level) == 2);
    assert_true(level == 500);
    level = 0;
    assert_true(atm_write_cache_follow(0, 0, &rounds, &level) == 2);
    assert_true(level == 0);
}

/* The last rounds into a full cache take what they take without a knee; in two parts, all take as
 * long as at once. */
static void knee(void **state)
{
    atm_cached_rounds rounds = {.count = 200, .bytes = 100, .absorbed = 0.1, .drain = 50};
    double level[3] = {0}, sharp = atm_write_cache_follow(500, 0, &rounds, &level[0]);
    double soft = atm_write_cache_follow(500, 200, &rounds, &level[1]), halves;

    (void) state;
    assert_float_equal(soft, sharp, 1e-9);
    assert_float_equal(level[1], 500, 1e-9);
    rounds.count = 5;
    level[0] = level[1] = 0;
    sharp = atm_write_cache_follow(500, 0, &rounds, &level[0]);
    soft = atm_write_cache_follow(500, 200, &rounds, &level[1]);
    assert_true(sharp == 0.5 && soft > 1.5 * sharp && level[1] < level[0]);
    rounds.count = 2.5;
    halves = atm_write_cache_follow(500, 200, &rounds, &level[2]);
    halves += atm_write_cache_follow(500, 200, &rounds, &level[2]);
    assert_float_equal(halves, soft, 1e-9);
    assert_float_equal(level[2], level[1], 1e-9);
}

#define SURROGATE(seconds)                                                                         \
    "{\"model\": \"const\", \"features\": [\"bytes\"], \"min\": [0], \"max\": [1000],"             \
    " \"beyond\": [\"constant\"], \"error\": 0.5, \"parameters\": {\"output\": " seconds "}}"
#define HEAD                                                                                       \
    "{\"format\": \"romio-autotune-profile\", \"version\": 1, \"machine\": {},"                    \
    " \"operations\": {\"write_first\": " SURROGATE("3") ", \"write_full\": " SURROGATE("1")
#define DRAINED ", \"write_drained\": " SURROGATE("2")
#define CACHE_WITH(more)                                                                           \
    ", \"write_cache\": {\"bytes\": 250, \"nodes\": 1, \"writers\": 0, \"round\": 0, "             \
    "\"servers\": 0,"                                                                              \
    " \"error\": 0.1" more "}"
#define CACHE CACHE_WITH("")

static atm_cost_item write_of(atm_operation operation, double count)
{
    return (atm_cost_item){
        .operation = operation,
        .part = ATM_STORAGE,
        .count = count,
        .features = {[ATM_NODES] = 2, [ATM_RECEIVERS] = 1, [ATM_BYTES] = 100, [ATM_STRIPES] = 1},
        .moved = 100};
}

/* 500 bytes of cache.  The first round leaves none behind: 3 seconds of 50 bytes each are
 * more than its 100.  Each later one leaves 50, so that 10 of 14 find room; the last four
 * take two seconds each. */
static void predicted(void **state)
{
    atm_profile *profile = profile_of(HEAD DRAINED "}" CACHE "}");
    atm_counts counts = {.items = {write_of(ATM_WRITE_FULL, 14), write_of(ATM_WRITE_FIRST, 1)},
                         .item_count = 2};
    atm_cost_item swap = counts.items[0];
    atm_prediction prediction;
    double first = 3 * 0.5, absorbed, full, capacity = 50 / 50.0 * (2 - 1);

    (void) state;
    counts.items[0] = counts.items[1];
    counts.items[1] = swap;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_float_equal(prediction.seconds, 3 + 10 + 4 * 2, 1e-12);
    assert_float_equal(prediction.dirty, 500, 1e-9);
    assert_float_equal(prediction.drain, 50, 1e-9);
    /* rounds of 1.5 s leave 25 each: all find room; with 3 s in the full state 67 */
    absorbed = 14 * 1.5 - 18;
    full = (500 / (100 - 100 / 3.0)) + (14 - 500 / (100 - 100 / 3.0)) * 3 - 18;
    assert_float_equal(prediction.uncertainty * prediction.seconds,
                       sqrt(first * first + absorbed * absorbed + full * full +
                            capacity * capacity + pow(0.03 * 21, 2)),
                       1e-9);
    counts.dirty = 500;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_float_equal(prediction.seconds, 3 + 1 * 1 + 13 * 2, 1e-9);
    atm_profile_destroy(profile);
}

/* Old profiles cost what they did. */
static void without_a_cache(void **state)
{
    atm_profile *profile = profile_of(HEAD "}}");
    atm_counts counts = {.items = {write_of(ATM_WRITE_FIRST, 1), write_of(ATM_WRITE_FULL, 14)},
                         .item_count = 2,
                         .dirty = 500};
    atm_prediction prediction;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_true(prediction.seconds == 3 + 14);
    assert_true(prediction.drain == 0);
    assert_null(strstr(profile->note, "write_drained"));
    atm_profile_destroy(profile);
}

static void refused(void **state)
{
    const char *const text = HEAD "}" CACHE "}";
    const char *const wide = HEAD DRAINED "}" CACHE_WITH(", \"knee\": 1.5") "}";
    atm_profile *profile = NULL;
    atm_message message;

    (void) state;
    assert_int_equal(atm_profile_parse(text, strlen(text), "p", &message, &profile), ATM_BAD_FILE);
    assert_string_equal(message.text, "p: write_cache: needs write_drained among the operations");
    assert_int_equal(atm_profile_parse(wide, strlen(wide), "p", &message, &profile), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "p: write_cache.knee: "));
}

/* As predicted() has it; the knee holds up the last of those that find room. */
static void predicted_with_knee(void **state)
{
    atm_profile *sharp = profile_of(HEAD DRAINED "}" CACHE "}");
    atm_profile *soft = profile_of(HEAD DRAINED "}" CACHE_WITH(", \"knee\": 0.4") "}");
    atm_counts counts = {.items = {write_of(ATM_WRITE_FULL, 10)}, .item_count = 1};
    atm_prediction one, other;

    (void) state;
    atm_predict_counts(sharp, &counts, NULL, INFINITY, &one);
    atm_predict_counts(soft, &counts, NULL, INFINITY, &other);
    assert_float_equal(one.seconds, 10, 1e-9);
    assert_float_equal(other.seconds, 10 + 4 / exp(1), 1e-9);
    atm_profile_destroy(sharp);
    atm_profile_destroy(soft);
}

static void printed_and_read(void **state)
{
    atm_profile *profile = profile_of(HEAD DRAINED "}" CACHE_WITH(", \"knee\": 0.4") "}");
    atm_profile *again;
    size_t length;
    char *text;

    (void) state;
    assert_int_equal(atm_profile_print(profile, &text, &length), ATM_OK);
    again = profile_of(text);
    assert_float_equal(
        atm_write_cache_capacity(&again->write_cache, write_of(ATM_WRITE_FULL, 1).features), 500,
        1e-9);
    assert_true(again->write_cache.error == 0.1 && again->write_cache.knee == 0.4);
    free(text);
    atm_profile_destroy(again);
    atm_profile_destroy(profile);
}

/* --- servers at once */

/* ad_gpfs_aggrs.c:386: the first `large` domains have a block more. */
static double one_by_one(int domains, int small, int large, int blocks, int servers)
{
    double load[64] = {0}, sum = 0, most = 0;
    int at = 0;

    for (int i = 0; i < domains; i++) {
        for (int k = 0; k < blocks && k < servers; k++)
            load[(at + k) % servers]++;
        at += small + (i < large);
    }
    for (int i = 0; i < servers; i++) {
        sum += load[i];
        most = fmax(most, load[i]);
    }
    return sum / most;
}

static double servers_of(int domains, int small, int large, int blocks, int servers)
{
    const uint64_t block = 1 << 20;
    atm_job job = {.ranks = domains, .nodes = 1};
    uint64_t bytes = ((uint64_t) domains * (uint64_t) small + (uint64_t) large) * block;
    atm_access access = {.write = true,
                         .active_ranks = 1,
                         .bytes_min = bytes,
                         .bytes_max = bytes,
                         .bytes = bytes,
                         .end = bytes - 1,
                         .block = bytes};
    atm_config config = {.collective = true,
                         .aggregators = domains,
                         .buffer = (uint64_t) blocks * block,
                         .stripe_count = 1,
                         .block = block,
                         .servers = servers};
    atm_counts counts;

    assert_int_equal(atm_count(NULL, ATM_GPFS, &job, &access, &config, &counts), ATM_OK);
    for (int i = 0; i < counts.item_count; i++)
        if (counts.items[i].operation == ATM_WRITE_FULL)
            return counts.items[i].features[ATM_STRIPES];
    return 0;
}

static void servers_as_one_by_one(void **state)
{
    uint64_t random = 11;

    (void) state;
    for (int i = 0; i < 2000; i++) {
        int domains = 2 + (int) (100 * rng_unit(&random));
        int blocks = 1 + (int) (4 * rng_unit(&random));
        int small = blocks * (1 + (int) (60 * rng_unit(&random)));
        int large = (int) (domains * rng_unit(&random));
        int servers = 1 + (int) (63 * rng_unit(&random));

        assert_float_equal(servers_of(domains, small, large, blocks, servers),
                           one_by_one(domains, small, large, blocks, servers), 1e-9);
    }
    assert_float_equal(servers_of(40, 121, 0, 1, 40), 40, 1e-9);
    assert_float_equal(servers_of(40, 128, 0, 1, 40), 5, 1e-9);
    assert_float_equal(servers_of(40, 120, 0, 1, 40), 1, 1e-9);
    /* 256 nodes, 64 MiB for each of 16 ranks, 8 MiB blocks on 40 disks: half of 272 domains
     * start on the same disk */
    assert_float_equal(servers_of(272, 120, 128, 1, 40), 1.85, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_step_by_step),
                                       cmocka_unit_test(by_hand),
                                       cmocka_unit_test(knee),
                                       cmocka_unit_test(predicted_with_knee),
                                       cmocka_unit_test(above_the_brim),
                                       cmocka_unit_test(predicted),
                                       cmocka_unit_test(without_a_cache),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(printed_and_read),
                                       cmocka_unit_test(servers_as_one_by_one)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
