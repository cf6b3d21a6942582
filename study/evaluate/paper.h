/* Numbers of the paper (Isaila et al., IEEE Cluster 2015), measured on Vesta, a
 * Blue Gene/Q: citations, to stand beside ours. */

#ifndef PAPER_H
#define PAPER_H

#include "study.h"

typedef enum paper_key {
    PAPER_INSTANCES,
    PAPER_NEAR_OPTIMAL,
    PAPER_ABOVE_3,
    PAPER_QUARTILE,
    PAPER_RS_BETTER,
    PAPER_RS_WORSE,
    PAPER_ML_WORSE,
    PAPER_HYBRID_WORSE,
    PAPER_ML_LARGE,
    PAPER_HYBRID_LARGE,
    PAPER_ML_MEDIUM,
    PAPER_HYBRID_MEDIUM,
    PAPER_FEW_BETTER,
    PAPER_SIGMA,
    PAPER_PLACEMENT,
    PAPER_ML_R2,
    PAPER_ML_RMSE,
    PAPER_COUNT
} paper_key;

typedef struct paper_number {
    double value;
    const char *what, *where;
    bool instances; /* a number of instances, out of PAPER_INSTANCES */
} paper_number;

const paper_number *paper_of(paper_key key);

#endif /* PAPER_H */
