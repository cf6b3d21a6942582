/*
 * Which point is next.
 *
 * The first pass visits the point that teaches most (schedule_worth.c) of an operation that has
 * few points, or that has had the least time for its weight so far: a coarse picture of all
 * operations comes first, and whenever the budget ends, time has been shared fairly.  A budget
 * gives the pass its part of the time.  Later passes visit the same points again, shuffled all
 * together, so that slow changes of the machine do not look like effects of a feature, and two
 * visits of a point tell how far it can be repeated.
 */

#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "common/rng.h"

#define SHARE 12 /* a visit may take this part of what its operation has left */
/* Points of an operation, while others have few: half of the paper's table II. */
#define ENOUGH 500
enum { SOME = 10 }; /* each has so many before any has more */

double schedule_limit(double budget, int parts)
{
    double limit = budget / parts / 600;

    if (budget <= 0 || limit > 2)
        return 2;
    return limit < 0.02 ? 0.02 : limit;
}

double schedule_longest(const schedule_options *options)
{
    return options->budget > 0 ? options->budget / 20 : INFINITY;
}

atm_status schedule_make(const plan *plan, const schedule_options *options, schedule *schedule_p)
{
    schedule made = {.plan = plan, .options = *options};

    made.done = calloc((size_t) plan->count + 1, sizeof(*made.done));
    made.order = calloc((size_t) plan->count + 1, sizeof(*made.order));
    made.last = calloc((size_t) plan->count + 1, sizeof(*made.last));
    made.apart = calloc((size_t) plan->count + 1, sizeof(*made.apart));
    if (made.done == NULL || made.order == NULL || made.last == NULL || made.apart == NULL) {
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
    free(schedule->apart);
    schedule->done = schedule->order = NULL;
    schedule->last = schedule->apart = NULL;
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

/* Slightly less than the pass's part: points that cannot be visited again are less informative. */
static double first_pass(const schedule *schedule)
{
    return 0.95 * for_visits(schedule) / schedule->options.parts;
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

/* Order in which operations get points while they have few: others can be told from full rounds,
 * and a first point says more of them than a second. */
static double turn_of(const schedule *schedule, int operation)
{
    static const double seats[ATM_OPERATION_COUNT] = {
        [ATM_EXCHANGE] = 5,    [ATM_WRITE_FULL] = 3,        [ATM_READ_FULL] = 3,
        [ATM_WRITE_FIRST] = 2, [ATM_WRITE_INDEPENDENT] = 2, [ATM_READ_INDEPENDENT] = 2};
    int points = schedule->points_on[operation];

    if (points >= SOME)
        return INFINITY;
    return (points + 1) / fmax(seats[operation], 1); /* as d'Hondt has it */
}

/* Next point of storage or of communication: operations take turns until each has some points; then
 * the one with least time for its weight comes next. */
static int next_of_side(const schedule *schedule, bool storage, double share, double most)
{
    int best = -1;
    double first = 0, least = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        double turn = turn_of(schedule, i), had = schedule->spent_on[i] / weight_of(i);
        int index;

        if (i == ATM_WRITE_DRAINED || plan_is_storage((atm_operation) i) != storage ||
            (share > 0 && schedule->points_on[i] >= ENOUGH))
            continue;
        index = schedule_next_of(schedule, i, share > 0 && isinf(turn) ? longest(share, i) : most);
        if (index >= 0 && (best < 0 || turn < first || (turn == first && had < least))) {
            best = index;
            first = turn;
            least = had;
        }
    }
    return best;
}

/* Time spent on storage or on communication, relative to its weight. */
static double had_of_side(const schedule *schedule, bool storage)
{
    double spent = 0, weight = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (plan_is_storage((atm_operation) i) == storage && i != ATM_WRITE_DRAINED &&
            schedule->plan->first[i + 1] > schedule->plan->first[i]) {
            spent += schedule->spent_on[i];
            weight += weight_of(i);
        }
    return weight > 0 ? spent / weight : INFINITY;
}

/* Each operation within its own share first, and only as many points as it needs; then, with what
 * others do not need, anything that fits. */
static int next_other(const schedule *schedule)
{
    double share = first_pass(schedule) / weights_of(schedule->plan);
    double last = has_drained(schedule->plan) ? share * weight_of(ATM_WRITE_DRAINED) : 0;
    double left = first_pass(schedule) - last - schedule->spent_pass;
    double most = fmin(left / 2, schedule_longest(&schedule->options));
    bool first = had_of_side(schedule, true) < had_of_side(schedule, false);

    if (schedule->options.budget > 0 && left <= 0)
        return -1;
    for (int greedy = 0; greedy < 2; greedy++)
        for (int other = 0; other < 2; other++) {
            int index = next_of_side(schedule, first != (other > 0), greedy ? 0 : share, most);

            if (index >= 0)
                return index;
        }
    return -1;
}

/* Operations that need full caches come last, as caches are filled once. */
static int next_first(const schedule *schedule)
{
    double share = first_pass(schedule) / weights_of(schedule->plan);
    int index = next_other(schedule);

    if (index < 0)
        index = schedule_next_of(schedule, ATM_WRITE_DRAINED, longest(share, ATM_WRITE_DRAINED));
    if (index < 0)
        index = schedule_next_of(schedule, ATM_WRITE_DRAINED,
                                 fmin((first_pass(schedule) - schedule->spent_pass) / 2,
                                      schedule_longest(&schedule->options)));
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

/* A visit that takes much longer than its size explains, such as one that first
 * has to write the file to read, is not charged to its operation. */
void schedule_note(schedule *schedule, int index, double seconds, double once)
{
    const plan_point *point = &schedule->plan->points[index];
    double guessed = schedule_guess(schedule, point);
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
    schedule_note_rate(schedule, point, once);
    schedule_note_near(schedule, index);
}

void schedule_skip(schedule *schedule, int index)
{
    schedule->done[index] = -1;
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
