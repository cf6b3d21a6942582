/* Makes a profile of a training's result. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scale.h"
#include "train.h"
#include "formats/formats.h"

/* The facts of the points; the profile has its own date and tool. */
static void put_machine(const atm_value *facts, atm_value *profile)
{
    atm_value *machine = atm_put_object(profile, "machine");
    char date[32];
    time_t now = time(NULL);
    struct tm utc;

    for (size_t i = 0; i < atm_value_length(facts); i++) {
        const atm_value *fact = atm_value_item(facts, i);
        const char *key = atm_value_key(fact);

        if (strcmp(key, "tool") != 0 && strcmp(key, "date") != 0)
            atm_put_copy(machine, key, fact);
    }
    if (atm_value_find(facts, "date") != NULL) {
        atm_put_copy(machine, "date", atm_value_find(facts, "date"));
    } else if (gmtime_r(&now, &utc) != NULL) {
        strftime(date, sizeof(date), "%Y-%m-%d", &utc);
        atm_put_string(machine, "date", date);
    }
    atm_put_string(machine, "tool", "autotune train");
}

static bool is_learned(const train_result *result, atm_operation operation)
{
    for (int i = 0; i < result->operation_count; i++)
        if (result->operations[i].operation == operation)
            return true;
    return false;
}

static atm_status put_operations(const train_result *result, atm_value *profile)
{
    atm_value *operations = atm_put_object(profile, "operations"), *generic;
    atm_status status;

    for (int i = 0; i < result->operation_count; i++) {
        const train_operation *o = &result->operations[i];

        if (o->operation != ATM_WRITE_DRAINED || !result->drains_by_law)
            atm_put_copy(operations, atm_operation_name(o->operation), o->surrogate);
    }
    if (result->drains_by_law)
        fit_drain_write(&result->drain,
                        atm_put_object(operations, atm_operation_name(ATM_WRITE_DRAINED)));
    status = scale_operations(result, operations);
    generic = atm_put_array(profile, "generic");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (atm_value_find(operations, atm_operation_names[i]) == NULL)
            atm_put_string(generic, NULL, atm_operation_names[i]);
    return status;
}

/* As it will be loaded: from its text. */
static atm_status check(const atm_value *profile, atm_message *message)
{
    char *text;
    size_t length;
    atm_profile *read;
    atm_status status = atm_value_print(profile, &text, &length);

    if (status != ATM_OK)
        return status;
    status = atm_profile_parse(text, length, "trained profile", message, &read);
    free(text);
    if (status == ATM_OK)
        atm_profile_destroy(read);
    return status;
}

atm_status train_profile(const train_result *result, atm_message *message, atm_value **profile_p)
{
    atm_value *profile = atm_value_object();
    atm_status status;

    atm_put_string(profile, "format", ATM_PROFILE_FORMAT);
    atm_put_integer(profile, "version", ATM_PROFILE_VERSION);
    put_machine(result->machine, profile);
    status = put_operations(result, profile);
    if (result->write_cache.bytes > 0 &&
        (result->drains_by_law || is_learned(result, ATM_WRITE_DRAINED)))
        atm_write_cache_write(&result->write_cache, atm_put_object(profile, "write_cache"));
    if (status == ATM_OK)
        status = check(profile, message);
    if (status == ATM_OK)
        *profile_p = profile;
    else
        atm_value_destroy(profile);
    return status;
}
