/* Spools, block by block. */

#include <stdint.h>

#include "spool_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PART = 1024 * 1024,          /* bytes of activities that are handed over at once */
    TEXT_MAX = 10 * 1024 * 1024, /* bytes of any other block */
    PATH_BLOCK = 64 * 1024,
    PAD = 8
};

struct ath_spool {
    char *path;
    int file;
    uint64_t size;
    uint32_t owner;
    uint64_t at; /* what is read next: a block, or the rest of one with activities */
    uint64_t rest;
    atw_spool_block block; /* that has a rest */
    atw_spool_head head;
    char *room;
    size_t room_size;
};

const atw_spool_head *ath_spool_head(const ath_spool *spool)
{
    return &spool->head;
}

uint64_t ath_spool_size(const ath_spool *spool)
{
    return spool->size;
}

uint32_t ath_spool_owner(const ath_spool *spool)
{
    return spool->owner;
}

const char *ath_spool_path(const ath_spool *spool)
{
    return spool->path;
}

void ath_spool_rewind(ath_spool *spool)
{
    spool->at = sizeof(spool->head);
    spool->rest = 0;
}

ath_status ath_spool_complain(const ath_spool *spool, uint64_t at, atm_message *message,
                              const char *format, ...)
{
    va_list arguments;
    char text[160];

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ath_complain(ATH_BAD_FILE, message, "%.80s: byte %llu: %s", spool->path,
                        (unsigned long long) at, text);
}

static ath_status no_access(const ath_spool *spool, const char *what, atm_message *message)
{
    return ath_complain(ATH_NO_ACCESS, message, "%.128s: %s: %s", spool->path, what,
                        strerror(errno));
}

