/* Values: the tree, which is json-c's. */

#include "value_tree.h"

json_object *atm_value_document(const atm_value *value)
{
    json_object *above = json_object_get_userdata((json_object *) value);

    while (json_object_get_type(above) != json_type_string)
        above = json_object_get_userdata(above);
    return above;
}

const atm_value *atm_value_parent(const atm_value *value)
{
    json_object *above = json_object_get_userdata((json_object *) value);

    return json_object_get_type(above) == json_type_string ? NULL : above;
}

void atm_value_adopt(const atm_value *container, json_object *item)
{
    json_object_set_userdata(item, (void *) container, NULL);
}

static void put_document(json_object *root, void *document)
{
    (void) root;
    json_object_put(document);
}

json_object *atm_value_root(json_object *json, const char *name)
{
    json_object *document = json ? json_object_new_string(name) : NULL;

    if (!document) {
        json_object_put(json);
        return NULL;
    }
    json_object_set_userdata(json, document, put_document);
    return json;
}

/* As deep as the tree: ATM_MAX_DEPTH at most. */
void atm_value_destroy(atm_value *root)
{
    json_object_put(root);
}

size_t atm_value_length(const atm_value *value)
{
    if (json_object_get_type(value) == json_type_array)
        return (size_t) json_object_array_length(value);
    if (json_object_get_type(value) == json_type_object)
        return (size_t) json_object_object_length(value);
    return 0;
}

const atm_value *atm_value_item(const atm_value *value, size_t index)
{
    json_object *item = NULL;

    if (json_object_get_type(value) == json_type_array) {
        item = json_object_array_get_idx(value, index);
    } else {
        json_object_object_foreach(value, key, member)
        {
            (void) key;
            item = member;
            if (index-- == 0)
                break;
        }
    }
    atm_value_adopt(value, item);
    return item;
}

const char *atm_value_key(const atm_value *value)
{
    const atm_value *parent = atm_value_parent(value);

    if (json_object_get_type(parent) != json_type_object)
        return NULL;
    json_object_object_foreach(parent, key, member)
    {
        if (member == value)
            return key;
    }
    return NULL;
}

const atm_value *atm_value_find(const atm_value *object, const char *key)
{
    json_object *member;

    if (!json_object_object_get_ex(object, key, &member))
        return NULL;
    atm_value_adopt(object, member);
    return member;
}
