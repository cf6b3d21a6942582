/* Spaces: read and written. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space_inside.h"
#include "formats/formats.h"

static const char *const keys[] = {"format", "version", "about", "parameters", NULL};
static const char *const parameter_keys[] = {"name", "sets", "values", "optional", NULL};

/* --- one value: a member of settings */

/* "hdf5.fill_time" is the member fill_time of the member hdf5. */
static void put_setting(atm_value *object, atm_setting setting, const atm_value *value)
{
    const char *name = atm_setting_name(setting), *dot = strchr(name, '.');

    if (dot == NULL)
        atm_put_copy(object, name, value);
    else
        atm_put_copy(atm_put_object(object, "hdf5"), dot + 1, value);
}

/* Its value as files have it; destroy the root. */
static const atm_value *find_setting(const atm_settings *settings, atm_setting setting,
                                     atm_value **root_p)
{
    const char *name = atm_setting_name(setting), *dot = strchr(name, '.');
    atm_settings alone = *settings;
    atm_value *root = atm_value_object();

    memset(alone.has, 0, sizeof(alone.has));
    alone.has[setting] = true;
    atm_settings_write(&alone, root);
    *root_p = root;
    return dot == NULL ? atm_value_find(root, name)
                       : atm_value_find(atm_value_find(root, "hdf5"), dot + 1);
}

/* What is wrong, without where: that is in a document of our own. */
static const char *problem_of(const atm_message *message)
{
    const char *problem = message->text;

    for (const char *colon = strstr(problem, ": "); colon != NULL; colon = strstr(problem, ": "))
        problem = colon + 2;
    return problem;
}

static atm_status read_value(const atm_value *item, const ats_parameter *parameter,
                             atm_message *message, atm_settings *value_p)
{
    atm_settings all = {.threshold = 0};

    for (int i = 0; i < parameter->set_count; i++) {
        atm_setting setting = parameter->sets[i];
        atm_value *object = atm_value_object();
        atm_message inner = {""};
        atm_settings one;
        atm_status status;

        put_setting(object, setting, item);
        status = atm_settings_read(object, &inner, &one);
        atm_value_destroy(object);
        if (status != ATM_OK)
            return status != ATM_BAD_FILE
                       ? status
                       : atm_complain(item, NULL, message, "as %s %s", atm_setting_name(setting),
                                      problem_of(&inner));
        all.has[setting] = true;
        all.values[setting] = one.values[setting];
        if (setting == ATM_SET_HDF5_ALIGNMENT)
            all.threshold = one.threshold;
        if (setting == ATM_SET_HDF5_CHUNK)
            memcpy(all.chunk, one.chunk, sizeof(all.chunk));
    }
    *value_p = all;
    return ATM_OK;
}

bool space_has_words(const ats_parameter *parameter)
{
    return atm_setting_word(parameter->sets[0], 0) != NULL;
}

int space_compare(const ats_parameter *parameter, const atm_settings *one,
                  const atm_settings *other)
{
    atm_setting setting = parameter->sets[0];
    uint64_t a = one->values[setting], b = other->values[setting];

    if (setting == ATM_SET_HDF5_CHUNK)
        return a != b || memcmp(one->chunk, other->chunk, sizeof(one->chunk)) != 0;
    if (setting == ATM_SET_HDF5_ALIGNMENT)
        return a != b || one->threshold != other->threshold;
    if (space_has_words(parameter))
        return a != b;
    return (a > b) - (a < b);
}

bool space_is_number(const ats_parameter *parameter)
{
    return !space_has_words(parameter) && parameter->sets[0] != ATM_SET_HDF5_ALIGNMENT &&
           parameter->sets[0] != ATM_SET_HDF5_CHUNK;
}

static atm_status read_values(const atm_value *object, atm_message *message,
                              ats_parameter *parameter)
{
    const atm_value *array;
    atm_status status = atm_get_array(object, "values", 1, ATS_VALUES, message, &array);

    if (status != ATM_OK)
        return status;
    parameter->values = calloc(atm_value_length(array), sizeof(*parameter->values));
    if (parameter->values == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < atm_value_length(array); i++) {
        const atm_value *item = atm_value_item(array, i);

        status = read_value(item, parameter, message, &parameter->values[i]);
        if (status != ATM_OK)
            return status;
        for (size_t k = 0; k < i; k++)
            if (space_compare(parameter, &parameter->values[k], &parameter->values[i]) == 0)
                return atm_complain(item, NULL, message, "is there twice");
        if (i > 0 && space_is_number(parameter) &&
            space_compare(parameter, &parameter->values[i - 1], &parameter->values[i]) > 0)
            return atm_complain(item, NULL, message, "must be above the value before it");
        parameter->count++;
    }
    parameter->ordered = !space_has_words(parameter);
    return ATM_OK;
}

/* --- parameters */

static bool find_name(const char *name, atm_setting *setting_p)
{
    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (strcmp(name, atm_setting_name((atm_setting) i)) == 0) {
            *setting_p = (atm_setting) i;
            return true;
        }
    return false;
}

