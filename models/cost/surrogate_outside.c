/* Surrogates: how much surer they are near what was measured than far from it. */

#include "surrogate_inside.h"

#include <math.h>
#include <stdlib.h>

#include "surrogate_math.h"

#define FEATURE_MIN 1e-30
#define DEVIATION_MAX 100.0
#define POWER_MAX 4.0

const char *const atm_away_names[] = {"size", "scale", "stripes", NULL};

atm_away atm_away_of(atm_feature feature)
{
    return feature == ATM_BYTES     ? ATM_AWAY_SIZE
           : feature == ATM_STRIPES ? ATM_AWAY_STRIPES
                                    : ATM_AWAY_SCALE;
}

static double log2_of(double x)
{
    return sur_log(x > FEATURE_MIN ? x : FEATURE_MIN) / SUR_LN2;
}

/* Squared distance in logarithms.  Among features that say the same thing, such as ranks and nodes,
 * only the farthest counts. */
static double offset(const atm_feature *features, int count, const double *from, const double *to,
                     double offset_p[ATM_AWAY_COUNT])
{
    double squares = 0;

    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        offset_p[i] = 0;
    for (int i = 0; i < count; i++) {
        double *far = &offset_p[atm_away_of(features[i])], apart = to[i] - from[i];

        if (fabs(apart) > fabs(*far))
            *far = apart;
    }
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        squares += offset_p[i] * offset_p[i];
    return squares;
}

double atm_away_between(const atm_feature *features, int count, const double *from,
                        const double *to)
{
    double logs[2][ATM_FEATURE_COUNT], offsets[ATM_AWAY_COUNT];

    for (int i = 0; i < count; i++) {
        logs[0][i] = log2_of(from[i]);
        logs[1][i] = log2_of(to[i]);
    }
    return sqrt(offset(features, count, logs[0], logs[1], offsets));
}

/* NaN and infinity are far. */
static double number(double x)
{
    return x <= SUR_FAR ? x : SUR_FAR;
}

/* How far beyond all places, in each direction. */
static void find_beyond(const sur_outside *o, const double *logs, double beyond_p[ATM_AWAY_COUNT])
{
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        beyond_p[i] = 0;
    for (int i = 0; i < o->columns; i++) {
        double *far = &beyond_p[atm_away_of(o->feature[i])];
        double apart = logs[i] > o->most[i]    ? logs[i] - o->most[i]
                       : logs[i] < o->least[i] ? logs[i] - o->least[i]
                                               : 0;

        if (fabs(apart) > fabs(*far))
            *far = apart;
    }
}

/* Between places cross-validation has seen errors at the distance that places have of each other.
 */
void sur_outside_offset(const sur_outside *o, const double features[ATM_FEATURE_COUNT],
                        double bytes, double offset_p[ATM_AWAY_COUNT])
{
    double logs[ATM_FEATURE_COUNT], found[ATM_AWAY_COUNT], least = INFINITY, beyond;

    for (int i = 0; i < o->columns; i++) {
        double x = number(features[o->feature[i]]);

        logs[i] = log2_of(o->feature[i] == ATM_BYTES && !(x > bytes) ? bytes : x);
    }
    for (int i = 0; i < o->count; i++) {
        double squares = offset(o->feature, o->columns, o->logs + i * o->columns, logs, found);

        if (squares >= least)
            continue;
        least = squares;
        for (int k = 0; k < ATM_AWAY_COUNT; k++)
            offset_p[k] = found[k];
    }
    beyond = least > o->spacing * o->spacing ? 1 - o->spacing / sqrt(least) : 0;
    find_beyond(o, logs, found);
    for (int k = 0; k < ATM_AWAY_COUNT; k++) {
        offset_p[k] *= beyond;
        if (fabs(found[k]) > fabs(offset_p[k]))
            offset_p[k] = found[k];
    }
}

