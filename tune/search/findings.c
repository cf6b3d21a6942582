/* What came of a search, as text. */

#include "findings.h"

#include <math.h>
#include <string.h>

#include "common/units.h"

static const ats_ranked *find_default(const ats_report *report)
{
    for (int i = 0; i < report->count; i++)
        if (ats_point_is_default(&report->ranked[i].point))
            return &report->ranked[i];
    return NULL;
}

static units_text value_text(const ats_report *report, double value)
{
    return report->in_seconds ? units_seconds(value) : units_number(value);
}

static void print_row(const ats_report *report, int rank, const ats_ranked *one,
                      const ats_ranked *usual, FILE *out)
{
    char text[ATS_TEXT], speed_up[32] = "-";

    ats_point_text(report->space, &one->point, text);
    if (usual != NULL && usual->runs > 0 && one->runs > 0)
        snprintf(speed_up, sizeof(speed_up), "%.2f", usual->median / one->median);
    fprintf(out, "%4d %10s %9s %5d %6d  %s\n", rank, value_text(report, one->median).text, speed_up,
            one->runs, one->failures, text);
}

void ats_report_text(const ats_report *report, int rows, FILE *out)
{
    const ats_ranked *usual = find_default(report);

    fprintf(out, "%4s %10s %9s %5s %6s  %s\n", "rank", "median", "speed-up", "runs", "failed",
            "settings");
    for (int i = 0; i < report->count; i++)
        if (i < rows || &report->ranked[i] == usual)
            print_row(report, i + 1, &report->ranked[i], usual, out);
    if (report->count > rows)
        fprintf(out, "%d settings were tried\n", report->count);
}

void ats_report_verdict(const ats_report *report, FILE *out)
{
    const ats_verdict *v = &report->verdict;
    char text[ATS_TEXT];

    if (!report->has_winner || !v->known) {
        fputs("verdict: there is nothing to compare the default with\n", out);
        return;
    }
    ats_point_text(report->space, &report->winner, text);
    if (ats_is_faster(v))
        fprintf(out, "best: %s\n", text);
    else
        fprintf(out, "best: default, as far as these runs show; the fastest other: %s\n", text);
    fprintf(out, "verdict: %s instead of %s, x%.2f", value_text(report, v->seconds).text,
            value_text(report, v->default_seconds).text, v->speed_up);
    if (v->high > 0)
        fprintf(out, " (95 %%: %.2f to %.2f, %d %s of each)", v->low, v->high, v->runs,
                v->paired ? "verified runs" : "runs");
    fputs(v->sure       ? v->speed_up > 1 ? "\n" : ": the default is faster\n"
          : v->high > 0 ? ": these runs show no difference\n"
                        : ": one run of each tells little\n",
          out);
}
