/* Regression trees grown by least squares (Breiman, Friedman, Olshen, Stone:
 * Classification and regression trees, 1984): for forests and rules. */

#ifndef GROW_H
#define GROW_H

#include "trainer.h"

typedef struct grow_node {
    int input;    /* that is asked; -1 in a leaf */
    double split; /* left where the input is at most this */
    int left;     /* child; the right one is the next */
    int parent;   /* -1 for the root */
    int depth;
    double mean; /* of the outputs */
    int first;   /* its rows are members[first] to members[first + rows - 1] */
    int rows;
} grow_node;

typedef struct grow_tree {
    int count;
    grow_node *nodes; /* [count], breadth first */
    int *members;     /* rows; those of a leaf are together, also those of a subtree */
} grow_tree;

typedef struct grow_limits {
    int leaf;   /* fewest rows of a leaf */
    int tried;  /* inputs tried at a node, drawn at random; 0: all */
    int leaves; /* most leaves */
} grow_limits;

/* The order of the rows by each input, which many trees share.  NULL without
 * memory; the caller frees it. */
int *grow_order(const trainer_data *data);

/* times[rows]: how often each row counts (a bootstrap), NULL: once.  Destroy
 * what it gives. */
atm_status grow_tree_make(const trainer_data *data, const int *order, const int *times,
                          const grow_limits *limits, uint64_t *random, grow_tree *tree_p);
/* As an element of the "trees" of a forest (cost/surrogate_forest.c). */
void grow_tree_put(const grow_tree *tree, atm_value *trees);
void grow_tree_destroy(grow_tree *tree);

#endif /* GROW_H */
