/*
 * histogram: which activities took unusually long, or short.  For each call and class of sizes, a
 * histogram of times is learned; an activity is very slow if at most one in a thousand was as slow
 * so far, slow if one in a hundred; fast and very fast likewise.
 */

#include "histogram.h"

#include <string.h>

#include "modules.h"

/* learn: activities of a kind before any of them is judged. */
static uint64_t learn = 256;

static const atw_option options[] = {{"learn", &learn, 100, 1000000}, {.name = NULL}};

enum { BINS = 160, SIZES = 16, KINDS = 512, AGAIN = 64 };
enum { FOUR_TIMES = 8, CYCLES = 32 }; /* bins; cycles that are known to have been slow or not */
enum verdict { VERY_FAST, FAST, NORMAL, SLOW, VERY_SLOW, VERDICTS };
extern const atw_module atw_module_histogram;

static const char *const verdict_names[] = {"very_fast", "fast", "normal", "slow", "very_slow"};

/* Activities of one call and class of sizes. */
typedef struct kind {
    uint32_t key; /* 0: free; otherwise call and class, and 1 */
    uint32_t bins[BINS];
    uint64_t count; /* in bins */
    uint64_t slowest, slowest_id;
    unsigned limits[4]; /* bins: up to very fast and fast, from slow and very slow on */
    unsigned middle;    /* bin */
    uint64_t verdicts[VERDICTS];
    uint32_t recent[BINS]; /* of this cycle: not learned yet */
    uint32_t recent_count, cycle;
} kind;

typedef struct state {
    uint64_t left_out;
    _Atomic uint64_t cycles; /* that have ended, and in the last 32 bits which of them were slow */
    _Atomic uint64_t calls, judged, slow, very_slow, fast, longest, slow_time;
    kind kinds[KINDS];
} state;

/* --- times and sizes */

/* Four bins for each power of two. */
static unsigned bin_of(uint64_t time)
{
    unsigned power, bin;

    if (time < 4)
        return (unsigned) time;
    power = 63 - (unsigned) __builtin_clzll(time);
    bin = 4 * (power - 1) + (unsigned) (time >> (power - 2) & 3);
    return bin < BINS ? bin : BINS - 1;
}

/* Class of a size by powers of 4: nothing, up to 3 bytes, ... */
static unsigned class_of(uint64_t bytes)
{
    unsigned class = bytes > 0 ? 1 + (unsigned) (63 - __builtin_clzll(bytes)) / 2 : 0;

    return class < SIZES ? class : SIZES - 1;
}

static kind *kind_of(state *mine, const atw_activity *activity)
{
    uint32_t key = (uint32_t) activity->call * SIZES + class_of(activity->bytes) + 1;

    for (uint32_t i = 0; i < 16; i++) {
        kind *at = &mine->kinds[(key + i * 31) % KINDS];

        if (at->key == 0)
            at->key = key;
        if (at->key == key)
            return at;
    }
    return NULL;
}

/* --- learning and judging */

/* Where a share of all is at the low or high end; shares are one in so many. */
static unsigned low_end(const kind *k, uint64_t one_in)
{
    uint64_t sum = 0;
    unsigned bin = 0;

    while (bin < BINS && (sum += k->bins[bin]) <= k->count / one_in)
        bin++;
    return bin;
}

static unsigned high_end(const kind *k, uint64_t one_in)
{
    uint64_t sum = 0;
    unsigned bin = BINS;

    while (bin > 0 && (sum += k->bins[bin - 1]) <= k->count / one_in)
        bin--;
    return bin;
}

static void set_limits(kind *k)
{
    k->limits[0] = low_end(k, 1000);
    k->limits[1] = low_end(k, 100);
    k->limits[2] = high_end(k, 100);
    k->limits[3] = high_end(k, 1000);
    k->middle = low_end(k, 2);
}

static void learn_recent(kind *k)
{
    for (int i = 0; i < BINS; i++)
        k->bins[i] += k->recent[i];
    k->count += k->recent_count;
    if (k->count >= learn)
        set_limits(k);
}

static void begin_recent(kind *k)
{
    memset(k->recent, 0, sizeof(k->recent));
    k->recent_count = 0;
}

/* Without a reasoner there are no cycles, and everything is learned. */
static void catch_up(state *mine, kind *k)
{
    uint64_t cycles = atomic_load_explicit(&mine->cycles, memory_order_relaxed);
    uint32_t behind = (uint32_t) (cycles >> CYCLES) - k->cycle;

    if (behind == 0 && (cycles > 0 || k->recent_count < AGAIN))
        return;
    if (behind == 0 || behind > CYCLES || (cycles >> (behind - 1) & 1) == 0)
        learn_recent(k);
    begin_recent(k);
    k->cycle += behind;
}

static enum verdict judge(const kind *k, unsigned bin)
{
    if (k->count < learn)
        return NORMAL;
    return bin < k->limits[0]    ? VERY_FAST
           : bin < k->limits[1]  ? FAST
           : bin >= k->limits[3] ? VERY_SLOW
           : bin >= k->limits[2] ? SLOW
                                 : NORMAL;
}

/* --- for the reasoner */

/* Only one thread writes. */
static void add(_Atomic uint64_t *number, uint64_t what)
{
    atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + what,
                          memory_order_relaxed);
}

