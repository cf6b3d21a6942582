/* Runs files, and the black box learned from them. */

#include "runs.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

/* Where each number of a run stands in a vector of features. */
static const struct {
    const char *key;
    atm_feature feature;
    bool optional;
} columns[] = {
    {"nodes", ATM_NODES, false},     {"per_node", ATM_PER_NODE, false},
    {"bytes", ATM_BYTES, false},     {"aggregators", ATM_RECEIVERS, false},
    {"buffer", ATM_MESSAGES, false}, {"stripes", ATM_STRIPES, true},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static atm_status read_run(const atm_value *run, atm_message *message, points_point *p)
{
    static const char *const keys[] = {"nodes",  "per_node", "bytes",   "aggregators",
                                       "buffer", "stripes",  "seconds", NULL};
    atm_status status = atm_check_keys(run, keys, message);

    for (int i = 0; status == ATM_OK && i < COLUMNS; i++) {
        double *number = &p->features[columns[i].feature];

        *number = 1;
        if (columns[i].optional)
            status = atm_opt_number(run, columns[i].key, ATM_ABOVE_ZERO, 1e30, message, number);
        else
            status = atm_get_number(run, columns[i].key, ATM_ABOVE_ZERO, 1e30, message, number);
    }
    if (status == ATM_OK)
        status =
            atm_get_number(run, "seconds", ATM_ABOVE_ZERO, ATM_SECONDS_MAX, message, &p->seconds);
    if (status != ATM_OK)
        return status;
    p->features[ATM_SENDERS] = p->features[ATM_NODES] * p->features[ATM_PER_NODE];
    p->features[ATM_FAR] = p->features[ATM_LINK] = p->features[ATM_UPLINK] = 1;
    p->median = p->seconds;
    p->repetitions = p->visit_count = 1;
    p->visit_means = malloc(sizeof(double)); /* points_destroy */
    if (p->visit_means == NULL)
        return ATM_NO_MEMORY;
    p->visit_means[0] = p->seconds;
    return ATM_OK;
}

/* What training would complain about in words of operations. */
static atm_status check_runs(const points *read, const atm_value *list, atm_message *message)
{
    bool varies = false;

    if (read->count < TRAIN_POINTS_MIN)
        return atm_complain(list, NULL, message, "has %d runs, but at least %d are needed",
                            read->count, TRAIN_POINTS_MIN);
    for (int i = 1; i < read->count; i++)
        varies |= read->at[i].features[ATM_BYTES] != read->at[0].features[ATM_BYTES];
    if (!varies)
        return atm_complain(list, NULL, message, "bytes does not vary: there is nothing to learn");
    return ATM_OK;
}

static atm_status read_runs(points *read, atm_message *message)
{
    static const char *const keys[] = {"format", "version", "machine", "runs", NULL};
    const atm_value *list, *machine;
    int version;
    atm_status status = atm_check_format(read->root, RUNS_FORMAT, RUNS_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_check_keys(read->root, keys, message);
    if (status == ATM_OK)
        status = atm_get_object(read->root, "machine", message, &machine);
    if (status == ATM_OK)
        status = atm_get_array(read->root, "runs", 0, SIZE_MAX, message, &list);
    if (status != ATM_OK)
        return status;
    read->at = calloc(atm_value_length(list) + 1, sizeof(*read->at));
    if (read->at == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(list); i++)
        status = read_run(atm_value_item(list, i), message, &read->at[read->count++]);
    return status == ATM_OK ? check_runs(read, list, message) : status;
}

atm_status runs_read(const char *path, atm_message *message, points **points_p)
{
    return points_read_by(read_runs, path, message, points_p);
}

atm_status runs_ml_document(const train_result *result, atm_value **document_p)
{
    atm_value *document = atm_value_object();
    atm_status status;

    atm_put_string(document, "format", RUNS_ML_FORMAT);
    atm_put_integer(document, "version", RUNS_ML_VERSION);
    atm_put_copy(document, "machine", result->machine);
    atm_put_copy(document, "model", result->operations[0].surrogate);
    status = atm_value_built(document);
    if (status == ATM_OK)
        *document_p = document;
    else
        atm_value_destroy(document);
    return status;
}
