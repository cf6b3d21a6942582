/* Ranking of points by what was measured. */

#ifndef ATS_RANK_H
#define ATS_RANK_H

#include "conduct.h"

typedef struct ats_ranked {
    ats_point point;
    int runs, failures; /* whole runs; those that failed or were stopped */
    double median;      /* INFINITY without a whole run */
    double low, high;   /* of these */
} ats_ranked;

/* All points that were tried, the best first and those that failed last; free it.  NULL without
 * memory.  Points of equal medians are in the order in which they were tried. */
ats_ranked *ats_rank(const ats_seen *seen, int *count_p);

/* The winner against the default. */
typedef struct ats_verdict {
    bool known;                  /* both have whole runs */
    bool sure;                   /* the interval, if there is one, excludes 1 */
    bool paired;                 /* by --verify; else checks and what was explored */
    int runs;                    /* of the winner */
    double seconds, interval[2]; /* of the winner: median, 95 % of the mean about it */
    double default_seconds;
    double speed_up, low, high; /* 95 % by bootstrap; low and high are 0 with fewer than two runs */
} ats_verdict;

/* Whether it has been shown that the winner is faster. */
bool ats_is_faster(const ats_verdict *verdict);

ats_verdict ats_judge(const ats_seen *seen, const ats_point *winner, uint64_t seed);

#endif /* ATS_RANK_H */
