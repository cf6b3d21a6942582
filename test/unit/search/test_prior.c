/* What is predicted for settings of HDF5, from a call that wrote a contiguous data set. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "search/prior.h"

static const char space_text[] =
    "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["
    "{\"name\": \"hdf5_alignment\", \"values\": [[4096, 1048576], [16777216, 1048576]]}, "
    "{\"name\": \"hdf5.chunk_bytes\", \"values\": [524288]}, "
    "{\"name\": \"hdf5.fill_time\", \"values\": [\"never\", \"ifset\"]}, "
    "{\"name\": \"hdf5.metadata_block_size\", \"values\": [1048576]}]}";

/* Choices of these four. */
static const ats_point as_it_is = {{0, 0, 0, 0}}, aligned = {{1, 0, 0, 0}},
                       too_small = {{2, 0, 0, 0}}, chunked = {{0, 1, 0, 0}},
                       not_filled = {{0, 1, 1, 0}}, filled = {{0, 1, 2, 0}},
                       unknown = {{0, 0, 0, 1}};

typedef struct sample {
    ats_space *space;
    atm_profile *profile;
    atm_value *facts;
    ats_prior *prior;
} sample;

static sample begin_with(const char *space, const char *facts)
{
    atm_message message = {""};
    sample s = {.space = NULL};

    assert_int_equal(atm_value_parse(facts, strlen(facts), "facts", &message, &s.facts), ATM_OK);
    assert_int_equal(ats_space_parse(space, strlen(space), "space", &message, &s.space), ATM_OK);
    assert_int_equal(atm_profile_generic(&message, &s.profile), ATM_OK);
    s.prior = ats_prior_create(s.space, s.profile, s.facts, &message);
    if (s.prior == NULL)
        fail_msg("%s", message.text);
    return s;
}

/* 2 MiB of four ranks in stripes of 1 MiB, two of which can be written at a time, from `start` on.
 */
static sample begin(const char *operation, unsigned start)
{
    char text[1024];

    snprintf(
        text, sizeof(text),
        "{\"driver\": \"lustre\", \"ranks\": 4, \"nodes\": 4, \"accesses\": [{\"calls\": 3, "
        "\"access\": {\"write\": %s, \"strided\": false, \"interleaved\": false, "
        "\"holes\": false, \"new_file\": false, \"active_ranks\": 4, \"bytes_min\": 524288, "
        "\"bytes_max\": 524288, \"bytes\": 2097152, \"start\": %u, \"end\": %u, "
        "\"block\": 524288, \"stride\": 0}, "
        "\"config\": {\"collective\": true, \"automatic\": false, \"aggregators\": 4, "
        "\"buffer\": 16777216, \"stripe_size\": 1048576, \"stripe_count\": 2, \"co_ratio\": 1, "
        "\"block\": 0}}]}",
        operation, start, start + 2097151);
    return begin_with(space_text, text);
}

static void end(sample *s)
{
    ats_prior_destroy(s->prior);
    atm_profile_destroy(s->profile);
    atm_value_destroy(s->facts);
    ats_space_destroy(s->space);
}

static void alignment(void **state)
{
    sample s = begin("true", 2104), there = begin("true", 1048576);
    double usual = ats_prior_seconds(s.prior, &as_it_is);

    (void) state;
    assert_true(ats_prior_seconds(s.prior, &aligned) < usual); /* no third stripe */
    assert_true(ats_prior_seconds(s.prior, &aligned) == ats_prior_seconds(there.prior, &as_it_is));
    assert_true(ats_prior_seconds(s.prior, &too_small) == usual);
    assert_true(ats_prior_seconds(there.prior, &aligned) ==
                ats_prior_seconds(there.prior, &as_it_is));
    end(&s);
    end(&there);
}

static void filling(void **state)
{
    sample s = begin("true", 0);
    double usual = ats_prior_seconds(s.prior, &as_it_is);

    (void) state;
    assert_true(ats_prior_seconds(s.prior, &chunked) > 1.5 * usual);
    assert_true(ats_prior_seconds(s.prior, &filled) == ats_prior_seconds(s.prior, &chunked));
    assert_true(ats_prior_seconds(s.prior, &not_filled) == usual);
    assert_true(ats_prior_seconds(s.prior, &unknown) == usual);
    end(&s);
}

/* A file that is read has the layout that it has. */
static void reading(void **state)
{
    sample s = begin("false", 2104);
    double usual = ats_prior_seconds(s.prior, &as_it_is);

    (void) state;
    assert_true(ats_prior_seconds(s.prior, &aligned) == usual);
    assert_true(ats_prior_seconds(s.prior, &chunked) == usual);
    end(&s);
}

/* Two data sets of 1 MiB, the first from 2104 on, on one stripe; 2048 bytes between them. */
#define ACCESS(new_file, start, end)                                                               \
    "{\"calls\": 1, \"access\": {\"write\": true, \"strided\": false, \"interleaved\": false, "    \
    "\"holes\": false, \"new_file\": " new_file ", \"active_ranks\": 4, "                          \
    "\"bytes_min\": 262144, \"bytes_max\": 262144, \"bytes\": 1048576, \"start\": " start          \
    ", \"end\": " end ", \"block\": 262144, \"stride\": 0}, "                                      \
    "\"config\": {\"collective\": true, \"automatic\": false, \"aggregators\": 4, "                \
    "\"buffer\": 16777216, \"stripe_size\": 1048576, \"stripe_count\": 1, \"co_ratio\": 1, "       \
    "\"block\": 0}}"
#define FACTS(driver, more)                                                                        \
    "{\"driver\": \"" driver "\", \"ranks\": 4, \"nodes\": 4, " more "\"accesses\": [" ACCESS(     \
        "true", "2104", "1050679") ", " ACCESS("false", "1052728", "2101303") "]}"
#define APART(bytes) "\"apart\": {\"writes\": 18, \"bytes\": " bytes ", \"seconds\": 0.2}, "

static void check_metadata(const char *facts, const char *facts_without, const double *expected)
{
    static const char stripes[] =
        "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["
        "{\"name\": \"striping_factor\", \"values\": [4, 8]}, "
        "{\"name\": \"striping_unit\", \"values\": [262144]}, "
        "{\"name\": \"hdf5_alignment\", \"values\": [[4096, 1048576]]}]}";
    const ats_point points[] = {{{0, 0, 0}}, {{1, 1, 0}}, {{2, 1, 0}}, {{2, 1, 1}}};
    sample s = begin_with(stripes, facts), without = begin_with(stripes, facts_without);

    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
        assert_float_equal(ats_prior_seconds(s.prior, &points[i]) -
                               ats_prior_seconds(without.prior, &points[i]),
                           expected[i], 1e-9);
    end(&s);
    end(&without);
}

/* A block of metadata follows the first data set: on the target of the first block, or another.
 * Elsewhere than on Lustre it takes the time that it took. */
static void metadata(void **state)
{
    (void) state;
    check_metadata(FACTS("lustre", APART("4432")), FACTS("lustre", ""),
                   (double[]){0.2, 0.2, 0.1, 0.2});
    check_metadata(FACTS("ufs", APART("4432")), FACTS("ufs", ""), (double[]){0.2, 0.2, 0.2, 0.2});
    /* data of the program, wherever it is */
    check_metadata(FACTS("lustre", APART("9437184")), FACTS("lustre", ""),
                   (double[]){0.2, 0.2, 0.2, 0.2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignment),
        cmocka_unit_test(filling),
        cmocka_unit_test(reading),
        cmocka_unit_test(metadata),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
