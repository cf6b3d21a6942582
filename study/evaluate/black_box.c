/* The black box: its design, its runs, its choices. */

#include "black_box.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

/* --- design */

static bool shares_level(const sweep_config *a, const sweep_config *b, int factor)
{
    const atm_config *x = &a->config, *y = &b->config;

    switch (factor) {
        case 0:
            return x->aggregators == y->aggregators && x->collective == y->collective;
        case 1:
            return x->buffer == y->buffer;
        case 2:
            return x->stripe_count == y->stripe_count;
        default:
            return x->stripe_size == y->stripe_size;
    }
}

enum { FACTORS = 4 };

/* How often the levels of a configuration have been taken.  A factor that does
 * not vary adds the same to all. */
static int uses_of(const sweep_instance *instance, const bool *take, int index)
{
    int uses = 0;

    for (int i = 0; i < instance->candidates; i++)
        for (int factor = 0; take[i] && factor < FACTORS; factor++)
            uses += shares_level(&instance->configs[i], &instance->configs[index], factor);
    return uses;
}

int black_box_design(const sweep_instance *instance, uint64_t *random, bool *take)
{
    int wanted = (instance->candidates + 1) / 3;

    if (wanted < 1)
        wanted = 1;
    memset(take, 0, (size_t) instance->candidates * sizeof(*take));
    for (int taken = 0; taken < wanted; taken++) {
        int best = -1, least = 0, equal = 0;

        for (int i = 0; i < instance->candidates; i++) {
            int uses = take[i] ? -1 : uses_of(instance, take, i);

            if (uses < 0 || (best >= 0 && uses > least))
                continue;
            equal = best >= 0 && uses == least ? equal + 1 : 1;
            least = uses;
            if (equal == 1 || rng_below(random, equal) == 0)
                best = i;
        }
        take[best] = true;
    }
    return wanted;
}

/* --- runs as points */

enum { READS = 1000 };

/* A surrogate knows features of operations only: here they are mere columns.  Reads
 * are marked by an impossible number of ranks on a node, independent access by
 * more aggregators than ranks; on Lustre the stripe takes the place of the buffer. */
static void set_features(const sweep_instance *instance, const atm_config *config, double *features)
{
    bool lustre = instance->driver == ATM_LUSTRE;
    double bytes = (double) instance->access.bytes_max;

    features[ATM_NODES] = instance->job.nodes;
    features[ATM_PER_NODE] = instance->per_node + (instance->access.write ? 0 : READS);
    features[ATM_SENDERS] = instance->piece > 0 ? (double) instance->piece : bytes;
    features[ATM_RECEIVERS] = config->collective ? config->aggregators : 2.0 * instance->job.ranks;
    features[ATM_BYTES] = bytes * instance->calls;
    features[ATM_STRIPES] = config->stripe_count;
    features[ATM_MESSAGES] = (double) (lustre               ? config->stripe_size
                                       : config->collective ? config->buffer
                                                            : instance->access.bytes_max);
    features[ATM_FAR] = features[ATM_LINK] = features[ATM_UPLINK] = 1;
}

static atm_status add_run(points *runs, const sweep_instance *instance, const sweep_config *config)
{
    points_point *p = &runs->at[runs->count];

    *p = (points_point){.operation = ATM_ALLREDUCE, /* any */
                        .seconds = config->times.median,
                        .median = config->times.median,
                        .repetitions = 1,
                        .visit_count = 1};
    set_features(instance, &config->config, p->features);
    p->visit_means = malloc(sizeof(double)); /* points_destroy */
    if (p->visit_means == NULL)
        return ATM_NO_MEMORY;
    p->visit_means[0] = p->seconds;
    runs->count++;
    return ATM_OK;
}

static points *make_runs(const char *source, int room)
{
    points *runs = calloc(1, sizeof(*runs)); /* points_destroy */

    if (runs == NULL)
        return NULL;
    runs->source = strdup(source);
    runs->root = atm_value_object();
    atm_put_object(runs->root, "machine");
    runs->at = calloc((size_t) room + 1, sizeof(*runs->at));
    if (runs->source != NULL && runs->at != NULL && atm_value_built(runs->root) == ATM_OK)
        return runs;
    points_destroy(runs);
    return NULL;
}

/* A run of the sweep. */
typedef struct run {
    int instance, config;
} run;

