/*
 * Charts over names: boxes that show how values spread, or bars of several
 * series; a dashed line to compare with.  Title and description as in svg.h.
 */

#ifndef SVG_BOXES_H
#define SVG_BOXES_H

#include "svg.h"

/* Whiskers, box, line and dot; without a finite median nothing is drawn. */
typedef struct svg_box {
    double low, lower, median, upper, high, mean;
    int colour;
} svg_box;

typedef struct svg_names {
    const char *title, *description;
    const char *x_label, *y_label;
    const char *const *names; /* [count] along the x axis */
    int count;
    double reference; /* where the dashed line is */
    bool wide;        /* as wide as the page, else half of it */
} svg_names;

/* boxes[names->count] */
void svg_boxes(FILE *out, const svg_names *names, const svg_box *boxes);

/* values[names->count][series], of colours 0, 1, ...; NaN: none */
void svg_bars(FILE *out, const svg_names *names, const double *values, int series,
              const char *const *series_names);

#endif /* SVG_BOXES_H */
