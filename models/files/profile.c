/* Profiles: reading, and completing with what the built-in one has. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"
#include "profile_generic.h"
#include "formats/formats.h"

/* --- the parts of a document */

static atm_status check_format(const atm_value *root, atm_message *message)
{
    static const char *const keys[] = {"format",     "version", "machine",     "defaults",
                                       "operations", "generic", "write_cache", NULL};
    int version;
    atm_status status =
        atm_check_format(root, ATM_PROFILE_FORMAT, ATM_PROFILE_VERSION, message, &version);

    return status == ATM_OK ? atm_check_keys(root, keys, message) : status;
}

/* Adds to what earlier defaults set. */
static atm_status read_defaults(const atm_value *root, atm_message *message, atm_profile *profile)
{
    static const char *const keys[] = {"access_size", "memory", NULL};
    const atm_value *defaults = atm_value_find(root, "defaults");
    int64_t access_size = (int64_t) profile->defaults.access_size;
    int64_t memory = (int64_t) profile->defaults.memory;
    atm_status status;

    if (!defaults)
        return ATM_OK;
    status = atm_check_keys(defaults, keys, message);
    if (!status)
        status =
            atm_opt_integer(defaults, "access_size", 1, ATM_MAX_INTEGER, message, &access_size);
    if (!status)
        status = atm_opt_integer(defaults, "memory", 1, ATM_MAX_INTEGER, message, &memory);
    if (status)
        return status;
    profile->defaults.access_size = (uint64_t) access_size;
    profile->defaults.memory = (uint64_t) memory;
    return ATM_OK;
}

/* Reads the operations that are there and not yet known. */
static atm_status read_operations(const atm_value *root, atm_message *message, atm_profile *profile)
{
    const atm_value *operations;
    atm_status status = atm_get_object(root, "operations", message, &operations);

    if (!status)
        status = atm_check_keys(operations, atm_operation_names, message);
    for (int i = 0; !status && i < ATM_OPERATION_COUNT; i++) {
        const atm_value *operation = atm_value_find(operations, atm_operation_names[i]);

        if (operation && !profile->operations[i])
            status = atm_surrogate_read(operation, message, &profile->operations[i]);
    }
    return status;
}

static atm_status read_generic(const atm_value *root, atm_message *message, atm_profile *profile)
{
    const atm_value *names = atm_value_find(root, "generic");
    atm_status status =
        names ? atm_get_array(names, NULL, 0, ATM_OPERATION_COUNT, message, &names) : ATM_OK;
    size_t operation;

    for (size_t i = 0; names && !status && i < atm_value_length(names); i++) {
        status = atm_get_choice(atm_value_item(names, i), NULL, atm_operation_names,
                                ATM_OPERATION_COUNT, message, &operation);
        if (!status)
            profile->generic[operation] = true;
    }
    return status;
}

/* Refuses a cache without write_drained: it is of no use without the cost of a round when it is
 * full. */
static atm_status read_write_cache(const atm_value *root, atm_message *message,
                                   atm_profile *profile)
{
    const atm_value *cache = atm_value_find(root, "write_cache");

    if (cache && !profile->operations[ATM_WRITE_DRAINED])
        return atm_complain(root, "write_cache", message,
                            "needs write_drained among the operations");
    return atm_write_cache_read(cache, message, &profile->write_cache);
}

/* --- the whole */

static atm_status parse_generic(atm_message *message, atm_value **root_p)
{
    return atm_value_parse(atm_profile_generic_text, atm_profile_generic_length, "built-in profile",
                           message, root_p);
}

/* Once the document itself has been read */
static atm_status complete(const atm_value *generic, atm_message *message, atm_profile *profile)
{
    atm_status status;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        profile->generic[i] = profile->generic[i] || !profile->operations[i];
    status = read_operations(generic, message, profile);
    for (int i = 0; !status && i < ATM_OPERATION_COUNT; i++)
        if (!profile->operations[i])
            status = atm_complain(generic, atm_operation_names[i], message, "is missing");
    return status;
}

static atm_status read_profile(const atm_value *root, const atm_value *generic,
                               atm_message *message, atm_profile *profile)
{
    atm_status status = check_format(root, message);

    if (!status)
        status = atm_machine_read(root, message, &profile->machine);
    if (!status)
        status = read_defaults(generic, message, profile);
    if (!status)
        status = read_defaults(root, message, profile);
    if (!status)
        status = read_operations(root, message, profile);
    if (!status)
        status = read_generic(root, message, profile);
    if (!status)
        status = read_write_cache(root, message, profile);
    if (!status)
        status = complete(generic, message, profile);
    return status;
}

