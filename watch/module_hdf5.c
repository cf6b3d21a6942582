/*
 * hdf5: sets what advice has for the HDF5 library, in property lists that a call gets instead of
 * the program's: alignment, metadata and buffers of a file, hints for MPI-IO, chunks, allocation
 * and fill time of data sets.  What the program has set itself stays.
 */

#include "h5_tune.h"
#include "modules.h"

/* ROMIO_AUTOTUNE_WATCH=hdf5:file=/home/me/advice.json */
static char file[4096];

static const atw_word words[] = {{"file", file, sizeof(file)}, {.name = NULL}};

static void prepare(atw_lists *lists)
{
    const atw_h5 *h5 = lists->name != NULL || atw_h5_knows_any() ? atw_h5_functions() : NULL;
    atw_h5_muted muted;

    if (h5 == NULL)
        return;
    muted = atw_h5_mute(h5);
    if (lists->name != NULL)
        atw_h5_file(h5, lists, file);
    else
        atw_h5_set(h5, lists);
    atw_h5_unmute(h5, muted);
}

const atw_module atw_module_hdf5 = {.name = "hdf5", .words = words, .prepare = prepare};
