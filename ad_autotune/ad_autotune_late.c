#include "ad_autotune.h"

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
 * when the first collective write tells how large it is.  Whatever writes before
 * that gives it a layout first: a write to a file without one fails.
 *
 * Until then every open for writing says O_LOV_DELAY_CREATE, or Lustre would give
 * the file the default layout.  The first blocking collective call settles the
 * layout on all ranks together.  Any other access may come on one rank alone, and
 * a nonblocking one must not wait for others, so that the rank sets the layout
 * itself, or finds the one that another has set.
 */

/* --- creating */

/* What rank 0 tells of it.  Sent as bytes. */
typedef struct created {
    ADIOI_AUTOTUNE_creation how;
    int refused; /* the user's striping */
    ADIOI_AUTOTUNE_striping usual;
    int usual_length;
    unsigned char usual_bytes[sizeof(((ADIOI_AUTOTUNE_state *) 0)->usual_bytes)];
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
                 {"romio_lustre_start_iodevice", striping->start, striping->start >= 0}};
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

/* On rank 0.  Any error is left to the wrapped open, which meets it again. */
static void create(ADIO_File fd, ADIOI_AUTOTUNE_state *state, created *created)
{
    ADIOI_AUTOTUNE_striping wanted = state->root->settings->striping, found;
    int perm = fd->perm == ADIO_PERM_NULL ? 0666 : fd->perm, descriptor, plain;
    char pool[LOV_MAXPOOLNAME + 1];

    plain = ADIOI_AUTOTUNE_striping_usual(fd->filename, state, pool);
    if (!plain && !is_given(&wanted))
        return;
    descriptor =
        open(fd->filename, O_CREAT | O_EXCL | O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC, perm);
    if (descriptor < 0)
        return;
    if (ADIOI_AUTOTUNE_striping_get(descriptor, &found) == 0 || errno != ENODATA) {
        unlink(fd->filename); /* this is no Lustre, or not one that waits */
    } else if (is_given(&wanted) && ADIOI_AUTOTUNE_striping_set(descriptor, &wanted, pool) == 0) {
        created->how = ADIOI_AUTOTUNE_CREATED;
    } else {
        if (is_given(&wanted))
            note_refused(fd, &wanted, errno, created);
        if (plain)
            created->how = ADIOI_AUTOTUNE_CREATED_LATE;
        else
            unlink(fd->filename); /* the wrapped open makes what the directory has */
    }
    if (created->how == ADIOI_AUTOTUNE_CREATED_LATE)
        state->root->descriptor = descriptor;
    else
        close(descriptor);
}

/* The user's striping as if it had not been given. */
static void forget_striping(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    static const ADIOI_AUTOTUNE_striping none = {0, 0, -1};

    ADIOI_AUTOTUNE_striping_report(fd, &(ADIOI_AUTOTUNE_striping){0, 0, 0});
    if (state->root == NULL)
        return;
    state->root->settings->striping = none;
    state->root->settings->fixed &= ~(1u << ATM_FIX_STRIPE_SIZE | 1u << ATM_FIX_STRIPE_COUNT);
}

ADIOI_AUTOTUNE_creation ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                                   int access_mode)
{
    created created = {.how = ADIOI_AUTOTUNE_ANYHOW};

    if (state->wrapped->file_system != ADIO_LUSTRE || !(access_mode & ADIO_CREATE))
        return ADIOI_AUTOTUNE_ANYHOW;
    memcpy(created.notes, state->notes, sizeof(created.notes));
#ifdef HAVE_LUSTRE_LOCKAHEAD /* which the wrapped open sets up */
    if (fd->hints->fs_hints.lustre.lock_ahead_read || fd->hints->fs_hints.lustre.lock_ahead_write)
        return ADIOI_AUTOTUNE_ANYHOW;
#endif
    if (state->root != NULL) {
        create(fd, state, &created);
        created.usual = state->usual;
        created.usual_length = state->usual_length;
        memcpy(created.usual_bytes, state->usual_bytes, sizeof(created.usual_bytes));
    }
    if (MPI_Bcast(&created, sizeof(created), MPI_BYTE, 0, fd->comm) != MPI_SUCCESS)
        return ADIOI_AUTOTUNE_ANYHOW; /* nothing on this communicator goes well any more */
    state->usual = created.usual;
    state->usual_length = created.usual_length;
    memcpy(state->usual_bytes, created.usual_bytes, sizeof(state->usual_bytes));
    memcpy(state->notes, created.notes, sizeof(state->notes));
    if (created.refused)
        forget_striping(fd, state);
    state->late = created.how == ADIOI_AUTOTUNE_CREATED_LATE;
    return created.how;
}

/* --- settling */

/* After another client has set the layout, a descriptor shows it from its first
 * access on. */
