/*
 * reasoner: whether this process is well, twenty times a second, by what the histogram says of its
 * calls (reasoner.h).  With a collector, that is told to it, and the collector of the node says at
 * which level something is wrong.  The last activities of each thread are kept in memory; when a
 * signal begins they go to the spool, with those of the next five seconds.
 */

#include <string.h>

#include "drain.h"
#include "health.h"
#include "histogram.h"
#include "modules.h"
#include "reasoner.h"
#include "sink.h"
#include "threads.h"

/* keep: activities of each thread, a power of two or rounded up to one. */
static uint64_t keep = 4096;

static const atw_option options[] = {{"keep", &keep, 64, 1 << 20}, {.name = NULL}};

extern const atw_module atw_module_record, atw_module_histogram, atw_module_reasoner;

enum {
    BEGIN = 64,      /* activities of a thread: shorter processes have no thread of ours */
    SIGNALS = 16,    /* that are told */
    SENDING = 100,   /* cycles */
    IDLE = 10,       /* cycles without a call after which the thread of ours ends */
    STUCK = 3,       /* cycles that a call takes at least before it is said to be stuck */
    ACCEPTED = 12000 /* slow cycles after which that is how it is: ten minutes */
};

static const uint64_t cycle_ns = (uint64_t) ATW_CYCLE_MS * 1000000;

/* What a thread did last: it writes, and whoever has the lock reads. */
typedef struct recent {
    uint64_t seen;
    uint32_t number;
    atw_activity *slots; /* NULL: the module record keeps them */
    uint64_t size;       /* a power of two */
    _Atomic uint64_t put;
    uint64_t sent; /* whoever reads */
} recent;

typedef struct signal_told {
    atw_scope level;
    uint64_t began, ended; /* ns, monotonic; 0: not yet */
} signal_told;

/* All of the following is used by whoever has the lock of drain.c. */
static struct {
    uint64_t next; /* when the cycle ends; 0: idle */
    uint64_t cycles, good, slow, idle_cycles, raised_cycles, sending;
    atw_judged before;
    atw_streak streak;
    atw_scope heard;
    signal_told signals[SIGNALS];
    uint64_t signal_count;
    bool has_signal;
} own;

/* Generation of the process that the state is about; a forked child starts anew. */
static atomic_uint begun; /* generation and 1 */

/* --- each activity */

static recent *new_recent(const atw_call *call)
{
    recent *mine = atw_take(sizeof(*mine));

    if (mine == NULL)
        return NULL;
    mine->number = call->thread->number;
    for (mine->size = 64; mine->size < keep;)
        mine->size *= 2;
    if (!atw_module_is_used(&atw_module_record))
        mine->slots = atw_take_pages((size_t) mine->size * sizeof(atw_activity));
    return mine;
}

static void begin(void)
{
    if (!atw_drain_lock())
        return;
    if (atomic_load(&begun) != atw_generation + 1) {
        memset(&own, 0, sizeof(own));
        atw_health_close();
        if (atw_sink_place() != NULL)
            atw_health_open(atw_sink_place());
        atomic_store(&begun, atw_generation + 1);
    }
    atw_drain_unlock();
}

static void see(void **state, const atw_call *call)
{
    recent *mine = *state;

    if (mine == NULL)
        mine = *state = new_recent(call);
    if (mine == NULL)
        return;
    if (mine->slots != NULL) {
        uint64_t put = atomic_load_explicit(&mine->put, memory_order_relaxed);

        mine->slots[put & (mine->size - 1)] = call->activity;
        atomic_store_explicit(&mine->put, put + 1, memory_order_release);
    }
    if (++mine->seen < BEGIN)
        return;
    if (atomic_load_explicit(&begun, memory_order_relaxed) != atw_generation + 1)
        begin();
    atw_drain_run();
}

/* --- to the spool */

