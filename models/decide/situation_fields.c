/* The members of a situation. */

#include "situation_fields.h"

#include "files/asked.h"

static const char *driver_name(int driver)
{
    return atm_driver_name((atm_driver) driver);
}

static const char *mode_name(int mode)
{
    return atm_mode_name((atm_mode) mode);
}

static const char *fix_name(int fix)
{
    return atm_fix_name((atm_fix) fix);
}

#define SOURCE atm_life
static const atm_field life_fields[] = {
    ATM_FIELD(NUMBER, calls),
    ATM_FIELD(NUMBER, idle),
    ATM_FIELD(TRUTH, begun),
    ATM_FIELD(NUMBER, change),
    ATM_FIELD_AS("current", GROUP, current, .group = atm_whole_config_fields),
    ATM_FIELDS_END};
#undef SOURCE

#define SOURCE atm_request
const atm_field atm_request_fields[] = {
    ATM_FIELD_AS("driver", WORD, driver, .word = driver_name, .words = ATM_DRIVER_COUNT),
    ATM_FIELD_AS("mode", WORD, mode, .word = mode_name, .words = ATM_MODE_COUNT),
    ATM_FIELD_AS("mpich", INT, job.mpich, .if_known = false),
    ATM_FIELD_AS("access", GROUP, access, .group = atm_access_fields),
    ATM_FIELD_AS("life", GROUP, life, .group = life_fields),
    ATM_FIELD_AS("written", GROUP, written, .group = atm_whole_config_fields),
    ATM_FIELD_AS("defaults", GROUP, defaults, .group = atm_whole_config_fields),
    ATM_FIELD_AS("fixed", WORDS, fixed, .word = fix_name, .words = ATM_FIX_COUNT),
    ATM_FIELD(TRUTH, fixed_order),
    ATM_FIELD(TRUTH, new_layout),
    ATM_FIELD(TRUTH, new_targets),
    ATM_FIELD(TRUTH, repeats),
    ATM_FIELD(SIZE, memory),
    ATM_FIELD(INT, servers),
    ATM_FIELD(NUMBER, risk),
    ATM_FIELDS_END};

const atm_field atm_topology_fields[] = {
    ATM_FIELD_AS("ranks", INT, job.ranks, .if_known = false),
    ATM_FIELD_AS("nodes", INT, job.nodes, .if_known = false),
    ATM_FIELD_AS("groups", INT, job.groups, .if_known = false),
    ATM_FIELD_AS("apart", ROW, job.apart, .if_known = false),
    ATM_FIELD_AS("astray_node", ROW, job.astray.node, .if_known = false),
    ATM_FIELD_AS("astray_group", ROW, job.astray.group, .if_known = false),
    ATM_FIELD(INT, psets),
    ATM_FIELD(INT, bridges),
    ATM_FIELD(INT, nics),
    ATM_FIELDS_END};
#undef SOURCE

#define SOURCE atm_scale
const atm_field atm_scale_fields[] = {
    ATM_FIELD_AS("communication", NUMBER, factor[ATM_COMMUNICATION_KIND], .if_known = false),
    ATM_FIELD_AS("storage", NUMBER, factor[ATM_STORAGE_KIND], .if_known = false),
    ATM_FIELD_AS("communication_doubt", NUMBER, doubt[ATM_COMMUNICATION_KIND], .if_known = false),
    ATM_FIELD_AS("storage_doubt", NUMBER, doubt[ATM_STORAGE_KIND], .if_known = false),
    ATM_FIELDS_END};
#undef SOURCE

#define SOURCE atm_past
const atm_field atm_past_fields[] = {
    ATM_FIELD_AS("access", GROUP, access, .group = atm_access_fields),
    ATM_FIELD_AS("config", GROUP, config, .group = atm_whole_config_fields),
    ATM_FIELD(NUMBER, calls),
    ATM_FIELD_AS("partitioning", NUMBER, parts[ATM_PARTITIONING], .if_known = false),
    ATM_FIELD_AS("shuffle", NUMBER, parts[ATM_SHUFFLE], .if_known = false),
    ATM_FIELD_AS("storage", NUMBER, parts[ATM_STORAGE], .if_known = false),
    ATM_FIELD(NUMBER, uncertainty),
    ATM_FIELD(NUMBER, drain),
    ATM_FIELD(INT, rule),
    ATM_FIELD(TRUTH, expects),
    ATM_FIELD(TRUTH, called),
    ATM_FIELD(INT, small),
    ATM_FIELD_AS("measured_calls", NUMBER, measured.calls, .if_known = false),
    ATM_FIELD_AS("measured", NUMBER, measured.seconds, .if_known = false),
    ATM_FIELD_AS("measured_storage", NUMBER, measured.storage_seconds, .if_known = false),
    ATM_FIELD_AS("scale", GROUP, scale, .group = atm_scale_fields),
    ATM_FIELDS_END};
#undef SOURCE
