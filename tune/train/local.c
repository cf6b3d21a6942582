/* Where predictions are off, and by how much. */

#include "local.h"

#include <math.h>
#include <stdlib.h>

#include "grow.h"

enum { LEAF_MIN = 10, LEAVES_MAX = 12, PAIRS_MAX = 1 << 18, HALVINGS = 30 };

#define COVERED 0.9
#define SMALLEST 1e-8 /* variance below which errors are rounding */
#define SHARE 0.25    /* least share of a variance that is not noise */
#define FACTOR_MIN 0.5
#define FACTOR_MAX 4.0
#define FARTHEST 3.0 /* of errors in standard deviations, beyond which one would rule all */

/* Variances of logarithms. */
typedef struct scatter {
    double error, noise; /* of predictions of the mean, of measured points around it */
} scatter;

typedef struct local {
    const train_operation *o;
    int folds;
    double *x;        /* [count][feature_count] */
    double *residual; /* [count] ln(measured / predicted) */
    double *size;     /* [count] of them */
    double *noise;    /* [count] variance of the measured mean */
    scatter *said;    /* [count] what a tree which has not seen it says */
} local;

/* Variance of the measured mean, from its visits or, if there is only one, from its repetitions. */
static double noise_of(const points_point *p)
{
    double mean = 0, squares = 0;

    if (p->visit_count < 2)
        return 1.4826 * 1.4826 * p->spread * p->spread / (p->repetitions > 0 ? p->repetitions : 1);
    for (int i = 0; i < p->visit_count; i++)
        mean += log(p->visit_means[i]) / p->visit_count;
    for (int i = 0; i < p->visit_count; i++)
        squares += pow(log(p->visit_means[i]) - mean, 2);
    return squares / (p->visit_count - 1.0) / p->visit_count;
}

/* --- trees of sizes */

/* Grows a tree on the rows outside of a fold; -1: on all. */
static atm_status grow_without(const local *l, int fold, grow_tree *tree_p)
{
    const train_operation *o = l->o;
    const trainer_data data = {
        .rows = o->count, .inputs = o->feature_count, .x = l->x, .y = l->size};
    const grow_limits limits = {.leaf = o->count / LEAVES_MAX > LEAF_MIN ? o->count / LEAVES_MAX
                                                                         : LEAF_MIN,
                                .leaves = LEAVES_MAX};
    int *times = calloc((size_t) o->count, sizeof(*times)), *order = grow_order(&data);
    uint64_t random = 1;
    atm_status status = times != NULL && order != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (int i = 0; status == ATM_OK && i < o->count; i++)
        times[i] = o->fold[i] != fold;
    if (status == ATM_OK)
        status = grow_tree_make(&data, order, times, &limits, &random, tree_p);
    free(times);
    free(order);
    return status;
}

/* Variances of prediction errors and of noise in a leaf. */
static scatter scatter_of(const local *l, const grow_tree *tree, const grow_node *leaf)
{
    double squares = SMALLEST, noise = 0;

    for (int i = 0; i < leaf->rows; i++) {
        int row = tree->members[leaf->first + i];

        squares += l->size[row] * l->size[row] / leaf->rows;
        noise += l->noise[row] / leaf->rows;
    }
    return (scatter){.error = fmax(squares - noise, SHARE * squares), .noise = noise};
}

static scatter scatter_at(const local *l, const grow_tree *tree, const double *x)
{
    int at = 0;

    while (tree->nodes[at].input >= 0)
        at = tree->nodes[at].left + (x[tree->nodes[at].input] > tree->nodes[at].split);
    return scatter_of(l, tree, &tree->nodes[at]);
}

static atm_status ask_trees(local *l)
{
    atm_status status = ATM_OK;

    for (int fold = 0; status == ATM_OK && fold < l->folds; fold++) {
        grow_tree tree;

        status = grow_without(l, fold, &tree);
        if (status != ATM_OK)
            break;
        for (int i = 0; i < l->o->count; i++)
            if (l->o->fold[i] == fold)
                l->said[i] = scatter_at(l, &tree, l->x + i * l->o->feature_count);
        grow_tree_destroy(&tree);
    }
    return status;
}

/* --- calibration */

/* A residual in standard deviations, with those of errors multiplied by a factor. */
static double deviations(const local *l, int row, double factor)
{
    return l->residual[row] / sqrt(factor * factor * l->said[row].error + l->said[row].noise);
}

/* Share of the rows of a fold (or, with except, of all others) within LOCAL_QUANTILE. */
static double covered(const local *l, int fold, bool except, double factor)
{
    int count = 0, within = 0;

    for (int i = 0; i < l->o->count; i++)
        if ((l->o->fold[i] == fold) != except) {
            count++;
            within += fabs(deviations(l, i, factor)) <= LOCAL_QUANTILE;
        }
    return count > 0 ? (double) within / count : COVERED;
}

