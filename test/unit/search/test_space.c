/* Spaces: files that nobody vouches for, points, what is added. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "search/space.h"

#define HEAD "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["

static ats_space *good(const char *parameters)
{
    static char text[65536];
    atm_message message = {""};
    ats_space *space = NULL;

    snprintf(text, sizeof(text), HEAD "%s]}", parameters);
    if (ats_space_parse(text, strlen(text), "s.json", &message, &space) != ATM_OK)
        fail_msg("%s", message.text);
    return space;
}

static const char some[] =
    "{\"name\": \"cb_nodes\", \"values\": [1, 2, 4]}, "
    "{\"name\": \"stripe\", \"sets\": [\"striping_unit\", \"cb_buffer_size\"], "
    "\"values\": [1048576, 2097152], \"optional\": false}, "
    "{\"name\": \"hdf5_alignment\", \"values\": [[0, 65536], [4096, 1048576]]}, "
    "{\"name\": \"hdf5.fill_time\", \"values\": [\"never\"]}, "
    "{\"name\": \"hdf5.chunk\", \"values\": [[8, 8], [16, 4]]}";

/* --- points */

static void counts_points(void **state)
{
    ats_space *space = good(some);
    double size = ats_space_size(space);

    (void) state;
    assert_int_equal(space->count, 5);
    assert_true(size == 4 * 2 * 3 * 2 * 3);
    for (uint64_t i = 0; i < (uint64_t) size; i++) {
        ats_point point = ats_space_at(space, i), again;

        assert_in_range(point.choice[1], 1, 2);
        for (uint64_t k = 0; k < i; k++) {
            again = ats_space_at(space, k);
            assert_false(ats_point_equal(&again, &point));
        }
    }
    ats_space_destroy(space);
}

static void sets_what_is_chosen(void **state)
{
    ats_space *space = good(some);
    ats_point point = {{3, 2, 2, 1, 2}};
    atm_settings set = ats_point_settings(space, &point);
    char text[ATS_TEXT];

    (void) state;
    assert_int_equal(set.values[ATM_SET_CB_NODES], 4);
    assert_int_equal(set.values[ATM_SET_STRIPING_UNIT], 2097152);
    assert_int_equal(set.values[ATM_SET_CB_BUFFER_SIZE], 2097152);
    assert_int_equal(set.threshold, 4096);
    assert_int_equal(set.values[ATM_SET_HDF5_ALIGNMENT], 1048576);
    assert_int_equal(set.chunk[0], 16);
    assert_false(set.has[ATM_SET_STRIPING_FACTOR]);
    ats_point_text(space, &point, text);
    assert_string_equal(text, "cb_nodes=4 stripe=2M hdf5_alignment=4K,1M hdf5.fill_time=never "
                              "hdf5.chunk=16x4");
    ats_point_text(space, &(ats_point){{0}}, text);
    assert_string_equal(text, "default");
    assert_true(ats_point_is_default(&(ats_point){{0}}));
    ats_space_destroy(space);
}

static void written_and_read_again(void **state)
{
    ats_space *space = good(some), *again = NULL;
    atm_value *root = atm_value_object(), *other = atm_value_object();
    char *text, *same;
    size_t length;

    (void) state;
    ats_space_write(space, root);
    assert_int_equal(atm_value_print_line(root, &text, &length), ATM_OK);
    assert_int_equal(ats_space_parse(text, length, "again", NULL, &again), ATM_OK);
    ats_space_write(again, other);
    assert_int_equal(atm_value_print_line(other, &same, &length), ATM_OK);
    assert_string_equal(text, same);
    atm_value_destroy(root);
    atm_value_destroy(other);
    free(text);
    free(same);
    ats_space_destroy(space);
    ats_space_destroy(again);
}

/* --- what is refused */

static void refused(const char *parameters, const char *expected)
{
    static char text[65536];
    atm_message message = {""};
    ats_space *space = NULL;

    snprintf(text, sizeof(text), HEAD "%s]}", parameters);
    assert_int_equal(ats_space_parse(text, strlen(text), "s.json", &message, &space), ATM_BAD_FILE);
    assert_null(space);
    if (strstr(message.text, expected) == NULL)
        fail_msg("%s, not %s", message.text, expected);
}

static void bad_spaces(void **state)
{
    (void) state;
    refused("", "s.json: parameters");
    refused("1", "s.json: parameters[0]");
    refused("{\"values\": [1]}", "parameters[0].name");
    refused("{\"name\": \"\", \"values\": [1]}", "parameters[0].name: must have 1 to 63 bytes");
    refused("{\"name\": \"nodes\", \"values\": [1]}", "parameters[0].name: is no setting");
    refused("{\"name\": \"x\", \"sets\": [\"nodes\"], \"values\": [1]}",
            "parameters[0].sets[0]: is no setting");
    refused("{\"name\": \"cb_nodes\"}", "parameters[0].values");
    refused("{\"name\": \"cb_nodes\", \"values\": []}", "parameters[0].values");
    refused("{\"name\": \"cb_nodes\", \"values\": [1, 0]}", "parameters[0].values[1]: as cb_nodes");
    refused("{\"name\": \"cb_nodes\", \"values\": [\"one\"]}", "parameters[0].values[0]");
    refused("{\"name\": \"cb_nodes\", \"values\": [1, 1]}", "values[1]: is there twice");
    refused("{\"name\": \"cb_nodes\", \"values\": [2, 1]}", "values[1]: must be above");
    refused("{\"name\": \"striping_unit\", \"values\": [100000]}", "must be a multiple of 65536");
    refused("{\"name\": \"romio_cb_write\", \"values\": [\"yes\"]}", "parameters[0].values[0]");
    refused("{\"name\": \"hdf5.fill_time\", \"values\": [\"soon\"]}",
            "parameters[0].values[0]: as hdf5.fill_time");
    refused("{\"name\": \"cb_nodes\", \"values\": [1], \"option\": true}",
            "parameters[0].option: is not known");
    refused("{\"name\": \"cb_nodes\", \"values\": [1], \"optional\": 1}", "parameters[0].optional");
    refused("{\"name\": \"cb_nodes\", \"values\": [1]}, "
            "{\"name\": \"other\", \"sets\": [\"cb_nodes\"], \"values\": [2]}",
            "parameters[1]: another parameter");
}

