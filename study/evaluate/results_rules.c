/* The modes against rules that a careful user would set. */

#include <math.h>

#include "questions.h"
#include "results.h"

/* Geometric mean of the rule's time / the mode's, of instances where both answer. */
static void put_cell(FILE *out, const study *study, const study_strategy *ours,
                     const study_strategy *rule)
{
    double ratio = NAN;
    int instances = 0;

    if (ours != NULL && rule->repetitions > 0)
        ratio = study_against(study, ours, rule, &instances);
    if (isnan(ratio)) {
        fputs(" - |", out);
        return;
    }
    fprintf(out, " %.2f", ratio);
    if (instances < study->instances)
        fprintf(out, " on %d", instances);
    fputs(rule->nearest > 0 ? " (near) |" : " |", out);
}

static void put_row(FILE *out, const study *study, int k)
{
    results_mode mode = results_evidence(study, k);

    fputs("\n| ", out);
    questions_cell(out, study->sweep->name);
    fprintf(out, " | `%s`%s |", mode.name, mode.ran ? "" : "\\*");
    for (int i = 0; i < study->strategy_count; i++)
        if (study->strategies[i].rule)
            put_cell(out, study, mode.strategy, &study->strategies[i]);
}

void results_rules(FILE *out, study *const *studies, int count)
{
    const study *first = studies[0]; /* all have the same rules */

    fputs("\n## Against rules a careful user would set\n\nThe rule's time / the mode's, geometric "
          "mean over the instances:\n\n| ground | mode |",
          out);
    for (int i = 0; i < first->strategy_count; i++)
        if (first->strategies[i].rule)
            fprintf(out, " `%s` |", first->strategies[i].name);
    fputs("\n|---|---|", out);
    for (int i = 0; i < first->strategy_count; i++)
        if (first->strategies[i].rule)
            fputs("---:|", out);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < RESULTS_MODES; k++)
            put_row(out, studies[i], k);
    fputs("\n\n", out);
    for (int i = 0; i < first->strategy_count; i++)
        if (first->strategies[i].rule)
            fprintf(out, "- `%s`: %s\n", first->strategies[i].name, first->strategies[i].summary);
    fputs("\nAbove 1 the mode is faster. -: the rule does not apply there, or the mode has no "
          "choice. near: on some\ninstances the sweep does not have what the rule sets; the "
          "nearest that it has took its place (the\nappendix tells which). A rule may set what "
          "ROMIO does anyway: then this is the speed-up over the default.\n",
          out);
}
