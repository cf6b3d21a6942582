/*
 * The capacity of write caches as a product of powers of nodes, writers, bytes and servers: least
 * squares of logarithms with the terms that the data is evidence for.
 */

#include "fit_cache.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

#include "common/stats.h"

/* Assumed relative error of a capacity that was measured only once. */
#define ALONE 0.25

/* Assumed relative error of a repeated capacity; weighs as much as SUPPOSED measurements, as few of
 * them cannot show it. */
#define REPEATED 0.1

enum {
    TERMS = 5, /* a factor, and four exponents */
    MASKS = 1 << TERMS,
    SUPPOSED = 2,
    EVIDENCE = 4 /* the square of the deviations that an exponent is from zero, at least */
};

typedef struct fit {
    double term[TERMS];
    double squares; /* of errors of logarithms */
    int terms;
} fit;

static double column(const points_cache *cache, int term)
{
    const double columns[TERMS] = {1, log(cache->nodes), log(cache->writers), log(cache->round),
                                   log(cache->servers)};

    return columns[term];
}

static void fill(const points_cache *caches, unsigned mask, gsl_matrix *x, gsl_vector *y)
{
    for (size_t row = 0; row < x->size1; row++) {
        gsl_vector_set(y, row, log(caches[row].bytes));
        for (int i = 0, k = 0; i < TERMS; i++)
            if (mask >> i & 1)
                gsl_matrix_set(x, row, (size_t) k++, column(&caches[row], i));
    }
}

/* False if a term is not determined by the data. */
static bool solve(const points_cache *caches, int count, unsigned mask, fit *fit_p)
{
    fit found = {.terms = __builtin_popcount(mask)};
    size_t rows = (size_t) count, columns = (size_t) found.terms, rank = 0;
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, columns);
    gsl_matrix *x = gsl_matrix_alloc(rows, columns), *spread = gsl_matrix_alloc(columns, columns);
    gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(columns);
    bool good = work != NULL && x != NULL && spread != NULL && y != NULL && c != NULL;

    if (good) {
        fill(caches, mask, x, y);
        good = gsl_multifit_linear_tsvd(x, y, 1e-6, c, spread, &found.squares, &rank, work) == 0 &&
               rank == columns;
    }
    for (int i = 0, k = 0; good && i < TERMS; i++)
        if (mask >> i & 1)
            found.term[i] = gsl_vector_get(c, (size_t) k++);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(spread);
    gsl_matrix_free(x);
    gsl_multifit_linear_free(work);
    if (good)
        *fit_p = found;
    return good;
}

/* Variance of one logarithm, estimated from the fit with most terms, which explains most. */
static double variance_of(const fit *fits, int fit_count, int count)
{
    const fit *richest = &fits[0];

    for (int i = 1; i < fit_count; i++)
        if (fits[i].terms > richest->terms ||
            (fits[i].terms == richest->terms && fits[i].squares < richest->squares))
            richest = &fits[i];
    return (richest->squares + SUPPOSED * REPEATED * REPEATED) /
           (count - richest->terms + SUPPOSED);
}

/* Bayesian information criterion with a known variance, also for few points; lower is better. */
static double criterion(const fit *fit, double variance, int count)
{
    return fit->squares / variance + fit->terms * fmax(EVIDENCE, log(count));
}

/* The one with the best criterion; terms is 0 if there is none. */
static fit choose(const points_cache *caches, int count)
{
    fit fits[MASKS] = {{.terms = 0}}, *best = &fits[0];
    int found = 0;
    double variance;

    for (unsigned mask = 1; mask < MASKS; mask += 2)
        if (__builtin_popcount(mask) < count && solve(caches, count, mask, &fits[found]))
            found++;
    variance = found > 0 ? variance_of(fits, found, count) : 1;
    for (int i = 1; i < found; i++)
        if (criterion(&fits[i], variance, count) < criterion(best, variance, count))
            best = &fits[i];
    return *best;
}

/* The median: a burst that something else held up has a large knee. */
static double usual_knee(const points_cache *caches, int count)
{
    double *knees = malloc((size_t) count * sizeof(*knees)), usual = 0;

    for (int i = 0; knees != NULL && i < count; i++)
        knees[i] = caches[i].knee;
    if (knees != NULL)
        usual = stats_median(knees, count);
    free(knees);
    return usual;
}

bool fit_cache(const points_cache *caches, int count, atm_write_cache *cache_p)
{
    fit best;

    if (count == 1) { /* the same for all, as far as is known */
        *cache_p = (atm_write_cache){
            .bytes = caches[0].bytes, .error = ALONE, .knee = usual_knee(caches, count)};
        return true;
    }
    best = choose(caches, count);
    if (best.terms == 0)
        return false;
    *cache_p =
        (atm_write_cache){.bytes = exp(best.term[0]),
                          .nodes = best.term[1],
                          .writers = best.term[2],
                          .round = best.term[3],
                          .servers = best.term[4],
                          .error = fmin(10, expm1(sqrt(best.squares / (count - best.terms)))),
                          .knee = usual_knee(caches, count)};
    return true;
}
