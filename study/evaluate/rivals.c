/* The table of strategies. */

#include "strategies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baselines.h"
#include "black_box.h"
#include "hybrid.h"
#include "common/rng.h"

typedef struct strategy {
    const char *name, *summary;
    /* 0 if it is not available; *why_not_p gets a sentence that the study owns. */
    int (*repetitions)(const study *study, const char **why_not_p);
    /* -1: no answer. */
    int (*pick)(const study *study, int repetition, int instance, uint64_t *random);
} strategy;

/* --- without a model */

static int once(const study *study, const char **why_not_p)
{
    (void) study;
    (void) why_not_p;
    return 1;
}

static int as_asked(const study *study, const char **why_not_p)
{
    (void) why_not_p;
    return study->options.repetitions;
}

static int pick_default(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) repetition;
    (void) random;
    return study->sweep->instances[instance].defaults;
}

/* Section VI-B: "chosen uniformly at random", the default among them. */
static int pick_random(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) repetition;
    return rng_below(random, study->sweep->instances[instance].candidates);
}

static int pick_best(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) repetition;
    (void) random;
    return study->sweep->instances[instance].best;
}

/* --- with one */

static int as_boxes(const study *study, const char **why_not_p)
{
    *why_not_p = study->no_ml;
    return study->no_ml == NULL ? study->box_count : 0;
}

static int pick_ml(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) random;
    return black_box_pick(study, instance, study->boxes[0][repetition].model);
}

static int as_hybrids(const study *study, const char **why_not_p)
{
    (void) why_not_p;
    return study->hybrid_count;
}

static int pick_hybrid(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) random;
    return hybrid_fastest(study, instance, study->counts[instance],
                          study->hybrids[repetition].profile, NULL);
}

static int pick_isaila(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) random;
    return hybrid_fastest(study, instance, study->isaila[instance],
                          study->hybrids[repetition].profile, NULL);
}

static int pick_automatic(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) random;
    return hybrid_choose(study, instance, study->hybrids[repetition].profile, ATM_AUTOMATIC);
}

static int pick_enable(const study *study, int repetition, int instance, uint64_t *random)
{
    (void) random;
    return hybrid_choose(study, instance, study->hybrids[repetition].profile, ATM_ENABLE);
}

static const strategy table[] = {
    {"default", "ROMIO's own", once, pick_default},
    {"rs", "one configuration at random", as_asked, pick_random},
    {"ml", "black box, learned from a third of the runs themselves", as_boxes, pick_ml},
    {"hybrid", "operations counted from ROMIO's code x learned cost of each", as_hybrids,
     pick_hybrid},
    {"hybrid-isaila", "the same with the paper's equations as counts", as_hybrids, pick_isaila},
    {"automatic", "the driver's choice in mode automatic", as_hybrids, pick_automatic},
    {"enable", "the driver's choice in mode enable", as_hybrids, pick_enable},
    {"optimal", "the best of the sweep", once, pick_best},
};

enum { TABLE = sizeof(table) / sizeof(table[0]) };

/* --- running them */

void study_pick(const study *study, study_strategy *strategy, int repetition, int instance,
                int index)
{
    int at = repetition * study->instances + instance;

    strategy->picks[at] = index;
    strategy->seconds[at] =
        index >= 0 ? study->sweep->instances[instance].configs[index].times.median : NAN;
}

atm_status study_strategy_make(const study *study, int repetitions, study_strategy *strategy)
{
    size_t all = (size_t) (repetitions * study->instances);

    strategy->picks = calloc(all, sizeof(*strategy->picks)); /* study_strategy_clear */
    strategy->seconds = calloc(all, sizeof(*strategy->seconds));
    if (strategy->picks == NULL || strategy->seconds == NULL)
        return ATM_NO_MEMORY;
    strategy->repetitions = repetitions;
    for (int i = 0; i < repetitions * study->instances; i++) {
        strategy->picks[i] = -1;
        strategy->seconds[i] = NAN;
    }
    return ATM_OK;
}

void study_strategy_clear(study_strategy *strategy)
{
    free(strategy->picks);
    free(strategy->seconds);
    free(strategy->why_not);
    free(strategy->note);
}

static atm_status run_one(const study *study, int number, study_strategy *out)
{
    const strategy *strategy = &table[number];
    const char *why_not = NULL;
    int repetitions = strategy->repetitions(study, &why_not);
    atm_status status;

    out->name = strategy->name;
    out->summary = strategy->summary;
    if (repetitions == 0) {
        out->why_not = strdup(why_not != NULL ? why_not : "");
        return out->why_not != NULL ? ATM_OK : ATM_NO_MEMORY;
    }
    status = study_strategy_make(study, repetitions, out);
    for (int r = 0; status == ATM_OK && r < repetitions; r++) {
        uint64_t random = rng_split(study->options.seed + (uint64_t) r, (uint64_t) number + 1);

        for (int i = 0; i < study->instances; i++)
            study_pick(study, out, r, i, strategy->pick(study, r, i, &random));
    }
    return status;
}

