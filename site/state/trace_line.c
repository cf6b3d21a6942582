/* Traces: one line. */

#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/value.h"
#include "formats/formats.h"

/* What no measurement exceeds: the year 5138, a petabyte, eleven days. */
#define MAX_TIME 1e11
#define MAX_BYTES 0x1p50
#define MAX_SECONDS 1e6

/* --- adding */

static bool room_for_one(void **array, size_t count, size_t *room, size_t size)
{
    size_t more = *room == 0 ? 16 : 2 * *room;
    void *grown;

    if (count < *room)
        return true;
    grown = realloc(*array, more * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *room = more;
    return true;
}

static trace_target *target_of(trace *trace, int target)
{
    size_t room = (size_t) trace->room;

    if (trace->slot[target] > 0)
        return &trace->targets[trace->slot[target] - 1];
    if (!room_for_one((void **) &trace->targets, (size_t) trace->count, &room,
                      sizeof(*trace->targets)))
        return NULL;
    trace->room = (int) room;
    trace->slot[target] = ++trace->count;
    trace->targets[trace->count - 1] =
        (trace_target){.target = target, .changed = -INFINITY, .full = NAN, .failed = -INFINITY};
    return &trace->targets[trace->count - 1];
}

static atm_status add_sample(trace *trace, int target, trace_source source,
                             const trace_sample *sample)
{
    trace_target *t = target_of(trace, target);
    trace_series *series;

    if (t == NULL)
        return ATM_NO_MEMORY;
    series = &t->series[source];
    if (!room_for_one((void **) &series->samples, series->count, &series->room,
                      sizeof(*series->samples)))
        return ATM_NO_MEMORY;
    series->samples[series->count++] = *sample;
    return ATM_OK;
}

/* --- the common line, without a tree: {"time": T, "kind": "probe", "target": N, "bytes": B,
 * "seconds": S} as autotune-probe writes it.  Any other is left to the reader below. */

static bool skip(const char **at, const char *word)
{
    size_t length = strlen(word);

    while (**at == ' ')
        (*at)++;
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

/* A number of JSON; strtod also takes what JSON does not have. */
static bool take(const char **at, double min, double max, double *number_p)
{
    char *end;

    while (**at == ' ')
        (*at)++;
    if (**at < '0' || **at > '9' || ((*at)[0] == '0' && (*at)[1] != '.' && (*at)[1] != ','))
        return false;
    *number_p = strtod(*at, &end);
    if (end == *at || end[-1] == '.' || !(*number_p >= min && *number_p <= max))
        return false;
    *at = end;
    return true;
}

static bool take_probe(const char *at, const char *end, int *target_p, trace_sample *sample_p)
{
    double target;
    bool found =
        skip(&at, "{\"time\":") && take(&at, 0, MAX_TIME, &sample_p->time) && skip(&at, ",") &&
        skip(&at, "\"kind\":") && skip(&at, "\"probe\"") && skip(&at, ",") &&
        skip(&at, "\"target\":") && take(&at, 0, TRACE_TARGETS - 1, &target) && skip(&at, ",") &&
        skip(&at, "\"bytes\":") && take(&at, 1, MAX_BYTES, &sample_p->bytes) && skip(&at, ",") &&
        skip(&at, "\"seconds\":") && take(&at, ATM_ABOVE_ZERO, MAX_SECONDS, &sample_p->seconds) &&
        skip(&at, "}") && at == end;

    if (!found || target != (int) target)
        return false;
    *target_p = (int) target;
    return true;
}

/* --- any line */

static atm_status read_header(const atm_value *object, trace *trace, atm_message *message)
{
    const char *path = NULL, *driver = "";
    int version;
    atm_status status = atm_check_format(object, TRACE_FORMAT, TRACE_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_get_string(object, "path", message, &path);
    if (status == ATM_OK)
        status = atm_opt_string(object, "driver", message, &driver);
    if (status != ATM_OK)
        return status;
    if (trace->path != NULL && strcmp(trace->path, path) != 0)
        return atm_complain(object, "path", message, "is another file system's than %.80s",
                            trace->path);
    if (trace->path != NULL)
        return ATM_OK;
    trace->path = strdup(path);     /* trace_destroy */
    trace->driver = strdup(driver); /* trace_destroy */
    return trace->path != NULL && trace->driver != NULL ? ATM_OK : ATM_NO_MEMORY;
}

static atm_status get_target(const atm_value *object, atm_message *message, int *target_p)
{
    int64_t target = 0;
    atm_status status = atm_get_integer(object, "target", 0, TRACE_TARGETS - 1, message, &target);

    *target_p = (int) target;
    return status;
}

static atm_status read_sample(const atm_value *object, trace_source source, double time,
                              trace *trace, atm_message *message)
{
    trace_sample sample = {.time = time};
    int target;
    atm_status status = get_target(object, message, &target);

    if (status == ATM_OK)
        status = atm_get_number(object, source == TRACE_SERVICE ? "samples" : "bytes", 1, MAX_BYTES,
                                message, &sample.bytes);
    if (status == ATM_OK)
        status = atm_get_number(object, "seconds", ATM_ABOVE_ZERO, MAX_SECONDS, message,
                                &sample.seconds);
    return status == ATM_OK ? add_sample(trace, target, source, &sample) : status;
}

/* Lines of several files come in any order: the newest counts. */
static atm_status read_condition(const atm_value *object, double time, trace *trace,
                                 atm_message *message)
{
    trace_target *t, changed;
    int target;
    atm_status status = get_target(object, message, &target);

    if (status != ATM_OK)
        return status;
    t = target_of(trace, target);
    if (t == NULL)
        return ATM_NO_MEMORY;
    changed = *t;
    changed.changed = time;
    status = atm_opt_number(object, "full", 0, 1, message, &changed.full);
    if (status == ATM_OK)
        status = atm_opt_truth(object, "degraded", message, &changed.degraded);
    if (status == ATM_OK)
        status = atm_opt_truth(object, "inactive", message, &changed.inactive);
    if (status == ATM_OK)
        status = atm_opt_truth(object, "no_create", message, &changed.no_create);
    if (status == ATM_OK && time >= t->changed)
        *t = changed;
    return status;
}

static atm_status read_error(const atm_value *object, double time, trace *trace,
                             atm_message *message)
{
    trace_target *t;
    const char *error;
    int target;
    atm_status status = get_target(object, message, &target);

    if (status == ATM_OK)
        status = atm_get_string(object, "error", message, &error);
    if (status != ATM_OK)
        return status;
    t = target_of(trace, target);
    if (t == NULL)
        return ATM_NO_MEMORY;
    t->errors++;
    t->failed = fmax(t->failed, time);
    return ATM_OK;
}

static atm_status read_jobs(const atm_value *object, double time, trace *trace,
                            atm_message *message)
{
    trace_jobs jobs = {.time = time};
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < TRACE_JOB_FEATURES; i++)
        status = atm_get_number(object, trace_job_names[i], 0, 1e30, message, &jobs.features[i]);
    if (status != ATM_OK)
        return status;
    if (!room_for_one((void **) &trace->jobs, trace->job_count, &trace->job_room,
                      sizeof(*trace->jobs)))
        return ATM_NO_MEMORY;
    trace->jobs[trace->job_count++] = jobs;
    return ATM_OK;
}

static atm_status read_event(const atm_value *object, trace *trace, atm_message *message)
{
    static const char *const sources[] = {
        [TRACE_PROBE] = "probe", [TRACE_TRUTH] = "truth", [TRACE_SERVICE] = "service"};
    const char *kind = NULL;
    double time = 0;
    atm_status status = atm_get_number(object, "time", 0, MAX_TIME, message, &time);

    if (status == ATM_OK)
        status = atm_get_string(object, "kind", message, &kind);
    if (status != ATM_OK)
        return status;
    for (int i = 0; i < TRACE_SOURCES; i++)
        if (strcmp(kind, sources[i]) == 0)
            return read_sample(object, (trace_source) i, time, trace, message);
    if (strcmp(kind, "target") == 0)
        return read_condition(object, time, trace, message);
    if (strcmp(kind, "error") == 0)
        return read_error(object, time, trace, message);
    if (strcmp(kind, "jobs") == 0)
        return read_jobs(object, time, trace, message);
    trace->ignored++;
    return ATM_OK;
}

atm_status trace_line(trace *trace, const char *text, size_t length, const char *name,
                      atm_message *message)
{
    trace_sample sample;
    atm_value *root;
    atm_status status;
    int target;

    trace->lines++;
    if (trace->path != NULL && take_probe(text, text + length, &target, &sample))
        return add_sample(trace, target, TRACE_PROBE, &sample);
    status = atm_value_parse(text, length, name, message, &root);
    if (status != ATM_OK)
        return status;
    if (atm_value_find(root, "format") != NULL || trace->path == NULL)
        status = read_header(root, trace, message);
    else
        status = read_event(root, trace, message);
    atm_value_destroy(root);
    return status;
}
