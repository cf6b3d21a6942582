#include "timetable.h"

#include <math.h>
#include <stdlib.h>

#include "common/rng.h"

double timetable_load(const timetable_plan *plan)
{
    double load = (double) plan->probe_bytes / plan->period;

    for (int i = 0; i < plan->truth_count; i++)
        load += (double) plan->truths[i] / plan->truth_every;
    return load;
}

double timetable_stretch(const timetable_plan *plan)
{
    double stretch = plan->budget > 0 ? timetable_load(plan) / plan->budget : 1;

    return stretch > 1 ? stretch : 1;
}

static double after(timetable *table, double at, double period, double now)
{
    double next = at + period * (0.9 + 0.2 * rng_unit(&table->random));

    return next > now ? next : now + period * rng_unit(&table->random);
}

bool timetable_make(const timetable_plan *plan, int targets, double now, timetable *table_p)
{
    timetable table = {.plan = *plan, .random = plan->seed, .count = targets};

    table.rows = calloc((size_t) targets, sizeof(*table.rows)); /* timetable_clear */
    if (table.rows == NULL)
        return false;
    table.stretch = timetable_stretch(plan);
    for (int i = 0; i < targets; i++) {
        timetable_row *row = &table.rows[i];

        row->probe_at = now + plan->period * (i + rng_unit(&table.random)) / targets;
        row->truth_at = plan->truth_count > 0
                            ? now + plan->truth_every * (i + rng_unit(&table.random)) / targets
                            : INFINITY;
    }
    *table_p = table;
    return true;
}

void timetable_clear(timetable *table)
{
    free(table->rows);
    table->rows = NULL;
}

void timetable_set_budget(timetable *table, double budget, double now)
{
    double before = table->stretch;

    table->plan.budget = budget;
    table->stretch = timetable_stretch(&table->plan);
    for (int i = 0; i < table->count; i++) {
        timetable_row *row = &table->rows[i];
        double more = table->stretch / before;

        if (row->probe_at > now)
            row->probe_at = now + (row->probe_at - now) * more;
        if (row->truth_at > now && row->truth == 0)
            row->truth_at = now + (row->truth_at - now) * more;
    }
}

void timetable_probed(timetable *table, int row, double now)
{
    double *at = &table->rows[row].probe_at;

    *at = after(table, *at, table->plan.period * table->stretch, now);
}

/* Sizes of one occasion follow each other at once. */
void timetable_told_truth(timetable *table, int row, double now)
{
    timetable_row *one = &table->rows[row];

    one->truth = (one->truth + 1) % table->plan.truth_count;
    one->truth_at =
        one->truth > 0 ? now
                       : after(table, one->truth_at, table->plan.truth_every * table->stretch, now);
}

double timetable_next(const timetable *table)
{
    double next = INFINITY;

    for (int i = 0; i < table->count; i++) {
        next = fmin(next, table->rows[i].probe_at);
        next = fmin(next, table->rows[i].truth_at);
    }
    return next;
}
