/* What may be fixed of a configuration. */

#include "fixes.h"

#include <limits.h>
#include <stddef.h>

static const struct {
    size_t offset;
    bool is_size; /* a uint64_t, else an int */
} members[ATM_FIX_COUNT] = {
    [ATM_FIX_AGGREGATORS] = {offsetof(atm_config, aggregators), false},
    [ATM_FIX_BUFFER] = {offsetof(atm_config, buffer), true},
    [ATM_FIX_STRIPE_SIZE] = {offsetof(atm_config, stripe_size), true},
    [ATM_FIX_STRIPE_COUNT] = {offsetof(atm_config, stripe_count), false},
    [ATM_FIX_CO_RATIO] = {offsetof(atm_config, co_ratio), false},
};

const char *atm_fix_name(atm_fix fix)
{
    if (fix == ATM_FIX_COLLECTIVE) /* two settings */
        return "romio_cb";
    for (int i = 0; i < ATM_SETTING_COUNT && fix != ATM_FIX_NOTHING; i++)
        if (atm_setting_fixes((atm_setting) i) == fix)
            return atm_setting_name((atm_setting) i);
    return "unknown";
}

uint64_t atm_fix_value(const atm_config *config, atm_fix fix)
{
    const void *member = (const char *) config + members[fix].offset;

    if (fix == ATM_FIX_COLLECTIVE)
        return !config->collective ? ATM_SWITCH_DISABLE
               : config->automatic ? ATM_SWITCH_AUTOMATIC
                                   : ATM_SWITCH_ENABLE;
    return members[fix].is_size ? *(const uint64_t *) member : (uint64_t) * (const int *) member;
}

bool atm_fix_set(atm_config *config, atm_fix fix, uint64_t value)
{
    void *member = (char *) config + members[fix].offset;

    if (fix == ATM_FIX_COLLECTIVE) {
        config->collective = value != ATM_SWITCH_DISABLE;
        config->automatic = value == ATM_SWITCH_AUTOMATIC;
    } else if (members[fix].is_size) {
        *(uint64_t *) member = value;
    } else if (value <= INT_MAX) {
        *(int *) member = (int) value;
    } else {
        return false;
    }
    return true;
}
