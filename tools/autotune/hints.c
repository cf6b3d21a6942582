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
    const atm_config *config = &decision->config;

    hints_add(list, decision->access.write ? "romio_cb_write" : "romio_cb_read", "%s",
              !config->collective ? "disable"
              : config->automatic ? "automatic"
                                  : "enable");
}

void hints_add_striping(const hints_decision *decision, hint_list *list)
{
    if (!decision->striping)
        return;
    hints_add(list, "striping_factor", "%d", decision->config.stripe_count);
    hints_add(list, "striping_unit", "%llu", (unsigned long long) decision->config.stripe_size);
}
