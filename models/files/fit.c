/* Whether a profile fits what it is used for. */

#include "fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *atm_fits_name(atm_fits fits)
{
    static const char *const names[ATM_FIT_COUNT] = {"not compared", "fits", "not known",
                                                     "does not fit"};

    return names[fits];
}

static bool has_driver(const char *file_system)
{
    return strcmp(file_system, "lustre") == 0 || strcmp(file_system, "gpfs") == 0 ||
           strcmp(file_system, "nfs") == 0;
}

static bool same_file_system(const char *one, const char *other)
{
    if (strcmp(one, "ufs") == 0)
        return !has_driver(other);
    if (strcmp(other, "ufs") == 0)
        return !has_driver(one);
    return strcmp(one, other) == 0;
}

/* Another contradiction. */
__attribute__((format(printf, 2, 3))) static void differ(atm_fit *fit, const char *format, ...)
{
    size_t used = strlen(fit->why.text);
    va_list arguments;

    used += (size_t) snprintf(fit->why.text + used, sizeof(fit->why.text) - used, "%s",
                              used > 0 ? ", " : "the profile was measured ");
    va_start(arguments, format);
    vsnprintf(fit->why.text + used, sizeof(fit->why.text) - used, format, arguments);
    va_end(arguments);
    fit->fits = ATM_FIT_BAD;
}

static void compare_nodes(const atm_machine *machine, const atm_use *use, atm_fit *fit)
{
    double ratio = (double) use->nodes / (double) machine->nodes;

    fit->distance = ratio > 1 ? ratio : 1 / ratio;
    if (ratio > ATM_FIT_NODES)
        differ(fit, "on %llu node%s, not %d", (unsigned long long) machine->nodes,
               machine->nodes == 1 ? "" : "s", use->nodes);
}

atm_fit atm_fit_of(const atm_machine *machine, const atm_use *use)
{
    const char *type = machine->file_system_type;
    atm_fit fit = {.fits = ATM_FIT_GOOD, .distance = INFINITY};

    if (use->file_system == NULL && use->nodes == 0 && use->nics == 0) {
        fit.fits = ATM_FIT_NOT_COMPARED;
        return fit;
    }
    if (use->file_system != NULL && type[0] != '\0' && !same_file_system(type, use->file_system)) {
        differ(&fit, "on %.32s, not %.32s", type, use->file_system);
        fit.differs[ATM_STORAGE_KIND] = true;
    }
    if (use->nodes > 0 && machine->nodes > 0)
        compare_nodes(machine, use, &fit);
    if (use->nics > 0 && machine->nics > 0 && machine->nics != (uint64_t) use->nics) {
        fit.differs[ATM_COMMUNICATION_KIND] = true;
        differ(&fit, "with %llu network adapter%s a node, not %d",
               (unsigned long long) machine->nics, machine->nics == 1 ? "" : "s", use->nics);
    }
    if (fit.fits == ATM_FIT_GOOD && use->file_system != NULL && type[0] == '\0') {
        fit.fits = ATM_FIT_NOT_KNOWN;
        snprintf(fit.why.text, sizeof(fit.why.text), "it is not known %s was measured on",
                 machine->nodes == 0 ? "what the profile" : "which file system the profile");
    }
    return fit;
}
