/* What a profile fits, which are installed, and which of them is used. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/file_system.h"
#include "files/installed.h"

/* Other facts that are compared, not known */
#define NO_MORE .file_system_source = "", .mpi = ""

/* --- whether it fits */

static atm_use use_of(const char *file_system, int nodes, int nics)
{
    return (atm_use){.file_system = file_system, .nodes = nodes, .nics = nics};
}

static void assert_fit(const atm_machine *machine, atm_use use, atm_fits fits, const char *why)
{
    const atm_fit fit = atm_fit_of(machine, &use);

    assert_string_equal(fit.why.text, why);
    assert_int_equal(fit.fits, fits);
}

static void test_fit(void **state)
{
    const atm_machine scratch = {.file_system_type = "lustre", NO_MORE, .nodes = 8, .nics = 2};
    const atm_machine laptop = {.file_system_type = "ext4", .nodes = 1};

    (void) state;
    assert_fit(&scratch, use_of("lustre", 32, 2), ATM_FIT_GOOD, "");
    assert_fit(&scratch, use_of("lustre", 1, 0), ATM_FIT_GOOD, "");
    assert_fit(&scratch, use_of(NULL, 0, 0), ATM_FIT_NOT_COMPARED, "");
    assert_fit(&scratch, use_of(NULL, 8, 0), ATM_FIT_GOOD, "");
    assert_fit(&scratch, use_of("ext4", 8, 2), ATM_FIT_BAD,
               "the profile was measured on lustre, not ext4");
    assert_fit(&scratch, use_of("lustre", 33, 2), ATM_FIT_BAD,
               "the profile was measured on 8 nodes, not 33");
    assert_fit(&scratch, use_of("lustre", 8, 1), ATM_FIT_BAD,
               "the profile was measured with 2 network adapters a node, not 1");
    assert_fit(&laptop, use_of("gpfs", 512, 2), ATM_FIT_BAD,
               "the profile was measured on ext4, not gpfs, on 1 node, not 512");
}

/* Another file system of the same type, one that has grown, another MPI. */
static void test_fit_of_identity(void **state)
{
    const atm_machine scratch = {.file_system_type = "lustre",
                                 .file_system_source = "10.0.0.1@tcp:10.0.0.2@tcp:/scratch",
                                 .servers = 8,
                                 .mpi = "MPICH Version: 4.0.2"};
    const atm_machine home = {
        .file_system_type = "nfs", .file_system_source = "server:/home", .mpi = ""};

    (void) state;
    assert_fit(&scratch,
               (atm_use){.file_system = "lustre",
                         .source = "10.4.0.1@o2ib:/scratch",
                         .servers = 16,
                         .mpi = "MPICH 4.2"},
               ATM_FIT_GOOD, "");
    assert_fit(&scratch, (atm_use){.file_system = "lustre", .source = "10.0.0.1@tcp:/work"},
               ATM_FIT_BAD,
               "the profile was measured on 10.0.0.1@tcp:10.0.0.2@tcp:/scratch, not "
               "10.0.0.1@tcp:/work");
    assert_fit(&scratch, (atm_use){.file_system = "lustre", .servers = 17}, ATM_FIT_BAD,
               "the profile was measured on 8 servers, not 17");
    assert_fit(&scratch, (atm_use){.file_system = "lustre", .mpi = "Open MPI v4.1.4, package: x"},
               ATM_FIT_BAD,
               "the profile was measured with MPICH Version: 4.0.2, not Open MPI v4.1.4");
    assert_fit(&home, (atm_use){.file_system = "nfs", .source = "other:/home"}, ATM_FIT_BAD,
               "the profile was measured on server:/home, not other:/home");
}

/* Costs of another file system, or of other adapters, are only a shape; those of fewer nodes are
 * not. */
