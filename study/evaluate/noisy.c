/* The driver's modes after noisy calibrations. */

#include "noisy.h"

#include <stdlib.h>
#include <string.h>

#include "hybrid.h"
#include "noise.h"
#include "common/rng.h"

enum { VISITS = 2 };

static const double sigmas[STUDY_NOISY] = {0, 0.1, 0.5};

/* --- points */

static void visit(double sigma, uint64_t *random, points_point *point, double *means)
{
    const double seconds = point->seconds;

    point->seconds = 0;
    for (int i = 0; i < VISITS; i++) {
        means[i] = noise_add(seconds, sigma, random);
        point->seconds += means[i] / VISITS;
    }
    point->median = point->seconds;
    point->spread = 0;
    point->visit_count = point->repetitions = VISITS;
    point->visit_means = means;
    point->outliers = 0;
}

/* A copy that shares all but points and their visits; free_points. */
static atm_status noisy_points(const points *clean, double sigma, uint64_t *random, points *noisy)
{
    double *means = malloc((size_t) clean->count * VISITS * sizeof(*means));

    *noisy = *clean;
    noisy->at = malloc((size_t) clean->count * sizeof(*noisy->at));
    if (means == NULL || noisy->at == NULL) {
        free(means);
        free(noisy->at);
        return ATM_NO_MEMORY;
    }
    memcpy(noisy->at, clean->at, (size_t) clean->count * sizeof(*noisy->at));
    for (int i = 0; i < clean->count; i++)
        visit(sigma, random, &noisy->at[i], means + (size_t) i * VISITS);
    return ATM_OK;
}

static void free_points(points *noisy)
{
    free(noisy->at[0].visit_means);
    free(noisy->at);
}

/* --- one training */

static void pick_all(const study *study, const atm_profile *profile, int training, study_noisy *out)
{
    for (int i = 0; i < study->instances; i++) {
        study_pick(study, &out->automatic, training, i,
                   hybrid_choose(study, i, profile, ATM_AUTOMATIC));
        study_pick(study, &out->enable, training, i, hybrid_choose(study, i, profile, ATM_ENABLE));
    }
}

static atm_status run_one(study *study, int which, int training, atm_message *message)
{
    uint64_t random =
        rng_split(study->options.seed + (uint64_t) training, (uint64_t) (2000 + which));
    study_hybrid hybrid = {.result = NULL};
    points noisy;
    atm_status status = noisy_points(study->used, sigmas[which], &random, &noisy);

    if (status != ATM_OK)
        return status;
    progress_step(study->options.progress, "%s: training with noise %g, %d of %d",
                  study->sweep->name, sigmas[which], training + 1, study->options.noisy);
    status = hybrid_learn(study, &noisy, training, message, &hybrid);
    if (status == ATM_OK)
        pick_all(study, hybrid.profile, training, &study->noisy[which]);
    hybrid_forget(&hybrid);
    free_points(&noisy);
    return status;
}

/* --- all of them */

atm_status noisy_run(study *study, atm_message *message)
{
    const int trainings = study->options.noisy;
    atm_status status = ATM_OK;

    if (trainings == 0 || study->used == NULL || study->used->count == 0 ||
        strcmp(study->sweep->kind, "simulated") != 0)
        return ATM_OK;
    for (int i = 0; status == ATM_OK && i < STUDY_NOISY; i++) {
        study->noisy[i].sigma = sigmas[i];
        status = study_strategy_make(study, trainings, &study->noisy[i].automatic);
        if (status == ATM_OK)
            status = study_strategy_make(study, trainings, &study->noisy[i].enable);
        for (int k = 0; status == ATM_OK && k < trainings; k++)
            status = run_one(study, i, k, message);
    }
    return status;
}
