/* Values: asking for what must be there. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locale.h"
#include "value_tree.h"

/* --- this value must be a ... */

/* "number from 1 to 8", "integer of at least 1", ... */
static atm_status complain_range(const atm_value *value, const char *kind, double min, double max,
                                 atm_message *message)
{
    char low[ATM_NUMBER_TEXT], high[ATM_NUMBER_TEXT];
    atm_locale locale = atm_locale_enter();

    atm_number_text(min, low);
    atm_number_text(max, high);
    atm_locale_leave(locale);
    if (min == ATM_ABOVE_ZERO && max == DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s greater than 0", kind);
    if (min == ATM_ABOVE_ZERO)
        return atm_complain(value, NULL, message, "must be %s greater than 0 and at most %s", kind,
                            high);
    if (min == -DBL_MAX && max == DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s", kind);
    if (max == DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s of at least %s", kind, low);
    if (min == -DBL_MAX)
        return atm_complain(value, NULL, message, "must be %s of at most %s", kind, high);
    return atm_complain(value, NULL, message, "must be %s from %s to %s", kind, low, high);
}

atm_status atm_as_number(const atm_value *value, double min, double max, atm_message *message,
                         double *number_p)
{
    if (value->type != ATM_TYPE_NUMBER || !(value->number >= min && value->number <= max))
        return complain_range(value, "a number", min, max, message);
    *number_p = value->number;
    return ATM_OK;
}

/* Bounds that no caller gave are named only to those who pass them. */
static atm_status complain_integer(const atm_value *value, double low, double high,
                                   atm_message *message)
{
    bool number = value->type == ATM_TYPE_NUMBER;

    if (low == -(double) ATM_MAX_INTEGER && !(number && value->number < low))
        low = -DBL_MAX;
    if (high == (double) ATM_MAX_INTEGER && !(number && value->number > high))
        high = DBL_MAX;
    return complain_range(value, "an integer", low, high, message);
}

atm_status atm_as_integer(const atm_value *value, int64_t min, int64_t max, atm_message *message,
                          int64_t *integer_p)
{
    double low = (double) (min < -ATM_MAX_INTEGER ? -ATM_MAX_INTEGER : min);
    double high = (double) (max > ATM_MAX_INTEGER ? ATM_MAX_INTEGER : max);

    if (value->type != ATM_TYPE_NUMBER || value->number != floor(value->number) ||
        !(value->number >= low && value->number <= high))
        return complain_integer(value, low, high, message);
    *integer_p = (int64_t) value->number;
    return ATM_OK;
}

atm_status atm_as_truth(const atm_value *value, atm_message *message, bool *truth_p)
{
    if (value->type != ATM_TYPE_TRUTH)
        return atm_complain(value, NULL, message, "must be true or false");
    *truth_p = value->truth;
    return ATM_OK;
}

atm_status atm_as_string(const atm_value *value, atm_message *message, const char **string_p)
{
    if (value->type != ATM_TYPE_STRING)
        return atm_complain(value, NULL, message, "must be a string");
    *string_p = value->string;
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

atm_status atm_as_choice(const atm_value *value, const char *const *names, size_t count,
                         atm_message *message, size_t *index_p)
{
    char list[128];

    for (size_t i = 0; i < count && value->type == ATM_TYPE_STRING; i++) {
        if (strcmp(value->string, names[i]) == 0) {
            *index_p = i;
            return ATM_OK;
        }
    }
    list_names(names, count, sizeof(list), list);
    return atm_complain(value, NULL, message, count == 1 ? "must be %s" : "must be one of %s",
                        list);
}

atm_status atm_as_object(const atm_value *value, atm_message *message)
{
    if (value->type != ATM_TYPE_OBJECT)
        return atm_complain(value, NULL, message, "must be an object");
    return ATM_OK;
}

/* what: "array", or "array of numbers" */
static atm_status check_array(const atm_value *value, size_t min_length, size_t max_length,
                              const char *what, atm_message *message)
{
    if (value->type != ATM_TYPE_ARRAY)
        return atm_complain(value, NULL, message, "must be an %s", what);
    if (value->length >= min_length && value->length <= max_length)
        return ATM_OK;
    if (min_length == max_length)
        return atm_complain(value, NULL, message, "must be an %s of length %zu, not %zu", what,
                            min_length, value->length);
    if (value->length < min_length)
        return atm_complain(value, NULL, message, "must be an %s of length %zu or more, not %zu",
                            what, min_length, value->length);
    return atm_complain(value, NULL, message, "must be an %s of length %zu or less, not %zu", what,
                        max_length, value->length);
}

atm_status atm_as_array(const atm_value *value, size_t min_length, size_t max_length,
                        atm_message *message)
{
    return check_array(value, min_length, max_length, "array", message);
}

/* value is an array */
static atm_status copy_numbers(const atm_value *value, double min, double max, atm_message *message,
                               double *numbers_p)
{
    atm_status status = ATM_OK;

    for (size_t i = 0; i < value->length && !status; i++)
        status = atm_as_number(value->items[i], min, max, message, &numbers_p[i]);
    return status;
}

atm_status atm_as_numbers(const atm_value *value, size_t min_length, size_t max_length, double min,
                          double max, atm_message *message, double **numbers_p, size_t *length_p)
{
    atm_status status = check_array(value, min_length, max_length, "array of numbers", message);
    double *numbers;

    if (status)
        return status;
    numbers = malloc((value->length + 1) * sizeof(*numbers));
    if (!numbers)
        return ATM_NO_MEMORY;
    status = copy_numbers(value, min, max, message, numbers);
    if (status) {
        free(numbers);
        return status;
    }
    *numbers_p = numbers;
    *length_p = value->length;
    return ATM_OK;
}

static atm_status check_row(const atm_value *row, size_t min_columns, size_t max_columns,
                            atm_message *message)
{
    const atm_value *first = row->parent->items[0];

    if (row != first)
        min_columns = max_columns = first->length;
    return check_array(row, min_columns, max_columns, "array of numbers", message);
}

atm_status atm_as_matrix(const atm_value *value, size_t min_rows, size_t max_rows,
                         size_t min_columns, size_t max_columns, double min, double max,
                         atm_message *message, double **numbers_p, size_t *rows_p,
                         size_t *columns_p)
{
    atm_status status = check_array(value, min_rows, max_rows, "array of rows", message);
    size_t columns = 0;
    double *numbers;

    for (size_t i = 0; !status && i < value->length; i++)
        status = check_row(value->items[i], min_columns, max_columns, message);
    if (status)
        return status;
    if (value->length > 0)
        columns = value->items[0]->length;
    numbers = malloc((value->length * columns + 1) * sizeof(*numbers));
    if (!numbers)
        return ATM_NO_MEMORY;
    for (size_t i = 0; !status && i < value->length; i++)
        status = copy_numbers(value->items[i], min, max, message, numbers + i * columns);
    if (status) {
        free(numbers);
        return status;
    }
    *numbers_p = numbers;
    *rows_p = value->length;
    *columns_p = columns;
    return ATM_OK;
}
