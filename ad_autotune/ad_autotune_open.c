#include "ad_autotune.h"

#include "ad_autotune_apply.h"
#include "ad_autotune_decide.h"
#include "ad_autotune_late.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "ad_autotune_state.h"
#include "adioi.h"

#include <stdio.h>

/* Only reached if the name has an unknown prefix: no table has replaced ours. */
void ADIOI_AUTOTUNE_OpenColl(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    (void) rank, (void) access_mode;
    *error_code = ADIOI_AUTOTUNE_unsupported("ADIOI_AUTOTUNE_OPENCOLL", fd->filename);
}

/* A file that late_create has created. */
static void open_created(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int rank, int access_mode,
                         int *error_code)
{
    if (state->late)
        ADIOI_AUTOTUNE_install(fd, state->wrapped, ADIOI_AUTOTUNE_LATE);
    state->wrapped->fns->ADIOI_xxx_OpenColl(fd, rank, access_mode & ~(ADIO_CREATE | ADIO_EXCL),
                                            error_code);
    fd->access_mode = access_mode;
}

/* OpenColl has made the striping equal on all ranks. */
static void take_striping(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_Hints *hints = fd->hints;

    if (!state->late)
        state->striping = (ADIOI_AUTOTUNE_striping){.unit = hints->striping_unit,
                                                    .count = hints->striping_factor,
                                                    .start = hints->start_iodevice};
    /* if an open was deferred, ROMIO reports zeros (ad_opencoll.c:124) */
    ADIOI_AUTOTUNE_striping_report(fd, &state->striping);
}

/* On rank 0: creation hints that were given for an existing file. */
static void note_striping(ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_striping *wanted = &state->root->settings->striping,
                                  *is = &state->striping;
    const struct {
        const char *key;
        int wanted, is, given;
    } hints[] = {{"striping_unit", wanted->unit, is->unit, wanted->unit != 0},
                 {"striping_factor", wanted->count, is->count, wanted->count > 0},
                 {ADIOI_AUTOTUNE_START_IODEVICE, wanted->start, is->start, wanted->start >= 0}};
    char value[32], why[64];

    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        if (!hints[i].given || hints[i].wanted == hints[i].is)
            continue;
        snprintf(value, sizeof(value), "%d", hints[i].wanted);
        snprintf(why, sizeof(why), "the file has %d", hints[i].is);
        ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), hints[i].key, value, why);
    }
}

static void open_wrapped(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int rank, int access_mode,
                         int *error_code)
{
    ADIOI_AUTOTUNE_creation creation = state->mode != ADIOI_AUTOTUNE_DISABLE
                                           ? ADIOI_AUTOTUNE_late_create(fd, state, access_mode)
                                           : ADIOI_AUTOTUNE_NOT_CREATED;

    /* only open files have stripes: since MPICH 4.2 the user's hint is here, too
     * (ad_hints.c:265), and would be taken for those of a file that is not on Lustre */
    if (state->wrapped->file_system == ADIO_LUSTRE)
        fd->hints->striping_factor = 0;
    if (creation == ADIOI_AUTOTUNE_NOT_CREATED)
        state->wrapped->fns->ADIOI_xxx_OpenColl(fd, rank, access_mode, error_code);
    else
        open_created(fd, state, rank, access_mode, error_code);
    if (*error_code != MPI_SUCCESS || state->wrapped->file_system != ADIO_LUSTRE)
        return;
    if (!state->late && (fd->hints->striping_unit <= 0 || fd->hints->striping_factor <= 0))
        ADIOI_AUTOTUNE_leave_lustre(fd, state, error_code);
    else
        take_striping(fd, state);
    if (state->root != NULL && !state->late && state->wrapped->file_system == ADIO_LUSTRE)
        note_striping(state);
}

/* A file for this run alone, whose name may be gone at any time: the layout of the access that is
 * expected.  On failure it stays late, and the first access encounters the error again. */
static void settle_scratch(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    int error;

    ADIOI_AUTOTUNE_late_settle(fd, state, &error);
}

static void decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    if (state->mode == ADIOI_AUTOTUNE_DISABLE)
        return;
    if (state->ranks == 1) {
        if (state->notes[0] != '\0' && state->root->failure.text[0] == '\0')
            ADIOI_AUTOTUNE_report_alone(fd); /* again, with what the open has noted */
        return;
    }
    ADIOI_AUTOTUNE_tune_open(fd, state, access_mode);
    if (state->by_default && state->opened)
        ADIOI_AUTOTUNE_defaults_opened(fd, state);
}

/*
 * Decisions need the open file, whose striping and block size are known.  Our
 * collective slots are installed only here, after ADIO_Open has looked for generic
 * ones, without which it does not defer opens (ad_open.c:142).
 */
void ADIOI_AUTOTUNE_OpenColl_wrapped(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    double start = MPI_Wtime();

    open_wrapped(fd, state, rank, access_mode, error_code);
    if (state->root != NULL)
        state->root->open_seconds = MPI_Wtime() - start;
    state->opened = *error_code == MPI_SUCCESS;
    state->buffer_size = fd->hints->cb_buffer_size;
    decide(fd, state, access_mode);
    if (state->late && (access_mode & ADIO_DELETE_ON_CLOSE))
        settle_scratch(fd, state);
    if (state->late)
        ADIOI_AUTOTUNE_install(fd, state->wrapped, ADIOI_AUTOTUNE_LATE);
    else
        ADIOI_AUTOTUNE_install_by_state(fd, state);
}
