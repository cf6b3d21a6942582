/* The paper's figure 12: aggregate throughput, step by step, of some ways to deal out data. */

#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>

enum { FIGURE_SERIES = 6 };

typedef struct figure {
    const char *path; /* of the page, as the next two set by the caller */
    int points, series;
    const char *names[FIGURE_SERIES];
    double *values[FIGURE_SERIES]; /* [points] GiB/s */
} figure;

/* Makes room for the values; destroy it also if there is none. */
bool figure_create(figure *figure);
void figure_destroy(figure *figure);

/* A page with the chart and its data; false, and a message on stderr, if it cannot be written. */
bool figure_write(const figure *figure);

#endif /* FIGURE_H */
