/* Several calls, one after the other. */

#include "counts.h"

#include <string.h>

static bool is_same(const atm_cost_item *one, const atm_cost_item *other)
{
    return one->operation == other->operation && one->part == other->part &&
           memcmp(one->features, other->features, sizeof(one->features)) == 0;
}

/* The items of more, times as often; false where there is no room. */
static bool add_items(atm_counts *sum, const atm_counts *more, double times)
{
    for (int i = 0; i < more->item_count; i++) {
        const atm_cost_item *item = &more->items[i];
        int at = 0;

        while (at < sum->item_count && !is_same(&sum->items[at], item))
            at++;
        if (at == ATM_MAX_COST_ITEMS)
            return false;
        if (at == sum->item_count) {
            sum->items[sum->item_count++] = *item;
            sum->items[at].count = 0;
        }
        sum->items[at].count += times * item->count;
    }
    return true;
}

atm_status atm_count_calls(const atm_count_model *model, atm_driver driver, const atm_job *job,
                           const atm_access *access, const atm_config *config, double calls,
                           atm_counts *counts_p)
{
    atm_access again = *access;
    atm_counts first, later;
    atm_status status = atm_count(model, driver, job, access, config, &first);

    if (status == ATM_OK && calls > 1) {
        again.new_file = false;
        status = atm_count(model, driver, job, &again, config, &later);
        if (status == ATM_OK && !add_items(&first, &later, calls - 1))
            status = ATM_BAD_ARGUMENT;
        if (status == ATM_OK)
            first.compared += (calls - 1) * later.compared;
    }
    if (status == ATM_OK)
        *counts_p = first;
    return status;
}