static int look(int descriptor, ADIOI_AUTOTUNE_striping *made_p)
{
    struct stat info;
    char byte;

    if (ADIOI_AUTOTUNE_striping_get(descriptor, made_p) == 0)
        return 0;
    if (pread(descriptor, &byte, 1, 0) < 0 && fstat(descriptor, &info) != 0)
        return -1;
    return ADIOI_AUTOTUNE_striping_get(descriptor, made_p);
}

/* Give the file a layout, the wanted one if it can be, unless it has one; local.
 * 0, or -1 and errno. */
static int make(int descriptor, const ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_striping *made_p)
{
    ADIOI_AUTOTUNE_striping wanted = {(int) state->layout.stripe_size, state->layout.stripe_count,
                                      -1};

    if ((wanted.count == 0 ||
         (ADIOI_AUTOTUNE_striping_set(descriptor, &wanted, "") != 0 && errno != EEXIST)) &&
        ADIOI_AUTOTUNE_striping_set_usual(descriptor, state) != 0 && errno != EEXIST)
        return -1;
    return look(descriptor, made_p);
}

/* What was wanted and is not. */
static void note_difference(ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_striping *made = &state->striping;
    const atm_config *wanted = &state->layout;
    size_t used = strlen(state->notes);

    if (wanted->stripe_count == 0 || strstr(state->notes, "were wanted") != NULL ||
        (wanted->stripe_count == made->count && wanted->stripe_size == (uint64_t) made->unit))
        return;
    snprintf(state->notes + used, sizeof(state->notes) - used,
             "%s%d stripes of %llu bytes were wanted, the file has %d of %d", used > 0 ? "; " : "",
             wanted->stripe_count, (unsigned long long) wanted->stripe_size, made->count,
             made->unit);
}

static void take(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_striping *made)
{
    int news = state->striping.unit == 0;

    state->striping = *made;
    ADIOI_AUTOTUNE_striping_report(fd, made);
    note_difference(state);
    ADIOI_AUTOTUNE_report_decision(fd, state);
    if (state->root != NULL && news)
        ADIOI_AUTOTUNE_explain_layout(state);
    ADIOI_AUTOTUNE_install_watched(fd, state);
}

static int failure(ADIO_File fd, int error)
{
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
        int error; /* errno */
    } told = {{0, 0, 0}, 0};

    if (state->root != NULL && make(state->root->descriptor, state, &told.made) != 0)
        told.error = errno;
    *error_code = MPI_Bcast(&told, sizeof(told), MPI_BYTE, 0, fd->comm);
    if (*error_code == MPI_SUCCESS && told.error != 0)
        *error_code = failure(fd, told.error);
    if (*error_code != MPI_SUCCESS)
        return;
    state->late = 0;
    close_descriptor(state);
    take(fd, state, &told.made);
}

void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    ADIOI_AUTOTUNE_striping made;
    /* with a deferred open this rank may have none */
    int mine = fd->is_open ? -1 : open(fd->filename, O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC);
    int descriptor = fd->is_open ? fd->fd_sys : mine;

    *error_code = MPI_SUCCESS;
    if (state->striping.unit == 0) {
        if (descriptor < 0 || make(descriptor, state, &made) != 0)
            *error_code = failure(fd, errno);
        else
            take(fd, state, &made);
    }
    if (mine >= 0)
        close(mine);
}

void ADIOI_AUTOTUNE_late_end(ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_striping made;

    if (state->root->descriptor < 0)
        return;
    /* nobody wrote: where it cannot be done nothing is lost, and the next writer
     * gets the default */
    if (state->striping.unit == 0 && make(state->root->descriptor, state, &made) == 0) {
        state->striping = made;
        note_difference(state);
        ADIOI_AUTOTUNE_explain_layout(state);
    }
    close_descriptor(state);
}

/* --- slots */

/* As ADIOI_LUSTRE_Open (ad_lustre_open.c:75), of a file that is there. */
static void late_Open(ADIO_File fd, int *error_code)
{
    int flags = O_LOV_DELAY_CREATE | (fd->access_mode & ADIO_RDWR     ? O_RDWR
                                      : fd->access_mode & ADIO_WRONLY ? O_WRONLY
                                                                      : O_RDONLY);

    fd->fd_direct = -1;
    fd->fd_sys = open(fd->filename, flags);
    if (fd->fd_sys >= 0 && (fd->direct_write || fd->direct_read)) {
        fd->fd_direct = open(fd->filename, flags | O_DIRECT);
        fd->d_mem = fd->d_miniosz = 4096;
        if (fd->fd_direct < 0)
            fd->direct_write = fd->direct_read = 0;
    }
    if (fd->fd_sys >= 0 && (fd->access_mode & ADIO_APPEND))
        fd->fp_ind = fd->fp_sys_posn = lseek(fd->fd_sys, 0, SEEK_END);
    *error_code = fd->fd_sys >= 0
                      ? MPI_SUCCESS
                      : ADIOI_Err_create_code("ADIOI_AUTOTUNE_OPEN", fd->filename, errno);
}

