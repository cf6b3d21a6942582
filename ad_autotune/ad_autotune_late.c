#include "ad_autotune_late.h"

#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "adioi.h"

#ifdef ROMIO_LUSTRE

#include "../ad_lustre/ad_lustre.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Late striping: a new file is created without objects, and its striping is set
 * when the first collective write shows how much is written.  Any other access sets
 * a layout first: a write to a file without one fails.  A file of one process is
 * never late: it has no aggregators to choose, and would take twice the system calls.
 *
 * Until then every open for writing uses O_LOV_DELAY_CREATE, or Lustre would give
 * the file the default layout.  The first blocking collective call settles the
 * layout on all ranks together.  Any other access may happen on one rank alone,
 * and a nonblocking one must not wait for others: the rank sets the layout
 * itself, or finds the one that another rank has set.
 */

/* --- creating */

/* What rank 0 broadcasts about it, as bytes. */
typedef struct created {
    ADIOI_AUTOTUNE_creation how;
    int refused;                              /* the user's striping, by Lustre */
    ADIOI_AUTOTUNE_striping default_striping; /* as in the state, as the next two */
    int default_length;
    unsigned char default_layout[ADIOI_AUTOTUNE_LAYOUT];
    char notes[ADIOI_AUTOTUNE_NOTES];
} created;

static int is_given(const ADIOI_AUTOTUNE_striping *striping)
{
    return striping->unit != 0 || striping->count != 0 || striping->start >= 0;
}

static void note_refused(ADIO_File fd, const ADIOI_AUTOTUNE_striping *striping, int error,
                         created *created)
{
    const struct {
        const char *key;
        int value, given;
    } hints[] = {{"striping_unit", striping->unit, striping->unit != 0},
                 {"striping_factor", striping->count, striping->count != 0},
                 {ADIOI_AUTOTUNE_START_IODEVICE, striping->start, striping->start >= 0}};
    char value[16], why[128];

    created->refused = 1;
    snprintf(why, sizeof(why), "refused for %.60s: %s", fd->filename, strerror(error));
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        if (!hints[i].given)
            continue;
        snprintf(value, sizeof(value), "%d", hints[i].value);
        ADIOI_AUTOTUNE_note(created->notes, sizeof(created->notes), hints[i].key, value, why);
    }
}

/* On rank 0.  Errors are left to the wrapped open, which will encounter them again. */
static void create(ADIO_File fd, ADIOI_AUTOTUNE_state *state, created *created)
{
    ADIOI_AUTOTUNE_striping wanted = state->root->settings->striping, found;
    int perm = fd->perm == ADIO_PERM_NULL ? 0666 : fd->perm, descriptor, may_be_late;
    char pool[LOV_MAXPOOLNAME + 1];

    if (state->ranks == 1 && !is_given(&wanted))
        return;
    may_be_late = ADIOI_AUTOTUNE_striping_default(fd->filename, state, pool) && state->ranks > 1;
    if (!may_be_late && !is_given(&wanted))
        return;
    descriptor =
        open(fd->filename, O_CREAT | O_EXCL | O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC, perm);
    if (descriptor < 0)
        return;
    if (ADIOI_AUTOTUNE_striping_get(descriptor, &found) == 0 || errno != ENODATA) {
        unlink(fd->filename); /* not Lustre, or it does not delay layouts */
    } else if (is_given(&wanted) && ADIOI_AUTOTUNE_striping_set(descriptor, &wanted, pool) == 0) {
        created->how = ADIOI_AUTOTUNE_CREATED;
    } else {
        if (is_given(&wanted))
            note_refused(fd, &wanted, errno, created);
        if (may_be_late)
            created->how = ADIOI_AUTOTUNE_CREATED_LATE;
        else
            unlink(fd->filename); /* the wrapped open creates it by the directory's default */
    }
    if (created->how == ADIOI_AUTOTUNE_CREATED_LATE)
        state->root->descriptor = descriptor;
    else
        close(descriptor);
}

/* As if the user had given no striping. */
static void forget_striping(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    static const ADIOI_AUTOTUNE_striping none = {0, 0, -1, 0};

    ADIOI_AUTOTUNE_striping_report(fd, &(ADIOI_AUTOTUNE_striping){0, 0, 0, 0});
    if (state->root == NULL)
        return;
    state->root->settings->striping = none;
    state->root->settings->fixed &= ~(1u << ATM_FIX_STRIPE_SIZE | 1u << ATM_FIX_STRIPE_COUNT);
}

