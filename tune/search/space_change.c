/* Spaces: fewer parameters, more values. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space_inside.h"

static bool is_listed(const char *name, const char *names)
{
    size_t length = strlen(name);

    for (const char *at = names; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

atm_status ats_space_keep(ats_space *space, const char *names, atm_message *message)
{
    int kept = 0, wanted = 1;

    for (const char *at = names; *at != '\0'; at++)
        wanted += *at == ',';
    for (int i = 0; i < space->count; i++) {
        ats_parameter parameter = space->parameters[i];

        space->parameters[i].values = NULL;
        if (is_listed(parameter.name, names))
            space->parameters[kept++] = parameter;
        else
            free(parameter.values);
    }
    space->count = kept;
    if (kept == wanted)
        return ATM_OK;
    snprintf(message->text, sizeof(message->text),
             "%.96s: not all of these are parameters of %.96s, once each", names, space->source);
    return ATM_BAD_ARGUMENT;
}

static bool sets_only(const ats_parameter *parameter, const bool named[ATM_SETTING_COUNT])
{
    for (int i = 0; i < parameter->set_count; i++)
        if (!named[parameter->sets[i]])
            return false;
    return true;
}

void ats_space_fix(ats_space *space, const bool named[ATM_SETTING_COUNT], size_t size,
                   char *names_p)
{
    size_t length = 0;

    if (size > 0)
        names_p[0] = '\0';
    for (int i = 0; i < space->count; i++) {
        ats_parameter *parameter = &space->parameters[i];

        if (parameter->fixed || !parameter->optional || !sets_only(parameter, named))
            continue;
        parameter->fixed = true;
        if (length < size)
            length += (size_t) snprintf(names_p + length, size - length, "%s%s",
                                        length > 0 ? ", " : "", parameter->name);
    }
}

bool ats_space_varies(const ats_space *space, atm_setting from, atm_setting to)
{
    for (int i = 0; i < space->count; i++)
        for (int k = 0; k < space->parameters[i].set_count; k++)
            if (!space->parameters[i].fixed && space->parameters[i].sets[k] >= from &&
                space->parameters[i].sets[k] <= to)
                return true;
    return false;
}

static ats_parameter *find_parameter(ats_space *space, atm_setting setting)
{
    for (int i = 0; i < space->count; i++)
        for (int k = 0; k < space->parameters[i].set_count; k++)
            if (space->parameters[i].sets[k] == setting)
                return &space->parameters[i];
    return NULL;
}

/* The choice that has the value, which is added where it belongs.  0: there is no room. */
static int add_value(ats_parameter *parameter, const atm_settings *value)
{
    atm_settings *values;
    int at = 0;

    for (int i = 0; i < parameter->count; i++)
        if (space_compare(parameter, &parameter->values[i], value) == 0)
            return i + 1;
    values =
        realloc(parameter->values, ((size_t) parameter->count + 1) * sizeof(*parameter->values));
    if (values == NULL || parameter->count == ATS_VALUES)
        return 0;
    parameter->values = values;
    at = parameter->count;
    while (space_is_number(parameter) && at > 0 &&
           space_compare(parameter, &values[at - 1], value) > 0)
        at--;
    memmove(&values[at + 1], &values[at], (size_t) (parameter->count - at) * sizeof(*values));
    values[at] = *value;
    memset(values[at].has, 0, sizeof(values[at].has));
    for (int i = 0; i < parameter->set_count; i++)
        values[at].has[parameter->sets[i]] = true;
    parameter->count++;
    return at + 1;
}

atm_status ats_space_add(ats_space *space, const atm_settings *settings, atm_message *message,
                         ats_point *point_p)
{
    ats_point point = {{0}};

    for (int i = 0; i < ATM_SETTING_COUNT; i++) {
        ats_parameter *parameter = find_parameter(space, (atm_setting) i);
        bool added = true;

        if (!settings->has[i])
            continue;
        if (parameter == NULL && space->count < ATS_PARAMETERS) {
            parameter = &space->parameters[space->count++];
            *parameter = (ats_parameter){.set_count = 1, .optional = true};
            parameter->sets[0] = (atm_setting) i;
            parameter->ordered = !space_has_words(parameter);
            snprintf(parameter->name, ATS_NAME, "%s", atm_setting_name((atm_setting) i));
        }
        for (int k = 0; parameter != NULL && k < parameter->set_count; k++)
            added = added && settings->has[parameter->sets[k]] &&
                    settings->values[parameter->sets[k]] == settings->values[i];
        if (parameter != NULL && added)
            point.choice[parameter - space->parameters] = add_value(parameter, settings);
        if (parameter == NULL || !added || point.choice[parameter - space->parameters] == 0) {
            snprintf(message->text, sizeof(message->text), "%.96s: %s does not fit into it",
                     space->source, atm_setting_name((atm_setting) i));
            return ATM_BAD_ARGUMENT;
        }
    }
    *point_p = point;
    return ATM_OK;
}
