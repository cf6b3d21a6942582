/* Learning: what is advised, and a month of noisy runs that follow the advice. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/rng.h"
#include "history/learn_rules.h"

enum { MIB = 1 << 20, DAY = 86400 };

static const char *const settings[] = {"{\"cb_nodes\": 1}", "{\"cb_nodes\": 2}",
                                       "{\"cb_nodes\": 4}", "{\"cb_nodes\": 8}",
                                       "{\"cb_nodes\": 16}"};
enum { ARMS = sizeof(settings) / sizeof(settings[0]) };

static void add(ath_samples *samples, int arm, double seconds, double when, ath_origin origin)
{
    assert_int_equal(ath_samples_add(samples, &(ath_sample){.program = "vpic",
                                                            .user = "ada",
                                                            .file = "/scratch/ada/run7/field.12.h5",
                                                            .settings = settings[arm],
                                                            .write = true,
                                                            .origin = origin,
                                                            .ranks = 64,
                                                            .bytes = MIB,
                                                            .seconds = seconds,
                                                            .when = when}),
                     ATH_OK);
}

/* count trials with a little noise that is always the same */
static void add_many(ath_samples *samples, int arm, double seconds, int count, double *when)
{
    for (int i = 0; i < count; i++)
        add(samples, arm, seconds * (1 + 0.01 * (i % 3)), (*when)++, ATH_BY_MODEL);
}

/* The same of two settings in turn, which begins with the usual one. */
static void add_both(ath_samples *samples, int arm, double usual, double seconds, int count,
                     double *when)
{
    for (int i = 0; i < 2 * count; i++)
        add(samples, i % 2 == 0 ? 0 : arm, (i % 2 == 0 ? usual : seconds) * (1 + 0.01 * (i % 3)),
            (*when)++, ATH_BY_MODEL);
}

static atm_advice *learn(const ath_samples *samples)
{
    atm_advice *advice = NULL;

    assert_int_equal(ath_learn(samples, &ath_learn_usual, NULL, NULL, &advice), ATH_OK);
    return advice;
}

static void expect_rules(const ath_samples *samples, int count)
{
    atm_advice *advice = learn(samples);

    assert_int_equal(advice->count, count);
    atm_advice_destroy(advice);
}

/* --- one class */

static void faster_settings_are_advised(void **state)
{
    ath_samples samples = {.at = NULL};
    double when = 1794000000;
    atm_advice *advice;
    const atm_rule *rule;

    (void) state;
    add_both(&samples, 3, 4, 2, 7, &when);
    expect_rules(&samples, 0); /* four blocks are too few */
    add(&samples, 0, 4, when++, ATH_BY_MODEL);
    advice = learn(&samples);
    assert_int_equal(advice->count, 1);
    rule = &advice->rules[0];
    assert_string_equal(rule->program, "vpic");
    assert_string_equal(rule->user, "ada");
    assert_string_equal(rule->file, "/scratch/*/field.*.h5");
    assert_int_equal(rule->operation, ATM_WRITES);
    assert_int_equal(rule->ranks[0], 64);
    assert_int_equal(rule->ranks[1], 127);
    assert_int_equal(rule->bytes[0], MIB);
    assert_int_equal(rule->bytes[1], 2 * MIB - 1);
    assert_int_equal(rule->set.values[ATM_SET_CB_NODES], 8);
    assert_int_equal(rule->evidence.runs, 7);
    assert_float_equal(rule->evidence.seconds, 2.02, 0.02);
    assert_float_equal(rule->evidence.default_seconds, 4.04, 0.04);
    assert_true(rule->evidence.interval[0] < rule->evidence.seconds);
    assert_true(rule->evidence.interval[1] > rule->evidence.seconds);
    assert_string_equal(rule->evidence.when, "2026-11-06T21:20:14Z");
    atm_advice_destroy(advice);
    ath_samples_destroy(&samples);
}

static void slower_ones_are_not(void **state)
{
    ath_samples samples = {.at = NULL};
    double when = 0;

    (void) state;
    add_both(&samples, 1, 4, 4.5, 10, &when);
    add_both(&samples, 2, 4, 3.95, 10, &when); /* by less than a fiftieth */
    expect_rules(&samples, 0);
    ath_samples_destroy(&samples);
}

