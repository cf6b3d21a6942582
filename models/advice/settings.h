/*
 * Settings: what advice fixes, by the names of hints.  As it stands in files:
 *
 *     { "cb_nodes": 16, "cb_buffer_size": 16777216, "striping_factor": 8,
 *       "striping_unit": 1048576, "romio_lustre_co_ratio": 1,
 *       "romio_cb_write": "enable", "romio_cb_read": "automatic",
 *       "hdf5_alignment": [0, 1048576] }            threshold, alignment
 *
 * Any of them may be missing.
 */

#ifndef ATM_SETTINGS_H
#define ATM_SETTINGS_H

#include "value/value.h"

typedef enum atm_setting {
    ATM_SET_CB_NODES,
    ATM_SET_CB_BUFFER_SIZE,
    ATM_SET_STRIPING_FACTOR,
    ATM_SET_STRIPING_UNIT,
    ATM_SET_CO_RATIO,
    ATM_SET_CB_WRITE, /* an atm_switch */
    ATM_SET_CB_READ,
    ATM_SET_HDF5_ALIGNMENT, /* two numbers */
    ATM_SETTING_COUNT
} atm_setting;

/* As ROMIO names the values of romio_cb_write and romio_cb_read. */
typedef enum atm_switch {
    ATM_SWITCH_DISABLE,
    ATM_SWITCH_ENABLE,
    ATM_SWITCH_AUTOMATIC,
    ATM_SWITCH_COUNT
} atm_switch;

typedef struct atm_settings {
    bool has[ATM_SETTING_COUNT];
    uint64_t values[ATM_SETTING_COUNT];
    uint64_t threshold; /* of hdf5_alignment */
} atm_settings;

const char *atm_setting_name(atm_setting setting);
const char *atm_switch_name(atm_switch value);

/* The members of an object, all of which must be known and at least one there.  ATM_BAD_FILE and
 * a message. */
atm_status atm_settings_read(const atm_value *object, atm_message *message,
                             atm_settings *settings_p);
/* In the order above, so that equal settings are equal texts. */
void atm_settings_write(const atm_settings *settings, atm_value *object);

#endif /* ATM_SETTINGS_H */
