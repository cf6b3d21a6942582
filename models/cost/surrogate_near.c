/*
 * A balanced k-d tree in arrays.  Node i has the children 2i+1 and 2i+2, and
 * its range of points is halved between them, so ranges follow from the way
 * down; nodes below the last level are leaves.
 */

#include "surrogate_near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_POINTS = 8 }; /* at most: scanning so few beats another level */

typedef struct node {
    double split; /* left child: coordinates up to it; right child: from it on */
    int input;    /* that coordinate */
} node;

/* Room for LEAF_POINTS, so that compilers vectorise the loops over them. */
typedef struct leaf {
    double coordinate[ATM_FEATURE_COUNT][LEAF_POINTS];
    int index[LEAF_POINTS]; /* of the points as they were given */
    int count;
} leaf;

struct sur_near_tree {
    int inputs;
    int nodes; /* one less than leaves */
    sur_near_metric metric;
    node *node;
    leaf leaves[]; /* then the nodes */
};

/* --- building */

typedef struct key {
    double coordinate;
    int index;
} key;

static bool before(key a, key b)
{
    return a.coordinate < b.coordinate || (a.coordinate == b.coordinate && a.index < b.index);
}

/* Moves the middle-th smallest to its place, smaller ones before it (Hoare's FIND). */
static void select_key(key *keys, int count, int middle)
{
    int first = 0, last = count - 1;

    while (first < last) {
        key pivot = keys[first + (last - first) / 2];
        int i = first, j = last;

        while (i <= j) {
            while (before(keys[i], pivot))
                i++;
            while (before(pivot, keys[j]))
                j--;
            if (i <= j) {
                key swap = keys[i];

                keys[i++] = keys[j];
                keys[j--] = swap;
            }
        }
        if (j < middle)
            first = i;
        if (middle < i)
            last = j;
    }
}

typedef struct building {
    sur_near_tree *tree;
    const double *points;
    int *index; /* of points, in the order of the tree */
    key *keys;
} building;

static int widest_input(const building *b, int first, int count)
{
    int inputs = b->tree->inputs, found = 0;
    double widest = -1;

    for (int input = 0; input < inputs; input++) {
        double low = INFINITY, high = -INFINITY;

        for (int i = first; i < first + count; i++) {
            double x = b->points[b->index[i] * inputs + input];

            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > widest) {
            widest = high - low;
            found = input;
        }
    }
    return found;
}

static void fill_leaf(const building *b, leaf *l, int first, int count)
{
    int inputs = b->tree->inputs;

    l->count = count;
    for (int k = 0; k < count; k++) {
        l->index[k] = b->index[first + k];
        for (int i = 0; i < inputs; i++)
            l->coordinate[i][k] = b->points[l->index[k] * inputs + i];
    }
}

static void fill_node(const building *b, int at, int first, int count)
{
    int middle = (count - 1) / 2, inputs = b->tree->inputs, input;

    if (at >= b->tree->nodes) {
        fill_leaf(b, &b->tree->leaves[at - b->tree->nodes], first, count);
        return;
    }
    input = widest_input(b, first, count);
    for (int i = 0; i < count; i++) {
        int index = b->index[first + i];

        b->keys[i] = (key){b->points[index * inputs + input], index};
    }
    select_key(b->keys, count, middle);
    for (int i = 0; i < count; i++)
        b->index[first + i] = b->keys[i].index;
    b->tree->node[at] = (node){b->keys[middle].coordinate, input};
    fill_node(b, 2 * at + 1, first, middle + 1);
    fill_node(b, 2 * at + 2, first + middle + 1, count - middle - 1);
}

