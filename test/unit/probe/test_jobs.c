/* Features of jobs, from what squeue and qstat print. */

#include <fcntl.h>
#include <unistd.h>

#include "help.h"
#include "probe/jobs.h"

static void test_times(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } times[] = {{"2-03:04:05", 183845},
                 {"1-00:00:00", 86400},
                 {"03:04:05", 11045},
                 {"4:05", 245},
                 {"0:00", 0},
                 {"1-02", 93600},
                 {"UNLIMITED", 0},
                 {"N/A", 0},
                 {"100:00:00", 360000}};
    static const char *const wrong[] = {"", "x", "1:2:3:4", "1-2-3", ":", "1:", "-1:00", "1:x"};
    double seconds = -1;

    (void) state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        assert_true(jobs_parse_time(times[i].text, &seconds));
        assert_true(seconds == times[i].seconds);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(jobs_parse_time(wrong[i], &seconds));
}

static void test_memory(void **state)
{
    static const struct {
        const char *text;
        double bytes;
    } sizes[] = {{"64G", 68719476736.0},
                 {"1.50T", 1649267441664.0},
                 {"200kb", 204800},
                 {"5b", 5},
                 {"0", 0},
                 {"3", 3145728},
                 {"500M", 524288000},
                 {"12345kb", 12641280}};
    static const char *const wrong[] = {"", "G", "x", "1Q", "1GG", "-1G", "nan"};
    double bytes;

    (void) state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_true(jobs_parse_memory(sizes[i].text, 1 << 20, &bytes));
        assert_true(bytes == sizes[i].bytes);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(jobs_parse_memory(wrong[i], 1, &bytes));
}

static void assert_features(const jobs_features *features, const double want[JOBS_FEATURES])
{
    for (int i = 0; i < JOBS_FEATURES; i++)
        if (features->value[i] != want[i])
            fail_msg("%s is %g, not %g", jobs_names[i], features->value[i], want[i]);
}

#define GIB 1073741824.0

static const char squeue[] =
    "batch           12000  1:00:00     24:00:00    cpu=1,mem=250G,node=12000,billing=1     \n"
    "batch           3750   8:00:00     1-00:00:00  cpu=1,mem=100G,node=3750               \n"
    "batch           313    23:59:59    1-00:00:00  mem=1G                                 \n"
    "debug           126    0:30        30:00       N/A                                    \n"
    "gpu             125    0:00        UNLIMITED   cpu=2,node=125,gres/gpu=4              \n";

static void test_slurm(void **state)
{
    static const double want[] = {5, 3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 351 * GIB, 351 * GIB};
    jobs_site site;
    jobs_features features;
    atm_message message = {""};

    (void) state;
    jobs_site_default(&site);
    assert_int_equal(jobs_parse_slurm(squeue, &site, "squeue", &message, &features), ATM_OK);
    assert_features(&features, want);
    assert_int_equal(jobs_parse_slurm("", &site, "squeue", &message, &features), ATM_OK);
    assert_features(&features, (double[JOBS_FEATURES]){0});
}

static void test_slurm_wrong(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {{"batch 3\n", "squeue: line 1: has fewer than 4 columns"},
                 {"batch 3 1:00 2:00\nbatch x 1:00 2:00\n", "line 2: nodes: x is no number"},
                 {"batch 3\033[1m 1:00 2:00\n", "nodes: 3?[1m is no number"},
                 {"batch 3 later 2:00\n", "time used: later is no time"},
                 {"batch 3 1:00 soon\n", "time limit: soon is no time"},
                 {"batch 3 1:00 2:00 mem=much\n", "memory: mem=much is no size"}};
    jobs_site site;
    jobs_features features = {{42}};

    (void) state;
    jobs_site_default(&site);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        atm_message message = {""};

        assert_int_equal(jobs_parse_slurm(wrong[i].text, &site, "squeue", &message, &features),
                         ATM_BAD_FILE);
        assert_non_null(strstr(message.text, wrong[i].message));
        assert_true(features.value[0] == 42);
    }
}