ADIOI_AUTOTUNE_creation ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                                   int access_mode)
{
    created created = {.how = ADIOI_AUTOTUNE_NOT_CREATED};

    if (state->wrapped->file_system != ADIO_LUSTRE || !(access_mode & ADIO_CREATE))
        return ADIOI_AUTOTUNE_NOT_CREATED;
    memcpy(created.notes, state->notes, sizeof(created.notes));
#ifdef HAVE_LUSTRE_LOCKAHEAD /* which the wrapped open sets up */
    if (fd->hints->fs_hints.lustre.lock_ahead_read || fd->hints->fs_hints.lustre.lock_ahead_write)
        return ADIOI_AUTOTUNE_NOT_CREATED;
#endif
    if (state->root != NULL) {
        create(fd, state, &created);
        created.default_striping = state->default_striping;
        created.default_length = state->default_length;
        memcpy(created.default_layout, state->default_layout, sizeof(created.default_layout));
    }
    if (MPI_Bcast(&created, sizeof(created), MPI_BYTE, 0, fd->comm) != MPI_SUCCESS)
        return ADIOI_AUTOTUNE_NOT_CREATED; /* the wrapped open encounters it again */
    state->default_striping = created.default_striping;
    state->default_length = created.default_length;
    memcpy(state->default_layout, created.default_layout, sizeof(state->default_layout));
    memcpy(state->notes, created.notes, sizeof(state->notes));
    if (created.refused)
        forget_striping(fd, state);
    state->late = created.how == ADIOI_AUTOTUNE_CREATED_LATE;
    return created.how;
}

/* --- settling */

/* A layout that another client has set becomes visible through a descriptor only
 * after the first access through it. */
static int read_layout(int descriptor, ADIOI_AUTOTUNE_striping *made_p)
{
    struct stat info;
    char byte;

    if (ADIOI_AUTOTUNE_striping_get(descriptor, made_p) == 0)
        return 0;
    if (pread(descriptor, &byte, 1, 0) < 0 && fstat(descriptor, &info) != 0)
        return -1;
    return ADIOI_AUTOTUNE_striping_get(descriptor, made_p);
}

/* With the targets that were picked, which only rank 0 knows, several times if need be; else with
 * each of them once; anywhere if Lustre refuses these. */
static int set_decided(int descriptor, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_striping wanted = {(int) state->layout.stripe_size,
                                            state->layout.stripe_count, -1, 0};
    const int *targets = state->root != NULL && state->layout.steered &&
                                 state->root->target_count == state->layout.stripe_count
                             ? state->root->targets
                             : NULL;

    if (targets != NULL &&
        (ADIOI_AUTOTUNE_striping_set_listed(descriptor, &wanted, targets) == 0 || errno == EEXIST ||
         ADIOI_AUTOTUNE_striping_set_once(descriptor, &wanted, targets) == 0 || errno == EEXIST))
        return 0;
    state->unlisted = targets != NULL ? errno : 0;
    return ADIOI_AUTOTUNE_striping_set(descriptor, &wanted, "") == 0 || errno == EEXIST ? 0 : -1;
}

/* Give the file a layout unless it has one: the decision's, or the default if Lustre
 * refuses it; local.  0, or -1 and errno. */
static int set_layout(int descriptor, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_striping *made_p)
{
    if ((state->layout.stripe_count == 0 || set_decided(descriptor, state) != 0) &&
        ADIOI_AUTOTUNE_striping_set_default(descriptor, state) != 0 && errno != EEXIST)
        return -1;
    return read_layout(descriptor, made_p);
}

static void note_unlisted(ADIOI_AUTOTUNE_state *state)
{
    size_t used = strlen(state->notes);

    if (state->unlisted == 0 || state->told_unlisted)
        return;
    snprintf(state->notes + used, sizeof(state->notes) - used,
             "%sthe OSTs that were picked were refused (%s), the file is on others",
             used > 0 ? "; " : "", strerror(state->unlisted));
    state->told_unlisted = 1;
}

