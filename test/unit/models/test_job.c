/* Which job a process is part of. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "files/job.h"

static int none(void **state)
{
    (void) state;
    return unsetenv("SLURM_JOB_ID") + unsetenv("PBS_JOBID") + unsetenv(ATM_LAUNCH_VARIABLE);
}

static void nobody_tells(void **state)
{
    (void) state;
    assert_string_equal(atm_job_id(), "");
    setenv("SLURM_JOB_ID", "", 1);
    assert_string_equal(atm_job_id(), "");
}

static void the_batch_system_comes_first(void **state)
{
    (void) state;
    setenv(ATM_LAUNCH_VARIABLE, "run-1f", 1);
    assert_string_equal(atm_job_id(), "run-1f");
    setenv("PBS_JOBID", "12.server", 1);
    assert_string_equal(atm_job_id(), "12.server");
    setenv("SLURM_JOB_ID", "", 1);
    assert_string_equal(atm_job_id(), "12.server");
    setenv("SLURM_JOB_ID", "77", 1);
    assert_string_equal(atm_job_id(), "77");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nobody_tells, none),
        cmocka_unit_test_setup(the_batch_system_comes_first, none),
    };

    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
