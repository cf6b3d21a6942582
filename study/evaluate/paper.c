/* The paper's numbers, each with the place where it stands. */

#include "paper.h"

static const paper_number numbers[PAPER_COUNT] = {
    [PAPER_INSTANCES] = {33, "instances", "Table I", false},
    [PAPER_NEAR_OPTIMAL] = {12, "the default is optimal or close to it", "section VI-B, figure 7",
                            true},
    [PAPER_ABOVE_3] = {2, "the best is more than 3 times as fast as the default",
                       "section VI-B, figure 7", true},
    [PAPER_QUARTILE] = {15, "the upper quartile of all configurations is faster than the default",
                        "section VI-B, figure 7", true},
    [PAPER_RS_BETTER] = {15, "rs is better than the default", "section VI-B, figure 8", true},
    [PAPER_RS_WORSE] = {18, "rs is worse than the default", "section VI-B, figure 8", true},
    [PAPER_ML_WORSE] = {5, "ml is worse than the default", "section VI-B, figure 8", true},
    [PAPER_HYBRID_WORSE] = {2, "hybrid is worse than the default", "section VI-B, figure 8", true},
    [PAPER_ML_LARGE] = {6, "speed-up of ml above 1.5", "section VI-B, figure 8", true},
    [PAPER_HYBRID_LARGE] = {6, "speed-up of hybrid above 1.5", "section VI-B, figure 8", true},
    [PAPER_ML_MEDIUM] = {5, "speed-up of ml between 1.1 and 1.5", "section VI-B, figure 8", true},
    [PAPER_HYBRID_MEDIUM] = {11, "speed-up of hybrid between 1.1 and 1.5", "section VI-B, figure 8",
                             true},
    [PAPER_FEW_BETTER] = {0.5,
                          "share of ml's picks that beat the default with a third of the "
                          "points",
                          "section VI-C, figure 10", false},
    [PAPER_SIGMA] = {0.5, "sigma up to which hybrid's speed-ups remain the same",
                     "section VI-D, figure 11", false},
    [PAPER_PLACEMENT] = {1.69, "largest speed-up of topology-aware over uniform placement",
                         "section V-C2, figure 6", false},
    [PAPER_ML_R2] = {0.85, "R-squared of ml", "Table II", false},
    [PAPER_ML_RMSE] = {17.9, "RMSE of ml, s", "Table II", false},
};

const paper_number *paper_of(paper_key key)
{
    return &numbers[key];
}
