/* Trials that were made. */

#include "ats_trial.h"

#include <math.h>
#include <stdlib.h>

const char *ats_kind_name(ats_kind kind)
{
    static const char *const names[ATS_KIND_COUNT] = {"explore", "check", "verify"};

    return names[kind];
}

const char *ats_end_name(ats_end end)
{
    static const char *const names[ATS_END_COUNT] = {"done", "stopped", "failed"};

    return names[end];
}

atm_status ats_seen_add(ats_seen *seen, const ats_trial *trial, const ats_outcome *outcome)
{
    if (seen->count == seen->room) {
        int room = 2 * seen->room + 64;
        ats_measured *at = realloc(seen->at, (size_t) room * sizeof(*at));

        if (at == NULL)
            return ATM_NO_MEMORY;
        seen->at = at;
        seen->room = room;
    }
    seen->at[seen->count++] = (ats_measured){*trial, *outcome};
    return ATM_OK;
}

void ats_seen_destroy(ats_seen *seen)
{
    free(seen->at);
    *seen = (ats_seen){.at = NULL};
}

bool ats_seen_find(const ats_seen *seen, ats_kind kind, const ats_point *point, double *value_p)
{
    for (int i = 0; i < seen->count; i++) {
        const ats_measured *m = &seen->at[i];

        if ((kind == ATS_KIND_COUNT || m->trial.kind == kind) &&
            ats_point_equal(&m->trial.point, point)) {
            *value_p = m->outcome.end == ATS_FAILED ? INFINITY : m->outcome.value;
            return true;
        }
    }
    return false;
}

int ats_seen_values(const ats_seen *seen, const ats_point *point, int size, double *values_p)
{
    int count = 0;

    for (int i = 0; i < seen->count && count < size; i++)
        if (seen->at[i].outcome.end == ATS_DONE && ats_point_equal(&seen->at[i].trial.point, point))
            values_p[count++] = seen->at[i].outcome.value;
    return count;
}
