/* What the forms of hints have in common. */

#include "hints.h"

#include <stdarg.h>

#include "counts/counts.h"

void hints_add(hint_list *list, const char *key, const char *format, ...)
{
    hint *hint = &list->at[list->count++];
    va_list arguments;

    hint->key = key;
    va_start(arguments, format);
    vsnprintf(hint->value, sizeof(hint->value), format, arguments);
    va_end(arguments);
}

void hints_add_as(const hints_decision *decision, atm_fix fix, const char *key, hint_list *list)
{
    hints_add(list, key, "%llu", (unsigned long long) atm_fix_value(&decision->config, fix));
}

void hints_add_fixed(const hints_decision *decision, atm_fix fix, hint_list *list)
{
    hints_add_as(decision, fix, atm_fix_name(fix), list);
}

void hints_note(FILE *out, const char *format, ...)
{
    va_list arguments;

    fputs("# ", out);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputs("\n", out);
}

bool hints_collective(const hints_decision *decision)
{
    const atm_count_model *model =
        atm_count_model_for(decision->driver, &decision->access, &decision->config);

    return model != NULL && model->collective;
}

bool hints_by_stripes(const hints_decision *decision)
{
    return decision->driver == ATM_LUSTRE && decision->access.write && hints_collective(decision);
}

void hints_add_switch(const hints_decision *decision, hint_list *list)
{
    uint64_t value = atm_fix_value(&decision->config, ATM_FIX_COLLECTIVE);

    hints_add(list, atm_setting_name(decision->access.write ? ATM_SET_CB_WRITE : ATM_SET_CB_READ),
              "%s", atm_switch_name((atm_switch) value));
}

void hints_add_striping(const hints_decision *decision, hint_list *list)
{
    if (!decision->striping)
        return;
    hints_add_fixed(decision, ATM_FIX_STRIPE_COUNT, list);
    hints_add_fixed(decision, ATM_FIX_STRIPE_SIZE, list);
}
