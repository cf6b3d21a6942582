/* New memory for collective buffers. */

#include "counts.h"

/* Each aggregator uses as much of its buffer as the first round fills.  In writes it is received
 * into before it is written, so that pages appear in the shuffle. */
void atm_count_touch(const atm_config *config, uint64_t warm, atm_counts *counts)
{
    const atm_cost_item *first = counts->items, *end = first + counts->item_count;

    while (first < end && first->operation != ATM_WRITE_FIRST && first->operation != ATM_READ_FIRST)
        first++;
    if (first == end || config->buffer <= warm || counts->item_count == ATM_MAX_COST_ITEMS)
        return;
    counts->items[counts->item_count] = *first;
    counts->items[counts->item_count].operation = ATM_TOUCH;
    counts->items[counts->item_count].part = ATM_SHUFFLE;
    counts->items[counts->item_count].slowness = 0;
    counts->item_count++;
}
