/* Settings: which there are, read and written. */

#include "settings.h"

#include <string.h>

typedef enum kind { NUMBER, WORD, PAIR, SHAPE } kind;

typedef struct entry {
    const char *name;
    kind kind;
    int64_t min, max;
    int64_t step;             /* 0: any number between these */
    const char *const *words; /* ended by NULL */
    atm_fix fix;
    atm_phase phase;
} entry;

/* What HDF5's members begin with. */
#define GROUP "hdf5"
enum { PREFIX = sizeof(GROUP) }; /* with the dot */

static const char *const switches[ATM_SWITCH_COUNT + 1] = {"disable", "enable", "automatic", NULL};
static const char *const truths[] = {"disable", "enable", NULL};
static const char *const allocations[] = {"early", "late", "incremental", NULL};
static const char *const fills[] = {"never", "ifset", "alloc", NULL};
static const char *const versions[] = {"earliest", "v18", "v110", "v112", "v114", "latest", NULL};
static const char *const strategies[] = {"fsm_aggr", "page", "aggr", "none", NULL};

#define ENTRY(id, name, kind, min, max, step, words, fix, phase)                                   \
    [ATM_SET_##id] = {name, kind, min, max, step, words, ATM_FIX_##fix, ATM_##phase},
static const entry entries[ATM_SETTING_COUNT] = {ATM_SETTINGS(ENTRY)};
#undef ENTRY

const char *atm_setting_name(atm_setting setting)
{
    return entries[setting].name;
}

atm_fix atm_setting_fixes(atm_setting setting)
{
    return entries[setting].fix;
}

atm_phase atm_setting_phase(atm_setting setting)
{
    return entries[setting].phase;
}

const char *atm_switch_name(atm_switch value)
{
    return switches[value];
}

static size_t word_count(const entry *e)
{
    size_t count = 0;

    while (e->words != NULL && e->words[count] != NULL)
        count++;
    return count;
}

const char *atm_setting_word(atm_setting setting, uint64_t value)
{
    const entry *e = &entries[setting];

    return value < word_count(e) ? e->words[value] : NULL;
}

bool atm_setting_allows(atm_setting setting, uint64_t value)
{
    const entry *e = &entries[setting];

    if (e->kind == WORD)
        return value < word_count(e);
    return value >= (uint64_t) e->min && value <= (uint64_t) e->max &&
           (e->step == 0 || value % (uint64_t) e->step == 0);
}

static bool is_grouped(const entry *e)
{
    return strncmp(e->name, GROUP ".", PREFIX) == 0;
}

/* Its name in the object that it is a member of. */
static const char *key_of(const entry *e)
{
    return is_grouped(e) ? e->name + PREFIX : e->name;
}

static atm_status read_pair(const atm_value *object, const entry *e, atm_message *message,
                            uint64_t *first_p, uint64_t *second_p)
{
    const atm_value *array;
    int64_t first, second;
    atm_status status = atm_get_array(object, key_of(e), 2, 2, message, &array);

    if (status == ATM_OK)
        status = atm_get_integer(atm_value_item(array, 0), NULL, 0, e->max, message, &first);
    if (status == ATM_OK)
        status = atm_get_integer(atm_value_item(array, 1), NULL, e->min, e->max, message, &second);
    if (status == ATM_OK) {
        *first_p = (uint64_t) first;
        *second_p = (uint64_t) second;
    }
    return status;
}

static atm_status read_shape(const atm_value *object, const entry *e, atm_message *message,
                             uint64_t shape_p[ATM_CHUNK_DIMENSIONS], uint64_t *dimensions_p)
{
    const atm_value *array;
    atm_status status = atm_get_array(object, key_of(e), 1, ATM_CHUNK_DIMENSIONS, message, &array);
    size_t count = status == ATM_OK ? atm_value_length(array) : 0;

    for (size_t i = 0; i < count && status == ATM_OK; i++) {
        int64_t length;

        status = atm_get_integer(atm_value_item(array, i), NULL, e->min, e->max, message, &length);
        if (status == ATM_OK)
            shape_p[i] = (uint64_t) length;
    }
    if (status == ATM_OK)
        *dimensions_p = count;
    return status;
}

static atm_status read_number(const atm_value *object, const entry *e, atm_message *message,
                              uint64_t *value_p)
{
    int64_t number;
    atm_status status = atm_get_integer(object, key_of(e), e->min, e->max, message, &number);

    if (status == ATM_OK && e->step > 0 && number % e->step != 0)
        return atm_complain(object, key_of(e), message, "must be a multiple of %lld",
                            (long long) e->step);
    if (status == ATM_OK)
        *value_p = (uint64_t) number;
    return status;
}

static atm_status read_one(const atm_value *object, const entry *e, atm_message *message,
                           atm_settings *settings, uint64_t *value_p)
{
    size_t index;
    atm_status status;

    switch (e->kind) {
        case PAIR:
            return read_pair(object, e, message, &settings->threshold, value_p);
        case SHAPE:
            return read_shape(object, e, message, settings->chunk, value_p);
        case NUMBER:
            return read_number(object, e, message, value_p);
        case WORD:
            break;
    }
    status = atm_get_choice(object, key_of(e), e->words, word_count(e), message, &index);
    if (status == ATM_OK)
        *value_p = index;
    return status;
}

/* Reads the members of an object, or of its member GROUP. */
static atm_status read_members(const atm_value *object, bool grouped, atm_message *message,
                               atm_settings *settings)
{
    const char *known[ATM_SETTING_COUNT + 2] = {NULL};
    int count = 0;
    atm_status status;

    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (is_grouped(&entries[i]) == grouped)
            known[count++] = key_of(&entries[i]);
    if (!grouped)
        known[count] = GROUP;
    status = atm_check_keys(object, known, message);
    for (int i = 0; status == ATM_OK && i < ATM_SETTING_COUNT; i++) {
        const entry *e = &entries[i];

        if (is_grouped(e) != grouped || atm_value_find(object, key_of(e)) == NULL)
            continue;
        settings->has[i] = true;
        status = read_one(object, e, message, settings, &settings->values[i]);
    }
    return status;
}

atm_status atm_settings_read(const atm_value *object, atm_message *message,
                             atm_settings *settings_p)
{
    const atm_value *group;
    atm_settings settings = {.threshold = 0};
    atm_status status = read_members(object, false, message, &settings);

    if (status == ATM_OK && atm_value_find(object, GROUP) != NULL) {
        status = atm_get_object(object, GROUP, message, &group);
        if (status == ATM_OK)
            status = read_members(group, true, message, &settings);
    }
    if (status == ATM_OK && memchr(settings.has, true, sizeof(settings.has)) == NULL)
        status = atm_complain(object, NULL, message, "sets nothing");
    if (status == ATM_OK)
        *settings_p = settings;
    return status;
}

static void write_array(atm_value *object, const char *key, const uint64_t *numbers, size_t count)
{
    atm_value *array = atm_put_array(object, key);

    for (size_t i = 0; i < count; i++)
        atm_put_integer(array, NULL, (int64_t) numbers[i]);
}

static void write_one(const atm_settings *settings, int i, atm_value *object)
{
    const entry *e = &entries[i];
    uint64_t value = settings->values[i];

    switch (e->kind) {
        case WORD:
            atm_put_string(object, key_of(e), e->words[value]);
            break;
        case NUMBER:
            atm_put_integer(object, key_of(e), (int64_t) value);
            break;
        case PAIR:
            write_array(object, key_of(e), (uint64_t[]){settings->threshold, value}, 2);
            break;
        case SHAPE:
            write_array(object, key_of(e), settings->chunk, value);
            break;
    }
}

void atm_settings_write(const atm_settings *settings, atm_value *object)
{
    atm_value *group = NULL;

    for (int i = 0; i < ATM_SETTING_COUNT; i++) {
        bool grouped = is_grouped(&entries[i]);

        if (!settings->has[i])
            continue;
        if (grouped && group == NULL)
            group = atm_put_object(object, GROUP);
        write_one(settings, i, grouped ? group : object);
    }
}
