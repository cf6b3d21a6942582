/*
 * forest: the mean of many regression trees (Breiman, Machine Learning 45(1),
 * 2001).  A query goes left at a node when its input is at most the split.
 *
 *     "parameters": { "trees": [ { "inputs": [1, 0, -1, -1, -1],
 *                                  "values": [2048, 16, 0.5, 0.1, 0.3] }, .. ] }
 *
 * A tree lists its nodes breadth first: an inner node with the input it asks
 * and the split, a leaf with -1 and its output.  The children of the k-th inner
 * node (from 0) are nodes 2k+1 and 2k+2, so there is nothing to link and no way
 * to link it badly.
 */

#include "surrogate_kind.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 8 }; /* trees that are walked side by side */

enum { MAX_NODES = 16383, MAX_ALL_NODES = 1 << 18, MAX_DEPTH = 64 };

/* A leaf asks for an input above infinity and has itself as child: a walk of as
 * many steps as the tree is deep ends at the right leaf without a branch. */
typedef struct node {
    double split;
    int left; /* in all nodes; the right child is the next one */
    int input;
} node;

typedef struct tree {
    int root, depth;
} tree;

typedef struct model {
    int trees, nodes;
    tree *tree;     /* [trees] */
    node *node;     /* [nodes], of all trees */
    double *output; /* [nodes], of leaves */
} model;

static void forest_clear(void *model_)
{
    model *m = model_;

    free(m->tree);
    free(m->node);
    free(m->output);
}

/* Nodes count first, so that each array is allocated once. */
static atm_status count_nodes(const atm_value *trees, atm_message *message, int *nodes_p)
{
    size_t nodes = 0;

    for (size_t i = 0; i < atm_value_length(trees); i++) {
        const atm_value *values;
        atm_status status =
            atm_get_array(atm_value_item(trees, i), "values", 1, MAX_NODES, message, &values);

        if (status != ATM_OK)
            return status;
        nodes += atm_value_length(values);
    }
    if (nodes > MAX_ALL_NODES)
        return atm_complain(trees, NULL, message, "must have at most %d nodes", MAX_ALL_NODES);
    *nodes_p = (int) nodes;
    return ATM_OK;
}

/* Links count nodes from root on.  False if they are not one tree. */
static bool link_nodes(model *m, const double *inputs, const double *values, int root, int count,
                       int *depth_p)
{
    unsigned char depth[MAX_NODES] = {0}; /* of each node */
    int next = 1;                         /* first node that has no parent yet */

    for (int i = 0; i < count; i++) {
        node *here = &m->node[root + i];

        if (i >= next)
            return false;
        if (inputs[i] < 0) {
            *here = (node){.split = INFINITY, .left = root + i};
            m->output[root + i] = values[i];
            continue;
        }
        if (next + 1 >= count || depth[i] == MAX_DEPTH)
            return false;
        *here = (node){.split = values[i], .left = root + next, .input = (int) inputs[i]};
        depth[next] = depth[next + 1] = (unsigned char) (depth[i] + 1);
        next += 2;
    }
    *depth_p = depth[count - 1];
    return next == count;
}

static atm_status read_tree(const atm_value *object, int inputs, int root, atm_message *message,
                            model *m, tree *tree_p)
{
    static const char *const keys[] = {"inputs", "values", NULL};
    double *asked = NULL, *values = NULL;
    size_t count;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_numbers(object, "values", 1, MAX_NODES, -SUR_BIG, SUR_BIG, message,
                                 &values, &count);
    if (status == ATM_OK)
        status = atm_get_numbers(object, "inputs", count, count, -1, inputs - 1, message, &asked,
                                 &count);
    for (size_t i = 0; status == ATM_OK && i < count; i++)
        if (asked[i] != (int) asked[i])
            status = atm_complain(object, "inputs", message, "must be integers");
    if (status == ATM_OK) {
        tree_p->root = root;
        if (!link_nodes(m, asked, values, root, (int) count, &tree_p->depth))
            status = atm_complain(object, NULL, message,
                                  "must be one tree, breadth first, at most %d deep", MAX_DEPTH);
    }
    free(asked);
    free(values);
    return status;
}

