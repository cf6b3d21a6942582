/*
 * Charts as SVG for a page (page.h), whose style colours them in light and dark.
 *
 *     svg_chart chart = {.title = ..., .x = {"measured", SVG_SECONDS, true}, ...};
 *     svg_include(&chart.x, x, count);        once for every series
 *     svg_include(&chart.y, y, count);
 *     svg_begin(out, &chart);
 *     svg_points(out, &chart, &series);
 *     svg_legend(out, &chart, entries, 2);
 *     svg_end(out, &chart);
 *
 * Title and description are for screen readers; the caller should add a table
 * of the same data.  Errors are left in out (ferror).
 */

#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stdio.h>

typedef enum svg_unit { SVG_NUMBER, SVG_SECONDS, SVG_BYTES, SVG_SHARE } svg_unit;

/* Zero apart from label, unit, log and base before the first svg_include. */
typedef struct svg_axis {
    const char *label;
    svg_unit unit;
    bool log;
    double base; /* of a logarithmic axis; 0: 2 for bytes, else 10 */
    bool used;   /* min and max are set */
    double min, max;
    double step; /* between ticks, of exponents on a logarithmic axis; svg_round sets it */
} svg_axis;

typedef struct svg_chart {
    const char *title;
    const char *description;
    svg_axis x, y;
    bool square; /* else wider than high */
} svg_chart;

/* Colours that people with any colour vision tell apart (Okabe and Ito), by
 * number; each series has a shape of its own too. */
enum { SVG_COLOURS = 6 };

typedef struct svg_series {
    int colour;
    int count;
    const double *x, *y;
    /* Shown when the mouse is over point i; NULL: none. */
    void (*label)(FILE *out, const void *context, int i);
    const void *context;
} svg_series;

/* Widen the axis to include the values; those it cannot show (not finite; not
 * above 0 on a logarithmic one) are left out here and when they are drawn. */
void svg_include(svg_axis *axis, const double *values, int count);
/* Ends at ticks; svg_begin does so. */
void svg_round(svg_axis *axis);

enum { SVG_TICKS = 12 };
/* Values of ticks, at most SVG_TICKS; returns their number. */
int svg_ticks(const svg_axis *axis, double ticks[SVG_TICKS]);

void svg_begin(FILE *out, svg_chart *chart);
void svg_points(FILE *out, const svg_chart *chart, const svg_series *series);
void svg_line(FILE *out, const svg_chart *chart, const svg_series *series);
/* Upright strokes from y to ends: a dot where these are the same. */
void svg_spans(FILE *out, const svg_chart *chart, const svg_series *series, const double *ends);
/* A thin dashed line from one place to another, to compare with. */
void svg_reference(FILE *out, const svg_chart *chart, double x0, double y0, double x1, double y1);

typedef enum svg_mark { SVG_MARK_POINT, SVG_MARK_LINE, SVG_MARK_REFERENCE } svg_mark;
typedef struct svg_entry {
    const char *name;
    svg_mark mark;
    int colour;
} svg_entry;
/* Above the chart; names are short. */
void svg_legend(FILE *out, const svg_chart *chart, const svg_entry *entries, int count);
void svg_end(FILE *out, const svg_chart *chart);

/* --- heat maps: a value for each row and column, small is good */

typedef struct svg_flag {
    int row, column;
    const char *text; /* one letter or two */
    const char *name; /* what it stands for */
} svg_flag;

typedef struct svg_heat {
    const char *title;
    const char *description;
    const char *x_label, *y_label;
    svg_unit unit;
    int rows, columns;
    const char *const *row_names, *const *column_names;
    const double *values; /* [rows * columns]; NaN: none */
    const bool *dim;      /* [rows * columns] drawn as not allowed; or NULL */
    const svg_flag *flags;
    int flag_count;
    bool dense;          /* small cells without text, for many rows and columns */
    bool unstyled;       /* without a style attribute, for pages that may not have any */
    const char *nothing; /* what an empty cell means; NULL: no candidate */
} svg_heat;

void svg_heat_map(FILE *out, const svg_heat *heat);

/* A value in its unit; out of svg_unit's own words. */
void svg_value(char *text, size_t size, svg_unit unit, double value);

#endif /* SVG_H */
