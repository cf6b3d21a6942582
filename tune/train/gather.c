/* Points of several files: one machine?  Then by operation, each thing once,
 * and only with columns that say something. */

#include "gather.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notes.h"

/* --- one machine */

static const char *fact_of(const points *file, const char *fact)
{
    const char *text = "";

    atm_opt_string(atm_value_find(file->root, "machine"), fact, NULL, &text);
    return text;
}

static atm_status check_machines(points *const *files, int count, atm_message *message)
{
    static const char *const facts[] = {"name", "mpi", "file_system", "network"};

    for (int i = 1; i < count; i++) {
        for (size_t k = 0; k < sizeof(facts) / sizeof(facts[0]); k++) {
            const char *first = fact_of(files[0], facts[k]), *other = fact_of(files[i], facts[k]);

            if (strcmp(first, other) != 0)
                return notes_complain(message,
                                      "%s: machine.%s: is \"%s\", but \"%s\" in %s: points of "
                                      "different machines cannot be mixed",
                                      files[i]->source, facts[k], other, first, files[0]->source);
        }
    }
    return ATM_OK;
}

/* --- points */

static int by_operation(const void *a, const void *b)
{
    const points_point *const *first = a, *const *second = b;

    return points_compare(*first, *second);
}

/* The measurements of the same thing in several files as one: times by their
 * repetitions, visits one after the other. */
static atm_status merge(const points_point *const *same, int count, points_point *merged)
{
    int visits = 0;

    for (int i = 0; i < count; i++)
        visits += same[i]->visit_count;
    *merged = *same[0];
    merged->visit_means = malloc((size_t) visits * sizeof(double)); /* train_destroy */
    if (merged->visit_means == NULL)
        return ATM_NO_MEMORY;
    merged->visit_count = merged->repetitions = merged->outliers = 0;
    merged->seconds = merged->median = merged->spread = 0;
    for (int i = 0; i < count; i++) {
        const points_point *p = same[i];

        merged->seconds += p->seconds * p->repetitions;
        merged->median += p->median * p->repetitions;
        merged->spread += p->spread * p->repetitions;
        merged->repetitions += p->repetitions;
        merged->outliers += p->outliers;
        memcpy(merged->visit_means + merged->visit_count, p->visit_means,
               (size_t) p->visit_count * sizeof(double));
        merged->visit_count += p->visit_count;
    }
    merged->seconds /= merged->repetitions;
    merged->median /= merged->repetitions;
    merged->spread /= merged->repetitions;
    return ATM_OK;
}

/* Sorted points with those that are the same made one; *count_p shrinks. */
static atm_status merge_same(const points_point **all, int *count_p, train_result *result)
{
    int kept = 0;

    for (int i = 0, next; i < *count_p; i = next) {
        for (next = i + 1; next < *count_p && points_compare(all[i], all[next]) == 0;)
            next++;
        if (next - i > 1) {
            points_point *merged = &result->merged[result->merged_count];
            atm_status status = merge(all + i, next - i, merged);

            if (status != ATM_OK)
                return status;
            result->merged_count++;
            all[kept++] = merged;
        } else {
            all[kept++] = all[i];
        }
    }
    if (kept < *count_p)
        notes_add(&result->notes, &result->note_count,
                  result->merged_count == 1
                      ? "%d point was measured more than once and is used with its mean"
                      : "%d points were measured more than once and are used with their mean",
                  result->merged_count);
    *count_p = kept;
    return ATM_OK;
}

/* --- columns */

/* Which of several proportional columns stays, the first in this order: those that grow with a job,
 * so that a larger job is known to be outside of the range. */
static const atm_feature preference[ATM_FEATURE_COUNT] = {
    ATM_BYTES,    ATM_SENDERS, ATM_RECEIVERS, ATM_NODES, ATM_PER_NODE,
    ATM_MESSAGES, ATM_STRIPES, ATM_FAR,       ATM_LINK,  ATM_UPLINK};

static bool is_multiple(const train_operation *o, atm_feature a, atm_feature b)
{
    double ratio = o->points[0]->features[a] / o->points[0]->features[b];

    for (int i = 1; i < o->count; i++)
        if (fabs(o->points[i]->features[a] - ratio * o->points[i]->features[b]) >
            1e-12 * o->points[i]->features[a])
            return false;
    return true;
}

static bool is_constant(const points_point *const *points, int count, atm_feature feature)
{
    for (int i = 1; i < count; i++)
        if (points[i]->features[feature] != points[0]->features[feature])
            return false;
    return true;
}

static void select_columns(train_operation *o)
{
    char constant[128] = "";

    for (int i = 0; i < ATM_FEATURE_COUNT; i++) {
        atm_feature feature = preference[i];
        const char *name = atm_feature_name(feature);
        int same = -1;

        if (is_constant(o->points, o->count, feature)) {
            size_t length = strlen(constant);

            snprintf(constant + length, sizeof(constant) - length, "%s%s", length > 0 ? ", " : "",
                     name);
            continue;
        }
        for (int k = 0; k < o->feature_count && same < 0; k++)
            if (is_multiple(o, feature, o->features[k]))
                same = k;
        if (same < 0)
            o->features[o->feature_count++] = feature;
        else
            notes_add(&o->notes, &o->note_count, "left out, as it is a multiple of %s: %s",
                      atm_feature_name(o->features[same]), name);
    }
    if (constant[0] != '\0')
        notes_add(&o->notes, &o->note_count, "left out, as they do not vary: %s", constant);
}

