/* The points of one or more files, by operation. */

#ifndef GATHER_H
#define GATHER_H

#include "train.h"

/* Fills machine, operations (with points and features), merged and notes of a
 * result that is zero; what it allocates is freed by train_destroy, also after
 * a failure. */
atm_status gather_points(points *const *files, int count, atm_message *message,
                         train_result *result);

#endif /* GATHER_H */
