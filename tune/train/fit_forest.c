/* forest: trees on bootstraps of the points, some inputs tried at each node
 * (Breiman, Machine Learning 45(1), 2001).  Few trees: every open asks them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "prep.h"
#include "common/rng.h"

enum { TREES, LEAF, TRIED }; /* numbers of a setting */

static void forest_setting(int index, bool log_target, uint64_t seed, trainer_setting *setting_p)
{
    static const int trees[] = {10, 20, 40}, leaves[] = {1, 2, 3, 5, 8};

    (void) log_target;
    (void) seed;
    setting_p->number[TREES] = trees[index % 3];
    setting_p->number[LEAF] = leaves[index / 3 % 5];
    setting_p->number[TRIED] = index / 15; /* of the inputs: 0: two thirds, 1: all */
}

static void forest_describe(const trainer_setting *setting, char *text, size_t size)
{
    snprintf(text, size, "%.0f trees, leaves of %.0f or more, %s inputs tried",
             setting->number[TREES], setting->number[LEAF],
             setting->number[TRIED] > 0 ? "all" : "two thirds of the");
}

static atm_status fit_tree(const trainer_data *data, const int *order, const grow_limits *limits,
                           int *times, uint64_t *random, atm_value *trees)
{
    grow_tree tree;
    atm_status status;

    memset(times, 0, (size_t) data->rows * sizeof(int));
    for (int i = 0; i < data->rows; i++)
        times[rng_below(random, data->rows)]++;
    status = grow_tree_make(data, order, times, limits, random, &tree);
    if (status != ATM_OK)
        return status;
    grow_tree_put(&tree, trees);
    grow_tree_destroy(&tree);
    return ATM_OK;
}

static atm_status forest_fit(const trainer_data *data, const trainer_setting *setting,
                             uint64_t seed, atm_value *parameters)
{
    grow_limits limits = {.leaf = (int) setting->number[LEAF], .leaves = 4096};
    int *order = grow_order(data), *times = malloc((size_t) data->rows * sizeof(int));
    atm_status status = order != NULL && times != NULL ? ATM_OK : ATM_NO_MEMORY;
    atm_value *trees = atm_put_array(parameters, "trees");

    if (setting->number[TRIED] == 0)
        limits.tried = (2 * data->inputs + 2) / 3;
    for (int i = 0; status == ATM_OK && i < setting->number[TREES]; i++)
        status = fit_tree(data, order, &limits, times, &seed, trees);
    free(times);
    free(order);
    return status;
}

/* Powers of an input leave the order of its values, and so the trees, as they
 * are. */
const trainer trainer_forest = {.name = "forest",
                                .simplicity = 3,
                                .steps = PREP_BIT_LOG | PREP_BIT_LOG_PCA,
                                .cost = 8,
                                .setting = forest_setting,
                                .describe = forest_describe,
                                .fit = forest_fit};
