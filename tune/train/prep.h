/* Preprocessing that is tried: pipelines (cost/pipeline.h) fitted to points. */

#ifndef PREP_H
#define PREP_H

#include "cost/pipeline.h"

typedef enum prep_power {
    PREP_NONE,      /* features as they are */
    PREP_BOX_COX,   /* lambda of the greatest likelihood */
    PREP_LOG,       /* lambda 0 */
    PREP_LOG_COUNTS /* lambda 0 but bytes as they are: alpha log n + beta log n bytes */
} prep_power;

/* All are centred and scaled. */
typedef struct prep_step {
    const char *name;
    prep_power power;
    bool pca; /* the components that together have 95 % of the variance, as caret */
} prep_step;

enum { PREP_STEPS = 6 };
extern const prep_step prep_steps[PREP_STEPS];

/* Bits of trainer.steps. */
enum {
    PREP_BIT_PLAIN = 1,
    PREP_BIT_BOX_COX = 2,
    PREP_BIT_LOG = 4,
    PREP_BIT_LOG_COUNTS = 8,
    PREP_BIT_BOX_COX_PCA = 16,
    PREP_BIT_LOG_PCA = 32
};

/* x[rows][columns] of the features named; the target is left linear. */
atm_status prep_fit(const prep_step *step, const double *x, int rows, int columns,
                    const atm_feature *features, atm_pipeline *pipeline_p);

#endif /* PREP_H */
