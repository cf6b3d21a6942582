/* The nearest of many points, for models that remember instances. */

#ifndef SUR_NEAR_H
#define SUR_NEAR_H

#include "atm.h"

typedef enum sur_near_metric {
    SUR_NEAR_EUCLID_SQUARED, /* sum of squared differences */
    SUR_NEAR_MANHATTAN       /* sum of differences */
} sur_near_metric;

typedef struct sur_near_tree sur_near_tree; /* a k-d tree (Bentley, CACM 18(9), 1975) */

enum { SUR_NEAR_MAX_FOUND = 32 };

typedef struct sur_near_found {
    int count;
    int index[SUR_NEAR_MAX_FOUND]; /* of the point in its matrix */
    double distance[SUR_NEAR_MAX_FOUND];
} sur_near_found;

/* points[count][inputs], copied; 1 <= inputs <= ATM_FEATURE_COUNT, count >= 1.
 * The caller destroys the tree.  ATM_OK or ATM_NO_MEMORY. */
atm_status sur_near_make(const double *points, int count, int inputs, sur_near_metric metric,
                         sur_near_tree **tree_p);
void sur_near_destroy(sur_near_tree *tree);

/* The (at most) wanted <= SUR_NEAR_MAX_FOUND points nearest to query and not
 * farther than limit, nearest first; of equally far ones the lower index. */
void sur_near_find(const sur_near_tree *tree, const double *query, int wanted, double limit,
                   sur_near_found *found_p);

#endif /* SUR_NEAR_H */
