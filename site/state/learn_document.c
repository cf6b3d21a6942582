/* Learning: the state model, of all days. */

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "common/rng.h"
#include "even.h"
#include "learn_classifier.h"
#include "model.h"
#include "formats/formats.h"

typedef struct writing {
    const learn_options *options;
    const learn_result *result;
    state_rows rows; /* of all days */
} writing;

static atm_status put_classifier(const writing *w, int kind, int group, int first, int count,
                                 atm_value *object)
{
    const learn_kind *k = &w->result->kind[kind];
    const state_row **some = malloc((size_t) (count + 1) * sizeof(*some));
    atm_classifier *c = NULL;
    atm_status status = some != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (int i = 0; some != NULL && i < count; i++)
        some[i] = &w->rows.rows[first + i];
    if (status == ATM_OK)
        status =
            fit_classifier(k->learner, some, count, rng_hash(w->options->seed, LEARN_FOLDS), &c);
    if (status == ATM_OK) {
        atm_classifier_calibrate(c, k->slope[group], k->offset[group]);
        atm_classifier_write(c, object);
    }
    atm_classifier_destroy(c);
    free(some);
    return status;
}

static int kind_of(const learn_result *r, const learner *learner)
{
    int kind = 0;

    while (kind + 1 < r->kinds && r->kind[kind].learner != learner)
        kind++;
    return kind;
}

static double baseline(const learn_result *r, const learner *learner, int target)
{
    return score_accuracy(&r->kind[kind_of(r, learner)].by_target[target]);
}

static void put_accuracy(const learn_result *r, int target, int kind, atm_value *object)
{
    const score_sums *sums = &r->kind[kind].by_target[target];
    atm_value *to;

    if (sums->rows == 0)
        return;
    to = atm_put_object(object, "accuracy");
    atm_put_number(to, "rows", sums->rows);
    atm_put_number(to, "classifier", score_accuracy(sums));
    atm_put_number(to, "persistence", baseline(r, &learner_persistence, target));
    atm_put_number(to, "majority", baseline(r, &learner_majority, target));
}

/* A target that has two states on its training days, but not on all, is not predicted. */
static atm_status put_target(const writing *w, int index, atm_value *targets)
{
    const state_target *t = &w->rows.targets[index];
    const learn_target *learned = &w->result->targets[index];
    atm_status status = ATM_OK;
    atm_value *object, *classifier;

    if (t->samples == 0)
        return ATM_OK;
    object = model_put_target(targets, t->target, &t->mixture, t->by_latency, t->features.typical,
                              t->features.source);
    if (t->count > 0 && learned->used) {
        classifier = atm_put_object(object, "classifier");
        if (w->options->per_target)
            status = put_classifier(w, learned->chosen, index, t->first, t->count, classifier);
        else
            atm_put_string(classifier, "kind", "shared");
    }
    if (t->count > 0 && learned->persists)
        status = put_classifier(w, kind_of(w->result, &learner_persistence),
                                w->options->per_target ? index : 0, t->first, t->count,
                                atm_put_object(object, "classifier"));
    if (t->count > 0 && learned->chosen >= 0)
        put_accuracy(w->result, index, learned->chosen, object);
    return status;
}

static void put_header(const writing *w, const trace *trace, atm_value *root)
{
    double from = 0, to = 0;
    atm_value *features;

    trace_span(trace, &from, &to);
    atm_put_string(root, "format", STATE_MODEL_FORMAT);
    atm_put_integer(root, "version", STATE_MODEL_VERSION);
    atm_put_string(root, "path", trace->path);
    atm_put_number(root, "trained", (double) time(NULL));
    atm_put_number(root, "from", from);
    atm_put_number(root, "to", to);
    atm_put_number(root, "truth_bytes", w->rows.bytes);
    features = atm_put_array(root, "features");
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        atm_put_string(features, NULL, atm_state_feature_names[i]);
}

atm_status learn_document(const trace *trace, const learn_options *options,
                          const learn_result *result, atm_value **document_p)
{
    writing w = {.options = options, .result = result};
    parallel threads = options->parallel;
    atm_value *root = atm_value_object(), *targets;
    atm_status status;

    threads.progress = NULL;
    status = rows_make(trace, result->rows.bytes, INFINITY, options->seed, &threads, &w.rows);
    if (status == ATM_OK)
        status = even_out(&w.rows);
    if (status == ATM_OK)
        put_header(&w, trace, root);
    if (status == ATM_OK && result->chosen >= 0 && result->used > 0 && w.rows.count > 0)
        status =
            put_classifier(&w, result->chosen, 0, 0, w.rows.count, atm_put_object(root, "shared"));
    targets = atm_put_array(root, "targets");
    for (int i = 0; status == ATM_OK && i < w.rows.target_count; i++)
        status = put_target(&w, i, targets);
    rows_destroy(&w.rows);
    if (status == ATM_OK)
        status = atm_value_built(root);
    if (status == ATM_OK)
        *document_p = root;
    else
        atm_value_destroy(root);
    return status;
}
