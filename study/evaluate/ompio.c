/* OMPIO's number of aggregators. */

#include "ompio.h"

#include <math.h>

/* LogGP of DDR InfiniBand, seconds: the same on every machine. */
#define LATENCY 1.84e-6
#define OVERHEAD 1.49e-6
#define GAP_SMALL 1.08e-6 /* of messages below LARGE */
#define GAP_LARGE 11.9e-6
#define LARGE 33554432
#define GAP_OF_BYTE 0.67e-9

/* More aggregators must save this share more than those before did, and seconds. */
#define SAVES 0.03
#define SAVES_SECONDS 1e-3

enum { RANKS_OF_ONE = 8 }; /* at least, for each aggregator */

/* Partners that a rank has in each of its messages of that size. */
typedef struct shape {
    double receivers, senders, bytes;
} shape;

/* One dimension: every rank has one aggregator. */
static shape line(double chunk)
{
    double buffer = (double) OMPIO_BUFFER;

    return chunk > buffer ? (shape){1, 1, buffer} : (shape){1, buffer / chunk, chunk};
}

/* Two: the ranks of a row share the row's aggregators. */
static shape square(int ranks, int aggregators, double chunk)
{
    double buffer = (double) OMPIO_BUFFER, side = floor(sqrt(ranks));
    double bytes =
        chunk > aggregators * buffer / ranks ? buffer / side : chunk * side / aggregators;

    return (shape){aggregators / side, side, fmin(bytes, chunk)};
}

static double message(double partners, double bytes)
{
    double gap = bytes < LARGE ? GAP_SMALL : GAP_LARGE;

    return LATENCY + 2 * OVERHEAD + (partners - 1) * gap + (bytes - 1) * partners * GAP_OF_BYTE;
}

/* Communication only: storage has no part in it. */
static double seconds_of(int ranks, int aggregators, double chunk, bool whole)
{
    shape s = whole ? line(chunk) : square(ranks, aggregators, chunk);
    double sends = chunk / (s.receivers * s.bytes);
    double rounds = ranks * chunk / aggregators / (double) OMPIO_BUFFER;

    return sends * message(s.receivers, s.bytes) + rounds * message(s.senders, s.bytes);
}

static int step_of(int ranks)
{
    if (ranks < 128)
        return ranks < 16 ? 2 : 4;
    return ranks < 4096 ? 16 : 32;
}

int ompio_aggregators(int ranks, uint64_t chunk, bool whole)
{
    double seconds = seconds_of(ranks, 1, (double) chunk, whole), share = 0;
    int step = step_of(ranks), found = 1, most = ranks / RANKS_OF_ONE;

    for (int next = step; next <= ranks; next += step) {
        double now = seconds_of(ranks, next, (double) chunk, whole);
        double saved = seconds - now;
        double more = next == step ? saved / seconds : share - saved / seconds;

        if (more < SAVES || saved < SAVES_SECONDS)
            break;
        share = saved / seconds;
        seconds = now;
        found = next;
    }
    found = found < most ? found : most;
    return found > 1 ? found : 1;
}