static void count_judged(state *mine, const kind *k, unsigned bin, uint64_t time)
{
    bool is_far = bin >= k->middle + FOUR_TIMES, is_slow = is_far && bin >= k->limits[2];

    add(&mine->calls, 1);
    if (time > atomic_load_explicit(&mine->longest, memory_order_relaxed))
        atomic_store_explicit(&mine->longest, time, memory_order_relaxed);
    if (k->count < learn)
        return;
    add(&mine->judged, 1);
    add(&mine->slow, is_slow);
    add(&mine->slow_time, is_slow ? time : 0);
    add(&mine->very_slow, is_far && bin >= k->limits[3]);
    add(&mine->fast, bin + FOUR_TIMES <= k->middle && bin < k->limits[1]);
}

void atw_histogram_sum(atw_judged *sum_p)
{
    void *states[1024];
    size_t states_count = atw_module_states(&atw_module_histogram, states, 1024);
    atw_judged sum = {.calls = 0};

    for (size_t i = 0; i < states_count; i++) {
        state *one = states[i];
        uint64_t longest = atomic_load_explicit(&one->longest, memory_order_relaxed);

        sum.calls += atomic_load_explicit(&one->calls, memory_order_relaxed);
        sum.judged += atomic_load_explicit(&one->judged, memory_order_relaxed);
        sum.slow += atomic_load_explicit(&one->slow, memory_order_relaxed);
        sum.very_slow += atomic_load_explicit(&one->very_slow, memory_order_relaxed);
        sum.fast += atomic_load_explicit(&one->fast, memory_order_relaxed);
        sum.slow_time += atomic_load_explicit(&one->slow_time, memory_order_relaxed);
        sum.slowest = longest > sum.slowest ? longest : sum.slowest;
    }
    *sum_p = sum;
}

atw_cycle atw_histogram_since(const atw_judged *before, const atw_judged *now)
{
    bool is_noticed = now->slow_time - before->slow_time >= ATW_NOTICED_NS;

    return (atw_cycle){.judged = now->judged - before->judged,
                       .slow = is_noticed ? now->slow - before->slow : 0,
                       .very_slow = is_noticed ? now->very_slow - before->very_slow : 0,
                       .fast = now->fast - before->fast};
}

void atw_histogram_cycle(bool was_slow)
{
    void *states[1024];
    size_t states_count = atw_module_states(&atw_module_histogram, states, 1024);

    for (size_t i = 0; i < states_count; i++) {
        state *one = states[i];
        uint64_t cycles = atomic_load_explicit(&one->cycles, memory_order_relaxed);
        uint64_t bits = (cycles << 1 | was_slow) & ((UINT64_C(1) << CYCLES) - 1);

        atomic_store_explicit(&one->cycles, ((cycles >> CYCLES) + 1) << CYCLES | bits,
                              memory_order_relaxed);
    }
}

/* --- an activity */

static void see(void **state_, const atw_call *call)
{
    const atw_activity *activity = &call->activity;
    uint64_t time = activity->end - activity->start;
    state *mine = *state_;
    kind *k;
    unsigned bin;

    if (mine == NULL)
        mine = *state_ = atw_take_apart(sizeof(*mine));
    k = mine != NULL ? kind_of(mine, activity) : NULL;
    if (k == NULL) {
        if (mine != NULL)
            mine->left_out++;
        return;
    }
    bin = bin_of(time);
    catch_up(mine, k);
    k->verdicts[judge(k, bin)]++;
    if (atw_is_of_storage(&atw_calls[activity->call]))
        count_judged(mine, k, bin, time);
    k->recent[bin]++;
    k->recent_count++;
    if (time > k->slowest) {
        k->slowest = time;
        k->slowest_id = activity->id;
    }
}

/* --- as JSON: the middle of times, and how many were judged what */

static uint64_t median_of(const kind *k)
{
    kind all = *k;
    unsigned bin;

    learn_recent(&all);
    bin = low_end(&all, 2);
    return bin < 4 ? bin : (uint64_t) (4 + bin % 4) << (bin / 4 - 1);
}

static void tell_kind(atw_text *text, const kind *k)
{
    const atw_call_kind *call = &atw_calls[(k->key - 1) / SIZES];
    unsigned class = (k->key - 1) % SIZES;
    uint64_t all = 0;

    for (int i = 0; i < VERDICTS; i++)
        all += k->verdicts[i];
    atw_text_say(text, "{");
    atw_text_key(text, "call");
    atw_text_quote(text, call->name, strlen(call->name));
    atw_text_member(text, "from_bytes", class > 0 ? INT64_C(1) << 2 * (class - 1) : 0);
    atw_text_member(text, "count", (int64_t) all);
    atw_text_member(text, "median_ns", (int64_t) median_of(k));
    atw_text_member(text, "slowest_ns", (int64_t) k->slowest);
    atw_text_member(text, "slowest", (int64_t) k->slowest_id);
    for (int i = 0; i < VERDICTS; i++)
        atw_text_member(text, verdict_names[i], (int64_t) k->verdicts[i]);
    atw_text_say(text, "}");
}

/* Each thread has learned for itself. */
static void tell(void *const *states, size_t count, atw_text *text)
{
    uint64_t left_out = 0;
    bool is_first = true;

    atw_text_key(text, "kinds");
    atw_text_say(text, "[");
    for (size_t i = 0; i < count; i++) {
        const state *one = states[i];

        left_out += one->left_out;
        for (int j = 0; j < KINDS; j++) {
            if (one->kinds[j].key == 0)
                continue;
            atw_text_say(text, is_first ? "" : ", ");
            tell_kind(text, &one->kinds[j]);
            is_first = false;
        }
    }
    atw_text_say(text, "]");
    atw_text_member(text, "left_out", (int64_t) left_out);
}

const atw_module atw_module_histogram = {
    .name = "histogram", .options = options, .see = see, .tell = tell};
