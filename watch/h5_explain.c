/* What was set for a file, where the driver says what it decided: a line for people on stderr, or a
 * line of JSON. */

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/job.h"
#include "value/text_output.h"
#include "files/record.h"
#include "h5_tune.h"
#include "formats/formats.h"

uint32_t atw_h5_of_sets(void)
{
    return atw_h5_bit(ATM_SET_HDF5_CHUNK) | atw_h5_bit(ATM_SET_HDF5_CHUNK_BYTES) |
           atw_h5_bit(ATM_SET_HDF5_ALLOCATION) | atw_h5_bit(ATM_SET_HDF5_FILL);
}

/* --- for people */

typedef struct line {
    char text[4096 + 2048];
    size_t length;
} line;

__attribute__((format(printf, 2, 3))) static void say(line *l, const char *format, ...)
{
    size_t room = sizeof(l->text) - l->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(l->text + l->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        l->length += (size_t) length < room ? (size_t) length : room - 1;
}

static void say_value(line *l, const atm_settings *set, atm_setting setting)
{
    uint64_t value = set->values[setting];
    const char *word = atm_setting_word(setting, value);

    if (setting == ATM_SET_HDF5_ALIGNMENT)
        say(l, " %llu %llu", (unsigned long long) set->threshold, (unsigned long long) value);
    else if (setting == ATM_SET_HDF5_CHUNK)
        for (uint64_t i = 0; i < value && i < ATM_CHUNK_DIMENSIONS; i++)
            say(l, "%s%llu", i > 0 ? "x" : " ", (unsigned long long) set->chunk[i]);
    else if (word != NULL)
        say(l, " %s", word);
    else
        say(l, " %llu", (unsigned long long) value);
}

static void say_some(line *l, const char *what, const atm_settings *set, uint32_t bits, bool values)
{
    const char *between = what;

    for (int i = 0; i < ATM_SETTING_COUNT; i++) {
        if (!set->has[i] || !(bits & atw_h5_bit((atm_setting) i)))
            continue;
        say(l, "%s%s", between, atm_setting_name((atm_setting) i));
        if (values)
            say_value(l, set, (atm_setting) i);
        between = ", ";
    }
}

static void tell_people(const char *name, const atw_h5_rule *rule, const atw_h5_outcome *outcome,
                        const atw_h5_told *told)
{
    line l = {.length = 0};

    say(&l, "romio-autotune: %s, HDF5: %s of %s", name, told->rule, told->advice);
    say_some(&l, "; set: ", &rule->set, outcome->done, true);
    say_some(&l, "; for data sets: ", &rule->set, atw_h5_of_sets(), true);
    say_some(&l, "; the program's own: ", &rule->set, outcome->kept, false);
    say_some(&l, "; not possible: ", &rule->set, outcome->cannot, false);
    fprintf(stderr, "%s\n", l.text);
}

/* --- for programs */

static void put_set(atm_value *document, const char *key, const atm_settings *set, uint32_t bits)
{
    atm_settings some = *set;

    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        some.has[i] = set->has[i] && (bits & atw_h5_bit((atm_setting) i));
    atm_settings_write(&some, atm_put_object(document, key));
}

static void put_names(atm_value *document, const char *key, uint32_t bits)
{
    atm_value *names = atm_put_array(document, key);

    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (bits & atw_h5_bit((atm_setting) i))
            atm_put_string(names, NULL, atm_setting_name((atm_setting) i));
}

static atm_value *document_of(const char *name, const atw_h5_rule *rule,
                              const atw_h5_outcome *outcome, const atw_h5_told *told)
{
    atm_value *document = atm_value_object();

    atm_put_string(document, "format", HDF5_LISTS_FORMAT);
    atm_put_integer(document, "version", HDF5_LISTS_VERSION);
    atm_put_string(document, "file", name);
    atm_put_string(document, "advice", told->advice);
    atm_put_integer(document, "rule", rule->number);
    put_set(document, "set", &rule->set, outcome->done);
    put_set(document, "data_sets", &rule->set, atw_h5_of_sets());
    put_names(document, "kept", outcome->kept);
    put_names(document, "cannot", outcome->cannot);
    return document;
}

static atm_status append(const char *pattern, const char *text, size_t length, atm_message *message)
{
    char host[256] = "", path[PATH_MAX];
    atm_status status;

    if (strcmp(pattern, "stderr:json") == 0) {
        fputs(text, stderr);
        return ATM_OK;
    }
    gethostname(host, sizeof(host) - 1);
    status = atm_record_path(pattern, host, getpid(), atm_job_id(), message, sizeof(path), path);
    return status == ATM_OK ? atm_line_append(path, text, length, message) : status;
}

/* --- both */

void atw_h5_explain(const char *name, const atw_h5_rule *rule, const atw_h5_outcome *outcome,
                    const atw_h5_told *told)
{
    atm_message message = {""};
    atm_value *document;
    size_t length;
    char *text;

    if (told->where[0] == '\0')
        return;
    if (strcmp(told->where, "stderr") == 0) {
        tell_people(name, rule, outcome, told);
        return;
    }
    document = document_of(name, rule, outcome, told);
    if (atm_value_print_line(document, &text, &length) == ATM_OK) {
        if (append(told->where, text, length, &message) != ATM_OK)
            atw_h5_complain(message.text);
        free(text);
    }
    atm_value_destroy(document);
}
