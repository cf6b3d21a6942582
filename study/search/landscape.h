/*
 * Landscapes: how long a program takes at every point of a space, measured once and kept.
 *
 *     { "format": "romio-autotune-landscape", "version": 1, "name": "vpic-small",
 *       "about": {...},                                   ground, machine, program: for readers
 *       "space": {...},                                                       search/space.h
 *       "facts": {...},                           of the default's run, search/seen_io.h; optional
 *       "points": [{"point": [0, 2, 1], "seconds": [0.41, 0.4, 0.43], "predicted": 0.3}, ...] }
 *
 * "point" is as in journals (search/journal.h), "seconds" has all repetitions, and "failed" says
 * how many failed, if any did.  The default and all points of the space are there, each once.
 */

#ifndef LANDSCAPE_H
#define LANDSCAPE_H

#include "search/space.h"

enum { LANDSCAPE_POINTS = 100000, LANDSCAPE_RUNS = 64 };

typedef struct landscape_place {
    ats_point point;
    int count, failed; /* repetitions; there is one at least */
    double seconds[LANDSCAPE_RUNS];
    double median;    /* by which it is judged; INFINITY if a repetition failed */
    double predicted; /* NaN: not known */
} landscape_place;

typedef struct landscape {
    char *name;
    ats_space *space;
    int count;
    landscape_place *places; /* [count] */
    double optimum;          /* smallest median */
} landscape;

/* Destroy it.  ATM_NO_ACCESS, ATM_NO_MEMORY, ATM_BAD_FILE. */
atm_status landscape_load(const char *path, atm_message *message, landscape **landscape_p);
void landscape_destroy(landscape *landscape);

/* The same of a document that was read. */
atm_status landscape_from(const atm_value *root, atm_message *message, landscape **landscape_p);

/* NULL: it is no point of the space. */
const landscape_place *landscape_find(const landscape *landscape, const ats_point *point);

#endif /* LANDSCAPE_H */
