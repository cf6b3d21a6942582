#include "ad_autotune.h"

#include "adioi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#ifdef ROMIO_LUSTRE

#include "../ad_lustre/ad_lustre.h"

/*
 * Late striping: a new file is created without objects, and its striping is set
 * when the first collective write tells how large it is.  Whatever comes before
 * that gives it a layout first: a write to a file without one fails.
 *
 * The first collective call settles the layout on all ranks together.  Any other
 * access may come on one rank alone, so that the rank sets a layout itself, or
 * finds the one that another has set; the others learn of it at their first
 * access, or at the collective call.
 */

/* A layout as ROMIO knows it. */
typedef struct layout {
    int unit, count, start;
} layout;

/* Room for the objects of the widest file. */
static struct lov_user_md *new_lum(void)
{
    struct lov_user_md *lum =
        ADIOI_Calloc(1, sizeof(*lum) + LOV_MAX_STRIPE_COUNT * sizeof(struct lov_user_ost_data));

    lum->lmm_magic = LOV_USER_MAGIC;
    return lum;
}

/* All zero, and errno, where the file has none. */
static layout get_layout(int fd)
{
    struct lov_user_md *lum = new_lum();
    layout found = {0, 0, 0};

    if (ioctl(fd, LL_IOC_LOV_GETSTRIPE, lum) == 0 && lum->lmm_stripe_size > 0 &&
        lum->lmm_stripe_count > 0)
        found = (layout){(int) lum->lmm_stripe_size, lum->lmm_stripe_count, lum->lmm_stripe_offset};
    ADIOI_Free(lum);
    return found;
}

/* 0 for a number: the file system's default. */
static int set_layout(int fd, uint64_t unit, int count)
{
    struct lov_user_md *lum = new_lum();
    int error;

    lum->lmm_stripe_size = (unsigned) unit;
    lum->lmm_stripe_count = (unsigned short) count;
    lum->lmm_stripe_offset = (unsigned short) -1; /* where the server likes */
    error = ioctl(fd, LL_IOC_LOV_SETSTRIPE, lum);
    ADIOI_Free(lum);
    return error == 0 || errno == EEXIST;
}

/* Give the file a layout, the wanted one if it can be, unless it has one; local. */
static layout make_layout(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    const atm_config *config = &state->layout;
    int descriptor = open(fd->filename, O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC);
    layout made = {0, 0, 0};

    if (descriptor < 0)
        return made;
    if (!set_layout(descriptor, config->stripe_size, config->stripe_count))
        set_layout(descriptor, 0, 0);
    made = get_layout(descriptor);
    close(descriptor);
    return made;
}

/* As ADIOI_LUSTRE_Open (ad_lustre_open.c:128). */
static void take_layout(ADIO_File fd, const layout *layout)
{
    char text[32];

    fd->hints->striping_unit = layout->unit;
    snprintf(text, sizeof(text), "%d", layout->unit);
    ADIOI_Info_set(fd->info, "striping_unit", text);
    fd->hints->striping_factor = layout->count;
    snprintf(text, sizeof(text), "%d", layout->count);
    ADIOI_Info_set(fd->info, "striping_factor", text);
    fd->hints->start_iodevice = layout->start;
    snprintf(text, sizeof(text), "%d", layout->start);
    ADIOI_Info_set(fd->info, "romio_lustre_start_iodevice", text);
}

/* --- creating */

/* What a file in this directory gets by default; zeros where nobody set one. */
static layout default_layout(const char *filename)
{
    char directory[PATH_MAX];
    layout found = {0, 0, 0};
    int descriptor;

    if (ADIOI_AUTOTUNE_directory(filename, directory, sizeof(directory)) != 0)
        return found;
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        found = get_layout(descriptor);
        close(descriptor);
    }
    return found;
}

/* On rank 0: 1 if the file is new, was created here and has no objects.  Any
 * error is left to the wrapped open, which meets it again. */
static int create(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const unsigned striping = 1u << ATM_FIX_STRIPE_SIZE | 1u << ATM_FIX_STRIPE_COUNT;
    int perm = fd->perm == ADIO_PERM_NULL ? 0666 : fd->perm, descriptor, waits;
    layout usual;

    if ((state->settings->fixed & striping) != 0 || state->settings->start)
        return 0;
    descriptor =
        open(fd->filename, O_CREAT | O_EXCL | O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC, perm);
    if (descriptor < 0)
        return 0;
    errno = 0;
    get_layout(descriptor);
    waits = errno == ENODATA;
    close(descriptor);
    if (!waits) { /* this is no Lustre, or not one that waits */
        unlink(fd->filename);
        return 0;
    }
    usual = default_layout(fd->filename);
    state->usual_unit = usual.unit;
    state->usual_count = usual.count;
    return 1;
}

int ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    if (state->wrapped->file_system != ADIO_LUSTRE || !(access_mode & ADIO_CREATE))
        return 0;
    if (state->settings != NULL)
        state->late = create(fd, state);
    MPI_Bcast(&state->late, 1, MPI_INT, 0, fd->comm);
    return state->late;
}

/* --- settling */

void ADIOI_AUTOTUNE_late_settle(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    layout made = {0, 0, 0};
    int error;

    if (state->settings != NULL)
        made = make_layout(fd, state);
    MPI_Bcast(&made, sizeof(made), MPI_BYTE, 0, fd->comm);
    state->late = 0;
    if (made.unit > 0)
        take_layout(fd, &made);
    else
        ADIOI_AUTOTUNE_leave_lustre(fd, state, &error);
    ADIOI_AUTOTUNE_install_watched(fd, state);
}

/* On this rank alone.  ROMIO divides by the unit, so there must be one, even if
 * this client cannot see yet what another has set. */
void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    layout made = make_layout(fd, state);

    if (made.unit <= 0)
        made = (layout){1 << 20, 1, 0};
    take_layout(fd, &made);
    ADIOI_AUTOTUNE_install_watched(fd, state);
}

/* --- slots: a layout, then what was called */

#define LATE(slot, parameters, arguments)                                                          \
    static void late_##slot parameters                                                             \
    {                                                                                              \
        ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd));                         \
        fd->fns->ADIOI_xxx_##slot arguments;                                                       \
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
LATE(Fcntl, (ADIO_File fd, int flag, ADIO_Fcntl_t *fcntl_struct, int *error_code),
     (fd, flag, fcntl_struct, error_code))
LATE(Flush, (ADIO_File fd, int *error_code), (fd, error_code))
LATE(Resize, (ADIO_File fd, ADIO_Offset size, int *error_code), (fd, size, error_code))

/* Nobody may have accessed the file: one rank sees to it. */
static void late_Close(ADIO_File fd, int *error_code)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    if (state->settings != NULL)
        make_layout(fd, state);
    state->wrapped->fns->ADIOI_xxx_Close(fd, error_code);
}

void ADIOI_AUTOTUNE_late_slots(ADIOI_Fns *fns)
{
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
    fns->ADIOI_xxx_Close = late_Close;
}

#else /* no Lustre: no file is late */

int ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    (void) fd, (void) state, (void) access_mode;
    return 0;
}

void ADIOI_AUTOTUNE_late_settle(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    (void) fd, (void) state;
}

void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    (void) fd, (void) state;
}

void ADIOI_AUTOTUNE_late_slots(ADIOI_Fns *fns)
{
    (void) fns;
}

#endif
