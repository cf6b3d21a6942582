/* Requests as members of documents. */

#include "asked.h"

#include <limits.h>

void atm_put_size(atm_value *object, const char *key, uint64_t size)
{
    if (size <= (uint64_t) ATM_MAX_INTEGER)
        atm_put_integer(object, key, (int64_t) size);
    else
        atm_put_number(object, key, (double) size);
}

atm_status atm_get_size(const atm_value *object, const char *key, atm_message *message,
                        uint64_t *size_p)
{
    double number;
    int64_t integer;
    atm_status status = atm_get_number(object, key, 0, 0x1p64, message, &number);

    if (status == ATM_OK && number >= (double) ATM_MAX_INTEGER) {
        *size_p = number < 0x1p64 ? (uint64_t) number : UINT64_MAX;
    } else if (status == ATM_OK) {
        status = atm_get_integer(object, key, 0, ATM_MAX_INTEGER, message, &integer);
        if (status == ATM_OK)
            *size_p = (uint64_t) integer;
    }
    return status;
}

static atm_status get_int(const atm_value *object, const char *key, atm_message *message,
                          int *int_p)
{
    int64_t integer;
    atm_status status = atm_get_integer(object, key, INT_MIN, INT_MAX, message, &integer);

    if (status == ATM_OK)
        *int_p = (int) integer;
    return status;
}

/* Members in the order of documents: kind, field and key. */
#define ACCESS_MEMBERS(X)                                                                          \
    X(truth, write)                                                                                \
    X(truth, strided)                                                                              \
    X(truth, interleaved)                                                                          \
    X(truth, holes)                                                                                \
    X(truth, new_file)                                                                             \
    X(int, active_ranks)                                                                           \
    X(size, bytes_min)                                                                             \
    X(size, bytes_max)                                                                             \
    X(size, bytes)                                                                                 \
    X(size, start)                                                                                 \
    X(size, end)                                                                                   \
    X(size, block)                                                                                 \
    X(size, stride)

#define CONFIG_MEMBERS(X)                                                                          \
    X(truth, collective)                                                                           \
    X(truth, automatic)                                                                            \
    X(int, aggregators)                                                                            \
    X(size, buffer)                                                                                \
    X(size, stripe_size)                                                                           \
    X(int, stripe_count)                                                                           \
    X(int, co_ratio)                                                                               \
    X(size, block)

#define PUT_truth atm_put_truth
#define PUT_int atm_put_integer
#define PUT_size atm_put_size
#define GET_truth atm_get_truth
#define GET_int get_int
#define GET_size atm_get_size

void atm_put_access(atm_value *object, const char *key, const atm_access *access)
{
    atm_value *member = atm_put_object(object, key);

#define X(kind, field) PUT_##kind(member, #field, access->field);
    ACCESS_MEMBERS(X)
#undef X
}

atm_status atm_get_access(const atm_value *object, const char *key, atm_message *message,
                          atm_access *access_p)
{
    atm_access access = {.pieces = NULL};
    const atm_value *member;
    atm_status status = atm_get_object(object, key, message, &member);

#define X(kind, field)                                                                             \
    if (status == ATM_OK)                                                                          \
        status = GET_##kind(member, #field, message, &access.field);
    ACCESS_MEMBERS(X)
#undef X
    if (status == ATM_OK)
        *access_p = access;
    return status;
}

void atm_put_config(atm_value *object, const char *key, const atm_config *config)
{
    atm_value *member = atm_put_object(object, key);

#define X(kind, field) PUT_##kind(member, #field, config->field);
    CONFIG_MEMBERS(X)
#undef X
}

atm_status atm_get_config(const atm_value *object, const char *key, atm_message *message,
                          atm_config *config_p)
{
    atm_config config = {.collective = false};
    const atm_value *member;
    atm_status status = atm_get_object(object, key, message, &member);

#define X(kind, field)                                                                             \
    if (status == ATM_OK)                                                                          \
        status = GET_##kind(member, #field, message, &config.field);
    CONFIG_MEMBERS(X)
#undef X
    if (status == ATM_OK)
        *config_p = config;
    return status;
}