static void noise_is_no_gain(void **state)
{
    ath_samples samples = {.at = NULL};
    double when = 0;

    (void) state;
    for (int i = 0; i < 20; i++)
        add(&samples, i % 4 == 0, i % 4 > 0 ? 4 : i % 8 == 0 ? 1 : 9, when++, ATH_BY_MODEL);
    expect_rules(&samples, 0);
    ath_samples_destroy(&samples);
}

/* The model chooses it by itself. */
static void the_usual_needs_no_advice(void **state)
{
    ath_samples samples = {.at = NULL};
    double when = 0;

    (void) state;
    add_many(&samples, 0, 4, 8, &when);
    add_many(&samples, 3, 2, 12, &when);
    expect_rules(&samples, 0);
    ath_samples_destroy(&samples);
}

/* Hints of users are tries: whoever sets them has a reason that others can share, however often and
 * lately they were set. */
static void hints_of_users_are_tries(void **state)
{
    ath_samples samples = {.at = NULL};
    double when = 0;

    (void) state;
    for (int i = 0; i < 40; i++)
        add(&samples, i % 5 < 2 ? 0 : 3, (i % 5 < 2 ? 4 : 2) + 0.01 * (i % 3), when++,
            i % 5 < 2 ? ATH_BY_MODEL : ATH_BY_USER);
    add(&samples, 0, 4, when++, ATH_BY_MODEL);
    expect_rules(&samples, 1);
    ath_samples_destroy(&samples);
    for (int i = 0; i < 12; i++) /* what would happen without them is not known */
        add(&samples, i % 2, 2 + i % 2, when++, ATH_BY_USER);
    expect_rules(&samples, 0);
    ath_samples_destroy(&samples);
}

/* A rule for independent calls is made unless it would hold for collective ones as well. */
static void independent_calls_are_others(void **state)
{
    ath_samples samples = {.at = NULL};
    ath_sample sample = {.program = "vpic", .user = "ada", .file = "/scratch/field.12.h5"};

    (void) state;
    sample.write = sample.independent = true;
    sample.ranks = 64;
    sample.bytes = MIB;
    for (int i = 0; i < 16; i++) {
        sample.settings = settings[i % 2];
        sample.origin = i % 2 == 0 ? ATH_BY_MODEL : ATH_BY_USER;
        sample.seconds = (i % 2 == 0 ? 4 : 2) + 0.01 * (i % 3);
        sample.when = i;
        assert_int_equal(ath_samples_add(&samples, &sample), ATH_OK);
    }
    expect_rules(&samples, 1);
    sample.independent = false; /* as slow as it likes */
    sample.seconds = 100;
    assert_int_equal(ath_samples_add(&samples, &sample), ATH_OK);
    expect_rules(&samples, 0);
    ath_samples_destroy(&samples);
}

static void other_accesses_are_other_classes(void **state)
{
    ath_samples samples = {.at = NULL};
    ath_sample sample = {.program = "vpic",
                         .user = "ada",
                         .file = "/scratch/f",
                         .settings = settings[0],
                         .ranks = 64,
                         .bytes = MIB,
                         .seconds = 4,
                         .origin = ATH_BY_MODEL};
    atm_advice *advice;

    (void) state;
    for (int i = 0; i < 12; i++) {
        sample.when = i;
        sample.seconds = 4 + 0.01 * (i % 3);
        assert_int_equal(ath_samples_add(&samples, &sample), ATH_OK);
    }
    sample.settings = settings[1];
    for (int i = 0; i < 7 * 6; i++) {
        ath_sample other = sample;

        other.when = 100 + i;
        other.seconds = 2 + 0.01 * (i % 3);
        other.program = i % 7 == 0 ? "gadget" : other.program;
        other.user = i % 7 == 1 ? "bob" : other.user;
        other.file = i % 7 == 2 ? "/home/f" : i % 7 == 3 ? "/scratch/g" : other.file;
        other.write = i % 7 == 4;
        other.ranks = i % 7 == 5 ? 128 : other.ranks;
        other.bytes = i % 7 == 6 ? 2 * MIB : other.bytes;
        assert_int_equal(ath_samples_add(&samples, &other), ATH_OK);
    }
    advice = learn(&samples);
    assert_int_equal(advice->count, 0);
    atm_advice_destroy(advice);
    ath_samples_destroy(&samples);
}

