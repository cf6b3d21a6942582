/* Rules of an earlier file that stay. */

#include "learn_inside.h"

#include <stdlib.h>
#include <string.h>

/* --- what came of a rule */

static atm_occasion occasion_of(const ath_sample *sample)
{
    return (atm_occasion){.program = sample->program,
                          .user = sample->user,
                          .file = sample->file,
                          .write = sample->write,
                          .ranks = sample->ranks,
                          .bytes = (uint64_t) sample->bytes,
                          .draw = 1};
}

enum arm { ADVISED, WITHOUT, NEITHER };

static enum arm arm_of(const ath_sample *sample)
{
    return sample->origin == ATH_BY_ADVICE ? ADVISED : learn_is_plain(sample) ? WITHOUT : NEITHER;
}

typedef struct trials {
    size_t count;
    const ath_sample **at;
    int *arms;
    learn_block *blocks;
} trials;

static bool make_room(size_t count, trials *trials_p)
{
    *trials_p = (trials){.at = calloc(count + 1, sizeof(*trials_p->at)),
                         .arms = calloc(count + 1, sizeof(*trials_p->arms)),
                         .blocks = calloc(count + 1, sizeof(*trials_p->blocks))};
    return trials_p->at != NULL && trials_p->arms != NULL && trials_p->blocks != NULL;
}

static void free_trials(trials *trials)
{
    free(trials->at);
    free(trials->arms);
    free(trials->blocks);
}

/* What the rule is for, whether it was left out or not. */
static void collect(const atm_rule *rule, const ath_samples *samples, trials *trials)
{
    atm_rule copy = *rule;
    atm_advice alone = {.count = 1, .rules = &copy};

    copy.control = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const ath_sample *sample = &samples->at[i];
        atm_occasion occasion = occasion_of(sample);

        if (sample->independent || atm_advice_match(&alone, &occasion) != 0)
            continue;
        trials->arms[trials->count] = arm_of(sample);
        trials->at[trials->count++] = sample;
    }
}

/* Runs that it advised against runs that it was left out of, where both were at the same times. */
static ath_status is_slower(const atm_rule *rule, const ath_samples *samples,
                            const ath_learn_options *options, bool *slower_p)
{
    trials trials;
    learn_comparison c = {.blocks = 0};
    ath_status status = ATH_NO_MEMORY;

    if (make_room(samples->count, &trials)) {
        collect(rule, samples, &trials);
        status = learn_compare(
            trials.blocks,
            learn_blocks(trials.at, trials.arms, trials.count, ADVISED, WITHOUT, trials.blocks),
            &c);
    }
    free_trials(&trials);
    *slower_p = c.blocks >= LEARN_AGAIN && c.paces[0].count >= options->trials &&
                c.paces[1].count >= options->trials &&
                learn_difference_bound(&c, options->error) < 0;
    return status;
}

/* --- texts */

static void free_texts(atm_rule *rule)
{
    free(rule->program);
    free(rule->user);
    free(rule->file);
}

static void free_rules(atm_rule *rules, int count)
{
    for (int i = 0; i < count; i++)
        free_texts(&rules[i]);
    free(rules);
}

/* Rules of a history are learned anew each time. */
static ath_status stays(const atm_rule *rule, const ath_samples *samples,
                        const ath_learn_options *options, int *dropped, bool *stays_p)
{
    bool slower = false;
    ath_status status = ATH_OK;

    if (rule->evidence.source == ATM_BY_SEARCH)
        status = is_slower(rule, samples, options, &slower);
    *dropped += slower;
    *stays_p = rule->evidence.source != ATM_BY_HISTORY && !slower;
    return status;
}

ath_status ath_learn_keep(atm_advice *advice, const atm_advice *earlier, const ath_samples *samples,
                          const ath_learn_options *options, int *dropped_p)
{
    atm_rule *rules = calloc(2 * ATM_ADVICE_RULES, sizeof(*rules));
    int count = 0, dropped = 0;
    ath_status status = rules != NULL ? ATH_OK : ATH_NO_MEMORY;

    for (int i = 0; status == ATH_OK && i < earlier->count; i++) {
        bool kept = false;

        status = stays(&earlier->rules[i], samples, options, &dropped, &kept);
        if (status == ATH_OK && kept && !atm_rule_copy(&earlier->rules[i], &rules[count++]))
            status = ATH_NO_MEMORY;
    }
    if (status != ATH_OK) {
        free_rules(rules, count);
        return status;
    }
    memcpy(rules + count, advice->rules, (size_t) advice->count * sizeof(*rules));
    free(advice->rules);
    advice->rules = rules;
    advice->count += count;
    while (advice->count > ATM_ADVICE_RULES)
        free_texts(&rules[--advice->count]);
    *dropped_p = dropped;
    return ATH_OK;
}
