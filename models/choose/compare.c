/* Differences of two predictions, with their errors. */

#include "compare.h"

#include <math.h>
#include <string.h>

void atm_reference_predict(const atm_profile *profile, atm_memo *memo, atm_reference *reference)
{
    atm_prediction prediction;

    atm_predict_errors(profile, &reference->counts, memo, &prediction, &reference->errors);
    reference->seconds = prediction.seconds;
}

/* Probability that a normal deviate with this mean is positive, to six digits:
 * the last ones differ between implementations of erfc. */
static double probability(double mean, double deviation)
{
    if (deviation > 0)
        return round(0.5e6 * erfc(-mean / deviation * M_SQRT1_2)) / 1e6;
    return mean > 0 ? 1 : mean < 0 ? 0 : 0.5;
}

void atm_compare(const atm_profile *profile, const atm_reference *reference,
                 const atm_counts *counts, atm_memo *memo, atm_comparison *comparison_p)
{
    bool same = memcmp(&reference->counts, counts, sizeof(*counts)) == 0;
    atm_prediction prediction;
    atm_comparison found;
    atm_errors errors;

    atm_predict_errors(profile, counts, memo, &prediction, &errors);
    found.saved = reference->seconds - prediction.seconds;
    found.deviation = same ? 0 : atm_errors_difference(profile, 1, &reference->errors, &errors);
    found.confidence = probability(found.saved, found.deviation);
    found.harm =
        1 - probability((1 + ATM_HARM) * reference->seconds - prediction.seconds,
                        atm_errors_difference(profile, 1 + ATM_HARM, &reference->errors, &errors));
    *comparison_p = found;
}
