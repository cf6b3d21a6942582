/* One record as text for people. */

#include "verb_explain_record.h"

#include <string.h>

#include "value/words.h"
#include "common/outcome.h"
#include "common/shown.h"
#include "common/units.h"

static void print_clean(FILE *out, const char *before, const char *text, const char *after)
{
    char clean[ATM_MAX_STRING + 1];

    shown_clean(text, sizeof(clean), clean);
    fprintf(out, "%s%s%s", before, clean, after);
}

static void print_head(FILE *out, const atm_record *record)
{
    print_clean(out, "", record->file, "\n");
    print_clean(out, "  ", record->status, "; ");
    print_clean(out, "", record->wrapped, "");
    if (record->mode[0] != '\0')
        print_clean(out, ", mode ", record->mode, "");
    if (record->profile[0] != '\0')
        print_clean(out, ", profile ", record->profile, "");
    fprintf(out, "\n  %d rank%s", record->ranks, atm_plural((uint64_t) record->ranks));
    if (record->version == 1) {
        fprintf(out, "; a record of version 1, without decisions\n");
        return;
    }
    fprintf(out, " on %d node%s", record->nodes, atm_plural((uint64_t) record->nodes));
    print_clean(out, "; ", record->host, "");
    fprintf(out, ", pid %lld", (long long) record->pid);
    if (record->job[0] != '\0')
        print_clean(out, ", job ", record->job, "");
    fprintf(out, "; %s, open for %s\n", outcome_time(record).text,
            units_seconds(record->seconds).text);
}

/* --- totals */

static void print_total(FILE *out, const char *name, uint64_t calls, uint64_t bytes,
                        const char *accesses, double seconds, double storage)
{
    bool split = storage >= 0;

    fprintf(out, "  %-18s %7llu %10s %9s %10s %10s %10s %10s\n", name, (unsigned long long) calls,
            units_bytes((double) bytes).text, accesses, units_seconds(seconds).text,
            split ? units_seconds(seconds > storage ? seconds - storage : 0).text : "",
            split ? units_seconds(storage).text : "",
            seconds > 0 ? units_rate((double) bytes / seconds).text : "-");
}

static void print_direction(FILE *out, const char *name, const atm_record_counters *counters)
{
    char text[32];

    if (counters->calls > 0) {
        snprintf(text, sizeof(text), "%llu", (unsigned long long) counters->accesses);
        print_total(out, name, counters->calls, counters->bytes, text, counters->seconds,
                    counters->storage_seconds);
    }
    if (counters->independent_calls > 0) {
        snprintf(text, sizeof(text), "independent %s", name);
        print_total(out, text, counters->independent_calls, counters->independent_bytes, "",
                    counters->independent_seconds, -1);
    }
}

static void print_totals(FILE *out, const atm_record *record)
{
    if (record->read.calls + record->write.calls + record->read.independent_calls +
            record->write.independent_calls ==
        0) {
        fputs("\n  nothing was read or written\n", out);
        return;
    }
    fprintf(out, "\n  %-18s %7s %10s %9s %10s %10s %10s %10s\n", "", "calls", "bytes", "accesses",
            "time", "communic.", "storage", "bandwidth");
    print_direction(out, "write", &record->write);
    print_direction(out, "read", &record->read);
}

/* --- decisions */

static void print_call(FILE *out, const char *before, const outcome *outcome)
{
    char call[24] = "-";

    if (outcome->decision != NULL && outcome->decision->call == 0)
        strcpy(call, "open");
    else if (outcome->decision != NULL)
        snprintf(call, sizeof(call), "%llu", (unsigned long long) outcome->decision->call);
    fprintf(out, "%s%-5s %-5s", before, call, outcome->write ? "write" : "read");
}

static void print_pair(FILE *out, const outcome *outcome, double predicted, double measured)
{
    fprintf(out, "  %9s %9s", outcome->has_prediction ? units_seconds(predicted).text : "-",
            outcome->calls > 0 ? units_seconds(measured).text : "-");
}

