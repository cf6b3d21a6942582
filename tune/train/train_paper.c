/* Table II of the paper (Isaila et al., CLUSTER 2015) and the numbers of points
 * in its section V-C: citations, measured on another machine. */

#include "train.h"

static const struct {
    atm_operation operation;
    train_paper paper;
} table[] = {
    {ATM_ALLREDUCE, {"M_aar", 57, "rules", 0.84, 4.58e-04}},
    {ATM_ALLTOALL, {"M_aa", 51, "svr", 0.89, 3.58e-01}},
    {ATM_EXCHANGE, {"M_aav", 1044, "svr", 0.88, 6.73e+01}},
    {ATM_WRITE_FIRST, {"M_s_lock", 270, "knn", 0.79, 2.85e-01}},
    {ATM_WRITE_FULL, {"M_s_nl_full", 27, "knn", 0.57, 1.89e+00}},
    {ATM_WRITE_PARTIAL, {"M_s_nl_partial", 270, "knn", 0.83, 2.49e-01}},
};

bool train_paper_of(atm_operation operation, train_paper *paper_p)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].operation == operation) {
            *paper_p = table[i].paper;
            return true;
        }
    }
    return false;
}
