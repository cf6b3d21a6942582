/*
 * Parameters of Open MPI's own MPI-IO, as in a file mca-params.conf.  Read in the sources
 * of 4.1.4 and 5.0.7: ompi/mca/io/ompio/io_ompio_component.c, fs/lustre/fs_lustre_*.c,
 * fcoll/ and common/ompio/.
 */

#include "hints.h"

/* fcoll/dynamic_gen2 takes as many as there are stripes, unless that is one. */
static bool count_is_given(const hints_decision *decision)
{
    return hints_by_stripes(decision) && decision->config.stripe_count > 1;
}

static void fill(const hints_decision *decision, hint_list *list)
{
    bool collective = hints_collective(decision);

    hints_add(list, "io", "ompio");
    if (!collective)
        hints_add(list, "fcoll", "individual");
    if (collective && !count_is_given(decision))
        hints_add_as(decision, ATM_FIX_AGGREGATORS, "io_ompio_num_aggregators", list);
    if (collective && !hints_by_stripes(decision))
        hints_add_as(decision, ATM_FIX_BUFFER, "io_ompio_bytes_per_agg", list);
    if (decision->striping) { /* the width is the count: it goes to llapi_file_create */
        hints_add_as(decision, ATM_FIX_STRIPE_SIZE, "fs_lustre_stripe_size", list);
        hints_add_as(decision, ATM_FIX_STRIPE_COUNT, "fs_lustre_stripe_width", list);
    }
}

static void print(FILE *out, const hint_list *list, const char *pattern)
{
    (void) pattern;
    for (int i = 0; i < list->count; i++)
        fprintf(out, "%s = %s\n", list->at[i].key, list->at[i].value);
}

static void note_collective(FILE *out, const hints_decision *decision)
{
    if (count_is_given(decision))
        hints_note(out, "As many ranks write as the file has stripes: ompio knows no other number "
                        "on Lustre, and no romio_lustre_co_ratio");
    if (hints_by_stripes(decision))
        hints_note(out, "io_ompio_bytes_per_agg was not decided about: writes of ROMIO on Lustre "
                        "have no such buffer");
    else if (decision->access.write)
        hints_note(out, "Writes fill one half of io_ompio_bytes_per_agg while the other is "
                        "written");
    hints_note(out, "Ranks cannot be named, nor is there a cb_config_list: ompio forms groups of "
                    "ranks, and the first of each aggregates");
}

static void notes(FILE *out, const hints_decision *decision)
{
    hints_note(out, "For Open MPI: append this to $HOME/.openmpi/mca-params.conf, or give each "
                    "line as --mca NAME VALUE to mpirun");
    if (hints_collective(decision))
        note_collective(out, decision);
    if (decision->striping) {
        hints_note(out, "Striping is that of files to be created; existing ones keep theirs");
        hints_note(out, "It is set only if Open MPI was built with Lustre; in an MPI_Info: "
                        "striping_unit, striping_factor (before 4.1.6 stripe_size, stripe_width)");
    } else if (hints_collective(decision)) {
        hints_note(out, "In an MPI_Info: cb_nodes, cb_buffer_size");
    }
    hints_note(out, "They are for all files of a job, and for reads and writes");
    hints_note(out, "The model predicts ROMIO; ompio's algorithms differ, so measure both");
}

const hints_format hints_ompio = {.name = "ompio", .fill = fill, .print = print, .notes = notes};
