/* Operations that were not learned, by those that were measured. */

#include "scale_inside.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "scale_table.h"

enum { RATIOS = sizeof(scale_ratios) / sizeof(scale_ratios[0]) };

const scale_ratio *scale_ratio_of(atm_operation target, int donor)
{
    for (int i = 0; i < RATIOS; i++)
        if (scale_ratios[i].target == target && scale_ratios[i].donor == donor)
            return &scale_ratios[i];
    return NULL;
}

const points_point *const *scale_points_of(const train_result *result, atm_operation operation,
                                           int *count_p)
{
    *count_p = 0;
    for (int i = 0; i < result->operation_count; i++)
        if (result->operations[i].operation == operation) {
            *count_p = result->operations[i].count;
            return result->operations[i].points;
        }
    for (int i = 0; i < result->few_count; i++)
        if (result->few[i]->operation == operation) {
            while (i + *count_p < result->few_count &&
                   result->few[i + *count_p]->operation == operation)
                ++*count_p;
            return &result->few[i];
        }
    return NULL;
}

/* --- a factor */

static void see(scale_factor *f, double logarithm, double variance)
{
    double weight = f->variance / (f->variance + variance);

    f->mean += weight * (logarithm - f->mean);
    f->variance *= 1 - weight;
}

/* Updates the factor on a surrogate by points, given its own error and the spread of places. */
static void see_points(scale_factor *f, const points_point *const *points, int count,
                       const atm_surrogate *surrogate, double spread)
{
    for (int i = 0; i < count; i++) {
        atm_estimate e;

        atm_surrogate_predict(surrogate, points[i]->features, &e);
        see(f, log(points[i]->seconds / e.seconds),
            scale_square(spread) + scale_square(log1p(e.uncertainty)));
    }
}

static void copy_but(const atm_value *from, const char *key, atm_value *object)
{
    for (size_t i = 0; i < atm_value_length(from); i++) {
        const atm_value *member = atm_value_item(from, i);

        if (strcmp(atm_value_key(member), key) != 0)
            atm_put_copy(object, atm_value_key(member), member);
    }
}

void scale_put_facts(atm_value *surrogate, const char *donor, const scale_factor *f, double spread,
                     int points)
{
    atm_value *object = atm_put_object(surrogate, "scaled");

    atm_put_string(object, "donor", donor);
    atm_put_number(object, "factor", exp(f->mean));
    atm_put_number(object, "error", expm1(sqrt(f->variance)));
    atm_put_number(object, "spread", expm1(spread));
    atm_put_integer(object, "points", points);
}

/* --- storage: a donor */

static bool is_donor(const atm_value *operations, int operation)
{
    const atm_value *found = atm_value_find(operations, atm_operation_names[operation]);

    return found != NULL && scale_is_storage((atm_operation) operation) &&
           scale_possible((atm_operation) operation) && atm_value_find(found, "scaled") == NULL;
}

/* Ranges of features over which storage was learned, by any operation and by one. */
typedef struct range {
    double min[SCALE_FEATURES], max[SCALE_FEATURES];
} range;

static range range_of(const train_result *result, int operation)
{
    range r = {{INFINITY, INFINITY, INFINITY}, {0, 0, 0}};

    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        const points_point *const *points;
        int count = 0;

        if ((operation >= 0 && i != operation) || !scale_is_storage((atm_operation) i) ||
            !scale_possible((atm_operation) i))
            continue;
        points = scale_points_of(result, (atm_operation) i, &count);
        for (int k = 0; k < count * SCALE_FEATURES; k++) {
            int feature = k % SCALE_FEATURES;
            double x = points[k / SCALE_FEATURES]->features[scale_features[feature]];

            r.min[feature] = fmin(r.min[feature], x);
            r.max[feature] = fmax(r.max[feature], x);
        }
    }
    return r;
}

/* Variance of a power law where other operations were measured and this one was not. */
static double variance_outside(const train_result *result, int operation)
{
    range own = range_of(result, operation), all = range_of(result, -1);
    double variance = 0;

    for (int k = 0; k < SCALE_FEATURES; k++)
        variance += scale_square(scale_exponents[k].deviation) *
                    (scale_square(log(own.min[k] / all.min[k])) +
                     scale_square(log(all.max[k] / own.max[k])));
    return variance;
}

/* The learned operation with the least error as a donor; NULL: none was learned. */
static const scale_ratio *find_donor(const train_result *result, const atm_value *operations,
                                     atm_operation target)
{
    const scale_ratio *best = NULL;
    double least = INFINITY;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        const scale_ratio *ratio = scale_ratio_of(target, i);
        double error = 0, variance;

        if (ratio == NULL || !is_donor(operations, i))
            continue;
        atm_opt_number(atm_value_find(operations, atm_operation_names[i]), "error", 0,
                       ATM_UNCERTAINTY_MAX, NULL, &error);
        variance = scale_square(ratio->between) + scale_square(ratio->within) +
                   scale_square(log1p(error)) + variance_outside(result, i);
        if (variance < least) {
            least = variance;
            best = ratio;
        }
    }
    return best;
}