/* A layout, then what was called. */
#define LATE(slot, parameters, arguments)                                                          \
    static void late_##slot parameters                                                             \
    {                                                                                              \
        ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), error_code);             \
        if (*error_code == MPI_SUCCESS)                                                            \
            fd->fns->ADIOI_xxx_##slot arguments;                                                   \
    }
#define BLOCKING(slot, pointer)                                                                    \
    LATE(slot,                                                                                     \
         (ADIO_File fd, pointer buf, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,            \
          int file_ptr_type, ADIO_Offset offset, ADIO_Status *status, int *error_code),            \
         (fd, buf, count, datatype, file_ptr_type, offset, status, error_code))
#define NONBLOCKING(slot, pointer)                                                                 \
    LATE(slot,                                                                                     \
         (ADIO_File fd, pointer buf, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,            \
          int file_ptr_type, ADIO_Offset offset, ADIO_Request *request, int *error_code),          \
         (fd, buf, count, datatype, file_ptr_type, offset, request, error_code))

BLOCKING(ReadContig, void *)
BLOCKING(WriteContig, const void *)
BLOCKING(ReadStrided, void *)
BLOCKING(WriteStrided, const void *)
NONBLOCKING(IreadContig, void *)
NONBLOCKING(IwriteContig, const void *)
NONBLOCKING(IreadStrided, void *)
NONBLOCKING(IwriteStrided, const void *)

static ADIOI_Fns *wrapped_fns(ADIO_File fd)
{
    return ADIOI_AUTOTUNE_wrapped_of(fd)->fns;
}

/* Neither the size nor the mode of access needs a layout; libraries ask for them
 * before they know what they write. */
static void late_Fcntl(ADIO_File fd, int flag, ADIO_Fcntl_t *fcntl_struct, int *error_code)
{
    if (flag != ADIO_FCNTL_SET_DISKSPACE)
        wrapped_fns(fd)->ADIOI_xxx_Fcntl(fd, flag, fcntl_struct, error_code);
    if (flag != ADIO_FCNTL_SET_DISKSPACE && *error_code == MPI_SUCCESS)
        return;
    ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), error_code);
    if (*error_code == MPI_SUCCESS)
        fd->fns->ADIOI_xxx_Fcntl(fd, flag, fcntl_struct, error_code);
}

static void late_Flush(ADIO_File fd, int *error_code)
{
    wrapped_fns(fd)->ADIOI_xxx_Flush(fd, error_code);
    if (*error_code == MPI_SUCCESS)
        return;
    ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), error_code);
    if (*error_code == MPI_SUCCESS)
        fd->fns->ADIOI_xxx_Flush(fd, error_code);
}

/* Libraries truncate what they create.  One rank resizes and tells the others
 * (ad_resize.c:20), so that all have to call it whatever comes before. */
static void late_Resize(ADIO_File fd, ADIO_Offset size, int *error_code)
{
    int rank, error = MPI_SUCCESS;

    MPI_Comm_rank(fd->comm, &rank);
    if (size > 0 || (rank == fd->hints->ranklist[0] && ftruncate(fd->fd_sys, 0) != 0))
        ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), &error);
    wrapped_fns(fd)->ADIOI_xxx_Resize(fd, size, error_code);
    if (*error_code == MPI_SUCCESS)
        *error_code = error;
}

void ADIOI_AUTOTUNE_late_slots(ADIOI_Fns *fns)
{
    fns->ADIOI_xxx_Open = late_Open;
    fns->ADIOI_xxx_ReadContig = late_ReadContig;
    fns->ADIOI_xxx_WriteContig = late_WriteContig;
    fns->ADIOI_xxx_ReadStrided = late_ReadStrided;
    fns->ADIOI_xxx_WriteStrided = late_WriteStrided;
    fns->ADIOI_xxx_IreadContig = late_IreadContig;
    fns->ADIOI_xxx_IwriteContig = late_IwriteContig;
    fns->ADIOI_xxx_IreadStrided = late_IreadStrided;
    fns->ADIOI_xxx_IwriteStrided = late_IwriteStrided;
    fns->ADIOI_xxx_Fcntl = late_Fcntl;
    fns->ADIOI_xxx_Flush = late_Flush;
    fns->ADIOI_xxx_Resize = late_Resize;
}

#else /* no Lustre: no file is late */

ADIOI_AUTOTUNE_creation ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                                   int access_mode)
{
    (void) fd, (void) state, (void) access_mode;
    return ADIOI_AUTOTUNE_ANYHOW;
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

void ADIOI_AUTOTUNE_late_slots(ADIOI_Fns *fns)
{
    (void) fns;
}

#endif
