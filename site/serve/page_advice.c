/* Advice: rules, and what they rest on. */

#include <stdlib.h>

#include "common/units.h"
#include "history/learn_rules.h"
#include "html.h"

/* --- rules */

static const page_column rule_columns[] = {
    {"program", false}, {"user", false},    {"file", false},     {"operation", false},
    {"ranks", false},   {"bytes", false},   {"settings", false}, {"source", false},
    {"runs", true},     {"seconds", true},  {"95 %", false},     {"without", true},
    {"of that", true},  {"left out", true}, {"when", false}};
enum { RULE_COLUMNS = sizeof(rule_columns) / sizeof(rule_columns[0]) };

static const char *or_any(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : "any";
}

static void put_range(FILE *out, const uint64_t range[2], bool bytes)
{
    page_column plain = {"", false};

    if (range[0] == 0 && range[1] == UINT64_MAX)
        page_cell(out, &plain, "any");
    else if (bytes)
        page_cell(out, &plain, "%s to %s", units_bytes((double) range[0]).text,
                  units_bytes((double) range[1]).text);
    else
        page_cell(out, &plain, "%llu to %llu", (unsigned long long) range[0],
                  (unsigned long long) range[1]);
}

static void put_settings(FILE *out, const atm_settings *settings)
{
    atm_value *object = atm_value_object();
    char *text = NULL;
    size_t length = 0;

    atm_settings_write(settings, object);
    if (atm_value_print_line(object, &text, &length) != ATM_OK)
        length = 0;
    page_cell(out, &rule_columns[6], "%.*s", length > 0 ? (int) length - 1 : 0,
              text != NULL ? text : "");
    atm_value_destroy(object);
    free(text);
}

static void put_evidence(FILE *out, const atm_evidence *e)
{
    static const char *const sources[] = {[ATM_BY_HISTORY] = "history",
                                          [ATM_BY_SEARCH] = "search",
                                          [ATM_BY_HAND] = "hand",
                                          [ATM_BY_MODEL] = "model"};
    bool known = e->runs > 0, both = known && e->default_seconds > 0;

    page_cell(out, &rule_columns[7], "%s", sources[e->source]);
    page_cell(out, &rule_columns[8], known ? "%lld" : "-", (long long) e->runs);
    page_cell(out, &rule_columns[9], "%s", known ? units_seconds(e->seconds).text : "-");
    page_cell(out, &rule_columns[10], known ? "%s to %s" : "-", units_seconds(e->interval[0]).text,
              units_seconds(e->interval[1]).text);
    page_cell(out, &rule_columns[11], "%s", both ? units_seconds(e->default_seconds).text : "-");
    page_cell(out, &rule_columns[12], "%s",
              both ? units_share(e->seconds / e->default_seconds).text : "-");
}

static void put_rule(FILE *out, const atm_rule *rule)
{
    page_row(out, false);
    page_cell(out, &rule_columns[0], "%s", or_any(rule->program));
    page_cell(out, &rule_columns[1], "%s", or_any(rule->user));
    page_cell(out, &rule_columns[2], "%s", or_any(rule->file));
    page_cell(out, &rule_columns[3], "%s",
              rule->operation == ATM_WRITES  ? "write"
              : rule->operation == ATM_READS ? "read"
                                             : "any");
    put_range(out, rule->ranks, false);
    put_range(out, rule->bytes, true);
    put_settings(out, &rule->set);
    put_evidence(out, &rule->evidence);
    page_cell(out, &rule_columns[13], "%s", units_share(rule->control).text);
    page_cell(out, &rule_columns[14], "%s", rule->evidence.when);
    page_row_end(out);
}

static void put_rules(FILE *out, const char *caption, const atm_advice *advice)
{
    page_table(out, caption, rule_columns, RULE_COLUMNS);
    for (int i = 0; i < advice->count; i++)
        put_rule(out, &advice->rules[i]);
    page_table_end(out);
    if (advice->count == 0)
        page_text(out, "Nothing.");
}

/* A file that cannot be used is told, and the rest of the page shown. */
static void put_file(serve_visit *visit)
{
    atm_advice *advice = NULL;
    atm_message message = {""};
    atm_status status = atm_advice_load(visit->site->advice, &message, &advice);

    page_section(visit->out, "file", "The file of advice");
    if (status == ATM_OK)
        put_rules(visit->out, "Rules of the file, of which the first that matches wins", advice);
    else
        page_warning(visit->out, "%s",
                     message.text[0] != '\0' ? message.text : atm_status_text(status));
    page_section_end(visit->out);
    atm_advice_destroy(advice);
}

