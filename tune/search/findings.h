/* What came of a search: as text, and as a page with charts. */

#ifndef ATS_REPORT_H
#define ATS_REPORT_H

#include <stdio.h>

#include "rank.h"

typedef struct ats_report {
    const ats_space *space;
    const ats_seen *seen;
    const ats_ranked *ranked; /* [count] */
    int count;
    bool has_winner;
    ats_point winner;
    ats_verdict verdict;
    const char *command, *strategy, *metric;
    bool in_seconds;
} ats_report;

/* The first rows, and the default. */
void ats_report_text(const ats_report *report, int rows, FILE *out);
/* A sentence: the winner against the default. */
void ats_report_verdict(const ats_report *report, FILE *out);

/* Replaces the file atomically. */
atm_status ats_report_page(const ats_report *report, const char *path, atm_message *message);

#endif /* ATS_REPORT_H */
