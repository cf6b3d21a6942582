/*
 * When what is due: a function of the plan, a seed and the times it is told.
 *
 * Targets are spread over a period, and each time is moved by up to a tenth of it at random,
 * so that probers do not march in step.  The load on a target, probes and truth writes
 * together, stays within a budget: all periods are stretched by one factor where it would not.
 */

#ifndef PROBE_TIMETABLE_H
#define PROBE_TIMETABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { TRUTHS_MOST = 8 };

typedef struct timetable_plan {
    double period; /* seconds between two probes of a target */
    uint64_t probe_bytes;
    double truth_every;
    uint64_t truths[TRUTHS_MOST]; /* bytes, written one after the other */
    int truth_count;
    double budget; /* bytes/s of a target; 0: none yet */
    uint64_t seed;
} timetable_plan;

typedef struct timetable_row {
    double probe_at, truth_at;
    int truth; /* the one that is next */
} timetable_row;

typedef struct timetable {
    timetable_plan plan;
    double stretch;
    uint64_t random;
    int count;
    timetable_row *rows; /* [count] owned */
} timetable;

/* Bytes/s that a plan causes at each target. */
double timetable_load(const timetable_plan *plan);
/* 1 or more */
double timetable_stretch(const timetable_plan *plan);

/* False without memory.  To be cleared. */
bool timetable_make(const timetable_plan *plan, int targets, double now, timetable *table_p);
void timetable_clear(timetable *table);

/* Changes the budget from now on; what is planned already moves with it. */
void timetable_set_budget(timetable *table, double budget, double now);

/* A probe or truth write was made, or left out: when is the next?  A period that was slept
 * through is not made up for. */
void timetable_probed(timetable *table, int row, double now);
void timetable_told_truth(timetable *table, int row, double now);

double timetable_next(const timetable *table); /* the earliest */

#endif /* PROBE_TIMETABLE_H */
