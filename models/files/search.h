/*
 * Where profiles are looked for.  The first of these that exists is used:
 *
 *     hint         info key romio_autotune_profile               named
 *     environment  ROMIO_AUTOTUNE_PROFILE                        named
 *     user         ${XDG_CONFIG_HOME:-~/.config}/romio-autotune/profile.json
 *     site         ${sysconfdir}/romio-autotune/profile.json
 *     built-in     profiles/generic.json, which is always there
 *
 * Beside profile.json there may be profiles of other file systems and sizes of jobs, in
 * profiles.d: installed.h.
 *
 * States of storage (state/state.h) and advice (advice/advice.h) are looked for in the same way, as
 * romio_autotune_state and state.json, romio_autotune_advice and advice.json; what is built in is
 * that nothing is known.
 *
 * The name "built-in" selects that one.  A named file must exist, and a file that exists must
 * be a profile; otherwise the next one is not tried, because a mistake would then go unnoticed.
 *
 * The caller provides the values: nothing here looks at the environment.
 */

#ifndef ATM_SEARCH_H
#define ATM_SEARCH_H

#include <sys/stat.h>

#include "atm.h"

#define ATM_PROFILE_FOLDER "romio-autotune"
#define ATM_PROFILE_FILE "profile.json"
#define ATM_PROFILE_BUILT_IN "built-in"
#define ATM_STATE_FILE "state.json"
#define ATM_ADVICE_FILE "advice.json"

/* In the order of the search. */
typedef enum atm_source {
    ATM_SOURCE_HINT,
    ATM_SOURCE_ENVIRONMENT,
    ATM_SOURCE_USER,
    ATM_SOURCE_SITE,
    ATM_SOURCE_BUILT_IN,
    ATM_SOURCE_COUNT
} atm_source;

/* NULL or "" where there is none. */
typedef struct atm_search_values {
    const char *hint;        /* romio_autotune_profile */
    const char *environment; /* ROMIO_AUTOTUNE_PROFILE */
    const char *xdg_config;  /* XDG_CONFIG_HOME; a relative one is ignored, as its standard asks */
    const char *home;        /* HOME, the same */
    const char *sysconfdir;  /* compiled in */
    const char *file;        /* NULL: ATM_PROFILE_FILE */
} atm_search_values;

enum { ATM_SEARCH_PATH = 4096 }; /* Linux's PATH_MAX */

typedef struct atm_place_to_look {
    atm_source source;
    bool named; /* must exist */
    char path[ATM_SEARCH_PATH];
} atm_place_to_look;

typedef struct atm_search {
    int count; /* 1 or more; the last is built in and has the path "" */
    atm_place_to_look at[ATM_SOURCE_COUNT];
} atm_search;

/* ATM_BAD_ARGUMENT for a path that is too long. */
atm_status atm_profile_search(const atm_search_values *values, atm_search *search_p);

/* The first place that exists or was named, finally the built-in one.  *file_p is the
 * file there, zeros for the built-in one and if there is none. */
const atm_place_to_look *atm_search_find(const atm_search *search, struct stat *file_p);

/* A file as a search found it; path "": the built-in one. */
typedef struct atm_seen {
    char path[ATM_SEARCH_PATH];
    struct stat file;
} atm_seen;

/* The place that the search finds; ATM_BAD_ARGUMENT for a path that is too long. */
atm_status atm_search_see(const atm_search_values *values, atm_seen *seen_p);

/* Whether it still is what was seen, as far as device, inode, size and time of change tell. */
bool atm_seen_again(const atm_seen *before, const atm_seen *now);

#endif /* ATM_SEARCH_H */
