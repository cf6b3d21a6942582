/*
 * linear: least squares with a ridge penalty on products of up to two inputs.
 * For a target in seconds also with each row divided by its time: that makes
 * t = L + bytes/B right for small messages too, where plain least squares sees
 * only the largest times.
 */

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "prep.h"
#include "trainer.h"

enum { TERMS, RELATIVE, RIDGE };          /* numbers of a setting */
enum { PLAIN, PRODUCTS, SQUARES, KINDS }; /* which terms */

enum { MAX_TERMS = 1 + ATM_FEATURE_COUNT + ATM_FEATURE_COUNT * (ATM_FEATURE_COUNT + 1) / 2 };

static void linear_setting(int index, bool log_target, uint64_t seed, trainer_setting *setting_p)
{
    int level = index / KINDS;

    (void) seed;
    setting_p->number[TERMS] = index % KINDS;
    setting_p->number[RELATIVE] = !log_target && level % 2 == 1;
    if (!log_target)
        level = level / 2 * 2;
    setting_p->number[RIDGE] = level == 0 ? 0 : pow(10, -9 + level);
}

static void linear_describe(const trainer_setting *setting, char *text, size_t size)
{
    static const char *const kinds[KINDS] = {"inputs", "inputs and products",
                                             "inputs, products and squares"};

    snprintf(text, size, "%s, ridge %g%s", kinds[(int) setting->number[TERMS]],
             setting->number[RIDGE], setting->number[RELATIVE] > 0 ? ", relative errors" : "");
}

/* Terms after 1 and the inputs: pairs of inputs. */
typedef struct terms {
    int count, pairs;
    int first[MAX_TERMS], second[MAX_TERMS];
} terms;

static terms list_terms(const trainer_data *data, int kind)
{
    terms t = {.count = 1 + data->inputs};

    for (int i = 0; kind != PLAIN && i < data->inputs; i++) {
        for (int j = kind == SQUARES ? i : i + 1; j < data->inputs; j++) {
            t.first[t.pairs] = i;
            t.second[t.pairs++] = j;
        }
    }
    if (t.count + t.pairs > data->rows)
        t.pairs = 0;
    if (t.count > data->rows)
        t.count = 1;
    t.count += t.pairs;
    return t;
}

/* What is fitted is (y - shift) / unit, so that the ridge is relative and
 * leaves the level alone. */
typedef struct target {
    double shift, unit;
} target;

static target measure_target(const trainer_data *data, bool relative)
{
    double sum = 0, weights = 0, squares = 0, most = 0;

    for (int i = 0; i < data->rows; i++) {
        double weight = relative ? 1 / (data->y[i] * data->y[i]) : 1;

        sum += weight * data->y[i];
        weights += weight;
        most = fabs(data->y[i]) > most ? fabs(data->y[i]) : most;
    }
    sum /= weights;
    for (int i = 0; i < data->rows; i++)
        squares += (data->y[i] - sum) * (data->y[i] - sum);
    squares = sqrt(squares / data->rows);
    return (target){sum, squares > 1e-12 * most ? squares : 1};
}

static void fill_rows(const trainer_data *data, const terms *t, const target *target, bool relative,
                      gsl_matrix *design, gsl_vector *wanted)
{
    for (int i = 0; i < data->rows; i++) {
        const double *x = data->x + i * data->inputs;
        double weight = relative ? target->unit / data->y[i] : 1;
        size_t row = (size_t) i, column = 0;

        gsl_matrix_set(design, row, column++, weight);
        for (int k = 0; k < data->inputs && t->count > 1; k++)
            gsl_matrix_set(design, row, column++, weight * x[k]);
        for (int k = 0; k < t->pairs; k++)
            gsl_matrix_set(design, row, column++, weight * x[t->first[k]] * x[t->second[k]]);
        gsl_vector_set(wanted, row, weight * (data->y[i] - target->shift) / target->unit);
    }
}

static void put_parameters(const trainer_data *data, const terms *t, const target *target,
                           const gsl_vector *c, atm_value *parameters)
{
    double coefficients[ATM_FEATURE_COUNT] = {0};
    atm_value *products;

    atm_put_number(parameters, "intercept", gsl_vector_get(c, 0) * target->unit + target->shift);
    for (int i = 0; i < data->inputs && t->count > 1; i++)
        coefficients[i] = gsl_vector_get(c, (size_t) i + 1) * target->unit;
    atm_put_numbers(parameters, "coefficients", coefficients, (size_t) data->inputs);
    products = atm_put_array(parameters, "products");
    for (int i = 0; i < t->pairs; i++) {
        atm_value *row = atm_put_array(products, NULL);

        atm_put_integer(row, NULL, t->first[i]);
        atm_put_integer(row, NULL, t->second[i]);
        atm_put_number(row, NULL,
                       gsl_vector_get(c, (size_t) (1 + data->inputs + i)) * target->unit);
    }
}

static atm_status linear_fit(const trainer_data *data, const trainer_setting *setting,
                             uint64_t seed, atm_value *parameters)
{
    bool relative = setting->number[RELATIVE] > 0;
    terms t = list_terms(data, (int) setting->number[TERMS]);
    target target = measure_target(data, relative);
    size_t rows = (size_t) data->rows, columns = (size_t) t.count;
    gsl_matrix *design = gsl_matrix_alloc(rows, columns);
    gsl_vector *wanted = gsl_vector_alloc(rows), *c = gsl_vector_calloc(columns);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, columns);
    double residual, norm;
    int failed = design == NULL || wanted == NULL || c == NULL || work == NULL;

    (void) seed;
    if (!failed) {
        fill_rows(data, &t, &target, relative, design, wanted);
        failed = gsl_multifit_linear_svd(design, work);
    }
    if (!failed)
        failed = gsl_multifit_linear_solve(sqrt(setting->number[RIDGE] * data->rows), design,
                                           wanted, c, &residual, &norm, work);
    if (!failed)
        put_parameters(data, &t, &target, c, parameters);
    gsl_multifit_linear_free(work);
    gsl_vector_free(c);
    gsl_vector_free(wanted);
    gsl_matrix_free(design);
    return failed ? ATM_NO_MEMORY : ATM_OK;
}

/* Without a penalty it is the same for every rotation of the inputs. */
const trainer trainer_linear = {.name = "linear",
                                .simplicity = 0,
                                .steps = PREP_BIT_PLAIN | PREP_BIT_BOX_COX | PREP_BIT_LOG |
                                         PREP_BIT_LOG_COUNTS,
                                .cost = 1,
                                .setting = linear_setting,
                                .describe = linear_describe,
                                .fit = linear_fit};
