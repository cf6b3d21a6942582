/* Private to scale.c and scale_law.c. */

#ifndef SCALE_INSIDE_H
#define SCALE_INSIDE_H

#include "scale.h"
#include "scale_law.h"

/* Normal distribution of the logarithm of a factor. */
typedef struct scale_factor {
    double mean, variance;
} scale_factor;

#define SCALE_UNKNOWN 100.0 /* deviation of a level before anything was measured */

static inline double scale_square(double x)
{
    return x * x;
}

static inline bool scale_is_storage(atm_operation operation)
{
    return atm_operation_kind(operation) == ATM_STORAGE_KIND;
}

/* Looks up a ratio in the table; NULL: never seen. */
const scale_ratio *scale_ratio_of(atm_operation target, int donor);
extern const scale_exponent scale_exponents[SCALE_FEATURES];
extern const double scale_law_within;

/* The points of an operation, learned or not. */
const points_point *const *scale_points_of(const train_result *result, atm_operation operation,
                                           int *count_p);

/* The member "scaled". */
void scale_put_facts(atm_value *surrogate, const char *donor, const scale_factor *f, double spread,
                     int points);

/* Adds all operations of storage, if there is any point of it; none of them was learned. */
atm_status scale_by_law(const train_result *result, atm_value *operations);

#endif /* SCALE_INSIDE_H */
