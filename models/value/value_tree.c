/* Values: the tree. */

#include <stdlib.h>
#include <string.h>

#include "value_tree.h"

bool atm_tree_reserve(atm_value *container, size_t length)
{
    atm_value **items;

    if (length <= container->capacity)
        return true;
    items = realloc(container->items, length * sizeof(*items));
    if (!items)
        return false;
    container->items = items;
    container->capacity = length;
    return true;
}

/* The copies follow the value in its own piece of memory. */
static const char *copy_behind(char **behind, const char *text, size_t size)
{
    char *copy = *behind;

    if (!text)
        return NULL;
    memcpy(copy, text, size);
    *behind += size;
    return copy;
}

atm_value *atm_tree_add(atm_value *parent, atm_type type, const char *key, const char *string)
{
    size_t key_size = key ? strlen(key) + 1 : 0, string_size = string ? strlen(string) + 1 : 0;
    atm_value *value;
    char *behind;

    if (parent && parent->length == parent->capacity &&
        !atm_tree_reserve(parent, 2 * parent->capacity + 4))
        return NULL;
    value = calloc(1, sizeof(*value) + key_size + string_size);
    if (!value)
        return NULL;
    behind = (char *) (value + 1);
    value->type = type;
    value->parent = parent;
    value->key = copy_behind(&behind, key, key_size);
    if (string)
        value->string = copy_behind(&behind, string, string_size);
    if (parent)
        parent->items[parent->length++] = value;
    return value;
}

atm_value *atm_tree_add_numbers(atm_value *parent, const char *key, const double *numbers,
                                size_t length)
{
    atm_value *array = atm_tree_add(parent, ATM_TYPE_ARRAY, key, NULL);

    if (!array || !atm_tree_reserve(array, length))
        return NULL;
    array->numbers = malloc((length ? length : 1) * sizeof(*array->numbers));
    if (!array->numbers)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        array->numbers[i] =
            (atm_value){.type = ATM_TYPE_NUMBER, .parent = array, .number = numbers[i]};
        array->items[i] = &array->numbers[i];
    }
    array->length = array->number_count = length;
    return array;
}

static bool is_container(const atm_value *value)
{
    return value->type == ATM_TYPE_ARRAY || value->type == ATM_TYPE_OBJECT;
}

/* As deep as the tree: ATM_MAX_DEPTH at most. */
void atm_value_destroy(atm_value *root)
{
    if (!root)
        return;
    if (is_container(root)) {
        for (size_t i = root->number_count; i < root->length; i++)
            atm_value_destroy(root->items[i]);
        free(root->items);
        free(root->numbers);
    }
    free(root);
}

atm_type atm_value_type(const atm_value *value)
{
    return value->type;
}

size_t atm_value_length(const atm_value *value)
{
    return is_container(value) ? value->length : 0;
}

const atm_value *atm_value_item(const atm_value *value, size_t index)
{
    return value->items[index];
}

const char *atm_value_key(const atm_value *value)
{
    return value->parent ? value->key : NULL;
}

const atm_value *atm_value_find(const atm_value *object, const char *key)
{
    if (object->type != ATM_TYPE_OBJECT)
        return NULL;
    for (size_t i = 0; i < object->length; i++)
        if (strcmp(object->items[i]->key, key) == 0)
            return object->items[i];
    return NULL;
}
