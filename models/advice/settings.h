/*
 * Settings: what advice fixes, by the names of hints.  As it stands in files:
 *
 *     { "cb_nodes": 16, "cb_buffer_size": 16777216, "striping_factor": 8,
 *       "striping_unit": 1048576, "romio_lustre_co_ratio": 1,
 *       "romio_cb_write": "enable", "romio_cb_read": "automatic",
 *       "hdf5_alignment": [0, 1048576],             threshold, alignment
 *       "hdf5": { "chunk_bytes": 16777216, "chunk": [1, 512, 512], "metadata_block_size": 1048576,
 *                 "sieve_buffer_size": 65536, "chunk_cache_bytes": 16777216,
 *                 "collective_metadata_writes": "enable", "collective_metadata_reads": "enable",
 *                 "allocation_time": "early", "fill_time": "never",
 *                 "version_low": "earliest", "version_high": "v110",
 *                 "file_space_strategy": "page", "file_space_page_size": 65536 } }
 *
 * Any of them may be missing.  Those of HDF5 are carried for the library that sets them; the
 * driver has no use for them.
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
    ATM_SET_HDF5_CHUNK_BYTES,
    ATM_SET_HDF5_CHUNK, /* its shape: values has the number of dimensions */
    ATM_SET_HDF5_METADATA_BLOCK,
    ATM_SET_HDF5_SIEVE_BUFFER,
    ATM_SET_HDF5_CHUNK_CACHE,
    ATM_SET_HDF5_METADATA_WRITES, /* from here on but for the last, atm_setting_word */
    ATM_SET_HDF5_METADATA_READS,
    ATM_SET_HDF5_ALLOCATION,
    ATM_SET_HDF5_FILL,
    ATM_SET_HDF5_VERSION_LOW,
    ATM_SET_HDF5_VERSION_HIGH,
    ATM_SET_HDF5_SPACE_STRATEGY,
    ATM_SET_HDF5_SPACE_PAGE,
    ATM_SETTING_COUNT
} atm_setting;

/* As ROMIO names the values of romio_cb_write and romio_cb_read. */
typedef enum atm_switch {
    ATM_SWITCH_DISABLE,
    ATM_SWITCH_ENABLE,
    ATM_SWITCH_AUTOMATIC,
    ATM_SWITCH_COUNT
} atm_switch;

enum { ATM_CHUNK_DIMENSIONS = 8 };

typedef struct atm_settings {
    bool has[ATM_SETTING_COUNT];
    uint64_t values[ATM_SETTING_COUNT];
    uint64_t threshold; /* of hdf5_alignment */
    uint64_t chunk[ATM_CHUNK_DIMENSIONS];
} atm_settings;

/* "cb_nodes"; "hdf5.fill_time" for members of hdf5. */
const char *atm_setting_name(atm_setting setting);
/* Of a value that stands in files as a word; NULL if it does not. */
const char *atm_setting_word(atm_setting setting, uint64_t value);
const char *atm_switch_name(atm_switch value);
/* Can a file say this of a number or a word? */
bool atm_setting_allows(atm_setting setting, uint64_t value);

/* The members of an object, all of which must be known and at least one there.  ATM_BAD_FILE and
 * a message. */
atm_status atm_settings_read(const atm_value *object, atm_message *message,
                             atm_settings *settings_p);
/* In the order above, so that equal settings are equal texts. */
void atm_settings_write(const atm_settings *settings, atm_value *object);

#endif /* ATM_SETTINGS_H */
