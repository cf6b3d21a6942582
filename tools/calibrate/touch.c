/* The first use of memory: aggregators write to pages of a collective buffer that do not exist yet,
 * as after ROMIO's malloc at open (ad_open.c:135). */

#include "calibrate.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct memory {
    char *from, *to; /* whole pages; nothing on ranks that have no buffer */
} memory;

static size_t page_size(void)
{
    return (size_t) sysconf(_SC_PAGESIZE);
}

static memory memory_of(const cal_place *place)
{
    uintptr_t page = page_size(), from = ((uintptr_t) place->buffer + page - 1) / page * page;
    uintptr_t to = ((uintptr_t) place->buffer + place->point->bytes) / page * page;
    bool aggregates = false;

    for (int i = 0; i < place->point->receivers; i++)
        aggregates = aggregates || place->chosen[i] == place->rank;
    return aggregates && to > from ? (memory){(char *) from, (char *) to} : (memory){NULL, NULL};
}

static int forget(void *state, int repetition)
{
    memory *m = state;

    (void) repetition;
    if (m->to > m->from)
        madvise(m->from, (size_t) (m->to - m->from), MADV_DONTNEED);
    return 0;
}

static int touch(void *state, int repetition)
{
    memory *m = state;
    size_t page = page_size();

    (void) repetition;
    for (char *at = m->from; at < m->to; at += page)
        *(volatile char *) at = 1;
    return 0;
}

int measure_touch(const cal_place *place, double *seconds, int *count_p)
{
    memory state = memory_of(place);
    cal_work work = {.comm = place->comm,
                     .apart = true,
                     .batch = 1,
                     .most = place->most + SAMPLE_WARM,
                     .state = &state,
                     .before = forget,
                     .run = touch};

    return sample_work(&work, place->limit, seconds, place->most, count_p);
}
