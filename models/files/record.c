/* Records: filling one. */

#include "record_inside.h"

void atm_record_add_decision(atm_record *record, const atm_record_decision *decision)
{
    if (record->decision_count < ATM_RECORD_DECISIONS)
        record->decisions[record->decision_count++] = *decision;
    else
        record->decisions_dropped++;
}

void atm_record_add_call(atm_record *record, const atm_record_call *call)
{
    if (record->call_count < ATM_RECORD_CALLS)
        record->calls[record->call_count++] = *call;
    else
        record->calls_dropped++;
}

bool record_time_text(time_t when, char text_p[RECORD_TIME])
{
    struct tm utc;

    if (gmtime_r(&when, &utc) == NULL || utc.tm_year < 1000 - 1900 || utc.tm_year > 9999 - 1900)
        return false;
    strftime(text_p, RECORD_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return true;
}
