/* knn: the points themselves; the number of neighbours is all there is to choose. */

#include <stdio.h>

#include "prep.h"
#include "trainer.h"

static void knn_setting(int index, bool log_target, uint64_t seed, trainer_setting *setting_p)
{
    (void) log_target;
    (void) seed;
    setting_p->number[0] = index + 1;
}

static void knn_describe(const trainer_setting *setting, char *text, size_t size)
{
    snprintf(text, size, "%.0f neighbour%s", setting->number[0], setting->number[0] > 1 ? "s" : "");
}

static atm_status knn_fit(const trainer_data *data, const trainer_setting *setting, uint64_t seed,
                          atm_value *parameters)
{
    int neighbours = (int) setting->number[0];

    (void) seed;
    atm_put_integer(parameters, "neighbours", neighbours < data->rows ? neighbours : data->rows);
    atm_put_matrix(parameters, "points", data->x, (size_t) data->rows, (size_t) data->inputs);
    atm_put_numbers(parameters, "outputs", data->y, (size_t) data->rows);
    return ATM_OK;
}

const trainer trainer_knn = {.name = "knn",
                             .simplicity = 1,
                             .steps = PREP_BIT_PLAIN | PREP_BIT_BOX_COX | PREP_BIT_LOG |
                                      PREP_BIT_BOX_COX_PCA | PREP_BIT_LOG_PCA,
                             .cost = 1,
                             .setting = knn_setting,
                             .describe = knn_describe,
                             .fit = knn_fit};