static void unusable_samples_are_left_out(void **state)
{
    static char longer[5000];
    ath_sample good = {.program = "p",
                       .user = "u",
                       .file = "/f",
                       .settings = settings[0],
                       .ranks = 1,
                       .bytes = 1,
                       .seconds = 1};
    ath_sample bad[] = {good, good, good, good, good, good};
    ath_samples samples = {.at = NULL};

    (void) state;
    memset(longer, 'x', sizeof(longer) - 1);
    bad[0].seconds = 0;
    bad[1].seconds = NAN;
    bad[2].bytes = 0;
    bad[3].ranks = 0;
    bad[4].program = longer;
    bad[5].file = longer;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(ath_samples_add(&samples, &bad[i]), ATH_OK);
    assert_int_equal(samples.count, 0);
    assert_int_equal(ath_samples_add(&samples, &good), ATH_OK);
    assert_int_equal(samples.count, 1);
    ath_samples_destroy(&samples);
}

/* --- earlier rules */

static atm_advice *parse(const char *text)
{
    atm_message message = {""};
    atm_advice *advice = NULL;

    if (atm_advice_parse(text, strlen(text), "advice.json", &message, &advice) != ATM_OK)
        fail_msg("%s", message.text);
    return advice;
}

/* One without advice, one with advice that is twice as slow. */
static void add_in_turn(ath_samples *samples, int i, double *when)
{
    add(samples, i % 2 == 0 ? 0 : 2, (i % 2 == 0 ? 4 : 8) + 0.01 * (i % 3), (*when)++,
        i % 2 == 0 ? ATH_BY_MODEL : ATH_BY_ADVICE);
}

static void rules_of_a_search_must_prove_themselves(void **state)
{
    atm_advice *earlier =
        parse("{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
              "{\"match\": {\"program\": \"vpic\"}, \"set\": {\"cb_nodes\": 4}, "
              "\"evidence\": {\"source\": \"search\"}},"
              "{\"match\": {\"program\": \"vpic\"}, \"set\": {\"cb_nodes\": 2}},"
              "{\"match\": {\"program\": \"vpic\"}, \"set\": {\"cb_nodes\": 1}, "
              "\"evidence\": {\"source\": \"history\"}}]}");
    ath_samples samples = {.at = NULL};
    double when = 0;
    int dropped = -1;
    atm_advice *advice;

    (void) state;
    for (int i = 0; i < 8; i++)
        add_in_turn(&samples, i, &when);
    advice = learn(&samples);
    assert_int_equal(ath_learn_keep(advice, earlier, &samples, &ath_learn_usual, &dropped), ATH_OK);
    assert_int_equal(advice->count, 2);
    assert_int_equal(dropped, 0);
    atm_advice_destroy(advice);
    for (int i = 8; i < 12; i++)
        add_in_turn(&samples, i, &when);
    advice = learn(&samples);
    assert_int_equal(ath_learn_keep(advice, earlier, &samples, &ath_learn_usual, &dropped), ATH_OK);
    assert_int_equal(advice->count, 1);
    assert_int_equal(dropped, 1);
    assert_int_equal(advice->rules[0].evidence.source, ATM_BY_HAND);
    atm_advice_destroy(advice);
    atm_advice_destroy(earlier);
    ath_samples_destroy(&samples);
}

/* --- a month */

enum { CLASSES = 200, DAYS = 30, RUNS = 8 };

typedef struct world {
    double seconds[CLASSES][ARMS]; /* true medians; the model chooses arm 0 */
    double noise[CLASSES];         /* of the logarithm */
    char names[CLASSES][16];
} world;

static void make_world(uint64_t *rng, world *w)
{
    for (int c = 0; c < CLASSES; c++) {
        snprintf(w->names[c], sizeof(w->names[c]), "program-%c%c", 'a' + c / 26, 'a' + c % 26);
        w->noise[c] = 0.03 + 0.4 * rng_unit(rng);
        for (int a = 0; a < ARMS; a++)
            w->seconds[c][a] = exp(2 * rng_unit(rng) - 1);
    }
}

