/* Access and configuration as members of documents. */

#include "asked.h"

static const char *order_name(int order)
{
    return atm_order_name((atm_order) order);
}

#define SOURCE atm_access
const atm_field atm_access_fields[] = {ATM_FIELD(TRUTH, write),
                                       ATM_FIELD(TRUTH, strided),
                                       ATM_FIELD(TRUTH, interleaved),
                                       ATM_FIELD(TRUTH, holes),
                                       ATM_FIELD(TRUTH, new_file),
                                       ATM_FIELD(INT, active_ranks),
                                       ATM_FIELD(SIZE, bytes_min),
                                       ATM_FIELD(SIZE, bytes_max),
                                       ATM_FIELD(SIZE, bytes),
                                       ATM_FIELD(SIZE, start),
                                       ATM_FIELD(SIZE, end),
                                       ATM_FIELD(SIZE, block),
                                       ATM_FIELD(SIZE, stride),
                                       ATM_FIELD_IF_KNOWN(SIZE, dirty),
                                       ATM_FIELD_IF_KNOWN(SIZE, cached),
                                       ATM_FIELD_IF_KNOWN(SIZE, warm),
                                       ATM_FIELD_IF_KNOWN(SHARE, affinity),
                                       ATM_FIELDS_END};
#undef SOURCE

#define SOURCE atm_config
#define IN_RECORDS                                                                                 \
    ATM_FIELD(TRUTH, collective), ATM_FIELD(TRUTH, automatic), ATM_FIELD(INT, aggregators),        \
        ATM_FIELD(SIZE, buffer), ATM_FIELD(SIZE, stripe_size), ATM_FIELD(INT, stripe_count),       \
        ATM_FIELD(INT, co_ratio), ATM_FIELD(SIZE, block), ATM_FIELD_IF_KNOWN(INT, servers)
const atm_field atm_config_fields[] = {IN_RECORDS, ATM_FIELDS_END};
const atm_field atm_whole_config_fields[] = {
    IN_RECORDS, ATM_FIELD_AS("order", WORD, order, .word = order_name, .words = ATM_ORDER_COUNT),
    ATM_FIELD_IF_KNOWN(TRUTH, steered), ATM_FIELD_IF_KNOWN(TRUTH, by_size), ATM_FIELDS_END};
#undef SOURCE

void atm_put_access(atm_value *object, const char *key, const atm_access *access)
{
    atm_put_fields(atm_put_object(object, key), atm_access_fields, access);
}

atm_status atm_get_access(const atm_value *object, const char *key, atm_message *message,
                          atm_access *access_p)
{
    atm_access access = {.pieces = NULL};
    atm_status status = atm_get_group(object, key, atm_access_fields, message, &access);

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
    atm_status status = atm_get_group(object, key, atm_config_fields, message, &config);

    if (status == ATM_OK)
        *config_p = config;
    return status;
}
