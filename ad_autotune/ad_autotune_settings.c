#include "ad_autotune_hints.h"

#include "ad_autotune_plan.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "atc.h"
#include "value/nearest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ADIOI_AUTOTUNE_get_hint(MPI_Info users_info, const char *key, char *value)
{
    char variable[MPI_MAX_INFO_KEY + 1];
    const char *found;

    if (ADIOI_AUTOTUNE_get_value(users_info, key, value))
        return;
    ADIOI_AUTOTUNE_variable(key, variable);
    found = secure_getenv(variable);
    value[0] = '\0';
    if (found != NULL)
        snprintf(value, MPI_MAX_INFO_VAL + 1, "%s", found);
}

/* Variables that begin like those of hints, and are not. */
static int is_hint(const char *variable)
{
    static const char begin[] = "ROMIO_AUTOTUNE";
    static const char *const others[] = {"_LAUNCH=", "_PRELOAD=", "_WATCH="};

    if (strncmp(variable, begin, strlen(begin)) != 0)
        return 0;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strncmp(variable + strlen(begin), others[i], strlen(others[i])) == 0)
            return 0;
    return 1;
}

int ADIOI_AUTOTUNE_variables_given(void)
{
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++)
        if ((*variable)[0] == 'R' && is_hint(*variable))
            return 1;
    return 0;
}

static char *get_text(MPI_Info users_info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1];

    ADIOI_AUTOTUNE_get_hint(users_info, key, value);
    return value[0] != '\0' ? ADIOI_Strdup(value) : NULL;
}

/* 0 where there is none. */
static uint64_t get_size(MPI_Info users_info, const char *key, char *notes, size_t size)
{
    char value[MPI_MAX_INFO_VAL + 1];
    uint64_t number = 0;

    ADIOI_AUTOTUNE_get_hint(users_info, key, value);
    if (value[0] != '\0' && !atm_parse_size(value, UINT64_C(1) << 60, &number))
        ADIOI_AUTOTUNE_refuse(notes, size, key, value, "not a number of bytes");
    return number;
}

static uint64_t get_calls(MPI_Info users_info, char *notes, size_t size)
{
    static const char key[] = "romio_autotune_calls";
    char value[MPI_MAX_INFO_VAL + 1];
    uint64_t number = 0;

    ADIOI_AUTOTUNE_get_hint(users_info, key, value);
    if (value[0] != '\0' && !atm_parse_size(value, ATM_CALLS_MAX, &number))
        ADIOI_AUTOTUNE_refuse(notes, size, key, value, "not a number of calls");
    return number;
}

/* An expanded path, or "stderr"; NULL: none. */
static char *get_explain(MPI_Info users_info, char *notes, size_t size)
{
    static const char key[] = "romio_autotune_explain";
    char value[MPI_MAX_INFO_VAL + 1], *path;
    atm_message why = {""};

    ADIOI_AUTOTUNE_get_hint(users_info, key, value);
    if (value[0] == '\0')
        return NULL;
    if (strcmp(value, "stderr") == 0 || strcmp(value, "stderr:json") == 0)
        return ADIOI_Strdup(value);
    path = ADIOI_AUTOTUNE_output_path(value, &why);
    if (path == NULL)
        ADIOI_AUTOTUNE_refuse(notes, size, key, value, why.text);
    return path;
}

int ADIOI_AUTOTUNE_user_sets(MPI_Info users_info, MPI_Info before, const char *key, int is_switch)
{
    char value[MPI_MAX_INFO_VAL + 1], now[MPI_MAX_INFO_VAL + 1];

    if (!ADIOI_AUTOTUNE_get_value(users_info, key, value))
        return 0;
    if (is_switch && !ADIOI_AUTOTUNE_is_echo(users_info))
        return 1;
    return !(ADIOI_AUTOTUNE_get_value(before, key, now) && strcmp(value, now) == 0);
}

void ADIOI_AUTOTUNE_settings_add(ADIOI_AUTOTUNE_settings *settings, MPI_Info users_info,
                                 MPI_Info before)
{
    static const atm_fix fixes[] = {ATM_FIX_AGGREGATORS, ATM_FIX_BUFFER, ATM_FIX_CO_RATIO};

    for (size_t i = 0; i < sizeof(fixes) / sizeof(fixes[0]); i++)
        if (ADIOI_AUTOTUNE_user_sets(users_info, before, atm_fix_name(fixes[i]), 0))
            settings->fixed |= 1u << fixes[i];
    settings->fixed_read |= ADIOI_AUTOTUNE_user_sets(users_info, before, "romio_cb_read", 1);
    settings->fixed_write |=
        ADIOI_AUTOTUNE_user_sets(users_info, before, "romio_cb_write", 1) ||
        ADIOI_AUTOTUNE_user_sets(users_info, before, "romio_lustre_coll_threshold", 0);
}

