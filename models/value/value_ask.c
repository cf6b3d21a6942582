/* Values: asking for what must be there. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value_tree.h"

static atm_status check_object(const atm_value *value, atm_message *message)
{
    if (!json_object_is_type(value, json_type_object))
        return atm_complain(value, NULL, message, "must be an object");
    return ATM_OK;
}

/* The member, or value itself if key is NULL; complains of what is missing. */
static atm_status find(const atm_value *value, const char *key, atm_message *message,
                       const atm_value **found_p)
{
    atm_status status = key ? check_object(value, message) : ATM_OK;

    if (status)
        return status;
    *found_p = key ? atm_value_find(value, key) : value;
    return *found_p ? ATM_OK : atm_complain(value, key, message, "is missing");
}

/* --- numbers */

/* "number from 1 to 8", "integer of at least 1", ... */
static atm_status complain_range(const atm_value *value, const char *kind, double min, double max,
                                 atm_message *message)
{
    if (min == -DBL_MAX && max == DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s", kind);
    if (min == ATM_ABOVE_ZERO && max == DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s greater than 0", kind);
    if (min == ATM_ABOVE_ZERO)
        return atm_complain(value, NULL, message, "must be %s greater than 0 and at most %.16g",
                            kind, max);
    if (max == DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s of at least %.16g", kind, min);
    if (min == -DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s of at most %.16g", kind, max);
    return atm_complain(value, NULL, message, "must be %s from %.16g to %.16g", kind, min, max);
}

/* NaN for what is no number */
static double number_of(const atm_value *value)
{
    enum json_type type = json_object_get_type(value);

    return type == json_type_double || type == json_type_int ? json_object_get_double(value) : NAN;
}

atm_status atm_get_number(const atm_value *value, const char *key, double min, double max,
                          atm_message *message, double *number_p)
{
    atm_status status = find(value, key, message, &value);
    double number;

    if (status)
        return status;
    number = number_of(value);
    if (!(number >= min && number <= max))
        return complain_range(value, "a number", min, max, message);
    *number_p = number;
    return ATM_OK;
}

atm_status atm_get_integer(const atm_value *value, const char *key, int64_t min, int64_t max,
                           atm_message *message, int64_t *integer_p)
{
    double low = (double) (min < -ATM_MAX_INTEGER ? -ATM_MAX_INTEGER : min);
    double high = (double) (max > ATM_MAX_INTEGER ? ATM_MAX_INTEGER : max);
    atm_status status = find(value, key, message, &value);
    double number;

    if (status)
        return status;
    number = number_of(value);
    if (number >= low && number <= high && number == (double) (int64_t) number) {
        *integer_p = (int64_t) number;
        return ATM_OK;
    }
    /* Bounds that no caller gave are named only to those who pass them. */
    if (low == -(double) ATM_MAX_INTEGER && !(number < low))
        low = -DBL_MAX;
    if (high == (double) ATM_MAX_INTEGER && !(number > high))
        high = DBL_MAX;
    return complain_range(value, "an integer", low, high, message);
}

/* --- words */

atm_status atm_get_truth(const atm_value *value, const char *key, atm_message *message,
                         bool *truth_p)
{
    atm_status status = find(value, key, message, &value);

    if (status)
        return status;
    if (!json_object_is_type(value, json_type_boolean))
        return atm_complain(value, NULL, message, "must be true or false");
    *truth_p = json_object_get_boolean(value);
    return ATM_OK;
}

atm_status atm_get_string(const atm_value *value, const char *key, atm_message *message,
                          const char **string_p)
{
    atm_status status = find(value, key, message, &value);

    if (status)
        return status;
    if (!json_object_is_type(value, json_type_string))
        return atm_complain(value, NULL, message, "must be a string");
    *string_p = json_object_get_string((json_object *) value);
    return ATM_OK;
}

/* "a", "b", ... as far as there is room */
static void list_names(const char *const *names, size_t count, size_t size, char *list_p)
{
    size_t length = 0;

    list_p[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const char *separator = i == 0 ? "" : ", ";
        bool fits = length + strlen(names[i]) + sizeof(", \"\", ...") < size;

        length += (size_t) snprintf(list_p + length, size - length, fits ? "%s\"%s\"" : "%s...",
                                    separator, names[i]);
        if (!fits)
            return;
    }
}

atm_status atm_get_choice(const atm_value *value, const char *key, const char *const *names,
                          size_t count, atm_message *message, size_t *index_p)
{
    atm_status status = find(value, key, message, &value);
    const char *string;
    char list[128];

    if (status)
        return status;
    for (size_t i = 0; !atm_get_string(value, NULL, NULL, &string) && i < count; i++) {
        if (strcmp(string, names[i]) == 0) {
            *index_p = i;
            return ATM_OK;
        }
    }
    list_names(names, count, sizeof(list), list);
    return atm_complain(value, NULL, message, count == 1 ? "must be %s" : "must be one of %s",
                        list);
}

/* --- objects and arrays */

atm_status atm_get_object(const atm_value *object, const char *key, atm_message *message,
                          const atm_value **object_p)
{
    const atm_value *value;
    atm_status status = find(object, key, message, &value);

    if (!status)
        status = check_object(value, message);
    if (!status)
        *object_p = value;
    return status;
}

/* what: "array", or "array of numbers" */
static atm_status check_array(const atm_value *value, size_t min_length, size_t max_length,
                              const char *what, atm_message *message)
{
    size_t length = atm_value_length(value);
    const char *more = length < min_length ? " or more" : " or less";

    if (!json_object_is_type(value, json_type_array))
        return atm_complain(value, NULL, message, "must be an %s", what);
    if (length >= min_length && length <= max_length)
        return ATM_OK;
    return atm_complain(value, NULL, message, "must be an %s of length %zu%s, not %zu", what,
                        length < min_length ? min_length : max_length,
                        min_length == max_length ? "" : more, length);
}

atm_status atm_get_array(const atm_value *object, const char *key, size_t min_length,
                         size_t max_length, atm_message *message, const atm_value **array_p)
{
    const atm_value *value;
    atm_status status = find(object, key, message, &value);

    if (!status)
        status = check_array(value, min_length, max_length, "array", message);
    if (!status)
        *array_p = value;
    return status;
}

/* Rows of an array, all as long as the first one */
static atm_status check_rows(const atm_value *value, size_t min_columns, size_t max_columns,
                             atm_message *message)
{
    atm_status status = ATM_OK;

    for (size_t i = 0; !status && i < atm_value_length(value); i++) {
        const atm_value *row = atm_value_item(value, i);

        status = check_array(row, min_columns, max_columns, "array of numbers", message);
        min_columns = max_columns = atm_value_length(row);
    }
    return status;
}

/* value is an array */
static atm_status copy_row(const atm_value *value, double min, double max, atm_message *message,
                           double *numbers_p)
{
    struct array_list *items = json_object_get_array(value);
    size_t length = atm_value_length(value);

    for (size_t i = 0; i < length; i++) {
        numbers_p[i] = number_of(items->array[i]);
        if (!(numbers_p[i] >= min && numbers_p[i] <= max))
            return complain_range(atm_value_item(value, i), "a number", min, max, message);
    }
    return ATM_OK;
}

/* rows of count numbers each: those of value, or value itself if it is the only one */
static atm_status copy_rows(const atm_value *value, size_t rows, size_t columns, bool matrix,
                            double min, double max, atm_message *message, double **numbers_p)
{
    double *numbers = malloc((rows * columns + 1) * sizeof(*numbers));
    atm_status status = ATM_OK;

    if (!numbers)
        return ATM_NO_MEMORY;
    for (size_t i = 0; !status && i < rows; i++)
        status = copy_row(matrix ? atm_value_item(value, i) : value, min, max, message,
                          numbers + i * columns);
    if (status)
        free(numbers);
    else
        *numbers_p = numbers;
    return status;
}

atm_status atm_get_numbers(const atm_value *value, const char *key, size_t min_length,
                           size_t max_length, double min, double max, atm_message *message,
                           double **numbers_p, size_t *length_p)
{
    atm_status status = find(value, key, message, &value);

    if (!status)
        status = check_array(value, min_length, max_length, "array of numbers", message);
    if (!status)
        status = copy_rows(value, 1, atm_value_length(value), false, min, max, message, numbers_p);
    if (!status)
        *length_p = atm_value_length(value);
    return status;
}

atm_status atm_get_row(const atm_value *value, const char *key, size_t length, double min,
                       double max, atm_message *message, double *row_p)
{
    double *numbers;
    atm_status status =
        atm_get_numbers(value, key, length, length, min, max, message, &numbers, &length);

    if (!status) {
        memcpy(row_p, numbers, length * sizeof(*row_p));
        free(numbers);
    }
    return status;
}

atm_status atm_get_matrix(const atm_value *value, const char *key, size_t min_rows, size_t max_rows,
                          size_t min_columns, size_t max_columns, double min, double max,
                          atm_message *message, double **numbers_p, size_t *rows_p,
                          size_t *columns_p)
{
    atm_status status = find(value, key, message, &value);
    size_t rows, columns;

    if (!status)
        status = check_array(value, min_rows, max_rows, "array of rows", message);
    if (!status)
        status = check_rows(value, min_columns, max_columns, message);
    if (status)
        return status;
    rows = atm_value_length(value);
    columns = rows > 0 ? atm_value_length(atm_value_item(value, 0)) : 0;
    status = copy_rows(value, rows, columns, true, min, max, message, numbers_p);
    if (!status) {
        *rows_p = rows;
        *columns_p = columns;
    }
    return status;
}

/* --- the same where it may be missing */

static bool lacks(const atm_value *object, const char *key)
{
    return json_object_is_type(object, json_type_object) && !atm_value_find(object, key);
}

atm_status atm_opt_number(const atm_value *object, const char *key, double min, double max,
                          atm_message *message, double *number_p)
{
    return lacks(object, key) ? ATM_OK : atm_get_number(object, key, min, max, message, number_p);
}

atm_status atm_opt_integer(const atm_value *object, const char *key, int64_t min, int64_t max,
                           atm_message *message, int64_t *integer_p)
{
    return lacks(object, key) ? ATM_OK : atm_get_integer(object, key, min, max, message, integer_p);
}

atm_status atm_opt_truth(const atm_value *object, const char *key, atm_message *message,
                         bool *truth_p)
{
    return lacks(object, key) ? ATM_OK : atm_get_truth(object, key, message, truth_p);
}

atm_status atm_opt_string(const atm_value *object, const char *key, atm_message *message,
                          const char **string_p)
{
    return lacks(object, key) ? ATM_OK : atm_get_string(object, key, message, string_p);
}

atm_status atm_opt_choice(const atm_value *object, const char *key, const char *const *names,
                          size_t count, atm_message *message, size_t *index_p)
{
    return lacks(object, key) ? ATM_OK
                              : atm_get_choice(object, key, names, count, message, index_p);
}

/* --- all of its keys */

static bool is_known(const char *key, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(key, *known) == 0)
            return true;
    return key[0] == '_';
}

atm_status atm_check_keys(const atm_value *object, const char *const *known, atm_message *message)
{
    atm_status status = check_object(object, message);

    if (status)
        return status;
    json_object_object_foreach(object, key, member)
    {
        (void) member;
        if (!is_known(key, known))
            return atm_complain(object, key, message, "is not known");
    }
    return ATM_OK;
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
