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

/* Probability that a normal deviate with this mean is positive, to six digits: the last ones
 * differ between implementations of erfc, as those of a deviation do with log1p. */
static double probability(double mean, double deviation)
{
    if (deviation > 0)
        return round(0.5e6 * erfc(-mean / deviation * M_SQRT1_2)) / 1e6;
    return mean > 0 ? 1 : mean < 0 ? 0 : 0.5;
}

/*
 * Standard deviation of ln(reference / other).  Errors are factors (tools/train/local.h): what may
 * take half as long again may as well take two thirds of the time, but never none.
 */
static double deviation_of_ratio(const atm_profile *profile, const atm_reference *reference,
                                 double seconds, const atm_errors *errors)
{
    double one = atm_errors_deviation(profile, &reference->errors);
    double other = atm_errors_deviation(profile, errors);
    double both = atm_errors_difference(profile, &reference->errors, errors);
    double one_log = log1p(one / reference->seconds), other_log = log1p(other / seconds);
    double alike = 0, variance;

    if (one > 0 && other > 0)
        alike = (one * one + other * other - both * both) / (2 * one * other);
    variance = one_log * one_log + other_log * other_log - 2 * alike * one_log * other_log;
    return variance > 0 ? round(1e9 * sqrt(variance)) / 1e9 : 0;
}

void atm_compare(const atm_profile *profile, const atm_reference *reference,
                 const atm_counts *counts, atm_memo *memo, atm_comparison *comparison_p)
{
    bool same = memcmp(&reference->counts, counts, sizeof(*counts)) == 0;
    atm_comparison found = {.deviation = 0};
    atm_prediction prediction;
    atm_errors errors;
    double ratio = 0;

    atm_predict_errors(profile, counts, memo, &prediction, &errors);
    found.saved = reference->seconds - prediction.seconds;
    if (reference->seconds > 0 && prediction.seconds > 0 && !same) {
        ratio = log(reference->seconds / prediction.seconds);
        found.deviation = deviation_of_ratio(profile, reference, prediction.seconds, &errors);
    }
    found.confidence = probability(ratio, found.deviation);
    found.harm = 1 - probability(ratio + log1p(ATM_HARM), found.deviation);
    *comparison_p = found;
}
