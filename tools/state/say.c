/* Saying. */

#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool say_usable(const trace_target *target, double time)
{
    const trace_series *probes = &target->series[TRACE_PROBE];
    bool works_again =
        probes->count > 0 && probes->samples[probes->count - 1].time > target->failed;

    if (target->inactive || target->no_create || target->full > SAY_FULL)
        return false;
    return works_again || !(target->failed > time - SAY_FAILED);
}

static void put_target(const state_model *model, const model_target *t, const trace *trace,
                       double time, atm_value *array)
{
    const trace_target *seen = trace != NULL ? trace_find(trace, t->target) : NULL;
    const mixture_state *busy = t->mixture.states == 2 ? &t->mixture.busy : &t->mixture.idle;
    atm_value *object = atm_put_object(array, NULL);

    atm_put_integer(object, "target", t->target);
    atm_put_number(object, "idle", 1 - model_busy(model, t, trace, time));
    atm_put_number(object, "idle_seconds", mixture_seconds(&t->mixture.idle));
    atm_put_number(object, "idle_deviation", t->mixture.idle.deviation);
    atm_put_number(object, "busy_seconds", mixture_seconds(busy));
    atm_put_number(object, "busy_deviation", busy->deviation);
    atm_put_truth(object, "usable", seen == NULL || say_usable(seen, time));
}

atm_status say_document(const state_model *model, const trace *trace, double time, double holds,
                        atm_value **document_p)
{
    atm_value *root = atm_value_object(), *array;
    atm_status status;

    atm_put_string(root, "format", SAY_FORMAT);
    atm_put_integer(root, "version", SAY_VERSION);
    atm_put_string(root, "path", model->path);
    atm_put_number(root, "said", time);
    atm_put_number(root, "until", time + holds);
    array = atm_put_array(root, "targets");
    for (int i = 0; i < model->count; i++)
        put_target(model, &model->targets[i], trace, time, array);
    status = atm_value_built(root);
    if (status == ATM_OK)
        *document_p = root;
    else
        atm_value_destroy(root);
    return status;
}

/* --- reading */

static atm_status read_target(const atm_value *object, atm_message *message, said_target *t)
{
    int64_t target = 0;
    atm_status status = atm_get_integer(object, "target", 0, TRACE_TARGETS - 1, message, &target);

    t->target = (int) target;
    t->usable = true;
    if (status == ATM_OK)
        status = atm_get_number(object, "idle", 0, 1, message, &t->idle);
    if (status == ATM_OK)
        status =
            atm_get_number(object, "idle_seconds", ATM_ABOVE_ZERO, 1e9, message, &t->idle_seconds);
    if (status == ATM_OK)
        status = atm_get_number(object, "idle_deviation", 0, 100, message, &t->idle_deviation);
    if (status == ATM_OK)
        status =
            atm_get_number(object, "busy_seconds", ATM_ABOVE_ZERO, 1e9, message, &t->busy_seconds);
    if (status == ATM_OK)
        status = atm_get_number(object, "busy_deviation", 0, 100, message, &t->busy_deviation);
    if (status == ATM_OK)
        status = atm_opt_truth(object, "usable", message, &t->usable);
    return status;
}

atm_status said_read(const atm_value *root, atm_message *message, said *said_p)
{
    const atm_value *array = NULL;
    const char *path = "";
    int version;
    atm_status status = atm_check_format(root, SAY_FORMAT, SAY_VERSION, message, &version);

    *said_p = (said){.path = NULL};
    if (status == ATM_OK)
        status = atm_get_string(root, "path", message, &path);
    if (status == ATM_OK)
        status = atm_get_number(root, "said", 0, 1e11, message, &said_p->time);
    if (status == ATM_OK)
        status = atm_get_number(root, "until", said_p->time, 1e11, message, &said_p->until);
    if (status == ATM_OK)
        status = atm_get_array(root, "targets", 0, TRACE_TARGETS, message, &array);
    if (status != ATM_OK)
        return status;
    said_p->path = strdup(path); /* said_clear */
    said_p->targets =
        calloc(atm_value_length(array) + 1, sizeof(*said_p->targets)); /* said_clear */
    if (said_p->path == NULL || said_p->targets == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(array); i++) {
        status = read_target(atm_value_item(array, i), message, &said_p->targets[i]);
        said_p->count += status == ATM_OK;
    }
    return status;
}

void said_clear(said *said)
{
    free(said->path);
    free(said->targets);
    said->path = NULL;
    said->targets = NULL;
}
