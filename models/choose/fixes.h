/* What a user or advice may fix of a configuration: by names of hints, as numbers. */

#ifndef ATM_FIXES_H
#define ATM_FIXES_H

#include "advice/settings.h"
#include "atm.h"

/* The hint's; "romio_cb" is followed by "_read" or "_write". */
const char *atm_fix_name(atm_fix fix);

/* An atm_switch for ATM_FIX_COLLECTIVE. */
uint64_t atm_fix_value(const atm_config *config, atm_fix fix);
/* false: it is too large, and nothing changes. */
bool atm_fix_set(atm_config *config, atm_fix fix, uint64_t value);

#endif /* ATM_FIXES_H */