/* Note a layout that is not the one decided on. */
static void note_difference(ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_striping *made = &state->striping;
    const atm_config *wanted = &state->layout;
    size_t used = strlen(state->notes);

    if (wanted->stripe_count == 0 || state->told_difference ||
        (wanted->stripe_count == made->count && wanted->stripe_size == (uint64_t) made->unit))
        return;
    snprintf(state->notes + used, sizeof(state->notes) - used,
             "%s%d stripes of %llu bytes were requested, but the file has %d of %d",
             used > 0 ? "; " : "", wanted->stripe_count, (unsigned long long) wanted->stripe_size,
             made->count, made->unit);
    state->told_difference = 1;
}

static void adopt_layout(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                         const ADIOI_AUTOTUNE_striping *made)
{
    int first = state->striping.unit == 0;

    state->striping = *made;
    ADIOI_AUTOTUNE_striping_report(fd, made);
    note_unlisted(state);
    note_difference(state);
    ADIOI_AUTOTUNE_report_decision(fd, state);
    if (state->root != NULL && first)
        ADIOI_AUTOTUNE_explain_layout(state);
    ADIOI_AUTOTUNE_install_by_state(fd, state);
}

/* Lustre gives no layout to a file without a name, and takes no data without a layout. */
static int failure(ADIO_File fd, int error)
{
    if (error == ESTALE)
        return MPIO_Err_create_code(
            MPI_SUCCESS, MPIR_ERR_RECOVERABLE, "ADIOI_AUTOTUNE_LATE_SETTLE", __LINE__, MPI_ERR_IO,
            "**io", "**io %s",
            "the file was removed before its first write, when Lustre gives it no stripes any "
            "more; "
            "open it with a hint for its striping (striping_factor), with MPI_MODE_DELETE_ON_CLOSE "
            "instead of removing it, or with romio_autotune=disable");
    return ADIOI_Err_create_code("ADIOI_AUTOTUNE_LATE_SETTLE", fd->filename, error);
}

static void close_descriptor(ADIOI_AUTOTUNE_state *state)
{
    if (state->root == NULL || state->root->descriptor < 0)
        return;
    close(state->root->descriptor);
    state->root->descriptor = -1;
}

void ADIOI_AUTOTUNE_late_settle(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    struct {
        ADIOI_AUTOTUNE_striping made;
        int error, unlisted; /* errno */
    } result = {{0, 0, 0, 0}, 0, 0};

    if (state->root != NULL && set_layout(state->root->descriptor, state, &result.made) != 0)
        result.error = errno;
    result.unlisted = state->unlisted;
    *error_code = MPI_Bcast(&result, sizeof(result), MPI_BYTE, 0, fd->comm);
    if (*error_code == MPI_SUCCESS && result.error != 0)
        *error_code = failure(fd, result.error);
    if (*error_code != MPI_SUCCESS)
        return;
    state->late = 0;
    state->unlisted = result.unlisted;
    close_descriptor(state);
    adopt_layout(fd, state, &result.made);
}

void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    ADIOI_AUTOTUNE_striping made;
    /* with a deferred open this rank may have none */
    int mine = fd->is_open ? -1 : open(fd->filename, O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC);
    int descriptor = fd->is_open ? fd->fd_sys : mine;

    *error_code = MPI_SUCCESS;
    if (state->striping.unit == 0) {
        if (descriptor < 0 || set_layout(descriptor, state, &made) != 0)
            *error_code = failure(fd, errno);
        else
            adopt_layout(fd, state, &made);
    }
    if (mine >= 0)
        close(mine);
}

void ADIOI_AUTOTUNE_late_end(ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_striping made;

    if (state->root->descriptor < 0)
        return;
    /* nothing was written: on failure nothing is lost, and the next open for writing
     * gives the file the default layout */
    if (state->striping.unit == 0 && set_layout(state->root->descriptor, state, &made) == 0) {
        state->striping = made;
        note_unlisted(state);
        note_difference(state);
        ADIOI_AUTOTUNE_explain_layout(state);
    }
    close_descriptor(state);
}

#else /* no Lustre: no file is late */

ADIOI_AUTOTUNE_creation ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                                   int access_mode)
{
    (void) fd, (void) state, (void) access_mode;
    return ADIOI_AUTOTUNE_NOT_CREATED;
}

void ADIOI_AUTOTUNE_late_settle(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    (void) fd, (void) state;
    *error_code = MPI_SUCCESS;
}

void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    (void) fd, (void) state;
    *error_code = MPI_SUCCESS;
}

void ADIOI_AUTOTUNE_late_end(ADIOI_AUTOTUNE_state *state)
{
    (void) state;
}

#endif
