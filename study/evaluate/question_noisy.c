/* The driver's modes, trained with noisy calibrations. */

#include <stdio.h>

#include "questions.h"

typedef struct row {
    double sigma;
    const char *mode;
    study_summary summary;
} row;

enum { ROWS = 2 * STUDY_NOISY };

/* 0: not measured on this ground */
static int find_rows(const study *study, row *rows)
{
    int count = 0;

    for (int i = 0; i < STUDY_NOISY; i++) {
        const study_noisy *noisy = &study->noisy[i];
        const study_strategy *modes[] = {&noisy->automatic, &noisy->enable};

        for (int k = 0; k < 2; k++) {
            if (modes[k]->repetitions == 0)
                continue;
            rows[count] = (row){.sigma = noisy->sigma, .mode = k == 0 ? "automatic" : "enable"};
            study_summarise(study, modes[k], &rows[count++].summary);
        }
    }
    return count;
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);
    row rows[ROWS];
    int count = find_rows(study, rows);

    for (int i = 0; i < count; i++) {
        const study_summary *s = &rows[i].summary;
        atm_value *object = atm_put_object(list, NULL);

        atm_put_number(object, "sigma", rows[i].sigma);
        atm_put_string(object, "mode", rows[i].mode);
        spread_put(&s->speedup, object, "speedup");
        atm_put_integer(object, "worse", s->worse);
        atm_put_number(object, "slowest", s->slowest);
        atm_put_number(object, "geometric", s->geometric);
    }
}

static void text(FILE *out, const study *study)
{
    row rows[ROWS];
    int count = find_rows(study, rows);

    if (count == 0) {
        fprintf(out, "%s\n", QUESTIONS_NOT_MEASURED);
        return;
    }
    fprintf(out,
            "Each point is visited twice, and each visit takes t (1 + N(0, sigma\u00b2)); %d "
            "trainings for each sigma, from the beginning.\n\n"
            "| sigma | mode | mean speed-up | 25 %% | median | 75 %% | slower than the default | "
            "time / default, most | time / best |\n"
            "|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
            study->options.noisy);
    for (int i = 0; i < count; i++) {
        const study_summary *s = &rows[i].summary;

        fprintf(out, "| %g | `%s` | %.3f | %.3f | %.3f | %.3f | %d of %d | %.3f | %.3f |\n",
                rows[i].sigma, rows[i].mode, s->mean, s->speedup.q25, s->speedup.median,
                s->speedup.q75, s->worse, s->instances, s->slowest, s->geometric);
    }
}

static void show(FILE *out, const study *study)
{
    static const page_column columns[] = {{"sigma", true},
                                          {"mode", false},
                                          {"mean speed-up", true},
                                          {"median", true},
                                          {"slower than the default", true},
                                          {"time / default, most", true},
                                          {"time / best", true}};
    row rows[ROWS];
    int count = find_rows(study, rows);

    if (count == 0) {
        page_text(out, "%s", QUESTIONS_NOT_MEASURED);
        return;
    }
    page_text(out,
              "Each point is visited twice, and each visit takes t (1 + N(0, sigma\u00b2)); %d "
              "trainings for each sigma, from the beginning.",
              study->options.noisy);
    page_table(out, "Modes of the driver after noisy calibrations", columns, 7);
    for (int i = 0; i < count; i++) {
        const study_summary *s = &rows[i].summary;

        page_row(out, false);
        page_cell(out, &columns[0], "%g", rows[i].sigma);
        page_cell(out, &columns[1], "%s", rows[i].mode);
        page_cell(out, &columns[2], "%.3f", s->mean);
        page_cell(out, &columns[3], "%.3f", s->speedup.median);
        page_cell(out, &columns[4], "%d of %d", s->worse, s->instances);
        page_cell(out, &columns[5], "%.3f", s->slowest);
        page_cell(out, &columns[6], "%.3f", s->geometric);
        page_row_end(out);
    }
    page_table_end(out);
}

const question question_noisy = {"noisy", "Noise in the calibration: the driver's modes", put, text,
                                 show};
