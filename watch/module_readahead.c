/*
 * readahead: tells the kernel what will be read.  If the distance between reads of a descriptor was
 * the same several times, the next places are advised (posix_fadvise); reads that follow each other
 * need none, the kernel sees them itself.
 */

#include <fcntl.h>

#include "modules.h"

/* after: right predictions before anything is advised; ahead: how many reads are advised. */
static uint64_t after = 4, ahead = 1;

static const atw_option options[] = {
    {"after", &after, 1, 1000}, {"ahead", &ahead, 1, 1024}, {.name = NULL}};

enum { SLOTS = 64 };

/* Reads of a descriptor by one thread. */
typedef struct reads {
    uint32_t file;
    int fd;
    int64_t last, stride; /* where the last one was, and how far from the one before */
    uint64_t right;       /* predictions in a row */
    int64_t advised;      /* up to where */
} reads;

typedef struct state {
    reads slots[SLOTS];
    uint64_t seen, hits, misses, advised;
} state;

static void advise(state *mine, reads *r, const atw_activity *activity)
{
    for (uint64_t i = 1; i <= ahead; i++) {
        int64_t at;

        if (__builtin_mul_overflow(r->stride, (int64_t) i, &at) ||
            __builtin_add_overflow(at, activity->offset, &at) || at < 0)
            return;
        if (r->stride > 0 ? at <= r->advised : at >= r->advised)
            continue; /* told before */
        posix_fadvise(r->fd, at, (off_t) activity->bytes, POSIX_FADV_WILLNEED);
        r->advised = at;
        mine->advised++;
    }
}

/* Another stride begins where this read is. */
static void miss(reads *r, int64_t offset, int64_t stride)
{
    r->stride = stride;
    r->right = 0;
    r->advised = offset;
}

static void follow(state *mine, reads *r, const atw_activity *activity)
{
    int64_t stride = activity->offset - r->last;

    if (stride == r->stride) {
        r->right++;
        mine->hits += r->right > after; /* of those that were advised */
    } else {
        mine->misses += r->right >= after;
        miss(r, activity->offset, stride);
    }
    r->last = activity->offset;
    if (r->right >= after && r->stride != 0 && r->stride != (int64_t) activity->bytes)
        advise(mine, r, activity);
}

static void see(void **state_, const atw_call *call)
{
    const atw_activity *activity = &call->activity;
    state *mine = *state_;
    reads *r;

    if (call->fd < 0 || atw_calls[activity->call].class != ATW_READ || activity->offset < 0 ||
        activity->bytes == 0)
        return;
    if (mine == NULL)
        mine = *state_ = atw_take_apart(sizeof(*mine));
    if (mine == NULL)
        return;
    mine->seen++;
    r = &mine->slots[call->fd % SLOTS];
    if (r->file != activity->file || r->fd != call->fd) {
        *r = (reads){.file = activity->file, .fd = call->fd, .last = activity->offset};
        return;
    }
    follow(mine, r, activity);
}

static void tell(void *const *states, size_t count, atw_text *text)
{
    state sum = {.seen = 0};

    for (size_t i = 0; i < count; i++) {
        const state *one = states[i];

        sum.seen += one->seen;
        sum.advised += one->advised;
        sum.hits += one->hits;
        sum.misses += one->misses;
    }
    atw_text_member(text, "reads", (int64_t) sum.seen);
    atw_text_member(text, "advised", (int64_t) sum.advised);
    atw_text_member(text, "hits", (int64_t) sum.hits);
    atw_text_member(text, "misses", (int64_t) sum.misses);
}

const atw_module atw_module_readahead = {
    .name = "readahead", .options = options, .see = see, .tell = tell};
