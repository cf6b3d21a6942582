/* Differences of two predictions, with their errors. */

#include "compare.h"

#include <math.h>
#include <string.h>

void atm_reference_predict(const atm_profile *profile, atm_memo *memo, atm_reference *reference)
{
    atm_predict_errors(profile, &reference->counts, memo, &reference->prediction,
                       &reference->errors);
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
 * Standard deviation of ln(reference / other).  Errors are factors (tune/train/local.h): what may
 * take half as long again may as well take two thirds of the time, but never none.
 */
static double deviation_of_ratio(const atm_profile *profile, const atm_reference *reference,
                                 const atm_prediction *prediction, const atm_errors *errors)
{
    double before = reference->prediction.seconds, seconds = prediction->seconds;
    double one = atm_errors_deviation(profile, &reference->errors);
    double other = atm_errors_deviation(profile, errors);
    double both = atm_errors_difference(profile, &reference->errors, errors);
    double one_log = log1p(one / before), other_log = log1p(other / seconds);
    double alike = 0, variance;

    if (one > 0 && other > 0)
        alike = (one * one + other * other - both * both) / (2 * one * other);
    variance = one_log * one_log + other_log * other_log - 2 * alike * one_log * other_log;
    return variance > 0 ? round(1e9 * sqrt(variance)) / 1e9 : 0;
}

/* Gauss and Hermite's places and weights for a normal deviate: five are exact to its ninth power.
 */
static const struct {
    double place, weight;
} nodes[] = {{-2.8569700138728056, 0.0112574113277207},
             {-1.3556261799742659, 0.2220759220056126},
             {0, 0.5333333333333333},
             {1.3556261799742659, 0.2220759220056126},
             {2.8569700138728056, 0.0112574113277207}};

enum { NODES = sizeof(nodes) / sizeof(nodes[0]) };

/* Adds the probabilities where storage takes so many times as long, against communication, as
 * predicted. */
static double add_factor(const atm_prediction *reference, const atm_prediction *other,
                         double factor, double weight, atm_comparison *sum)
{
    double ratio = log(atm_prediction_scaled(reference, ATM_STORAGE_KIND, factor) /
                       atm_prediction_scaled(other, ATM_STORAGE_KIND, factor));

    sum->confidence += weight * probability(ratio, sum->deviation);
    sum->harm += weight * (1 - probability(ratio + log1p(ATM_HARM), sum->deviation));
    return ratio;
}

/* The factors on costs of storage and of communication are not known: what is common to them does
 * not change which of two is faster. */
static void compare_shapes(const atm_profile *profile, const atm_prediction *reference,
                           const atm_prediction *other, atm_comparison *found)
{
    double doubt = hypot(profile->doubt[ATM_STORAGE_KIND], profile->doubt[ATM_COMMUNICATION_KIND]);
    double mean = 0, squares = 0;

    for (int i = 0; i < NODES; i++) {
        double ratio =
            add_factor(reference, other, exp(doubt * nodes[i].place), nodes[i].weight, found);

        mean += nodes[i].weight * ratio;
        squares += nodes[i].weight * ratio * ratio;
    }
    found->deviation = sqrt(found->deviation * found->deviation + fmax(squares - mean * mean, 0));
}

void atm_compare(const atm_profile *profile, const atm_reference *reference,
                 const atm_counts *counts, atm_memo *memo, atm_comparison *comparison_p)
{
    const atm_prediction *before = &reference->prediction;
    atm_comparison found = {.confidence = 0.5};
    atm_prediction prediction;
    atm_errors errors;

    atm_predict_errors(profile, counts, memo, &prediction, &errors);
    found.saved = before->seconds - prediction.seconds;
    if (before->seconds > 0 && prediction.seconds > 0 &&
        memcmp(&reference->counts, counts, sizeof(*counts)) != 0) {
        found.deviation = deviation_of_ratio(profile, reference, &prediction, &errors);
        found.confidence = 0;
        if (profile->doubt[ATM_STORAGE_KIND] > 0 || profile->doubt[ATM_COMMUNICATION_KIND] > 0)
            compare_shapes(profile, before, &prediction, &found);
        else
            add_factor(before, &prediction, 1, 1, &found);
    }
    *comparison_p = found;
}
