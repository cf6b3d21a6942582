/* What errors outside are on the kept grounds: means over the kinds of these. */

#include "outside.h"

#include <math.h>
#include <string.h>

/* Errors outside of an operation on one ground; a deviation of 0: nothing could be left out. */
typedef struct outside_row {
    const char *kind; /* of ground */
    atm_operation operation;
    double deviation[ATM_AWAY_COUNT];
    double alike;
} outside_row;

#include "outside_table.h"

enum { ROWS = sizeof(outside_rows) / sizeof(outside_rows[0]) };

#define UNKNOWN 0.25 /* where no ground says anything */
#define LEAST 0.3    /* deviation of a logarithm; no few grounds are like all */

/* Weight of a row: 1 / number of informative rows of its kind of ground; -1: of any kind. */
static double weight_of(int row, atm_kind kind, int direction)
{
    int count = 0;

    for (int i = 0; i < ROWS; i++)
        count += atm_operation_kind(outside_rows[i].operation) == kind &&
                 outside_rows[i].deviation[direction] > 0 &&
                 strcmp(outside_rows[i].kind, outside_rows[row].kind) == 0;
    return 1.0 / count;
}

static bool says(int row, atm_kind kind, int direction)
{
    return atm_operation_kind(outside_rows[row].operation) == kind &&
           outside_rows[row].deviation[direction] > 0;
}

static outside_prior prior_of(atm_kind kind, int direction)
{
    double sum = 0, squares = 0, all = 0;

    for (int i = 0; i < ROWS; i++) {
        double logarithm, weight;

        if (!says(i, kind, direction))
            continue;
        logarithm = log(outside_rows[i].deviation[direction]);
        weight = weight_of(i, kind, direction);
        all += weight;
        sum += weight * logarithm;
        squares += weight * logarithm * logarithm;
    }
    if (all == 0)
        return (outside_prior){log(UNKNOWN), 1};
    return (outside_prior){sum / all,
                           fmax(LEAST, sqrt(fmax(0, squares / all - sum * sum / (all * all))))};
}

void outside_priors(atm_kind kind, outside_prior priors_p[ATM_AWAY_COUNT], double *alike_p)
{
    double alike = 0, all = 0;

    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        priors_p[i] = prior_of(kind, i);
    for (int i = 0; i < ROWS; i++) {
        if (!says(i, kind, ATM_AWAY_SCALE))
            continue;
        alike += weight_of(i, kind, ATM_AWAY_SCALE) * outside_rows[i].alike;
        all += weight_of(i, kind, ATM_AWAY_SCALE);
    }
    *alike_p = all > 0 ? alike / all : 0;
}
