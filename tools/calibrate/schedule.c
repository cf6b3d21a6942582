/*
 * Which point is next.
 *
 * The first pass visits points in nested order, each time one of the operation that has had
 * the least time for its weight so far: a coarse picture of all operations comes first, and
 * whenever the budget ends, time has been shared fairly.  A budget gives the pass its part
 * of the time.  Later passes visit the same points again, shuffled all together, so that
 * slow changes of the machine do not look like effects of a feature, and two visits of a
 * point tell how far it can be repeated.
 */

#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "common/rng.h"

#define LATENCY 50e-6          /* of anything, seconds */
#define COMMUNICATION_RATE 1e9 /* bytes per second */
#define STORAGE_RATE 4e8
#define OVERHEAD 3e-3 /* of a visit */
#define LARGE 1e6     /* bytes that tell a rate */
#define SHARE 12      /* a visit may take this part of what its operation has left */
/* Points of an operation, while others have few: half of the paper's table II. */
#define ENOUGH 500

double schedule_limit(double budget, int visits)
{
    double limit = budget / visits / 600;

    if (budget <= 0 || limit > 2)
        return 2;
    return limit < 0.02 ? 0.02 : limit;
}

/* Servers that share the work: those of a file's stripes, as far as there are writers. */
static double lanes(const plan_point *point)
{
    if (!plan_is_storage(point->operation) || point->stripes < 2)
        return 1;
    return point->stripes < point->receivers ? point->stripes : point->receivers;
}

/* The lowest that was seen of storage, for operations of which nothing was. */
static double slowest_storage(const schedule *schedule)
{
    double rate = STORAGE_RATE;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (plan_is_storage((atm_operation) i) && schedule->rate_on[i] > 0)
            rate = fmin(rate, schedule->rate_on[i]);
    return rate;
}

/* Seconds of one repetition, at the rate of the largest one seen so far. */
static double guess_once(const schedule *schedule, const plan_point *point)
{
    double rate = schedule->rate_on[point->operation];

    if (rate <= 0)
        rate = plan_is_storage(point->operation) ? slowest_storage(schedule) : COMMUNICATION_RATE;
    return LATENCY + plan_volume(point) / (rate * lanes(point));
}

static double guess(const schedule *schedule, const plan_point *point)
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
    return guess(schedule, point) * (took + 1) / (expected + 1);
}

atm_status schedule_make(const plan *plan, const schedule_options *options, schedule *schedule_p)
{
    schedule made = {.plan = plan, .options = *options};

    made.done = calloc((size_t) plan->count + 1, sizeof(*made.done));
    made.order = calloc((size_t) plan->count + 1, sizeof(*made.order));
    made.last = calloc((size_t) plan->count + 1, sizeof(*made.last));
    if (made.done == NULL || made.order == NULL || made.last == NULL) {
        schedule_clear(&made);
        return ATM_NO_MEMORY;
    }
    *schedule_p = made;
    return ATM_OK;
}

void schedule_clear(schedule *schedule)
{
    free(schedule->done);
    free(schedule->order);
    free(schedule->last);
    schedule->done = schedule->order = NULL;
    schedule->last = NULL;
}

static double for_visits(const schedule *schedule)
{
    return schedule->options.budget - schedule->options.spare;
}

static bool in_time(const schedule *schedule, double seconds)
{
    return schedule->options.budget <= 0 || schedule->spent + seconds <= for_visits(schedule);
}

/* --- the first pass */

/* A little less than its part: points that cannot be visited again are less informative. */
static double first_pass(const schedule *schedule)
{
    return 0.95 * for_visits(schedule) / schedule->options.visits;
}

/* The first point of the operation that was not visited and is short enough. */
static int next_of(const schedule *schedule, int operation, double left)
{
    const plan *plan = schedule->plan;

    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++)
        if (schedule->done[i] == 0 &&
            (schedule->options.budget <= 0 || schedule_expect(schedule, i) <= left))
            return i;
    return -1;
}

/* The exchange depends on four numbers, the others on two or three: the paper gave it
 * 1,044 of 1,719 points (table II).  A point of storage takes much longer than one of
 * communication, and is most of the time that is predicted; what is read from caches and new memory
 * are not. */
static double weight_of(int operation)
{
    if (operation == ATM_EXCHANGE)
        return 5;
    if (atm_operation_kind((atm_operation) operation) == ATM_COMMUNICATION_KIND)
        return 1;
    return operation == ATM_READ_CACHED || operation == ATM_TOUCH ? 1 : 2;
}

/* Seconds that one point may take of an operation's share, that of weight 1 being `share`; those
 * of the exchange are many. */
static double longest(double share, int operation)
{
    return share * fmin(weight_of(operation), 2) / SHARE;
}

static double weights_of(const plan *plan)
{
    double sum = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (plan->first[i + 1] > plan->first[i])
            sum += weight_of(i);
    return sum;
}

static bool has_drained(const plan *plan)
{
    return plan->first[ATM_WRITE_DRAINED + 1] > plan->first[ATM_WRITE_DRAINED];
}

/* Each operation within its own share first, and only as many points as it needs; then, with what
 * others do not need, anything that fits. */