/* One run in ten meets a busy file system. */
static double measured(uint64_t *rng, const world *w, int class, int arm)
{
    double busy = rng_unit(rng) < 0.1 ? 1 + 3 * rng_unit(rng) : 1;

    return w->seconds[class][arm] * busy * exp(w->noise[class] * rng_normal(rng));
}

static int arm_of(const atm_rule *rule)
{
    int arm = 0;

    while (1u << arm < rule->set.values[ATM_SET_CB_NODES])
        arm++;
    return arm;
}

static int advised_arm(const world *w, const atm_advice *advice, int class, double draw)
{
    atm_occasion occasion = {.program = w->names[class],
                             .user = "ada",
                             .file = "/scratch/f",
                             .write = true,
                             .ranks = 64,
                             .bytes = MIB,
                             .draw = draw};
    int rule = advice != NULL ? atm_advice_match(advice, &occasion) : -1;

    return rule >= 0 ? arm_of(&advice->rules[rule]) : -1;
}

/* What the runs of a class took that nobody tried settings with, and what they would have taken
 * without advice. */
typedef struct account {
    double with, without;
} account;

static void run_once(uint64_t *rng, const world *w, const atm_advice *advice, int class,
                     double explores, double when, ath_samples *samples, account *account)
{
    bool explore = rng_unit(rng) < explores;
    int arm = advised_arm(w, advice, class, rng_unit(rng));
    ath_sample sample = {.program = w->names[class],
                         .user = "ada",
                         .file = "/scratch/f",
                         .write = true,
                         .ranks = 64,
                         .bytes = MIB,
                         .origin = arm >= 0 ? ATH_BY_ADVICE : ATH_BY_MODEL,
                         .when = when};

    if (explore) {
        arm = rng_below(rng, ARMS);
        sample.origin = ATH_BY_DEFAULT;
    }
    arm = arm >= 0 ? arm : 0;
    if (!explore) {
        account->with += w->seconds[class][arm];
        account->without += w->seconds[class][0];
    }
    sample.settings = settings[arm];
    sample.seconds = measured(rng, w, class, arm);
    assert_int_equal(ath_samples_add(samples, &sample), ATH_OK);
}

/* Each day: runs that follow the advice of the day before. */
static atm_advice *live(uint64_t *rng, const world *w, int from, int to, double explores,
                        ath_samples *samples, account accounts[CLASSES], atm_advice *advice)
{
    for (int day = from; day < to; day++) {
        for (int i = 0; i < RUNS * CLASSES; i++)
            run_once(rng, w, advice, i % CLASSES, explores, day * DAY + i, samples,
                     &accounts[i % CLASSES]);
        atm_advice_destroy(advice);
        advice = learn(samples);
    }
    return advice;
}

static int best_arm(const world *w, int class)
{
    int best = 0;

    for (int a = 1; a < ARMS; a++)
        if (w->seconds[class][a] < w->seconds[class][best])
            best = a;
    return best;
}

/* Classes whose best setting is much faster than the model's, and how many of them have it,
 * or one within a tenth of it. */
static void count_found(const world *w, const atm_advice *advice, int *worth_p, int *found_p)
{
    *worth_p = *found_p = 0;
    for (int c = 0; c < CLASSES; c++) {
        const double *seconds = w->seconds[c];
        int best = best_arm(w, c), arm = advised_arm(w, advice, c, 1);

        if (seconds[best] > 0.6 * seconds[0])
            continue;
        ++*worth_p;
        *found_p += arm >= 0 && seconds[arm] < 1.1 * seconds[best];
    }
}

static void a_month_is_safe_and_converges(void **state)
{
    static world w;

    (void) state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        account accounts[CLASSES] = {{0, 0}};
        ath_samples samples = {.at = NULL};
        uint64_t rng = seed;
        int worth, found;
        double worst = 0, with = 0, without = 0;
        atm_advice *advice;

        make_world(&rng, &w);
        advice = live(&rng, &w, 0, DAYS, 0.3, &samples, accounts, NULL);
        for (int c = 0; c < CLASSES; c++) {
            worst = fmax(worst, accounts[c].with / accounts[c].without);
            with += accounts[c].with;
            without += accounts[c].without;
        }
        count_found(&w, advice, &worth, &found);
        print_message("# seed %d: %.3f of the time, worst class %.3f; %d of %d found\n", (int) seed,
                      with / without, worst, found, worth);
        assert_true(worst <= 1.02);
        assert_true(with < 0.8 * without);
        assert_true(worth > 50 && found >= 0.75 * worth);
        atm_advice_destroy(advice);
        ath_samples_destroy(&samples);
    }
}

