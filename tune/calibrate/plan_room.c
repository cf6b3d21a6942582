/* How large files may be, and which points that leaves out. */

#include "plan.h"

/* bytes of a file for each second and node: most that is worth writing */
#define BUDGET_RATE 27e6

/* A file that is written, and one to read for each number of stripes. */
int plan_files(const plan_job *job)
{
    int files = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        atm_operation operation = (atm_operation) i;

        if ((job->only >> i & 1) == 0 || !plan_is_storage(operation))
            continue;
        if (plan_is_read(operation))
            return plan_stripe_counts(job) + 1;
        files = 1;
    }
    return files;
}

uint64_t plan_file_bytes(const plan_job *job, double budget, uint64_t room, plan_bound *bound_p)
{
    double bytes = 4.0 * (double) job->memory * job->nodes;
    int files = plan_files(job);
    plan_bound bound = PLAN_BY_MEMORY;

    if (budget > 0 && bytes > budget * BUDGET_RATE * job->nodes) {
        bytes = budget * BUDGET_RATE * job->nodes;
        bound = PLAN_BY_BUDGET;
    }
    if (files > 0 && bytes > (double) (room / (uint64_t) files)) {
        bytes = (double) (room / (uint64_t) files);
        bound = PLAN_BY_ROOM;
    }
    *bound_p = bound;
    return (uint64_t) bytes;
}

atm_status plan_find_missing(const plan_job *job, plan_missing *missing_p)
{
    plan_job rich = *job;
    plan_missing missing = {0};
    plan all;
    atm_status status;

    rich.memory = rich.disk = UINT64_MAX / 2;
    status = plan_make(&rich, &all);
    if (status != ATM_OK)
        return status;
    missing.possible = all.count;
    for (int i = 0; i < all.count; i++) {
        const plan_point *point = &all.points[i];

        if (plan_needs_memory(job, point) > (double) job->memory)
            missing.by_memory++;
        else if (plan_disk(point) > (double) job->disk)
            missing.by_disk++;
        else
            missing.has |= 1u << point->operation;
    }
    plan_clear(&all);
    *missing_p = missing;
    return ATM_OK;
}
