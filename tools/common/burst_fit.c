/* A burst as the law of write caches has it. */

#include "burst.h"

#include <math.h>

#include "cost/write_cache.h"
#include "stats.h"

#define KNEE_STEP 0.05

enum {
    LOOKS = 64, /* at as many moments at most */
    HALVINGS = 40
};

/* Seconds from the end of the first round to that of round[i]. */
typedef struct looks {
    int count;
    double round[LOOKS], seconds[LOOKS];
    double bytes, absorbed; /* of a round */
    double first;           /* seconds of the first */
} looks;

static looks look_at(const double *seconds, int count, double bytes, int absorbed)
{
    looks at = {
        .bytes = bytes, .absorbed = stats_median(seconds + 1, absorbed - 1), .first = seconds[0]};
    double sum = 0, every = fmax(1, (count - 1.0) / LOOKS);

    for (int i = 1; i < count; i++) {
        sum += seconds[i];
        if (i >= (at.count + 1) * every && at.count < LOOKS) {
            at.round[at.count] = i;
            at.seconds[at.count++] = sum;
        }
    }
    return at;
}

/* How far the law is from what was seen, in full rounds: sum, and sum of squares. */
static double miss(const looks *at, const burst *law, double *squares_p)
{
    double drain = at->bytes / law->full, sum = 0, squares = 0;

    for (int i = 0; i < at->count; i++) {
        const atm_cached_rounds rounds = {
            .count = at->round[i], .bytes = at->bytes, .absorbed = at->absorbed, .drain = drain};
        double level = fmax(0, at->bytes - drain * at->first);
        double seconds =
            atm_write_cache_follow(law->capacity, law->knee * law->capacity, &rounds, &level);
        double by = (seconds - at->seconds[i]) / law->full;

        sum += by;
        squares += by * by;
    }
    *squares_p = squares;
    return sum;
}

/* The capacity with which the law is neither too slow nor too fast; the larger the faster. */
static double fit_capacity(const looks *at, double most, burst *law)
{
    double low = 0, high = most, squares;

    for (int i = 0; i < HALVINGS; i++) {
        law->capacity = (low + high) / 2;
        if (miss(at, law, &squares) > 0)
            low = law->capacity;
        else
            high = law->capacity;
    }
    return squares;
}

/* Mean of the later half of the rounds that were taken for full ones: the first are in the knee. */
static double last_half(const double *seconds, int from, int to)
{
    double sum = 0;
    int half = from + (to - from) / 2;

    for (int i = half; i < to; i++)
        sum += seconds[i];
    return sum / (to - half);
}

void burst_fit(const double *seconds, int count, double bytes, burst *found)
{
    const looks at = look_at(seconds, count, bytes, found->absorbed);
    double full = last_half(seconds, found->absorbed, count), least = INFINITY;
    burst best = *found;

    if (found->capacity == 0 || full <= at.absorbed)
        return;
    for (double knee = 0; knee < 1; knee += KNEE_STEP) {
        burst law = {.absorbed = found->absorbed, .full = full, .knee = knee};
        double squares = fit_capacity(&at, bytes * count, &law);

        if (squares < least) {
            least = squares;
            best = law;
        }
    }
    *found = best;
}
