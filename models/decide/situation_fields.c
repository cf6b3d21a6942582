/* The members of a situation. */

#include "situation_fields.h"

#include "files/asked.h"

#define FIELD(kind, member)                                                                        \
    {                                                                                              \
#member, ATM_FIELD_##kind, offsetof(SOURCE, member), false, NULL, 0, NULL                  \
    }
#define KNOWN(kind, member)                                                                        \
    {                                                                                              \
#member, ATM_FIELD_##kind, offsetof(SOURCE, member), true, NULL, 0, NULL                   \
    }
#define NAMED(key, kind, member)                                                                   \
    {                                                                                              \
        key, ATM_FIELD_##kind, offsetof(SOURCE, member), false, NULL, 0, NULL                      \
    }
#define GROUP(member, fields)                                                                      \
    {                                                                                              \
#member, ATM_FIELD_GROUP, offsetof(SOURCE, member), false, NULL, 0, fields                 \
    }
#define WORD(kind, member, name, count)                                                            \
    {                                                                                              \
#member, ATM_FIELD_##kind, offsetof(SOURCE, member), false, name, count, NULL              \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, ATM_FIELD_TRUTH, 0, false, NULL, 0, NULL                                             \
    }

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
static const atm_field life_fields[] = {FIELD(NUMBER, calls),
                                        FIELD(NUMBER, idle),
                                        FIELD(TRUTH, begun),
                                        FIELD(NUMBER, change),
                                        GROUP(current, atm_whole_config_fields),
                                        END};
#undef SOURCE

#define SOURCE atm_request
const atm_field atm_request_fields[] = {WORD(WORD, driver, driver_name, ATM_DRIVER_COUNT),
                                        WORD(WORD, mode, mode_name, ATM_MODE_COUNT),
                                        NAMED("mpich", INT, job.mpich),
                                        GROUP(access, atm_access_fields),
                                        GROUP(life, life_fields),
                                        GROUP(written, atm_whole_config_fields),
                                        GROUP(defaults, atm_whole_config_fields),
                                        WORD(WORDS, fixed, fix_name, ATM_FIX_COUNT),
                                        FIELD(TRUTH, fixed_order),
                                        FIELD(TRUTH, new_layout),
                                        FIELD(TRUTH, new_targets),
                                        FIELD(TRUTH, repeats),
                                        FIELD(SIZE, memory),
                                        FIELD(INT, servers),
                                        FIELD(NUMBER, risk),
                                        END};

const atm_field atm_topology_fields[] = {NAMED("ranks", INT, job.ranks),
                                         NAMED("nodes", INT, job.nodes),
                                         NAMED("groups", INT, job.groups),
                                         NAMED("apart", ROW, job.apart),
                                         NAMED("astray_node", ROW, job.astray.node),
                                         NAMED("astray_group", ROW, job.astray.group),
                                         FIELD(INT, psets),
                                         FIELD(INT, bridges),
                                         FIELD(INT, nics),
                                         END};
#undef SOURCE

#define SOURCE atm_scale
const atm_field atm_scale_fields[] = {
    NAMED("communication", NUMBER, factor[ATM_COMMUNICATION_KIND]),
    NAMED("storage", NUMBER, factor[ATM_STORAGE_KIND]),
    NAMED("communication_doubt", NUMBER, doubt[ATM_COMMUNICATION_KIND]),
    NAMED("storage_doubt", NUMBER, doubt[ATM_STORAGE_KIND]), END};
#undef SOURCE
