/* Values: asking objects for their members. */

#include <string.h>

#include "value_tree.h"

/* Gives the member, or complains. */
static atm_status get(const atm_value *object, const char *key, atm_message *message,
                      const atm_value **value_p)
{
    atm_status status = atm_as_object(object, message);

    if (status)
        return status;
    *value_p = atm_value_find(object, key);
    return *value_p ? ATM_OK : atm_complain(object, key, message, "is missing");
}

/* Gives the member, or NULL. */
static atm_status opt(const atm_value *object, const char *key, atm_message *message,
                      const atm_value **value_p)
{
    *value_p = atm_value_find(object, key);
    return atm_as_object(object, message);
}

#define GET(...)                                                                                   \
    const atm_value *value;                                                                        \
    atm_status status = get(object, key, message, &value);                                         \
    return status ? status : __VA_ARGS__

#define OPT(...)                                                                                   \
    const atm_value *value;                                                                        \
    atm_status status = opt(object, key, message, &value);                                         \
    return status || !value ? status : __VA_ARGS__

atm_status atm_get_number(const atm_value *object, const char *key, double min, double max,
                          atm_message *message, double *number_p)
{
    GET(atm_as_number(value, min, max, message, number_p));
}

atm_status atm_get_integer(const atm_value *object, const char *key, int64_t min, int64_t max,
                           atm_message *message, int64_t *integer_p)
{
    GET(atm_as_integer(value, min, max, message, integer_p));
}

atm_status atm_get_truth(const atm_value *object, const char *key, atm_message *message,
                         bool *truth_p)
{
    GET(atm_as_truth(value, message, truth_p));
}

atm_status atm_get_string(const atm_value *object, const char *key, atm_message *message,
                          const char **string_p)
{
    GET(atm_as_string(value, message, string_p));
}

atm_status atm_get_choice(const atm_value *object, const char *key, const char *const *names,
                          size_t count, atm_message *message, size_t *index_p)
{
    GET(atm_as_choice(value, names, count, message, index_p));
}

atm_status atm_get_object(const atm_value *object, const char *key, atm_message *message,
                          const atm_value **object_p)
{
    const atm_value *value;
    atm_status status = get(object, key, message, &value);

    if (!status)
        status = atm_as_object(value, message);
    if (!status)
        *object_p = value;
    return status;
}

atm_status atm_get_array(const atm_value *object, const char *key, size_t min_length,
                         size_t max_length, atm_message *message, const atm_value **array_p)
{
    const atm_value *value;
    atm_status status = get(object, key, message, &value);

    if (!status)
        status = atm_as_array(value, min_length, max_length, message);
    if (!status)
        *array_p = value;
    return status;
}

atm_status atm_get_numbers(const atm_value *object, const char *key, size_t min_length,
                           size_t max_length, double min, double max, atm_message *message,
                           double **numbers_p, size_t *length_p)
{
    GET(atm_as_numbers(value, min_length, max_length, min, max, message, numbers_p, length_p));
}

atm_status atm_get_matrix(const atm_value *object, const char *key, size_t min_rows,
                          size_t max_rows, size_t min_columns, size_t max_columns, double min,
                          double max, atm_message *message, double **numbers_p, size_t *rows_p,
                          size_t *columns_p)
{
    GET(atm_as_matrix(value, min_rows, max_rows, min_columns, max_columns, min, max, message,
                      numbers_p, rows_p, columns_p));
}

atm_status atm_opt_number(const atm_value *object, const char *key, double min, double max,
                          atm_message *message, double *number_p)
{
    OPT(atm_as_number(value, min, max, message, number_p));
}

atm_status atm_opt_integer(const atm_value *object, const char *key, int64_t min, int64_t max,
                           atm_message *message, int64_t *integer_p)
{
    OPT(atm_as_integer(value, min, max, message, integer_p));
}

atm_status atm_opt_truth(const atm_value *object, const char *key, atm_message *message,
                         bool *truth_p)
{
    OPT(atm_as_truth(value, message, truth_p));
}

atm_status atm_opt_string(const atm_value *object, const char *key, atm_message *message,
                          const char **string_p)
{
    OPT(atm_as_string(value, message, string_p));
}

atm_status atm_opt_choice(const atm_value *object, const char *key, const char *const *names,
                          size_t count, atm_message *message, size_t *index_p)
{
    OPT(atm_as_choice(value, names, count, message, index_p));
}

static bool is_known(const char *key, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(key, *known) == 0)
            return true;
    return key[0] == '_';
}

atm_status atm_check_keys(const atm_value *object, const char *const *known, atm_message *message)
{
    atm_status status = atm_as_object(object, message);

    for (size_t i = 0; !status && i < object->length; i++)
        if (!is_known(object->items[i]->key, known))
            status = atm_complain(object->items[i], NULL, message, "is not known");
    return status;
}

atm_status atm_check_format(const atm_value *object, const char *format, int newest,
                            atm_message *message, int *version_p)
{
    int64_t version = 0;
    size_t index;
    atm_status status = atm_get_choice(object, "format", &format, 1, message, &index);

    if (status == ATM_OK)
        status = atm_get_integer(object, "version", 1, INT64_MAX, message, &version);
    if (status != ATM_OK)
        return status;
    if (version > newest)
        return atm_complain(object, "version", message,
                            "is %lld, made by a newer romio-autotune; this one reads up to %d",
                            (long long) version, newest);
    *version_p = (int) version;
    return ATM_OK;
}
