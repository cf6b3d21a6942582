/* Records: from lines. */

#include "record_inside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "formats/formats.h"

/* The beginning that fits: cleaning (atm_put_string) may have made it longer than
 * what the driver had. */
static atm_status get_text(const atm_value *object, const char *key, atm_message *message,
                           size_t size, char *text_p)
{
    const char *text;
    size_t length;
    atm_status status = atm_get_string(object, key, message, &text);

    if (status != ATM_OK)
        return status;
    length = strlen(text);
    if (length >= size)
        for (length = size - 1; length > 0 && (text[length] & 0xc0) == 0x80;)
            length--; /* not within a character */
    memcpy(text_p, text, length);
    text_p[length] = '\0';
    return ATM_OK;
}

#define GET_TEXT(object, key, message, array) get_text(object, key, message, sizeof(array), array)

static atm_status get_int(const atm_value *object, const char *key, atm_message *message,
                          int *int_p)
{
    int64_t integer;
    atm_status status = atm_get_integer(object, key, 0, INT_MAX, message, &integer);

    if (status == ATM_OK)
        *int_p = (int) integer;
    return status;
}

static atm_status get_seconds(const atm_value *object, const char *key, atm_message *message,
                              double *seconds_p)
{
    return atm_get_number(object, key, 0, DBL_MAX, message, seconds_p);
}

/* Only as it is written: the time must give the same text again. */
static atm_status get_time(const atm_value *object, const char *key, atm_message *message,
                           time_t *time_p)
{
    struct tm utc = {.tm_isdst = 0};
    char again[RECORD_TIME];
    const char *text;
    time_t when;
    atm_status status = atm_get_string(object, key, message, &text);

    if (status != ATM_OK)
        return status;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
               &utc.tm_hour, &utc.tm_min, &utc.tm_sec) != 6)
        return atm_complain(object, key, message, "must be a time as 2026-01-31T23:59:59Z");
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    when = timegm(&utc);
    if (!record_time_text(when, again) || strcmp(again, text) != 0)
        return atm_complain(object, key, message, "must be a time as 2026-01-31T23:59:59Z");
    *time_p = when;
    return ATM_OK;
}

/* Runs the next step unless one has failed. */
#define THEN(step)                                                                                 \
    if (status == ATM_OK)                                                                          \
    status = step

static atm_status get_ranks(const atm_value *object, atm_message *message,
                            atm_record_decision *decision)
{
    atm_status status = get_int(object, "rank_count", message, &decision->rank_count);
    size_t kept = 0;
    const atm_value *array = NULL;
    int64_t rank;

    if (status == ATM_OK)
        kept = (size_t) (decision->rank_count < ATM_RECORD_RANKS ? decision->rank_count
                                                                 : ATM_RECORD_RANKS);
    THEN(atm_get_array(object, "ranks", kept, kept, message, &array));
    for (size_t i = 0; status == ATM_OK && i < kept; i++) {
        status = atm_get_integer(atm_value_item(array, i), NULL, 0, INT_MAX, message, &rank);
        if (status == ATM_OK)
            decision->ranks[i] = (int) rank;
    }
    return status;
}

static atm_status get_decision(const atm_value *object, atm_message *message,
                               atm_record_decision *decision)
{
    atm_status status = atm_get_size(object, "call", message, &decision->call);
    const atm_value *parts, *scale;

    THEN(atm_get_truth(object, "tuned", message, &decision->tuned));
    THEN(atm_get_truth(object, "write", message, &decision->write));
    THEN(atm_get_config(object, "config", message, &decision->config));
    THEN(get_ranks(object, message, decision));
    THEN(atm_get_access(object, "access", message, &decision->access));
    THEN(atm_get_object(object, "predicted", message, &parts));
    for (int i = 0; i < ATM_PART_COUNT; i++)
        THEN(get_seconds(parts, atm_part_name((atm_part) i), message, &decision->parts[i]));
    THEN(get_seconds(object, "uncertainty", message, &decision->uncertainty));
    THEN(atm_get_object(object, "scale", message, &scale));
    THEN(get_seconds(scale, "storage", message, &decision->storage_scale));
    THEN(get_seconds(scale, "communication", message, &decision->communication_scale));
    THEN(GET_TEXT(object, "reason", message, decision->reason.text));
    THEN(atm_opt_truth(object, "advised", message, &decision->advised));
    THEN(atm_opt_truth(object, "hinted", message, &decision->hinted));
    return status;
}

static atm_status get_decisions(const atm_value *root, atm_message *message, atm_record *record)
{
    const atm_value *array;
    atm_status status = atm_get_array(root, "decisions", 0, ATM_RECORD_DECISIONS, message, &array);

    if (status != ATM_OK)
        return status;
    record->decision_count = (int) atm_value_length(array);
    for (int i = 0; i < record->decision_count; i++)
        THEN(get_decision(atm_value_item(array, (size_t) i), message, &record->decisions[i]));
    return status;
}

static atm_status get_call(const atm_value *object, atm_message *message, atm_record_call *call)
{
    atm_status status = atm_get_size(object, "call", message, &call->call);

    THEN(atm_get_truth(object, "write", message, &call->write));
    THEN(get_seconds(object, "at", message, &call->at));
    THEN(get_seconds(object, "seconds", message, &call->seconds));
    THEN(get_seconds(object, "storage_seconds", message, &call->storage_seconds));
    THEN(atm_get_size(object, "bytes", message, &call->bytes));
    THEN(atm_get_size(object, "accesses", message, &call->accesses));
    return status;
}

