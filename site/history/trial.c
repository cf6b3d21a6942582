/* Trials: from records. */

#include "trial.h"

#include "choose/fixes.h"

static void set(atm_settings *settings, atm_setting setting, uint64_t value)
{
    settings->has[setting] = value > 0;
    settings->values[setting] = value;
}

static void set_stripes(const atm_record *record, atm_settings *settings)
{
    set(settings, ATM_SET_STRIPING_FACTOR, (uint64_t) record->stripe_count);
    set(settings, ATM_SET_STRIPING_UNIT, record->stripe_size);
}

/* In the words of hints.  Of a file that is read the striping cannot be chosen. */
static atm_settings settings_of(const atm_record *record, const atm_record_decision *decision,
                                bool write)
{
    const atm_config *config = &decision->config;
    atm_setting switch_ = write ? ATM_SET_CB_WRITE : ATM_SET_CB_READ;
    atm_settings settings = {.threshold = 0};

    /* Lustre's writes are left alone by their size, not by this switch */
    if (config->aggregators > 0 && (config->collective || !write || record->stripe_count == 0)) {
        settings.has[switch_] = true;
        settings.values[switch_] = atm_fix_value(config, ATM_FIX_COLLECTIVE);
    }
    if (config->aggregators == 0 || config->collective) {
        set(&settings, ATM_SET_CB_NODES, (uint64_t) decision->rank_count);
        set(&settings, ATM_SET_CB_BUFFER_SIZE, config->buffer);
    }
    if (write && record->stripe_count > 0) {
        set_stripes(record, &settings);
        if (config->collective && config->co_ratio > 0)
            set(&settings, ATM_SET_CO_RATIO, (uint64_t) config->co_ratio);
    }
    return settings;
}

/* As rules of advice: none has a stripe of 100000 bytes, which Lustre would refuse. */
static bool can_be_advised(const atm_settings *settings)
{
    bool some = false;

    for (int i = 0; i < ATM_SETTING_COUNT; i++) {
        if (settings->has[i] && !atm_setting_allows((atm_setting) i, settings->values[i]))
            return false;
        some |= settings->has[i];
    }
    return some;
}

/* The factors of self-correction are in the parts (files/record.h). */
static double predicted_by(const atm_record_decision *decision)
{
    double storage = decision->storage_scale > 0 ? decision->storage_scale : 1;
    double communication = decision->communication_scale > 0 ? decision->communication_scale : 1;

    return (decision->parts[ATM_PARTITIONING] + decision->parts[ATM_SHUFFLE]) / communication +
           decision->parts[ATM_STORAGE] / storage;
}

/* What ranks asked for, as the driver compares it with rules; where a decision has not seen that,
 * what they moved: with holes in it, that is more. */
static double bytes_of(const outcome *seen)
{
    const atm_record_decision *decision = seen->decision;

    return decision->call > 0 && decision->write == seen->write && decision->access.bytes > 0
               ? (double) decision->access.bytes
               : seen->bytes;
}

/* --- the settings that most calls had, in whatever number of decisions */

typedef struct common {
    outcome outcomes[OUTCOMES]; /* of those settings alone */
    int count;
    const outcome *largest;
    uint64_t calls;
    atm_settings settings;
} common;

static bool are_equal(const atm_settings *one, const atm_settings *other)
{
    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (one->has[i] != other->has[i] || (one->has[i] && one->values[i] != other->values[i]))
            return false;
    return true;
}

static void add(common *common, const outcome *outcome)
{
    common->outcomes[common->count] = *outcome;
    if (common->count == 0 || outcome->calls > common->largest->calls)
        common->largest = &common->outcomes[common->count];
    common->count++;
    common->calls += outcome->calls;
}

