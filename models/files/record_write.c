/* Records: to lines. */

#include "record_inside.h"

#include <math.h>
#include <stdlib.h>

#include "asked.h"
#include "formats/formats.h"

static void put_factor(atm_value *object, const char *key, double factor)
{
    atm_put_number(object, key, factor >= 0 ? factor : (double) NAN);
}

/* Clocks have no finer resolution than nanoseconds; rounded to these, a time has
 * at most 15 digits and takes less room. */
static void put_seconds(atm_value *object, const char *key, double seconds)
{
    if (seconds >= 0 && seconds < 1e6)
        seconds = (double) (int64_t) (seconds * 1e9 + 0.5) / 1e9;
    put_factor(object, key, seconds);
}

static void put_count(atm_value *object, const char *key, int64_t count)
{
    atm_put_integer(object, key, count >= 0 ? count : INT64_MIN);
}

static void put_time(atm_value *object, const char *key, time_t when)
{
    char text[RECORD_TIME];

    if (record_time_text(when, text))
        atm_put_string(object, key, text);
    else
        atm_put_number(object, key, (double) NAN);
}

static void put_decision(atm_value *array, const atm_record_decision *decision)
{
    atm_value *object = atm_put_object(array, NULL), *ranks, *parts, *scale;
    int kept = decision->rank_count < ATM_RECORD_RANKS ? decision->rank_count : ATM_RECORD_RANKS;

    atm_put_size(object, "call", decision->call);
    atm_put_truth(object, "tuned", decision->tuned);
    atm_put_truth(object, "write", decision->write);
    atm_put_config(object, "config", &decision->config);
    put_count(object, "rank_count", decision->rank_count);
    ranks = atm_put_array(object, "ranks");
    for (int i = 0; i < kept; i++)
        put_count(ranks, NULL, decision->ranks[i]);
    atm_put_access(object, "access", &decision->access);
    parts = atm_put_object(object, "predicted");
    for (int i = 0; i < ATM_PART_COUNT; i++)
        put_seconds(parts, atm_part_name((atm_part) i), decision->parts[i]);
    put_factor(object, "uncertainty", decision->uncertainty);
    scale = atm_put_object(object, "scale");
    put_factor(scale, "storage", decision->storage_scale);
    put_factor(scale, "communication", decision->communication_scale);
    atm_put_string(object, "reason", decision->reason.text);
    if (decision->advised)
        atm_put_truth(object, "advised", true);
    if (decision->hinted)
        atm_put_truth(object, "hinted", true);
}

static void put_call(atm_value *array, const atm_record_call *call)
{
    atm_value *object = atm_put_object(array, NULL);

    atm_put_size(object, "call", call->call);
    atm_put_truth(object, "write", call->write);
    put_seconds(object, "at", call->at);
    put_seconds(object, "seconds", call->seconds);
    put_seconds(object, "storage_seconds", call->storage_seconds);
    atm_put_size(object, "bytes", call->bytes);
    atm_put_size(object, "accesses", call->accesses);
}

static void put_counters(atm_value *root, const char *key, const atm_record_counters *counters)
{
    atm_value *object = atm_put_object(root, key);

    atm_put_size(object, "calls", counters->calls);
    put_seconds(object, "seconds", counters->seconds);
    atm_put_size(object, "accesses", counters->accesses);
    atm_put_size(object, "bytes", counters->bytes);
    put_seconds(object, "storage_seconds", counters->storage_seconds);
    atm_put_size(object, "independent_calls", counters->independent_calls);
    atm_put_size(object, "independent_bytes", counters->independent_bytes);
    put_seconds(object, "independent_seconds", counters->independent_seconds);
}

static void put_head(atm_value *root, const atm_record *record)
{
    atm_put_string(root, "format", ATM_RECORD_FORMAT);
    atm_put_integer(root, "version", ATM_RECORD_VERSION);
    atm_put_string(root, "file", record->file);
    atm_put_string(root, "wrapped", record->wrapped);
    atm_put_string(root, "status", record->status);
    atm_put_string(root, "mode", record->mode);
    atm_put_string(root, "profile", record->profile);
    put_count(root, "ranks", record->ranks);
    put_count(root, "nodes", record->nodes);
    atm_put_string(root, "host", record->host);
    put_count(root, "pid", record->pid);
    atm_put_string(root, "job", record->job);
    put_time(root, "started", record->started);
    put_seconds(root, "seconds", record->seconds);
}

/* Builds the document with the first decisions and calls only; it may be broken. */
static atm_value *build(const atm_record *record, int decisions, int calls)
{
    atm_value *root = atm_value_object(), *array;

    put_head(root, record);
    array = atm_put_array(root, "decisions");
    for (int i = 0; i < decisions; i++)
        put_decision(array, &record->decisions[i]);
    array = atm_put_array(root, "calls");
    for (int i = 0; i < calls; i++)
        put_call(array, &record->calls[i]);
    array = atm_put_object(root, "dropped");
    atm_put_size(array, "decisions",
                 record->decisions_dropped + (uint64_t) (record->decision_count - decisions));
    atm_put_size(array, "calls", record->calls_dropped + (uint64_t) (record->call_count - calls));
    if (record->stripe_count > 0) {
        array = atm_put_object(root, "layout");
        atm_put_size(array, "stripe_size", record->stripe_size);
        put_count(array, "stripe_count", record->stripe_count);
        put_count(array, "first_ost", record->first_ost);
    }
    if (record->program[0] != '\0')
        atm_put_string(root, "program", record->program);
    if (record->user[0] != '\0')
        atm_put_string(root, "user", record->user);
    put_counters(root, "read", &record->read);
    put_counters(root, "write", &record->write);
    return root;
}

atm_status atm_record_value(const atm_record *record, atm_value **document_p)
{
    atm_value *root = build(record, record->decision_count, record->call_count);
    atm_status status = atm_value_built(root);

    if (status == ATM_OK)
        *document_p = root;
    else
        atm_value_destroy(root);
    return status;
}

/* A call takes less than 256 bytes, so no more are dropped than necessary. */
static int fewer(int count, size_t excess)
{
    size_t drop = excess / 256 + 1;

    return drop < (size_t) count ? count - (int) drop : 0;
}

atm_status atm_record_line(const atm_record *record, char **line_p, size_t *length_p)
{
    int decisions = record->decision_count, calls = record->call_count;

    for (;;) {
        atm_value *root = build(record, decisions, calls);
        size_t length = 0;
        char *line = NULL;
        atm_status status = atm_value_print_line(root, &line, &length);

        atm_value_destroy(root);
        if (status == ATM_OK && length >= ATM_RECORD_LINE) {
            free(line);
            if (calls > 0)
                calls = fewer(calls, length - ATM_RECORD_LINE);
            else if (decisions > 0)
                decisions--;
            else
                return ATM_BAD_ARGUMENT;
            continue;
        }
        if (status == ATM_OK) {
            *line_p = line;
            *length_p = length;
        }
        return status;
    }
}
