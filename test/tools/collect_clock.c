/* Preloaded: the time of day goes an hour back with every look at it. */

#include <dlfcn.h>
#include <time.h>

static time_t back(void)
{
    static time_t hours;

    return 3600 * __sync_add_and_fetch(&hours, 1);
}

int clock_gettime(clockid_t clock, struct timespec *time_p)
{
    static int (*real)(clockid_t, struct timespec *);
    int code;

    if (real == NULL)
        real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    code = real(clock, time_p);
    if (clock == CLOCK_REALTIME)
        time_p->tv_sec -= back();
    return code;
}

time_t time(time_t *time_p)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (time_p != NULL)
        *time_p = now.tv_sec;
    return now.tv_sec;
}
