/* atc_nics: adapters counted in made-up trees like the kernel's /sys/class, and told by a
 * made-up MPI library. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "atc.h"

static char top[] = "/tmp/test_nics.XXXXXX";

static void make_directory(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void make_directory(const char *format, ...)
{
    char path[512], *end = path + snprintf(path, sizeof(path), "%s/", top);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(end, (size_t) (path + sizeof(path) - end), format, arguments);
    va_end(arguments);
    for (char *slash = end; *slash != '\0'; slash++)
        if (*slash == '/') {
            *slash = '\0';
            mkdir(path, 0700);
            *slash = '/';
        }
    mkdir(path, 0700);
}

/* A device of a class at an address; state of its port, or NULL: it has none. */
static void add_device(const char *class, const char *name, const char *address, const char *state)
{
    char path[512], target[512];

    make_directory("class/%s/%s", class, name);
    if (address != NULL) {
        make_directory("devices/%s", address);
        snprintf(path, sizeof(path), "%s/class/%s/%s/device", top, class, name);
        snprintf(target, sizeof(target), "../../../devices/%s", address);
        assert_int_equal(symlink(target, path), 0);
    }
    if (state != NULL) {
        FILE *file;

        make_directory("class/%s/%s/ports/1", class, name);
        snprintf(path, sizeof(path), "%s/class/%s/%s/ports/1/state", top, class, name);
        file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%s\n", state);
        fclose(file);
    }
}

static int counted(void)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/class", top);
    return atc_nics_count(path);
}

static int start(void **state)
{
    (void) state;
    snprintf(top, sizeof(top), "/tmp/test_nics.XXXXXX");
    return mkdtemp(top) == NULL;
}

static int end(void **state)
{
    char command[64];

    (void) state;
    snprintf(command, sizeof(command), "rm -r %s", top);
    return system(command) != 0;
}

static void none(void **state)
{
    (void) state;
    assert_int_equal(counted(), 0); /* no such directory */
    make_directory("class");
    assert_int_equal(counted(), 0);
    make_directory("class/infiniband");
    assert_int_equal(counted(), 0);
}

static void slingshot(void **state)
{
    (void) state;
    add_device("cxi", "cxi0", "0000:d5:00.0", NULL);
    add_device("cxi", "cxi1", "0000:dd:00.0", NULL);
    add_device("cxi", "cxi2", "0000:c1:00.0", NULL);
    assert_int_equal(counted(), 3);
    /* a card for administration beside them */
    add_device("infiniband", "mlx5_0", "0000:3b:00.0", "4: ACTIVE");
    assert_int_equal(counted(), 3);
}

static void two_ports_of_a_card(void **state)
{
    (void) state;
    add_device("infiniband", "mlx5_0", "0000:3b:00.0", "4: ACTIVE");
    add_device("infiniband", "mlx5_1", "0000:3b:00.1", "4: ACTIVE");
    add_device("infiniband", "mlx5_2", "0000:86:00.0", "4: ACTIVE");
    make_directory("class/infiniband/mlx5_2/ports/2");
    assert_int_equal(counted(), 2);
}

static void without_a_link(void **state)
{
    (void) state;
    add_device("infiniband", "mlx5_0", "0000:3b:00.0", "1: DOWN");
    add_device("infiniband", "mlx5_1", "0000:86:00.0", "4: ACTIVE");
    add_device("infiniband", "mlx5_2", "0000:af:00.0", "2: INIT");
    assert_int_equal(counted(), 1);
}

static void software_and_shares(void **state)
{
    (void) state;
    add_device("infiniband", "hfi1_0", "0000:18:00.0", "4: ACTIVE");
    add_device("infiniband", "rxe0", NULL, "4: ACTIVE");
    add_device("infiniband", "mlx5_3", "0000:3b:01.2", "4: ACTIVE");
    make_directory("devices/0000:3b:01.2/physfn");
    assert_int_equal(counted(), 1);
}

static void more_than_fit(void **state)
{
    char name[16], address[32];

    (void) state;
    for (int i = 0; i < 70; i++) {
        snprintf(name, sizeof(name), "cxi%d", i);
        snprintf(address, sizeof(address), "0000:%02x:00.0", i);
        add_device("cxi", name, address, NULL);
    }
    assert_int_equal(counted(), 64);
}

/* --- what an MPI library tells */

/* Keys and values in turn, NULL at the end. */
static const char *const *info;

int MPI_Info_get(MPI_Info handle, const char *key, int length, char *value, int *found)
{
    assert_true(handle == MPI_INFO_ENV);
    *found = 0;
    for (const char *const *pair = info; *pair != NULL; pair += 2)
        if (strcmp(pair[0], key) == 0) {
            *found = 1;
            snprintf(value, (size_t) length + 1, "%s", pair[1]);
        }
    return strcmp(info[0] != NULL ? info[0] : "", "failure") == 0 ? MPI_ERR_INFO : MPI_SUCCESS;
}

#define TOLD(...) (info = (const char *const[]){__VA_ARGS__, NULL}, atc_nics_told(MPI_INFO_ENV))

static void told(void **state)
{
    (void) state;
    assert_int_equal(TOLD("command", "a.out"), 0);
    assert_int_equal(TOLD("num_nics", "8", "num_close_nics", "4"), 8);
    assert_int_equal(TOLD("num_nics_available", "1", "num_close_nics", "2"), 2);
    assert_int_equal(TOLD("num_nics_available", "3"), 3);
    assert_int_equal(TOLD("num_nics", "8"), 8);
    assert_int_equal(TOLD("num_nics_available", "2", "num_close_nics", "1"), 2);
    assert_int_equal(TOLD("num_close_nics", "64"), 64);
}

static void told_nonsense(void **state)
{
    static const char *const nonsense[] = {
        "", "0", "-2", "4x", "two", "65", "99999999999999999999"};

    (void) state;
    for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
        assert_int_equal(TOLD("num_close_nics", nonsense[i]), 0);
        assert_int_equal(TOLD("num_close_nics", nonsense[i], "num_nics", "2"), 2);
    }
    assert_int_equal(TOLD("failure", "", "num_close_nics", "4"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(none, start, end),
        cmocka_unit_test_setup_teardown(slingshot, start, end),
        cmocka_unit_test_setup_teardown(two_ports_of_a_card, start, end),
        cmocka_unit_test_setup_teardown(without_a_link, start, end),
        cmocka_unit_test_setup_teardown(software_and_shares, start, end),
        cmocka_unit_test_setup_teardown(more_than_fit, start, end),
        cmocka_unit_test(told),
        cmocka_unit_test(told_nonsense),
    };

    return cmocka_run_group_tests_name("nics", tests, NULL, NULL);
}
