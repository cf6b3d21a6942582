/* What the charts of one operation share. */

#ifndef REPORT_OPERATION_H
#define REPORT_OPERATION_H

#include "report.h"

/* Point by point. */
typedef struct report_data {
    int count;
    double *measured;      /* the one allocation: free it */
    double *bytes, *ratio; /* ratio: predicted / measured */
    const train_operation *operation;
} report_data;

/* A figure. */
atm_status report_cost(FILE *out, const report_data *data, const atm_profile *profile);

#endif /* REPORT_OPERATION_H */