/* The design of all instances; the caller frees it. */
static atm_status draw_runs(const study *study, uint64_t *random, run **runs_p, int *count_p)
{
    int all = 0, widest = 0;
    bool *take;
    run *runs;

    for (int i = 0; i < study->instances; i++) {
        int candidates = study->sweep->instances[i].candidates;

        all += candidates;
        widest = candidates > widest ? candidates : widest;
    }
    take = malloc((size_t) widest * sizeof(*take));
    runs = malloc((size_t) all * sizeof(*runs));
    if (take == NULL || runs == NULL) {
        free(take);
        free(runs);
        return ATM_NO_MEMORY;
    }
    *count_p = 0;
    for (int i = 0; i < study->instances; i++) {
        black_box_design(&study->sweep->instances[i], random, take);
        for (int k = 0; k < study->sweep->instances[i].candidates; k++)
            if (take[k])
                runs[(*count_p)++] = (run){i, k};
    }
    free(take);
    *runs_p = runs;
    return ATM_OK;
}

static void shuffle(uint64_t *random, run *runs, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int other = rng_below(random, i + 1);
        run held = runs[i];

        runs[i] = runs[other];
        runs[other] = held;
    }
}

/* --- training */

static atm_status train_box(const study *study, const run *runs, int count, uint64_t seed,
                            atm_message *message, study_box *box)
{
    train_options options = {.seed = seed,
                             .threads = study->options.threads,
                             .criterion = TRAIN_LOG,
                             .algorithm = "svr",
                             .progress = progress_show,
                             .context = study->options.progress};
    atm_status status = ATM_OK;

    box->runs = make_runs(study->path, count);
    if (box->runs == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; status == ATM_OK && i < count; i++) {
        const sweep_instance *instance = &study->sweep->instances[runs[i].instance];

        status = add_run(box->runs, instance, &instance->configs[runs[i].config]);
    }
    if (status == ATM_OK)
        status = train_run(&box->runs, 1, &options, message, &box->result);
    if (status == ATM_OK)
        status = atm_surrogate_read(box->result->operations[0].surrogate, message, &box->model);
    return status;
}

static atm_status train_repetition(study *study, int repetition, atm_message *message)
{
    uint64_t seed = study->options.seed + (uint64_t) repetition, random = rng_split(seed, 0xb0c5);
    int count;
    run *runs;
    atm_status status = draw_runs(study, &random, &runs, &count);

    if (status != ATM_OK)
        return status;
    shuffle(&random, runs, count);
    progress_step(study->options.progress, "%s: training ml, %d of %d", study->sweep->name,
                  repetition + 1, study->options.repetitions);
    for (int size = 0; status == ATM_OK && size < STUDY_SIZES; size++) {
        int some = count * (STUDY_SIZES - size) / STUDY_SIZES;

        study->box_points[size] = some;
        status = train_box(study, runs, some, seed, message, &study->boxes[size][repetition]);
        if (status == ATM_BAD_FILE && size > 0) {
            black_box_clear(&study->boxes[size][repetition]); /* too few: that size is left out */
            status = ATM_OK;
        }
    }
    free(runs);
    return status;
}

atm_status black_box_train(study *study, atm_message *message)
{
    atm_status status = ATM_OK;

    for (int size = 0; size < STUDY_SIZES; size++) {
        study->boxes[size] =
            calloc((size_t) study->options.repetitions, sizeof(**study->boxes)); /* study_close */
        if (study->boxes[size] == NULL)
            return ATM_NO_MEMORY;
    }
    study->box_count = study->options.repetitions;
    for (int i = 0; status == ATM_OK && i < study->box_count; i++)
        status = train_repetition(study, i, message);
    if (status != ATM_BAD_FILE)
        return status;
    study->no_ml = strdup(message->text);
    message->text[0] = '\0';
    return study->no_ml != NULL ? ATM_OK : ATM_NO_MEMORY;
}

void black_box_clear(study_box *box)
{
    atm_surrogate_destroy(box->model);
    train_destroy(box->result);
    points_destroy(box->runs);
    *box = (study_box){NULL, NULL, NULL};
}

/* --- picking */

int black_box_pick(const study *study, int instance, const atm_surrogate *model)
{
    const sweep_instance *of = &study->sweep->instances[instance];
    double least = INFINITY;
    int best = 0;

    for (int i = 0; i < of->candidates; i++) {
        double features[ATM_FEATURE_COUNT];
        atm_estimate estimate;

        set_features(of, &of->configs[i].config, features);
        atm_surrogate_predict(model, features, &estimate);
        if (estimate.seconds < least) {
            least = estimate.seconds;
            best = i;
        }
    }
    return best;
}
