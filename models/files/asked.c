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

/* SIZE_KNOWN, INT_KNOWN, SHARE_KNOWN: only there if not 0. */
typedef enum kind { NO_MORE, TRUTH, INT, INT_KNOWN, SIZE, SIZE_KNOWN, SHARE_KNOWN } kind;

typedef struct field {
    const char *key;
    kind kind;
    size_t offset;
} field;

/* Members in the order of documents. */
static const field access_fields[] = {{"write", TRUTH, offsetof(atm_access, write)},
                                      {"strided", TRUTH, offsetof(atm_access, strided)},
                                      {"interleaved", TRUTH, offsetof(atm_access, interleaved)},
                                      {"holes", TRUTH, offsetof(atm_access, holes)},
                                      {"new_file", TRUTH, offsetof(atm_access, new_file)},
                                      {"active_ranks", INT, offsetof(atm_access, active_ranks)},
                                      {"bytes_min", SIZE, offsetof(atm_access, bytes_min)},
                                      {"bytes_max", SIZE, offsetof(atm_access, bytes_max)},
                                      {"bytes", SIZE, offsetof(atm_access, bytes)},
                                      {"start", SIZE, offsetof(atm_access, start)},
                                      {"end", SIZE, offsetof(atm_access, end)},
                                      {"block", SIZE, offsetof(atm_access, block)},
                                      {"stride", SIZE, offsetof(atm_access, stride)},
                                      {"dirty", SIZE_KNOWN, offsetof(atm_access, dirty)},
                                      {"cached", SIZE_KNOWN, offsetof(atm_access, cached)},
                                      {"warm", SIZE_KNOWN, offsetof(atm_access, warm)},
                                      {"affinity", SHARE_KNOWN, offsetof(atm_access, affinity)},
                                      {NULL, NO_MORE, 0}};

static const field config_fields[] = {{"collective", TRUTH, offsetof(atm_config, collective)},
                                      {"automatic", TRUTH, offsetof(atm_config, automatic)},
                                      {"aggregators", INT, offsetof(atm_config, aggregators)},
                                      {"buffer", SIZE, offsetof(atm_config, buffer)},
                                      {"stripe_size", SIZE, offsetof(atm_config, stripe_size)},
                                      {"stripe_count", INT, offsetof(atm_config, stripe_count)},
                                      {"co_ratio", INT, offsetof(atm_config, co_ratio)},
                                      {"block", SIZE, offsetof(atm_config, block)},
                                      {"servers", INT_KNOWN, offsetof(atm_config, servers)},
                                      {NULL, NO_MORE, 0}};

static void put_fields(atm_value *object, const field *fields, const void *from)
{
    for (const field *f = fields; f->key != NULL; f++) {
        const void *value = (const char *) from + f->offset;

        if (f->kind == TRUTH)
            atm_put_truth(object, f->key, *(const bool *) value);
        else if (f->kind == INT || (f->kind == INT_KNOWN && *(const int *) value != 0))
            atm_put_integer(object, f->key, *(const int *) value);
        else if (f->kind == SIZE || (f->kind == SIZE_KNOWN && *(const uint64_t *) value != 0))
            atm_put_size(object, f->key, *(const uint64_t *) value);
        else if (f->kind == SHARE_KNOWN && *(const double *) value != 0)
            atm_put_number(object, f->key, *(const double *) value);
    }
}

static atm_status get_fields(const atm_value *object, const char *key, const field *fields,
                             atm_message *message, void *to)
{
    const atm_value *member;
    atm_status status = atm_get_object(object, key, message, &member);

    for (const field *f = fields; status == ATM_OK && f->key != NULL; f++) {
        void *value = (char *) to + f->offset;

        if ((f->kind == INT_KNOWN || f->kind == SIZE_KNOWN || f->kind == SHARE_KNOWN) &&
            atm_value_find(member, f->key) == NULL)
            continue;
        if (f->kind == TRUTH)
            status = atm_get_truth(member, f->key, message, value);
        else if (f->kind == INT || f->kind == INT_KNOWN)
            status = get_int(member, f->key, message, value);
        else if (f->kind == SHARE_KNOWN)
            status = atm_get_number(member, f->key, 0, 1, message, value);
        else
            status = atm_get_size(member, f->key, message, value);
    }
    return status;
}

void atm_put_access(atm_value *object, const char *key, const atm_access *access)
{
    put_fields(atm_put_object(object, key), access_fields, access);
}

atm_status atm_get_access(const atm_value *object, const char *key, atm_message *message,
                          atm_access *access_p)
{
    atm_access access = {.pieces = NULL};
    atm_status status = get_fields(object, key, access_fields, message, &access);

    if (status == ATM_OK)
        *access_p = access;
    return status;
}

void atm_put_config(atm_value *object, const char *key, const atm_config *config)
{
    put_fields(atm_put_object(object, key), config_fields, config);
}

atm_status atm_get_config(const atm_value *object, const char *key, atm_message *message,
                          atm_config *config_p)
{
    atm_config config = {.collective = false};
    atm_status status = get_fields(object, key, config_fields, message, &config);

    if (status == ATM_OK)
        *config_p = config;
    return status;
}
