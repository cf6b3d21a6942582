/* profiles/generic.json, compiled in: embed.sh makes the source. */

#ifndef ATM_PROFILE_GENERIC_H
#define ATM_PROFILE_GENERIC_H

#include "atm.h"

extern const char atm_profile_generic_text[];
extern const size_t atm_profile_generic_length;

#endif /* ATM_PROFILE_GENERIC_H */
