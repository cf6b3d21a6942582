/* Goals met and missed. */

#include <stdio.h>

#include "goals.h"
#include "questions.h"

static void verdict_of(const goal_result *result, char *words, size_t size)
{
    if (!result->known)
        snprintf(words, size, "not measured");
    else if (result->met)
        snprintf(words, size, "met");
    else if (result->missed_by == 0)
        snprintf(words, size, "missed: equal");
    else
        snprintf(words, size, "missed by %.3g", result->missed_by);
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);
    goal_result results[GOALS_MAX];
    int count = goals_judge(study, results);

    for (int i = 0; i < count; i++) {
        atm_value *goal = atm_put_object(list, NULL);

        atm_put_string(goal, "goal", results[i].goal->text);
        atm_put_string(goal, "strategy", results[i].strategy);
        atm_put_number(goal, "limit", results[i].goal->limit);
        atm_put_truth(goal, "known", results[i].known);
        if (!results[i].known)
            continue;
        atm_put_number(goal, "value", results[i].value);
        atm_put_truth(goal, "met", results[i].met);
        if (!results[i].met)
            atm_put_number(goal, "missed_by", results[i].missed_by);
    }
}

static void text(FILE *out, const study *study)
{
    goal_result results[GOALS_MAX];
    int count = goals_judge(study, results);
    char verdict[48], number[24];

    fputs("| strategy | goal | value | limit | |\n|---|---|---:|---:|---|\n", out);
    for (int i = 0; i < count; i++) {
        if (!results[i].known)
            continue;
        verdict_of(&results[i], verdict, sizeof(verdict));
        fprintf(out, "| %s | %s | %s | %s %.3g | %s |\n", results[i].strategy,
                results[i].goal->text, questions_number(number, "%.3f", results[i].value),
                results[i].goal->at_most ? "at most" : "above", results[i].goal->limit, verdict);
    }
}

static void show(FILE *out, const study *study)
{
    static const page_column columns[] = {
        {"strategy", false}, {"goal", false}, {"value", true}, {"limit", true}, {"", false}};
    goal_result results[GOALS_MAX];
    int count = goals_judge(study, results);
    char verdict[48], number[24];

    page_table(out, "What this project aims for, and the result; goals that are missed stand out",
               columns, 5);
    for (int i = 0; i < count; i++) {
        verdict_of(&results[i], verdict, sizeof(verdict));
        page_row(out, results[i].known && !results[i].met);
        page_cell(out, &columns[0], "%s", results[i].strategy);
        page_cell(out, &columns[1], "%s", results[i].goal->text);
        page_cell(out, &columns[2], "%s", questions_number(number, "%.3f", results[i].value));
        page_cell(out, &columns[3], "%s %.3g", results[i].goal->at_most ? "at most" : "above",
                  results[i].goal->limit);
        page_cell(out, &columns[4], "%s", verdict);
        page_row_end(out);
    }
    page_table_end(out);
}

const question question_goals = {"goals", "Goals", put, text, show};
