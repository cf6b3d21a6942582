/* Places that tell what was measured, and how far they are from each other. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "outside.h"
#include "outside_law.h"

/* Features that surrogates look at, and those that tell a job from a larger one even if all points
 * are of one. */
static int features_of(const train_operation *o, atm_feature features_p[ATM_FEATURE_COUNT])
{
    static const atm_feature jobs[] = {ATM_NODES, ATM_SENDERS};
    int count = o->feature_count;

    memcpy(features_p, o->features, (size_t) count * sizeof(*features_p));
    for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
        bool has = false;

        for (int k = 0; k < o->feature_count; k++)
            has |= o->features[k] == jobs[i];
        if (!has)
            features_p[count++] = jobs[i];
    }
    return count;
}

static double between(const train_operation *o, int one, int other)
{
    atm_feature features[ATM_FEATURE_COUNT];
    double a[ATM_FEATURE_COUNT], b[ATM_FEATURE_COUNT];
    int count = features_of(o, features);

    for (int i = 0; i < count; i++) {
        a[i] = o->points[one]->features[features[i]];
        b[i] = o->points[other]->features[features[i]];
    }
    return atm_away_between(features, count, a, b);
}

static int compare(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* Picks those of the taken points that cover all best, each the farthest from the ones before
 * (Gonzalez, Theoretical Computer Science 38, 1985); returns how many.  far_p[count]: distance of
 * each point to the nearest other one. */
static int cover(const train_operation *o, const bool *take, int *places_p, double *far_p)
{
    int count = 0, next = 0;

    while (next < o->count && !take[next])
        next++;
    for (int i = 0; i < o->count; i++)
        far_p[i] = INFINITY;
    while (count < ATM_AWAY_PLACES) {
        double farthest = 0;

        places_p[count++] = next;
        for (int i = 0, place = next; i < o->count; i++) {
            double far = i != place ? between(o, i, place) : INFINITY;

            if (far > 0) /* the same place with other values of what is left out */
                far_p[i] = fmin(far_p[i], far);
        }
        for (int i = 0; i < o->count; i++) {
            bool is_place = false;

            for (int k = 0; k < count; k++)
                is_place |= places_p[k] == i;
            if (take[i] && !is_place && isfinite(far_p[i]) && far_p[i] > farthest) {
                farthest = far_p[i];
                next = i;
            }
        }
        if (farthest == 0)
            break;
    }
    return count;
}

/* The usual distance. */
static double spacing_of(const train_operation *o, const bool *take, const double *far)
{
    double *sorted = malloc((size_t) o->count * sizeof(*sorted)), spacing = 0;
    int count = 0;

    for (int i = 0; sorted != NULL && i < o->count; i++)
        if (take[i] && isfinite(far[i]))
            sorted[count++] = far[i];
    if (count > 0) {
        qsort(sorted, (size_t) count, sizeof(*sorted), compare);
        spacing = sorted[count / 2];
    }
    free(sorted);
    return spacing;
}

static void put_places(const train_operation *o, const int *places, int count, atm_value *object)
{
    atm_feature features[ATM_FEATURE_COUNT];
    int columns = features_of(o, features);
    atm_value *names = atm_put_array(object, "features"), *list = atm_put_array(object, "places");

    for (int k = 0; k < columns; k++)
        atm_put_string(names, NULL, atm_feature_name(features[k]));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < columns; k++)
            atm_put_number(list, NULL, o->points[places[i]]->features[features[k]]);
}

atm_status outside_put(const train_operation *o, const bool *take, const outside_found *found,
                       double alike, atm_value *surrogate)
{
    int places[ATM_AWAY_PLACES], count;
    double *far = malloc((size_t) o->count * sizeof(*far));
    atm_value *object;

    if (far == NULL)
        return ATM_NO_MEMORY;
    count = cover(o, take, places, far);
    object = atm_put_object(surrogate, "outside");
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        atm_put_number(object, atm_away_names[i], found->deviation[i]);
    atm_put_number(object, "alike", alike);
    atm_put_number(object, "spacing", spacing_of(o, take, far));
    if (found->by_power) {
        double exponents[ATM_FEATURE_COUNT];

        outside_law(o, take, exponents);
        atm_put_numbers(object, "powers", exponents, (size_t) o->feature_count);
    }
    put_places(o, places, count, object);
    free(far);
    return atm_value_built(surrogate);
}