/* The thread goes on: what it may have overwritten while this was copied does not count. */
static void send_recent(recent *r, atw_activity *room, bool is_first)
{
    uint64_t put = atomic_load_explicit(&r->put, memory_order_acquire);
    uint64_t from = put > r->size ? put - r->size : 0, whole;

    if (from < r->sent)
        from = r->sent;
    for (uint64_t i = from; i < put; i++)
        room[i - from] = r->slots[i & (r->size - 1)];
    atomic_thread_fence(memory_order_acquire);
    whole = atomic_load_explicit(&r->put, memory_order_relaxed) + 1;
    whole = whole > r->size ? whole - r->size : 0;
    if (whole < from)
        whole = from;
    if (whole > put)
        whole = put;
    if (!is_first && whole > r->sent)
        atw_drain_missed(r->number, whole - r->sent);
    atw_drain_activities(r->number, room + (whole - from), (size_t) (put - whole));
    r->sent = put;
}

static void send_all(bool is_first)
{
    void *states[1024];
    size_t count = atw_module_states(&atw_module_reasoner, states, 1024);

    for (size_t i = 0; i < count; i++) {
        recent *r = states[i];
        size_t bytes = (size_t) r->size * sizeof(atw_activity);
        atw_activity *room = r->slots != NULL ? atw_take_pages(bytes) : NULL;

        if (room == NULL)
            continue;
        send_recent(r, room, is_first);
        atw_give_back(room, bytes);
    }
}

/* --- signals */

static void put_level(atw_text *text, atw_scope level)
{
    atw_text_key(text, "level");
    atw_text_quote(text, atw_scope_names[level], strlen(atw_scope_names[level]));
}

static void say_that_it_begins(const signal_told *signal)
{
    atw_text text = {.bytes = NULL};

    atw_text_say(&text, "{");
    atw_text_key(&text, "module");
    atw_text_quote(&text, "reasoner", strlen("reasoner"));
    atw_text_member(&text, "signal", (int64_t) own.signal_count);
    put_level(&text, signal->level);
    atw_text_member(&text, "began", (int64_t) signal->began);
    atw_text_say(&text, "}");
    atw_drain_survey(&text);
    atw_text_free(&text);
}

/* Without a collector, or until it says more, the process itself is taken to be at fault. */
static void heed_level(atw_scope level, uint64_t now)
{
    signal_told *last = &own.signals[(own.signal_count + SIGNALS - 1) % SIGNALS];

    if (level != ATW_SCOPE_NONE && !own.has_signal) {
        last = &own.signals[own.signal_count++ % SIGNALS];
        *last = (signal_told){.level = level, .began = now};
        own.has_signal = true;
        own.sending = 0;
        say_that_it_begins(last);
    } else if (level == ATW_SCOPE_NONE && own.has_signal) {
        last->ended = now;
        own.has_signal = false;
    } else if (own.has_signal && level > last->level)
        last->level = level;
    if (own.has_signal && own.sending < SENDING)
        send_all(own.sending++ == 0);
}

/* --- cycles */

static bool is_waiting(const atw_thread *thread, uint64_t now, uint64_t longest)
{
    uint64_t since = atomic_load_explicit(&thread->since, memory_order_relaxed);
    const atw_call_kind *kind =
        &atw_calls[atomic_load_explicit(&thread->which, memory_order_relaxed)];

    return since != 0 && now > since && now - since >= longest &&
           now - since < ACCEPTED * cycle_ns && atw_is_of_storage(kind) &&
           (kind->class == ATW_READ || kind->class == ATW_WRITE || kind->class == ATW_SYNC);
}

/* A thread's call has been under way for so many ns. */
static bool is_any_waiting(uint64_t now, uint64_t longest)
{
    for (const atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next)
        if (is_waiting(thread, now, longest))
            return true;
    return false;
}

static atw_cycle cycle_of(const atw_judged *all, uint64_t now)
{
    uint64_t longest = 2 * all->slowest > STUCK * cycle_ns ? 2 * all->slowest : STUCK * cycle_ns;
    atw_cycle cycle = atw_histogram_since(&own.before, all);

    cycle.is_stuck = all->judged > 0 && is_any_waiting(now, longest);
    return cycle;
}

/* Judges a cycle, and learns from it unless it is in a slow streak; one that lasts long enough
 * becomes the new normal. */
