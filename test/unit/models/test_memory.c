/*
 * Every allocation of the library fails once while profiles and advice are loaded and while
 * the topology of a job is found, and every one of json-c's too while they are printed and
 * saved: ATM_NO_MEMORY, nothing else, and (under a leak checker) nothing lost.  Linked
 * with --wrap for malloc, calloc, realloc and strdup, which sees the library's own.
 *
 * json-c does not live through a failed allocation while it parses; that is why
 * the library asks before whether there is enough: little_memory.
 */

#include "memory_help.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "advice/advice.h"
#include "files/profile.h"
#include "place/where.h"

static char path[1024];

static void load(void **state)
{
    atm_profile *profile = NULL;
    atm_message message;

    (void) state;
    FAIL_EACH(atm_profile_load(path, &message, &profile), atm_profile_destroy(profile));
    FAIL_EACH(atm_profile_generic(&message, &profile), atm_profile_destroy(profile));
}

static void advice(void **state)
{
    static const char text[] =
        "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
        "{\"match\": {\"program\": \"p\", \"user\": \"u\", \"file\": \"f\"}, "
        "\"set\": {\"cb_nodes\": 1}}, {\"match\": {\"user\": \"u\"}, "
        "\"set\": {\"cb_nodes\": 2}}]}";
    atm_advice *found = NULL;

    (void) state;
    FAIL_EACH(atm_advice_parse(text, strlen(text), "a.json", NULL, &found),
              atm_advice_destroy(found));
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
    everybody = true;
    FAIL_EACH(atm_profile_print(profile, &text, &length), free(text));
    FAIL_EACH(atm_profile_save(profile, saved, &message), unlink(saved));
    everybody = false;
    atm_profile_destroy(profile);
}

/* A text in a process that may have so many bytes: 0 if it was read, 1 if there was
 * no memory, 2 for anything else */
static int parse_within(const char *text, rlim_t bytes)
{
    struct rlimit limit = {bytes, bytes};
    atm_value *root;
    pid_t child = fork();
    int status;

    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* cmocka would go on with the next test */
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(2);
        status = atm_value_parse(text, strlen(text), "t", NULL, &root);
        _exit(status == ATM_OK ? 0 : status == ATM_NO_MEMORY ? 1 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* Most of the memory is for keys. */
static void little_memory(void **state)
{
    enum { OBJECTS = 3000, MIB = 1024 * 1024 };
    char *text = malloc(2048 * OBJECTS), *at = text;
    int seen[3] = {0};

    (void) state;
    assert_non_null(text);
    at += sprintf(at, "[0");
    for (int i = 0; i < OBJECTS; i++)
        at += sprintf(at, ", {\"%02000d\": 1}", i);
    strcpy(at, "]");
    for (rlim_t mib = 8; mib <= 128; mib += 2)
        seen[parse_within(text, mib * MIB)]++;
    free(text);
    assert_true(seen[2] == 0 && seen[0] > 0);
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
        cmocka_unit_test(advice),
        cmocka_unit_test(print_and_save),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(topology_of_job),
    };
    const char *top = getenv("top_srcdir");

    snprintf(path, sizeof(path), "%s/test/unit/models/data/profiles/good/models.json",
             top ? top : ".");
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
