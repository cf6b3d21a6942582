/* Studies: opening, running, summarising. */

#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "black_box.h"
#include "hybrid.h"
#include "noise.h"
#include "noisy.h"
#include "place/where.h"
#include "placing.h"
#include "strategies.h"
#include "conditions.h"

/* --- opening */

enum { NOTES_MAX = 65536 };

static char *file_in(const char *path, const char *name)
{
    size_t length = strlen(path);
    char *file = NULL;

    if (asprintf(&file, "%s%s%s", path, length > 0 && path[length - 1] == '/' ? "" : "/", name) < 0)
        return NULL;
    return file;
}

static atm_status read_points(study *study, atm_message *message)
{
    char *file = file_in(study->path, "points.json");
    atm_status status = file != NULL ? ATM_OK : ATM_NO_MEMORY;

    if (status == ATM_OK && access(file, F_OK) == 0) {
        status = points_read(file, message, &study->points);
    } else if (status == ATM_OK && study->options.profile == NULL) {
        snprintf(message->text, sizeof(message->text),
                 "%s: is not there: the hybrid model needs it, or a profile", file);
        status = ATM_BAD_FILE;
    }
    free(file);
    return status;
}

/* notes.txt, if it is there: paragraphs, of which more than NOTES_MAX bytes are
 * left out. */
static atm_status read_notes(study *study)
{
    char *file = file_in(study->path, "notes.txt");
    FILE *notes = file != NULL ? fopen(file, "r") : NULL;

    free(file);
    if (notes == NULL)
        return ATM_OK;
    study->notes = calloc(1, NOTES_MAX + 1); /* study_close */
    if (study->notes != NULL)
        study->notes[fread(study->notes, 1, NOTES_MAX, notes)] = '\0';
    fclose(notes);
    return study->notes != NULL ? ATM_OK : ATM_NO_MEMORY;
}

/* The fewest network adapters that a node of topology.json has, if that is there. */
static atm_status read_nics(study *study, atm_message *message)
{
    char *file = file_in(study->path, "topology.json");
    atm_request request = {.nics = 0};
    atm_topology *topology;
    atm_value *root;
    atm_status status = file != NULL ? ATM_OK : ATM_NO_MEMORY;

    if (status == ATM_OK && access(file, F_OK) == 0) {
        status = atm_value_read(file, message, &root);
        if (status == ATM_OK) {
            status = atm_topology_from_value(root, message, &topology);
            atm_value_destroy(root);
        }
        if (status == ATM_OK) {
            atm_request_set_topology(&request, topology);
            atm_topology_destroy(topology);
        }
    }
    free(file);
    study->nics = request.nics;
    return status;
}

/* GPFS deals blocks out to as many servers as the machine is said to have. */
static void set_servers(study *study)
{
    const atm_value *machine =
        study->points != NULL ? atm_value_find(study->points->root, "machine") : NULL;
    int64_t servers = 0;

    if (machine == NULL || atm_opt_integer(machine, "servers", 0, INT32_MAX, NULL, &servers))
        return;
    study->servers = (int) servers;
    for (int i = 0; i < study->instances; i++)
        for (int k = 0; k < study->sweep->instances[i].count; k++)
            if (study->sweep->instances[i].driver == ATM_GPFS)
                study->sweep->instances[i].configs[k].config.servers = (int) servers;
}

static atm_status fill(study *study, atm_message *message)
{
    char *file = file_in(study->path, "sweep.json");
    atm_status status = file != NULL ? sweep_read(file, message, &study->sweep) : ATM_NO_MEMORY;

    free(file);
    if (status == ATM_OK)
        study->instances = study->sweep->count;
    if (status == ATM_OK)
        status = read_points(study, message);
    set_servers(study);
    if (status == ATM_OK)
        status = read_nics(study, message);
    if (status == ATM_OK)
        status = read_notes(study);
    return status == ATM_OK ? hybrid_count(study, message) : status;
}

