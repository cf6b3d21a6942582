/* Reports of the tools, as pages. */

#ifndef REPORT_H
#define REPORT_H

#include "choose/choose.h"
#include "page.h"
#include "train/train.h"

/* What was learned, how well, and what it means for typical jobs: a page at
 * path.  profile is the one that was made of result. */
atm_status report_train(const train_result *result, const atm_profile *profile, const char *path,
                        atm_message *message);

/* --- parts of it */

/* Our cross-validation beside the paper's Table II. */
void report_table2(FILE *out, const train_result *result);

/* One operation: charts, candidates, points. */
atm_status report_operation(FILE *out, const train_operation *operation,
                            const atm_profile *profile);

/* Predicted seconds over aggregators and buffers (Lustre writes: stripes); default
 * and choice are marked. */
atm_status report_map(FILE *out, const char *words, const atm_request *request,
                      const atm_choice *choice);

/* The score of the chosen candidate. */
const train_score *report_score(const train_operation *operation);
/* Relative error of an RMSE of logarithms. */
double report_relative(double log_rmse);

#endif /* REPORT_H */
