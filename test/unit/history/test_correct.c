/* Corrections: records whose times are known multiples of what a profile predicts. */

#include "unit/history/history_help.h"

#include <math.h>

#include "choose/predict.h"
#include "files/record.h"
#include "history/correct.h"
#include "history/import.h"

enum { RANKS = 8, NODES = 2, MIB = 1 << 20 };

static atm_profile *generic(void)
{
    atm_profile *profile = NULL;

    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    return profile;
}

static atm_access access_of(uint64_t bytes)
{
    return (atm_access){.write = true,
                        .strided = true,
                        .interleaved = true,
                        .active_ranks = RANKS,
                        .bytes_min = bytes,
                        .bytes_max = bytes,
                        .bytes = bytes * RANKS,
                        .end = bytes * RANKS - 1,
                        .block = 65536,
                        .stride = 65536 * RANKS};
}

static const atm_config config = {
    .collective = true, .aggregators = 4, .buffer = 4 * MIB, .stripe_count = 1, .co_ratio = 1};

static atm_prediction predict(const atm_profile *profile, uint64_t bytes)
{
    atm_job job = {.ranks = RANKS, .nodes = NODES};
    atm_access access = access_of(bytes);
    atm_counts *counts = malloc(sizeof(*counts));
    atm_prediction prediction;

    assert_int_equal(
        atm_predict(profile, ATM_UFS, &job, &access, &config, NULL, counts, &prediction), ATM_OK);
    free(counts);
    return prediction;
}

/* One file with three calls: storage takes `factor` of what is predicted, the rest what is. */
static char *line_of(const atm_prediction *p, uint64_t bytes, double factor, int number)
{
    atm_record *record = calloc(1, sizeof(*record));
    double storage = factor * p->parts[ATM_STORAGE];
    double rest = p->parts[ATM_PARTITIONING] + p->parts[ATM_SHUFFLE];
    atm_record_decision decision = {.write = true,
                                    .tuned = true,
                                    .config = config,
                                    .rank_count = 4,
                                    .ranks = {0, 2, 4, 6},
                                    .access = access_of(bytes),
                                    .storage_scale = 1,
                                    .communication_scale = 1};
    char *line = NULL;
    size_t length;

    strcpy(record->file, "/scratch/f");
    strcpy(record->wrapped, "ufs");
    record->ranks = RANKS;
    record->nodes = NODES;
    record->started = 1794000000 + number;
    memcpy(decision.parts, p->parts, sizeof(decision.parts));
    atm_record_add_decision(record, &decision);
    for (uint64_t i = 1; i <= 3; i++)
        atm_record_add_call(record, &(atm_record_call){.call = i,
                                                       .write = true,
                                                       .at = (double) i,
                                                       .seconds = storage + rest,
                                                       .storage_seconds = storage,
                                                       .bytes = bytes * RANKS,
                                                       .accesses = 16});
    assert_int_equal(atm_record_line(record, &line, &length), ATM_OK);
    free(record);
    return line;
}

/* count records, a percent apart from each other */
static void bring_in(ath_database *database, const atm_profile *profile, uint64_t bytes,
                     double factor, int count)
{
    atm_prediction prediction = predict(profile, bytes);
    FILE *file = fopen("correct.jsonl", "w");
    ath_imported sum = {0};

    for (int i = 0; i < count; i++) {
        char *line = line_of(&prediction, bytes, factor * (1 + 0.01 * (i % 3 - 1)), i);

        fputs(line, file);
        free(line);
    }
    fclose(file);
    assert_int_equal(ath_import_records(database, "correct.jsonl", NULL, NULL, NULL, NULL, &sum),
                     ATH_OK);
    assert_int_equal(sum.trials, count);
}

static ath_corrections learn(ath_database *database, const atm_profile *profile)
{
    atm_message message = {""};
    ath_corrections corrections;

    if (ath_correct_learn(database, profile, NULL, 0, &message, &corrections) != ATH_OK)
        fail_msg("%s", message.text);
    return corrections;
}

