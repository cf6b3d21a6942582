/* Profiles: samples good and bad, what completes them, round trips, damage. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/profile.h"

/* --- samples */

static void sample_path(const char *name, size_t size, char *path_p)
{
    const char *top = getenv("top_srcdir");

    snprintf(path_p, size, "%s/test/unit/models/data/profiles/%s", top ? top : ".", name);
}

/* The caller frees it. */
static char *read_sample(const char *name, size_t *length_p)
{
    enum { ROOM = 1 << 16 };
    char path[1024], *text = malloc(ROOM);
    FILE *file;

    sample_path(name, sizeof(path), path);
    file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    *length_p = fread(text, 1, ROOM, file);
    fclose(file);
    return text;
}

static atm_profile *load_sample(const char *name)
{
    atm_profile *profile = NULL;
    atm_message message;
    char path[1024];

    sample_path(name, sizeof(path), path);
    if (atm_profile_load(path, &message, &profile))
        fail_msg("%s", message.text);
    assert_string_equal(profile->source, path);
    return profile;
}

/* Every line of messages.txt is the message for the file it starts with. */
static void bad_samples(void **state)
{
    char messages[1024], line[512], name[512];
    int count = 0;
    FILE *file;

    (void) state;
    sample_path("bad/messages.txt", sizeof(messages), messages);
    file = fopen(messages, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        atm_profile *profile = NULL;
        atm_message message = {"it was accepted"};
        size_t length;
        char *text;

        line[strcspn(line, "\n")] = 0;
        snprintf(name, sizeof(name), "bad/%.*s", (int) strcspn(line, ":"), line);
        text = read_sample(name, &length);
        atm_profile_parse(text, length, name + 4, &message, &profile);
        assert_string_equal(message.text, line);
        assert_null(profile);
        free(text);
        count++;
    }
    fclose(file);
    assert_true(count >= 40);
}

/* --- what is in a profile */

static void facts_and_defaults(void **state)
{
    atm_profile *profile = load_sample("good/models.json"), *generic;

    (void) state;
    assert_int_equal(atm_profile_generic(NULL, &generic), ATM_OK);
    assert_string_equal(profile->machine.name, "Gr\u00fcnwald");
    assert_string_equal(profile->machine.mpi, "MPICH 4.0.2");
    assert_string_equal(profile->machine.network, "");
    assert_int_equal(profile->machine.nodes, 512);
    assert_int_equal(profile->machine.block, 8388608);
    assert_int_equal(profile->machine.cores, 0);
    assert_int_equal(profile->defaults.access_size, 1048576);
    assert_int_equal(profile->defaults.memory, generic->defaults.memory);
    assert_string_equal(atm_surrogate_model(profile->operations[ATM_ALLTOALL]), "knn");
    atm_profile_destroy(profile);
    atm_profile_destroy(generic);
    atm_profile_destroy(NULL);
}

static void missing_operations_are_generic(void **state)
{
    atm_profile *profile = load_sample("good/models.json");

    (void) state;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        assert_non_null(profile->operations[i]);
    assert_false(profile->generic[ATM_ALLREDUCE]);
    assert_true(profile->generic[ATM_BCAST]);
    assert_string_equal(profile->note,
                        "taken from the built-in profile: bcast, write_partial, read_first, "
                        "read_partial, write_independent, read_independent");
    atm_profile_destroy(profile);
}

/* --- round trips */

/* Estimates for a grid of queries, inside and outside of any range */
static void expect_same_estimates(const atm_profile *a, const atm_profile *b)
{
    for (int operation = 0; operation < ATM_OPERATION_COUNT; operation++) {
        for (int query = 0; query < 2187; query++) {
            double features[ATM_FEATURE_COUNT];
            atm_estimate ea, eb;

            for (int i = 0, rest = query; i < ATM_FEATURE_COUNT; i++, rest /= 3)
                features[i] = (const double[]){1, 37, 5e6}[rest % 3];
            atm_surrogate_predict(a->operations[operation], features, &ea);
            atm_surrogate_predict(b->operations[operation], features, &eb);
            assert_true(ea.seconds == eb.seconds && ea.uncertainty == eb.uncertainty &&
                        ea.outside == eb.outside);
        }
    }
}

static void expect_round_trip(const atm_profile *profile)
{
    atm_profile *again;
    size_t length, length_again;
    char *text, *text_again;
    atm_message message = {""};

    assert_int_equal(atm_profile_print(profile, &text, &length), ATM_OK);
    if (atm_profile_parse(text, length, "again", &message, &again))
        fail_msg("%s", message.text);
    expect_same_estimates(profile, again);
    assert_string_equal(profile->note, again->note);
    assert_memory_equal(profile->generic, again->generic, sizeof(profile->generic));
    assert_memory_equal(&profile->defaults, &again->defaults, sizeof(profile->defaults));
    assert_int_equal(atm_profile_print(again, &text_again, &length_again), ATM_OK);
    assert_string_equal(text, text_again);
    atm_profile_destroy(again);
    free(text);
    free(text_again);
}

static void round_trips(void **state)
{
    static const char *const names[] = {"good/models.json", "good/larger.json", "good/empty.json",
                                        "good/escapes.json"};
    atm_profile *profile;

    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        profile = load_sample(names[i]);
        expect_round_trip(profile);
        atm_profile_destroy(profile);
    }
    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    expect_round_trip(profile);
    atm_profile_destroy(profile);
}

