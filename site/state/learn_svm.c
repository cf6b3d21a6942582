/* svm: C-support vector classification with a radial basis function by LIBSVM (Chang and
 * Lin, ACM TIST 2(3), 2011). */

#include <pthread.h>
#include <stdlib.h>
#ifdef HAVE_LIBSVM_SVM_H
#include <libsvm/svm.h>
#else
#include <svm.h>
#endif

#include "learner.h"

/* scikit-learn's defaults, for scaled inputs. */
#define COST 1.0
#define GAMMA (1.0 / ATM_STATE_FEATURES)

static void silent(const char *text)
{
    (void) text;
}

static void silence(void)
{
    svm_set_print_string_function(silent);
}

/* LIBSVM's decision is for the label it saw first. */
static void put(const struct svm_model *model, atm_value *parameters)
{
    double sign = model->label[0] == 1 ? 1 : -1;
    atm_value *vectors, *alphas;

    atm_put_number(parameters, "gamma", GAMMA);
    atm_put_number(parameters, "bias", -sign * model->rho[0]);
    vectors = atm_put_array(parameters, "vectors");
    alphas = atm_put_array(parameters, "alphas");
    for (int i = 0; i < model->l; i++) {
        atm_value *row = atm_put_array(vectors, NULL);

        for (int k = 0; k < ATM_STATE_FEATURES; k++)
            atm_put_number(row, NULL, model->SV[i][k].value);
        atm_put_number(alphas, NULL, sign * model->sv_coef[0][i]);
    }
}

static atm_status svm_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    enum { WIDTH = ATM_STATE_FEATURES + 1 };
    struct svm_parameter how = {.svm_type = C_SVC,
                                .kernel_type = RBF,
                                .gamma = GAMMA,
                                .C = COST,
                                .cache_size = 50,
                                .eps = 1e-3,
                                .shrinking = 1};
    static pthread_once_t silenced = PTHREAD_ONCE_INIT; /* LIBSVM's printer is a global */
    size_t rows = (size_t) data->rows;
    struct svm_node *nodes = malloc(rows * WIDTH * sizeof(*nodes));
    struct svm_problem problem = {
        .l = data->rows, .y = (double *) data->label, .x = malloc(rows * sizeof(*problem.x))};
    bool enough = nodes != NULL && problem.x != NULL;

    (void) seed;
    for (int i = 0; enough && i < data->rows; i++) {
        struct svm_node *row = problem.x[i] = nodes + i * WIDTH;

        for (int k = 0; k < ATM_STATE_FEATURES; k++)
            row[k] = (struct svm_node){k + 1, data->x[i * ATM_STATE_FEATURES + k]};
        row[ATM_STATE_FEATURES].index = -1;
    }
    if (enough) {
        struct svm_model *model;

        pthread_once(&silenced, silence);
        model = svm_train(&problem, &how);
        put(model, parameters);
        svm_free_and_destroy_model(&model);
    }
    free(problem.x);
    free(nodes);
    return enough ? ATM_OK : ATM_NO_MEMORY;
}

/* Each of its vectors costs at every question: so few rows. */
const learner learner_svm = {.name = "svm", .most = 1000, .cost = 5, .fit = svm_fit};