static atm_status forest_read(const atm_value *object, int inputs, atm_message *message,
                              void *model_)
{
    static const char *const keys[] = {"trees", NULL};
    const atm_value *trees;
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_array(object, "trees", 1, SUR_MAX_TREES, message, &trees);
    if (status == ATM_OK)
        status = count_nodes(trees, message, &m->nodes);
    if (status != ATM_OK)
        return status;
    m->trees = (int) atm_value_length(trees);
    m->tree = calloc((size_t) m->trees, sizeof(tree));
    m->node = calloc((size_t) m->nodes, sizeof(node));
    m->output = calloc((size_t) m->nodes, sizeof(double));
    if (m->tree == NULL || m->node == NULL || m->output == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0, root = 0; status == ATM_OK && i < m->trees; i++) {
        const atm_value *each = atm_value_item(trees, (size_t) i);

        status = read_tree(each, inputs, root, message, m, &m->tree[i]);
        root += (int) atm_value_length(atm_value_find(each, "values"));
    }
    return status;
}

static void forest_write(const void *model_, atm_value *object)
{
    const model *m = model_;
    atm_value *trees = atm_put_array(object, "trees");

    for (int i = 0; i < m->trees; i++) {
        int end = i + 1 < m->trees ? m->tree[i + 1].root : m->nodes;
        atm_value *each = atm_put_object(trees, NULL);
        atm_value *inputs = atm_put_array(each, "inputs");
        atm_value *values = atm_put_array(each, "values");

        for (int k = m->tree[i].root; k < end; k++) {
            bool leaf = m->node[k].left == k;

            atm_put_integer(inputs, NULL, leaf ? -1 : m->node[k].input);
            atm_put_number(values, NULL, leaf ? m->output[k] : m->node[k].split);
        }
    }
}

/* Walks from the roots of a group to leaves, side by side: each step of one
 * tree waits for memory, and the others use the time. */
static void walk_group(const model *m, int first, const double *inputs, double *outputs_p)
{
    int at[GROUP], depth = 0;

    for (int i = 0; i < GROUP; i++) {
        const tree *t = &m->tree[first + i < m->trees ? first + i : first];

        at[i] = t->root;
        depth = t->depth > depth ? t->depth : depth;
    }
    for (int step = 0; step < depth; step++) {
#pragma GCC unroll 8
        for (int i = 0; i < GROUP; i++) {
            const node *here = &m->node[at[i]];

            at[i] = here->left + (inputs[here->input] > here->split);
        }
    }
    for (int i = 0; i < GROUP; i++)
        outputs_p[i] = m->output[at[i]];
}

/* SUR_MAX_TREES is a multiple of GROUP. */
int sur_forest_outputs(const void *model_, const double *inputs, double outputs_p[SUR_MAX_TREES])
{
    const model *m = model_;

    for (int i = 0; i < m->trees; i += GROUP)
        walk_group(m, i, inputs, outputs_p + i);
    return m->trees;
}

static double forest_predict(const void *model_, const double *inputs, double *spread_p)
{
    const model *m = model_;
    double output[SUR_MAX_TREES], sum = 0, squares = 0, mean;

    sur_forest_outputs(m, inputs, output);
    for (int i = 0; i < m->trees; i++)
        sum += output[i];
    mean = sum / m->trees;
    for (int i = 0; i < m->trees; i++)
        squares += (output[i] - mean) * (output[i] - mean);
    *spread_p = sqrt(squares / m->trees);
    return mean;
}

const sur_type sur_forest = {.name = "forest",
                             .size = sizeof(model),
                             .read = forest_read,
                             .write = forest_write,
                             .predict = forest_predict,
                             .clear = forest_clear};
