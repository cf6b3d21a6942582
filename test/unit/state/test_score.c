/* Scores: small ones by hand, calibration of known logits. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "state/score.h"

static void sums(void **state)
{
    score_sums s = {0};

    (void) state;
    assert_true(isnan(score_accuracy(&s)));
    score_add(&s, 0.9, 0.8, 1);
    score_add(&s, 0.2, 0.8, 1);
    score_add(&s, 0.2, 0.1, 0);
    assert_true(fabs(score_accuracy(&s) - 2.0 / 3) < 1e-15);
    assert_true(fabs(s.expected - (0.8 + 0.2 + 0.9)) < 1e-15);
    assert_true(fabs(s.loss + log(0.9) + log(0.2) + log(0.8)) < 1e-12);
}

static void areas(void **state)
{
    static const double p[] = {0.9, 0.8, 0.7, 0.6}, same[] = {1, 1, 1, 1};
    static const int right[] = {1, 1, 0, 0}, mixed[] = {1, 0, 1, 0}, none[] = {0, 0, 0, 0};
    double roc[SCORE_POINTS];

    (void) state;
    assert_true(score_auc(p, right, 4) == 1);
    assert_true(score_auc(p, mixed, 4) == 0.75);
    assert_true(score_auc(same, mixed, 4) == 0.5);
    assert_true(isnan(score_auc(p, none, 4)));
    assert_true(score_roc(p, mixed, 4, roc));
    assert_true(roc[0] == 0.5 && roc[9] == 0.5 && roc[10] == 1 && roc[20] == 1);
    assert_false(score_roc(p, none, 4, roc));
}

static void calibration(void **state)
{
    enum { COUNT = 20000 };
    static double scores[COUNT];
    static int label[COUNT];
    double slope, offset;
    uint64_t random = 3;

    (void) state;
    for (int i = 0; i < COUNT; i++) {
        double logit = 6 * rng_unit(&random) - 3;

        label[i] = rng_unit(&random) < 1 / (1 + exp(-logit));
        scores[i] = (logit - 0.5) / 3; /* the logit is 3 score + 0.5 */
    }
    score_calibrate(scores, label, COUNT, &slope, &offset);
    assert_true(fabs(slope - 3) < 0.15 && fabs(offset - 0.5) < 0.1);
    for (int i = 0; i < COUNT; i++)
        scores[i] = label[i]; /* parted: still finite */
    score_calibrate(scores, label, COUNT, &slope, &offset);
    assert_true(slope > 5 && slope < 100);
    for (int i = 0; i < COUNT; i++)
        scores[i] = -label[i]; /* the wrong way round */
    score_calibrate(scores, label, COUNT, &slope, &offset);
    assert_true(slope == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(areas),
                                       cmocka_unit_test(calibration)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