static int next_other(const schedule *schedule)
{
    double share = first_pass(schedule) / weights_of(schedule->plan);
    double last = has_drained(schedule->plan) ? share * weight_of(ATM_WRITE_DRAINED) : 0;
    double pass = first_pass(schedule) - last;

    if (schedule->options.budget > 0 && schedule->spent_pass >= pass)
        return -1;
    for (int greedy = 0; greedy < 2; greedy++) {
        int best = -1;
        double least = 0;

        for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
            if (i == ATM_WRITE_DRAINED)
                continue;
            if (!greedy && schedule->points_on[i] >= ENOUGH)
                continue;
            double left = greedy ? (pass - schedule->spent_pass) / 2 : longest(share, i);
            double had = schedule->spent_on[i] / weight_of(i);
            int index = next_of(schedule, i, left);

            if (index >= 0 && (best < 0 || had < least)) {
                best = index;
                least = had;
            }
        }
        if (best >= 0)
            return best;
    }
    return -1;
}

/* What needs full caches comes last: these are filled once. */
static int next_first(const schedule *schedule)
{
    double share = first_pass(schedule) / weights_of(schedule->plan);
    int index = next_other(schedule);

    if (index < 0)
        index = next_of(schedule, ATM_WRITE_DRAINED, longest(share, ATM_WRITE_DRAINED));
    if (index < 0)
        index =
            next_of(schedule, ATM_WRITE_DRAINED, (first_pass(schedule) - schedule->spent_pass) / 2);
    return index;
}

/* --- the others */

typedef struct shuffled {
    uint64_t key;
    int index;
} shuffled;

static int by_key(const void *a, const void *b)
{
    const shuffled *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* Points of this pass are those that have all visits of the passes before. */
static bool begin_pass(schedule *schedule)
{
    shuffled *list = malloc(((size_t) schedule->plan->count + 1) * sizeof(*list));
    int count = 0;

    if (list == NULL)
        return false;
    schedule->pass++;
    for (int i = 0; i < schedule->plan->count; i++)
        if (schedule->done[i] >= schedule->pass)
            list[count++] = (shuffled){
                rng_hash(schedule->options.seed + (uint64_t) schedule->pass, (uint64_t) i) / 2, i};
    for (int i = 0; i < count; i++)
        if (schedule->plan->points[list[i].index].operation == ATM_WRITE_DRAINED)
            list[i].key += UINT64_MAX / 2; /* last, as above */
    qsort(list, (size_t) count, sizeof(*list), by_key);
    for (int i = 0; i < count; i++)
        schedule->order[i] = list[i].index;
    free(list);
    schedule->chosen = count;
    schedule->at = 0;
    return true;
}

static int next_again(schedule *schedule)
{
    for (; schedule->at < schedule->chosen; schedule->at++) {
        int index = schedule->order[schedule->at];

        if (schedule->done[index] >= 0 && schedule->done[index] <= schedule->pass &&
            in_time(schedule, schedule_expect(schedule, index)))
            return index;
    }
    return -1;
}

int schedule_next(schedule *schedule)
{
    if (schedule->plan->count == 0)
        return -1;
    if (schedule->pass == 0 && !schedule->again) {
        int index = -1;

        if (schedule->options.budget <= 0 || schedule->spent_pass < first_pass(schedule))
            index = next_first(schedule);
        if (index >= 0)
            return index;
    }
    while (schedule->pass < schedule->options.visits) {
        int index = schedule->pass > 0 ? next_again(schedule) : -1;

        if (index >= 0)
            return index;
        if (schedule->pass + 1 >= schedule->options.visits || !begin_pass(schedule))
            return -1;
    }
    return -1;
}

/* Small ones say nothing about it. */
static void note_rate(schedule *schedule, const plan_point *point, double once)
{
    double volume = plan_volume(point);

    if (volume < LARGE || volume < schedule->volume_on[point->operation])
        return;
    schedule->volume_on[point->operation] = volume;
    schedule->rate_on[point->operation] = volume / once / lanes(point);
}

/* A visit that takes much longer than its size explains, such as one that first
 * has to write the file to read, is not charged to its operation. */
void schedule_note(schedule *schedule, int index, double seconds, double once)
{
    const plan_point *point = &schedule->plan->points[index];
    double guessed = guess(schedule, point);
    double own = seconds < 3 * guessed ? seconds : 3 * guessed;

    if (schedule->done[index] == 0) {
        schedule->spent_pass += seconds;
        schedule->spent_on[point->operation] += own;
        schedule->points_on[point->operation]++;
    } else {
        schedule->again = true;
    }
    schedule->done[index]++;
    schedule->last[index] = seconds;
    schedule->spent += seconds;
    schedule->took_on[point->operation] += own;
    schedule->expected_on[point->operation] += guessed;
    note_rate(schedule, point, once);
}

void schedule_skip(schedule *schedule, int index)
{
    schedule->done[index] = -1;
}

double schedule_once(const schedule *schedule, int index)
{
    return guess_once(schedule, &schedule->plan->points[index]);
}

double schedule_remaining(const schedule *schedule)
{
    double seconds = 0, left = for_visits(schedule) - schedule->spent;

    for (int i = 0; i < schedule->plan->count; i++)
        if (schedule->done[i] >= 0 && (schedule->pass == 0 || schedule->done[i] > 0))
            seconds +=
                schedule_expect(schedule, i) * (schedule->options.visits - schedule->done[i]);
    if (schedule->options.budget > 0 && seconds > left)
        seconds = left > 0 ? left : 0;
    return seconds;
}