static void gather(const atm_record *record, const outcome *outcomes, int count,
                   const atm_settings *settings, common *common_p)
{
    common_p->count = 0;
    common_p->calls = 0;
    common_p->settings = *settings;
    for (int i = 0; i < count; i++) {
        atm_settings other = settings_of(record, outcomes[i].decision, outcomes[i].write);

        if (are_equal(settings, &other))
            add(common_p, &outcomes[i]);
    }
}

/* Outcomes of a direction that have a decision; returns how many calls the direction had. */
static uint64_t of_direction(const atm_record *record, bool write, outcome outcomes_p[OUTCOMES],
                             int *count_p)
{
    outcome all[OUTCOMES];
    int number = outcomes_of(record, all), count = 0;
    uint64_t calls = 0;

    for (int i = 0; i < number; i++) {
        if (all[i].write != write || all[i].calls == 0)
            continue;
        calls += all[i].calls;
        if (all[i].decision != NULL)
            outcomes_p[count++] = all[i];
    }
    *count_p = count;
    return calls;
}

/* More than half of the calls had them, or they are not found. */
static bool find_common(const atm_record *record, bool write, common *common_p)
{
    outcome outcomes[OUTCOMES];
    int count;
    uint64_t calls = of_direction(record, write, outcomes, &count);

    for (int i = 0; i < count; i++) {
        atm_settings settings = settings_of(record, outcomes[i].decision, write);

        gather(record, outcomes, count, &settings, common_p);
        if (2 * common_p->calls > calls)
            return common_p->largest->measured.seconds > 0 && common_p->largest->bytes > 0;
    }
    return false;
}

bool ath_trial_outcome(const atm_record *record, bool write, outcome *outcome_p)
{
    common common;

    if (!find_common(record, write, &common))
        return false;
    *outcome_p = *common.largest;
    return true;
}

/* --- trials */

static ath_origin origin_of(const atm_record_decision *decision)
{
    return decision->advised  ? ATH_BY_ADVICE
           : decision->hinted ? ATH_BY_USER
           : decision->tuned  ? ATH_BY_MODEL
                              : ATH_BY_DEFAULT;
}

static bool of_collective(const atm_record *record, bool write, ath_trial *trial_p)
{
    common common;
    bool predicted = true;
    ath_trial trial;

    if (!find_common(record, write, &common))
        return false;
    trial = (ath_trial){.write = write,
                        .origin = origin_of(common.largest->decision),
                        .settings = common.settings,
                        .calls = (int64_t) common.calls};
    for (int i = 0; i < common.count; i++) {
        const outcome *seen = &common.outcomes[i];
        double share = (double) seen->calls / (double) common.calls;

        trial.bytes += share * bytes_of(seen);
        trial.seconds += share * seen->measured.seconds;
        predicted &= seen->has_prediction;
        if (predicted)
            trial.predicted += share * predicted_by(seen->decision);
    }
    if (!predicted)
        trial.predicted = 0;
    *trial_p = trial;
    return true;
}

static bool of_independent(const atm_record *record, ath_trial *trial_p)
{
    const atm_record_counters *counters = &record->write;
    const atm_record_decision *decision = record->decisions;
    double expected;

    if (counters->calls > 0 || !(counters->independent_seconds > 0) ||
        counters->independent_bytes == 0 || record->decision_count == 0 || decision->call > 0 ||
        !decision->write)
        return false;
    expected = (double) decision->access.bytes;
    *trial_p = (ath_trial){.write = true,
                           .independent = true,
                           .origin = origin_of(decision),
                           .calls = (int64_t) counters->independent_calls,
                           .bytes = expected,
                           .seconds = counters->independent_seconds /
                                      (double) counters->independent_bytes * expected};
    set_stripes(record, &trial_p->settings);
    return expected > 0;
}

bool ath_trial_of(const atm_record *record, bool write, ath_trial *trial_p)
{
    ath_trial trial;

    if (!of_collective(record, write, &trial) && !(write && of_independent(record, &trial)))
        return false;
    if (!can_be_advised(&trial.settings))
        return false;
    *trial_p = trial;
    return true;
}