/* --- classes */

static const page_column class_columns[] = {
    {"program", false}, {"user", false},   {"file", false},    {"operation", false},
    {"ranks", false},   {"bytes", false},  {"runs", true},     {"settings", true},
    {"fastest", true},  {"without", true}, {"verdict", false}, {"trials", false}};
enum { CLASS_COLUMNS = sizeof(class_columns) / sizeof(class_columns[0]), CLASSES = 1000 };

typedef struct classes {
    FILE *out;
    int count;
} classes;

static void put_trials_link(FILE *out, const ath_class_report *class)
{
    fprintf(out,
            "<td><a href=\"/trials?operation=%s&amp;program=", class->write ? "write" : "read");
    html_encode(out, class->program);
    fputs("&amp;user=", out);
    html_encode(out, class->user);
    fputs("\">trials</a></td>", out);
}

static void put_class(const ath_class_report *class, void *context)
{
    classes *c = context;
    bool two = class->seconds > 0 && class->default_seconds > 0;

    if (c->count++ >= CLASSES)
        return;
    page_row(c->out, class->verdict == ATH_ADVISED);
    page_cell(c->out, &class_columns[0], "%s", or_any(class->program));
    page_cell(c->out, &class_columns[1], "%s", or_any(class->user));
    page_cell(c->out, &class_columns[2], "%s", class->pattern);
    page_cell(c->out, &class_columns[3], "%s%s", class->independent ? "independent " : "",
              class->write ? "write" : "read");
    put_range(c->out, class->ranks, false);
    put_range(c->out, class->bytes, true);
    page_cell(c->out, &class_columns[6], "%d", class->runs);
    page_cell(c->out, &class_columns[7], "%d", class->arms);
    page_cell(c->out, &class_columns[8], "%s", two ? units_seconds(class->seconds).text : "-");
    page_cell(c->out, &class_columns[9], "%s",
              two ? units_seconds(class->default_seconds).text : "-");
    page_cell(c->out, &class_columns[10], "%s", ath_verdict_text(class->verdict));
    put_trials_link(c->out, class);
    page_row_end(c->out);
}

/* Rules come before classes on the page, but classes first from learning. */
static ath_status put_learned(serve_visit *visit, const ath_samples *samples)
{
    classes c = {NULL, 0};
    atm_advice *advice = NULL;
    char *rows = NULL;
    size_t size;
    ath_status status;

    c.out = open_memstream(&rows, &size);
    if (c.out == NULL)
        return ATH_NO_MEMORY;
    status = ath_learn(samples, &ath_learn_usual, put_class, &c, &advice);
    if (fclose(c.out) != 0 && status == ATH_OK)
        status = ATH_NO_MEMORY;
    if (status == ATH_OK) {
        page_section(visit->out, "learned", "What the history advises now");
        put_rules(visit->out, "Rules that autotune history learn would write", advice);
        page_table(visit->out, "All classes of accesses that were tried", class_columns,
                   CLASS_COLUMNS);
        fputs(rows, visit->out);
        page_table_end(visit->out);
        if (c.count == 0)
            page_text(visit->out, "Nothing.");
        if (c.count > CLASSES)
            page_note(visit->out, "The first %d of %d.", CLASSES, c.count);
        page_section_end(visit->out);
    }
    free(rows);
    atm_advice_destroy(advice);
    return status;
}

static serve_status write_advice(serve_visit *visit)
{
    ath_samples samples = {.at = NULL};
    ath_status status =
        ath_samples_load(visit->database, visit->ask.since, &visit->message, &samples);

    html_begin(visit, "Advice",
               "Which settings served whom best, and the runs that this rests on.");
    html_form(visit);
    if (visit->site->advice != NULL)
        put_file(visit);
    if (status == ATH_OK)
        status = put_learned(visit, &samples);
    ath_samples_destroy(&samples);
    return serve_status_of(status);
}

const serve_page page_advice = {
    .path = "/advice", .name = "advice", .parameters = {ASKED_SINCE}, .write = write_advice};