/* Newer versions of ROMIO report 0 for what a file does not have; this is not a hint. */
static int get_number(MPI_Info users_info, const char *key, int none)
{
    char value[MPI_MAX_INFO_VAL + 1];
    long number;

    if (!ADIOI_AUTOTUNE_get_value(users_info, key, value))
        return none;
    number = strtol(value, NULL, 10);
    return number > INT_MAX ? INT_MAX : number < -1 ? none : (int) number;
}

static void get_striping(MPI_Info users_info, ADIOI_AUTOTUNE_settings *settings)
{
    settings->striping = (ADIOI_AUTOTUNE_striping){
        .unit = get_number(users_info, atm_fix_name(ATM_FIX_STRIPE_SIZE), 0),
        .count = get_number(users_info, atm_fix_name(ATM_FIX_STRIPE_COUNT), 0),
        .start = get_number(users_info, ADIOI_AUTOTUNE_START_IODEVICE, -1)};
    if (settings->striping.unit < 0)
        settings->striping.unit = 0;
    if (settings->striping.unit != 0)
        settings->fixed |= 1u << ATM_FIX_STRIPE_SIZE;
    if (settings->striping.count != 0)
        settings->fixed |= 1u << ATM_FIX_STRIPE_COUNT;
}

ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_none(void)
{
    ADIOI_AUTOTUNE_settings *settings = ADIOI_Calloc(1, sizeof(*settings));

    settings->striping.start = -1;
    return settings;
}

ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_create(MPI_Info users_info, char *notes,
                                                        size_t size)
{
    ADIOI_AUTOTUNE_settings *settings = ADIOI_Calloc(1, sizeof(*settings));
    char value[MPI_MAX_INFO_VAL + 1];

    settings->profile = get_text(users_info, "romio_autotune_profile");
    settings->topology = get_text(users_info, "romio_autotune_topology");
    settings->storage = get_text(users_info, "romio_autotune_state");
    settings->advice = get_text(users_info, "romio_autotune_advice");
    settings->explain = get_explain(users_info, notes, size);
    settings->access_size = get_size(users_info, "romio_autotune_access_size", notes, size);
    settings->memory = get_size(users_info, "romio_autotune_memory", notes, size);
    settings->calls = get_calls(users_info, notes, size);
    ADIOI_AUTOTUNE_settings_add(settings, users_info, MPI_INFO_NULL);
    get_striping(users_info, settings);
    settings->fixed_list = ADIOI_AUTOTUNE_get_value(users_info, "cb_config_list", value);
    settings->cb_nodes = get_number(users_info, "cb_nodes", 0);
    return settings;
}

enum { TEXTS = 5 };

static void texts_of(ADIOI_AUTOTUNE_settings *settings, char **texts_p[TEXTS])
{
    texts_p[0] = &settings->profile;
    texts_p[1] = &settings->topology;
    texts_p[2] = &settings->explain;
    texts_p[3] = &settings->storage;
    texts_p[4] = &settings->advice;
}

ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_copy(const ADIOI_AUTOTUNE_settings *settings)
{
    ADIOI_AUTOTUNE_settings *copy = ADIOI_Malloc(sizeof(*copy));
    char **texts[TEXTS];

    *copy = *settings;
    texts_of(copy, texts);
    for (int i = 0; i < TEXTS; i++)
        if (*texts[i] != NULL)
            *texts[i] = ADIOI_Strdup(*texts[i]);
    return copy;
}

void ADIOI_AUTOTUNE_settings_destroy(ADIOI_AUTOTUNE_settings *settings)
{
    char **texts[TEXTS];

    if (settings == NULL)
        return;
    texts_of(settings, texts);
    for (int i = 0; i < TEXTS; i++)
        if (*texts[i] != NULL)
            ADIOI_Free(*texts[i]);
    ADIOI_Free(settings);
}

/* --- hints that there are not */

/*
 * Hints and variables that are mistyped.  Of variables only those that resemble a hint's: others
 * with our prefix are for other programs.
 */

#define PREFIX "romio_autotune"
enum { NEAR = 3 };

static const char *const keys[] = {"romio_autotune_profile",     "romio_autotune_topology",
                                   "romio_autotune_access_size", "romio_autotune_memory",
                                   "romio_autotune_calls",       "romio_autotune_explain",
                                   "romio_autotune_record",      "romio_autotune_state",
                                   "romio_autotune_advice",      "romio_autotune"};
enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

/* What get_info shows, and programs pass on; and variables of the tools and other libraries. */
static const char *const others[] = {"romio_autotune_status",    "romio_autotune_wrapped",
                                     "romio_autotune_predicted", "romio_autotune_kept",
                                     "romio_autotune_preload",   "romio_autotune_watch",
                                     "romio_autotune_history",   "romio_autotune_spaces",
                                     "romio_autotune_launch",    "romio_autotune_library"};

const char *ADIOI_AUTOTUNE_key_at(int index)
{
    return index < KEYS ? keys[index] : NULL;
}