static void saved(void **state)
{
    atm_profile *profile = load_sample("good/models.json"), *again;
    char path[] = "/tmp/test_profile.XXXXXX";
    atm_message message;
    int file = mkstemp(path);

    (void) state;
    assert_true(file >= 0);
    close(file);
    assert_int_equal(atm_profile_save(profile, path, &message), ATM_OK);
    assert_int_equal(atm_profile_load(path, &message, &again), ATM_OK);
    expect_same_estimates(profile, again);
    unlink(path);
    assert_int_equal(atm_profile_load(path, &message, &again), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "cannot be opened"));
    assert_int_equal(atm_profile_save(profile, "/none/such/file", &message), ATM_NO_ACCESS);
    atm_profile_destroy(profile);
    atm_profile_destroy(again);
}

/* --- the built-in profile */

static double seconds(const atm_profile *profile, atm_operation operation, double nodes,
                      double per_node, double senders, double receivers, double bytes)
{
    const double features[ATM_FEATURE_COUNT] = {nodes, per_node, senders, receivers, bytes, 1, 1};
    atm_estimate estimate;

    atm_surrogate_predict(profile->operations[operation], features, &estimate);
    assert_false(estimate.outside);
    assert_true(estimate.uncertainty >= 0.75);
    return estimate.seconds;
}

/* Numbers of a generic cluster that can be worked out in the head. */
static void generic_costs(void **state)
{
    const double mb = 1e6;
    atm_profile *p;
    double t;

    (void) state;
    assert_int_equal(atm_profile_generic(NULL, &p), ATM_OK);
    assert_string_equal(p->source, "built-in profile");
    assert_string_equal(p->note, "");
    /* 1,024 ranks: 2 us + 20 messages of 2 us */
    t = seconds(p, ATM_ALLREDUCE, 64, 16, 1024, 1024, 8);
    assert_true(t > 41e-6 && t < 43e-6);
    /* 64 senders and 16 receivers, 10 MB each, at 40 GB/s: 20 ms */
    t = seconds(p, ATM_EXCHANGE, 64, 16, 64, 16, 10 * mb);
    assert_true(t > 20.0e-3 && t < 20.1e-3);
    assert_true(t == seconds(p, ATM_EXCHANGE, 64, 16, 16, 64, 10 * mb));
    /* 8 x 16 MB: 1 ms + 0.08 ms of requests + 8 ms client + 16 ms servers */
    t = seconds(p, ATM_WRITE_FULL, 8, 1, 8, 8, 16 * mb);
    assert_true(t > 25.0e-3 && t < 25.2e-3);
    assert_true(seconds(p, ATM_WRITE_FIRST, 8, 1, 8, 8, 16 * mb) > t + 1e-3);
    /* a larger buffer gains little, as does a second aggregator on each node */
    assert_true(seconds(p, ATM_WRITE_FULL, 8, 1, 8, 8, 32 * mb) > 2 * t * 0.95);
    assert_true(seconds(p, ATM_WRITE_FULL, 8, 2, 16, 16, 16 * mb) > 2 * t * 0.95);
    atm_profile_destroy(p);
}

static void generic_costs_rise(void **state)
{
    atm_profile *p;

    (void) state;
    assert_int_equal(atm_profile_generic(NULL, &p), ATM_OK);
    for (int operation = 0; operation < ATM_OPERATION_COUNT; operation++) {
        double last = 0;

        for (double bytes = 1; bytes < 1e11; bytes *= 1.5) {
            double t = seconds(p, operation, 32, 4, 128, 32, bytes);

            assert_true(t >= last);
            last = t;
        }
    }
    atm_profile_destroy(p);
}

/* --- damage */

static void cut_at_every_byte(void **state)
{
    atm_profile *profile = NULL;
    size_t length;
    char *text = read_sample("good/models.json", &length);

    (void) state;
    while (text[length - 1] != '}')
        length--;
    for (size_t cut = 0; cut < length; cut++)
        assert_int_equal(atm_profile_parse(text, cut, "cut", NULL, &profile), ATM_BAD_FILE);
    assert_null(profile);
    free(text);
}

static void bits_flipped(void **state)
{
    size_t length, good = 0;
    char *text = read_sample("good/models.json", &length);
    uint32_t random = 12345;

    (void) state;
    for (int i = 0; i < 2000; i++) {
        atm_profile *profile;
        size_t at;

        random = random * 1664525 + 1013904223;
        at = (random >> 8) % length;
        text[at] ^= (char) (1 << (random >> 5) % 8);
        if (atm_profile_parse(text, length, "flipped", NULL, &profile) == ATM_OK) {
            if (good++ % 16 == 0)
                expect_round_trip(profile);
            atm_profile_destroy(profile);
        }
        text[at] ^= (char) (1 << (random >> 5) % 8);
    }
    assert_true(good > 100 && good < 1900);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_samples),
        cmocka_unit_test(facts_and_defaults),
        cmocka_unit_test(missing_operations_are_generic),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(saved),
        cmocka_unit_test(generic_costs),
        cmocka_unit_test(generic_costs_rise),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(bits_flipped),
    };

    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