static void test_doubt(void **state)
{
    const atm_machine scratch = {.file_system_type = "lustre", NO_MORE, .nodes = 8, .nics = 2};
    atm_profile profile = {.generic = {false}};
    atm_fit good =
        atm_fit_of(&scratch, &(atm_use){.file_system = "lustre", .nodes = 64, .nics = 2});
    atm_fit local = atm_fit_of(&scratch, &(atm_use){.file_system = "ext4", .nodes = 8, .nics = 2});
    atm_fit other =
        atm_fit_of(&scratch, &(atm_use){.file_system = "lustre", .nodes = 8, .nics = 4});
    double doubt[ATM_KIND_COUNT];

    (void) state;
    atm_installed_doubt(&profile, &good, doubt);
    assert_true(doubt[ATM_STORAGE_KIND] == 0 && doubt[ATM_COMMUNICATION_KIND] == 0);
    atm_installed_doubt(&profile, &local, doubt);
    assert_true(doubt[ATM_STORAGE_KIND] > 1 && doubt[ATM_COMMUNICATION_KIND] == 0);
    atm_installed_doubt(&profile, &other, doubt);
    assert_true(doubt[ATM_STORAGE_KIND] == 0 && doubt[ATM_COMMUNICATION_KIND] > 0.5);
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        profile.generic[i] = i != ATM_WRITE_FULL;
    atm_installed_doubt(&profile, &good, doubt);
    assert_true(doubt[ATM_STORAGE_KIND] == 0 && doubt[ATM_COMMUNICATION_KIND] > 0.5);
}

/* A command line knows ROMIO's driver only, and ufs is that of many file systems. */
static void test_fit_of_drivers(void **state)
{
    const atm_machine local = {.file_system_type = "xfs", NO_MORE},
                      scratch = {.file_system_type = "gpfs", NO_MORE};
    const atm_machine other = {.file_system_type = "ufs", NO_MORE};

    (void) state;
    assert_fit(&local, use_of("ufs", 0, 0), ATM_FIT_GOOD, "");
    assert_fit(&local, use_of("ext4", 0, 0), ATM_FIT_BAD,
               "the profile was measured on xfs, not ext4");
    assert_fit(&scratch, use_of("ufs", 0, 0), ATM_FIT_BAD,
               "the profile was measured on gpfs, not ufs");
    assert_fit(&other, use_of("xfs", 0, 0), ATM_FIT_GOOD, "");
    assert_fit(&other, use_of("nfs", 0, 0), ATM_FIT_BAD,
               "the profile was measured on ufs, not nfs");
}

static void test_not_known(void **state)
{
    const atm_machine old = {.file_system_type = "", NO_MORE};
    const atm_machine counted = {.file_system_type = "", NO_MORE, .nodes = 2};

    (void) state;
    assert_fit(&old, use_of("ext4", 1, 0), ATM_FIT_NOT_KNOWN,
               "it is not known what the profile was measured on");
    assert_fit(&counted, use_of("ext4", 1, 0), ATM_FIT_NOT_KNOWN,
               "it is not known which file system the profile was measured on");
    assert_fit(&counted, use_of("ext4", 9, 0), ATM_FIT_BAD,
               "the profile was measured on 2 nodes, not 9");
}

static void test_file_systems(void **state)
{
    (void) state;
    assert_string_equal(atm_file_system_name(0x0BD00BD0), "lustre");
    assert_string_equal(atm_file_system_name(0xEF53), "ext4");
    assert_null(atm_file_system_name(0));
    assert_null(atm_file_system_at("/proc/self/no/such"));
    if (access("/dev/shm", W_OK) == 0) {
        assert_string_equal(atm_file_system_at("/dev/shm"), "tmpfs");
        assert_string_equal(atm_file_system_at("/dev/shm/not there yet"), "tmpfs");
    }
}

/* --- which there are */

static char root[] = "/tmp/test_installedXXXXXX";

static void make(const char *path)
{
    char name[256];
    FILE *file;

    snprintf(name, sizeof(name), "%s/%s", root, path);
    for (char *slash = strchr(name + sizeof(root), '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0755);
        *slash = '/';
    }
    file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
}

static int set_up(void **state)
{
    (void) state;
    if (mkdtemp(root) == NULL)
        return -1;
    make("user/romio-autotune/profiles.d/b.json");
    make("user/romio-autotune/profiles.d/a.json");
    make("user/romio-autotune/profiles.d/a.json.old");
    make("user/romio-autotune/profiles.d/.hidden.json");
    make("site/romio-autotune/profile.json");
    make("site/romio-autotune/profiles.d/c.json");
    return 0;
}

static int clear(void **state)
{
    char command[64];

    (void) state;
    snprintf(command, sizeof(command), "rm -r %s", root);
    return system(command);
}

static void assert_list(const atm_search_values *values, int expected, const char *const *paths)
{
    atm_installed *list;
    int count;

    assert_int_equal(atm_installed_list(values, &list, &count), ATM_OK);
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++) {
        const char *path = list[i].seen.path;

        assert_string_equal(path[0] == '/' ? path + sizeof(root) : path, paths[i]);
    }
    free(list);
}