/* The file may have become shorter since it was opened. */
static ath_status read_at(ath_spool *spool, uint64_t at, void *to, size_t length,
                          atm_message *message)
{
    size_t done = 0;

    while (done < length) {
        ssize_t got = pread(spool->file, (char *) to + done, length - done, (off_t) (at + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return no_access(spool, "cannot be read", message);
        if (got == 0)
            return ath_spool_complain(spool, at + done, message, "the file has become shorter");
        done += (size_t) got;
    }
    return ATH_OK;
}

/* --- opening */

static ath_status check_head(const ath_spool *spool, atm_message *message)
{
    const atw_spool_head *head = &spool->head;

    if (memcmp(head->magic, ATW_SPOOL_MAGIC, sizeof(head->magic)) != 0)
        return ath_spool_complain(spool, 0, message, "this is no spool");
    if (head->order != ATW_SPOOL_ORDER)
        return ath_spool_complain(spool, offsetof(atw_spool_head, order), message,
                                  "was written by a machine of another byte order");
    if (head->version != ATW_SPOOL_VERSION)
        return ath_spool_complain(spool, offsetof(atw_spool_head, version), message,
                                  "is of version %u; this program reads version %d", head->version,
                                  ATW_SPOOL_VERSION);
    /* so that all times are whole numbers of a database */
    if (head->monotonic > INT64_MAX / 8 || head->realtime > INT64_MAX / 2)
        return ath_spool_complain(spool, offsetof(atw_spool_head, realtime), message,
                                  "this is no time");
    return ATH_OK;
}

static ath_status open_file(ath_spool *spool, atm_message *message)
{
    struct stat info;
    ath_status status;

    spool->file = open(spool->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (spool->file < 0)
        return no_access(spool, "cannot be opened", message);
    if (fstat(spool->file, &info) != 0)
        return no_access(spool, "cannot be read", message);
    if (!S_ISREG(info.st_mode))
        return ath_complain(ATH_BAD_FILE, message, "%.128s: is not a file", spool->path);
    spool->size = (uint64_t) info.st_size;
    spool->owner = (uint32_t) info.st_uid;
    if (spool->size < sizeof(spool->head))
        return ath_spool_complain(spool, spool->size, message, "ends before its head does");
    status = read_at(spool, 0, &spool->head, sizeof(spool->head), message);
    spool->at = sizeof(spool->head);
    return status == ATH_OK ? check_head(spool, message) : status;
}

ath_status ath_spool_open(const char *path, atm_message *message, ath_spool **spool_p)
{
    ath_spool *spool = calloc(1, sizeof(*spool));
    ath_status status = ATH_NO_MEMORY;

    if (spool == NULL)
        return status;
    spool->file = -1;
    spool->path = strdup(path);
    if (spool->path != NULL)
        status = open_file(spool, message);
    if (status == ATH_OK)
        *spool_p = spool;
    else
        ath_spool_close(spool);
    return status;
}

void ath_spool_close(ath_spool *spool)
{
    if (spool == NULL)
        return;
    if (spool->file >= 0)
        close(spool->file);
    free(spool->path);
    free(spool->room);
    free(spool);
}

bool ath_is_spool(const char *path)
{
    char magic[sizeof(((atw_spool_head *) 0)->magic)];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = file >= 0 ? read(file, magic, sizeof(magic)) : -1;

    if (file >= 0)
        close(file);
    return got == (ssize_t) sizeof(magic) && memcmp(magic, ATW_SPOOL_MAGIC, sizeof(magic)) == 0;
}

/* --- blocks */

static uint64_t padded(uint64_t bytes)
{
    return (bytes + PAD - 1) / PAD * PAD;
}

static ath_status make_room(ath_spool *spool, size_t size)
{
    char *room;

    if (size <= spool->room_size)
        return ATH_OK;
    room = realloc(spool->room, size);
    if (room == NULL)
        return ATH_NO_MEMORY;
    spool->room = room;
    spool->room_size = size;
    return ATH_OK;
}

static ath_status check_block(const ath_spool *spool, const atw_spool_block *block,
                              atm_message *message)
{
    uint64_t most = TEXT_MAX, least = 0, each = 1;

    switch (block->kind) {
        case ATW_BLOCK_ACTIVITIES:
            each = sizeof(atw_activity);
            most = UINT64_MAX;
            break;
        case ATW_BLOCK_DROPPED:
            least = most = sizeof(uint64_t);
            break;
        case ATW_BLOCK_FILE:
            least = sizeof(uint32_t) + 1;
            most = PATH_BLOCK;
            break;
        case ATW_BLOCK_END:
            most = 0;
            break;
        case ATW_BLOCK_FACTS:
        case ATW_BLOCK_CALLS:
        case ATW_BLOCK_SURVEY:
            break;
        default:
            return ath_spool_complain(spool, spool->at, message, "kind %u of a block is not known",
                                      block->kind);
    }
    if (block->bytes < least || block->bytes > most || block->bytes % each != 0)
        return ath_spool_complain(spool, spool->at + offsetof(atw_spool_block, bytes), message,
                                  "a block of kind %u cannot have %llu bytes", block->kind,
                                  (unsigned long long) block->bytes);
    return ATH_OK;
}

/* The content's beginning, or what is left of it; all if it has no activities. */
static ath_status take_part(ath_spool *spool, atm_message *message, ath_block *block_p)
{
    size_t length = spool->rest < PART ? (size_t) spool->rest : PART;
    uint64_t end;
    ath_status status;

    if (spool->block.kind != ATW_BLOCK_ACTIVITIES)
        length = (size_t) spool->rest;
    status = make_room(spool, length + 1);
    if (status == ATH_OK)
        status = read_at(spool, spool->at, spool->room, length, message);
    if (status != ATH_OK)
        return status;
    spool->room[length] = '\0';
    end = spool->at + spool->rest + (padded(spool->block.bytes) - spool->block.bytes);
    *block_p = (ath_block){.kind = spool->block.kind,
                           .thread = spool->block.thread,
                           .at = spool->at,
                           .end = end,
                           .length = length,
                           .content = spool->room};
    spool->rest -= length;
    spool->at = spool->rest > 0 ? spool->at + length : end;
    return ATH_OK;
}

ath_status ath_spool_next(ath_spool *spool, atm_message *message, bool *more_p, ath_block *block_p)
{
    atw_spool_block block;
    ath_status status = ATH_OK;

    *more_p = false;
    if (spool->rest == 0) {
        /* subtracted: what a block says of its size may be anything */
        if (spool->size < spool->at || spool->size - spool->at < sizeof(block))
            return ATH_OK;
        status = read_at(spool, spool->at, &block, sizeof(block), message);
        if (status == ATH_OK)
            status = check_block(spool, &block, message);
        if (status != ATH_OK || block.bytes > spool->size - spool->at - sizeof(block))
            return status;
        spool->block = block;
        spool->at += sizeof(block);
        spool->rest = block.bytes;
    }
    status = take_part(spool, message, block_p);
    *more_p = status == ATH_OK;
    return status;
}
