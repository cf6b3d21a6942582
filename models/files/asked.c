/* Access and configuration as members of documents. */

#include "asked.h"

/* Members in the order of documents. */
#define FIELD(kind, member)                                                                        \
    {                                                                                              \
#member, ATM_FIELD_##kind, offsetof(SOURCE, member), false, NULL, 0, NULL                  \
    }
#define KNOWN(kind, member)                                                                        \
    {                                                                                              \
#member, ATM_FIELD_##kind, offsetof(SOURCE, member), true, NULL, 0, NULL                   \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, ATM_FIELD_TRUTH, 0, false, NULL, 0, NULL                                             \
    }

static const char *order_name(int order)
{
    return atm_order_name((atm_order) order);
}

#define SOURCE atm_access
const atm_field atm_access_fields[] = {
    FIELD(TRUTH, write),    FIELD(TRUTH, strided),  FIELD(TRUTH, interleaved),
    FIELD(TRUTH, holes),    FIELD(TRUTH, new_file), FIELD(INT, active_ranks),
    FIELD(SIZE, bytes_min), FIELD(SIZE, bytes_max), FIELD(SIZE, bytes),
    FIELD(SIZE, start),     FIELD(SIZE, end),       FIELD(SIZE, block),
    FIELD(SIZE, stride),    KNOWN(SIZE, dirty),     KNOWN(SIZE, cached),
    KNOWN(SIZE, warm),      KNOWN(SHARE, affinity), END};
#undef SOURCE

#define SOURCE atm_config
#define IN_RECORDS                                                                                 \
    FIELD(TRUTH, collective), FIELD(TRUTH, automatic), FIELD(INT, aggregators),                    \
        FIELD(SIZE, buffer), FIELD(SIZE, stripe_size), FIELD(INT, stripe_count),                   \
        FIELD(INT, co_ratio), FIELD(SIZE, block), KNOWN(INT, servers)
const atm_field atm_config_fields[] = {IN_RECORDS, END};
const atm_field atm_whole_config_fields[] = {
    IN_RECORDS,
    {"order", ATM_FIELD_WORD, offsetof(SOURCE, order), false, order_name, ATM_ORDER_COUNT, NULL},
    KNOWN(TRUTH, steered),
    KNOWN(TRUTH, by_size),
    END};
#undef SOURCE

void atm_put_access(atm_value *object, const char *key, const atm_access *access)
{
    atm_put_fields(atm_put_object(object, key), atm_access_fields, access);
}

atm_status atm_get_access(const atm_value *object, const char *key, atm_message *message,
                          atm_access *access_p)
{
    atm_access access = {.pieces = NULL};
    const atm_value *member;
    atm_status status = atm_get_object(object, key, message, &member);

    if (status == ATM_OK)
        status = atm_get_fields(member, atm_access_fields, message, &access);
    if (status == ATM_OK)
        *access_p = access;
    return status;
}

void atm_put_config(atm_value *object, const char *key, const atm_config *config)
{
    atm_put_fields(atm_put_object(object, key), atm_config_fields, config);
}

atm_status atm_get_config(const atm_value *object, const char *key, atm_message *message,
                          atm_config *config_p)
{
    atm_config config = {.collective = false};
    const atm_value *member;
    atm_status status = atm_get_object(object, key, message, &member);

    if (status == ATM_OK)
        status = atm_get_fields(member, atm_config_fields, message, &config);
    if (status == ATM_OK)
        *config_p = config;
    return status;
}
