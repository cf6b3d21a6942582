#include "collector.h"
#include "common/clock.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

enum { PERIOD = 60, MOST = 10 };

static bool to_log;

void say_to_log(void)
{
    openlog("autotune-collect", LOG_PID, LOG_DAEMON);
    to_log = true;
}

static void say_it(const char *format, va_list arguments)
{
    char text[1024];

    vsnprintf(text, sizeof(text), format, arguments);
    if (to_log)
        syslog(LOG_WARNING, "%s", text);
    else
        fprintf(stderr, "autotune-collect: %s\n", text);
}

void say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say_it(format, arguments);
    va_end(arguments);
}

/* --- of users: nobody fills the log, or keeps others out of it */

typedef struct account {
    struct account *next;
    uid_t uid;
    double since;
    unsigned said, unsaid;
} account;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the writer complains, too */
static account *accounts;

/* Closes accounts whose minute is over, and says what they left out. */
static void close_accounts(double now)
{
    account **at = &accounts;

    while (*at != NULL) {
        account *a = *at;

        if (now - a->since < PERIOD) {
            at = &a->next;
            continue;
        }
        if (a->unsaid > 0)
            say("user %lu: %u more were not said", (unsigned long) a->uid, a->unsaid);
        *at = a->next;
        free(a);
    }
}

static bool may_say(uid_t uid)
{
    double now = clock_steady();
    account *a;

    close_accounts(now);
    for (a = accounts; a != NULL && a->uid != uid;)
        a = a->next;
    if (a == NULL && (a = calloc(1, sizeof(*a))) != NULL) {
        *a = (account){.next = accounts, .uid = uid, .since = now};
        accounts = a;
    }
    if (a == NULL)
        return false;
    if (a->said < MOST) {
        a->said++;
        return true;
    }
    a->unsaid++;
    return false;
}

void say_of_user(uid_t uid, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    bool may;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    may = may_say(uid);
    pthread_mutex_unlock(&lock);
    if (may)
        say("user %lu: %s", (unsigned long) uid, text);
}
