/* All grounds of a document in one table. */

#include <math.h>

#include "questions.h"

static const char *const means[] = {"rs", "ml", "hybrid", "automatic", "driver", "optimal"};
static const char *const judged[] = {"hybrid", "automatic", "driver"};

enum { MEANS = sizeof(means) / sizeof(means[0]), JUDGED = sizeof(judged) / sizeof(judged[0]) };

static study_summary summary_of(const study *study, const char *name)
{
    const study_strategy *strategy = study_find(study, name);
    study_summary summary = {.mean = NAN, .geometric = NAN, .worst = NAN, .slowest = NAN};

    if (strategy != NULL)
        study_summarise(study, strategy, &summary);
    return summary;
}

static void head(FILE *out, const char *const *names, int count, const char *more)
{
    fputs("\n| ground | instances |", out);
    for (int i = 0; i < count; i++)
        fprintf(out, " %s |%s", names[i], more);
    fputs("\n|---|---:|", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "---:|%s", more[0] != '\0' ? "---:|---:|" : "");
    fputs("\n", out);
}

static void begin_row(FILE *out, const study *study)
{
    fputs("| ", out);
    questions_cell(out, study->sweep->name);
    fprintf(out, " | %d |", study->instances);
}

void questions_overview(FILE *out, study *const *studies, int count)
{
    char number[24];

    fputs("\n## Overview\n\nMean speed-up over the default:\n", out);
    head(out, means, MEANS, "");
    for (int i = 0; i < count; i++) {
        begin_row(out, studies[i]);
        for (int k = 0; k < MEANS; k++)
            fprintf(out, " %s |",
                    questions_number(number, "%.3f", summary_of(studies[i], means[k]).mean));
        fputs("\n", out);
    }
    fputs("\nTime / best of the sweep, geometric mean; the worst of it; time / default, at most:\n",
          out);
    head(out, judged, JUDGED, " worst | / default |");
    for (int i = 0; i < count; i++) {
        begin_row(out, studies[i]);
        for (int k = 0; k < JUDGED; k++) {
            study_summary s = summary_of(studies[i], judged[k]);

            fprintf(out, " %s |", questions_number(number, "%.3f", s.geometric));
            fprintf(out, " %s |", questions_number(number, "%.3f", s.worst));
            fprintf(out, " %s |", questions_number(number, "%.3f", s.slowest));
        }
        fputs("\n", out);
    }
}
