/*
 * A file of hints for ROMIO, which MPICH, Intel MPI, MVAPICH and ParaStation MPI contain:
 * lines of a key and a value, at most 4 KiB (adio/common/system_hints.c:95).
 */

#include "hints.h"

#include "value/words.h"

static int rounded_up(int number, int divisor)
{
    return (number + divisor - 1) / divisor;
}

/* Aggregators of a host: as few as possible. */
static int per_node(const hints_decision *decision)
{
    return rounded_up(decision->config.aggregators, decision->nodes);
}

/* Two-phase I/O of Lustre's writes is not switched off, but left out if they are large: as the
 * driver does (ad_autotune_decide.c). */
static bool leaves_large(const hints_decision *decision)
{
    return decision->driver == ATM_LUSTRE && decision->access.write &&
           !decision->config.collective && decision->access.bytes_min > 1;
}

static void fill(const hints_decision *decision, hint_list *list)
{
    if (leaves_large(decision)) {
        hints_add(list, "romio_cb_write", "automatic");
        hints_add(list, "romio_lustre_coll_threshold", "%llu",
                  (unsigned long long) decision->access.bytes_min / 2);
    } else {
        hints_add_switch(decision, list);
    }
    if (hints_collective(decision) && decision->driver != ATM_GPFS) {
        hints_add_fixed(decision, ATM_FIX_AGGREGATORS, list);
        if (per_node(decision) > 1) /* the default is *:1 */
            hints_add(list, "cb_config_list", "*:%d", per_node(decision));
    }
    if (hints_collective(decision) && !hints_by_stripes(decision))
        hints_add_fixed(decision, ATM_FIX_BUFFER, list);
    hints_add_striping(decision, list);
    if (hints_by_stripes(decision))
        hints_add_fixed(decision, ATM_FIX_CO_RATIO, list);
}

static void print(FILE *out, const hint_list *list, const char *pattern)
{
    (void) pattern;
    for (int i = 0; i < list->count; i++)
        fprintf(out, "%s %s\n", list->at[i].key, list->at[i].value);
}

/* adio/common/cb_config_list.c:438 takes so many ranks of a host, then those of the next. */
static void note_ranks(FILE *out, const hints_decision *decision)
{
    int each = per_node(decision), hosts = rounded_up(decision->config.aggregators, each);

    hints_note(out,
               "Ranks cannot be named: ROMIO takes the first %d of a host, host by host, on %d of "
               "%d host%s",
               each, hosts, decision->nodes, atm_plural((uint64_t) decision->nodes));
}

static void note_lustre(FILE *out, const hints_decision *decision)
{
    if (hints_by_stripes(decision))
        hints_note(out, "cb_buffer_size plays no part in collective writes on Lustre");
    if (!decision->striping)
        return;
    hints_note(out, "Striping is that of files to be created; existing ones keep theirs");
    hints_note(out, "Lustre chooses the first OST; romio_lustre_start_iodevice (MPICH 4.0 and 4.1) "
                    "or start_iodevice (since 4.2) would set it");
}

/* What of the decision ROMIO does not heed. */
static void note_ignored(FILE *out, const hints_decision *decision)
{
    if (hints_collective(decision) && decision->driver == ATM_GPFS)
        hints_note(out,
                   "ROMIO's GPFS driver ignores cb_nodes and cb_config_list: one rank of each host "
                   "aggregates, not the %d that were chosen",
                   decision->config.aggregators);
    else if (hints_collective(decision))
        note_ranks(out, decision);
    if (decision->driver == ATM_LUSTRE)
        note_lustre(out, decision);
    hints_note(out, "They are for all files of a job; hints of the program come before them");
}

static void romio_notes(FILE *out, const hints_decision *decision)
{
    hints_note(out, "For ROMIO: export ROMIO_HINTS=/path/of/this/file");
    note_ignored(out, decision);
}

/* Variables of Intel's developer references: 2019, and 2021.11, which renamed one. */
static void intel_notes(FILE *out, const hints_decision *decision)
{
    hints_note(out, "For Intel MPI: export ROMIO_HINTS=/path/of/this/file");
    if (decision->driver == ATM_LUSTRE || decision->driver == ATM_GPFS) {
        const char *name = atm_driver_name(decision->driver);

        hints_note(out,
                   "Its support of %s has to be on: I_MPI_FILESYSTEM=on; in 2021.8 to 2021.10 "
                   "I_MPI_EXTRA_FILESYSTEM=on",
                   name);
        hints_note(out, "In 2019 and before, also I_MPI_EXTRA_FILESYSTEM_LIST=%s", name);
    }
    note_ignored(out, decision);
    hints_note(out, "This is what ROMIO does; it was not tried with Intel MPI");
}

const hints_format hints_romio = {
    .name = "romio", .fill = fill, .print = print, .notes = romio_notes};
const hints_format hints_intel = {
    .name = "intel", .fill = fill, .print = print, .notes = intel_notes};
