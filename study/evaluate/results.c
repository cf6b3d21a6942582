/* Results on one page. */

#include "results.h"

#include <math.h>
#include <string.h>

#include "common/units.h"
#include "goals.h"
#include "questions.h"

static const struct {
    const char *name, *ran, *looked_up;
} modes[RESULTS_MODES] = {{"automatic", "driver", "automatic"},
                          {"enable", "driver-enable", "enable"}};

results_mode results_evidence(const study *study, int mode)
{
    const study_strategy *ran = study_find(study, modes[mode].ran);

    if (ran != NULL)
        return (results_mode){modes[mode].name, ran, true};
    return (results_mode){modes[mode].name, study_find(study, modes[mode].looked_up), false};
}

/* --- the table */

static void put_ranks(FILE *out, const sweep *sweep)
{
    int fewest = sweep->instances[0].job.ranks, most = fewest;

    for (int i = 1; i < sweep->count; i++) {
        int ranks = sweep->instances[i].job.ranks;

        fewest = ranks < fewest ? ranks : fewest;
        most = ranks > most ? ranks : most;
    }
    if (fewest == most)
        fprintf(out, " %d |", most);
    else
        fprintf(out, " %d to %d |", fewest, most);
}

static void put_mode(FILE *out, const study *study, int mode)
{
    results_mode evidence = results_evidence(study, mode);
    study_summary s;

    if (evidence.strategy == NULL) {
        fputs(" - | - | - |", out);
        return;
    }
    study_summarise(study, evidence.strategy, &s);
    fprintf(out, " %.2f%s", s.gain, evidence.ran ? "" : "\\*");
    if (s.instances > 1)
        fprintf(out, " (%.2f to %.2f)", s.gain_low, s.gain_high);
    if (s.instances < study->instances)
        fprintf(out, " on %d", s.instances);
    fprintf(out, " | %.2f | %.2f |", 1 / s.slowest, s.geometric);
}

static void put_table(FILE *out, study *const *studies, int count)
{
    fputs("| ground | kind | ranks | instances | repetitions differ by |", out);
    for (int k = 0; k < RESULTS_MODES; k++)
        fprintf(out, " `%s`: speed-up | worst | time / best |", modes[k].name);
    fputs("\n|---|---|---:|---:|---:|", out);
    for (int k = 0; k < RESULTS_MODES; k++)
        fputs("---:|---:|---:|", out);
    for (int i = 0; i < count; i++) {
        double spread = questions_spread(studies[i]);

        fputs("\n| ", out);
        questions_cell(out, studies[i]->sweep->name);
        fprintf(out, " | %s |", studies[i]->sweep->kind);
        put_ranks(out, studies[i]->sweep);
        fprintf(out, " %d | %s |", studies[i]->instances,
                isnan(spread) ? "-" : units_share(spread).text);
        for (int k = 0; k < RESULTS_MODES; k++)
            put_mode(out, studies[i], k);
    }
    fputs("\n\nSpeed-up: the time of ROMIO's default / the mode's, geometric mean over the "
          "instances, with its\n95 % confidence interval over the instances. Worst: the lowest "
          "speed-up of any instance. Time / best:\nagainst the fastest configuration of an "
          "exhaustive sweep, geometric mean. \\* The model's choice, with the\ntime that the sweep "
          "found for it; without a mark the driver itself ran in that mode.\nRepetitions differ "
          "by: (largest - smallest) / median of repeated measurements, their median.\n",
          out);
}

/* --- goals that were missed */

/* Those of the strategy that is a mode's evidence. */
static int put_missed(FILE *out, const study *study, const results_mode *mode)
{
    goal_result results[GOALS_MAX];
    int count = goals_judge(study, results), missed = 0;

    for (int i = 0; i < count; i++) {
        const goal *goal = results[i].goal;

        if (!goal->promised || strcmp(results[i].strategy, mode->strategy->name) != 0 ||
            !results[i].known || results[i].met)
            continue;
        fputs("| ", out);
        questions_cell(out, study->sweep->name);
        fprintf(out, " | `%s`%s | %s | %.3f |\n", mode->name, mode->ran ? "" : "\\*", goal->text,
                results[i].value);
        missed++;
    }
    return missed;
}

void results_page(FILE *out, study *const *studies, int count, const char *figure)
{
    int missed = 0;

    fputs("# Results\n\nWhat each mode of the driver gains over ROMIO's defaults. `make results` "
          "writes this page and the\n[appendix](results-appendix.md), which has every instance, "
          "the paper's other strategies and the goals\none by one, from the data in `study/`. "
          "The modes: [use](guide/use.md).\n\n",
          out);
    put_table(out, studies, count);
    if (figure != NULL)
        fprintf(out, "\n![Speed-up of each instance, by ground and mode](%s)\n", figure);
    results_rules(out, studies, count);
    fputs("\n## Missed\n\nGoals of the project for a mode that are not reached:\n\n"
          "| ground | mode | goal | value |\n|---|---|---|---:|\n",
          out);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < RESULTS_MODES; k++) {
            results_mode mode = results_evidence(studies[i], k);

            if (mode.strategy != NULL)
                missed += put_missed(out, studies[i], &mode);
        }
    if (missed == 0)
        fputs("| none | | | |\n", out);
}
