/* The first use of memory: aggregators write to pages of a collective buffer that do not exist yet,
 * as after ROMIO's malloc at open (ad_open.c:135). */

#include "calibrate.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void touch_forget(char *buffer, size_t bytes)
{
    uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t) buffer + page - 1) / page * page;
    uintptr_t to = ((uintptr_t) buffer + bytes) / page * page;

    if (to > from)
        madvise((void *) from, to - from, MADV_DONTNEED);
}

void touch_pages(char *buffer, size_t bytes)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE);

    for (size_t i = 0; i < bytes; i += page)
        ((volatile char *) buffer)[i] = 1;
}

/* Nothing on ranks that have no collective buffer */
typedef struct memory {
    char *buffer;
    size_t bytes;
} memory;

static int forget(void *state, int repetition)
{
    memory *m = state;

    (void) repetition;
    touch_forget(m->buffer, m->bytes);
    return 0;
}

static int touch(void *state, int repetition)
{
    memory *m = state;

    (void) repetition;
    touch_pages(m->buffer, m->bytes);
    return 0;
}

int measure_touch(const cal_place *place, double *seconds, int *count_p)
{
    memory state = {place->buffer, 0};
    cal_work work = {.comm = place->comm,
                     .apart = true,
                     .batch = 1,
                     .most = place->most + SAMPLE_WARM,
                     .state = &state,
                     .before = forget,
                     .run = touch};

    for (int i = 0; i < place->point->receivers; i++)
        if (place->chosen[i] == place->rank)
            state.bytes = place->point->bytes;
    return sample_work(&work, place->limit, seconds, place->most, count_p);
}
