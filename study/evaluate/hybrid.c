/* Counting, training and picking with the hybrid model. */

#include "hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- counts */

/* item_count of a configuration that a model cannot count */
enum { UNCOUNTED = -1 };

static atm_status count_all(const sweep_instance *instance, const atm_count_model *model,
                            atm_counts **counts_p)
{
    atm_counts *counts = calloc((size_t) instance->count, sizeof(*counts)); /* study_close */

    if (counts == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < instance->count; i++)
        if (sweep_count(instance, &instance->configs[i].config, model, &counts[i]) != ATM_OK)
            counts[i].item_count = UNCOUNTED;
    *counts_p = counts;
    return ATM_OK;
}

static void mark_operations(const sweep_instance *instance, const atm_counts *counts, bool *needed)
{
    for (int i = 0; i < instance->count; i++)
        for (int k = 0; k < counts[i].item_count; k++)
            needed[counts[i].items[k].operation] = true;
    if (needed[ATM_WRITE_FIRST] || needed[ATM_WRITE_FULL] || needed[ATM_WRITE_PARTIAL] ||
        needed[ATM_WRITE_INDEPENDENT])
        needed[ATM_WRITE_DRAINED] = true; /* through a cache */
}

/* Each operation is learned separately: those that are not used need not be. */
static atm_status use_points(study *study, const bool *needed)
{
    points *used = calloc(1, sizeof(*used)); /* study_close */

    if (used == NULL)
        return ATM_NO_MEMORY;
    *used = *study->points;
    used->count = 0;
    used->at = calloc((size_t) study->points->count + 1, sizeof(*used->at));
    study->used = used;
    if (used->at == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < study->points->count; i++)
        if (needed[study->points->at[i].operation])
            used->at[used->count++] = study->points->at[i];
    return ATM_OK;
}

atm_status hybrid_count(study *study, atm_message *message)
{
    bool needed[ATM_OPERATION_COUNT] = {false};
    const atm_count_model *isaila = atm_count_model_by_name("isaila");
    atm_status status = ATM_OK;

    (void) message;
    study->counts = calloc((size_t) study->instances, sizeof(*study->counts));
    study->isaila = calloc((size_t) study->instances, sizeof(*study->isaila));
    if (study->counts == NULL || study->isaila == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; status == ATM_OK && i < study->instances; i++) {
        const sweep_instance *instance = &study->sweep->instances[i];

        status = count_all(instance, NULL, &study->counts[i]);
        if (status == ATM_OK)
            status = count_all(instance, isaila, &study->isaila[i]);
        if (status == ATM_OK) {
            mark_operations(instance, study->counts[i], needed);
            mark_operations(instance, study->isaila[i], needed);
        }
    }
    if (status == ATM_OK && study->points != NULL)
        status = use_points(study, needed);
    return status;
}

/* --- training */

/* As the driver would load it: from its text. */
static atm_status load(const atm_value *document, atm_message *message, atm_profile **profile_p)
{
    size_t length;
    char *text;
    atm_status status = atm_value_print(document, &text, &length);

    if (status != ATM_OK)
        return status;
    status = atm_profile_parse(text, length, "trained profile", message, profile_p);
    free(text);
    return status;
}

atm_status hybrid_profile(const train_result *result, atm_value *const *surrogates,
                          atm_message *message, atm_profile **profile_p)
{
    train_operation operations[ATM_OPERATION_COUNT];
    train_result changed = *result;
    atm_value *document;
    atm_status status;

    for (int i = 0; i < result->operation_count; i++) {
        operations[i] = result->operations[i];
        if (surrogates != NULL)
            operations[i].surrogate = surrogates[i];
    }
    changed.operations = operations;
    status = train_profile(&changed, message, &document);
    if (status != ATM_OK)
        return status;
    status = load(document, message, profile_p);
    atm_value_destroy(document);
    return status;
}

