/* What was chosen, fitted again to other times. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "learn.h"

static double error_of(const train_operation *o)
{
    return fmin(expm1(o->candidates[o->chosen].score.log_rmse), ATM_UNCERTAINTY_MAX);
}

/* What cross-validation said of the errors. */
static void keep_errors(const train_operation *o, atm_value *surrogate)
{
    static const char *const keys[] = {"errors", "error_length", "outside"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (atm_value_find(o->surrogate, keys[i]) != NULL)
            atm_put_copy(surrogate, keys[i], atm_value_find(o->surrogate, keys[i]));
}

/* changed: the operation with points of its own. */
static atm_status fit(const train_operation *changed, atm_value **surrogate_p)
{
    bool *take = malloc((size_t) changed->count * sizeof(bool));
    learn_part all = {.rows = 0};
    atm_status status = ATM_NO_MEMORY;

    for (int i = 0; take != NULL && i < changed->count; i++)
        take[i] = true;
    if (take != NULL)
        status = learn_part_make(changed, take, learn_steps(changed->recipe), &all);
    if (status == ATM_OK)
        status = learn_make(changed, &all, changed->recipe, error_of(changed), surrogate_p);
    if (status == ATM_OK)
        keep_errors(changed, *surrogate_p);
    learn_part_destroy(&all);
    free(take);
    return status;
}

static atm_status refit(const train_operation *o,
                        double (*times)(void *context, const points_point *point), void *context,
                        atm_value **surrogate_p)
{
    train_operation changed = *o;
    points_point *points = malloc((size_t) o->count * sizeof(*points));
    const points_point **pointers = malloc((size_t) o->count * sizeof(*pointers));
    atm_status status = points != NULL && pointers != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (int i = 0; status == ATM_OK && i < o->count; i++) {
        points[i] = *o->points[i];
        points[i].seconds = times(context, o->points[i]);
        pointers[i] = &points[i];
    }
    changed.points = pointers;
    if (status == ATM_OK)
        status = fit(&changed, surrogate_p);
    free(pointers);
    free(points);
    return status;
}

atm_status train_refit(const train_result *result,
                       double (*times)(void *context, const points_point *point), void *context,
                       atm_value **surrogates_p)
{
    atm_status status = ATM_OK;
    int done = 0;

    gsl_set_error_handler_off(); /* its own ends the program */
    for (; status == ATM_OK && done < result->operation_count; done++)
        status = refit(&result->operations[done], times, context, &surrogates_p[done]);
    for (int i = 0; status != ATM_OK && i < done - 1; i++)
        atm_value_destroy(surrogates_p[i]);
    return status;
}
