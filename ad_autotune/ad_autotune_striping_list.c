#include "ad_autotune_late.h"

#include "adioi.h"

#ifdef ROMIO_LUSTRE

#include "../ad_lustre/ad_lustre.h"

#include <errno.h>
#include <sys/ioctl.h>

/* Layouts that name the OST of each stripe, some of them several times. */

static int is_repeated(const int *targets, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (targets[k] == targets[i])
                return 1;
    return 0;
}

int ADIOI_AUTOTUNE_striping_set_listed(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                       const int *targets)
{
    struct lov_user_md_v3 *layout;
    int result, error;

    if (striping->count > LOV_MAX_STRIPE_COUNT) {
        errno = EINVAL;
        return -1;
    }
    layout = ADIOI_Calloc(1, sizeof(*layout) +
                                 (size_t) striping->count * sizeof(layout->lmm_objects[0]));
    layout->lmm_magic = LOV_USER_MAGIC_SPECIFIC;
    layout->lmm_pattern = LOV_PATTERN_RAID0;
    if (is_repeated(targets, striping->count))
        layout->lmm_pattern |= LOV_PATTERN_OVERSTRIPING;
    layout->lmm_stripe_size = (uint32_t) striping->unit;
    layout->lmm_stripe_count = (uint16_t) striping->count;
    layout->lmm_stripe_offset = (uint16_t) targets[0];
    for (int i = 0; i < striping->count; i++)
        layout->lmm_objects[i].l_ost_idx = (uint32_t) targets[i];
    result = ioctl(descriptor, LL_IOC_LOV_SETSTRIPE, layout);
    error = errno;
    ADIOI_Free(layout);
    errno = error;
    return result;
}

/* Whether a list with an OST that has several stripes was refused and the same with each once was
 * not: a Lustre before 2.13. */
static int refuses_repeats;

int ADIOI_AUTOTUNE_striping_repeats(void)
{
    return !refuses_repeats;
}

/* Returns how many there are. */
static int take_once(const int *targets, int count, int *once_p)
{
    int found = 0;

    for (int i = 0; i < count; i++) {
        int before = 0;

        while (before < found && once_p[before] != targets[i])
            before++;
        if (before == found)
            once_p[found++] = targets[i];
    }
    return found;
}

int ADIOI_AUTOTUNE_striping_set_once(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                     const int *targets)
{
    ADIOI_AUTOTUNE_striping plain = *striping;
    int *once = ADIOI_Malloc((size_t) striping->count * sizeof(int)), result = -1, error = errno;

    plain.count = take_once(targets, striping->count, once);
    if (plain.count < striping->count) {
        result = ADIOI_AUTOTUNE_striping_set_listed(descriptor, &plain, once);
        error = errno;
        refuses_repeats |= result == 0;
    }
    ADIOI_Free(once);
    errno = error;
    return result;
}

#else /* no Lustre: no file has striping */

int ADIOI_AUTOTUNE_striping_repeats(void)
{
    return 0;
}

#endif
