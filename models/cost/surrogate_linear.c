/*
 * linear: intercept + sum c_i x_i + sum p_ij x_i x_j.
 *
 *     "parameters": { "intercept": 2e-6, "coefficients": [1e-7, 3e-10],
 *                     "products": [[0, 1, 2e-11]] }      optional: i, j, p_ij
 *
 * The products let one model say alpha log(n) + beta log(n) bytes, the usual
 * law of a collective (Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005).
 */

#include "surrogate_kind.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PRODUCTS = ATM_FEATURE_COUNT * (ATM_FEATURE_COUNT + 1) / 2 };

typedef struct product {
    int i, j;
    double coefficient;
} product;

typedef struct model {
    int inputs, products;
    double intercept;
    double coefficient[ATM_FEATURE_COUNT];
    product product[MAX_PRODUCTS];
} model;

static atm_status read_product(const atm_value *row, int inputs, atm_message *message,
                               product *product_p)
{
    atm_status status = atm_get_array(row, NULL, 3, 3, message, &row);
    int64_t i = 0, j = 0;

    if (status == ATM_OK)
        status = atm_get_integer(atm_value_item(row, 0), NULL, 0, inputs - 1, message, &i);
    if (status == ATM_OK)
        status = atm_get_integer(atm_value_item(row, 1), NULL, 0, inputs - 1, message, &j);
    if (status == ATM_OK)
        status = atm_get_number(atm_value_item(row, 2), NULL, -SUR_BIG, SUR_BIG, message,
                                &product_p->coefficient);
    product_p->i = (int) i;
    product_p->j = (int) j;
    return status;
}

static atm_status linear_read(const atm_value *object, int inputs, atm_message *message,
                              void *model_)
{
    static const char *const keys[] = {"intercept", "coefficients", "products", NULL};
    const atm_value *products = atm_value_find(object, "products");
    size_t length = (size_t) inputs;
    model *m = model_;
    double *coefficients;
    atm_status status = atm_check_keys(object, keys, message);

    m->inputs = inputs;
    if (status == ATM_OK)
        status = atm_get_number(object, "intercept", -SUR_BIG, SUR_BIG, message, &m->intercept);
    if (status == ATM_OK)
        status = atm_get_numbers(object, "coefficients", length, length, -SUR_BIG, SUR_BIG, message,
                                 &coefficients, &length);
    if (status != ATM_OK)
        return status;
    memcpy(m->coefficient, coefficients, length * sizeof(double));
    free(coefficients);
    if (products == NULL)
        return ATM_OK;
    status = atm_get_array(products, NULL, 0, MAX_PRODUCTS, message, &products);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(products); i++)
        status =
            read_product(atm_value_item(products, i), inputs, message, &m->product[m->products++]);
    return status;
}

static void linear_write(const void *model_, atm_value *object)
{
    const model *m = model_;
    atm_value *products;

    atm_put_number(object, "intercept", m->intercept);
    atm_put_numbers(object, "coefficients", m->coefficient, (size_t) m->inputs);
    products = atm_put_array(object, "products");
    for (int k = 0; k < m->products; k++) {
        atm_value *row = atm_put_array(products, NULL);

        atm_put_integer(row, NULL, m->product[k].i);
        atm_put_integer(row, NULL, m->product[k].j);
        atm_put_number(row, NULL, m->product[k].coefficient);
    }
}

static double linear_predict(const void *model_, const double *inputs, double *spread_p)
{
    const model *m = model_;
    double output = m->intercept;

    (void) spread_p;
    for (int i = 0; i < m->inputs; i++)
        output += m->coefficient[i] * inputs[i];
    for (int k = 0; k < m->products; k++)
        output += m->product[k].coefficient * inputs[m->product[k].i] * inputs[m->product[k].j];
    return output;
}

const sur_type sur_linear = {.name = "linear",
                             .size = sizeof(model),
                             .read = linear_read,
                             .write = linear_write,
                             .predict = linear_predict};
