/* Means of several models. */

#include "surrogate_help.h"

#include <math.h>

#define CONSTANT(seconds) "{\"model\": \"const\", \"parameters\": {\"output\": " seconds "}}"
#define LOGARITHM(output)                                                                          \
    "{\"model\": \"const\", \"pipeline\": {\"target\": \"log\"}, \"parameters\": "                 \
    "{\"output\": " output "}}"
#define MEAN(members)                                                                              \
    "{\"model\": \"mean\", \"features\": [\"bytes\"], \"min\": [1], \"max\": [100],"               \
    " \"error\": 0.1, \"members\": " members "}"

static atm_surrogate *read_text(const char *text, atm_status expected, const char *message)
{
    atm_value *value;
    atm_surrogate *surrogate = NULL;
    atm_message found = {""};

    assert_int_equal(atm_value_parse(text, strlen(text), "text", &found, &value), ATM_OK);
    assert_int_equal(atm_surrogate_read(value, &found, &surrogate), expected);
    assert_string_equal(found.text, message);
    atm_value_destroy(value);
    return surrogate;
}

static const double at[ATM_FEATURE_COUNT] = {[ATM_BYTES] = 10};

/* The cube root of 1 x 2 x 4, and of e^3; models that disagree are uncertain. */
static void geometric(void **state)
{
    atm_surrogate *surrogate =
        read_text(MEAN("[" CONSTANT("1") ", " CONSTANT("2") ", " CONSTANT("4") "]"), ATM_OK, "");

    (void) state;
    assert_float_equal(ask(surrogate, at).seconds, 2, 1e-12);
    assert_float_equal(ask(surrogate, at).uncertainty, log(2) * sqrt(2.0 / 3), 1e-9);
    assert_string_equal(atm_surrogate_model(surrogate), "mean");
    atm_surrogate_destroy(surrogate);
    surrogate =
        read_text(MEAN("[" LOGARITHM("1") ", " CONSTANT("1") ", " LOGARITHM("2") "]"), ATM_OK, "");
    assert_float_equal(ask(surrogate, at).seconds, exp(1), 1e-12);
    atm_surrogate_destroy(surrogate);
}

static void printed_and_read(void **state)
{
    atm_surrogate *surrogate =
        read_text(MEAN("[" LOGARITHM("1") ", " CONSTANT("3") "]"), ATM_OK, "");
    atm_surrogate *again = copy_through_text(surrogate);

    (void) state;
    assert_true(ask(again, at).seconds == ask(surrogate, at).seconds);
    assert_true(ask(again, at).uncertainty == ask(surrogate, at).uncertainty);
    atm_surrogate_destroy(again);
    atm_surrogate_destroy(surrogate);
}

static void refused(void **state)
{
    (void) state;
    read_text(MEAN("[]"), ATM_BAD_FILE,
              "text: members: must be an array of length 2 or more, not 0");
    read_text(MEAN("[" CONSTANT("1") "]"), ATM_BAD_FILE,
              "text: members: must be an array of length 2 or more, not 1");
    read_text(MEAN("[" CONSTANT("1") ", 2]"), ATM_BAD_FILE, "text: members[1]: must be an object");
    read_text(MEAN("[" CONSTANT("1") ", " MEAN("[]") "]"), ATM_BAD_FILE,
              "text: members[1].features: is not known");
    read_text(MEAN("[" CONSTANT("1") ", {\"model\": \"mean\", \"parameters\": {}}]"), ATM_BAD_FILE,
              "text: members[1].model: there is no model of this name");
    read_text("{\"model\": \"mean\", \"features\": [\"bytes\"], \"min\": [1], \"max\": [2],"
              " \"error\": 0.1}",
              ATM_BAD_FILE, "text: members: is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometric),
        cmocka_unit_test(printed_and_read),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
