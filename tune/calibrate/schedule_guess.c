/* What a visit takes: from the visits of its operation so far, else from the first look. */

#include <math.h>

#include "plan.h"

#define LATENCY 50e-6          /* of anything, seconds */
#define COMMUNICATION_RATE 1e9 /* bytes per second */
#define STORAGE_RATE 4e8
#define OVERHEAD 3e-3 /* of a visit */
#define LARGE 1e6     /* bytes that tell a rate */

/* Servers that share the work: those of a file's stripes, as far as there are writers. */
static double lanes(const plan_point *point)
{
    if (!plan_is_storage(point->operation) || point->stripes < 2)
        return 1;
    return point->stripes < point->receivers ? point->stripes : point->receivers;
}

/* The lowest that was seen of storage, for operations of which nothing was; of one server. */
static double slowest_storage(const schedule *schedule)
{
    double rate = schedule->options.look.one > 0 ? schedule->options.look.one : STORAGE_RATE;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (plan_is_storage((atm_operation) i) && schedule->rate_on[i] > 0)
            rate = fmin(rate, schedule->rate_on[i]);
    return rate;
}

/* At the rate of the largest repetition seen so far. */
static double guess_once(const schedule *schedule, const plan_point *point)
{
    const plan_look *look = &schedule->options.look;
    bool storage = plan_is_storage(point->operation);
    double rate = schedule->rate_on[point->operation];

    if (rate <= 0)
        rate = storage ? slowest_storage(schedule) : COMMUNICATION_RATE;
    rate *= lanes(point);
    if (storage && schedule->rate_on[point->operation] <= 0 && look->all > 0)
        rate = fmin(rate, plan_is_read(point->operation) ? look->read : look->all);
    return fmax(LATENCY, storage ? look->latency : 0) + plan_volume(point) / rate;
}

double schedule_once(const schedule *schedule, int index)
{
    return guess_once(schedule, &schedule->plan->points[index]);
}

double schedule_guess(const schedule *schedule, const plan_point *point)
{
    double once = guess_once(schedule, point);
    double most = once * PLAN_REPETITIONS / schedule->options.visits;

    if (once > schedule->options.limit) /* one to warm up, and one */
        return OVERHEAD + 2 * once;
    if (most > schedule->options.limit)
        most = schedule->options.limit;
    return OVERHEAD + (most > 4 * once ? most : 4 * once); /* two to warm up, and two */
}

double schedule_expect(const schedule *schedule, int index)
{
    const plan_point *point = &schedule->plan->points[index];
    double expected = schedule->expected_on[point->operation];
    double took = schedule->took_on[point->operation];

    if (schedule->done[index] > 0)
        return schedule->last[index];
    /* a second of guesses weighs against what was seen */
    return schedule_guess(schedule, point) * (took + 1) / (expected + 1);
}

/* Small ones say nothing about it, unless they take a second. */
void schedule_note_rate(schedule *schedule, const plan_point *point, double once)
{
    double volume = plan_volume(point), second = schedule->options.look.all;
    double least = second > 0 && second < LARGE ? second : LARGE;

    if (volume < least || volume < schedule->volume_on[point->operation])
        return;
    schedule->volume_on[point->operation] = volume;
    schedule->rate_on[point->operation] = volume / once / lanes(point);
}

/* Rounds of so many bytes of all ranks are what most visits are like. */
#define USUAL 1e6
/* Points that an operation should have before others are measured again. */
enum { SOME = 20 };

int schedule_parts(const plan *plan, const schedule_options *options)
{
    double each = 4 * (options->look.latency + USUAL / options->look.all), all = 0;
    int ranks = 1;

    for (int i = 0; i < plan->count; i++)
        ranks = plan->points[i].ranks > ranks ? plan->points[i].ranks : ranks;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (plan_is_storage((atm_operation) i) && plan->first[i + 1] > plan->first[i])
            all += SOME * fmax(each * ranks, options->limit);
    return options->budget > 0 && options->look.all > 0 && 2 * all > options->budget ? 1 : 2;
}