bool atm_profile_uses(const atm_profile *profile, atm_operation operation)
{
    if (operation == ATM_READ_CACHED || operation == ATM_TOUCH)
        return !profile->generic[operation];
    return operation != ATM_WRITE_DRAINED || profile->write_cache.bytes > 0;
}

bool atm_profile_learned(const atm_profile *profile, atm_operation operation)
{
    return !profile->generic[operation] &&
           atm_surrogate_scaled(profile->operations[operation]) == NULL;
}

int atm_profile_servers(const atm_profile *profile)
{
    uint64_t servers = profile->machine.servers;
    double min, max;

    for (int i = ATM_WRITE_FIRST; i < ATM_OPERATION_COUNT && servers <= INT32_MAX; i++)
        if (atm_profile_uses(profile, (atm_operation) i) &&
            atm_surrogate_range(profile->operations[i], ATM_STRIPES, &min, &max))
            return (int) servers;
    return 0;
}

/* Appends words and the names of operations that are generic, or scaled; nothing without any. */
static size_t add_names(const atm_profile *profile, bool scaled, const char *words, char *note,
                        size_t size)
{
    size_t length = 0;

    note[0] = 0;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        bool is_so =
            scaled ? atm_surrogate_scaled(profile->operations[i]) != NULL : profile->generic[i];

        if (is_so && atm_profile_uses(profile, (atm_operation) i))
            length += (size_t) snprintf(note + length, size - length, "%s%s", length ? ", " : words,
                                        atm_operation_names[i]);
    }
    return length;
}

/* The caller frees it; NULL without memory. */
static char *make_note(const atm_profile *profile)
{
    char note[768]; /* holds all names twice */
    size_t length = add_names(profile, false, "taken from the built-in profile: ", note, 384);

    add_names(profile, true,
              length ? "; scaled by what was measured: " : "scaled by what was measured: ",
              note + length, sizeof(note) - length);
    return strdup(note);
}

static atm_status make_profile(const atm_value *root, const atm_value *generic, const char *source,
                               atm_message *message, atm_profile **profile_p)
{
    atm_profile *profile = calloc(1, sizeof(*profile)); /* atm_profile_destroy */
    atm_status status;

    if (!profile)
        return ATM_NO_MEMORY;
    for (int i = 0; i < ATM_KIND_COUNT; i++)
        profile->scale[i] = 1;
    status = read_profile(root, generic, message, profile);
    if (!status) {
        profile->source = strdup(source);
        profile->note = make_note(profile);
        status = profile->source && profile->note ? ATM_OK : ATM_NO_MEMORY;
    }
    if (status)
        atm_profile_destroy(profile);
    else
        *profile_p = profile;
    return status;
}

/* Takes over root. */
static atm_status make_from(atm_value *root, const char *source, atm_message *message,
                            atm_profile **profile_p)
{
    atm_value *generic;
    atm_status status = parse_generic(message, &generic);

    if (!status) {
        status = make_profile(root, generic, source, message, profile_p);
        atm_value_destroy(generic);
    }
    atm_value_destroy(root);
    return status;
}

atm_status atm_profile_load(const char *path, atm_message *message, atm_profile **profile_p)
{
    atm_value *root;
    atm_status status = atm_value_read(path, message, &root);

    return status ? status : make_from(root, path, message, profile_p);
}

atm_status atm_profile_parse(const char *text, size_t length, const char *name,
                             atm_message *message, atm_profile **profile_p)
{
    atm_value *root;
    atm_status status = atm_value_parse(text, length, name, message, &root);

    return status ? status : make_from(root, name, message, profile_p);
}

atm_status atm_profile_generic(atm_message *message, atm_profile **profile_p)
{
    atm_value *root;
    atm_status status = parse_generic(message, &root);

    if (!status) {
        status = make_profile(root, root, ATM_PROFILE_GENERIC, message, profile_p);
        atm_value_destroy(root);
    }
    return status;
}

void atm_profile_destroy(atm_profile *profile)
{
    if (!profile)
        return;
    atm_machine_clear(&profile->machine);
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        atm_surrogate_destroy(profile->operations[i]);
    free(profile->source);
    free(profile->note);
    free(profile);
}
