/*
 * Surveys of a job (the module survey of libautotune-watch.so): of each file, the average, least
 * and most over the processes that accessed it.
 *
 * This is done here, and not by MPI when a program ends: a reduction there would wait for ranks
 * that are not watched, that have failed, or that never call MPI_Finalize.
 */

#ifndef ATH_SURVEY_H
#define ATH_SURVEY_H

#include <stdio.h>

#include "list.h"

enum { ATH_MEASURES = 25 };

typedef struct ath_measure {
    const char *name;
    ath_kind kind;
} ath_measure;

extern const ath_measure ath_measures[ATH_MEASURES];

typedef struct ath_spread {
    double sum, least, most;
} ath_spread;

typedef struct ath_survey_file {
    char *path;
    char layer[8];
    size_t processes; /* that accessed it */
    double seconds;   /* of all of them */
    ath_spread spreads[ATH_MEASURES];
} ath_survey_file;

typedef struct ath_survey {
    ath_survey_file *files; /* those that took longest first */
    size_t count, room;
    size_t processes;        /* that were surveyed */
    int64_t left_out;        /* activities of files that a process had no room for */
    size_t told;             /* processes that say what the library itself took: */
    ath_spread own, writing; /* seconds in their calls, and of processor time for the spool */
    size_t *slots;           /* files by path and layer: index and 1 */
    size_t slot_count;
} ath_survey;

/* The caller clears it. */
ath_status ath_survey_read(ath_database *database, const char *job, atm_message *message,
                           ath_survey *survey_p);
void ath_survey_clear(ath_survey *survey);

/* At most so many files; how many there are more is said. */
ath_status ath_survey_print(const ath_survey *survey, size_t most, ath_form form, FILE *out);

#endif /* ATH_SURVEY_H */
