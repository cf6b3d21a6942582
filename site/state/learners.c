/* All learners. */

#include "learner.h"

static const learner *const learners[] = {&learner_majority, &learner_persistence, &learner_latency,
                                          &learner_markov,   &learner_naive_bayes, &learner_tree,
                                          &learner_forest,
#ifdef HAVE_XGBOOST
                                          &learner_boosting,
#endif
                                          &learner_svm,      &learner_mlp};

enum { COUNT = sizeof(learners) / sizeof(learners[0]) };

const learner *learner_at(int index)
{
    return index < COUNT ? learners[index] : NULL;
}
