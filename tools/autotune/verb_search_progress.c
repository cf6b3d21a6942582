/* autotune search: how far it is. */

#include "verb_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/units.h"

static units_text value_text(const search_progress *p, double value)
{
    return p->command->metric == ATS_BY_OUTPUT ? units_number(value) : units_seconds(value);
}

/* "14:32", or with the day if that is another; from the mean of all runs so far. */
static void end_text(const search_progress *p, size_t size, char *text_p)
{
    double mean = p->done > 0 ? p->wall / p->done : 0;
    double left = (p->planned - p->done) * mean / p->command->parallel;
    time_t now = time(NULL), end;
    struct tm today, then;

    left = fmin(left, fmax(p->command->time - p->wall / p->command->parallel, 0));
    end = now + (time_t) fmax(left, 0);
    localtime_r(&now, &today);
    localtime_r(&end, &then);
    strftime(text_p, size,
             today.tm_yday == then.tm_yday && today.tm_year == then.tm_year ? "%H:%M"
                                                                            : "%Y-%m-%d %H:%M",
             &then);
}

static void count(search_progress *p, const ats_trial *trial, const ats_outcome *outcome)
{
    p->done++;
    p->wall += outcome->wall;
    if (outcome->end != ATS_DONE)
        return;
    if (ats_point_is_default(&trial->point))
        p->usual = isnan(p->usual) ? outcome->value : p->usual;
    if (trial->kind == ATS_EXPLORE)
        p->best = fmin(p->best, outcome->value);
}

void search_told(void *context, const ats_trial *trial, const ats_outcome *outcome, bool known)
{
    search_progress *p = context;
    char text[ATS_TEXT], end[32], best[96] = "";

    if (outcome == NULL) {
        if (p->known > 0 && !p->told)
            fprintf(stderr, "%d runs are known; going on\n", p->known);
        p->told = true;
        return;
    }
    count(p, trial, outcome);
    p->known += known;
    if (known)
        return;
    ats_point_text(p->space, &trial->point, text);
    end_text(p, sizeof(end), end);
    if (isfinite(p->best))
        snprintf(best, sizeof(best), "; least so far %s", value_text(p, p->best).text);
    if (isfinite(p->best) && p->usual > 0)
        snprintf(best + strlen(best), sizeof(best) - strlen(best), ", default %s",
                 value_text(p, p->usual).text);
    fprintf(stderr, "run %d of %d (%s): %s%s%s; ends by %s; %s\n", p->done,
            p->planned > p->done ? p->planned : p->done, ats_kind_name(trial->kind),
            outcome->end == ATS_DONE ? value_text(p, outcome->value).text : outcome->why,
            outcome->end == ATS_FAILED ? " (failed)" : "", best, end, text);
}
