/* Profiles: writing a completed one. */

#include "profile.h"
#include "formats/formats.h"

static void put_machine(const atm_profile *profile, atm_value *machine)
{
    const atm_machine *m = &profile->machine;

    for (const atm_fact *fact = atm_facts; fact < atm_facts + ATM_FACT_COUNT; fact++) {
        if (fact->kind == ATM_FACT_TEXT && atm_fact_text(m, fact)[0] != '\0')
            atm_put_string(machine, fact->name, atm_fact_text(m, fact));
        else if (fact->kind != ATM_FACT_TEXT && atm_fact_number(m, fact) > 0)
            atm_put_integer(machine, fact->name, (int64_t) atm_fact_number(m, fact));
    }
}

static void put_defaults(const atm_profile *profile, atm_value *defaults)
{
    atm_put_integer(defaults, "access_size", (int64_t) profile->defaults.access_size);
    atm_put_integer(defaults, "memory", (int64_t) profile->defaults.memory);
}

static void put_operations(const atm_profile *profile, atm_value *operations)
{
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        atm_surrogate_write(profile->operations[i],
                            atm_put_object(operations, atm_operation_name(i)));
}

static void put_generic(const atm_profile *profile, atm_value *names)
{
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (profile->generic[i])
            atm_put_string(names, NULL, atm_operation_name(i));
}

/* The caller destroys it; errors are in it. */
static atm_value *make_document(const atm_profile *profile)
{
    atm_value *root = atm_value_object();

    atm_put_string(root, "format", ATM_PROFILE_FORMAT);
    atm_put_integer(root, "version", ATM_PROFILE_VERSION);
    put_machine(profile, atm_put_object(root, "machine"));
    put_defaults(profile, atm_put_object(root, "defaults"));
    put_operations(profile, atm_put_object(root, "operations"));
    put_generic(profile, atm_put_array(root, "generic"));
    if (profile->write_cache.bytes > 0)
        atm_write_cache_write(&profile->write_cache, atm_put_object(root, "write_cache"));
    return root;
}

atm_status atm_profile_print(const atm_profile *profile, char **text_p, size_t *length_p)
{
    atm_value *root = make_document(profile);
    atm_status status = atm_value_print(root, text_p, length_p);

    atm_value_destroy(root);
    return status;
}

atm_status atm_profile_line(const atm_profile *profile, char **line_p, size_t *length_p)
{
    atm_value *root = make_document(profile);
    atm_status status = atm_value_print_line(root, line_p, length_p);

    atm_value_destroy(root);
    return status;
}

atm_status atm_profile_save(const atm_profile *profile, const char *path, atm_message *message)
{
    atm_value *root = make_document(profile);
    atm_status status = atm_value_write(root, path, message);

    atm_value_destroy(root);
    return status;
}
