#include "collect.h"

#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
#include <time.h>

enum { PERIOD = 60, MOST = 10 };

static bool to_log;

double collect_now(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

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

/* Nobody fills the log. */
void say_of_client(const char *format, ...)
{
    static double since;
    static unsigned said, unsaid;
    double now = collect_now();
    va_list arguments;

    if (said == 0 || now - since >= PERIOD) {
        if (unsaid > 0)
            say("%u more of this kind were not said", unsaid);
        since = now;
        said = unsaid = 0;
    }
    if (said >= MOST) {
        unsaid++;
        return;
    }
    said++;
    va_start(arguments, format);
    say_it(format, arguments);
    va_end(arguments);
}
