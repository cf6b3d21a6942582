/* What metrics are written with. */

#ifndef SERVE_PAGE_METRICS_H
#define SERVE_PAGE_METRICS_H

#include <stdio.h>

/* {name="value"}, escaped as OpenMetrics has it. */
void metrics_label(FILE *out, const char *name, const char *value);

#endif /* SERVE_PAGE_METRICS_H */