static const char qstat[] = "Job Id: 4711.server\n"
                            "    Job_Name = run\n"
                            "    resources_used.mem = 1048576kb\n"
                            "    resources_used.vmem = 2097152kb\n"
                            "    resources_used.walltime = 05:00:00\n"
                            "    job_state = R\n"
                            "    queue = batch\n"
                            "    exec_host = nid1/0*16+nid2/0*16+\n"
                            "\tnid3/0*16\n"
                            "    Resource_List.nodect = 200\n"
                            "    Resource_List.nodes = 200:ppn=16\n"
                            "    Resource_List.walltime = 06:00:00\n"
                            "    Variable_List = PBS_O_HOME=/home/u,queue = debug,\n"
                            "\tjob_state = Q\n"
                            "\n"
                            "Job Id: 4712.server\n"
                            "    job_state = Q\n"
                            "    queue = batch\n"
                            "    Resource_List.nodect = 9000\n"
                            "\n"
                            "Job Id: 4713.server\n"
                            "    job_state = R\n"
                            "    queue = debug\n"
                            "    Resource_List.nodes = 4:ppn=16+2:ppn=8\n"
                            "    Resource_List.walltime = 00:30:00\n";

static void test_pbs(void **state)
{
    static const double want[] = {2, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 2 * GIB, GIB};
    jobs_site site;
    jobs_features features;
    atm_message message = {""};

    (void) state;
    jobs_site_default(&site);
    assert_int_equal(jobs_parse_pbs(qstat, &site, "qstat", &message, &features), ATM_OK);
    assert_features(&features, want);
    assert_int_equal(jobs_parse_pbs("", &site, "qstat", &message, &features), ATM_OK);
    assert_int_equal(jobs_parse_pbs("Job Id: 1\n    resources_used.mem = much\n", &site, "qstat",
                                    &message, &features),
                     ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "qstat: line 2: resources_used.mem: is no time or size"));
}

static const char *written(const char *text)
{
    static char path[] = "/tmp/autotune-site.XXXXXX";
    int file;

    strcpy(path + sizeof(path) - 7, "XXXXXX");
    file = mkstemp(path);
    assert_int_equal(write(file, text, strlen(text)), (int) strlen(text));
    close(file);
    return path;
}

#define SITE "{\"format\": \"romio-autotune-site\", \"version\": 1, "

static void test_site(void **state)
{
    jobs_site site;
    jobs_job job = {.queue = "long", .nodes = 64};
    jobs_features features = {{0}};
    atm_message message = {""};
    const char *path = written(SITE "\"batch\": [\"normal\", \"long\"], \"debug\": [], \"nodes\": "
                                    "{\"extra_large\": 256, \"large\": 64, \"medium\": 16, "
                                    "\"small\": 4}}");

    (void) state;
    assert_int_equal(jobs_site_read(path, &message, &site), ATM_OK);
    unlink(path);
    jobs_add(&features, &site, &job);
    assert_true(features.value[JOBS_BATCH] == 1 && features.value[JOBS_LARGE] == 1);
}

static void test_site_wrong(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {{SITE "\"batch\": 3, \"debug\": [], \"nodes\": {}}", "batch"},
                 {SITE "\"batch\": [], \"debug\": [], \"nodes\": {\"large\": 3}}", "extra_large"},
                 {SITE
                  "\"batch\": [], \"debug\": [], \"nodes\": {\"extra_large\": 3, \"large\": 4, "
                  "\"medium\": 1, \"small\": 1}}",
                  "large: is more than extra_large"},
                 {SITE "\"batch\": [], \"debug\": [], \"queues\": [], \"nodes\": {}}", "queues"},
                 {"[]", "must be"}};
    jobs_site site;

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        atm_message message = {""};
        const char *path = written(wrong[i].text);

        assert_int_equal(jobs_site_read(path, &message, &site), ATM_BAD_FILE);
        unlink(path);
        if (strstr(message.text, wrong[i].message) == NULL)
            fail_msg("%s does not have %s", message.text, wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_slurm),      cmocka_unit_test(test_slurm_wrong),
        cmocka_unit_test(test_pbs),        cmocka_unit_test(test_site),
        cmocka_unit_test(test_site_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
