/* What a record says came out of each decision. */

#include "outcome.h"

#include <stdio.h>
#include <string.h>

#include "value/words.h"
#include "units.h"

int outcome_decision(const atm_record *record, const atm_record_call *call)
{
    int found = -1;

    for (int i = 0; i < record->decision_count; i++)
        if (record->decisions[i].call <= call->call)
            found = i;
    return found;
}

/* A call that ranks saw differently may have storage beyond the slowest's time. */
double outcome_communication(const atm_record_call *call)
{
    return call->seconds > call->storage_seconds ? call->seconds - call->storage_seconds : 0;
}

/* Calls that decision `index` (-1: none) was in effect for. */
static void measure(const atm_record *record, int index, outcome *outcome)
{
    for (int i = 0; i < record->call_count; i++) {
        const atm_record_call *call = &record->calls[i];

        if (call->write != outcome->write || outcome_decision(record, call) != index)
            continue;
        if (outcome->calls++ == 0)
            outcome->first_at = call->at;
        outcome->measured.seconds += call->seconds;
        outcome->measured.communication += outcome_communication(call);
        outcome->measured.storage += call->storage_seconds;
        outcome->bytes += (double) call->bytes;
        outcome->accesses += (double) call->accesses;
    }
    if (outcome->calls == 0)
        return;
    outcome->measured.seconds /= (double) outcome->calls;
    outcome->measured.communication /= (double) outcome->calls;
    outcome->measured.storage /= (double) outcome->calls;
    outcome->bytes /= (double) outcome->calls;
    outcome->accesses /= (double) outcome->calls;
}

bool outcome_predicted(const atm_record_decision *decision, outcome_parts *parts_p)
{
    double communication = decision->parts[ATM_PARTITIONING] + decision->parts[ATM_SHUFFLE];
    double storage = decision->parts[ATM_STORAGE];

    if (communication + storage == 0)
        return false;
    *parts_p = (outcome_parts){communication + storage, communication, storage};
    return true;
}

/* index -1: calls before any decision */
static outcome of_calls(const atm_record *record, int index, bool write)
{
    outcome outcome = {.write = write};

    if (index >= 0) {
        outcome.decision = &record->decisions[index];
        if (outcome.decision->write == write)
            outcome.has_prediction = outcome_predicted(outcome.decision, &outcome.predicted);
    }
    measure(record, index, &outcome);
    return outcome;
}

int outcomes_of(const atm_record *record, outcome outcomes_p[OUTCOMES])
{
    int count = 0;

    for (int i = -1; i < record->decision_count; i++) {
        bool write = i < 0 || record->decisions[i].write;
        outcome own = of_calls(record, i, write), other = of_calls(record, i, !write);

        if (i >= 0 || own.calls > 0)
            outcomes_p[count++] = own;
        if (other.calls > 0)
            outcomes_p[count++] = other;
    }
    return count;
}

static void put_parts(atm_value *object, const char *key, const outcome_parts *parts)
{
    atm_value *member = atm_put_object(object, key);

    atm_put_number(member, "seconds", parts->seconds);
    atm_put_number(member, "communication", parts->communication);
    atm_put_number(member, "storage", parts->storage);
}

static void put_outcome(atm_value *array, const atm_record *record, const outcome *outcome)
{
    atm_value *object = atm_put_object(array, NULL);

    if (outcome->decision != NULL)
        atm_put_integer(object, "decision", outcome->decision - record->decisions);
    atm_put_truth(object, "write", outcome->write);
    if (outcome->has_prediction)
        put_parts(object, "predicted", &outcome->predicted);
    atm_put_integer(object, "calls", (int64_t) outcome->calls);
    if (outcome->calls == 0)
        return;
    put_parts(object, "measured", &outcome->measured);
    atm_put_number(object, "bytes", outcome->bytes);
    atm_put_number(object, "accesses", outcome->accesses);
}

atm_status outcome_put(atm_value *array, const atm_record *record)
{
    atm_value *object = atm_put_object(array, NULL), *document = NULL, *list;
    outcome outcomes[OUTCOMES];
    int count = outcomes_of(record, outcomes);
    atm_status status = atm_record_value(record, &document);

    if (status != ATM_OK)
        return status;
    atm_put_copy(object, "record", document);
    atm_value_destroy(document);
    list = atm_put_array(object, "outcomes");
    for (int i = 0; i < count; i++)
        put_outcome(list, record, &outcomes[i]);
    return ATM_OK;
}

void outcome_what(const atm_record *record, const outcome *outcome, char text_p[OUTCOME_WHAT])
{
    const atm_record_decision *decision = outcome->decision;
    const atm_config *config = decision != NULL ? &decision->config : NULL;
    char stripes[64] = "";

    if (config == NULL) {
        snprintf(text_p, OUTCOME_WHAT, "not recorded");
        return;
    }
    if (config->aggregators == 0) { /* no model was asked */
        snprintf(text_p, OUTCOME_WHAT, "%d aggregator%s", decision->rank_count,
                 atm_plural((uint64_t) decision->rank_count));
        return;
    }
    if (strcmp(record->wrapped, atm_driver_name(ATM_LUSTRE)) == 0)
        snprintf(stripes, sizeof(stripes), ", %d x %s, co %d", config->stripe_count,
                 units_bytes((double) config->stripe_size).text, config->co_ratio);
    if (!config->collective)
        snprintf(text_p, OUTCOME_WHAT, "independent%s", stripes);
    else
        snprintf(text_p, OUTCOME_WHAT, "%d x %s%s%s", config->aggregators,
                 units_bytes((double) config->buffer).text, stripes,
                 config->automatic ? ", if interleaved" : "");
}

outcome_text outcome_time(const atm_record *record)
{
    outcome_text text = {"-"};
    struct tm utc;

    if (gmtime_r(&record->started, &utc) != NULL)
        strftime(text.text, sizeof(text.text), "%F %T UTC", &utc);
    return text;
}
