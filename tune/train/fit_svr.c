/*
 * svr: epsilon support vector regression by LIBSVM (Chang and Lin, ACM TIST
 * 2(3), 2011).  Outputs are standardised, so that cost and epsilon mean the same
 * for every operation.
 */

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_LIBSVM_SVM_H
#include <libsvm/svm.h>
#else
#include <svm.h>
#endif

#include "prep.h"
#include "trainer.h"

enum { COST, GAMMA, EPSILON }; /* numbers of a setting */

static void svr_setting(int index, bool log_target, uint64_t seed, trainer_setting *setting_p)
{
    (void) log_target;
    setting_p->number[COST] = trainer_log_scale(trainer_spread(index, 0, seed), 0.5, 100);
    setting_p->number[GAMMA] = trainer_log_scale(trainer_spread(index, 1, seed), 0.02, 1);
    setting_p->number[EPSILON] = trainer_log_scale(trainer_spread(index, 2, seed), 0.01, 0.2);
}

static void svr_describe(const trainer_setting *setting, char *text, size_t size)
{
    snprintf(text, size, "cost %.3g, gamma %.3g, epsilon %.3g", setting->number[COST],
             setting->number[GAMMA], setting->number[EPSILON]);
}

static void silent(const char *text)
{
    (void) text;
}

static void silence(void)
{
    svm_set_print_string_function(silent);
}

typedef struct work {
    struct svm_problem problem;
    struct svm_node *nodes; /* [rows][inputs + 1] */
    double mean, deviation;
} work;

static bool make_work(const trainer_data *data, work *w)
{
    int width = data->inputs + 1;
    double squares = 0;

    w->problem.l = data->rows;
    w->problem.y = malloc((size_t) data->rows * sizeof(double));
    w->problem.x = malloc((size_t) data->rows * sizeof(struct svm_node *));
    w->nodes = malloc((size_t) (data->rows * width) * sizeof(struct svm_node));
    if (w->problem.y == NULL || w->problem.x == NULL || w->nodes == NULL)
        return false;
    for (int i = 0; i < data->rows; i++)
        w->mean += data->y[i] / data->rows;
    for (int i = 0; i < data->rows; i++)
        squares += (data->y[i] - w->mean) * (data->y[i] - w->mean);
    w->deviation = squares > 0 ? sqrt(squares / data->rows) : 1;
    for (int i = 0; i < data->rows; i++) {
        struct svm_node *row = w->problem.x[i] = w->nodes + i * width;

        w->problem.y[i] = (data->y[i] - w->mean) / w->deviation;
        for (int k = 0; k < data->inputs; k++)
            row[k] = (struct svm_node){k + 1, data->x[i * data->inputs + k]};
        row[data->inputs].index = -1;
    }
    return true;
}

/* A model without support vectors is constant; ours have at least one. */
static void put_model(const struct svm_model *model, const work *w, int inputs, double gamma,
                      atm_value *parameters)
{
    atm_value *vectors, *alphas;
    const struct svm_node *first = w->nodes;

    atm_put_number(parameters, "gamma", gamma);
    atm_put_number(parameters, "bias", w->mean - model->rho[0] * w->deviation);
    vectors = atm_put_array(parameters, "vectors");
    alphas = atm_put_array(parameters, "alphas");
    for (int i = 0; i < model->l || i < 1; i++) {
        const struct svm_node *node = model->l > 0 ? model->SV[i] : first;
        atm_value *row = atm_put_array(vectors, NULL);

        for (int k = 0; k < inputs; k++)
            atm_put_number(row, NULL, node[k].value);
        atm_put_number(alphas, NULL, model->l > 0 ? model->sv_coef[0][i] * w->deviation : 0);
    }
}

static atm_status svr_fit(const trainer_data *data, const trainer_setting *setting, uint64_t seed,
                          atm_value *parameters)
{
    struct svm_parameter how = {.svm_type = EPSILON_SVR,
                                .kernel_type = RBF,
                                .gamma = setting->number[GAMMA],
                                .C = setting->number[COST],
                                .p = setting->number[EPSILON],
                                .cache_size = 50,
                                .eps = 0.01,
                                .shrinking = 1};
    static pthread_once_t silenced = PTHREAD_ONCE_INIT; /* LIBSVM's printer is a global */
    struct svm_model *model = NULL;
    work w = {.mean = 0};
    bool enough = make_work(data, &w);

    (void) seed;
    if (enough) {
        pthread_once(&silenced, silence);
        model = svm_train(&w.problem, &how);
        put_model(model, &w, data->inputs, how.gamma, parameters);
        svm_free_and_destroy_model(&model);
    }
    free(w.nodes);
    free(w.problem.x);
    free(w.problem.y);
    return enough ? ATM_OK : ATM_NO_MEMORY;
}

const trainer trainer_svr = {.name = "svr",
                             .simplicity = 4,
                             .steps = PREP_BIT_PLAIN | PREP_BIT_BOX_COX | PREP_BIT_LOG |
                                      PREP_BIT_LOG_PCA,
                             .cost = 20,
                             .setting = svr_setting,
                             .describe = svr_describe,
                             .fit = svr_fit};
