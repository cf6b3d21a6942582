/* A layout of HDF5 as a rule of advice. */

#include "hdf5_rule.h"

#include "search/rule.h"

static bool fill(const hdf5_rule *given, atm_rule *rule_p)
{
    atm_rule rule = {.program = (char *) given->program,
                     .file = (char *) given->file,
                     .operation = ATM_WRITES,
                     .bytes = {0, UINT64_MAX},
                     .set = *given->set,
                     .evidence = {.source = ATM_BY_MODEL}};

    ats_rule_ranks(&rule, given->ranks);
    return atm_rule_copy(&rule, rule_p);
}

atm_status hdf5_rule_write(const hdf5_rule *rule, atm_message *message, int *rules_p)
{
    atm_advice *advice = ats_rule_alone("model");
    atm_status status = ATM_NO_MEMORY;

    if (advice != NULL && fill(rule, &advice->rules[0]))
        status = ats_rule_keep_file(advice, rule->path, false, message);
    if (status == ATM_OK)
        status = ats_rule_write(advice, rule->path, message);
    if (status == ATM_OK)
        *rules_p = advice->count;
    atm_advice_destroy(advice);
    return status;
}
