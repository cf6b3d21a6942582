#include "check.h"

#include <stdint.h>
#include <string.h>

#include "formats/collector_socket.h"

static void wrong(check *c, const char *problem)
{
    c->status = CHECK_WRONG;
    c->problem = problem;
}

/* --- head */

static void check_head(check *c, uint32_t uid)
{
    const atw_spool_head *head = &c->head;

    if (head->order != ATW_SPOOL_ORDER)
        wrong(c, "another byte order");
    else if (head->version != ATW_SPOOL_VERSION)
        wrong(c, "another version");
    else if (memcmp(head->magic, ATW_COLLECT_QUERY, sizeof(head->magic)) == 0)
        c->status = CHECK_QUERY;
    else if (memcmp(head->magic, ATW_SPOOL_MAGIC, sizeof(head->magic)) != 0 &&
             memcmp(head->magic, ATW_COLLECT_HEALTH, sizeof(head->magic)) != 0)
        wrong(c, "no spool");
    else if (head->uid != uid)
        wrong(c, "a spool of another user");
    else if (memcmp(head->magic, ATW_COLLECT_HEALTH, sizeof(head->magic)) == 0)
        c->status = CHECK_HEALTH;
}

/* --- blocks */

/* As site/history/spool_read.c has it, with a bound for activities. */
static const char *problem_of(const atw_spool_block *block)
{
    switch (block->kind) {
        case ATW_BLOCK_ACTIVITIES:
            return block->bytes > ATW_COLLECT_BLOCK_MOST || block->bytes % sizeof(atw_activity) != 0
                       ? "activities of no such size"
                       : NULL;
        case ATW_BLOCK_DROPPED:
            return block->bytes != sizeof(uint64_t) ? "a number of another size" : NULL;
        case ATW_BLOCK_FILE:
            return block->bytes <= sizeof(uint32_t) || block->bytes > 64 * 1024 ? "a path too long"
                                                                                : NULL;
        case ATW_BLOCK_END:
            return block->bytes != 0 ? "an end with content" : NULL;
        case ATW_BLOCK_FACTS:
        case ATW_BLOCK_CALLS:
        case ATW_BLOCK_SURVEY:
            return block->bytes > 10 * 1024 * 1024 ? "a text too long" : NULL;
        default:
            return "a block that is not known";
    }
}

static void end_block(check *c)
{
    c->whole = c->taken;
    c->known = 0;
    if (c->kind == ATW_BLOCK_END)
        c->status = CHECK_END;
}

static void begin_block(check *c)
{
    atw_spool_block block;
    const char *problem;

    memcpy(&block, c->header, sizeof(block));
    problem = problem_of(&block);
    if (problem != NULL) {
        wrong(c, problem);
        return;
    }
    c->kind = block.kind;
    c->rest = (block.bytes + 7) / 8 * 8;
    if (c->rest == 0)
        end_block(c);
}

/* --- pieces */

static size_t fill(check *c, char *to, size_t size, const char *bytes, size_t count)
{
    size_t part = count < size - c->known ? count : size - c->known;

    memcpy(to + c->known, bytes, part);
    c->known += part;
    c->taken += part;
    return part;
}

static size_t take_head(check *c, uint32_t uid, const char *bytes, size_t count)
{
    size_t part = fill(c, (char *) &c->head, sizeof(c->head), bytes, count);

    if (c->known == sizeof(c->head)) {
        c->whole = c->taken;
        c->known = 0;
        check_head(c, uid);
    }
    return part;
}

static size_t take_header(check *c, const char *bytes, size_t count)
{
    size_t part = fill(c, c->header, sizeof(c->header), bytes, count);

    if (c->known == sizeof(c->header))
        begin_block(c);
    return part;
}

static size_t take_content(check *c, size_t count)
{
    size_t part = count < c->rest ? count : (size_t) c->rest;

    c->rest -= part;
    c->taken += part;
    if (c->rest == 0)
        end_block(c);
    return part;
}

size_t check_take(check *c, uint32_t uid, const char *bytes, size_t count)
{
    size_t at = 0;

    while (at < count && c->status == CHECK_MORE) {
        if (c->taken < sizeof(c->head))
            at += take_head(c, uid, bytes + at, count - at);
        else if (c->rest > 0)
            at += take_content(c, count - at);
        else
            at += take_header(c, bytes + at, count - at);
    }
    if (at < count && c->status != CHECK_WRONG)
        wrong(c, "something behind the end");
    return at;
}