/* Factor on errors that covers COVERED of the rows outside of a fold. */
static double factor_without(const local *l, int fold)
{
    double low = FACTOR_MIN, high = FACTOR_MAX;

    for (int i = 0; i < HALVINGS; i++) {
        double middle = sqrt(low * high);

        if (covered(l, fold, true, middle) < COVERED)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Share of the rows covered by a factor fitted to other folds. */
static double coverage_of(const local *l)
{
    double within = 0;

    for (int fold = 0; fold < l->folds; fold++) {
        int rows = 0;

        for (int i = 0; i < l->o->count; i++)
            rows += l->o->fold[i] == fold;
        within += rows * covered(l, fold, false, factor_without(l, fold));
    }
    return within / l->o->count;
}

/* --- correlation */

static double distance(const local *l, int i, int k)
{
    int columns = l->o->feature_count;
    double squares = 0;

    for (int c = 0; c < columns; c++) {
        double apart = log(l->x[i * columns + c] / l->x[k * columns + c]);

        squares += apart * apart;
    }
    return sqrt(squares);
}

/* Share of a row's deviation that is model error rather than noise. */
static double part_of(const local *l, int row, double factor)
{
    double error = factor * factor * l->said[row].error;

    return sqrt(error / (error + l->said[row].noise));
}

static double bounded(double deviations)
{
    return fmax(-FARTHEST, fmin(FARTHEST, deviations));
}

/* The length for which exp(-distance / length) is closest to the products of errors, each in
 * its standard deviations; 0: none is better than no correlation. */
static double find_length(const local *l, double factor)
{
    static const double lengths[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4};
    enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };
    double squares[LENGTHS] = {0}, without = 0, best = 0;
    int count = l->o->count, stride = count * count / 2 / PAIRS_MAX + 1;

    for (int i = 0, pair = 0; i < count; i++)
        for (int k = 0; k < i; k++, pair++) {
            double product, far, part;

            if (pair % stride != 0)
                continue;
            product = bounded(deviations(l, i, factor)) * bounded(deviations(l, k, factor));
            part = part_of(l, i, factor) * part_of(l, k, factor);
            far = distance(l, i, k);
            without += product * product;
            for (int m = 0; m < LENGTHS; m++)
                squares[m] += pow(product - part * exp(-far / lengths[m]), 2);
        }
    for (int m = 0; m < LENGTHS; m++)
        if (squares[m] < without) {
            without = squares[m];
            best = lengths[m];
        }
    return best;
}

/* --- together */

static void put_errors(const local *l, const grow_tree *tree, double factor, atm_value *surrogate)
{
    atm_value *object =
        atm_put_object(atm_put_array(atm_put_object(surrogate, "errors"), "trees"), NULL);
    atm_value *inputs = atm_put_array(object, "inputs"), *values = atm_put_array(object, "values");

    for (int i = 0; i < tree->count; i++) {
        const grow_node *node = &tree->nodes[i];
        double error = expm1(factor * sqrt(scatter_of(l, tree, node).error));

        atm_put_integer(inputs, NULL, node->input);
        atm_put_number(values, NULL,
                       node->input >= 0 ? node->split : fmin(error, ATM_UNCERTAINTY_MAX));
    }
}

static atm_status find_errors(local *l, train_operation *o)
{
    atm_status status = ask_trees(l);
    double factor, length;
    grow_tree tree;

    if (status == ATM_OK)
        status = grow_without(l, -1, &tree);
    if (status != ATM_OK)
        return status;
    factor = factor_without(l, -1);
    o->coverage = coverage_of(l);
    put_errors(l, &tree, factor, o->surrogate);
    length = find_length(l, factor);
    if (length > 0)
        atm_put_number(o->surrogate, "error_length", length);
    grow_tree_destroy(&tree);
    return atm_value_built(o->surrogate);
}

atm_status local_errors(train_operation *o, int folds)
{
    size_t count = (size_t) o->count;
    local l = {.o = o, .folds = folds};
    atm_status status = ATM_NO_MEMORY;

    l.x = malloc(count * (size_t) o->feature_count * sizeof(double));
    l.residual = malloc(3 * count * sizeof(double));
    l.said = malloc(count * sizeof(*l.said));
    if (l.x != NULL && l.residual != NULL && l.said != NULL) {
        l.size = l.residual + count;
        l.noise = l.size + count;
        for (int i = 0; i < o->count; i++) {
            for (int k = 0; k < o->feature_count; k++)
                l.x[i * o->feature_count + k] = o->points[i]->features[o->features[k]];
            l.residual[i] = log(o->points[i]->seconds / o->predicted[i]);
            l.size[i] = fabs(l.residual[i]);
            l.noise[i] = noise_of(o->points[i]);
        }
        status = find_errors(&l, o);
    }
    free(l.x);
    free(l.residual);
    free(l.said);
    return status;
}