static atm_status scale_by(const scale_ratio *ratio, const train_result *result,
                           atm_value *operations)
{
    const char *by = atm_operation_name((atm_operation) ratio->donor);
    const atm_value *donor = atm_value_find(operations, by);
    const char *name = atm_operation_name(ratio->target);
    scale_factor f = {ratio->mean, scale_square(ratio->between)};
    atm_surrogate *surrogate;
    atm_value *object;
    int count;
    const points_point *const *points = scale_points_of(result, ratio->target, &count);
    atm_status status = atm_surrogate_read(donor, NULL, &surrogate);

    if (status != ATM_OK)
        return status;
    see_points(&f, points, count, surrogate, ratio->within);
    atm_surrogate_destroy(surrogate);
    object = atm_put_object(operations, name);
    copy_but(donor, "", object);
    scale_put_facts(object, by, &f, ratio->within, count);
    return ATM_OK;
}

/* --- communication: the built-in profile's shape */

/* Updates the factor by what points take over the built-in profile's prediction. */
static void see_level(scale_factor *f, const train_result *result, const atm_profile *built_in,
                      atm_operation operation)
{
    double within = scale_ratio_of(operation, ATM_OPERATION_COUNT)->within;
    int count;
    const points_point *const *points = scale_points_of(result, operation, &count);

    for (int i = 0; i < count; i++) {
        atm_estimate e;

        atm_surrogate_predict(built_in->operations[operation], points[i]->features, &e);
        see(f, log(points[i]->seconds / e.seconds), scale_square(within));
    }
}

/* Scales by the measured operation that says most about this one; by the built-in profile only if
 * none was measured. */
static scale_factor level_by(const train_result *result, const atm_profile *built_in,
                             atm_operation target, int *donor_p)
{
    const scale_ratio *own = scale_ratio_of(target, ATM_OPERATION_COUNT);
    scale_factor best = {0, scale_square(SCALE_UNKNOWN)};

    *donor_p = ATM_OPERATION_COUNT;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        const scale_ratio *ratio = scale_ratio_of(target, i);
        scale_factor level = {0, scale_square(SCALE_UNKNOWN)};

        if (ratio == NULL)
            continue;
        see_level(&level, result, built_in, (atm_operation) i);
        level.mean += ratio->mean;
        level.variance += scale_square(ratio->between);
        if (level.variance < best.variance) {
            best = level;
            *donor_p = i;
        }
    }
    return *donor_p < ATM_OPERATION_COUNT ? best
                                          : (scale_factor){own->mean, scale_square(own->between)};
}

/* Combines the error of the factor with that of places. */
static void scale_communication(const train_result *result, const atm_profile *built_in,
                                atm_operation target, atm_value *operations)
{
    atm_value *object = atm_put_object(operations, atm_operation_name(target));
    atm_value *shape = atm_value_object();
    int donor, count;
    scale_factor f = level_by(result, built_in, target, &donor);

    scale_points_of(result, target, &count);
    see_level(&f, result, built_in, target);
    atm_surrogate_write(built_in->operations[target], shape);
    copy_but(shape, "error", object);
    atm_put_number(object, "error", 0);
    scale_put_facts(object,
                    donor == ATM_OPERATION_COUNT ? ATM_SCALED_BUILT_IN
                                                 : atm_operation_name((atm_operation) donor),
                    &f, scale_ratio_of(target, ATM_OPERATION_COUNT)->within, count);
    atm_value_destroy(shape);
}

/* --- all */

static atm_status scale_all(const train_result *result, const atm_profile *built_in,
                            atm_value *operations)
{
    bool by_law = false;
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < ATM_OPERATION_COUNT; i++) {
        atm_operation target = (atm_operation) i;
        const scale_ratio *ratio;

        if (!scale_possible(target) || atm_value_find(operations, atm_operation_name(target)))
            continue;
        ratio = scale_is_storage(target) ? find_donor(result, operations, target) : NULL;
        if (ratio != NULL)
            status = scale_by(ratio, result, operations);
        else if (!scale_is_storage(target))
            scale_communication(result, built_in, target, operations);
        else
            by_law = true;
    }
    return status == ATM_OK && by_law ? scale_by_law(result, operations) : status;
}

atm_status scale_operations(const train_result *result, atm_value *operations)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* its own ends the program */
    atm_profile *built_in;
    atm_status status = atm_profile_generic(NULL, &built_in);

    if (status == ATM_OK) {
        status = scale_all(result, built_in, operations);
        atm_profile_destroy(built_in);
    }
    gsl_set_error_handler(handler);
    return status;
}