static void slow_storage_is_seen(void **state)
{
    ath_database *database = empty_history();
    atm_profile *profile = generic();
    ath_corrections corrections;
    double before, after;

    (void) state;
    bring_in(database, profile, 16 * MIB, 3, 9);
    corrections = learn(database, profile);
    assert_int_equal(corrections.records, 9);
    assert_int_equal(corrections.trials, 9);
    before = predict(profile, 16 * MIB).parts[ATM_STORAGE];
    assert_true(ath_correct_apply(&corrections, profile) >= 1);
    after = predict(profile, 16 * MIB).parts[ATM_STORAGE];
    assert_true(after > 2 * before); /* by 3 what is most of it */
    assert_true(after < 3.1 * before);
    for (int i = 0; i < ATM_WRITE_FIRST; i++) /* communication was right */
        assert_false(corrections.operations[i].applied);
    atm_profile_destroy(profile);
    ath_close(database);
}

static void factors_have_intervals(void **state)
{
    ath_database *database = empty_history();
    atm_profile *profile = generic();
    ath_corrections corrections;
    int seen = 0;

    (void) state;
    bring_in(database, profile, 16 * MIB, 3, 9);
    corrections = learn(database, profile);
    for (int i = ATM_WRITE_FIRST; i < ATM_OPERATION_COUNT; i++)
        for (int k = 0; k < corrections.operations[i].count; k++) {
            const ath_size_correction *size = &corrections.operations[i].sizes[k];

            seen++;
            assert_int_equal(size->trials, 9);
            assert_float_equal(size->factor, 3, 0.05);
            assert_true(size->low < size->factor && size->factor < size->high);
            assert_true(size->low > 2.9 && size->high < 3.1);
            assert_true(size->applied);
            assert_true(size->bytes >= 1);
        }
    assert_int_equal(seen, 1);
    atm_profile_destroy(profile);
    ath_close(database);
}

static void few_records_tell_nothing(void **state)
{
    ath_database *database = empty_history();
    atm_profile *profile = generic();
    ath_corrections corrections;

    (void) state;
    bring_in(database, profile, 16 * MIB, 3, ATH_CORRECT_TRIALS - 1);
    corrections = learn(database, profile);
    assert_int_equal(ath_correct_apply(&corrections, profile), 0);
    atm_profile_destroy(profile);
    ath_close(database);
}

static void right_predictions_stay(void **state)
{
    ath_database *database = empty_history();
    atm_profile *profile = generic();
    ath_corrections corrections;

    (void) state;
    bring_in(database, profile, 16 * MIB, 1, 9);
    corrections = learn(database, profile);
    assert_int_equal(corrections.trials, 9);
    assert_int_equal(ath_correct_apply(&corrections, profile), 0);
    atm_profile_destroy(profile);
    ath_close(database);
}

/* A corrected profile predicts what was measured: it is not corrected again. */
static void once_is_enough(void **state)
{
    ath_database *database = empty_history();
    atm_profile *profile = generic();
    ath_corrections corrections;

    (void) state;
    bring_in(database, profile, 16 * MIB, 3, 9);
    corrections = learn(database, profile);
    ath_correct_apply(&corrections, profile);
    corrections = learn(database, profile);
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        for (int k = 0; k < corrections.operations[i].count; k++)
            assert_in_range((int) (100 * corrections.operations[i].sizes[k].factor), 90, 150);
    atm_profile_destroy(profile);
    ath_close(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_storage_is_seen),     cmocka_unit_test(factors_have_intervals),
        cmocka_unit_test(few_records_tell_nothing), cmocka_unit_test(right_predictions_stay),
        cmocka_unit_test(once_is_enough),
    };

    return cmocka_run_group_tests_name("correct", tests, NULL, NULL);
}
