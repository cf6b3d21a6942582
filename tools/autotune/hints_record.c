/* A decision that the driver has recorded. */

#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "common/outcome.h"
#include "common/shown.h"
#include "common/records.h"

static int complain(const option_table *table, const char *path, const char *file,
                    const atm_message *message, atm_status status)
{
    if (status != ATM_OK)
        options_complain(table, "%s", message->text);
    else if (file != NULL)
        options_complain(table, "%s: has no record of %s", path, file);
    else
        options_complain(table, "%s: has no records", path);
    return status == ATM_NO_MEMORY ? 1 : 2;
}

/* Free the record. */
static int find_last(const option_table *table, const char *path, const char *file,
                     atm_record **record_p)
{
    atm_message message = {""};
    records *records = records_open(path, &message);
    atm_record *record, *last = NULL;
    atm_status status;

    if (records == NULL)
        return options_complain(table, "%s", message.text);
    while ((status = records_next(records, &message, &record)) == ATM_OK && record != NULL) {
        bool wanted = file == NULL || strcmp(file, record->file) == 0;

        free(wanted ? last : record);
        last = wanted ? record : last;
    }
    if (records->torn)
        options_complain(table,
                         "%s:%ld: is incomplete and was skipped (a job may still be writing it)",
                         path, records->line);
    records_close(records);
    if (status == ATM_OK && last != NULL) {
        *record_p = last;
        return 0;
    }
    free(last);
    return complain(table, path, file, &message, status);
}

static bool find_driver(const char *name, atm_driver *driver_p)
{
    for (int i = 0; i < ATM_DRIVER_COUNT; i++)
        if (strcmp(name, atm_driver_name((atm_driver) i)) == 0) {
            *driver_p = (atm_driver) i;
            return true;
        }
    return false;
}

static const atm_record_decision *last_decision(const atm_record *record, bool write)
{
    for (int i = record->decision_count - 1; i >= 0; i--)
        if (record->decisions[i].write == write)
            return &record->decisions[i];
    return NULL;
}

/* Decisions after the first write no longer set it. */
static bool chose_striping(const atm_record *record)
{
    for (int i = 0; i < record->decision_count; i++) {
        const atm_record_decision *decision = &record->decisions[i];

        if (decision->tuned && decision->write && decision->access.new_file)
            return true;
    }
    return false;
}

/* Without aggregators, no model was asked. */
static hints_decision take(const atm_record *record, const atm_record_decision *decision,
                           atm_driver driver)
{
    hints_decision taken = {.driver = driver,
                            .ranks = record->ranks,
                            .nodes = record->nodes > 0 ? record->nodes : 1,
                            .access = decision->access,
                            .config = decision->config,
                            .tuned = decision->tuned && decision->config.aggregators > 0,
                            .striping = driver == ATM_LUSTRE && chose_striping(record)};

    shown_clean(decision->reason.text, sizeof(taken.reason.text), taken.reason.text);
    shown_clean(record->file, sizeof(taken.file), taken.file);
    return taken;
}

int hints_of_record(const option_table *table, const char *path, const char *file, bool read,
                    hints_decision *decision_p)
{
    const atm_record_decision *decision;
    atm_record *record;
    atm_driver driver;
    int code = find_last(table, path, file, &record);

    if (code != 0)
        return code;
    decision = last_decision(record, !read);
    if (decision == NULL && !read)
        decision = last_decision(record, false);
    if (decision == NULL)
        code = options_complain(table, "%s: the last record has no decision%s", path,
                                read ? " for a read" : "");
    else if (!find_driver(record->wrapped, &driver))
        code =
            options_complain(table, "%s: the last record is of a driver that is not known", path);
    else
        *decision_p = take(record, decision, driver);
    free(record);
    return code;
}
