/* Advice files: read, written, and which rule holds. */

#include "advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "glob.h"
#include "random.h"
#include "formats/formats.h"

#define CONTROL_MAX 0.5
#define SECONDS_MAX 1e9
#define RUNS_MAX INT64_C(1000000000000)

static const char *const keys[] = {"format", "version", "rules", NULL};
static const char *const rule_keys[] = {"match", "set", "control", "evidence", NULL};
static const char *const match_keys[] = {"program", "user",  "file", "operation",
                                         "ranks",   "bytes", NULL};
static const char *const evidence_keys[] = {"source",          "runs", "seconds", "interval",
                                            "default_seconds", "when", NULL};
static const char *const sources[] = {"history", "search", "hand", "model"};
static const char *const operations[] = {"read", "write"};

enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

/* --- reading */

static atm_status read_pattern(const atm_value *match, const char *key, atm_message *message,
                               char **pattern_p)
{
    const char *text = NULL;
    atm_status status = atm_opt_string(match, key, message, &text);

    if (status != ATM_OK || text == NULL)
        return status;
    if (text[0] == '\0')
        return atm_complain(match, key, message, "must not be empty");
    if (strlen(text) >= ATM_ADVICE_PATTERN)
        return atm_complain(match, key, message, "is longer than %d bytes", ATM_ADVICE_PATTERN - 1);
    *pattern_p = strdup(text);
    return *pattern_p != NULL ? ATM_OK : ATM_NO_MEMORY;
}

static atm_status read_range(const atm_value *match, const char *key, atm_message *message,
                             uint64_t range_p[2])
{
    const atm_value *array;
    int64_t from, to;
    atm_status status;

    range_p[0] = 0;
    range_p[1] = UINT64_MAX;
    if (atm_value_find(match, key) == NULL)
        return ATM_OK;
    status = atm_get_array(match, key, 2, 2, message, &array);
    if (status == ATM_OK)
        status =
            atm_get_integer(atm_value_item(array, 0), NULL, 0, ATM_MAX_INTEGER, message, &from);
    if (status == ATM_OK)
        status =
            atm_get_integer(atm_value_item(array, 1), NULL, from, ATM_MAX_INTEGER, message, &to);
    if (status == ATM_OK) {
        range_p[0] = (uint64_t) from;
        range_p[1] = (uint64_t) to;
    }
    return status;
}

static atm_status read_match(const atm_value *value, atm_message *message, atm_rule *rule)
{
    const atm_value *match;
    size_t operation = 0;
    atm_status status = atm_get_object(value, "match", message, &match);

    if (status == ATM_OK)
        status = atm_check_keys(match, match_keys, message);
    if (status == ATM_OK)
        status = read_pattern(match, "program", message, &rule->program);
    if (status == ATM_OK)
        status = read_pattern(match, "user", message, &rule->user);
    if (status == ATM_OK)
        status = read_pattern(match, "file", message, &rule->file);
    if (status == ATM_OK)
        status = atm_opt_choice(match, "operation", operations, 2, message, &operation);
    if (status == ATM_OK && atm_value_find(match, "operation") != NULL)
        rule->operation = operation == 0 ? ATM_READS : ATM_WRITES;
    if (status == ATM_OK)
        status = read_range(match, "ranks", message, rule->ranks);
    if (status == ATM_OK)
        status = read_range(match, "bytes", message, rule->bytes);
    if (status == ATM_OK && rule->program == NULL && rule->file == NULL && rule->user == NULL)
        status = atm_complain(match, NULL, message, "needs a program, a user or a file");
    return status;
}

static atm_status read_times(const atm_value *value, atm_message *message, atm_evidence *evidence)
{
    const atm_value *array;
    atm_status status =
        atm_opt_number(value, "seconds", 0, SECONDS_MAX, message, &evidence->seconds);

    if (status == ATM_OK)
        status = atm_opt_number(value, "default_seconds", 0, SECONDS_MAX, message,
                                &evidence->default_seconds);
    if (status != ATM_OK || atm_value_find(value, "interval") == NULL)
        return status;
    status = atm_get_array(value, "interval", 2, 2, message, &array);
    if (status == ATM_OK)
        status = atm_get_number(atm_value_item(array, 0), NULL, 0, SECONDS_MAX, message,
                                &evidence->interval[0]);
    if (status == ATM_OK)
        status = atm_get_number(atm_value_item(array, 1), NULL, evidence->interval[0], SECONDS_MAX,
                                message, &evidence->interval[1]);
    return status;
}

