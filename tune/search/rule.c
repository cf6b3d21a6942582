/* The winner as a rule of advice. */

#include "rule.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "advice/glob.h"

/* --- for whom */

static const char *text_of(const atm_value *facts, const char *key)
{
    const char *text = NULL;

    return facts != NULL && atm_value_find(facts, key) != NULL &&
                   atm_get_string(facts, key, NULL, &text) == ATM_OK
               ? text
               : NULL;
}

static int64_t number_of(const atm_value *facts, const char *key)
{
    int64_t number = 0;

    if (facts != NULL)
        atm_opt_integer(facts, key, 0, ATM_MAX_INTEGER, NULL, &number);
    return number;
}

/* A pattern that matches the text as it is; free it. */
static char *exactly(const char *text)
{
    char pattern[ATM_ADVICE_PATTERN];

    return text != NULL && text[0] != '\0' && atm_glob_of(text, false, sizeof(pattern), pattern)
               ? strdup(pattern)
               : NULL;
}

/* "*" and what all names have behind the last slash, with any digits in it; NULL if they differ in
 * more than that. */
static char *pattern_of_files(const atm_value *facts)
{
    const atm_value *files = facts != NULL ? atm_value_find(facts, "files") : NULL;
    char first[ATM_ADVICE_PATTERN] = "", other[ATM_ADVICE_PATTERN];

    for (size_t i = 0; i < atm_value_length(files); i++) {
        const char *name, *slash;
        char *pattern = i == 0 ? first : other;

        if (atm_get_string(atm_value_item(files, i), NULL, NULL, &name) != ATM_OK)
            return NULL;
        slash = strrchr(name, '/');
        pattern[0] = '*';
        if (!atm_glob_of(slash != NULL ? slash : name, true, ATM_ADVICE_PATTERN - 1,
                         pattern + (slash != NULL)) ||
            strcmp(first, pattern) != 0)
            return NULL;
    }
    return first[0] != '\0' ? strdup(first) : NULL;
}

void ats_rule_ranks(atm_rule *rule, int64_t ranks)
{
    rule->ranks[0] = UINT64_C(1) << ilogb((double) ranks);
    rule->ranks[1] = 2 * rule->ranks[0] - 1;
}

static void set_match(const atm_value *facts, const ats_whom *whom, atm_rule *rule)
{
    int64_t ranks = number_of(facts, "ranks"), reads = number_of(facts, "reads"),
            writes = number_of(facts, "writes");

    rule->program =
        whom->program != NULL ? strdup(whom->program) : exactly(text_of(facts, "program"));
    rule->user = exactly(text_of(facts, "user"));
    rule->file = whom->file != NULL ? strdup(whom->file) : pattern_of_files(facts);
    rule->ranks[1] = rule->bytes[1] = UINT64_MAX;
    if (ranks > 0)
        ats_rule_ranks(rule, ranks);
    if ((reads > 0) != (writes > 0))
        rule->operation = reads > 0 ? ATM_READS : ATM_WRITES;
}

static void set_evidence(const ats_verdict *verdict, int64_t calls, atm_evidence *evidence)
{
    double share = calls > 0 ? 1.0 / (double) calls : 1;
    time_t now = time(NULL);
    struct tm parts;

    *evidence =
        (atm_evidence){.source = ATM_BY_SEARCH,
                       .runs = verdict->runs,
                       .seconds = verdict->seconds * share,
                       .interval = {verdict->interval[0] * share, verdict->interval[1] * share},
                       .default_seconds = verdict->default_seconds * share};
    gmtime_r(&now, &parts);
    strftime(evidence->when, sizeof(evidence->when), "%Y-%m-%dT%H:%M:%SZ", &parts);
}

atm_advice *ats_rule_alone(const char *source)
{
    atm_advice *advice = calloc(1, sizeof(*advice));

    if (advice == NULL)
        return NULL;
    advice->source = strdup(source);
    advice->rules = calloc(1, sizeof(*advice->rules));
    advice->count = 1;
    if (advice->source != NULL && advice->rules != NULL)
        return advice;
    advice->count = 0;
    atm_advice_destroy(advice);
    return NULL;
}

