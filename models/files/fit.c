/* Whether a profile fits what it is used for. */

#include "fit.h"

#include "file_system.h"

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

static void compare_file_system(const atm_machine *machine, const atm_use *use, atm_fit *fit)
{
    const char *type = machine->file_system_type, *source = machine->file_system_source;
    bool known = use->file_system != NULL && type[0] != '\0';

    if (known && !same_file_system(type, use->file_system))
        differ(fit, "on %.32s, not %.32s", type, use->file_system);
    else if (use->source != NULL && source[0] != '\0' &&
             !atm_same_source(type, source, use->source))
        differ(fit, "on %.64s, not %.64s", source, use->source);
    else if (use->servers > 0 && machine->servers > 0 &&
             (use->servers > ATM_FIT_SERVERS * (double) machine->servers ||
              machine->servers > ATM_FIT_SERVERS * (double) use->servers))
        differ(fit, "on %llu servers, not %d", (unsigned long long) machine->servers, use->servers);
    fit->differs[ATM_STORAGE_KIND] = fit->fits == ATM_FIT_BAD;
}

/* "MPICH Version: 4.0.2", "Open MPI v4.1.4, package ...": the first word tells them apart. */
static int name_length(const char *library)
{
    return (int) strcspn(library, " ");
}

static void compare_communication(const atm_machine *machine, const atm_use *use, atm_fit *fit)
{
    const char *mpi = machine->mpi;

    if (use->nics > 0 && machine->nics > 0 && machine->nics != (uint64_t) use->nics) {
        fit->differs[ATM_COMMUNICATION_KIND] = true;
        differ(fit, "with %llu network adapter%s a node, not %d",
               (unsigned long long) machine->nics, machine->nics == 1 ? "" : "s", use->nics);
    }
    if (use->mpi != NULL && mpi[0] != '\0' &&
        (name_length(mpi) != name_length(use->mpi) ||
         strncmp(mpi, use->mpi, (size_t) name_length(mpi)) != 0)) {
        fit->differs[ATM_COMMUNICATION_KIND] = true;
        differ(fit, "with %.*s, not %.*s", (int) strcspn(mpi, ","), mpi,
               (int) strcspn(use->mpi, ","), use->mpi);
    }
}

atm_fit atm_fit_of(const atm_machine *machine, const atm_use *use)
{
    atm_fit fit = {.fits = ATM_FIT_GOOD, .distance = INFINITY};

    if (use->file_system == NULL && use->nodes == 0 && use->nics == 0) {
        fit.fits = ATM_FIT_NOT_COMPARED;
        return fit;
    }
    compare_file_system(machine, use, &fit);
    if (use->nodes > 0 && machine->nodes > 0)
        compare_nodes(machine, use, &fit);
    compare_communication(machine, use, &fit);
    if (fit.fits == ATM_FIT_GOOD && use->file_system != NULL &&
        machine->file_system_type[0] == '\0') {
        fit.fits = ATM_FIT_NOT_KNOWN;
        snprintf(fit.why.text, sizeof(fit.why.text), "it is not known %s was measured on",
                 machine->nodes == 0 ? "what the profile" : "which file system the profile");
    }
    return fit;
}
