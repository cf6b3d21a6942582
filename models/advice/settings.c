/* Settings: which there are, read and written. */

#include "settings.h"

#include <stdlib.h>

typedef enum kind { NUMBER, SWITCH, PAIR } kind;

typedef struct entry {
    const char *name;
    kind kind;
    int64_t min, max;
    int64_t step; /* 0: any number between these */
} entry;

/* No machine has more; guards against other units. */
#define RANKS_MAX (INT64_C(1) << 31)
#define BYTES_MAX (INT64_C(1) << 40)

static const entry entries[ATM_SETTING_COUNT] = {
    [ATM_SET_CB_NODES] = {"cb_nodes", NUMBER, 1, RANKS_MAX - 1, 0},
    [ATM_SET_CB_BUFFER_SIZE] = {"cb_buffer_size", NUMBER, 1, RANKS_MAX - 1, 0}, /* ROMIO: an int */
    [ATM_SET_STRIPING_FACTOR] = {"striping_factor", NUMBER, 1, 65535, 0},
    /* multiples of Lustre's least; ROMIO: an int */
    [ATM_SET_STRIPING_UNIT] = {"striping_unit", NUMBER, 65536, RANKS_MAX - 65536, 65536},
    [ATM_SET_CO_RATIO] = {"romio_lustre_co_ratio", NUMBER, 1, 65535, 0},
    [ATM_SET_CB_WRITE] = {"romio_cb_write", SWITCH, 0, 0, 0},
    [ATM_SET_CB_READ] = {"romio_cb_read", SWITCH, 0, 0, 0},
    [ATM_SET_HDF5_ALIGNMENT] = {"hdf5_alignment", PAIR, 1, BYTES_MAX, 0},
};

static const char *const switches[ATM_SWITCH_COUNT] = {"disable", "enable", "automatic"};

const char *atm_setting_name(atm_setting setting)
{
    return entries[setting].name;
}

const char *atm_switch_name(atm_switch value)
{
    return switches[value];
}

static atm_status read_pair(const atm_value *object, const entry *e, atm_message *message,
                            uint64_t *first_p, uint64_t *second_p)
{
    const atm_value *array;
    int64_t first, second;
    atm_status status = atm_get_array(object, e->name, 2, 2, message, &array);

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

static atm_status read_one(const atm_value *object, const entry *e, atm_message *message,
                           uint64_t *threshold_p, uint64_t *value_p)
{
    int64_t number;
    size_t index;
    atm_status status;

    if (e->kind == PAIR)
        return read_pair(object, e, message, threshold_p, value_p);
    if (e->kind == SWITCH) {
        status = atm_get_choice(object, e->name, switches, ATM_SWITCH_COUNT, message, &index);
        if (status == ATM_OK)
            *value_p = index;
        return status;
    }
    status = atm_get_integer(object, e->name, e->min, e->max, message, &number);
    if (status == ATM_OK && e->step > 0 && number % e->step != 0)
        return atm_complain(object, e->name, message, "must be a multiple of %lld",
                            (long long) e->step);
    if (status == ATM_OK)
        *value_p = (uint64_t) number;
    return status;
}

atm_status atm_settings_read(const atm_value *object, atm_message *message,
                             atm_settings *settings_p)
{
    const char *known[ATM_SETTING_COUNT + 1] = {NULL};
    atm_settings settings = {.threshold = 0};
    bool any = false;
    atm_status status;

    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        known[i] = entries[i].name;
    status = atm_check_keys(object, known, message);
    for (int i = 0; status == ATM_OK && i < ATM_SETTING_COUNT; i++) {
        settings.has[i] = atm_value_find(object, entries[i].name) != NULL;
        any = any || settings.has[i];
        if (settings.has[i])
            status =
                read_one(object, &entries[i], message, &settings.threshold, &settings.values[i]);
    }
    if (status == ATM_OK && !any)
        status = atm_complain(object, NULL, message, "sets nothing");
    if (status == ATM_OK)
        *settings_p = settings;
    return status;
}

void atm_settings_write(const atm_settings *settings, atm_value *object)
{
    for (int i = 0; i < ATM_SETTING_COUNT; i++) {
        const entry *e = &entries[i];

        if (!settings->has[i])
            continue;
        if (e->kind == SWITCH) {
            atm_put_string(object, e->name, switches[settings->values[i]]);
        } else if (e->kind == NUMBER) {
            atm_put_integer(object, e->name, (int64_t) settings->values[i]);
        } else {
            atm_value *array = atm_put_array(object, e->name);

            atm_put_integer(array, NULL, (int64_t) settings->threshold);
            atm_put_integer(array, NULL, (int64_t) settings->values[i]);
        }
    }
}
