/* Names and texts: all there, all different, and harmless beyond the ends. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "choose/choose.h"
#include "value/words.h"

#define CHECK_NAMES(function, type, count)                                                         \
    do {                                                                                           \
        for (int i = 0; i < (int) (count); i++) {                                                  \
            assert_true(strlen(function((type) i)) > 2);                                           \
            assert_string_not_equal(function((type) i), function((type) (count)));                 \
            for (int k = 0; k < i; k++)                                                            \
                assert_string_not_equal(function((type) i), function((type) k));                   \
        }                                                                                          \
        assert_non_null(strstr(function((type) (count)), "unknown"));                              \
        assert_non_null(strstr(function((type) -1), "unknown"));                                   \
    } while (0)

static void names(void **state)
{
    (void) state;
    CHECK_NAMES(atm_status_text, atm_status, ATM_NO_CHOICE + 1);
    CHECK_NAMES(atm_operation_name, atm_operation, ATM_OPERATION_COUNT);
    CHECK_NAMES(atm_feature_name, atm_feature, ATM_FEATURE_COUNT);
    CHECK_NAMES(atm_part_name, atm_part, ATM_PART_COUNT);
    CHECK_NAMES(atm_driver_name, atm_driver, ATM_DRIVER_COUNT);
    CHECK_NAMES(atm_fix_name, atm_fix, ATM_FIX_COUNT);
    CHECK_NAMES(atm_mode_name, atm_mode, ATM_MODE_COUNT);
    CHECK_NAMES(atm_verdict_name, atm_verdict, ATM_VERDICT_COUNT);
}

/* Names that files and hints use are fixed for good. */
static void names_in_files(void **state)
{
    (void) state;
    assert_string_equal(atm_operation_name(ATM_WRITE_PARTIAL), "write_partial");
    assert_string_equal(atm_operation_name(ATM_READ_INDEPENDENT), "read_independent");
    assert_string_equal(atm_feature_name(ATM_RECEIVERS), "receivers");
    assert_string_equal(atm_driver_name(ATM_LUSTRE), "lustre");
    assert_string_equal(atm_fix_name(ATM_FIX_STRIPE_SIZE), "striping_unit");
    assert_string_equal(atm_mode_name(ATM_AUTOMATIC), "automatic");
}

/* What may be twice as much may be half as much. */
static void ranges(void **state)
{
    (void) state;
    assert_string_equal(atm_range(1, 1.27).text, "x0.44 to x2.27");
    assert_string_equal(atm_range(1, 0).text, "x1.00 to x1.00");
    assert_string_equal(atm_range(0.3, 0.4).text, "x0.21 to x0.42");
    assert_string_equal(atm_range(1, 1e3).text, "x0.00 to x1001");
    assert_string_equal(atm_plural(1), "");
    assert_string_equal(atm_plural(0), "s");
    assert_string_equal(atm_plural(2), "s");
}

static void sizes(void **state)
{
    static const struct {
        const char *text;
        uint64_t size;
    } good[] = {{"1", 1},
                {"4096", 4096},
                {"64K", 65536},
                {"64k", 65536},
                {"16M", UINT64_C(1) << 24},
                {"3g", UINT64_C(3) << 30},
                {"2T", UINT64_C(1) << 41},
                {"1152921504606846976", UINT64_C(1) << 60}};
    static const char *const bad[] = {"",
                                      "0",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1KB",
                                      "K",
                                      "1.5M",
                                      "0x10",
                                      "1152921504606846977",
                                      "9999999999999999999999",
                                      "1048577T"};
    uint64_t size = 77;

    (void) state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(atm_parse_size(good[i].text, UINT64_C(1) << 60, &size));
        assert_int_equal(size, good[i].size);
    }
    size = 77;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(atm_parse_size(bad[i], UINT64_C(1) << 60, &size));
    assert_int_equal(size, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(ranges),
        cmocka_unit_test(sizes),
        cmocka_unit_test(names_in_files),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
