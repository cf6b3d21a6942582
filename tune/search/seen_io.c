/* What the driver's records of a run tell. */

#include "seen_io.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice/glob.h"
#include "common/outcome.h"
#include "common/records.h"
#include "files/asked.h"

/* I/O time of the slowest rank: the slowest in collective calls plus the slowest in independent
 * ones (files/record.h). */
static double seconds_of(const atm_record_counters *counters)
{
    return counters->seconds + counters->independent_seconds;
}

static void put_accesses(const atm_record *record, atm_value *array)
{
    outcome outcomes[OUTCOMES];
    int count = outcomes_of(record, outcomes);

    for (int i = 0; i < count && atm_value_length(array) < ATS_FACTS_ACCESSES; i++) {
        const outcome *seen = &outcomes[i];
        atm_value *object;

        if (seen->decision == NULL || seen->calls == 0 || seen->decision->write != seen->write ||
            seen->decision->access.bytes == 0)
            continue;
        object = atm_put_object(array, NULL);
        atm_put_integer(object, "calls", (int64_t) seen->calls);
        atm_put_access(object, "access", &seen->decision->access);
        atm_put_config(object, "config", &seen->decision->config);
    }
}

/* The first record says whose they are. */
static void begin(const atm_record *record, atm_value *facts)
{
    if (record->program[0] != '\0')
        atm_put_string(facts, "program", record->program);
    if (record->user[0] != '\0')
        atm_put_string(facts, "user", record->user);
    atm_put_string(facts, "driver", record->wrapped);
    atm_put_integer(facts, "ranks", record->ranks);
    atm_put_integer(facts, "nodes", record->nodes);
}

static bool has_file(const atm_value *files, const char *name)
{
    const char *file;

    for (size_t i = 0; i < atm_value_length(files); i++)
        if (atm_get_string(atm_value_item(files, i), NULL, NULL, &file) == ATM_OK &&
            strcmp(file, name) == 0)
            return true;
    return false;
}

typedef struct gathering {
    ats_io io;
    int64_t reads, writes;
    atm_record_counters apart; /* independent writes */
    atm_value *facts, *files, *accesses;
} gathering;

static void add(const atm_record *record, gathering *g)
{
    if (g->files == NULL) {
        begin(record, g->facts);
        g->files = atm_put_array(g->facts, "files");
        g->accesses = atm_put_array(g->facts, "accesses");
    }
    if (atm_value_length(g->files) < ATS_FACTS_FILES && !has_file(g->files, record->file))
        atm_put_string(g->files, NULL, record->file);
    put_accesses(record, g->accesses);
    g->reads += (int64_t) record->read.calls;
    g->writes += (int64_t) record->write.calls;
    g->apart.independent_calls += record->write.independent_calls;
    g->apart.independent_bytes += record->write.independent_bytes;
    g->apart.independent_seconds += record->write.independent_seconds;
    g->io.seconds += seconds_of(&record->read) + seconds_of(&record->write);
}

static void put_apart(const atm_record_counters *apart, atm_value *facts)
{
    atm_value *object;

    if (apart->independent_calls == 0)
        return;
    object = atm_put_object(facts, "apart");
    atm_put_integer(object, "writes", (int64_t) apart->independent_calls);
    atm_put_integer(object, "bytes", (int64_t) apart->independent_bytes);
    atm_put_number(object, "seconds", apart->independent_seconds);
}

atm_status ats_facts_read(const char *path, const char *pattern, atm_message *message, ats_io *io_p,
                          atm_value **facts_p)
{
    gathering g = {.facts = atm_value_object()};
    records *records = access(path, F_OK) == 0 ? records_open(path, message) : NULL;
    atm_status status = records == NULL && access(path, F_OK) == 0 ? ATM_NO_ACCESS : ATM_OK;

    while (records != NULL) {
        atm_record *record = NULL;

        status = records_next(records, message, &record);
        if (record == NULL)
            break;
        g.io.records++;
        if (pattern == NULL || atm_glob_match(pattern, record->file))
            add(record, &g);
        free(record);
    }
    records_close(records);
    if (g.files != NULL) {
        atm_put_integer(g.facts, "reads", g.reads);
        atm_put_integer(g.facts, "writes", g.writes);
        put_apart(&g.apart, g.facts);
    }
    atm_put_integer(g.facts, "records", g.io.records);
    g.io.calls = g.reads + g.writes;
    if (status == ATM_OK)
        status = atm_value_built(g.facts);
    if (status != ATM_OK) {
        atm_value_destroy(g.facts);
        return status;
    }
    *io_p = g.io;
    *facts_p = g.facts;
    return ATM_OK;
}
