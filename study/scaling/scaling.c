/*
 * scaling KIND=POINTS...: how well one operation's cost says another's, on grounds of several
 * kinds, as the table that training scales with (tune/train/scale_table.h), on stdout.
 *
 * A pair of storage operations is compared where both were measured with the same features:
 * ln(target / donor).  Operations of communication are compared by what each takes over what the
 * built-in profile says.  Of each kind of ground: the mean, and the deviation about it.  mean is
 * that of the kinds.  between is how far the mean of each kind is from that of the others, within
 * the deviation in a kind, as mean squares; as if one more kind had been seen, with those of all
 * pairs.  So a pair that was seen on one kind only is not taken for surer than what was seen on
 * many.
 *
 * law: seconds = level x bytes^a x receivers^b x stripes^c, fitted to all storage points of a
 * ground.
 */

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/points.h"
#include "train/scale_law.h"

enum { GROUNDS = 32, KINDS = 8, BUILT_IN = ATM_OPERATION_COUNT, PAIR_LEAST = 2 };

typedef struct ground {
    int kind;
    points *points;
} ground;

/* A quantity's mean on each kind of ground, and its variance about that mean. */
typedef struct seen {
    int grounds[KINDS];
    double mean[KINDS], variance[KINDS];
} seen;

typedef struct summary {
    int kinds;
    double mean, between, within; /* the last two: mean squares */
} summary;

typedef struct scaling {
    ground grounds[GROUNDS];
    char names[KINDS][32];
    int count, kinds;
    atm_profile *built_in;
} scaling;

/* --- what was seen */

typedef struct sample {
    int count;
    double sum, squares;
} sample;

static void add(sample *s, double value)
{
    s->count++;
    s->sum += value;
    s->squares += value * value;
}

static double mean_of(const sample *s)
{
    return s->sum / s->count;
}

static double variance_of(const sample *s)
{
    return s->count < 2 ? 0 : fmax(0, s->squares - s->sum * s->sum / s->count) / (s->count - 1);
}

static void note(seen *all, int kind, double mean, double variance)
{
    double weight = 1.0 / ++all->grounds[kind];

    all->mean[kind] += weight * (mean - all->mean[kind]);
    all->variance[kind] += weight * (variance - all->variance[kind]);
}

/* Summarises over kinds of grounds, each with the same weight. */
static summary summarise(const seen *all)
{
    summary s = {.kinds = 0};

    for (int i = 0; i < KINDS; i++) {
        if (all->grounds[i] == 0)
            continue;
        s.kinds++;
        s.mean += all->mean[i];
        s.within += all->variance[i];
    }
    for (int i = 0; i < KINDS && s.kinds > 1; i++)
        if (all->grounds[i] > 0) /* mean of the others - its own */
            s.between += pow((s.mean - all->mean[i]) / (s.kinds - 1) - all->mean[i], 2) / s.kinds;
    s.mean /= s.kinds > 0 ? s.kinds : 1;
    s.within /= s.kinds > 0 ? s.kinds : 1;
    return s;
}

/* --- pairs */

static const points_point *same_place(const points *among, atm_operation operation,
                                      const points_point *as)
{
    for (int i = 0; i < among->count; i++)
        if (among->at[i].operation == operation &&
            memcmp(among->at[i].features, as->features, sizeof(as->features)) == 0)
            return &among->at[i];
    return NULL;
}

static sample compare_storage(const points *of, atm_operation target, atm_operation donor)
{
    sample s = {.count = 0};

    for (int i = 0; i < of->count; i++) {
        const points_point *other = NULL;

        if (of->at[i].operation == target)
            other = same_place(of, donor, &of->at[i]);
        if (other != NULL)
            add(&s, log(of->at[i].seconds / other->seconds));
    }
    return s;
}

/* Over what the built-in profile says. */
static sample level(const scaling *all, const points *of, atm_operation operation)
{
    sample s = {.count = 0};

    for (int i = 0; i < of->count; i++) {
        atm_estimate estimate;

        if (of->at[i].operation != operation)
            continue;
        atm_surrogate_predict(all->built_in->operations[operation], of->at[i].features, &estimate);
        add(&s, log(of->at[i].seconds / estimate.seconds));
    }
    return s;
}

