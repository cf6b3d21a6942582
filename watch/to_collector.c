/* All by system calls: those of the C library lead to wrappers, or to others'. */

#include "to_collector.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "spool.h"

/* --- the socket */

static bool is_same(const atw_collect *c)
{
    struct stat what;

    return c->fd >= 0 && fstat(c->fd, &what) == 0 && what.st_dev == c->device &&
           what.st_ino == c->inode;
}

static bool is_trusted(int fd)
{
    struct ucred who;
    socklen_t length = sizeof(who);

    return syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 &&
           (who.uid == 0 || who.uid == geteuid());
}

/* A collector that has too much to do is none: connecting does not wait. */
static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    int fd;

    if (length == 0 || length >= sizeof(address.sun_path))
        return -1;
    memcpy(address.sun_path, path, length);
    fd = (int) syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (syscall(SYS_connect, fd, &address, (socklen_t) sizeof(address)) == 0 && is_trusted(fd))
        return atw_spool_move_up(fd);
    syscall(SYS_close, fd);
    return -1;
}

int atw_collect_connect(const char *given)
{
    char path[108];
    int fd = -1;

    if (given[0] != '\0')
        return connect_to(given);
    for (unsigned which = 0; fd < 0 && atw_collect_place(which, path, sizeof(path)); which++)
        if (atw_collect_is_safe(path))
            fd = connect_to(path);
    return fd;
}

bool atw_collect_open(const char *socket, uint64_t limit, const atw_spool_head *head,
                      atw_collect *collect_p)
{
    atw_collect *c = collect_p;
    struct stat what;

    c->length = c->sent = c->done = c->word_length = 0;
    c->before = c->safe = 0;
    c->is_gone = c->is_full = c->is_over = c->is_closed = false;
    c->path[0] = '\0';
    c->limit = limit;
    c->fd = atw_collect_connect(socket);
    if (c->fd < 0)
        return false;
    if (c->bytes == NULL)
        c->bytes = atw_take_pages(ATW_COLLECT_ROOM);
    if (c->bytes == NULL || fstat(c->fd, &what) != 0) {
        syscall(SYS_close, c->fd);
        c->fd = -1;
        return false;
    }
    c->device = what.st_dev;
    c->inode = what.st_ino;
    c->head = *head;
    memcpy(c->bytes, head, sizeof(*head));
    c->length = sizeof(*head);
    return true;
}

void atw_collect_close(atw_collect *c)
{
    if (is_same(c))
        syscall(SYS_close, c->fd);
    c->fd = -1;
    c->length = c->sent = c->done = 0;
}

/* --- blocks that are kept */

/* Where the block, or the head, ends that begins so many bytes into what is kept. */
static size_t end_of(const atw_collect *c, size_t at)
{
    atw_spool_block block;

    if (c->before + at == 0)
        return sizeof(atw_spool_head);
    memcpy(&block, c->bytes + at, sizeof(block));
    return at + sizeof(block) + (size_t) ((block.bytes + 7) / 8 * 8);
}

/* Offset of the end of the last block that ends before a byte of the spool, searched from a block
 * on. */
static size_t whole_before(const atw_collect *c, size_t at, uint64_t end)
{
    while (at < c->length && c->before + end_of(c, at) <= end)
        at = end_of(c, at);
    return at;
}

/* Moved when it is worth it, so that each byte is moved once or twice. */
static void let_go(atw_collect *c)
{
    size_t done = whole_before(c, c->done, c->safe);

    c->done = done;
    if (done < c->length && done < ATW_COLLECT_ROOM / 2)
        return;
    memmove(c->bytes, c->bytes + done, c->length - done);
    c->length -= done;
    c->sent -= done;
    c->before += done;
    c->done = 0;
}

bool atw_collect_kept(const atw_collect *c, uint64_t *at_p, atw_spool_block *block_p,
                      const char **content_p)
{
    for (size_t at = c->done; at < c->length; at = end_of(c, at)) {
        if (c->before + at < *at_p || c->before + at == 0) /* the head is no block */
            continue;
        memcpy(block_p, c->bytes + at, sizeof(*block_p));
        *content_p = c->bytes + at + sizeof(*block_p);
        *at_p = c->before + end_of(c, at);
        return true;
    }
    return false;
}

uint64_t atw_collect_sent(const atw_collect *c)
{
    return c->before + whole_before(c, c->done, c->before + c->sent);
}

/* --- to and fro */

static void send_more(atw_collect *c)
{
    while (!c->is_gone && c->sent < c->length) {
        long done = syscall(SYS_sendto, c->fd, c->bytes + c->sent, c->length - c->sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            /* words that came before are still there: receiving finds the end */
            return;
        }
        c->sent += (size_t) done;
    }
}

