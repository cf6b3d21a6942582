/*
 * Results on one page: what a user gains from each mode of the driver on each
 * ground, and what was missed.  Strategies that no mode runs are for the appendix
 * (questions.h).
 */

#ifndef RESULTS_H
#define RESULTS_H

#include <stdio.h>

#include "study.h"

/* The evidence for a mode on a ground. */
typedef struct results_mode {
    const char *name;
    const study_strategy *strategy; /* NULL: none */
    bool ran;                       /* the driver itself did; else its choice was looked up */
} results_mode;

enum { RESULTS_MODES = 2 };

/* The strongest there is: mode < RESULTS_MODES. */
results_mode results_evidence(const study *study, int mode);

/* Markdown; figure: the file's name beside the page, or NULL. */
void results_page(FILE *out, study *const *studies, int count, const char *figure);
/* Its table of rules that others set. */
void results_rules(FILE *out, study *const *studies, int count);
/* SVG: a dot for each instance, by ground and mode. */
void results_figure(FILE *out, study *const *studies, int count);

#endif /* RESULTS_H */
