/*
 * Reading when memory runs out, at every allocation in turn: the status says
 * so, and nothing is lost (run it under a leak checker).  Linked with
 * -Wl,--wrap=malloc,--wrap=calloc.
 */

#include "surrogate_help.h"

static long left = -1; /* allocations that still succeed; negative: all */
static long served;    /* allocations so far */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static bool refused(void)
{
    if (left == 0)
        return true;
    if (left > 0)
        left--;
    served++;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

static void check_case(const atm_value *value)
{
    atm_surrogate *surrogate = NULL;
    atm_status status = ATM_NO_MEMORY;

    for (long n = 0; status != ATM_OK; n++) {
        assert_in_range(n, 0, 100000);
        left = n;
        status = atm_surrogate_read(value, NULL, &surrogate);
        left = -1;
        if (status != ATM_OK) {
            assert_int_equal(status, ATM_NO_MEMORY);
            assert_null(surrogate);
        }
    }
    atm_surrogate_destroy(surrogate);
}

static void every_allocation_may_fail(void **state)
{
    static const char *const models[] = {"linear", "knn", "svr", "rules", "forest", "mlp"};

    (void) state;
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        atm_value *root = golden(models[i]);
        const atm_value *cases = atm_value_find(root, "cases");

        for (size_t k = 0; k < atm_value_length(cases); k++)
            check_case(atm_value_find(atm_value_item(cases, k), "surrogate"));
        atm_value_destroy(root);
    }
    assert_true(served > 0); /* the wrapping works */
}

static void const_too(void **state)
{
    atm_value *root = parse("{\"model\": \"const\", \"features\": [\"bytes\"], \"min\": [1],"
                            " \"max\": [2], \"error\": 0, \"parameters\": {\"output\": 1}}");

    (void) state;
    check_case(root);
    atm_value_destroy(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(const_too),
    };

    return cmocka_run_group_tests_name("surrogate memory", tests, NULL, NULL);
}
