/* The profile that the driver would take here: files/installed.h with this environment
 * and this installation. */

#ifndef PROFILE_FIND_H
#define PROFILE_FIND_H

#include "files/installed.h"

typedef struct profile_found {
    atm_profile *profile; /* destroy it */
    atm_source source;    /* where it was */
    atm_fit fit;
    int count;     /* of those it was chosen from */
    bool user_has; /* one or more of them */
} profile_found;

/* named stands for the hint; NULL: none. */
atm_status profile_search(const char *named, atm_search *search_p);

/* What is not known of the use is not compared. */
atm_status profile_find(const char *named, const atm_use *use, atm_message *message,
                        profile_found *found_p);

#endif /* PROFILE_FIND_H */