atm_status hybrid_learn(const study *study, points *from, int repetition, atm_message *message,
                        study_hybrid *hybrid)
{
    train_options options = {.seed = study->options.seed + (uint64_t) repetition,
                             .threads = study->options.threads,
                             .criterion = TRAIN_LOG,
                             .progress = progress_show,
                             .context = study->options.progress};
    atm_status status = train_run(&from, 1, &options, message, &hybrid->result);

    if (status == ATM_OK)
        status = hybrid_profile(hybrid->result, NULL, message, &hybrid->profile);
    return status;
}

void hybrid_forget(study_hybrid *hybrid)
{
    atm_profile_destroy(hybrid->profile);
    train_destroy(hybrid->result);
}

atm_status hybrid_train(study *study, atm_message *message)
{
    int count = study->options.profile != NULL ? 1 : study->options.repetitions;
    atm_status status = ATM_OK;

    study->hybrids = calloc((size_t) count, sizeof(*study->hybrids)); /* study_close */
    if (study->hybrids == NULL)
        return ATM_NO_MEMORY;
    if (study->options.profile != NULL)
        status = atm_profile_load(study->options.profile, message, &study->hybrids[0].profile);
    for (int i = 0; study->options.profile == NULL && status == ATM_OK && i < count; i++) {
        study->hybrid_count = i + 1; /* to be destroyed also if it is only half made */
        progress_step(study->options.progress, "%s: training hybrid, %d of %d", study->sweep->name,
                      i + 1, count);
        status = hybrid_learn(study, study->used, i, message, &study->hybrids[i]);
    }
    study->hybrid_count = count;
    return status;
}

/* --- picking */

int hybrid_fastest(const study *study, int instance, const atm_counts *counts,
                   const atm_profile *profile, double *predicted)
{
    int candidates = study->sweep->instances[instance].candidates, best = -1;
    atm_memo *memo = atm_memo_create(profile);
    double least = INFINITY;

    for (int i = 0; i < candidates; i++) {
        atm_prediction prediction = {.seconds = NAN};

        if (counts[i].item_count != UNCOUNTED)
            atm_predict_counts(profile, &counts[i], memo, INFINITY, &prediction);
        if (predicted != NULL)
            predicted[i] = prediction.seconds;
        if (prediction.seconds < least) {
            least = prediction.seconds;
            best = i;
        }
    }
    atm_memo_destroy(memo);
    return best;
}

/* The default first, the others as they come: order[candidates]. */
static void order_candidates(const sweep_instance *instance, int *order)
{
    int place = 1;

    order[0] = instance->defaults;
    for (int i = 0; i < instance->candidates; i++)
        if (i != instance->defaults)
            order[place++] = i;
}

int hybrid_choose(const study *study, int instance, const atm_profile *profile, atm_mode mode)
{
    const sweep_instance *of = &study->sweep->instances[instance];
    size_t count = (size_t) of->candidates;
    atm_config *configs = malloc(count * sizeof(*configs));
    atm_counts *counts = malloc(count * sizeof(*counts));
    int *order = malloc(count * sizeof(*order)), pick = -1;
    atm_choice *choice;

    if (configs != NULL && counts != NULL && order != NULL) {
        order_candidates(of, order);
        for (size_t i = 0; i < count; i++) {
            configs[i] = of->configs[order[i]].config;
            counts[i] = study->counts[instance][order[i]];
        }
        atm_request request = {.driver = of->driver,
                               .mode = mode,
                               .job = of->job,
                               .access = of->access,
                               .defaults = configs[0],
                               .whole = true,
                               .among = configs,
                               .among_counts = counts,
                               .among_count = of->candidates};

        if (atm_choose(&request, profile, &choice) == ATM_OK) {
            pick = order[choice->chosen];
            atm_choice_destroy(choice);
        }
    }
    free(order);
    free(counts);
    free(configs);
    return pick;
}