atm_status ats_rule(const ats_space *space, const ats_point *winner, const ats_verdict *verdict,
                    const atm_value *facts, int64_t calls, const ats_whom *whom,
                    atm_message *message, atm_advice **advice_p)
{
    atm_advice *advice = ats_rule_alone("search");
    atm_rule *rule;

    if (advice == NULL)
        return ATM_NO_MEMORY;
    rule = &advice->rules[0];
    set_match(facts, whom, rule);
    if (rule->program == NULL && rule->file == NULL) {
        atm_advice_destroy(advice);
        snprintf(message->text, sizeof(message->text),
                 "no record tells the program: name it (--program), or its files (--match)");
        return ATM_BAD_ARGUMENT;
    }
    rule->set = ats_point_settings(space, winner);
    set_evidence(verdict, calls, &rule->evidence);
    *advice_p = advice;
    return ATM_OK;
}

/* --- rules of others */

static bool same_text(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static bool same_match(const atm_rule *one, const atm_rule *other)
{
    return same_text(one->program, other->program) && same_text(one->user, other->user) &&
           same_text(one->file, other->file) && one->operation == other->operation &&
           memcmp(one->ranks, other->ranks, sizeof(one->ranks)) == 0 &&
           memcmp(one->bytes, other->bytes, sizeof(one->bytes)) == 0;
}

static bool same_settings(const atm_settings *one, const atm_settings *other)
{
    return memcmp(one->has, other->has, sizeof(one->has)) == 0 &&
           memcmp(one->values, other->values, sizeof(one->values)) == 0 &&
           one->threshold == other->threshold &&
           memcmp(one->chunk, other->chunk, sizeof(one->chunk)) == 0;
}

/* True if a rule of advice replaces the old one: a newer one of a search or of the model, or the
 * same. */
static bool is_replaced(const atm_rule *old, const atm_advice *advice)
{
    for (int i = 0; i < advice->count; i++) {
        const atm_rule *rule = &advice->rules[i];

        if (same_match(old, rule) && old->evidence.source == rule->evidence.source &&
            (old->evidence.source == ATM_BY_SEARCH || old->evidence.source == ATM_BY_MODEL ||
             same_settings(&old->set, &rule->set)))
            return true;
    }
    return false;
}

atm_status ats_rule_keep(atm_advice *advice, const atm_advice *earlier, atm_message *message)
{
    size_t room = (size_t) advice->count + (size_t) earlier->count;
    atm_rule *rules = realloc(advice->rules, room * sizeof(*rules));

    if (rules == NULL)
        return ATM_NO_MEMORY;
    advice->rules = rules;
    for (int i = 0; i < earlier->count; i++) {
        if (is_replaced(&earlier->rules[i], advice))
            continue;
        if (advice->count == ATM_ADVICE_RULES) {
            snprintf(message->text, sizeof(message->text), "%.160s: has too many rules",
                     earlier->source);
            return ATM_BAD_FILE;
        }
        if (!atm_rule_copy(&earlier->rules[i], &rules[advice->count++]))
            return ATM_NO_MEMORY;
    }
    return ATM_OK;
}

atm_status ats_rule_keep_file(atm_advice *advice, const char *path, bool must, atm_message *message)
{
    atm_advice *earlier = NULL;
    atm_status status;

    if (!must && access(path, F_OK) != 0)
        return ATM_OK;
    status = atm_advice_load(path, message, &earlier);
    if (status == ATM_OK)
        status = ats_rule_keep(advice, earlier, message);
    atm_advice_destroy(earlier);
    return status;
}

atm_status ats_rule_write(const atm_advice *advice, const char *path, atm_message *message)
{
    atm_value *root = atm_advice_value(advice);
    atm_status status = atm_value_write(root, path, message);

    atm_value_destroy(root);
    return status;
}
