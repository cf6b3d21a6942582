/*
 * The variable of Cray MPICH, for a shell: a pattern of file names, then pairs, all
 * separated by colons.  Its sources are not public: nothing here could be compared with
 * them.
 */

#include "hints.h"

#include "counts/counts.h"

/* There are as many aggregators as stripes, times cray_cb_nodes_multiplier. */
static int multiplier(const hints_decision *decision)
{
    const atm_config *config = &decision->config;
    int writers = atm_lustre_writers(config->aggregators, config->stripe_count, config->co_ratio);

    return config->stripe_count > 0 ? writers / config->stripe_count : 0;
}

static void fill_by_stripes(const hints_decision *decision, hint_list *list)
{
    const atm_config *config = &decision->config;

    if (multiplier(decision) > 1)
        hints_add(list, "cray_cb_nodes_multiplier", "%d", multiplier(decision));
    else
        hints_add(list, "cb_nodes", "%d",
                  atm_lustre_writers(config->aggregators, config->stripe_count, config->co_ratio));
}

static void fill(const hints_decision *decision, hint_list *list)
{
    hints_add_switch(decision, list);
    hints_add_striping(decision, list);
    if (hints_by_stripes(decision)) {
        fill_by_stripes(decision, list);
    } else if (hints_collective(decision)) {
        hints_add_fixed(decision, ATM_FIX_AGGREGATORS, list);
        hints_add_fixed(decision, ATM_FIX_BUFFER, list);
    }
}

static void print(FILE *out, const hint_list *list, const char *pattern)
{
    fprintf(out, "export MPICH_MPIIO_HINTS=\"%s", pattern);
    for (int i = 0; i < list->count; i++)
        fprintf(out, ":%s=%s", list->at[i].key, list->at[i].value);
    fputs("\"\n", out);
}

static void notes(FILE *out, const hints_decision *decision)
{
    hints_note(out, "For Cray MPICH: source this file before the program is started");
    if (hints_by_stripes(decision))
        hints_note(out, "cb_buffer_size is left out: collective writes on Lustre go by stripes, "
                        "unless MPICH_MPIIO_CB_ALIGN says otherwise");
    if (hints_by_stripes(decision) && multiplier(decision) > 1)
        hints_note(out, "Writers of one stripe wait for each other's locks, unless "
                        "cray_cb_write_lock_mode says otherwise; it was not decided about");
    if (decision->striping)
        hints_note(out, "Striping is that of files to be created; existing ones keep theirs");
    if (hints_collective(decision))
        hints_note(out, "Ranks cannot be named: Cray MPICH spreads aggregators in its own way");
    hints_note(out, "Not tried with Cray MPICH; MPICH_MPIIO_HINTS_DISPLAY=1 shows what is in "
                    "effect");
}

const hints_format hints_cray = {.name = "cray", .fill = fill, .print = print, .notes = notes};
