/* boosting: trees by XGBoost (Chen and Guestrin, KDD 2016), out of the model that it saves
 * as JSON. */

#ifdef HAVE_XGBOOST

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xgboost/c_api.h>

#include "learner.h"

enum { ROUNDS = 100 }; /* scikit-learn's default, as depth and rate below */

/* --- the model */

typedef struct saved_tree {
    double *left, *right, *input, *split; /* of nodes; split of a leaf is its output */
    size_t count;
} saved_tree;

static atm_status read_tree(const atm_value *object, saved_tree *t)
{
    static const char *const keys[] = {"left_children", "right_children", "split_indices",
                                       "split_conditions"};
    double **arrays[] = {&t->left, &t->right, &t->input, &t->split};
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < 4; i++) {
        size_t min = i == 0 ? 1 : t->count, max = i == 0 ? 4096 : t->count;

        status = atm_get_numbers(object, keys[i], min, max, -DBL_MAX, DBL_MAX, NULL, arrays[i],
                                 &t->count);
    }
    return status;
}

static void free_tree(saved_tree *t)
{
    free(t->left);
    free(t->right);
    free(t->input);
    free(t->split);
}

/* Breadth first.  XGBoost goes left below the split, we go left at most at the split: in
 * single precision that is the number before it. */
static bool put_tree(const saved_tree *t, atm_value *trees)
{
    int queue[4096], used = 1;
    atm_value *object = atm_put_object(trees, NULL);
    atm_value *inputs = atm_put_array(object, "inputs"), *values = atm_put_array(object, "values");

    queue[0] = 0;
    for (int i = 0; i < used; i++) {
        int node = queue[i];

        if (t->left[node] < 0) {
            atm_put_integer(inputs, NULL, -1);
            atm_put_number(values, NULL, t->split[node]);
            continue;
        }
        if (used + 2 > 4096 || t->left[node] >= (double) t->count ||
            !(t->right[node] >= 0 && t->right[node] < (double) t->count))
            return false;
        atm_put_integer(inputs, NULL, (int64_t) t->input[node]);
        atm_put_number(values, NULL, (double) nextafterf((float) t->split[node], -INFINITY));
        queue[used++] = (int) t->left[node];
        queue[used++] = (int) t->right[node];
    }
    return true;
}

static atm_status put_model(const atm_value *root, atm_value *parameters)
{
    const atm_value *model = atm_value_find(root, "learner");
    const atm_value *saved, *trees;
    atm_value *array;
    atm_status status = ATM_OK;

    model = atm_value_find(model, "gradient_booster");
    model = atm_value_find(model, "model");
    trees = atm_value_find(model, "trees");
    if (trees == NULL || atm_value_length(trees) == 0)
        return ATM_NO_CHOICE;
    atm_put_number(parameters, "base", 0); /* the logit of its base_score, 0.5 */
    array = atm_put_array(atm_put_object(parameters, "forest"), "trees");
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(trees); i++) {
        saved_tree t = {.left = NULL};

        saved = atm_value_item(trees, i);
        status = read_tree(saved, &t);
        if (status == ATM_OK && !put_tree(&t, array))
            status = ATM_NO_CHOICE;
        free_tree(&t);
    }
    return status == ATM_BAD_FILE ? ATM_NO_CHOICE : status;
}

/* --- the training */

static bool boost(BoosterHandle booster, DMatrixHandle matrix, uint64_t seed)
{
    char number[32];
    bool done;

    snprintf(number, sizeof(number), "%u", (unsigned) (seed % 1000000));
    done = XGBoosterSetParam(booster, "objective", "binary:logistic") == 0 &&
           XGBoosterSetParam(booster, "max_depth", "3") == 0 &&
           XGBoosterSetParam(booster, "eta", "0.1") == 0 &&
           XGBoosterSetParam(booster, "base_score", "0.5") == 0 &&
           XGBoosterSetParam(booster, "nthread", "1") == 0 &&
           XGBoosterSetParam(booster, "verbosity", "0") == 0 &&
           XGBoosterSetParam(booster, "tree_method", "hist") == 0 &&
           XGBoosterSetParam(booster, "seed", number) == 0;
    for (int i = 0; done && i < ROUNDS; i++)
        done = XGBoosterUpdateOneIter(booster, i, matrix) == 0;
    return done;
}

static atm_status save(BoosterHandle booster, atm_value *parameters)
{
    const char *text;
    bst_ulong length;
    atm_value *root;
    atm_status status;

    if (XGBoosterSaveModelToBuffer(booster, "{\"format\": \"json\"}", &length, &text) != 0 ||
        atm_value_parse(text, length, "XGBoost", NULL, &root) != ATM_OK)
        return ATM_NO_CHOICE;
    status = put_model(root, parameters);
    atm_value_destroy(root);
    return status;
}

static atm_status boosting_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    size_t cells = (size_t) data->rows * ATM_STATE_FEATURES;
    float *x = malloc(cells * sizeof(float)), *label = malloc((size_t) data->rows * sizeof(float));
    DMatrixHandle matrix = NULL;
    BoosterHandle booster = NULL;
    atm_status status = x != NULL && label != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (size_t i = 0; status == ATM_OK && i < cells; i++)
        x[i] = (float) data->x[i];
    for (int i = 0; status == ATM_OK && i < data->rows; i++)
        label[i] = (float) data->label[i];
    if (status == ATM_OK &&
        (XGDMatrixCreateFromMat(x, (bst_ulong) data->rows, ATM_STATE_FEATURES, NAN, &matrix) != 0 ||
         XGDMatrixSetFloatInfo(matrix, "label", label, (bst_ulong) data->rows) != 0 ||
         XGBoosterCreate(&matrix, 1, &booster) != 0 || !boost(booster, matrix, seed)))
        status = ATM_NO_CHOICE;
    if (status == ATM_OK)
        status = save(booster, parameters);
    if (booster != NULL)
        XGBoosterFree(booster);
    if (matrix != NULL)
        XGDMatrixFree(matrix);
    free(label);
    free(x);
    return status;
}

const learner learner_boosting = {.name = "boosting", .most = 8000, .cost = 8, .fit = boosting_fit};

#endif /* HAVE_XGBOOST */