static void print_outcome(FILE *out, const atm_record *record, const outcome *outcome, int width)
{
    char what[OUTCOME_WHAT];
    atm_range_words range = {""};

    outcome_what(record, outcome, what);
    print_call(out, "  ", outcome);
    fprintf(out, "  %-*s  %5llu", width, what, (unsigned long long) outcome->calls);
    if (outcome->has_prediction)
        range = atm_range(1, outcome->decision->uncertainty);
    print_pair(out, outcome, outcome->predicted.seconds, outcome->measured.seconds);
    fprintf(out, "  %-14s", range.text);
    print_pair(out, outcome, outcome->predicted.communication, outcome->measured.communication);
    print_pair(out, outcome, outcome->predicted.storage, outcome->measured.storage);
    if (outcome->calls > 0)
        fprintf(out, "  %8s %9s %10s", units_number(outcome->accesses).text,
                units_bytes(outcome->bytes).text,
                outcome->measured.seconds > 0
                    ? units_rate(outcome->bytes / outcome->measured.seconds).text
                    : "-");
    fputs("\n", out);
}

static void print_access(FILE *out, const atm_access *access)
{
    fprintf(out, "              access: %s by %d rank%s", units_bytes((double) access->bytes).text,
            access->active_ranks, atm_plural((uint64_t) access->active_ranks));
    if (access->strided)
        fprintf(out, " in pieces of %s every %s", units_bytes((double) access->block).text,
                units_bytes((double) access->stride).text);
    fprintf(out, "%s%s%s\n", access->interleaved ? ", interleaved" : "",
            access->holes ? ", with holes" : "", access->new_file ? ", new file" : "");
}

static void print_reason(FILE *out, const outcome *outcome)
{
    const atm_record_decision *decision = outcome->decision;
    int kept = decision->rank_count < ATM_RECORD_RANKS ? decision->rank_count : ATM_RECORD_RANKS;

    print_call(out, "  ", outcome);
    print_clean(out, decision->tuned ? " tuned: " : " default: ", decision->reason.text, "\n");
    print_access(out, &decision->access);
    if (kept > 0) {
        fputs("              aggregators: ranks", out);
        for (int i = 0; i < kept; i++)
            fprintf(out, " %d", decision->ranks[i]);
        if (kept < decision->rank_count)
            fprintf(out, " and %d more", decision->rank_count - kept);
        fputs("\n", out);
    }
    if (decision->storage_scale != 1 || decision->communication_scale != 1)
        fprintf(out, "              corrected by earlier calls: storage x %s, communication x %s\n",
                units_number(decision->storage_scale).text,
                units_number(decision->communication_scale).text);
}

static void print_table(FILE *out, const atm_record *record, const outcome *outcomes, int count)
{
    int width = (int) strlen("aggr. x buffer");
    char what[OUTCOME_WHAT];

    for (int i = 0; i < count; i++) {
        outcome_what(record, &outcomes[i], what);
        if ((int) strlen(what) > width)
            width = (int) strlen(what);
    }
    fprintf(out, "\n  %-11s  %-*s  %5s  %-35s  %-19s  %-19s  a call's mean\n", "before", width, "",
            "", "time of a call", "communication", "storage");
    fprintf(out, "  %-11s  %-*s  %5s  %9s %9s  %-14s  %9s %9s  %9s %9s  %8s %9s %10s\n", "call",
            width, "aggr. x buffer", "calls", "predicted", "measured", "give or take", "predicted",
            "measured", "predicted", "measured", "accesses", "bytes", "bandwidth");
    for (int i = 0; i < count; i++)
        print_outcome(out, record, &outcomes[i], width);
}

static void print_decisions(FILE *out, const atm_record *record)
{
    outcome outcomes[OUTCOMES];
    int count = outcomes_of(record, outcomes);

    if (count == 0)
        return;
    print_table(out, record, outcomes, count);
    if (record->decision_count > 0)
        fputs("\n  why\n", out);
    for (int i = 0; i < count; i++)
        if (outcomes[i].decision != NULL && outcomes[i].decision->write == outcomes[i].write)
            print_reason(out, &outcomes[i]);
}

void explain_record_text(FILE *out, const atm_record *record)
{
    print_head(out, record);
    print_totals(out, record);
    print_decisions(out, record);
    if (record->calls_dropped > 0)
        fprintf(out, "  only the first %d collective calls are compared; %llu more were not kept\n",
                record->call_count, (unsigned long long) record->calls_dropped);
    if (record->decisions_dropped > 0)
        fprintf(out, "  %llu more decisions were not kept\n",
                (unsigned long long) record->decisions_dropped);
}
