/*
 * Every allocation of the library fails once while profiles are loaded, printed
 * and saved, and while the topology of a job is found: ATM_NO_MEMORY, nothing else, and (under a
 * leak checker) nothing lost.  Linked with --wrap for malloc, calloc, realloc and strdup.
 */

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
#include "place/where.h"

static long left = -1; /* allocations until one fails; negative: none does */

static bool fails(void)
{
    return left >= 0 && left-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

/* The n-th time, the n-th allocation of the call fails; done when none did. */
#define FAIL_EACH(call, undo)                                                                      \
    do {                                                                                           \
        atm_status status = ATM_NO_MEMORY;                                                         \
        long tries;                                                                                \
        for (tries = 0; status; tries++) {                                                         \
            left = tries;                                                                          \
            status = call;                                                                         \
            if (left >= 0) /* too few for it to fail */                                            \
                assert_int_equal(status, ATM_OK);                                                  \
            else                                                                                   \
                assert_int_equal(status, ATM_NO_MEMORY);                                           \
            left = -1;                                                                             \
        }                                                                                          \
        assert_true(tries > 3);                                                                    \
        undo;                                                                                      \
    } while (0)

static char path[1024];

static void load(void **state)
{
    atm_profile *profile = NULL;
    atm_message message;

    (void) state;
    FAIL_EACH(atm_profile_load(path, &message, &profile), atm_profile_destroy(profile));
    FAIL_EACH(atm_profile_generic(&message, &profile), atm_profile_destroy(profile));
}

static void print_and_save(void **state)
{
    char saved[] = "/tmp/test_memory.XXXXXX";
    atm_profile *profile;
    atm_message message;
    char *text = NULL;
    size_t length;
    int file = mkstemp(saved);

    (void) state;
    assert_true(file >= 0);
    close(file);
    assert_int_equal(atm_profile_load(path, &message, &profile), ATM_OK);
    FAIL_EACH(atm_profile_print(profile, &text, &length), free(text));
    FAIL_EACH(atm_profile_save(profile, saved, &message), unlink(saved));
    atm_profile_destroy(profile);
}

static atm_status key_twice(void)
{
    static const char text[] = "{\"a\": 1, \"b\": [1, 2], \"a\": 2}";
    atm_value *root;
    atm_status status = atm_value_parse(text, strlen(text), "t", NULL, &root);

    return status == ATM_BAD_FILE ? ATM_OK : status;
}

static void twice(void **state)
{
    (void) state;
    FAIL_EACH(key_twice(), (void) 0);
}

static void topology_of_job(void **state)
{
    static const char *const file_hosts[] = {"a0", "b3", "a0"}, *const slurm_hosts[] = {"n010"};
    char file[1024], conf[1024];
    const char *top = getenv("top_srcdir");
    atm_job_place place = {.ranks = 3, .host = file_hosts, .topology_file = file};
    atm_topology *topology = NULL;
    atm_where where;

    (void) state;
    snprintf(file, sizeof(file), "%s/test/unit/models/data/topologies/four-psets.json",
             top ? top : ".");
    snprintf(conf, sizeof(conf), "%s/test/unit/models/data/topologies/topology.conf",
             top ? top : ".");
    FAIL_EACH(atm_topology_of_job(&place, NULL, &where, &topology), atm_topology_destroy(topology));
    assert_int_equal(where, ATM_WHERE_FILE);
    place = (atm_job_place){.ranks = 1, .host = slurm_hosts, .slurm_conf_topology = conf};
    FAIL_EACH(atm_topology_of_job(&place, NULL, &where, &topology), atm_topology_destroy(topology));
    assert_int_equal(where, ATM_WHERE_SLURM);
    place = (atm_job_place){.ranks = 3, .host = file_hosts};
    FAIL_EACH(atm_topology_of_job(&place, NULL, &where, &topology), atm_topology_destroy(topology));
    assert_int_equal(where, ATM_WHERE_NAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load),
        cmocka_unit_test(print_and_save),
        cmocka_unit_test(twice),
        cmocka_unit_test(topology_of_job),
    };
    const char *top = getenv("top_srcdir");

    snprintf(path, sizeof(path), "%s/test/unit/models/data/profiles/good/models.json",
             top ? top : ".");
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
