#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector.h"

/* --- words */

/* Into what is to be sent; a process that never reads has one word waiting, not many. */
static bool add(connection *c, uint32_t what, uint64_t safe, const char *text, size_t bytes)
{
    atw_collect_word word = {what, (uint32_t) bytes, safe};
    char *more = realloc(c->out, c->out_length + sizeof(word) + bytes);

    if (more == NULL)
        return false;
    memcpy(more + c->out_length, &word, sizeof(word));
    if (bytes > 0)
        memcpy(more + c->out_length + sizeof(word), text, bytes);
    c->out = more;
    c->out_length += sizeof(word) + bytes;
    return true;
}

void connection_write(connection *c)
{
    while (c->out_sent < c->out_length) {
        ssize_t done = send(c->fd, c->out + c->out_sent, c->out_length - c->out_sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN)
            return;
        if (done < 0) {
            c->out_sent = c->out_length; /* what it had sent is still read */
            break;
        }
        c->out_sent += (size_t) done;
    }
    c->out_length = c->out_sent = 0;
    if (c->state == CONNECTION_ANSWERS)
        c->state = CONNECTION_GONE;
}

static void end_with(connection *c, uint32_t what, const char *text, size_t length)
{
    if (!add(c, what, c->told, text, length)) {
        c->state = CONNECTION_GONE;
        return;
    }
    c->state = CONNECTION_ANSWERS;
    connection_write(c);
}

void connection_refuse(connection *c, const char *why)
{
    end_with(c, ATW_COLLECT_REFUSED, why, strlen(why));
}

void connection_answer(connection *c, const char *text, size_t length)
{
    end_with(c, ATW_COLLECT_STATISTICS, text, length);
}

/* --- health */

void connection_reason(connection *c, users *u)
{
    void *before = NULL;
    const char *reason = users_add(u, c->uid, c->pid, c, &c->process, &before);
    connection *other = before;

    if (other != NULL) {
        other->process = NULL;
        other->state = CONNECTION_GONE;
        shutdown(other->fd, SHUT_RDWR); /* which is heard, and frees it */
    }
    if (reason == NULL)
        c->state = CONNECTION_HEALTH;
    else
        connection_refuse(c, reason);
}

/* One that does not listen is left alone. */
void connection_signal(connection *c, atw_scope level)
{
    if (c->out_length < ATW_COLLECT_WORD_MOST)
        add(c, ATW_COLLECT_SIGNAL, level, NULL, 0);
    connection_write(c);
}

/* --- the writer's news */

/* One word at a time: the next one says all that happened meanwhile. */
static void tell(connection *c, const intake_view *view)
{
    if (!c->has_path && view->path != NULL && strlen(view->path) < ATW_COLLECT_WORD_MOST)
        c->has_path = add(c, ATW_COLLECT_SPOOL, view->safe, view->path, strlen(view->path));
    if (view->state == INTAKE_FULL)
        add(c, ATW_COLLECT_FULL, view->safe, NULL, 0);
    else if (view->safe > c->told && (c->out_length == 0 || view->state == INTAKE_DONE))
        add(c, ATW_COLLECT_SAFE, view->safe, NULL, 0);
    else
        return;
    c->told = view->safe;
}

void connection_heed(connection *c, const intake_view *view)
{
    tell(c, view);
    connection_write(c);
    c->waits = false;
    if (view->state == INTAKE_OPEN)
        return;
    intake_free(c->intake);
    c->intake = NULL;
    c->state = CONNECTION_GONE;
}

/* --- what comes */

void connection_end(connection *c, writer *w)
{
    if (c->intake == NULL) {
        c->state = CONNECTION_GONE;
    } else if (c->state == CONNECTION_SPOOLS) {
        c->state = CONNECTION_ENDS;
        intake_end(w, c->intake);
    }
}

/* -1: it has ended; 0: nothing now. */
static ssize_t receive(connection *c, char *to, size_t room)
{
    ssize_t got;

    do
        got = recv(c->fd, to, room, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN)
        return 0;
    return got > 0 ? got : -1;
}

/* The head tells what it is. */
static void begin(connection *c)
{
    char bytes[sizeof(atw_spool_head)];
    ssize_t got = receive(c, bytes, sizeof(bytes) - (size_t) c->check.taken);

    if (got < 0)
        c->state = CONNECTION_GONE;
    if (got <= 0)
        return;
    check_take(&c->check, c->uid, bytes, (size_t) got);
}

bool connection_has_head(const connection *c)
{
    return c->check.taken == sizeof(atw_spool_head) && c->check.status == CHECK_MORE;
}

void connection_spool(connection *c, writer *w)
{
    const size_t bytes = sizeof(c->check.head);
    char *at;

    c->intake = intake_new(c->uid, c->gid, &c->check.head, c);
    if (c->intake == NULL) {
        connection_refuse(c, "no memory");
        return;
    }
    c->state = CONNECTION_SPOOLS;
    c->waits = true; /* until it knows the file: if we go now, it can go on */
    if (intake_room(w, c->intake, &at) >= bytes) { /* it is empty */
        memcpy(at, &c->check.head, bytes);
        intake_add(w, c->intake, bytes, bytes);
    }
}

static void read_more(connection *c, writer *w)
{
    char *at;
    size_t room = intake_room(w, c->intake, &at), good;
    ssize_t got;

    c->waits = c->waits || room == 0;
    if (c->waits)
        return;
    got = receive(c, at, room);
    if (got < 0 || (got == 0 && c->is_last)) {
        connection_end(c, w);
        return;
    }
    if (got == 0)
        return;
    good = check_take(&c->check, c->uid, at, (size_t) got);
    intake_add(w, c->intake, good, c->check.whole);
    if (c->check.status == CHECK_WRONG)
        say_of_user(c->uid, "%s", c->check.problem);
    if (c->check.status != CHECK_MORE)
        connection_end(c, w);
}

static void read_health(connection *c)
{
    atw_health health;
    ssize_t got = receive(c, c->health + c->health_length, sizeof(c->health) - c->health_length);

    if (got < 0 || c->is_last)
        c->state = CONNECTION_GONE;
    if (got <= 0)
        return;
    c->health_length += (size_t) got;
    if (c->health_length < sizeof(health))
        return;
    memcpy(&health, c->health, sizeof(health));
    c->health_length = 0;
    node_hear(c->process, &health);
}

void connection_read(connection *c, writer *w)
{
    if (c->state == CONNECTION_BEGINS)
        begin(c);
    else if (c->state == CONNECTION_HEALTH)
        read_health(c);
    else if (c->state == CONNECTION_SPOOLS)
        read_more(c, w);
}

void connection_free(connection *c)
{
    close(c->fd);
    free(c->out);
    free(c);
}
