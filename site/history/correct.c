/* Corrections of a profile. */

#include "correct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choose/predict.h"
#include "common/outcome.h"
#include "common/stats.h"
#include "trial.h"

enum {
    CLASSES = 32, /* of sizes, each a factor of four */
    KEPT = 1000   /* the latest trials of a class */
};

/* What is off by less is left alone. */
#define LEAST 0.02

/* A part must take that long to be told from what else happens. */
#define SECONDS_LEAST 1e-6

typedef struct cell {
    int count;                        /* may exceed what is kept */
    double ratios[KEPT], sizes[KEPT]; /* logarithms */
} cell;

typedef struct learning {
    const atm_profile *profile;
    const char *driver;
    ath_corrections *corrections;
    cell *cells; /* [ATM_OPERATION_COUNT][CLASSES] */
} learning;

/* --- a trial */

/* The operation that most of a kind's predicted time is, and its share. */
static const atm_cost_item *main_item(const learning *l, const atm_counts *counts, atm_kind kind,
                                      double *share_p)
{
    const atm_cost_item *most = NULL;
    double largest = 0, sum = 0;

    for (int i = 0; i < counts->item_count; i++) {
        const atm_cost_item *item = &counts->items[i];
        double seconds;

        if ((item->part == ATM_STORAGE) != (kind == ATM_STORAGE_KIND))
            continue;
        seconds = item->count * atm_estimate_item(l->profile, item, NULL).seconds;
        sum += seconds;
        if (seconds > largest) {
            largest = seconds;
            most = item;
        }
    }
    *share_p = sum > 0 ? largest / sum : 0;
    return most;
}

static void note(learning *l, const atm_counts *counts, atm_kind kind, double measured,
                 double predicted)
{
    double share, bytes;
    const atm_cost_item *item = main_item(l, counts, kind, &share);
    int class;
    cell *c;

    if (item == NULL || share < 0.5 || !(measured > SECONDS_LEAST && predicted > SECONDS_LEAST))
        return;
    bytes = item->features[ATM_BYTES];
    if (!(bytes >= 1 && bytes < 1e18))
        return;
    class = ilogb(bytes) / 2;
    c = &l->cells[item->operation * CLASSES + (class < CLASSES ? class : CLASSES - 1)];
    c->ratios[c->count % KEPT] = log(measured / predicted);
    c->sizes[c->count % KEPT] = log(bytes);
    c->count++;
}

static bool driver_of(const char *name, atm_driver *driver_p)
{
    for (int i = 0; i < ATM_DRIVER_COUNT; i++)
        if (strcmp(atm_driver_name((atm_driver) i), name) == 0) {
            *driver_p = (atm_driver) i;
            return true;
        }
    return false;
}

static void note_trial(learning *l, const atm_record *record, bool write)
{
    atm_job job = {.ranks = record->ranks, .nodes = record->nodes};
    atm_driver driver;
    atm_counts *counts;
    atm_prediction predicted;
    outcome seen;

    if (!ath_trial_outcome(record, write, &seen) || seen.decision->write != write ||
        record->nodes < 1 || !driver_of(record->wrapped, &driver))
        return;
    counts = malloc(sizeof(*counts));
    if (counts != NULL && atm_predict(l->profile, driver, &job, &seen.decision->access,
                                      &seen.decision->config, NULL, counts, &predicted) == ATM_OK) {
        l->corrections->trials++;
        note(l, counts, ATM_STORAGE_KIND, seen.measured.storage, predicted.parts[ATM_STORAGE]);
        note(l, counts, ATM_COMMUNICATION_KIND, seen.measured.communication,
             predicted.parts[ATM_PARTITIONING] + predicted.parts[ATM_SHUFFLE]);
    }
    free(counts);
}

/* Lines were records when they were imported. */
static ath_status note_line(const ath_cell *cells, int count, void *context)
{
    learning *l = context;
    atm_record *record = NULL;
    atm_status status =
        atm_record_parse(cells[0].text, strlen(cells[0].text), "history", NULL, &record);

    (void) count;
    if (status == ATM_NO_MEMORY)
        return ATH_NO_MEMORY;
    if (status != ATM_OK)
        return ATH_OK;
    l->corrections->records++;
    if (l->driver == NULL || strcmp(record->wrapped, l->driver) == 0)
        for (int write = 0; write < 2; write++)
            note_trial(l, record, write);
    free(record);
    return ATH_OK;
}

/* --- all */

static void judge_class(const cell *c, ath_operation_correction *operation)
{
    int count = c->count < KEPT ? c->count : KEPT;
    ath_size_correction *size = &operation->sizes[operation->count];
    double mean = 0, bytes = 0, half;

    if (count < ATH_CORRECT_TRIALS || operation->count == ATH_SIZES)
        return;
    for (int i = 0; i < count; i++) {
        mean += c->ratios[i] / count;
        bytes += c->sizes[i] / count;
    }
    half = stats_half_width(c->ratios, count);
    *size = (ath_size_correction){.bytes = exp(bytes),
                                  .trials = count,
                                  .factor = exp(mean),
                                  .low = exp(mean - half),
                                  .high = exp(mean + half),
                                  .applied = fabs(mean) > half && fabs(mean) > LEAST};
    operation->applied = operation->applied || size->applied;
    operation->count++;
}

ath_status ath_correct_learn(ath_database *database, const atm_profile *profile, const char *driver,
                             double since, atm_message *message, ath_corrections *corrections_p)
{
    ath_corrections corrections = {.records = 0};
    learning l = {.profile = profile, .driver = driver, .corrections = &corrections};
    ath_cell cell = ath_real(since);
    ath_status status = ATH_NO_MEMORY;

    l.cells = calloc((size_t) ATM_OPERATION_COUNT * CLASSES, sizeof(*l.cells));
    if (l.cells != NULL)
        status = ath_query(database,
                           "SELECT line FROM record WHERE started >= $1 AND line <> '' ORDER BY "
                           "started, id",
                           &cell, 1, note_line, &l, message);
    for (int i = 0; status == ATH_OK && i < ATM_OPERATION_COUNT * CLASSES; i++)
        judge_class(&l.cells[i], &corrections.operations[i / CLASSES]);
    free(l.cells);
    if (status == ATH_OK)
        *corrections_p = corrections;
    return status;
}

/* A size that was measured and found right keeps its costs: its factor is 1. */
int ath_correct_apply(const ath_corrections *corrections, atm_profile *profile)
{
    int applied = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        const ath_operation_correction *operation = &corrections->operations[i];
        double bytes[ATH_SIZES], factors[ATH_SIZES];

        if (!operation->applied)
            continue;
        for (int k = 0; k < operation->count; k++) {
            bytes[k] = operation->sizes[k].bytes;
            factors[k] = operation->sizes[k].applied ? operation->sizes[k].factor : 1;
        }
        applied += atm_surrogate_correct(profile->operations[i], bytes, factors,
                                         operation->count) == ATM_OK;
    }
    return applied;
}
