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

/* 2 MiB of four ranks in stripes of 1 MiB, two of which can be written at a time, from `start` on.
 */
static sample begin(const char *operation, unsigned start)
{
    atm_message message = {""};
    char text[1024];
    sample s = {.space = NULL};

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
    assert_int_equal(atm_value_parse(text, strlen(text), "facts", &message, &s.facts), ATM_OK);
    assert_int_equal(ats_space_parse(space_text, strlen(space_text), "space", &message, &s.space),
                     ATM_OK);
    assert_int_equal(atm_profile_generic(&message, &s.profile), ATM_OK);
    s.prior = ats_prior_create(s.space, s.profile, s.facts, &message);
    if (s.prior == NULL)
        fail_msg("%s", message.text);
    return s;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignment),
        cmocka_unit_test(filling),
        cmocka_unit_test(reading),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
