/* Probabilities as scores of classifiers. */

#include "classifier_kind.h"
#include "cost/surrogate_math.h"

double atm_classifier_logit(double probability)
{
    double p = probability < 1e-6 ? 1e-6 : probability > 1 - 1e-6 ? 1 - 1e-6 : probability;

    return sur_log(p / (1 - p));
}