static seen see_pair(const scaling *all, atm_operation target, int donor)
{
    seen result = {.grounds = {0}};

    for (int i = 0; i < all->count; i++) {
        const ground *g = &all->grounds[i];
        bool storage = atm_operation_kind(target) == ATM_STORAGE_KIND;
        sample s = storage ? compare_storage(g->points, target, (atm_operation) donor)
                           : level(all, g->points, target);
        sample base = {.count = PAIR_LEAST};

        if (!storage && donor != BUILT_IN)
            base = level(all, g->points, (atm_operation) donor);
        if (s.count >= PAIR_LEAST && base.count >= PAIR_LEAST)
            note(&result, g->kind, mean_of(&s) - mean_of(&base), variance_of(&s));
    }
    return result;
}

static bool is_pair(atm_operation target, int donor)
{
    bool scalable = donor == BUILT_IN ? atm_operation_kind(target) == ATM_COMMUNICATION_KIND
                                      : scale_possible((atm_operation) donor) &&
                                            atm_operation_kind(target) ==
                                                atm_operation_kind((atm_operation) donor);

    return scale_possible(target) && scalable && donor != (int) target;
}

static void print_name(int operation)
{
    const char *name =
        operation == BUILT_IN ? "operation_count" : atm_operation_name((atm_operation) operation);

    printf("ATM_");
    for (; *name != '\0'; name++)
        putchar(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
}

/* Shrinks deviations toward those of all pairs, which count as one more kind. */
static void print_pair(int target, int donor, const summary *s, const summary *usual)
{
    int with_between = s->kinds > 1 ? s->kinds : 0;

    printf("    {");
    print_name(target);
    printf(", ");
    print_name(donor);
    printf(", %.3f, %.3f, %.3f, %d},\n", s->mean,
           sqrt((with_between * s->between + usual->between) / (with_between + 1)),
           sqrt((s->kinds * s->within + usual->within) / (s->kinds + 1)), s->kinds);
}

static void print_pairs(const scaling *all, atm_kind kind)
{
    summary found[ATM_OPERATION_COUNT][ATM_OPERATION_COUNT + 1], usual = {.kinds = 0};
    int with_between = 0;

    for (int t = 0; t < ATM_OPERATION_COUNT; t++)
        for (int d = 0; d <= ATM_OPERATION_COUNT; d++) {
            seen pair = {.grounds = {0}};

            if (atm_operation_kind((atm_operation) t) == kind && is_pair((atm_operation) t, d))
                pair = see_pair(all, (atm_operation) t, d);
            found[t][d] = summarise(&pair);
            usual.kinds += found[t][d].kinds;
            usual.within += found[t][d].kinds * found[t][d].within;
            if (found[t][d].kinds > 1 && d != BUILT_IN) {
                with_between += found[t][d].kinds;
                usual.between += found[t][d].kinds * found[t][d].between;
            }
        }
    usual.within /= usual.kinds;
    usual.between /= with_between > 0 ? with_between : 1;
    for (int t = 0; t < ATM_OPERATION_COUNT; t++)
        for (int d = 0; d <= ATM_OPERATION_COUNT; d++)
            if (found[t][d].kinds > 0)
                print_pair(t, d, &found[t][d], &usual);
}

/* --- the law */

/* Exponents of those that vary, and the variance of what is left. */
static void fit_law(const points *of, bool *varies, double *exponents, double *variance_p)
{
    int columns = 1, column[SCALE_FEATURES], rows = 0;
    const double *first = NULL;
    gsl_multifit_linear_workspace *work;
    gsl_matrix *x, *covariance;
    gsl_vector *y, *c;

    for (int i = 0; i < of->count; i++) {
        if (atm_operation_kind(of->at[i].operation) != ATM_STORAGE_KIND ||
            !scale_possible(of->at[i].operation))
            continue;
        rows++;
        first = first == NULL ? of->at[i].features : first;
        for (int k = 0; k < SCALE_FEATURES; k++)
            varies[k] |= of->at[i].features[scale_features[k]] != first[scale_features[k]];
    }
    for (int k = 0; k < SCALE_FEATURES; k++)
        column[k] = varies[k] ? columns++ : -1;
    x = gsl_matrix_alloc((size_t) rows, (size_t) columns);
    y = gsl_vector_alloc((size_t) rows);
    c = gsl_vector_alloc((size_t) columns);
    covariance = gsl_matrix_alloc((size_t) columns, (size_t) columns);
    work = gsl_multifit_linear_alloc((size_t) rows, (size_t) columns);
    for (int i = 0, row = 0; i < of->count; i++) {
        if (atm_operation_kind(of->at[i].operation) != ATM_STORAGE_KIND ||
            !scale_possible(of->at[i].operation))
            continue;
        gsl_matrix_set(x, (size_t) row, 0, 1);
        for (int k = 0; k < SCALE_FEATURES; k++)
            if (varies[k])
                gsl_matrix_set(x, (size_t) row, (size_t) column[k],
                               log(of->at[i].features[scale_features[k]]));
        gsl_vector_set(y, (size_t) row++, log(of->at[i].seconds));
    }
    gsl_multifit_linear(x, y, c, covariance, variance_p, work);
    *variance_p /= rows - columns;
    for (int k = 0; k < SCALE_FEATURES; k++)
        exponents[k] = varies[k] ? gsl_vector_get(c, (size_t) column[k]) : 0;
    gsl_multifit_linear_free(work);
    gsl_matrix_free(covariance);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(x);
}

static void print_law(const scaling *all)
{
    seen exponents[SCALE_FEATURES] = {{.grounds = {0}}}, left = {.grounds = {0}};

    for (int i = 0; i < all->count; i++) {
        double found[SCALE_FEATURES], variance;
        bool varies[SCALE_FEATURES] = {false};

        fit_law(all->grounds[i].points, varies, found, &variance);
        note(&left, all->grounds[i].kind, 0, variance);
        for (int k = 0; k < SCALE_FEATURES; k++)
            if (varies[k])
                note(&exponents[k], all->grounds[i].kind, found[k], 0);
    }
    printf("const scale_exponent scale_exponents[SCALE_FEATURES] = {\n");
    for (int k = 0; k < SCALE_FEATURES; k++) {
        summary s = summarise(&exponents[k]);

        printf("    {%.3f, %.3f},\n", s.mean, sqrt(s.between));
    }
    printf("};\n\nconst double scale_law_within = %.3f;\n", sqrt(summarise(&left).within));
}

/* --- together */

static bool add_ground(scaling *all, const char *argument)
{
    const char *path = strchr(argument, '=');
    size_t length = path != NULL ? (size_t) (path - argument) : 0;
    atm_message message = {""};
    ground *g = &all->grounds[all->count];

    if (length == 0 || length >= sizeof(all->names[0]) || all->count == GROUNDS)
        return false;
    while (g->kind < all->kinds && (strncmp(all->names[g->kind], argument, length) != 0 ||
                                    all->names[g->kind][length] != '\0'))
        g->kind++;
    if (g->kind == KINDS)
        return false;
    if (g->kind == all->kinds)
        memcpy(all->names[all->kinds++], argument, length);
    if (points_read(path + 1, &message, &g->points) != ATM_OK) {
        fprintf(stderr, "scaling: %s\n", message.text);
        return false;
    }
    all->count++;
    return true;
}

int main(int argc, char **argv)
{
    static scaling all;
    int code = 0;

    for (int i = 1; code == 0 && i < argc; i++)
        if (!add_ground(&all, argv[i]))
            code = 2;
    if (code == 0 && all.count > 0 && atm_profile_generic(NULL, &all.built_in) == ATM_OK) {
        printf("/* Made by `make scaling` (study/scaling/README.md). */\n\n"
               "static const scale_ratio scale_ratios[] = {\n");
        print_pairs(&all, ATM_COMMUNICATION_KIND);
        print_pairs(&all, ATM_STORAGE_KIND);
        printf("};\n\n");
        print_law(&all);
    }
    atm_profile_destroy(all.built_in);
    for (int i = 0; i < all.count; i++)
        points_destroy(all.grounds[i].points);
    return code;
}