/* What a collector says is believed as far as it can be true. */
static void heed(atw_collect *c)
{
    atw_collect_word word;

    memcpy(&word, c->word, sizeof(word));
    if (word.what != ATW_COLLECT_REFUSED && word.safe > c->safe && word.safe <= c->before + c->sent)
        c->safe = word.safe;
    if (word.what == ATW_COLLECT_SPOOL && word.bytes < sizeof(c->path)) {
        memcpy(c->path, c->word + sizeof(word), word.bytes);
        c->path[word.bytes] = '\0';
    }
    c->is_full = c->is_full || word.what == ATW_COLLECT_FULL;
    c->word_length = 0;
}

/* How many bytes are missing of the word; 0: it is whole. */
static size_t missing(const atw_collect *c)
{
    atw_collect_word word;

    if (c->word_length < sizeof(word))
        return sizeof(word) - c->word_length;
    memcpy(&word, c->word, sizeof(word));
    return sizeof(word) + word.bytes - c->word_length;
}

static bool is_nonsense(const atw_collect *c)
{
    atw_collect_word word;

    memcpy(&word, c->word, sizeof(word));
    return c->word_length >= sizeof(word) && word.bytes > ATW_COLLECT_WORD_MOST;
}

static void receive_more(atw_collect *c)
{
    while (!c->is_gone) {
        long got = syscall(SYS_recvfrom, c->fd, c->word + c->word_length, missing(c), MSG_DONTWAIT,
                           NULL, NULL);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got > 0)
            c->word_length += (size_t) got;
        c->is_gone = got <= 0 || is_nonsense(c);
        if (!c->is_gone && missing(c) == 0)
            heed(c);
    }
}

bool atw_collect_go_on(atw_collect *c)
{
    c->is_closed = c->is_closed || !is_same(c);
    if (!c->is_closed) {
        send_more(c);
        receive_more(c);
        let_go(c);
    }
    return !c->is_closed && !c->is_gone && !c->is_full;
}

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* True if `room` bytes are free or, for 0, if none are kept. */
static bool has_room(const atw_collect *c, size_t room)
{
    if (room == 0)
        return c->safe == c->before + c->length;
    return ATW_COLLECT_ROOM - c->length >= room;
}

bool atw_collect_flow(atw_collect *c, int ms)
{
    struct pollfd what = {c->fd, (short) (POLLIN | (c->sent < c->length ? POLLOUT : 0)), 0};
    struct timespec patience = {ms / 1000, ms % 1000 * 1000000};

    if (ms > 0 && is_same(c))
        syscall(SYS_ppoll, &what, 1ul, &patience, NULL, 0ul);
    return atw_collect_go_on(c);
}

bool atw_collect_wait(atw_collect *c, size_t room, int ms)
{
    int64_t end = now_ms() + ms;
    bool goes_on = atw_collect_go_on(c);

    while (goes_on && !has_room(c, room) && ms > 0) {
        goes_on = atw_collect_flow(c, ms);
        ms = (int) (end - now_ms());
    }
    return has_room(c, room);
}

/* --- blocks */

static void append(atw_collect *c, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(c->bytes + c->length, bytes, count);
    c->length += count;
}

/* As for a spool that is a file. */
static bool is_beyond(const atw_collect *c, enum atw_spool_kind kind, uint64_t bytes)
{
    if (kind != ATW_BLOCK_DROPPED && kind != ATW_BLOCK_END)
        bytes += ATW_SPOOL_RESERVE;
    return bytes > c->limit || c->before + c->length > c->limit - bytes;
}

bool atw_collect_put(atw_collect *c, enum atw_spool_kind kind, uint32_t thread, const void *first,
                     size_t first_bytes, const void *second, size_t second_bytes)
{
    static const char zeros[8];
    atw_spool_block block = {kind, thread, first_bytes + second_bytes};
    size_t padding = (8 - block.bytes % 8) % 8;
    size_t bytes = sizeof(block) + (size_t) block.bytes + padding;

    if (is_beyond(c, kind, bytes)) {
        c->is_over = true;
        return false;
    }
    if (ATW_COLLECT_ROOM - c->length < bytes)
        atw_collect_go_on(c);
    if (c->fd < 0 || ATW_COLLECT_ROOM - c->length < bytes)
        return false;
    append(c, &block, sizeof(block));
    append(c, first, first_bytes);
    append(c, second, second_bytes);
    append(c, zeros, padding);
    return true;
}