static atm_status get_calls(const atm_value *root, atm_message *message, atm_record *record)
{
    const atm_value *array;
    atm_status status = atm_get_array(root, "calls", 0, ATM_RECORD_CALLS, message, &array);

    if (status != ATM_OK)
        return status;
    record->call_count = (int) atm_value_length(array);
    for (int i = 0; i < record->call_count; i++)
        THEN(get_call(atm_value_item(array, (size_t) i), message, &record->calls[i]));
    return status;
}

static atm_status get_counters(const atm_value *root, const char *key, atm_message *message,
                               atm_record_counters *counters)
{
    const atm_value *object;
    atm_status status = atm_get_object(root, key, message, &object);

    THEN(atm_get_size(object, "calls", message, &counters->calls));
    THEN(get_seconds(object, "seconds", message, &counters->seconds));
    THEN(atm_get_size(object, "accesses", message, &counters->accesses));
    THEN(atm_get_size(object, "bytes", message, &counters->bytes));
    THEN(get_seconds(object, "storage_seconds", message, &counters->storage_seconds));
    THEN(atm_get_size(object, "independent_calls", message, &counters->independent_calls));
    THEN(atm_get_size(object, "independent_bytes", message, &counters->independent_bytes));
    THEN(get_seconds(object, "independent_seconds", message, &counters->independent_seconds));
    return status;
}

static atm_status get_counters_1(const atm_value *root, const char *key, atm_message *message,
                                 atm_record_counters *counters)
{
    const atm_value *object;
    atm_status status = atm_get_object(root, key, message, &object);

    THEN(atm_get_size(object, "calls", message, &counters->calls));
    THEN(get_seconds(object, "microseconds", message, &counters->seconds));
    THEN(atm_get_size(object, "accesses", message, &counters->accesses));
    THEN(atm_get_size(object, "bytes", message, &counters->bytes));
    THEN(get_seconds(object, "storage_microseconds", message, &counters->storage_seconds));
    if (status == ATM_OK) {
        counters->seconds /= 1e6;
        counters->storage_seconds /= 1e6;
    }
    return status;
}

static atm_status get_version_1(const atm_value *root, atm_message *message, atm_record *record)
{
    atm_status status = get_counters_1(root, "read", message, &record->read);

    THEN(get_counters_1(root, "write", message, &record->write));
    return status;
}

/* Only records of files on Lustre have one. */
static atm_status get_layout(const atm_value *root, atm_message *message, atm_record *record)
{
    const atm_value *object = atm_value_find(root, "layout");
    atm_status status = ATM_OK;

    if (object == NULL)
        return ATM_OK;
    THEN(atm_get_size(object, "stripe_size", message, &record->stripe_size));
    THEN(get_int(object, "stripe_count", message, &record->stripe_count));
    THEN(get_int(object, "first_ost", message, &record->first_ost));
    return status;
}

/* What later drivers know. */
static atm_status get_owner(const atm_value *root, atm_message *message, atm_record *record)
{
    atm_status status = ATM_OK;

    if (atm_value_find(root, "program") != NULL)
        THEN(GET_TEXT(root, "program", message, record->program));
    if (atm_value_find(root, "user") != NULL)
        THEN(GET_TEXT(root, "user", message, record->user));
    return status;
}

static atm_status get_version_2(const atm_value *root, atm_message *message, atm_record *record)
{
    const atm_value *dropped;
    atm_status status = GET_TEXT(root, "mode", message, record->mode);

    THEN(GET_TEXT(root, "profile", message, record->profile));
    THEN(get_int(root, "nodes", message, &record->nodes));
    THEN(GET_TEXT(root, "host", message, record->host));
    THEN(atm_get_integer(root, "pid", 0, ATM_MAX_INTEGER, message, &record->pid));
    THEN(GET_TEXT(root, "job", message, record->job));
    THEN(get_time(root, "started", message, &record->started));
    THEN(get_seconds(root, "seconds", message, &record->seconds));
    THEN(get_decisions(root, message, record));
    THEN(get_calls(root, message, record));
    THEN(atm_get_object(root, "dropped", message, &dropped));
    THEN(atm_get_size(dropped, "decisions", message, &record->decisions_dropped));
    THEN(atm_get_size(dropped, "calls", message, &record->calls_dropped));
    THEN(get_counters(root, "read", message, &record->read));
    THEN(get_counters(root, "write", message, &record->write));
    THEN(get_layout(root, message, record));
    THEN(get_owner(root, message, record));
    return status;
}

static atm_status get_record(const atm_value *root, atm_message *message, atm_record *record)
{
    atm_status status =
        atm_check_format(root, ATM_RECORD_FORMAT, ATM_RECORD_VERSION, message, &record->version);

    THEN(GET_TEXT(root, "file", message, record->file));
    THEN(GET_TEXT(root, "wrapped", message, record->wrapped));
    THEN(GET_TEXT(root, "status", message, record->status));
    THEN(get_int(root, "ranks", message, &record->ranks));
    THEN((record->version == 1 ? get_version_1 : get_version_2)(root, message, record));
    return status;
}

atm_status atm_record_parse(const char *line, size_t length, const char *name, atm_message *message,
                            atm_record **record_p)
{
    atm_value *root = NULL;
    atm_record *record = calloc(1, sizeof(*record));
    atm_status status = record != NULL ? ATM_OK : ATM_NO_MEMORY;

    THEN(atm_value_parse(line, length, name, message, &root));
    THEN(get_record(root, message, record));
    atm_value_destroy(root);
    if (status == ATM_OK)
        *record_p = record;
    else
        free(record);
    return status;
}