static atm_status read_sets(const atm_value *object, atm_message *message, ats_parameter *parameter)
{
    const atm_value *array;
    const char *name = parameter->name;
    atm_status status;

    if (atm_value_find(object, "sets") == NULL) {
        if (!find_name(name, &parameter->sets[parameter->set_count++]))
            return atm_complain(object, "name", message, "is no setting; \"sets\" may name some");
        return ATM_OK;
    }
    status = atm_get_array(object, "sets", 1, ATS_SETS, message, &array);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(array); i++) {
        status = atm_get_string(atm_value_item(array, i), NULL, message, &name);
        if (status == ATM_OK && !find_name(name, &parameter->sets[parameter->set_count++]))
            status = atm_complain(atm_value_item(array, i), NULL, message, "is no setting");
    }
    return status;
}

/* Whether another one sets the same, or is called the same. */
static bool clashes(const ats_space *space, const ats_parameter *parameter)
{
    for (int i = 0; i < space->count; i++) {
        const ats_parameter *other = &space->parameters[i];

        if (strcmp(other->name, parameter->name) == 0)
            return true;
        for (int k = 0; k < other->set_count; k++)
            for (int j = 0; j < parameter->set_count; j++)
                if (other->sets[k] == parameter->sets[j])
                    return true;
    }
    return false;
}

/* Belongs to the space from here on, as far as it got. */
static atm_status read_parameter(const atm_value *object, atm_message *message, ats_space *space)
{
    ats_parameter *parameter = &space->parameters[space->count];
    const char *name;
    atm_status status = atm_check_keys(object, parameter_keys, message);

    if (status == ATM_OK)
        status = atm_get_string(object, "name", message, &name);
    if (status == ATM_OK && (name[0] == '\0' || strlen(name) >= ATS_NAME))
        status = atm_complain(object, "name", message, "must have 1 to %d bytes", ATS_NAME - 1);
    if (status != ATM_OK)
        return status;
    strcpy(parameter->name, name);
    parameter->optional = true;
    status = atm_opt_truth(object, "optional", message, &parameter->optional);
    if (status == ATM_OK)
        status = read_sets(object, message, parameter);
    if (status == ATM_OK && clashes(space, parameter))
        status = atm_complain(object, NULL, message, "another parameter has that name or sets it");
    if (status == ATM_OK) {
        status = read_values(object, message, parameter);
        space->count++;
    }
    return status;
}

static atm_status read_root(const atm_value *root, atm_message *message, void *made)
{
    ats_space *space = made;
    const atm_value *array;
    const char *about = "";
    int version;
    atm_status status =
        atm_check_format(root, ATS_SPACE_FORMAT, ATS_SPACE_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_check_keys(root, keys, message);
    if (status == ATM_OK)
        status = atm_opt_string(root, "about", message, &about);
    if (status == ATM_OK)
        status = atm_get_array(root, "parameters", 1, ATS_PARAMETERS, message, &array);
    if (status == ATM_OK && (space->about = strdup(about)) == NULL)
        status = ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(array); i++)
        status = read_parameter(atm_value_item(array, i), message, space);
    return status;
}

static void destroy(void *made)
{
    ats_space_destroy(made);
}

static const atm_document document = {sizeof(ats_space), offsetof(ats_space, source), read_root,
                                      destroy};

atm_status ats_space_load(const char *path, atm_message *message, ats_space **space_p)
{
    return atm_document_load(&document, path, message, space_p);
}

atm_status ats_space_parse(const char *text, size_t length, const char *name, atm_message *message,
                           ats_space **space_p)
{
    return atm_document_parse(&document, text, length, name, message, space_p);
}

void ats_space_destroy(ats_space *space)
{
    if (space == NULL)
        return;
    for (int i = 0; i < ATS_PARAMETERS; i++)
        free(space->parameters[i].values);
    free(space->source);
    free(space->about);
    free(space);
}

void ats_space_write(const ats_space *space, atm_value *object)
{
    atm_value *array;

    atm_put_string(object, "format", ATS_SPACE_FORMAT);
    atm_put_integer(object, "version", ATS_SPACE_VERSION);
    if (space->about[0] != '\0')
        atm_put_string(object, "about", space->about);
    array = atm_put_array(object, "parameters");
    for (int i = 0; i < space->count; i++) {
        const ats_parameter *parameter = &space->parameters[i];
        atm_value *member = atm_put_object(array, NULL), *sets, *values;

        atm_put_string(member, "name", parameter->name);
        sets = atm_put_array(member, "sets");
        for (int k = 0; k < parameter->set_count; k++)
            atm_put_string(sets, NULL, atm_setting_name(parameter->sets[k]));
        values = atm_put_array(member, "values");
        for (int k = 0; k < parameter->count; k++) {
            atm_value *root;
            const atm_value *value = find_setting(&parameter->values[k], parameter->sets[0], &root);

            atm_put_copy(values, NULL, value);
            atm_value_destroy(root);
        }
        atm_put_truth(member, "optional", parameter->optional);
    }
}
