/* All grounds of a document in one table. */

#include <math.h>

#include "questions.h"

static const char *const means[] = {"rs",     "ml",     "hybrid", "automatic",
                                    "enable", "driver", "optimal"};

enum { MEANS = sizeof(means) / sizeof(means[0]) };

static double mean_of(const study *study, const char *name)
{
    const study_strategy *strategy = study_find(study, name);
    study_summary summary = {.mean = NAN};

    if (strategy != NULL)
        study_summarise(study, strategy, &summary);
    return summary.mean;
}

void questions_overview(FILE *out, study *const *studies, int count)
{
    char number[24];

    fputs("\n## Overview\n\nMean speed-up over the default:\n\n| ground | instances |", out);
    for (int k = 0; k < MEANS; k++)
        fprintf(out, " %s |", means[k]);
    fputs("\n|---|---:|", out);
    for (int k = 0; k < MEANS; k++)
        fputs("---:|", out);
    for (int i = 0; i < count; i++) {
        fputs("\n| ", out);
        questions_cell(out, studies[i]->sweep->name);
        fprintf(out, " | %d |", studies[i]->instances);
        for (int k = 0; k < MEANS; k++)
            fprintf(out, " %s |", questions_number(number, "%.3f", mean_of(studies[i], means[k])));
    }
    fputs("\n", out);
}