static atm_status read_evidence(const atm_value *rule_value, atm_message *message,
                                atm_evidence *evidence)
{
    const atm_value *value;
    const char *when = "";
    size_t source = ATM_BY_HAND;
    atm_status status;

    evidence->source = ATM_BY_HAND;
    if (atm_value_find(rule_value, "evidence") == NULL)
        return ATM_OK;
    status = atm_get_object(rule_value, "evidence", message, &value);
    if (status == ATM_OK)
        status = atm_check_keys(value, evidence_keys, message);
    if (status == ATM_OK)
        status = atm_opt_choice(value, "source", sources, SOURCES, message, &source);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "runs", 0, RUNS_MAX, message, &evidence->runs);
    if (status == ATM_OK)
        status = read_times(value, message, evidence);
    if (status == ATM_OK)
        status = atm_opt_string(value, "when", message, &when);
    if (status == ATM_OK && strlen(when) >= ATM_ADVICE_TIME)
        status = atm_complain(value, "when", message, "must be a time as 2026-01-31T23:59:59Z");
    if (status != ATM_OK)
        return status;
    evidence->source = (atm_evidence_source) source;
    strcpy(evidence->when, when);
    return ATM_OK;
}

static atm_status read_rule(const atm_value *value, atm_message *message, atm_rule *rule)
{
    const atm_value *set;
    atm_status status = atm_check_keys(value, rule_keys, message);

    if (status == ATM_OK)
        status = read_match(value, message, rule);
    if (status == ATM_OK)
        status = atm_get_object(value, "set", message, &set);
    if (status == ATM_OK)
        status = atm_settings_read(set, message, &rule->set);
    if (status == ATM_OK)
        status = atm_opt_number(value, "control", 0, CONTROL_MAX, message, &rule->control);
    return status == ATM_OK ? read_evidence(value, message, &rule->evidence) : status;
}