static int is_in(const char *key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, list[i]) == 0)
            return 1;
    return 0;
}

/* "romio_autotune" itself is near to too much. */
static const char *nearest_to(const char *key)
{
    return is_in(key, keys, KEYS) || is_in(key, others, sizeof(others) / sizeof(others[0]))
               ? NULL
               : atm_nearest(key, keys, KEYS - 1, NEAR);
}

static void check_hint(const char *key, const char *value, char *notes, size_t size)
{
    const char *nearest = nearest_to(key);
    char why[128];

    if (nearest != NULL)
        snprintf(why, sizeof(why), "there is no such hint; the nearest is %s", nearest);
    else if (strncmp(key, PREFIX, strlen(PREFIX)) == 0 && !is_in(key, keys, KEYS) &&
             !is_in(key, others, sizeof(others) / sizeof(others[0])))
        snprintf(why, sizeof(why), "there is no such hint");
    else
        return;
    ADIOI_AUTOTUNE_refuse(notes, size, key, value, why);
}

static void check_info(MPI_Info users_info, char *notes, size_t size)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int count = 0;

    if (users_info == MPI_INFO_NULL || MPI_Info_get_nkeys(users_info, &count) != MPI_SUCCESS)
        return;
    for (int i = 0; i < count; i++)
        if (MPI_Info_get_nthkey(users_info, i, key) == MPI_SUCCESS &&
            strncmp(key, PREFIX, 6) == 0 && ADIOI_AUTOTUNE_get_value(users_info, key, value))
            check_hint(key, value, notes, size);
}

/* entry: NAME=VALUE */
static void check_variable(const char *entry, char *notes, size_t size)
{
    size_t length = strcspn(entry, "=");
    char key[MPI_MAX_INFO_KEY + 1], variable[MPI_MAX_INFO_KEY + 1], right[MPI_MAX_INFO_KEY + 1];
    char why[64 + sizeof(right)];
    const char *nearest;

    if (entry[length] == '\0' || length >= sizeof(key))
        return;
    for (size_t i = 0; i < length; i++)
        key[i] = (char) (entry[i] >= 'A' && entry[i] <= 'Z' ? entry[i] - 'A' + 'a' : entry[i]);
    key[length] = '\0';
    nearest = nearest_to(key);
    if (nearest == NULL)
        return;
    ADIOI_AUTOTUNE_variable(key, variable);
    ADIOI_AUTOTUNE_variable(nearest, right);
    snprintf(why, sizeof(why), "there is no such variable; the nearest is %s", right);
    ADIOI_AUTOTUNE_refuse(notes, size, variable, entry + length + 1, why);
}

void ADIOI_AUTOTUNE_check_keys(MPI_Info users_info, char *notes, size_t size)
{
    check_info(users_info, notes, size);
    for (char **entry = environ; *entry != NULL; entry++)
        if (strncmp(*entry, "ROMIO_", 6) == 0)
            check_variable(*entry, notes, size);
}

/* --- the environment, where there are no hints */

/*
 * Most programs open files without hints, so that all settings come from the environment: what the
 * last such open has read there is kept until MPI_Finalize, in an attribute of MPI_COMM_SELF.
 * Called under ROMIO's lock.
 */
typedef struct known {
    ADIOI_AUTOTUNE_mode mode;
    ADIOI_AUTOTUNE_settings *settings;
} known;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
{
    known *known = value;

    (void) comm, (void) keyval, (void) extra;
    ADIOI_AUTOTUNE_settings_destroy(known->settings);
    ADIOI_Free(known);
    return MPI_SUCCESS;
}

ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_variables_again(ADIOI_AUTOTUNE_mode *mode_p)
{
    static ADIOI_AUTOTUNE_variables last;
    known *known = atc_cache_get(&cache, MPI_COMM_SELF);

    if (!ADIOI_AUTOTUNE_variables_hold(&last) && known != NULL) {
        ADIOI_AUTOTUNE_settings_destroy(known->settings);
        known->settings = NULL;
    }
    if (known == NULL || known->settings == NULL)
        return NULL;
    *mode_p = known->mode;
    return ADIOI_AUTOTUNE_settings_copy(known->settings);
}

void ADIOI_AUTOTUNE_variables_keep(ADIOI_AUTOTUNE_mode mode,
                                   const ADIOI_AUTOTUNE_settings *settings)
{
    known *known = atc_cache_get(&cache, MPI_COMM_SELF);

    if (known == NULL) {
        known = ADIOI_Calloc(1, sizeof(*known));
        if (atc_cache_put(&cache, MPI_COMM_SELF, known, MPI_COMM_NULL_COPY_FN, release) != ATC_OK) {
            ADIOI_Free(known);
            return;
        }
    }
    ADIOI_AUTOTUNE_settings_destroy(known->settings);
    known->mode = mode;
    known->settings = ADIOI_AUTOTUNE_settings_copy(settings);
}
