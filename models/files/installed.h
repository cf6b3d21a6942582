/*
 * Profiles that are installed, of which the one that fits is used.  A named one is the only
 * one; otherwise
 *
 *     user   profile.json, then profiles.d/<any>.json by name, in
 * ${XDG_CONFIG_HOME:-~/.config}/romio-autotune site   the same in ${sysconfdir}/romio-autotune
 *
 * and the built-in one where there is none of these.  Used is, of those that fit, else of
 * those of which that is not known, else of all, the user's before the site's; of several of
 * one folder, that with the nearest number of nodes, else the first.
 */

#ifndef ATM_INSTALLED_H
#define ATM_INSTALLED_H

#include "fit.h"
#include "profile.h"
#include "search.h"

#define ATM_PROFILES_FOLDER "profiles.d"

typedef struct atm_installed {
    atm_source source;
    atm_seen seen;
} atm_installed;

/* All of them, 1 or more; free the list.  ATM_BAD_ARGUMENT for a path that is too long. */
atm_status atm_installed_list(const atm_search_values *values, atm_installed **list_p,
                              int *count_p);

/* The index of the one to use, and how it fits; the built-in one is not compared. */
int atm_installed_best(const atm_installed *list, const atm_profile *const *profiles, int count,
                       const atm_use *use, atm_fit *fit_p);

/* The profile's doubt (profile.h): that of a kind of which it has measured nothing, or on other
 * hardware. */
void atm_installed_doubt(const atm_profile *profile, const atm_fit *fit,
                         double doubt_p[ATM_KIND_COUNT]);

#endif /* ATM_INSTALLED_H */
