/* Ranks that take part, from few to all, so that a profile knows how costs grow
 * with nodes (n) and ranks of a node (c). */

#include "plan.h"

enum { STEPS = 32 };

/* 1, 2, 4, ..., max */
static int doubled(int max, int steps[STEPS])
{
    int count = 0;

    for (int value = 1; value < max && count < STEPS - 1; value *= 2)
        steps[count++] = value;
    steps[count++] = max;
    return count;
}

static int ranks_in(const plan_job *job, int nodes, int per_node)
{
    int ranks = 0;

    for (int i = 0; i < nodes; i++)
        ranks += job->ranks_of[i] < per_node ? job->ranks_of[i] : per_node;
    return ranks;
}

int plan_groups(const plan_job *job, plan_group groups[PLAN_GROUPS])
{
    int nodes[STEPS], per_node[STEPS], most = plan_most(job), count = 0;
    int node_steps = doubled(job->nodes, nodes), rank_steps = doubled(most, per_node);

    /* three quarters of the ranks of one node: powers of two alone hide what
     * other numbers cost */
    if (most > 4 && rank_steps < STEPS) {
        per_node[rank_steps] = per_node[rank_steps - 1];
        per_node[rank_steps - 1] = most - most / 4;
        rank_steps++;
    }
    for (int i = 0; i < node_steps; i++)
        for (int k = 0; k < rank_steps && count < PLAN_GROUPS; k++) {
            int ranks = ranks_in(job, nodes[i], per_node[k]);

            if (ranks >= 2 || job->ranks == 1) /* a single rank does not communicate */
                groups[count++] = (plan_group){.nodes = nodes[i],
                                               .per_node = per_node[k],
                                               .ranks = ranks,
                                               .rung = plan_rung(i, node_steps) +
                                                       plan_rung(rank_steps - 1 - k, rank_steps)};
        }
    return count;
}
