/* Learning: from samples to rules. */

#include "learn_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "advice/glob.h"

const ath_learn_options ath_learn_usual = {
    .trials = 5, .gain = 0.02, .error = 1e-3, .control = 0.1};

const char *ath_verdict_text(ath_verdict verdict)
{
    static const char *const texts[] = {
        [ATH_TOO_FEW] = "too few runs without advice",
        [ATH_ONE_WAY] = "no other settings were tried often enough",
        [ATH_APART] = "others were tried, but at other times",
        [ATH_NOT_FASTER] = "nothing is faster beyond doubt",
        [ATH_SHARED] = "collective calls would have the same rule",
        [ATH_ADVISED] = "advised",
    };

    return texts[verdict];
}

/* --- samples by class */

typedef struct member {
    learn_class class;
    const ath_sample *sample;
} member;

static int by_class(const void *one, const void *other)
{
    const member *a = one, *b = other;
    int order = learn_class_compare(&a->class, &b->class);

    if (order == 0)
        order = (a->sample->when > b->sample->when) - (a->sample->when < b->sample->when);
    return order != 0 ? order : (a->sample > b->sample) - (a->sample < b->sample);
}

static void group(const ath_samples *samples, member *members)
{
    for (size_t i = 0; i < samples->count; i++)
        members[i] = (member){learn_class_of(&samples->at[i]), &samples->at[i]};
    qsort(members, samples->count, sizeof(*members), by_class);
}

/* --- rules */

/* NULL if it is not known, or without memory. */
static char *exactly(const char *name)
{
    char pattern[ATM_ADVICE_PATTERN];

    return name[0] != '\0' && atm_glob_of(name, false, sizeof(pattern), pattern) ? strdup(pattern)
                                                                                 : NULL;
}

static void fill_evidence(const learn_judgement *j, double bytes, double when,
                          atm_evidence *evidence)
{
    double half = learn_half_width(&j->best.pace);
    time_t seconds = (time_t) when;
    struct tm utc;

    *evidence = (atm_evidence){
        .source = ATM_BY_HISTORY,
        .runs = j->best.pace.count,
        .seconds = bytes * exp(j->best.pace.mean),
        .interval = {bytes * exp(j->best.pace.mean - half), bytes * exp(j->best.pace.mean + half)},
        .default_seconds = bytes * exp(j->usual.pace.mean)};
    if (gmtime_r(&seconds, &utc) != NULL)
        strftime(evidence->when, sizeof(evidence->when), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static atm_status read_settings(const char *text, atm_settings *settings_p)
{
    atm_value *root = NULL;
    atm_status status = atm_value_parse(text, strlen(text), "settings", NULL, &root);

    if (status == ATM_OK)
        status = atm_settings_read(root, NULL, settings_p);
    atm_value_destroy(root);
    return status;
}

static ath_status add_rule(const learn_class *class, const learn_judgement *j, double bytes,
                           double when, double control, atm_advice *advice)
{
    atm_rule *rule = &advice->rules[advice->count];

    *rule = (atm_rule){.program = exactly(class->program),
                       .user = exactly(class->user),
                       .file = strdup(class->pattern),
                       .operation = class->write ? ATM_WRITES : ATM_READS,
                       .ranks = {class->ranks[0], class->ranks[1]},
                       .bytes = {class->bytes[0], class->bytes[1]},
                       .control = control};
    advice->count++;
    fill_evidence(j, bytes, when, &rule->evidence);
    if (rule->file == NULL || (rule->program == NULL && class->program[0] != '\0') ||
        (rule->user == NULL && class->user[0] != '\0'))
        return ATH_NO_MEMORY;
    return ath_status_of(read_settings(j->best.settings, &rule->set));
}

/* --- classes */

typedef struct learning {
    const ath_learn_options *options;
    ath_class_told told; /* or NULL */
    void *context;
    const ath_sample **room; /* for all samples */
    atm_advice *advice;
} learning;

static void tell(const learning *l, const learn_class *class, size_t runs, const learn_judgement *j,
                 double bytes)
{
    ath_class_report report = {.program = class->program,
                               .user = class->user,
                               .pattern = class->pattern,
                               .write = class->write,
                               .independent = class->independent,
                               .ranks = {class->ranks[0], class->ranks[1]},
                               .bytes = {class->bytes[0], class->bytes[1]},
                               .runs = (int) runs,
                               .arms = j->arms,
                               .verdict = j->verdict};

    if (j->usual.settings != NULL)
        report.default_seconds = bytes * exp(j->usual.pace.mean);
    if (j->best.settings != NULL)
        report.seconds = bytes * exp(j->best.pace.mean);
    if (l->told != NULL)
        l->told(&report, l->context);
}

static ath_status learn_class_members(const learning *l, const member *members, size_t count,
                                      bool shared)
{
    learn_judgement j;
    double logs = 0, bytes;
    ath_status status;

    for (size_t i = 0; i < count; i++) {
        l->room[i] = members[i].sample;
        logs += log(members[i].sample->bytes) / (double) count;
    }
    bytes = exp(logs);
    status = learn_judge(l->room, count, l->options, &j);
    if (status != ATH_OK)
        return status;
    if (shared && j.verdict == ATH_ADVISED)
        j.verdict = ATH_SHARED;
    tell(l, &members[0].class, count, &j, bytes);
    if (j.verdict != ATH_ADVISED || l->advice->count == ATM_ADVICE_RULES)
        return ATH_OK;
    return add_rule(&members[0].class, &j, bytes, members[count - 1].sample->when,
                    l->options->control, l->advice);
}

/* Whether a rule for this class would be one for the class before it. */
static bool is_shared(const member *members, size_t from)
{
    learn_class class = members[from].class;

    class.independent = false;
    return from > 0 && members[from].class.independent &&
           learn_class_compare(&class, &members[from - 1].class) == 0;
}

static ath_status learn_all(const learning *l, const member *members, size_t count)
{
    ath_status status = ATH_OK;

    for (size_t from = 0, to; status == ATH_OK && from < count; from = to) {
        for (to = from + 1; to < count; to++)
            if (learn_class_compare(&members[from].class, &members[to].class) != 0)
                break;
        status = learn_class_members(l, members + from, to - from, is_shared(members, from));
    }
    return status;
}

ath_status ath_learn(const ath_samples *samples, const ath_learn_options *options,
                     ath_class_told told, void *context, atm_advice **advice_p)
{
    atm_advice *advice = calloc(1, sizeof(*advice));
    member *members = calloc(samples->count + 1, sizeof(*members));
    const ath_sample **room = calloc(samples->count + 1, sizeof(*room));
    ath_status status = ATH_NO_MEMORY;

    if (advice != NULL) {
        advice->source = strdup("history");
        advice->rules = calloc(ATM_ADVICE_RULES, sizeof(*advice->rules));
    }
    if (advice != NULL && advice->source != NULL && advice->rules != NULL && members != NULL &&
        room != NULL) {
        group(samples, members);
        status =
            learn_all(&(learning){options, told, context, room, advice}, members, samples->count);
    }
    free(members);
    free(room);
    if (status == ATH_OK)
        *advice_p = advice;
    else
        atm_advice_destroy(advice);
    return status;
}
