/* The study of noise. */

#include "noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "black_box.h"
#include "hybrid.h"
#include "train/parallel.h"
#include "common/rng.h"

/* Section VI-D; 0 is the study without noise. */
static const double sigmas[] = {0, 0.001, 0.01, 0.1, 0.5, 1, 2, 3, 4, 5, 6, 7};

enum { SIGMAS = sizeof(sigmas) / sizeof(sigmas[0]) };

double noise_add(double seconds, double sigma, uint64_t *random)
{
    double factor = 1;

    if (sigma > 0)
        do
            factor = 1 + sigma * rng_normal(random);
        while (factor <= 0 || seconds * factor < ATM_SECONDS_MIN);
    return fmin(seconds * factor, ATM_SECONDS_MAX);
}

typedef struct source {
    double sigma;
    uint64_t random;
} source;

static double noisy(void *source_, const points_point *point)
{
    source *s = source_;

    return noise_add(point->seconds, s->sigma, &s->random);
}

/* --- one repetition of one sigma */

typedef struct noise_work {
    study *study;
    int repetitions;
    study_strategy hybrid[SIGMAS], ml[SIGMAS];
    atm_status *status; /* [SIGMAS * repetitions] */
} noise_work;

static source source_of(const study *study, int sigma, int repetition, int which)
{
    return (source){sigmas[sigma], rng_split(study->options.seed + (uint64_t) repetition,
                                             (uint64_t) (1000 + 10 * sigma + which))};
}

static atm_status do_hybrid(const study *study, int sigma, int repetition, study_strategy *out)
{
    const train_result *result = study->hybrids[repetition].result;
    atm_value *surrogates[ATM_OPERATION_COUNT];
    source s = source_of(study, sigma, repetition, 0);
    atm_profile *profile = NULL;
    atm_message message;
    atm_status status = train_refit(result, noisy, &s, surrogates);

    if (status != ATM_OK)
        return status;
    status = hybrid_profile(result, surrogates, &message, &profile);
    for (int i = 0; i < result->operation_count; i++)
        atm_value_destroy(surrogates[i]);
    for (int i = 0; status == ATM_OK && i < study->instances; i++)
        study_pick(study, out, repetition, i,
                   hybrid_fastest(study, i, study->counts[i], profile, NULL));
    atm_profile_destroy(profile);
    return status;
}

static atm_status do_ml(const study *study, int sigma, int repetition, study_strategy *out)
{
    const study_box *box = &study->boxes[0][repetition];
    source s = source_of(study, sigma, repetition, 1);
    atm_surrogate *model = NULL;
    atm_value *surrogate;
    atm_status status = train_refit(box->result, noisy, &s, &surrogate);

    if (status != ATM_OK)
        return status;
    status = atm_surrogate_read(surrogate, NULL, &model);
    atm_value_destroy(surrogate);
    for (int i = 0; status == ATM_OK && i < study->instances; i++)
        study_pick(study, out, repetition, i, black_box_pick(study, i, model));
    atm_surrogate_destroy(model);
    return status;
}

static double work_one(void *work_, int index)
{
    noise_work *work = work_;
    int sigma = index / work->repetitions, repetition = index % work->repetitions;
    atm_status status = ATM_OK;

    if (work->hybrid[sigma].repetitions > 0)
        status = do_hybrid(work->study, sigma, repetition, &work->hybrid[sigma]);
    if (status == ATM_OK && work->ml[sigma].repetitions > 0)
        status = do_ml(work->study, sigma, repetition, &work->ml[sigma]);
    work->status[index] = status;
    return 1;
}

/* --- all of them */

static double same_share(const study *study, const study_strategy *one, const study_strategy *other)
{
    int all = one->repetitions * study->instances, same = 0;

    for (int i = 0; i < all; i++)
        same += one->picks[i] == other->picks[i];
    return all > 0 ? (double) same / all : NAN;
}

static atm_status summarise(const noise_work *work, int sigma, study_noise *noise)
{
    study_summary summary;

    *noise = (study_noise){.sigma = sigmas[sigma],
                           .hybrid_same =
                               same_share(work->study, &work->hybrid[sigma], &work->hybrid[0]),
                           .ml_same = same_share(work->study, &work->ml[sigma], &work->ml[0])};
    if (work->hybrid[sigma].repetitions > 0) {
        study_summarise(work->study, &work->hybrid[sigma], &summary);
        noise->hybrid = summary.speedup;
    }
    if (work->ml[sigma].repetitions > 0) {
        study_summarise(work->study, &work->ml[sigma], &summary);
        noise->ml = summary.speedup;
    }
    return ATM_OK;
}

static void work_all(noise_work *work)
{
    const study *study = work->study;
    int count = SIGMAS * work->repetitions;
    parallel crew = {.threads = study->options.threads,
                     .progress = progress_show,
                     .context = study->options.progress,
                     .all = count};

    progress_step(study->options.progress, "%s: noise, %d trainings", study->sweep->name, count);
    parallel_run(&crew, count, work_one, work);
}

static atm_status make_room(noise_work *work)
{
    const study *study = work->study;
    bool hybrid = study->hybrid_count > 0 && study->hybrids[0].result != NULL;
    bool ml = study->no_ml == NULL && study->box_count > 0;
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < SIGMAS; i++) {
        if (hybrid)
            status = study_strategy_make(study, work->repetitions, &work->hybrid[i]);
        if (status == ATM_OK && ml)
            status = study_strategy_make(study, work->repetitions, &work->ml[i]);
    }
    work->status = calloc((size_t) (SIGMAS * work->repetitions), sizeof(*work->status));
    return work->status != NULL ? status : ATM_NO_MEMORY;
}

atm_status noise_run(study *study, atm_message *message)
{
    noise_work work = {.study = study, .repetitions = study->options.repetitions};
    atm_status status = make_room(&work);

    (void) message;
    study->noise = calloc(SIGMAS, sizeof(*study->noise)); /* study_close */
    if (status == ATM_OK && study->noise == NULL)
        status = ATM_NO_MEMORY;
    if (status == ATM_OK)
        work_all(&work);
    for (int i = 0; status == ATM_OK && i < SIGMAS * work.repetitions; i++)
        status = work.status[i];
    for (int i = 0; status == ATM_OK && i < SIGMAS; i++)
        status = summarise(&work, i, &study->noise[i]);
    study->noise_count = status == ATM_OK ? SIGMAS : 0;
    for (int i = 0; i < SIGMAS; i++) {
        study_strategy_clear(&work.hybrid[i]);
        study_strategy_clear(&work.ml[i]);
    }
    free(work.status);
    return status;
}
