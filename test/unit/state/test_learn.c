/* Learning: synthetic targets with known states, against who knows their parameters; the
 * libraries' own predictions; time.  With arguments (targets, days, each or together, kind): how
 * long training takes. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/rng.h"
#include "state/learn_classifier.h"
#include "state/model.h"
#include "synthetic_state.h"

typedef struct outcome {
    double classifier, bayes, rows;
} outcome;

/* Accuracy of the true states on the held-out days, and the best there can be. */
static outcome compare(const learn_result *r, int kind, synthetic_truth *const *truths)
{
    outcome o = {0, 0, 0};

    for (int t = 0; t < r->rows.target_count; t++) {
        const state_target *target = &r->rows.targets[t];

        for (int i = 0; i < target->count; i++) {
            const synthetic_truth *truth = &truths[t][i];

            if (r->rows.rows[target->first + i].time < r->split)
                continue;
            o.rows++;
            o.bayes += (truth->bayes > 0.5) == truth->busy;
            o.classifier += (r->kind[kind].p[target->first + i] > 0.5) == truth->busy;
        }
    }
    o.bayes /= o.rows;
    o.classifier /= o.rows;
    return o;
}

static int train(const synthetic_options *options, bool per_target, const char *kind,
                 double *reached_p)
{
    synthetic_truth **truths = calloc((size_t) options->targets, sizeof(*truths));
    trace *t = synthetic_make(options, truths);
    learn_options how = {.seed = 1, .per_target = per_target, .kind = kind};
    learn_result *r = NULL;
    atm_message message = {""};
    int used;

    if (learn_run(t, &how, &message, &r) != ATM_OK)
        fail_msg("%s", message.text);
    used = r->used;
    for (int k = 0; k < r->kinds; k++) {
        outcome o = compare(r, k, truths);

        print_message("# %s %s: %-11s %.3f of true states, best possible %.3f (%.1f %%); labels: "
                      "folds %.3f, held-out days %.3f, AUC %.3f; of 1/2, 1/4, 1/8 of the days "
                      "%.3f %.3f %.3f\n",
                      options->kind == SYNTHETIC_JOBS ? "jobs" : "markov",
                      per_target ? "each alone" : "together", r->kind[k].learner->name,
                      o.classifier, o.bayes, 100 * o.classifier / o.bayes,
                      score_accuracy(&r->kind[k].folds), score_accuracy(&r->kind[k].held_out),
                      r->kind[k].auc, score_accuracy(&r->kind[k].less[0]),
                      score_accuracy(&r->kind[k].less[1]), score_accuracy(&r->kind[k].less[2]));
        if (k == r->chosen)
            *reached_p = o.classifier / o.bayes;
    }
    print_message("# chosen: %s; used for %d of %d targets with two states; drift %.1f; %.1f s\n",
                  r->chosen >= 0 ? r->kind[r->chosen].learner->name : "-", r->used, r->two,
                  r->drift, r->seconds);
    learn_destroy(r);
    for (int i = 0; i < options->targets; i++)
        free(truths[i]);
    free(truths);
    trace_destroy(t);
    return used;
}

static const synthetic_options markov = {.kind = SYNTHETIC_MARKOV,
                                         .targets = 12,
                                         .days = 10,
                                         .truth_every = 3600,
                                         .probe_every = 30,
                                         .stays = 1200,
                                         .noise = 0.5,
                                         .seed = 3};
static const synthetic_options jobs = {.kind = SYNTHETIC_JOBS,
                                       .targets = 12,
                                       .days = 10,
                                       .truth_every = 3600,
                                       .probe_every = 30,
                                       .stays = 1200,
                                       .noise = 0.9,
                                       .seed = 4};

static void near_the_best(void **state)
{
    double reached = 0;

    (void) state;
    assert_true(train(&markov, false, NULL, &reached) >= 10);
    assert_true(reached >= 0.95);
    assert_true(train(&jobs, false, NULL, &reached) >= 8);
    assert_true(reached >= 0.95);
}

static void nothing_to_learn(void **state)
{
    synthetic_options still = markov;
    synthetic_truth *truths[3];
    learn_options how = {.seed = 1};
    learn_result *r = NULL;
    atm_value *document = NULL;
    trace *t;

    (void) state;
    still.kind = SYNTHETIC_STILL;
    still.targets = 3;
    still.days = 4;
    t = synthetic_make(&still, truths);
    assert_int_equal(learn_run(t, &how, NULL, &r), ATM_OK);
    assert_int_equal(r->two, 0);
    assert_int_equal(learn_document(t, &how, r, &document), ATM_OK);
    atm_value_destroy(document);
    learn_destroy(r);
    for (int i = 0; i < 3; i++)
        free(truths[i]);
    trace_destroy(t);
    t = trace_create();
    assert_int_equal(learn_run(t, &how, NULL, &r), ATM_BAD_FILE);
    trace_destroy(t);
}

/* The document can be read, and says what the fit says. */
static void model_again(void **state)
{
    synthetic_options small = markov;
    synthetic_truth *truths[4];
    learn_options how = {.seed = 1, .kind = "naive_bayes"};
    atm_message message = {""};
    learn_result *r = NULL;
    atm_value *document = NULL;
    state_model *m = NULL;
    double from, to, sum = 0;
    trace *t;

    small.targets = 4;
    (void) state;
    t = synthetic_make(&small, truths);
    for (int per_target = 0; per_target < 2; per_target++) {
        how.per_target = per_target;
        assert_int_equal(learn_run(t, &how, &message, &r), ATM_OK);
        assert_int_equal(learn_document(t, &how, r, &document), ATM_OK);
        assert_int_equal(atm_value_write(document, "model.json", &message), ATM_OK);
        if (model_read("model.json", &message, &m) != ATM_OK)
            fail_msg("%s", message.text);
        assert_int_equal(m->count, 4);
        assert_true((m->shared == NULL) == (per_target == 1));
        assert_true(m->targets[0].mixture.states == 2 && m->targets[0].rows > 40);
        assert_true(fabs(m->targets[0].mixture.distance - 2.7 / 1.85) < 0.1);
        assert_true(trace_span(t, &from, &to));
        for (int i = 0; i < 4; i++)
            sum += model_busy(m, &m->targets[i], t, to);
        assert_true(sum > 0 && sum < 8);
        model_destroy(m);
        atm_value_destroy(document);
        learn_destroy(r);
    }
    unlink("model.json");
    for (int i = 0; i < 4; i++)
        free(truths[i]);
    trace_destroy(t);
}

static int measure(int targets, double days, bool per_target, const char *kind)
{
    synthetic_options many = markov;
    double reached = 0;

    many.targets = targets;
    many.days = days;
    train(&many, per_target, kind, &reached);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_the_best),
        cmocka_unit_test(nothing_to_learn),
        cmocka_unit_test(model_again),
    };

    if (argc > 2)
        return measure(atoi(argv[1]), atof(argv[2]), argc > 3 && strcmp(argv[3], "each") == 0,
                       argc > 4 ? argv[4] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