static void test_list(void **state)
{
    static const char *const all[] = {
        "user/romio-autotune/profiles.d/a.json", "user/romio-autotune/profiles.d/b.json",
        "site/romio-autotune/profile.json", "site/romio-autotune/profiles.d/c.json"};
    char user[64], site[64], named[64];
    atm_search_values values = {.xdg_config = user, .sysconfdir = site};

    (void) state;
    snprintf(user, sizeof(user), "%s/user", root);
    snprintf(site, sizeof(site), "%s/site", root);
    snprintf(named, sizeof(named), "%s/named.json", root);
    assert_list(&values, 4, all);
    values.xdg_config = "/no/such/place";
    assert_list(&values, 2, all + 2);
    values.hint = named; /* whether it exists or not */
    assert_list(&values, 1, (const char *const[]){"named.json"});
    values = (atm_search_values){.sysconfdir = "/no/such/place"};
    assert_list(&values, 1, (const char *const[]){""});
}

static void test_too_long(void **state)
{
    static char longest[ATM_SEARCH_PATH - 10];
    atm_search_values values = {.sysconfdir = longest};
    atm_installed *list;
    int count;

    (void) state;
    memset(longest, 'x', sizeof(longest) - 1);
    longest[0] = '/';
    assert_int_equal(atm_installed_list(&values, &list, &count), ATM_BAD_ARGUMENT);
}

/* --- which one is used */

enum { FILES = 5 };

static void assert_best(const atm_source sources[FILES], const atm_machine machines[FILES],
                        atm_use use, int expected, atm_fits fits)
{
    atm_installed list[FILES] = {{.source = sources[0]}};
    atm_profile profiles[FILES];
    const atm_profile *at[FILES];
    atm_fit fit;

    memset(profiles, 0, sizeof(profiles));
    for (int i = 0; i < FILES; i++) {
        list[i].source = sources[i];
        profiles[i].machine = machines[i];
        at[i] = &profiles[i];
    }
    assert_int_equal(atm_installed_best(list, at, FILES, &use, &fit), expected);
    assert_int_equal(fit.fits, fits);
}

static void test_best(void **state)
{
    static const atm_source user = ATM_SOURCE_USER, site = ATM_SOURCE_SITE;
    const atm_source sources[FILES] = {user, user, site, site, site};
    const atm_machine machines[FILES] = {{.file_system_type = "nfs", NO_MORE, .nodes = 1},
                                         {.file_system_type = "", NO_MORE},
                                         {.file_system_type = "lustre", NO_MORE, .nodes = 4},
                                         {.file_system_type = "lustre", NO_MORE, .nodes = 16},
                                         {.file_system_type = "nfs", NO_MORE, .nodes = 16}};

    (void) state;
    assert_best(sources, machines, use_of("nfs", 2, 0), 0, ATM_FIT_GOOD); /* the user's */
    assert_best(sources, machines, use_of("nfs", 16, 0), 4, ATM_FIT_GOOD);
    assert_best(sources, machines, use_of("lustre", 3, 0), 2, ATM_FIT_GOOD);
    assert_best(sources, machines, use_of("lustre", 10, 0), 3, ATM_FIT_GOOD);
    assert_best(sources, machines, use_of("lustre", 65, 0), 1, ATM_FIT_NOT_KNOWN);
    assert_best(sources, machines, use_of(NULL, 0, 0), 0, ATM_FIT_NOT_COMPARED);
}

static void test_built_in(void **state)
{
    const atm_installed list = {.source = ATM_SOURCE_BUILT_IN};
    const atm_use use = {.file_system = "lustre", .nodes = 2};
    atm_profile *profile;
    atm_fit fit = {.fits = ATM_FIT_BAD};

    (void) state;
    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    assert_int_equal(
        atm_installed_best(&list, (const atm_profile *const *) &profile, 1, &use, &fit), 0);
    assert_int_equal(fit.fits, ATM_FIT_NOT_COMPARED);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit),
                                       cmocka_unit_test(test_doubt),
                                       cmocka_unit_test(test_fit_of_identity),
                                       cmocka_unit_test(test_fit_of_drivers),
                                       cmocka_unit_test(test_not_known),
                                       cmocka_unit_test(test_file_systems),
                                       cmocka_unit_test(test_list),
                                       cmocka_unit_test(test_too_long),
                                       cmocka_unit_test(test_best),
                                       cmocka_unit_test(test_built_in)};

    return cmocka_run_group_tests(tests, set_up, clear);
}
