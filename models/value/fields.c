/* Structures as members of objects, by tables. */

#include "fields.h"

#include <limits.h>
#include <string.h>

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

/* A field that is one number, as a double. */
static double number_of(const atm_field *field, const void *value)
{
    unsigned word;

    switch (field->kind) {
        case ATM_FIELD_TRUTH:
            return *(const bool *) value;
        case ATM_FIELD_INT:
            return *(const int *) value;
        case ATM_FIELD_SIZE:
            return (double) *(const uint64_t *) value;
        case ATM_FIELD_WORD: /* enums without negative values are unsigned, or may be */
        case ATM_FIELD_WORDS:
            memcpy(&word, value, sizeof(word));
            return word;
        default:
            return *(const double *) value;
    }
}

static void put_words(atm_value *object, const atm_field *field, unsigned bits)
{
    atm_value *array = atm_put_array(object, field->key);

    for (int i = 0; i < field->words; i++)
        if (bits >> i & 1)
            atm_put_string(array, NULL, field->word(i));
}

static void put_field(atm_value *object, const atm_field *field, const void *value)
{
    switch (field->kind) {
        case ATM_FIELD_TRUTH:
            atm_put_truth(object, field->key, *(const bool *) value);
            break;
        case ATM_FIELD_INT:
            atm_put_integer(object, field->key, *(const int *) value);
            break;
        case ATM_FIELD_SIZE:
            atm_put_size(object, field->key, *(const uint64_t *) value);
            break;
        case ATM_FIELD_WORD:
            atm_put_string(object, field->key, field->word((int) number_of(field, value)));
            break;
        case ATM_FIELD_WORDS:
            put_words(object, field, (unsigned) number_of(field, value));
            break;
        case ATM_FIELD_GROUP:
            atm_put_fields(atm_put_object(object, field->key), field->group, value);
            break;
        default:
            atm_put_number(object, field->key, *(const double *) value);
    }
}

void atm_put_fields(atm_value *object, const atm_field *fields, const void *from)
{
    for (const atm_field *field = fields; field->key != NULL; field++) {
        const void *value = (const char *) from + field->offset;

        if (!field->if_known || number_of(field, value) != 0)
            put_field(object, field, value);
    }
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

/* value[key], or value itself if key is NULL */
static atm_status get_word(const atm_value *value, const char *key, const atm_field *field,
                           atm_message *message, unsigned *word_p)
{
    const char *word;
    atm_status status = atm_get_string(value, key, message, &word);

    for (int i = 0; status == ATM_OK && i < field->words; i++)
        if (strcmp(word, field->word(i)) == 0) {
            *word_p = (unsigned) i;
            return ATM_OK;
        }
    return status != ATM_OK ? status
                            : atm_complain(value, key, message, "must not be \"%s\"", word);
}

static atm_status get_words(const atm_value *object, const atm_field *field, atm_message *message,
                            unsigned *bits_p)
{
    const atm_value *array;
    atm_status status =
        atm_get_array(object, field->key, 0, (size_t) field->words, message, &array);
    size_t count = status == ATM_OK ? atm_value_length(array) : 0;
    unsigned bits = 0, word;

    for (size_t i = 0; status == ATM_OK && i < count; i++) {
        status = get_word(atm_value_item(array, i), NULL, field, message, &word);
        if (status == ATM_OK)
            bits |= 1u << word;
    }
    if (status == ATM_OK)
        *bits_p = bits;
    return status;
}

static atm_status get_field(const atm_value *object, const atm_field *field, atm_message *message,
                            void *value_p)
{
    const double least = field->kind == ATM_FIELD_SHARE ? 0 : -(double) ATM_MAX_INTEGER;
    const double most = field->kind == ATM_FIELD_SHARE ? 1 : (double) ATM_MAX_INTEGER;
    unsigned word;
    atm_status status;

    switch (field->kind) {
        case ATM_FIELD_TRUTH:
            return atm_get_truth(object, field->key, message, value_p);
        case ATM_FIELD_INT:
            return get_int(object, field->key, message, value_p);
        case ATM_FIELD_SIZE:
            return atm_get_size(object, field->key, message, value_p);
        case ATM_FIELD_WORD:
            status = get_word(object, field->key, field, message, &word);
            if (status == ATM_OK)
                memcpy(value_p, &word, sizeof(word));
            return status;
        case ATM_FIELD_WORDS:
            return get_words(object, field, message, value_p);
        case ATM_FIELD_GROUP:
            return atm_get_group(object, field->key, field->group, message, value_p);
        default:
            return atm_get_number(object, field->key, least, most, message, value_p);
    }
}

atm_status atm_get_fields(const atm_value *object, const atm_field *fields, atm_message *message,
                          void *to)
{
    atm_status status = ATM_OK;

    for (const atm_field *field = fields; status == ATM_OK && field->key != NULL; field++)
        if (!field->if_known || atm_value_find(object, field->key) != NULL)
            status = get_field(object, field, message, (char *) to + field->offset);
    return status;
}

atm_status atm_get_group(const atm_value *object, const char *key, const atm_field *fields,
                         atm_message *message, void *to)
{
    const atm_value *group;
    atm_status status = atm_get_object(object, key, message, &group);

    return status == ATM_OK ? atm_get_fields(group, fields, message, to) : status;
}

static bool is_same(const atm_field *field, const void *one, const void *other)
{
    switch (field->kind) {
        case ATM_FIELD_TRUTH:
            return *(const bool *) one == *(const bool *) other;
        case ATM_FIELD_INT:
        case ATM_FIELD_WORD:
        case ATM_FIELD_WORDS:
            return memcmp(one, other, sizeof(int)) == 0;
        case ATM_FIELD_ROW:
            return memcmp(one, other, ATM_APART * sizeof(double)) == 0;
        case ATM_FIELD_GROUP:
            return atm_same_fields(field->group, one, other);
        default:
            return memcmp(one, other, sizeof(double)) == 0;
    }
}

bool atm_same_fields(const atm_field *fields, const void *one, const void *other)
{
    for (const atm_field *field = fields; field->key != NULL; field++)
        if (!is_same(field, (const char *) one + field->offset,
                     (const char *) other + field->offset))
            return false;
    return true;
}

_Static_assert(sizeof(uint64_t) == sizeof(double), "sizes and numbers");
