/* The driver's choice of an order, on pairs of runs that differ in nothing else. */

#include "placing.h"

#include <math.h>

enum { BRIDGE_FIRST, NEAR, UNIFORM, BLUEGENE, CONDITIONS };

static const char *const conditions[CONDITIONS] = {
    [NEAR] = SWEEP_NEAR, [UNIFORM] = SWEEP_UNIFORM, [BLUEGENE] = SWEEP_BLUEGENE};

/* Times of a configuration under every condition; false if one was not measured. */
static bool find_times(const sweep_instance *instance, const atm_config *config, double *seconds)
{
    for (int i = 0; i < CONDITIONS; i++) {
        const sweep_config *run = sweep_under(instance, config, conditions[i]);

        if (run == NULL)
            return false;
        seconds[i] = run->times.median;
    }
    return true;
}

/* The condition whose order the driver would choose; -1: none. */
static int choose(const sweep_instance *instance, const atm_config *config,
                  const atm_profile *profile)
{
    atm_config among[2] = {*config, *config}; /* ROMIO's own order first: the default */
    atm_counts counts[2];
    atm_request request = {.driver = instance->driver,
                           .mode = ATM_ENABLE,
                           .job = instance->job,
                           .access = instance->access,
                           .among = among,
                           .among_counts = counts,
                           .among_count = 2};
    atm_choice *choice;
    int chosen;

    among[0].order = ATM_BY_DATA;
    among[1].order = ATM_BY_PSET;
    request.defaults = among[0];
    for (int i = 0; i < 2; i++)
        if (sweep_count(instance, &among[i], NULL, &counts[i]) != ATM_OK)
            return -1;
    if (atm_choose(&request, profile, &choice) != ATM_OK)
        return -1;
    chosen = choice->chosen == 0 ? NEAR : BRIDGE_FIRST;
    atm_choice_destroy(choice);
    return chosen;
}

static void add(study_placing_row *row, double seconds, const double *all)
{
    double best = INFINITY;

    for (int i = 0; i < CONDITIONS; i++)
        best = fmin(best, all[i]);
    row->best += log(seconds / best);
    row->best_worst = fmax(row->best_worst, seconds / best);
    row->uniform += log(seconds / all[UNIFORM]);
    row->uniform_worst = fmax(row->uniform_worst, seconds / all[UNIFORM]);
    row->count++;
}

static void finish(study_placing_row *row)
{
    row->best = exp(row->best / row->count);
    row->uniform = exp(row->uniform / row->count);
}

static void add_config(study *study, const sweep_instance *instance, const atm_config *config)
{
    study_placing *placing = &study->placing;
    double seconds[CONDITIONS];

    if (!find_times(instance, config, seconds))
        return;
    placing->pairs++;
    for (int i = 0; i < STUDY_FIXED_ORDERS; i++)
        add(&placing->fixed[i], seconds[i], seconds);
    for (int r = 0; r < study->hybrid_count; r++) {
        int chosen = choose(instance, config, study->hybrids[r].profile);

        if (chosen >= 0)
            add(&placing->chosen, seconds[chosen], seconds);
    }
}

atm_status placing_run(study *study)
{
    study_placing *placing = &study->placing;

    for (int i = 0; i < study->instances; i++)
        for (int k = 0; k < study->sweep->instances[i].candidates; k++)
            add_config(study, &study->sweep->instances[i],
                       &study->sweep->instances[i].configs[k].config);
    if (placing->pairs == 0)
        return ATM_OK;
    for (int i = 0; i < STUDY_FIXED_ORDERS; i++)
        finish(&placing->fixed[i]);
    finish(&placing->chosen);
    return ATM_OK;
}