/* Without anything to gain, nothing is advised. */
static void equals_stay_as_they_are(void **state)
{
    static world w;
    account accounts[CLASSES] = {{0, 0}};
    ath_samples samples = {.at = NULL};
    uint64_t rng = 7;
    atm_advice *advice;

    (void) state;
    make_world(&rng, &w);
    for (int c = 0; c < CLASSES; c++)
        for (int a = 0; a < ARMS; a++)
            w.seconds[c][a] = 1;
    advice = live(&rng, &w, 0, DAYS, 0.5, &samples, accounts, NULL);
    assert_true(advice->count <= 1); /* of 200, with an error of one in a thousand each */
    atm_advice_destroy(advice);
    ath_samples_destroy(&samples);
}

/* --- a change: what was best is now slow */

typedef struct change {
    double before[2], after[2]; /* of the usual settings and of what was advised */
    bool stays;                 /* the advice is right again, or still */
} change;

/* Runs after a change until the advice stays right, and those without advice among them; learning
 * follows each run. */
typedef struct delay {
    int runs, without;
} delay;

static delay until_right(const change *what, uint64_t seed)
{
    ath_samples samples = {.at = NULL};
    uint64_t rng = seed;
    double when = 0;
    delay now = {0, 0}, right = {0, 0};
    atm_advice *advice;

    for (int i = 0; i < 40; i++)
        add(&samples, i % 2, what->before[i % 2] * exp(0.1 * rng_normal(&rng)), when++,
            ATH_BY_MODEL);
    for (int i = 0; i < 10; i++)
        add(&samples, 0, what->before[0] * exp(0.1 * rng_normal(&rng)), when++, ATH_BY_MODEL);
    advice = learn(&samples);
    assert_int_equal(advice->count, 1);
    for (; now.runs < 100; now.runs++) {
        bool advised = advice->count == 1 && rng_unit(&rng) >= advice->rules[0].control;

        now.without += !advised;
        if ((advice->count == 1) != what->stays)
            right = (delay){now.runs + 1, now.without};
        add(&samples, advised, what->after[advised] * exp(0.1 * rng_normal(&rng)), when++,
            advised ? ATH_BY_ADVICE : ATH_BY_MODEL);
        atm_advice_destroy(advice);
        advice = learn(&samples);
    }
    atm_advice_destroy(advice);
    ath_samples_destroy(&samples);
    return right;
}

static void changes_are_learned(void **state)
{
    static const change slower = {{4, 2}, {4, 8}, false}, /* what was advised is slow now */
        worse = {{4, 2}, {2, 3}, false},                  /* both changed places */
        as_before = {{4, 2}, {8, 4}, true},               /* all is slower, the advice is right */
        unseen = {{4, 2}, {1, 2}, false};                 /* only runs without it can show that */

    (void) state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assert_in_range(until_right(&slower, seed).runs, 1, 10);
        assert_in_range(until_right(&worse, seed).runs, 1, 10);
        assert_in_range(until_right(&as_before, seed).runs, 1, 10);
        assert_in_range(until_right(&unseen, seed).without, 1, 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faster_settings_are_advised),
        cmocka_unit_test(slower_ones_are_not),
        cmocka_unit_test(noise_is_no_gain),
        cmocka_unit_test(the_usual_needs_no_advice),
        cmocka_unit_test(hints_of_users_are_tries),
        cmocka_unit_test(independent_calls_are_others),
        cmocka_unit_test(other_accesses_are_other_classes),
        cmocka_unit_test(unusable_samples_are_left_out),
        cmocka_unit_test(rules_of_a_search_must_prove_themselves),
        cmocka_unit_test(a_month_is_safe_and_converges),
        cmocka_unit_test(equals_stay_as_they_are),
        cmocka_unit_test(changes_are_learned),
    };

    return cmocka_run_group_tests_name("learn", tests, NULL, NULL);
}
