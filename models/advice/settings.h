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

/* What a configuration (atm_config) has of settings, and a user or advice may fix. */
typedef enum atm_fix {
    ATM_FIX_COLLECTIVE, /* an atm_switch */
    ATM_FIX_AGGREGATORS,
    ATM_FIX_BUFFER,
    ATM_FIX_STRIPE_SIZE,
    ATM_FIX_STRIPE_COUNT,
    ATM_FIX_CO_RATIO,
    ATM_FIX_COUNT,
    ATM_FIX_NOTHING = ATM_FIX_COUNT /* it is not in a configuration */
} atm_fix;

/* Where a setting means something. */
typedef enum atm_phase {
    ATM_EVERYWHERE,
    ATM_IN_WRITES,
    ATM_IN_READS,
    ATM_ON_LUSTRE,
    ATM_AT_CREATION, /* of a file on Lustre, by its first write */
    ATM_IN_HDF5      /* which the driver has no use for */
} atm_phase;

/* No machine has more; guards against other units. */
#define ATM_SET_BYTES_MAX (INT64_C(1) << 40)
#define ATM_SET_CHUNK_MAX ((INT64_C(1) << 32) - 1) /* HDF5's: bytes of a chunk */

/* Every setting, once: ATM_SET_<id>, its name in files and hints, its kind, the least and the
 * largest number and what it is a multiple of (0: anything), its words, what it fixes, and where.
 * Files have the order of this list. */
#define ATM_SETTINGS(S)                                                                            \
    S(CB_NODES, "cb_nodes", NUMBER, 1, INT32_MAX, 0, NULL, AGGREGATORS, EVERYWHERE)                \
    S(CB_BUFFER_SIZE, "cb_buffer_size", NUMBER, 1, INT32_MAX, 0, NULL, BUFFER, EVERYWHERE)         \
    S(STRIPING_FACTOR, "striping_factor", NUMBER, 1, 65535, 0, NULL, STRIPE_COUNT, AT_CREATION)    \
    /* Lustre's least; ROMIO: an int */                                                            \
    S(STRIPING_UNIT, "striping_unit", NUMBER, 65536, INT32_MAX - 65535, 65536, NULL, STRIPE_SIZE,  \
      AT_CREATION)                                                                                 \
    S(CO_RATIO, "romio_lustre_co_ratio", NUMBER, 1, 65535, 0, NULL, CO_RATIO, ON_LUSTRE)           \
    S(CB_WRITE, "romio_cb_write", WORD, 0, 0, 0, switches, COLLECTIVE, IN_WRITES)                  \
    S(CB_READ, "romio_cb_read", WORD, 0, 0, 0, switches, COLLECTIVE, IN_READS)                     \
    S(HDF5_ALIGNMENT, "hdf5_alignment", PAIR, 1, ATM_SET_BYTES_MAX, 0, NULL, NOTHING, IN_HDF5)     \
    ATM_SETTINGS_HDF5(S, CHUNK_BYTES, "chunk_bytes", NUMBER, 1, ATM_SET_CHUNK_MAX, NULL)           \
    ATM_SETTINGS_HDF5(S, CHUNK, "chunk", SHAPE, 1, ATM_SET_CHUNK_MAX, NULL)                        \
    ATM_SETTINGS_HDF5(S, METADATA_BLOCK, "metadata_block_size", NUMBER, 1, ATM_SET_BYTES_MAX,      \
                      NULL)                                                                        \
    ATM_SETTINGS_HDF5(S, SIEVE_BUFFER, "sieve_buffer_size", NUMBER, 1, ATM_SET_BYTES_MAX, NULL)    \
    ATM_SETTINGS_HDF5(S, CHUNK_CACHE, "chunk_cache_bytes", NUMBER, 1, ATM_SET_BYTES_MAX, NULL)     \
    ATM_SETTINGS_HDF5(S, METADATA_WRITES, "collective_metadata_writes", WORD, 0, 0, truths)        \
    ATM_SETTINGS_HDF5(S, METADATA_READS, "collective_metadata_reads", WORD, 0, 0, truths)          \
    ATM_SETTINGS_HDF5(S, ALLOCATION, "allocation_time", WORD, 0, 0, allocations)                   \
    ATM_SETTINGS_HDF5(S, FILL, "fill_time", WORD, 0, 0, fills)                                     \
    ATM_SETTINGS_HDF5(S, VERSION_LOW, "version_low", WORD, 0, 0, versions)                         \
    ATM_SETTINGS_HDF5(S, VERSION_HIGH, "version_high", WORD, 0, 0, versions)                       \
    ATM_SETTINGS_HDF5(S, SPACE_STRATEGY, "file_space_strategy", WORD, 0, 0, strategies)            \
    /* HDF5's least */                                                                             \
    ATM_SETTINGS_HDF5(S, SPACE_PAGE, "file_space_page_size", NUMBER, 512, ATM_SET_BYTES_MAX, NULL)

/* Members of the group hdf5. */
#define ATM_SETTINGS_HDF5(S, id, name, kind, min, max, words)                                      \
    S(HDF5_##id, "hdf5." name, kind, min, max, 0, words, NOTHING, IN_HDF5)

#define ATM_SETTING_ID(id, ...) ATM_SET_##id,
typedef enum atm_setting { ATM_SETTINGS(ATM_SETTING_ID) ATM_SETTING_COUNT } atm_setting;
#undef ATM_SETTING_ID

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
    uint64_t values[ATM_SETTING_COUNT]; /* an atm_switch, the index of a word, a shape's length */
    uint64_t threshold;                 /* of hdf5_alignment */
    uint64_t chunk[ATM_CHUNK_DIMENSIONS];
} atm_settings;

/* "cb_nodes"; "hdf5.fill_time" for members of hdf5. */
const char *atm_setting_name(atm_setting setting);
atm_fix atm_setting_fixes(atm_setting setting);
atm_phase atm_setting_phase(atm_setting setting);
/* Word for a value that files spell as one; NULL if they do not. */
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
