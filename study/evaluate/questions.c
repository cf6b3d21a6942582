/* The list of questions, and the frames around their answers. */

#include "questions.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "common/stats.h"
#include "common/units.h"

static const question *const questions[] = {
    &question_goals,    &question_strategies, &question_instances, &question_points,
    &question_noise,    &question_noisy,      &question_placement, &question_locking,
    &question_accuracy, &question_table2,     &question_paper,     NULL};

const char *questions_number(char *buffer, const char *format, double number)
{
    if (isnan(number))
        return "-";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(buffer, 24, format, number);
#pragma GCC diagnostic pop
    return buffer;
}

void questions_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|' || *text == '`' || *text == '<' || *text == '\\')
            fputc('\\', out);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
}

double questions_spread(const study *study)
{
    double spreads[4096];
    int count = 0;

    for (int i = 0; i < study->instances; i++)
        for (int k = 0; k < study->sweep->instances[i].candidates && count < 4096; k++)
            if (study->sweep->instances[i].configs[k].times.count > 1)
                spreads[count++] = study->sweep->instances[i].configs[k].times.spread;
    return count > 0 ? stats_median(spreads, count) : NAN;
}

/* --- the document */

static void put_frame(const study *study, atm_value *document)
{
    atm_value *options;
    double spread = questions_spread(study);

    atm_put_string(document, "format", "romio-autotune-evaluation");
    atm_put_integer(document, "version", 1);
    atm_put_string(document, "tool", "romio-autotune " PACKAGE_VERSION);
    atm_put_copy(document, "ground", atm_value_find(study->sweep->root, "ground"));
    options = atm_put_object(document, "options");
    atm_put_integer(options, "seed", (int64_t) study->options.seed);
    atm_put_integer(options, "repetitions", study->options.repetitions);
    atm_put_integer(options, "noisy", study->options.noisy);
    if (study->options.profile != NULL)
        atm_put_string(options, "profile", study->options.profile);
    if (!isnan(spread))
        atm_put_number(document, "spread", spread);
}

atm_status questions_document(const study *study, atm_value **document_p)
{
    atm_value *document = atm_value_object();
    atm_status status;

    put_frame(study, document);
    for (int i = 0; questions[i] != NULL; i++)
        questions[i]->put(study, document, questions[i]->id);
    status = atm_value_built(document);
    if (status == ATM_OK)
        *document_p = document;
    else
        atm_value_destroy(document);
    return status;
}

/* --- text */

static void text_facts(FILE *out, const study *study)
{
    const sweep *sweep = study->sweep;
    double spread = questions_spread(study);

    fprintf(out, "%d instances; %s ground, version ", study->instances, sweep->kind);
    questions_cell(out, sweep->version);
    fputs(", ", out);
    questions_cell(out, sweep->date);
    fprintf(out, "; seed %llu, %d repetitions; romio-autotune %s.",
            (unsigned long long) study->options.seed, study->options.repetitions, PACKAGE_VERSION);
    if (!isnan(spread))
        fprintf(out, " Repetitions of a measurement differ by %s (median of largest - smallest).",
                units_share(spread).text);
    fputs("\n\n", out);
    for (size_t i = 0; i < atm_value_length(sweep->facts); i++) {
        const atm_value *fact = atm_value_item(sweep->facts, i);
        const char *value = "";

        atm_get_string(fact, NULL, NULL, &value);
        fputs("- ", out);
        questions_cell(out, atm_value_key(fact));
        fputs(": ", out);
        questions_cell(out, value);
        fputs("\n", out);
    }
}

void questions_text(FILE *out, const study *study)
{
    fputs("## ", out);
    questions_cell(out, study->sweep->name);
    fputs(": ", out);
    questions_cell(out, study->sweep->title);
    fputs("\n\n", out);
    text_facts(out, study);
    for (int i = 0; questions[i] != NULL; i++) {
        fprintf(out, "\n### %s\n\n", questions[i]->heading);
        questions[i]->text(out, study);
    }
    if (study->notes != NULL)
        fprintf(out, "\n### Notes\n\n%s\n", study->notes);
}

/* --- the page */

static void show_ground(FILE *out, const study *study)
{
    static const page_column columns[] = {{"fact", false}, {"", false}};
    const sweep *sweep = study->sweep;
    double spread = questions_spread(study);

    page_table(out, "The ground, as its own program tells it", columns, 2);
#define ROW(name, ...)                                                                             \
    do {                                                                                           \
        page_row(out, false);                                                                      \
        page_cell(out, &columns[0], "%s", name);                                                   \
        page_cell(out, &columns[1], __VA_ARGS__);                                                  \
        page_row_end(out);                                                                         \
    } while (0)
    ROW("name", "%s", sweep->name);
    ROW("kind", "%s", sweep->kind);
    ROW("version", "%s", sweep->version);
    ROW("date", "%s", sweep->date);
    for (size_t i = 0; i < atm_value_length(sweep->facts); i++) {
        const char *value = "";

        atm_get_string(atm_value_item(sweep->facts, i), NULL, NULL, &value);
        ROW(atm_value_key(atm_value_item(sweep->facts, i)), "%s", value);
    }
    ROW("instances", "%d", study->instances);
    if (!isnan(spread))
        ROW("spread of repetitions", "%s (median of (largest - smallest) / median)",
            units_share(spread).text);
    ROW("seed and repetitions of the study", "%llu, %d", (unsigned long long) study->options.seed,
        study->options.repetitions);
    ROW("hybrid learned from", "%s",
        study->options.profile != NULL ? study->options.profile : "the ground's points");
#undef ROW
    page_table_end(out);
}

static void show_cards(FILE *out, const study *study)
{
    static const char *const names[] = {"hybrid", "automatic", "driver", "ml", "rs", "optimal"};

    page_cards(out);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const study_strategy *strategy = study_find(study, names[i]);
        char number[32], meaning[64];
        study_summary s;

        if (strategy == NULL)
            continue;
        study_summarise(study, strategy, &s);
        snprintf(number, sizeof(number), "%.2f", s.mean);
        snprintf(meaning, sizeof(meaning), "mean speed-up of %s", names[i]);
        page_card(out, number, meaning);
    }
    page_cards_end(out);
}

static void show_links(FILE *out, const study *study)
{
    page_link links[16] = {{"ground", "Ground"}};
    int count = 1;

    for (int i = 0; questions[i] != NULL && count < 15; i++)
        links[count++] = (page_link){questions[i]->id, questions[i]->heading};
    if (study->notes != NULL)
        links[count++] = (page_link){"notes", "Notes"};
    page_links(out, links, count);
}

static void show_notes(FILE *out, const study *study)
{
    const char *at = study->notes;

    page_section(out, "notes", "Notes");
    page_note(out, "Written by people: why results differ, and what limits them.");
    while (*at != '\0') {
        const char *end = strstr(at, "\n\n");
        int length = end != NULL ? (int) (end - at) : (int) strlen(at);

        page_text(out, "%.*s", length, at);
        at += length;
        while (*at == '\n')
            at++;
    }
    page_section_end(out);
}

static void show_all(FILE *out, const study *study)
{
    char title[256], foot[256], now[32] = "";
    time_t seconds = time(NULL);
    struct tm parts;

    snprintf(title, sizeof(title), "Evaluation: %s", study->sweep->name);
    page_begin(out, title, study->sweep->title);
    show_links(out, study);
    page_section(out, "ground", "Ground");
    show_cards(out, study);
    show_ground(out, study);
    page_section_end(out);
    for (int i = 0; questions[i] != NULL; i++) {
        page_section(out, questions[i]->id, questions[i]->heading);
        questions[i]->show(out, study);
        page_section_end(out);
    }
    if (study->notes != NULL)
        show_notes(out, study);
    if (gmtime_r(&seconds, &parts) != NULL)
        strftime(now, sizeof(now), "%Y-%m-%d %H:%M UTC", &parts);
    snprintf(foot, sizeof(foot),
             "Made by romio-autotune %s, autotune-evaluate, %s. Paper: Isaila et al., Collective "
             "I/O tuning using analytical and machine-learning models, IEEE Cluster 2015.",
             PACKAGE_VERSION, now);
    page_end(out, foot);
}

atm_status questions_page(const study *study, const char *path, atm_message *message)
{
    page *page;
    atm_status status = page_open(&page);

    if (status != ATM_OK)
        return status;
    show_all(page->out, study);
    status = page_save(page, path, message);
    page_close(page);
    return status;
}
