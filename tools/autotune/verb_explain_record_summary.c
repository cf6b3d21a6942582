/* Records by file name, a line each. */

#include <stdlib.h>
#include <string.h>

#include "value/words.h"
#include "verb_explain_record.h"
#include "common/outcome.h"
#include "common/shown.h"
#include "common/units.h"

enum { KINDS = 3 };

/* First words of a status. */
static const char *const kinds[KINDS] = {"tuned", "default", "disabled"};

typedef struct line {
    char file[ATM_MAX_STRING + 1];
    char mode[32]; /* "various" if records differ */
    int records;
    int of_kind[KINDS], others;
    double seconds;             /* in calls of all kinds */
    double predicted, measured; /* of collective calls that were predicted */
    struct line *next;
} line;

struct record_summary {
    line *first, **end;
    int lines, records;
};

record_summary *record_summary_make(void)
{
    record_summary *summary = calloc(1, sizeof(*summary));

    if (summary != NULL)
        summary->end = &summary->first;
    return summary;
}

void record_summary_free(record_summary *summary)
{
    while (summary != NULL && summary->first != NULL) {
        line *first = summary->first;

        summary->first = first->next;
        free(first);
    }
    free(summary);
}

/* NULL: no memory. */
static line *line_of(record_summary *summary, const atm_record *record)
{
    line *found = summary->first;

    while (found != NULL && strcmp(found->file, record->file) != 0)
        found = found->next;
    if (found != NULL)
        return found;
    found = calloc(1, sizeof(*found));
    if (found == NULL)
        return NULL;
    strcpy(found->file, record->file);
    strcpy(found->mode, record->mode);
    *summary->end = found;
    summary->end = &found->next;
    summary->lines++;
    return found;
}

static void count_status(line *line, const char *status)
{
    size_t length = strcspn(status, ":;");

    for (int i = 0; i < KINDS; i++)
        if (strlen(kinds[i]) == length && memcmp(status, kinds[i], length) == 0) {
            line->of_kind[i]++;
            return;
        }
    line->others++;
}

bool record_summary_add(record_summary *summary, const atm_record *record)
{
    line *line = line_of(summary, record);
    outcome outcomes[OUTCOMES];
    int count = outcomes_of(record, outcomes);

    if (line == NULL)
        return false;
    summary->records++;
    line->records++;
    if (strcmp(line->mode, record->mode) != 0)
        strcpy(line->mode, "various");
    count_status(line, record->status);
    line->seconds += record->read.seconds + record->write.seconds +
                     record->read.independent_seconds + record->write.independent_seconds;
    for (int i = 0; i < count; i++)
        if (outcomes[i].has_prediction && outcomes[i].calls > 0) {
            line->predicted += outcomes[i].predicted.seconds * (double) outcomes[i].calls;
            line->measured += outcomes[i].measured.seconds * (double) outcomes[i].calls;
        }
    return true;
}

/* "tuned", or "2 tuned, 1 default" */
static void status_words(const line *line, size_t size, char *words_p)
{
    const char *between = "";
    size_t length = 0;

    words_p[0] = '\0';
    for (int i = 0; i <= KINDS; i++) {
        int count = i < KINDS ? line->of_kind[i] : line->others;
        const char *kind = i < KINDS ? kinds[i] : "other";

        if (count == 0)
            continue;
        if (count == line->records)
            snprintf(words_p, size, "%s", kind);
        else
            length +=
                (size_t) snprintf(words_p + length, size - length, "%s%d %s", between, count, kind);
        between = ", ";
    }
}

static void print_line(FILE *out, const line *line)
{
    char words[64], clean[ATM_MAX_STRING + 1];
    bool compared = line->measured > 0;

    status_words(line, sizeof(words), words);
    fprintf(out, "%7d  %-9s  %-20s %9s  %9s %9s", line->records,
            line->mode[0] != '\0' ? line->mode : "-", words, units_seconds(line->seconds).text,
            compared ? units_seconds(line->predicted).text : "-",
            compared ? units_seconds(line->measured).text : "-");
    if (compared)
        fprintf(out, " %6.2f", line->predicted / line->measured);
    else
        fprintf(out, " %6s", "-");
    shown_clean(line->file, sizeof(clean), clean);
    fprintf(out, "  %s\n", clean);
}

void record_summary_print(FILE *out, const record_summary *summary)
{
    fprintf(out, "%7s  %-9s  %-20s %9s  %s\n", "", "", "", "time", "collective calls");
    fprintf(out, "%7s  %-9s  %-20s %9s  %9s %9s %6s  %s\n", "records", "mode", "status", "of I/O",
            "predicted", "measured", "ratio", "file");
    for (const line *line = summary->first; line != NULL; line = line->next)
        print_line(out, line);
    fprintf(out,
            "%d record%s of %d file%s; details: --file NAME, --last or --all; as a page: --html "
            "OUT\n",
            summary->records, atm_plural((uint64_t) summary->records), summary->lines,
            atm_plural((uint64_t) summary->lines));
}
