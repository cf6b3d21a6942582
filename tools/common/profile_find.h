/* The profile that the driver would take here: files/search.h with this environment
 * and this installation. */

#ifndef PROFILE_FIND_H
#define PROFILE_FIND_H

#include "files/profile.h"
#include "files/search.h"

/* named stands for the hint; NULL: none. */
atm_status profile_search(const char *named, atm_search *search_p);

/* Destroy the profile; *source_p tells where it was. */
atm_status profile_find(const char *named, atm_message *message, atm_profile **profile_p,
                        atm_source *source_p);

#endif /* PROFILE_FIND_H */
