/* Facts of a machine: reading. */

#include "machine.h"

#include <stdlib.h>
#include <string.h>

const atm_fact atm_facts[ATM_FACT_COUNT] = {
    {"name", ATM_FACT_TEXT, offsetof(atm_machine, name)},
    {"date", ATM_FACT_TEXT, offsetof(atm_machine, date)},
    {"mpi", ATM_FACT_TEXT, offsetof(atm_machine, mpi)},
    {"network", ATM_FACT_TEXT, offsetof(atm_machine, network)},
    {"file_system", ATM_FACT_TEXT, offsetof(atm_machine, file_system)},
    {"file_system_type", ATM_FACT_TEXT, offsetof(atm_machine, file_system_type)},
    {"file_system_source", ATM_FACT_TEXT, offsetof(atm_machine, file_system_source)},
    {"tool", ATM_FACT_TEXT, offsetof(atm_machine, tool)},
    {"nodes", ATM_FACT_NUMBER, offsetof(atm_machine, nodes)},
    {"ranks", ATM_FACT_NUMBER, offsetof(atm_machine, ranks)},
    {"nics", ATM_FACT_NUMBER, offsetof(atm_machine, nics)},
    {"cores", ATM_FACT_NUMBER, offsetof(atm_machine, cores)},
    {"memory", ATM_FACT_BYTES, offsetof(atm_machine, memory)},
    {"cache", ATM_FACT_BYTES, offsetof(atm_machine, cache)},
    {"block", ATM_FACT_BYTES, offsetof(atm_machine, block)},
    {"stripe_size", ATM_FACT_BYTES, offsetof(atm_machine, stripe_size)},
    {"servers", ATM_FACT_NUMBER, offsetof(atm_machine, servers)}};

static void *member(const atm_machine *machine, const atm_fact *fact)
{
    return (char *) machine + fact->offset;
}

const char *atm_fact_text(const atm_machine *machine, const atm_fact *fact)
{
    return *(char **) member(machine, fact);
}

uint64_t atm_fact_number(const atm_machine *machine, const atm_fact *fact)
{
    return *(uint64_t *) member(machine, fact);
}

static atm_status read_text(const atm_value *object, const char *key, atm_message *message,
                            char **text_p)
{
    const char *text = "";
    atm_status status = atm_opt_string(object, key, message, &text);

    if (status != ATM_OK)
        return status;
    *text_p = strdup(text); /* atm_machine_clear */
    return *text_p != NULL ? ATM_OK : ATM_NO_MEMORY;
}

static atm_status read_number(const atm_value *object, const char *key, atm_message *message,
                              uint64_t *number_p)
{
    int64_t number = 0;
    atm_status status = atm_opt_integer(object, key, 0, ATM_MAX_INTEGER, message, &number);

    if (status == ATM_OK)
        *number_p = (uint64_t) number;
    return status;
}

atm_status atm_machine_read(const atm_value *root, atm_message *message, atm_machine *machine)
{
    const char *keys[ATM_FACT_COUNT + 1] = {NULL};
    const atm_value *object;
    atm_status status = atm_get_object(root, "machine", message, &object);

    for (int i = 0; i < ATM_FACT_COUNT; i++)
        keys[i] = atm_facts[i].name;
    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    for (int i = 0; status == ATM_OK && i < ATM_FACT_COUNT; i++) {
        void *place = member(machine, &atm_facts[i]);

        if (atm_facts[i].kind == ATM_FACT_TEXT)
            status = read_text(object, keys[i], message, place);
        else
            status = read_number(object, keys[i], message, place);
    }
    return status;
}

void atm_machine_clear(atm_machine *machine)
{
    for (int i = 0; i < ATM_FACT_COUNT; i++)
        if (atm_facts[i].kind == ATM_FACT_TEXT)
            free(*(char **) member(machine, &atm_facts[i]));
}