/* --- operations */

static atm_status add_operation(const points_point **all, int count, train_result *result)
{
    train_operation *o = &result->operations[result->operation_count++];
    size_t bytes = (size_t) count * sizeof(points_point *);

    o->operation = all[0]->operation;
    o->count = count;
    o->points = malloc(bytes);
    if (o->points == NULL)
        return ATM_NO_MEMORY;
    memcpy(o->points, all, bytes);
    select_columns(o);
    return ATM_OK;
}

/* Says why an operation cannot be learned from so many points; empty if it can. */
static atm_message lacks(const points_point *const *points, int count, const char *source)
{
    const char *name = atm_operation_name(points[0]->operation);
    atm_message why = {""};

    if (count < TRAIN_POINTS_MIN)
        notes_complain(&why, "%s: %s: has %d point%s, but at least %d are needed", source, name,
                       count, count > 1 ? "s" : "", TRAIN_POINTS_MIN);
    else if (is_constant(points, count, ATM_BYTES))
        notes_complain(&why,
                       "%s: %s: bytes does not vary, it is %.0f in all %d points: there is "
                       "nothing to learn",
                       source, name, points[0]->features[ATM_BYTES], count);
    return why;
}

/* Collects the operations to learn.  Others are scaled by them or, if there are none, by the points
 * of storage; without any of these there is nothing to learn. */
static atm_status part_operations(const points_point **all, int count, const char *source,
                                  atm_message *message, train_result *result)
{
    atm_status status = ATM_OK;
    atm_message last = {""};
    bool storage = false;

    result->operations = calloc(ATM_OPERATION_COUNT, sizeof(train_operation));
    result->few = calloc((size_t) count, sizeof(points_point *));
    if (result->operations == NULL || result->few == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0, next; status == ATM_OK && i < count; i = next) {
        atm_message why;

        for (next = i; next < count && all[next]->operation == all[i]->operation;)
            next++;
        why = lacks(all + i, next - i, source);
        if (why.text[0] == '\0') {
            status = add_operation(all + i, next - i, result);
            continue;
        }
        memcpy(result->few + result->few_count, all + i, (size_t) (next - i) * sizeof(*all));
        result->few_count += next - i;
        storage |= atm_operation_kind(all[i]->operation) == ATM_STORAGE_KIND;
        last = why;
    }
    if (status == ATM_OK && result->operation_count == 0 && !storage)
        return notes_complain(message, "%s", last.text);
    return status;
}

/* Passes on what jobs say they could not measure. */
static void note_left_out(points *const *files, int count, train_result *result)
{
    for (int i = 0; i < count; i++) {
        const atm_value *jobs = atm_value_find(files[i]->root, "jobs");

        for (size_t k = 0; jobs != NULL && k < atm_value_length(jobs); k++) {
            const char *text = "";

            if (atm_opt_string(atm_value_item(jobs, k), "left_out", NULL, &text) == ATM_OK &&
                text[0] != '\0')
                notes_add(&result->notes, &result->note_count, "%s: %s", files[i]->source, text);
        }
    }
}

/* The machine as the largest job saw it. */
static const atm_value *largest_machine(points *const *files, int count)
{
    const atm_value *result = NULL;
    int64_t most = -1;

    for (int i = 0; i < count; i++) {
        const atm_value *machine = atm_value_find(files[i]->root, "machine");
        int64_t nodes = 0;

        atm_opt_integer(machine, "nodes", 0, ATM_MAX_INTEGER, NULL, &nodes);
        if (nodes > most) {
            most = nodes;
            result = machine;
        }
    }
    return result;
}

atm_status gather_points(points *const *files, int count, atm_message *message,
                         train_result *result)
{
    const points_point **all;
    int total = 0, used = 0;
    atm_status status = check_machines(files, count, message);

    if (status != ATM_OK)
        return status;
    for (int i = 0; i < count; i++)
        total += files[i]->count;
    if (total == 0)
        return notes_complain(message, "%s: points: is empty", files[0]->source);
    result->machine = largest_machine(files, count);
    note_left_out(files, count, result);
    result->merged = calloc((size_t) total, sizeof(points_point));
    all = calloc((size_t) total, sizeof(*all));
    if (all == NULL || result->merged == NULL)
        status = ATM_NO_MEMORY;
    for (int i = 0; status == ATM_OK && i < count; i++)
        for (int k = 0; k < files[i]->count; k++)
            all[used++] = &files[i]->at[k];
    if (status == ATM_OK) {
        qsort(all, (size_t) total, sizeof(*all), by_operation);
        status = merge_same(all, &total, result);
    }
    if (status == ATM_OK)
        status = part_operations(all, total, files[0]->source, message, result);
    free(all);
    return status;
}