atm_status sur_near_make(const double *points, int count, int inputs, sur_near_metric metric,
                         sur_near_tree **tree_p)
{
    size_t leaves = 1;
    building b = {.points = points};
    sur_near_tree *tree;

    while ((size_t) count > LEAF_POINTS * leaves)
        leaves *= 2;
    tree = calloc(1, sizeof(*tree) + leaves * (sizeof(leaf) + sizeof(node))); /* sur_near_destroy */
    b.index = malloc((size_t) count * sizeof(int));
    b.keys = malloc((size_t) count * sizeof(key));
    if (tree == NULL || b.index == NULL || b.keys == NULL) {
        free(tree);
        tree = NULL;
    } else {
        tree->inputs = inputs;
        tree->nodes = (int) leaves - 1;
        tree->metric = metric;
        tree->node = (node *) (tree->leaves + leaves);
        for (int i = 0; i < count; i++)
            b.index[i] = i;
        b.tree = tree;
        fill_node(&b, 0, 0, count);
        *tree_p = tree;
    }
    free(b.index);
    free(b.keys);
    return tree != NULL ? ATM_OK : ATM_NO_MEMORY;
}

void sur_near_destroy(sur_near_tree *tree)
{
    free(tree);
}

/* --- searching */

typedef struct search {
    const sur_near_tree *tree;
    const double *query;
    int wanted;
    double limit;                     /* farther points are of no use */
    double offset[ATM_FEATURE_COUNT]; /* from the query to the cell being visited */
    sur_near_found *found;
} search;

static void keep(search *s, double far, int index)
{
    sur_near_found *found = s->found;
    int at = found->count < s->wanted ? found->count++ : s->wanted - 1;

    for (; at > 0 && (found->distance[at - 1] > far ||
                      (found->distance[at - 1] == far && found->index[at - 1] > index));
         at--) {
        found->distance[at] = found->distance[at - 1];
        found->index[at] = found->index[at - 1];
    }
    found->distance[at] = far;
    found->index[at] = index;
    if (found->count == s->wanted)
        s->limit = found->distance[s->wanted - 1];
}

static void scan_leaf(search *s, const leaf *l)
{
    double far[LEAF_POINTS] = {0};

    if (s->tree->metric == SUR_NEAR_MANHATTAN) {
        for (int i = 0; i < s->tree->inputs; i++)
#pragma GCC unroll 8
            for (int k = 0; k < LEAF_POINTS; k++)
                far[k] += fabs(s->query[i] - l->coordinate[i][k]);
    } else {
        for (int i = 0; i < s->tree->inputs; i++)
#pragma GCC unroll 8
            for (int k = 0; k < LEAF_POINTS; k++)
                far[k] += (s->query[i] - l->coordinate[i][k]) * (s->query[i] - l->coordinate[i][k]);
    }
    for (int k = 0; k < l->count; k++) {
        if (far[k] > s->limit)
            continue;
        if (far[k] == s->limit && s->found->count == s->wanted &&
            l->index[k] > s->found->index[s->wanted - 1])
            continue;
        keep(s, far[k], l->index[k]);
    }
}

static double distance_to_cell(const search *s)
{
    double sum = 0;

    for (int i = 0; i < s->tree->inputs; i++)
        sum += s->tree->metric == SUR_NEAR_MANHATTAN ? fabs(s->offset[i])
                                                     : s->offset[i] * s->offset[i];
    return sum;
}

static void visit(search *s, int at)
{
    const node *here = &s->tree->node[at];
    double gap, offset;
    bool right;

    if (at >= s->tree->nodes) {
        scan_leaf(s, &s->tree->leaves[at - s->tree->nodes]);
        return;
    }
    gap = s->query[here->input] - here->split;
    right = gap > 0;
    visit(s, 2 * at + 1 + right);
    offset = s->offset[here->input];
    s->offset[here->input] = gap;
    /* the margin covers rounding, so that ties are decided by index alone */
    if (distance_to_cell(s) <= s->limit * (1 + 1e-12))
        visit(s, 2 * at + 2 - right);
    s->offset[here->input] = offset;
}

void sur_near_find(const sur_near_tree *tree, const double *query, int wanted, double limit,
                   sur_near_found *found_p)
{
    search s = {.tree = tree, .query = query, .wanted = wanted, .limit = limit, .found = found_p};

    found_p->count = 0;
    visit(&s, 0);
}
