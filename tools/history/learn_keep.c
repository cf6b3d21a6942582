/* Rules of an earlier file that stay. */

#include "learn_inside.h"

#include <math.h>
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

enum { WINDOW = 50 }; /* latest runs that count */

typedef struct latest {
    int count;
    double paces[WINDOW];
} latest;

/* samples come in the order of time; from the last one back */
static void note(latest *l, const ath_sample *sample)
{
    if (l->count < WINDOW)
        l->paces[l->count++] = learn_pace(sample);
}

/* Runs that it advised against runs that it was left out of. */
static bool is_slower(const atm_rule *rule, const ath_samples *samples,
                      const ath_learn_options *options)
{
    atm_rule copy = *rule;
    atm_advice alone = {.count = 1, .rules = &copy};
    latest advised = {.count = 0}, without = {.count = 0};
    learn_mean one, other;

    copy.control = 0;
    for (size_t i = samples->count; i-- > 0;) {
        const ath_sample *sample = &samples->at[i];
        atm_occasion occasion = occasion_of(sample);

        if (sample->independent || atm_advice_match(&alone, &occasion) != 0)
            continue;
        if (sample->origin == ATH_BY_ADVICE)
            note(&advised, sample);
        else if (learn_is_plain(sample))
            note(&without, sample);
    }
    if (advised.count < options->trials || without.count < options->trials)
        return false;
    one = learn_mean_of(without.paces, without.count);
    other = learn_mean_of(advised.paces, advised.count);
    return learn_bound(&one, &other, 0.05) < 0;
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
ath_status ath_learn_keep(atm_advice *advice, const atm_advice *earlier, const ath_samples *samples,
                          const ath_learn_options *options, int *dropped_p)
{
    atm_rule *rules = calloc(2 * ATM_ADVICE_RULES, sizeof(*rules));
    int count = 0, dropped = 0;
    bool copied = rules != NULL;

    for (int i = 0; copied && i < earlier->count; i++) {
        const atm_rule *rule = &earlier->rules[i];

        if (rule->evidence.source == ATM_BY_HISTORY)
            continue;
        if (rule->evidence.source == ATM_BY_SEARCH && is_slower(rule, samples, options))
            dropped++;
        else
            copied = atm_rule_copy(rule, &rules[count++]);
    }
    if (!copied) {
        free_rules(rules, count);
        return ATH_NO_MEMORY;
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