static void take_cycle(const atw_cycle *cycle)
{
    atw_sight sight = atw_streak_take(&own.streak, cycle);

    own.cycles++;
    own.good += sight == ATW_SIGHT_GOOD;
    own.slow += sight == ATW_SIGHT_SLOW;
    own.raised_cycles = own.streak.is_raised ? own.raised_cycles + 1 : 0;
    atw_histogram_cycle(own.streak.slow > 0 && own.raised_cycles < ACCEPTED);
}

static void listen(void)
{
    uint32_t heard;

    if (atw_health_heard(&heard))
        own.heard = heard < ATW_SCOPES ? (atw_scope) heard : ATW_SCOPE_NONE;
    if (atw_health_descriptor() < 0)
        own.heard = ATW_SCOPE_NONE;
}

static void tell_collector(const atw_cycle *cycle, bool is_idle)
{
    atw_health health = {own.cycles,
                         cycle->judged,
                         cycle->slow,
                         cycle->very_slow,
                         cycle->fast,
                         (cycle->is_stuck ? ATW_HEALTH_STUCK : 0u) |
                             (is_idle ? ATW_HEALTH_IDLE : 0u),
                         0};

    atw_health_send(&health);
}

/* Whether it does something. */
static bool end_cycle(uint64_t now)
{
    atw_scope level;
    atw_judged all;
    atw_cycle cycle;
    bool is_idle;

    atw_histogram_sum(&all);
    cycle = cycle_of(&all, now);
    own.idle_cycles =
        all.calls == own.before.calls && !is_any_waiting(now, 0) ? own.idle_cycles + 1 : 0;
    is_idle = own.idle_cycles >= IDLE;
    own.before = all;
    take_cycle(&cycle);
    if (is_idle)
        own.streak = (atw_streak){.slow = 0};
    tell_collector(&cycle, is_idle);
    listen();
    level = own.streak.is_raised && own.heard == ATW_SCOPE_NONE ? ATW_SCOPE_PROCESS : own.heard;
    heed_level(is_idle ? ATW_SCOPE_NONE : level, now);
    return !is_idle;
}

static uint64_t tick(uint64_t now)
{
    if (atomic_load(&begun) != atw_generation + 1)
        return 0;
    if (own.next == 0)
        own.next = now + cycle_ns;
    if (now >= own.next) {
        if (!end_cycle(now)) {
            own.next = own.idle_cycles = 0;
            return 0;
        }
        own.next = own.next + cycle_ns > now ? own.next + cycle_ns : now + cycle_ns;
    }
    return own.next - now;
}

/* --- at the end */

static void tell_signals(atw_text *text)
{
    uint64_t first = own.signal_count > SIGNALS ? own.signal_count - SIGNALS : 0;

    atw_text_key(text, "signals");
    atw_text_say(text, "[");
    for (uint64_t i = first; i < own.signal_count; i++) {
        const signal_told *signal = &own.signals[i % SIGNALS];

        atw_text_say(text, i > first ? ", {" : "{");
        put_level(text, signal->level);
        atw_text_member(text, "began", (int64_t) signal->began);
        if (signal->ended > 0)
            atw_text_member(text, "ended", (int64_t) signal->ended);
        atw_text_say(text, "}");
    }
    atw_text_say(text, "]");
}

/* With the lock. */
static void tell(void *const *states, size_t count, atw_text *text)
{
    bool is_known = atomic_load(&begun) == atw_generation + 1;

    (void) states;
    (void) count;
    atw_text_member(text, "cycles", is_known ? (int64_t) own.cycles : 0);
    if (!is_known)
        return;
    atw_text_member(text, "good", (int64_t) own.good);
    atw_text_member(text, "slow", (int64_t) own.slow);
    atw_text_member(text, "judged", (int64_t) own.before.judged);
    atw_text_member(text, "slow_calls", (int64_t) own.before.slow);
    atw_text_member(text, "very_slow_calls", (int64_t) own.before.very_slow);
    atw_text_member(text, "fast_calls", (int64_t) own.before.fast);
    tell_signals(text);
    if (own.has_signal && own.sending < SENDING)
        send_all(false);
}

const atw_module atw_module_reasoner = {.name = "reasoner",
                                        .options = options,
                                        .see = see,
                                        .tell = tell,
                                        .tick = tick,
                                        .needs = &atw_module_histogram};
