/*
 * Vectors are sorted, the input with most distinct coordinates last: in a run
 * of vectors that agree in all but this input, the product of the others is
 * the same and is multiplied in once.
 */

#include "surrogate_grid.h"

#include <stdlib.h>
#include <string.h>

#include "surrogate_kind.h"
#include "surrogate_math.h"

enum {
    MAX_COORDINATES = SUR_MAX_INSTANCES / 2, /* distinct, of all inputs */
    BLOCK = 32                               /* exponentials at a time: compilers vectorise it */
};

/* A vector by the numbers of its coordinates; inputs in the order of the sort. */
typedef struct place {
    uint16_t coordinate[ATM_FEATURE_COUNT];
    int vector;
} place;

typedef struct run {
    uint16_t coordinate[ATM_FEATURE_COUNT]; /* of all inputs but the last */
    int end;                                /* its vectors end before this one */
} run;

struct sur_grid {
    int inputs, runs;
    double gamma;
    int input[ATM_FEATURE_COUNT];     /* in the order of the sort */
    int first[ATM_FEATURE_COUNT + 1]; /* coordinate of each of them; the last: all */
    double coordinates[MAX_COORDINATES];
    run *run;       /* [runs] */
    double *alpha;  /* of each vector, in the order of the sort */
    uint16_t *last; /* coordinate of its last input */
};

static int compare_numbers(const void *a_, const void *b_)
{
    const double *a = a_, *b = b_;

    return (*a > *b) - (*a < *b);
}

static int compare_places(const void *a_, const void *b_)
{
    const place *a = a_, *b = b_;

    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        if (a->coordinate[i] != b->coordinate[i])
            return a->coordinate[i] < b->coordinate[i] ? -1 : 1;
    return (a->vector > b->vector) - (a->vector < b->vector);
}

/* Sorted distinct coordinates of an input; how many. */
static int distinct(const double *vectors, int count, int inputs, int input, double *numbers)
{
    int found = 0;

    for (int k = 0; k < count; k++)
        numbers[k] = vectors[k * inputs + input];
    qsort(numbers, (size_t) count, sizeof(double), compare_numbers);
    for (int k = 0; k < count; k++)
        if (k == 0 || numbers[k] != numbers[found - 1])
            numbers[found++] = numbers[k];
    return found;
}

/* Fills in inputs and coordinates.  False if there are too many. */
static bool list_coordinates(sur_grid *grid, const double *vectors, int count)
{
    double numbers[SUR_MAX_INSTANCES];
    int most = 0, last = 0, order = 0;

    for (int i = 0; i < grid->inputs; i++) {
        int found = distinct(vectors, count, grid->inputs, i, numbers);

        if (found > most) {
            most = found;
            last = i;
        }
    }
    for (int i = 0; i < grid->inputs; i++)
        if (i != last)
            grid->input[order++] = i;
    grid->input[order] = last;
    for (int i = 0; i < grid->inputs; i++) {
        int found = distinct(vectors, count, grid->inputs, grid->input[i], numbers);

        if (grid->first[i] + found > count / 2)
            return false;
        memcpy(grid->coordinates + grid->first[i], numbers, (size_t) found * sizeof(double));
        grid->first[i + 1] = grid->first[i] + found;
    }
    return true;
}

static void place_vectors(const sur_grid *grid, const double *vectors, int count, place *places)
{
    for (int k = 0; k < count; k++) {
        places[k].vector = k;
        for (int i = 0; i < grid->inputs; i++) {
            const double *from = grid->coordinates + grid->first[i];
            const double *at = bsearch(&vectors[k * grid->inputs + grid->input[i]], from,
                                       (size_t) (grid->first[i + 1] - grid->first[i]),
                                       sizeof(double), compare_numbers);

            places[k].coordinate[i] = (uint16_t) (at - grid->coordinates);
        }
    }
    qsort(places, (size_t) count, sizeof(place), compare_places);
}

static void fill_runs(sur_grid *grid, const place *places, const double *alphas, int count)
{
    size_t shared = (size_t) (grid->inputs - 1) * sizeof(uint16_t);

    for (int k = 0; k < count; k++) {
        const place *p = &places[k];

        if (k == 0 || memcmp(p->coordinate, places[k - 1].coordinate, shared) != 0)
            memcpy(grid->run[grid->runs++].coordinate, p->coordinate, shared);
        grid->run[grid->runs - 1].end = k + 1;
        grid->alpha[k] = alphas[p->vector];
        grid->last[k] = p->coordinate[grid->inputs - 1];
    }
}

atm_status sur_grid_make(const double *vectors, const double *alphas, int count, int inputs,
                         double gamma, sur_grid **grid_p)
{
    sur_grid *grid = calloc(1, sizeof(*grid)); /* sur_grid_destroy */
    place *places = calloc((size_t) count, sizeof(place));

    if (grid == NULL || places == NULL)
        goto no_memory;
    grid->inputs = inputs;
    grid->gamma = gamma;
    if (list_coordinates(grid, vectors, count)) {
        grid->run = calloc((size_t) count, sizeof(run));
        grid->alpha = calloc((size_t) count, sizeof(double));
        grid->last = calloc((size_t) count, sizeof(uint16_t));
        if (grid->run == NULL || grid->alpha == NULL || grid->last == NULL)
            goto no_memory;
        place_vectors(grid, vectors, count, places);
        fill_runs(grid, places, alphas, count);
    } else {
        sur_grid_destroy(grid);
        grid = NULL;
    }
    free(places);
    *grid_p = grid;
    return ATM_OK;

no_memory:
    free(places);
    sur_grid_destroy(grid);
    return ATM_NO_MEMORY;
}

void sur_grid_destroy(sur_grid *grid)
{
    if (grid == NULL)
        return;
    free(grid->run);
    free(grid->alpha);
    free(grid->last);
    free(grid);
}

/* factors_p[j] = exp(-gamma (x_i - coordinate j)^2), i the input it belongs to */
static void fill_factors(const sur_grid *grid, const double *x, double *factors_p)
{
    int count = grid->first[grid->inputs];

    for (int i = 0; i < grid->inputs; i++) {
        for (int j = grid->first[i]; j < grid->first[i + 1]; j++) {
            double apart = x[grid->input[i]] - grid->coordinates[j];
            double power = -grid->gamma * (apart * apart);

            factors_p[j] = power < -708 ? -708 : power;
        }
    }
    for (int j = count; j % BLOCK != 0; j++)
        factors_p[j] = 0;
    for (int from = 0; from < count; from += BLOCK)
        for (int j = from; j < from + BLOCK; j++)
            factors_p[j] = sur_exp_within(factors_p[j]);
}

double sur_grid_sum(const sur_grid *grid, const double *x)
{
    double factors[MAX_COORDINATES], total = 0;
    int k = 0;

    fill_factors(grid, x, factors);
    for (const run *r = grid->run; r < grid->run + grid->runs; r++) {
        double sum = 0;

        for (; k < r->end; k++)
            sum += grid->alpha[k] * factors[grid->last[k]];
        for (int i = 0; i < grid->inputs - 1; i++)
            sum *= factors[r->coordinate[i]];
        total += sum;
    }
    return total;
}