double sur_outside_variance(const sur_outside *o, const double offset[ATM_AWAY_COUNT])
{
    double variance = 0;

    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        variance += o->deviation[i] * o->deviation[i] * offset[i] * offset[i];
    return variance;
}

double sur_outside_covariance(const sur_outside *o, const double one[ATM_AWAY_COUNT],
                              const double other[ATM_AWAY_COUNT])
{
    double covariance = 0;

    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        if (one[i] * other[i] > 0)
            covariance += o->alike * o->deviation[i] * o->deviation[i] * one[i] * other[i];
    return covariance;
}

/* --- files */

static atm_status read_places(const atm_value *object, atm_message *message, sur_outside *o)
{
    size_t columns = (size_t) o->columns, length;
    atm_status status = atm_get_numbers(object, "places", columns, ATM_AWAY_PLACES * columns,
                                        FEATURE_MIN, SUR_FAR, message, &o->places, &length);

    if (status != ATM_OK)
        return status;
    if (length % columns != 0)
        return atm_complain(object, "places", message, "must have %d numbers for each", o->columns);
    o->logs = malloc(length * sizeof(*o->logs)); /* atm_surrogate_destroy */
    if (o->logs == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < length; i++) {
        size_t k = i % columns;

        o->logs[i] = log2_of(o->places[i]);
        o->least[k] = i < columns ? o->logs[i] : fmin(o->least[k], o->logs[i]);
        o->most[k] = i < columns ? o->logs[i] : fmax(o->most[k], o->logs[i]);
    }
    o->count = (int) (length / columns);
    return ATM_OK;
}

static atm_status read_powers(const atm_value *object, int columns, atm_message *message,
                              sur_outside *o)
{
    double *powers;
    size_t length = (size_t) columns;
    atm_status status =
        atm_get_numbers(object, "powers", length, length, 0, POWER_MAX, message, &powers, &length);

    if (status != ATM_OK)
        return status;
    for (int i = 0; i < columns; i++)
        o->power[i] = powers[i];
    o->by_power = true;
    free(powers);
    return ATM_OK;
}

atm_status sur_outside_read(const atm_value *surrogate, int columns, atm_message *message,
                            sur_outside *o)
{
    static const char *const keys[] = {"size",     "scale",  "stripes", "alike", "spacing",
                                       "features", "places", "powers",  NULL};
    const atm_value *object;
    atm_status status;

    if (atm_value_find(surrogate, "outside") == NULL)
        return ATM_OK;
    status = atm_get_object(surrogate, "outside", message, &object);
    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    for (int i = 0; status == ATM_OK && i < ATM_AWAY_COUNT; i++)
        status =
            atm_get_number(object, atm_away_names[i], 0, DEVIATION_MAX, message, &o->deviation[i]);
    if (status == ATM_OK)
        status = atm_get_number(object, "alike", 0, 1, message, &o->alike);
    if (status == ATM_OK)
        status = atm_get_number(object, "spacing", 0, DEVIATION_MAX, message, &o->spacing);
    if (status == ATM_OK && atm_value_find(object, "powers") != NULL)
        status = read_powers(object, columns, message, o);
    if (status == ATM_OK)
        status = sur_features_read(object, message, o->feature, &o->columns);
    return status == ATM_OK ? read_places(object, message, o) : status;
}

void sur_outside_write(const sur_outside *o, int columns, atm_value *surrogate)
{
    atm_value *object, *features;

    if (o->count == 0)
        return;
    object = atm_put_object(surrogate, "outside");
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        atm_put_number(object, atm_away_names[i], o->deviation[i]);
    atm_put_number(object, "alike", o->alike);
    atm_put_number(object, "spacing", o->spacing);
    if (o->by_power)
        atm_put_numbers(object, "powers", o->power, (size_t) columns);
    features = atm_put_array(object, "features");
    for (int i = 0; i < o->columns; i++)
        atm_put_string(features, NULL, atm_feature_name(o->feature[i]));
    atm_put_numbers(object, "places", o->places, (size_t) (o->count * o->columns));
}
