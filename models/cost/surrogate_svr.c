/*
 * svr: epsilon support vector regression with a radial basis function,
 * sum_i alpha_i exp(-gamma |x - v_i|^2) + bias (Smola and Schoelkopf,
 * Statistics and Computing 14(3), 2004; LIBSVM's rho is -bias).
 *
 *     "parameters": { "gamma": 0.5, "bias": 1.2, "vectors": [[..], ..], "alphas": [..] }
 */

#include "surrogate_kind.h"

#include <stdlib.h>

#include "surrogate_grid.h"
#include "surrogate_math.h"

/* Vectors are worked on in blocks of fixed size, which compilers vectorise;
 * the last one is filled up with vectors of alpha 0. */
enum { BLOCK = 32 };

typedef struct block {
    double alpha[BLOCK];
    double coordinate[SUR_MAX_INPUTS][BLOCK];
} block;

typedef struct model {
    int inputs, count;
    double gamma, bias;
    sur_grid *grid; /* the same vectors, where that is faster, else NULL */
    block *blocks;  /* for count vectors */
} model;

static int blocks_of(int count)
{
    return (count + BLOCK - 1) / BLOCK;
}

static void svr_clear(void *model_)
{
    model *m = model_;

    sur_grid_destroy(m->grid);
    free(m->blocks);
}

static atm_status fill_blocks(const double *vectors, const double *alphas, model *m)
{
    m->blocks = calloc((size_t) blocks_of(m->count), sizeof(*m->blocks));
    if (m->blocks == NULL)
        return ATM_NO_MEMORY;
    for (int k = 0; k < m->count; k++) {
        block *b = &m->blocks[k / BLOCK];

        b->alpha[k % BLOCK] = alphas[k];
        for (int i = 0; i < m->inputs; i++)
            b->coordinate[i][k % BLOCK] = vectors[k * m->inputs + i];
    }
    if (m->inputs > ATM_FEATURE_COUNT) /* not measured on a grid */
        return ATM_OK;
    return sur_grid_make(vectors, alphas, m->count, m->inputs, m->gamma, &m->grid);
}

static atm_status svr_read(const atm_value *object, int inputs, atm_message *message, void *model_)
{
    static const char *const keys[] = {"gamma", "bias", "vectors", "alphas", NULL};
    size_t rows, columns = (size_t) inputs;
    double *vectors = NULL, *alphas = NULL;
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_number(object, "gamma", ATM_ABOVE_ZERO, SUR_BIG, message, &m->gamma);
    if (status == ATM_OK)
        status = atm_get_number(object, "bias", -SUR_BIG, SUR_BIG, message, &m->bias);
    if (status == ATM_OK)
        status = atm_get_numbers(object, "alphas", 1, SUR_MAX_INSTANCES, -SUR_BIG, SUR_BIG, message,
                                 &alphas, &rows);
    if (status == ATM_OK)
        status = atm_get_matrix(object, "vectors", rows, rows, columns, columns, -SUR_BIG, SUR_BIG,
                                message, &vectors, &rows, &columns);
    if (status == ATM_OK) {
        m->inputs = inputs;
        m->count = (int) rows;
        status = fill_blocks(vectors, alphas, m);
    }
    free(vectors);
    free(alphas);
    return status;
}

static void svr_write(const void *model_, atm_value *object)
{
    const model *m = model_;
    atm_value *vectors, *alphas;

    atm_put_number(object, "gamma", m->gamma);
    atm_put_number(object, "bias", m->bias);
    vectors = atm_put_array(object, "vectors");
    alphas = atm_put_array(object, "alphas");
    for (int k = 0; k < m->count; k++) {
        const block *b = &m->blocks[k / BLOCK];
        atm_value *row = atm_put_array(vectors, NULL);

        for (int i = 0; i < m->inputs; i++)
            atm_put_number(row, NULL, b->coordinate[i][k % BLOCK]);
        atm_put_number(alphas, NULL, b->alpha[k % BLOCK]);
    }
}

/* Adds alpha_k exp(-gamma |x - v_k|^2) to sum[k]. */
static void add_block(const block *b, const double *x, int inputs, double gamma, double *sum)
{
    double power[BLOCK] = {0};

    for (int i = 0; i < inputs; i++) {
        const double *at = b->coordinate[i];

        for (int k = 0; k < BLOCK; k++)
            power[k] += (x[i] - at[k]) * (x[i] - at[k]);
    }
    for (int k = 0; k < BLOCK; k++) {
        power[k] *= -gamma;
        power[k] = power[k] < -708 ? -708 : power[k];
    }
    for (int k = 0; k < BLOCK; k++)
        sum[k] += b->alpha[k] * sur_exp_within(power[k]);
}

static double svr_predict(const void *model_, const double *inputs, double *spread_p)
{
    const model *m = model_;
    double sum[BLOCK] = {0}, output = m->bias;

    (void) spread_p;
    if (m->grid != NULL)
        return m->bias + sur_grid_sum(m->grid, inputs);
    for (int i = 0; i < blocks_of(m->count); i++)
        add_block(&m->blocks[i], inputs, m->inputs, m->gamma, sum);
    for (int k = 0; k < BLOCK; k++)
        output += sum[k];
    return output;
}

const sur_type sur_svr = {.name = "svr",
                          .size = sizeof(model),
                          .read = svr_read,
                          .write = svr_write,
                          .predict = svr_predict,
                          .clear = svr_clear};
