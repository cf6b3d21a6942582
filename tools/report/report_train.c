/* The report of a training. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report.h"
#include "common/typical.h"
#include "common/machine_words.h"
#include "common/units.h"

/* --- summary */

typedef struct worst {
    double r2; /* of ln where the paper's has no meaning */
    const train_operation *operation;
} worst;

static worst worst_of(const train_result *result, bool storage)
{
    worst worst = {INFINITY, NULL};

    for (int i = 0; i < result->operation_count; i++) {
        const train_operation *operation = &result->operations[i];
        double r2 = report_score(operation)->r2;

        if ((operation->operation >= ATM_WRITE_FIRST) == storage && r2 < worst.r2) {
            worst.r2 = r2;
            worst.operation = operation;
        }
    }
    return worst;
}

static void put_worst(FILE *out, const train_result *result, bool storage)
{
    worst worst = worst_of(result, storage);
    char number[16], meaning[128];

    if (worst.operation == NULL)
        return;
    snprintf(number, sizeof(number), "%.3f", worst.r2);
    snprintf(meaning, sizeof(meaning), "lowest R\u00b2 of %s (%s)",
             storage ? "storage" : "communication", atm_operation_name(worst.operation->operation));
    page_card(out, number, meaning);
}

static void put_cards(FILE *out, const train_result *result)
{
    char number[32];
    int points = 0;

    for (int i = 0; i < result->operation_count; i++)
        points += result->operations[i].count;
    page_cards(out);
    snprintf(number, sizeof(number), "%d of %d", result->operation_count,
             ATM_OPERATION_COUNT - (result->write_cache.bytes == 0));
    page_card(out, number, "operations measured and learned");
    snprintf(number, sizeof(number), "%d", points);
    page_card(out, number, "points");
    put_worst(out, result, false);
    put_worst(out, result, true);
    page_card(out, units_seconds(result->seconds).text, "of training");
    page_cards_end(out);
}

static void put_summary(FILE *out, const train_result *result, const atm_profile *profile)
{
    page_section(out, "summary", "Summary");
    put_cards(out, result);
    page_text(out,
              "Every operation was learned on its own: preprocessing, algorithm and settings were "
              "compared by %d-fold cross-validation, by %s; the simplest candidate within one "
              "standard error of the best was taken (seed %llu).",
              result->folds,
              result->criterion == TRAIN_LOG ? "relative errors" : "errors in seconds",
              (unsigned long long) result->seed);
    for (int i = 0; i < result->note_count; i++)
        page_warning(out, "%s", result->notes[i]);
    if (profile->note[0] != '\0')
        page_warning(out, "Not measured, but %s.", profile->note);
    page_section_end(out);
}

/* --- machine */

static void put_fact(FILE *out, const char *name, const char *value)
{
    static const page_column columns[] = {{"fact", false}, {"value", false}};

    page_row(out, false);
    page_cell(out, &columns[0], "%s", name);
    page_cell(out, &columns[1], "%s", value);
    page_row_end(out);
}

static void put_machine(FILE *out, const atm_profile *profile)
{
    static const page_column columns[] = {{"fact", false}, {"value", false}};

    page_section(out, "machine", "Machine");
    page_table(out, "What the points say about it", columns, 2);
    for (const atm_fact *fact = atm_facts; fact < atm_facts + ATM_FACT_COUNT; fact++) {
        units_text room;
        const char *text = facts_text(&profile->machine, fact, &room);

        if (text[0] != '\0')
            put_fact(out, fact->name, text);
    }
    put_fact(out, "default access size of a rank",
             units_bytes((double) profile->defaults.access_size).text);
    put_fact(out, "collective buffers on a node, at most",
             units_bytes((double) profile->defaults.memory).text);
    page_table_end(out);
    page_section_end(out);
}

/* --- operations and maps */

static atm_status put_operations(FILE *out, const train_result *result, const atm_profile *profile)
{
    atm_status status = ATM_OK;

    page_section(out, "operations", "Operations");
    for (int i = 0; status == ATM_OK && i < result->operation_count; i++)
        status = report_operation(out, &result->operations[i], profile);
    page_section_end(out);
    return status;
}

static atm_status put_maps(FILE *out, const atm_profile *profile)
{
    typical_case cases[TYPICAL_CASES];
    atm_status status = ATM_OK;

    page_section(out, "maps", "What it means for typical jobs");
    page_text(out, "The hybrid model counts the operations of each configuration and adds up what "
                   "they cost on this machine. Mode automatic: the default is kept unless the "
                   "predicted saving exceeds the model's own uncertainty.");
    typical_cases(profile, cases);
    for (int i = 0; status == ATM_OK && i < TYPICAL_CASES; i++) {
        atm_choice *choice;

        status = atm_choose(&cases[i].request, profile, &choice);
        if (status == ATM_OK) {
            status = report_map(out, cases[i].words, &cases[i].request, choice);
            atm_choice_destroy(choice);
        } else if (status != ATM_NO_MEMORY) {
            page_heading(out, "A %s", cases[i].words);
            page_text(out, "Nothing can be chosen: %s.", atm_status_text(status));
            status = ATM_OK;
        }
    }
    page_section_end(out);
    return status;
}

/* --- the page */

static void put_head(FILE *out, const atm_profile *profile)
{
    static const page_link links[] = {{"summary", "Summary"},
                                      {"machine", "Machine"},
                                      {"table", "Cross-validation"},
                                      {"operations", "Operations"},
                                      {"maps", "Typical jobs"}};
    char title[256];

    snprintf(title, sizeof(title), "Training report: %s",
             profile->machine.name[0] != '\0' ? profile->machine.name : "a machine without a name");
    page_begin(out, title,
               "What the elemental operations of collective I/O cost on this machine, how well "
               "that was learned, and what it means for typical jobs.");
    page_links(out, links, sizeof(links) / sizeof(links[0]));
}

static void put_foot(FILE *out, const atm_profile *profile)
{
    char foot[256], now[32] = "";
    time_t seconds = time(NULL);
    struct tm parts;

    if (gmtime_r(&seconds, &parts) != NULL)
        strftime(now, sizeof(now), "%Y-%m-%d %H:%M UTC", &parts);
    snprintf(foot, sizeof(foot), "Made by romio-autotune %s, autotune train, %s. Profile: %s.",
             PACKAGE_VERSION, now, profile->source);
    page_end(out, foot);
}

static atm_status put_page(FILE *out, const train_result *result, const atm_profile *profile)
{
    atm_status status;

    put_head(out, profile);
    put_summary(out, result, profile);
    put_machine(out, profile);
    page_section(out, "table", "Cross-validation beside the paper's");
    report_table2(out, result);
    page_section_end(out);
    status = put_operations(out, result, profile);
    if (status == ATM_OK)
        status = put_maps(out, profile);
    put_foot(out, profile);
    return status;
}

atm_status report_train(const train_result *result, const atm_profile *profile, const char *path,
                        atm_message *message)
{
    page *page;
    atm_status status = page_open(&page);

    if (status != ATM_OK)
        return status;
    status = put_page(page->out, result, profile);
    if (status == ATM_OK)
        status = page_save(page, path, message);
    page_close(page);
    return status;
}
