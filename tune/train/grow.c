/* Regression trees.  Rows are sorted by every input once; a split parts all of
 * these orders and keeps them sorted, so a level of a tree costs rows x inputs. */

#include "grow.h"

#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "cost/surrogate_kind.h"

enum { MAX_DEPTH = 40 }; /* models/cost/surrogate_forest.c takes 64 */

/* --- orders */

typedef struct sorted_row {
    double x;
    int row;
} sorted_row;

static int by_x(const void *a, const void *b)
{
    const sorted_row *first = a, *second = b;

    if (first->x != second->x)
        return first->x < second->x ? -1 : 1;
    return first->row < second->row ? -1 : 1;
}

int *grow_order(const trainer_data *data)
{
    size_t rows = (size_t) data->rows;
    int *order = malloc(rows * (size_t) data->inputs * sizeof(int));
    sorted_row *sorted = malloc(rows * sizeof(*sorted));

    for (int input = 0; order != NULL && sorted != NULL && input < data->inputs; input++) {
        for (int i = 0; i < data->rows; i++)
            sorted[i] = (sorted_row){data->x[i * data->inputs + input], i};
        qsort(sorted, rows, sizeof(*sorted), by_x);
        for (int i = 0; i < data->rows; i++)
            order[input * data->rows + i] = sorted[i].row;
    }
    if (sorted == NULL) {
        free(order);
        order = NULL;
    }
    free(sorted);
    return order;
}

/* --- growing */

typedef struct grower {
    const trainer_data *data;
    const grow_limits *limits;
    uint64_t *random;
    int count;   /* rows that count, with repetitions */
    int *order;  /* [inputs][count] */
    int *parted; /* [count] scratch */
    bool *left;  /* [data->rows] scratch: goes left at the split in hand */
    grow_node *nodes;
    int used, leaves;
} grower;

typedef struct split {
    int input;
    double at, gain; /* gain: of sum^2/n over the parent's */
    int left;        /* rows that go there */
} split;

/* The best split of a node by one input, if it is better than *best. */
static void try_input(const grower *g, const grow_node *node, int input, split *best)
{
    const int *order = g->order + input * g->count + node->first;
    const double *x = g->data->x + input, *y = g->data->y;
    int inputs = g->data->inputs, leaf = g->limits->leaf;
    double all = node->mean * node->rows, sum = 0;

    for (int i = 0; i + leaf < node->rows; i++) {
        double here = x[order[i] * inputs], next = x[order[i + 1] * inputs], gain, at;

        sum += y[order[i]];
        if (i + 1 < leaf || here == next)
            continue;
        gain = sum * sum / (i + 1) + (all - sum) * (all - sum) / (node->rows - i - 1) -
               all * all / node->rows;
        if (gain <= best->gain)
            continue;
        at = here + (next - here) / 2;
        *best = (split){input, at < next ? at : here, gain, i + 1};
    }
}

static split best_split(const grower *g, const grow_node *node)
{
    int inputs = g->data->inputs, tried = g->limits->tried, columns[SUR_MAX_INPUTS];
    split best = {.input = -1, .gain = 1e-12 * node->mean * node->mean * node->rows + 1e-300};

    for (int i = 0; i < inputs; i++)
        columns[i] = i;
    if (tried <= 0 || tried >= inputs)
        tried = inputs;
    else
        rng_shuffle(g->random, columns, inputs);
    for (int i = 0; i < tried; i++)
        try_input(g, node, columns[i], &best);
    return best;
}

static void part_orders(grower *g, const grow_node *node, const split *s)
{
    const int *chosen = g->order + s->input * g->count + node->first;

    for (int i = 0; i < node->rows; i++)
        g->left[chosen[i]] = i < s->left;
    for (int input = 0; input < g->data->inputs; input++) {
        int *order = g->order + input * g->count + node->first, left = 0, right = 0;

        for (int i = 0; i < node->rows; i++) {
            if (g->left[order[i]])
                order[left++] = order[i];
            else
                g->parted[right++] = order[i];
        }
        memcpy(order + left, g->parted, (size_t) right * sizeof(int));
    }
}

static void add_node(grower *g, int parent, int first, int rows)
{
    grow_node *node = &g->nodes[g->used++];
    double sum = 0;

    for (int i = 0; i < rows; i++)
        sum += g->data->y[g->order[first + i]];
    *node = (grow_node){.input = -1,
                        .parent = parent,
                        .depth = parent < 0 ? 0 : g->nodes[parent].depth + 1,
                        .mean = sum / rows,
                        .first = first,
                        .rows = rows};
}

static void grow(grower *g)
{
    add_node(g, -1, 0, g->count);
    g->leaves = 1;
    for (int i = 0; i < g->used; i++) {
        grow_node *node = &g->nodes[i];
        split s;

        if (node->rows < 2 * g->limits->leaf || node->depth == MAX_DEPTH ||
            g->leaves >= g->limits->leaves)
            continue;
        s = best_split(g, node);
        if (s.input < 0)
            continue;
        part_orders(g, node, &s);
        node->input = s.input;
        node->split = s.at;
        node->left = g->used;
        add_node(g, i, node->first, s.left);
        add_node(g, i, node->first + s.left, node->rows - s.left);
        g->leaves++;
    }
}

/* A row that counts k times stands k times in each order. */
static void fill_orders(grower *g, const int *order, const int *times)
{
    int rows = g->data->rows;

    for (int input = 0; input < g->data->inputs; input++) {
        int *to = g->order + input * g->count;

        for (int i = 0; i < rows; i++) {
            int row = order[input * rows + i];

            for (int k = times != NULL ? times[row] : 1; k > 0; k--)
                *to++ = row;
        }
    }
}

atm_status grow_tree_make(const trainer_data *data, const int *order, const int *times,
                          const grow_limits *limits, uint64_t *random, grow_tree *tree_p)
{
    grower g = {.data = data, .limits = limits, .random = random, .count = data->rows};
    size_t count;
    bool enough;

    if (times != NULL) {
        g.count = 0;
        for (int i = 0; i < data->rows; i++)
            g.count += times[i];
    }
    count = (size_t) g.count;
    g.order = malloc(count * (size_t) data->inputs * sizeof(int)); /* grow_tree_destroy */
    g.parted = malloc(count * sizeof(int));
    g.left = malloc((size_t) data->rows * sizeof(bool));
    g.nodes = malloc(2 * count * sizeof(grow_node)); /* grow_tree_destroy */
    enough = g.order != NULL && g.parted != NULL && g.left != NULL && g.nodes != NULL;
    if (enough) {
        fill_orders(&g, order, times);
        grow(&g);
        *tree_p = (grow_tree){.count = g.used, .nodes = g.nodes, .members = g.order};
    } else {
        free(g.order);
        free(g.nodes);
    }
    free(g.parted);
    free(g.left);
    return enough ? ATM_OK : ATM_NO_MEMORY;
}

void grow_tree_put(const grow_tree *tree, atm_value *trees)
{
    atm_value *object = atm_put_object(trees, NULL);
    atm_value *inputs = atm_put_array(object, "inputs"), *values = atm_put_array(object, "values");

    for (int i = 0; i < tree->count; i++) {
        const grow_node *node = &tree->nodes[i];

        atm_put_integer(inputs, NULL, node->input);
        atm_put_number(values, NULL, node->input < 0 ? node->mean : node->split);
    }
}

void grow_tree_destroy(grow_tree *tree)
{
    free(tree->nodes);
    free(tree->members);
    *tree = (grow_tree){0};
}