/* --- what ran on the ground itself */

static atm_status add_driver(const study *study, study_strategy *out, bool *found_p)
{
    atm_status status = study_strategy_make(study, 1, out);

    out->name = "driver";
    out->summary = "what the driver chose when it ran there in mode automatic";
    *found_p = false;
    for (int i = 0; status == ATM_OK && i < study->instances; i++) {
        const sweep_instance *instance = &study->sweep->instances[i];

        if (!instance->has_choice)
            continue;
        *found_p = true;
        out->seconds[i] = instance->choice.times.median;
    }
    return status;
}

static bool is_rule(const sweep_config *config)
{
    return config->variant != NULL && !sweep_is_condition(config->variant);
}

/* The driver's other mode is no rule, though sweeps have its runs among them. */
static const char *name_of_rule(const char *variant)
{
    return strcmp(variant, "enable") == 0 ? "driver-enable" : variant;
}

static atm_status add_rule_runs(const study *study, const char *name, study_strategy *out)
{
    atm_status status = study_strategy_make(study, 1, out);

    out->name = name_of_rule(name);
    out->summary = out->name == name ? "a rule that was run beside the sweep"
                                     : "what the driver chose when it ran there in mode enable";
    for (int i = 0; status == ATM_OK && i < study->instances; i++) {
        const sweep_instance *instance = &study->sweep->instances[i];

        for (int k = instance->candidates; k < instance->count; k++)
            if (is_rule(&instance->configs[k]) && strcmp(instance->configs[k].variant, name) == 0)
                study_pick(study, out, 0, i, k);
    }
    return status;
}

static bool is_known(const study *study, const char *name)
{
    for (int i = 0; i < study->strategy_count; i++)
        if (strcmp(study->strategies[i].name, name) == 0)
            return true;
    return false;
}

static study_strategy *grow(study *study)
{
    size_t size = (size_t) (study->strategy_count + 1) * sizeof(*study->strategies);
    study_strategy *more = realloc(study->strategies, size); /* study_close */

    if (more == NULL)
        return NULL;
    study->strategies = more;
    more += study->strategy_count++;
    *more = (study_strategy){.repetitions = 0};
    return more;
}

static atm_status add_rules(study *study)
{
    atm_status status = ATM_OK;

    for (int i = 0; i < study->instances; i++) {
        const sweep_instance *instance = &study->sweep->instances[i];

        for (int k = instance->candidates; status == ATM_OK && k < instance->count; k++) {
            const char *name = instance->configs[k].variant;
            study_strategy *strategy;

            if (!is_rule(&instance->configs[k]) || is_known(study, name_of_rule(name)))
                continue;
            strategy = grow(study);
            if (strategy != NULL)
                strategy->name = ""; /* until it is filled: is_known looks at it */
            status = strategy != NULL ? add_rule_runs(study, name, strategy) : ATM_NO_MEMORY;
        }
    }
    return status;
}

atm_status strategies_run(study *study)
{
    atm_status status = ATM_OK;
    bool found;

    for (int i = 0; status == ATM_OK && i < TABLE; i++) {
        study_strategy *strategy = grow(study);

        status = strategy != NULL ? run_one(study, i, strategy) : ATM_NO_MEMORY;
    }
    for (int i = 0; status == ATM_OK && i < baselines_count(); i++) {
        study_strategy *strategy = grow(study);

        status = strategy != NULL ? baselines_run(study, i, strategy) : ATM_NO_MEMORY;
    }
    if (status == ATM_OK) {
        study_strategy *driver = grow(study);

        status = driver != NULL ? add_driver(study, driver, &found) : ATM_NO_MEMORY;
        if (status == ATM_OK && !found) {
            study_strategy_clear(driver);
            study->strategy_count--;
        }
    }
    return status == ATM_OK ? add_rules(study) : status;
}

static bool is_trained(const study *study, int size)
{
    for (int i = 0; i < study->box_count; i++)
        if (study->boxes[size][i].model == NULL)
            return false;
    return true;
}

atm_status strategies_fewer(study *study)
{
    atm_status status = ATM_OK;

    for (int size = 0; study->no_ml == NULL && status == ATM_OK && size < STUDY_SIZES; size++) {
        study_strategy *strategy = &study->fewer[size];

        strategy->name = "ml";
        if (!is_trained(study, size))
            continue;
        status = study_strategy_make(study, study->box_count, strategy);
        for (int r = 0; status == ATM_OK && r < study->box_count; r++)
            for (int i = 0; i < study->instances; i++)
                study_pick(study, strategy, r, i,
                           black_box_pick(study, i, study->boxes[size][r].model));
    }
    return status;
}
