/* tree and forest: trees of least squares on labels 0 and 1, whose splits are those of
 * Gini's impurity and whose leaves are shares of busy. */

#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "learner.h"
#include "train/grow.h"

enum { TREES = 50, TRIED = 4 }; /* the paper's number; the square root of the inputs */

static atm_status grow_trees(const learner_data *from, const grow_limits *limits, int trees,
                             bool bootstrap, uint64_t seed, atm_value *parameters)
{
    trainer_data data = {
        .rows = from->rows, .inputs = ATM_STATE_FEATURES, .x = from->x, .y = from->label};
    int *order = grow_order(&data), *times = malloc((size_t) data.rows * sizeof(int));
    atm_status status = order != NULL && times != NULL ? ATM_OK : ATM_NO_MEMORY;
    atm_value *array = atm_put_array(parameters, "trees");

    for (int i = 0; status == ATM_OK && i < trees; i++) {
        grow_tree tree;

        memset(times, 0, (size_t) data.rows * sizeof(int));
        for (int k = 0; bootstrap && k < data.rows; k++)
            times[rng_below(&seed, data.rows)]++;
        status = grow_tree_make(&data, order, bootstrap ? times : NULL, limits, &seed, &tree);
        if (status == ATM_OK) {
            grow_tree_put(&tree, array);
            grow_tree_destroy(&tree);
        }
    }
    free(times);
    free(order);
    return status;
}

/* Leaves of a fiftieth: a single tree that goes on learns the noise of the labels. */
static atm_status tree_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    grow_limits limits = {.leaf = data->rows / 50 > 5 ? data->rows / 50 : 5, .leaves = 1024};

    return grow_trees(data, &limits, 1, false, seed, parameters);
}

const learner learner_tree = {.name = "tree", .most = 20000, .cost = 1, .fit = tree_fit};

static atm_status forest_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    grow_limits limits = {
        .leaf = data->rows / 400 > 3 ? data->rows / 400 : 3, .tried = TRIED, .leaves = 2048};

    return grow_trees(data, &limits, TREES, true, seed, parameters);
}

const learner learner_forest = {.name = "forest", .most = 6000, .cost = 10, .fit = forest_fit};