static void other_files(void **state)
{
    atm_message message = {""};
    ats_space *space = NULL;

    (void) state;
    assert_int_equal(ats_space_parse("{}", 2, "s.json", &message, &space), ATM_BAD_FILE);
    assert_int_equal(ats_space_load("/nowhere/s.json", &message, &space), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "/nowhere/s.json"));
}

/* Any text that is cut off is refused, and nothing is read beyond it. */
static void broken_texts(void **state)
{
    char text[2048];
    size_t length;

    (void) state;
    snprintf(text, sizeof(text), HEAD "%s]}", some);
    length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        char *exact = malloc(i > 0 ? i : 1);
        ats_space *space = NULL;

        memcpy(exact, text, i);
        assert_int_not_equal(ats_space_parse(exact, i, "s", NULL, &space), ATM_OK);
        free(exact);
    }
}

/* --- changes */

static void keeps_some(void **state)
{
    ats_space *space = good(some);
    atm_message message = {""};

    (void) state;
    assert_int_equal(ats_space_keep(space, "hdf5.fill_time,cb_nodes", &message), ATM_OK);
    assert_int_equal(space->count, 2);
    assert_string_equal(space->parameters[0].name, "cb_nodes");
    assert_int_equal(ats_space_keep(space, "cb_nodes,cats", &message), ATM_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "cb_nodes,cats"));
    ats_space_destroy(space);
}

static void adds_settings(void **state)
{
    ats_space *space = good(some);
    atm_settings set = {.threshold = 0}, got;
    atm_message message = {""};
    ats_point point;

    (void) state;
    set.has[ATM_SET_CB_NODES] = set.has[ATM_SET_STRIPING_FACTOR] = true;
    set.values[ATM_SET_CB_NODES] = 3;
    set.values[ATM_SET_STRIPING_FACTOR] = 7;
    assert_int_equal(ats_space_add(space, &set, &message, &point), ATM_OK);
    assert_int_equal(space->count, 6);
    assert_int_equal(space->parameters[0].count, 4);
    assert_int_equal(point.choice[0], 3); /* 1, 2, 3, 4 */
    got = ats_point_settings(space, &point);
    assert_int_equal(got.values[ATM_SET_CB_NODES], 3);
    assert_int_equal(got.values[ATM_SET_STRIPING_FACTOR], 7);
    /* one parameter has both, so they cannot differ */
    set.has[ATM_SET_STRIPING_UNIT] = true;
    set.values[ATM_SET_STRIPING_UNIT] = 65536;
    assert_int_equal(ats_space_add(space, &set, &message, &point), ATM_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "striping_unit"));
    ats_space_destroy(space);
}

/* --- those that are shipped; the folder comes from the environment */

static void shipped(void **state)
{
    static const char *const names[] = {"lustre", "gpfs", "plain"};

    (void) state;
    for (int i = 0; i < 3; i++) {
        atm_message message = {""};
        char path[4096];
        ats_space *space = NULL;

        if (ats_space_find(names[i], &message, sizeof(path), path) != ATM_OK ||
            ats_space_load(path, &message, &space) != ATM_OK)
            fail_msg("%s", message.text);
        assert_true(ats_space_size(space) > 1e5);
        /* these change the file, or can hang a program: only by a user's own file */
        for (int k = 0; k < space->count; k++)
            for (int j = 0; j < space->parameters[k].set_count; j++) {
                atm_setting setting = space->parameters[k].sets[j];

                assert_int_not_equal(setting, ATM_SET_HDF5_METADATA_READS);
                assert_int_not_equal(setting, ATM_SET_HDF5_VERSION_LOW);
                assert_int_not_equal(setting, ATM_SET_HDF5_VERSION_HIGH);
                assert_int_not_equal(setting, ATM_SET_HDF5_SPACE_STRATEGY);
                assert_int_not_equal(setting, ATM_SET_HDF5_SPACE_PAGE);
            }
        ats_space_destroy(space);
    }
}

static void not_shipped(void **state)
{
    atm_message message = {""};
    char path[4096];

    (void) state;
    assert_int_equal(ats_space_find("cats", &message, sizeof(path), path), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "cats"));
    assert_string_equal(ats_space_for("/nowhere"), "plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_points),
                                       cmocka_unit_test(sets_what_is_chosen),
                                       cmocka_unit_test(written_and_read_again),
                                       cmocka_unit_test(bad_spaces),
                                       cmocka_unit_test(other_files),
                                       cmocka_unit_test(broken_texts),
                                       cmocka_unit_test(keeps_some),
                                       cmocka_unit_test(adds_settings),
                                       cmocka_unit_test(shipped),
                                       cmocka_unit_test(not_shipped)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