atm_status study_open(const char *path, const study_options *options, atm_message *message,
                      study **study_p)
{
    study *study = calloc(1, sizeof(*study)); /* study_close */
    atm_status status = ATM_NO_MEMORY;

    if (study == NULL)
        return status;
    study->options = *options;
    study->path = strdup(path);
    if (study->path != NULL)
        status = fill(study, message);
    if (status == ATM_OK)
        *study_p = study;
    else
        study_close(study);
    return status;
}

static void close_variant(study_variant *variant)
{
    free(variant->groups);
}

static void close_instances(study *study)
{
    for (int i = 0; i < study->instances; i++) {
        if (study->counts != NULL)
            free(study->counts[i]);
        if (study->isaila != NULL)
            free(study->isaila[i]);
        if (study->predicted != NULL)
            free(study->predicted[i]);
    }
    free(study->counts);
    free(study->isaila);
    free(study->predicted);
}

static void close_models(study *study)
{
    for (int i = 0; i < study->hybrid_count; i++)
        hybrid_forget(&study->hybrids[i]);
    free(study->hybrids);
    for (int size = 0; size < STUDY_SIZES; size++) {
        for (int i = 0; study->boxes[size] != NULL && i < study->box_count; i++)
            black_box_clear(&study->boxes[size][i]);
        free(study->boxes[size]);
        study_strategy_clear(&study->fewer[size]);
    }
}

void study_close(study *study)
{
    if (study == NULL)
        return;
    close_instances(study);
    close_models(study);
    for (int i = 0; i < study->strategy_count; i++)
        study_strategy_clear(&study->strategies[i]);
    free(study->strategies);
    free(study->noise);
    for (int i = 0; i < STUDY_NOISY; i++) {
        study_strategy_clear(&study->noisy[i].automatic);
        study_strategy_clear(&study->noisy[i].enable);
    }
    close_variant(&study->placement);
    close_variant(&study->bluegene);
    close_variant(&study->aware);
    close_variant(&study->stock);
    close_variant(&study->locking);
    if (study->used != NULL)
        free(study->used->at);
    free(study->used);
    points_destroy(study->points);
    sweep_destroy(study->sweep);
    free(study->notes);
    free(study->no_ml);
    free(study->path);
    free(study);
}

/* --- running */

static atm_status predict_all(study *study)
{
    study->predicted = calloc((size_t) study->instances, sizeof(*study->predicted));
    if (study->predicted == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < study->instances; i++) {
        int candidates = study->sweep->instances[i].candidates;

        study->predicted[i] = calloc((size_t) candidates, sizeof(double));
        if (study->predicted[i] == NULL)
            return ATM_NO_MEMORY;
        hybrid_fastest(study, i, study->counts[i], study->hybrids[0].profile, study->predicted[i]);
    }
    return ATM_OK;
}

atm_status study_run(study *study, atm_message *message)
{
    atm_status status = hybrid_train(study, message);

    if (status == ATM_OK)
        status = predict_all(study);
    if (status == ATM_OK)
        status = black_box_train(study, message);
    if (status == ATM_OK)
        status = strategies_run(study);
    if (status == ATM_OK)
        status = strategies_fewer(study);
    if (status == ATM_OK)
        status = noise_run(study, message);
    if (status == ATM_OK)
        status = noisy_run(study, message);
    if (status == ATM_OK)
        status = variants_run(study);
    if (status == ATM_OK)
        status = placing_run(study);
    progress_end(study->options.progress);
    return status;
}

/* --- asking */

const study_strategy *study_find(const study *study, const char *name)
{
    for (int i = 0; i < study->strategy_count; i++)
        if (strcmp(study->strategies[i].name, name) == 0 && study->strategies[i].repetitions > 0)
            return &study->strategies[i];
    return NULL;
}

double study_default(const study *study, int instance)
{
    const sweep_instance *of = &study->sweep->instances[instance];

    return of->configs[of->defaults].times.median;
}

double study_best(const study *study, int instance)
{
    const sweep_instance *of = &study->sweep->instances[instance];

    return of->configs[of->best].times.median;
}