static atm_status read_root(const atm_value *root, atm_message *message, void *made)
{
    atm_advice *advice = made;
    const atm_value *array;
    int version;
    atm_status status =
        atm_check_format(root, ATM_ADVICE_FORMAT, ATM_ADVICE_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_check_keys(root, keys, message);
    if (status == ATM_OK)
        status = atm_get_array(root, "rules", 0, ATM_ADVICE_RULES, message, &array);
    if (status != ATM_OK)
        return status;
    advice->rules = calloc(atm_value_length(array) + 1, sizeof(*advice->rules));
    if (advice->rules == NULL)
        return ATM_NO_MEMORY;
    advice->count = (int) atm_value_length(array);
    for (int i = 0; i < advice->count && status == ATM_OK; i++)
        status = read_rule(atm_value_item(array, (size_t) i), message, &advice->rules[i]);
    return status;
}

static void destroy(void *made)
{
    atm_advice_destroy(made);
}

static const atm_document document = {sizeof(atm_advice), offsetof(atm_advice, source), read_root,
                                      destroy};

atm_status atm_advice_load(const char *path, atm_message *message, atm_advice **advice_p)
{
    return atm_document_load(&document, path, message, advice_p);
}

atm_status atm_advice_parse(const char *text, size_t length, const char *name, atm_message *message,
                            atm_advice **advice_p)
{
    return atm_document_parse(&document, text, length, name, message, advice_p);
}

static bool copy_text(const char *from, char **to)
{
    *to = from != NULL ? strdup(from) : NULL;
    return from == NULL || *to != NULL;
}

bool atm_rule_copy(const atm_rule *from, atm_rule *to)
{
    bool copied;

    *to = *from;
    to->program = to->user = to->file = NULL;
    copied = copy_text(from->program, &to->program);
    copied = copy_text(from->user, &to->user) && copied;
    return copy_text(from->file, &to->file) && copied;
}

void atm_advice_destroy(atm_advice *advice)
{
    if (advice == NULL)
        return;
    for (int i = 0; i < advice->count; i++) {
        free(advice->rules[i].program);
        free(advice->rules[i].user);
        free(advice->rules[i].file);
    }
    free(advice->rules);
    free(advice->source);
    free(advice);
}

/* --- writing */

static void write_range(atm_value *object, const char *key, const uint64_t range[2])
{
    atm_value *array;

    if (range[0] == 0 && range[1] == UINT64_MAX)
        return;
    array = atm_put_array(object, key);
    for (int i = 0; i < 2; i++)
        atm_put_integer(array, NULL,
                        range[i] < (uint64_t) ATM_MAX_INTEGER ? (int64_t) range[i]
                                                              : ATM_MAX_INTEGER);
}

static void write_match(const atm_rule *rule, atm_value *match)
{
    if (rule->program != NULL)
        atm_put_string(match, "program", rule->program);
    if (rule->user != NULL)
        atm_put_string(match, "user", rule->user);
    if (rule->file != NULL)
        atm_put_string(match, "file", rule->file);
    if (rule->operation != ATM_ANY_DIRECTION)
        atm_put_string(match, "operation", operations[rule->operation == ATM_WRITES]);
    write_range(match, "ranks", rule->ranks);
    write_range(match, "bytes", rule->bytes);
}

void atm_evidence_write(const atm_evidence *evidence, atm_value *object)
{
    atm_put_string(object, "source", sources[evidence->source]);
    if (evidence->runs == 0)
        return;
    atm_put_integer(object, "runs", evidence->runs);
    atm_put_number(object, "seconds", evidence->seconds);
    atm_put_numbers(object, "interval", evidence->interval, 2);
    atm_put_number(object, "default_seconds", evidence->default_seconds);
    if (evidence->when[0] != '\0')
        atm_put_string(object, "when", evidence->when);
}

atm_value *atm_advice_value(const atm_advice *advice)
{
    atm_value *root = atm_value_object(), *rules;

    atm_put_string(root, "format", ATM_ADVICE_FORMAT);
    atm_put_integer(root, "version", ATM_ADVICE_VERSION);
    rules = atm_put_array(root, "rules");
    for (int i = 0; i < advice->count; i++) {
        const atm_rule *rule = &advice->rules[i];
        atm_value *object = atm_put_object(rules, NULL);

        write_match(rule, atm_put_object(object, "match"));
        atm_settings_write(&rule->set, atm_put_object(object, "set"));
        if (rule->control > 0)
            atm_put_number(object, "control", rule->control);
        atm_evidence_write(&rule->evidence, atm_put_object(object, "evidence"));
    }
    return root;
}

/* --- which rule holds */

static bool in_range(const uint64_t range[2], uint64_t number)
{
    return number >= range[0] && number <= range[1];
}

static bool is_like(const char *pattern, const char *text)
{
    return pattern == NULL || atm_glob_match(pattern, text);
}

/* What is compared quickest comes first. */
static bool matches(const atm_rule *rule, const atm_occasion *occasion)
{
    atm_direction direction = occasion->write ? ATM_WRITES : ATM_READS;

    return (rule->operation == ATM_ANY_DIRECTION || rule->operation == direction) &&
           in_range(rule->ranks, (uint64_t) occasion->ranks) &&
           in_range(rule->bytes, occasion->bytes) && is_like(rule->user, occasion->user) &&
           is_like(rule->program, occasion->program) && is_like(rule->file, occasion->file);
}

/* Does it say anything about MPI-IO, and not of HDF5 alone? */
static bool is_for_calls(const atm_rule *rule)
{
    return memchr(rule->set.has, true, ATM_SET_HDF5_ALIGNMENT) != NULL;
}

static bool is_for_files(const atm_rule *rule)
{
    return rule->bytes[0] == 0 && rule->bytes[1] == UINT64_MAX;
}

static int first_match(const atm_advice *advice, const atm_occasion *occasion, bool of_file)
{
    for (int i = 0; i < advice->count; i++) {
        const atm_rule *rule = &advice->rules[i];

        if (!(of_file ? is_for_files(rule) : is_for_calls(rule)))
            continue;
        if (matches(rule, occasion))
            return occasion->draw < rule->control ? -1 : i;
    }
    return -1;
}

int atm_advice_match(const atm_advice *advice, const atm_occasion *occasion)
{
    return first_match(advice, occasion, false);
}

int atm_advice_match_file(const atm_advice *advice, const atm_occasion *occasion)
{
    return first_match(advice, occasion, true);
}

double atm_advice_draw(const char *job)
{
    uint64_t seed = atm_fnv_text(ATM_FNV_BEGIN, job);

    return (double) (atm_random(&seed) >> 11) * 0x1p-53;
}
