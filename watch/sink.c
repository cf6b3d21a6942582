#include "sink.h"

#include <time.h>
#include <unistd.h>

#include "to_collector.h"
#include "process_facts.h"
#include "spool.h"

static const char *folder, *place;
static uint64_t limit;
static const atw_sink_calls *calls;

static _Alignas(64) atw_spool spool = {.fd = -1};
static _Alignas(64) atw_collect collector = {.fd = -1};
static bool made;     /* or tried to */
static bool collects; /* the collector has it */
static bool hurries;
static int64_t deadline;       /* ms */
static unsigned begun, marked; /* how many were begun; when a mark was made */
static uint64_t lost;

void atw_sink_start(const char *folder_, uint64_t limit_, const char *socket,
                    const atw_sink_calls *calls_)
{
    folder = folder_;
    limit = limit_;
    place = socket;
    calls = calls_;
}

const char *atw_sink_place(void)
{
    return place;
}

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int left_ms(void)
{
    int64_t left = deadline - now_ms();

    return left > 0 ? (int) left : 0;
}

/* --- begin */

static void remove_spool(void)
{
    unlink(spool.path);
    atw_spool_close(&spool);
}

static bool begin_file(const atw_spool_head *head)
{
    begun++;
    if (atw_spool_create(folder, limit, head, &spool) && !calls->begin())
        remove_spool();
    return spool.fd >= 0;
}

static bool begin_collecting(const atw_spool_head *head)
{
    if (place == NULL || !atw_collect_open(place, limit, head, &collector))
        return false;
    begun++;
    collects = true;
    if (!calls->begin()) {
        atw_collect_close(&collector);
        collects = false;
    }
    return collects;
}

static atw_spool_head new_head(void)
{
    int rank, ranks;

    atw_facts_rank(&rank, &ranks);
    return atw_spool_head_new(rank, ranks);
}

bool atw_sink_was_made(void)
{
    return made;
}

bool atw_sink_have(void)
{
    if (!made) {
        atw_spool_head head = new_head();

        made = true;
        if (!begin_collecting(&head))
            begin_file(&head);
    }
    return collects || spool.fd >= 0;
}

int atw_sink_descriptor(void)
{
    return collects ? collector.fd : spool.fd;
}

/* --- the collector goes, or takes no more */

static void put_again(uint64_t from)
{
    atw_spool_block block;
    const char *content;

    while (atw_collect_kept(&collector, &from, &block, &content))
        if ((spool.fd < 0 || !calls->again(&block, content)) && block.kind == ATW_BLOCK_ACTIVITIES)
            lost += block.bytes / sizeof(atw_activity);
}

/* Its file has what is safe, and perhaps more, which is cut off. */
static bool continue_file(void)
{
    size_t safe = (size_t) (collector.safe - collector.before);

    if (!collector.is_gone || collector.is_full ||
        !atw_spool_take_over(collector.path, limit, &collector.head, collector.safe, &spool))
        return false;
    if (!atw_spool_append(&spool, collector.bytes + safe, collector.length - safe))
        put_again(collector.safe); /* as much as there is room for */
    return true;
}

/* One that only hangs, or that the program has closed, still has what was sent. */
static void fall_back(void)
{
    uint64_t from =
        collector.is_gone || collector.is_full ? collector.safe : atw_collect_sent(&collector);
    atw_spool_head head;

    collects = false;
    if (!continue_file()) {
        head = new_head();
        begin_file(&head);
        put_again(from);
    }
    atw_collect_close(&collector);
}

/* --- blocks */

/* Waits only at the end. */
static atw_put_result make_room(size_t bytes)
{
    if (collector.is_over || bytes > ATW_COLLECT_ROOM)
        return ATW_PUT_NEVER;
    if (!hurries)
        return atw_collect_go_on(&collector) ? ATW_PUT_LATER : ATW_PUT_NEVER;
    return atw_collect_wait(&collector, bytes, left_ms()) ? ATW_PUT_DONE : ATW_PUT_NEVER;
}

atw_put_result atw_sink_put(enum atw_spool_kind kind, uint32_t thread, const void *first,
                            size_t first_bytes, const void *second, size_t second_bytes)
{
    while (collects) {
        size_t bytes = sizeof(atw_spool_block) + first_bytes + second_bytes + 7;
        atw_put_result room;

        if (atw_collect_put(&collector, kind, thread, first, first_bytes, second, second_bytes))
            return ATW_PUT_DONE;
        room = make_room(bytes);
        if (room == ATW_PUT_LATER || collector.is_over || bytes > ATW_COLLECT_ROOM)
            return room;
        if (room == ATW_PUT_NEVER)
            fall_back();
    }
    return atw_spool_put(&spool, kind, thread, first, first_bytes, second, second_bytes)
               ? ATW_PUT_DONE
               : ATW_PUT_NEVER;
}

/* What is kept until it is safe is not to be one large block. */
size_t atw_sink_piece(void)
{
    return collects ? ATW_COLLECT_BLOCK / sizeof(atw_activity) : SIZE_MAX;
}

uint64_t atw_sink_lost(void)
{
    uint64_t number = lost;

    lost = 0;
    return number;
}

bool atw_sink_flow(int ms)
{
    if (!collects)
        return false;
    if (!atw_collect_flow(&collector, ms)) {
        fall_back();
        return false;
    }
    return collector.sent < collector.length;
}

/* --- end */

void atw_sink_hurry(int ms)
{
    hurries = true;
    deadline = now_ms() + ms;
}

void atw_sink_finish(void)
{
    if (collects && !atw_collect_wait(&collector, 0, left_ms()))
        fall_back();
}

static void begin_anew(void)
{
    atw_collect_close(&collector);
    atw_spool_close(&spool);
    made = collects = false;
}

uint64_t atw_sink_mark(void)
{
    marked = begun;
    if (collects)
        return collector.before + collector.length;
    return spool.fd >= 0 ? spool.size : 0;
}

/* What a collector has cannot be cut, but its file, if we have it by now. */
void atw_sink_back(uint64_t mark)
{
    hurries = false;
    if (!collects && begun == marked)
        atw_spool_cut(&spool, mark);
    else if (!collects && mark == 0 && spool.fd >= 0) {
        remove_spool();
        made = false;
    } else
        begin_anew();
}

void atw_sink_anew(void)
{
    begin_anew();
    hurries = false;
    lost = 0;
}
