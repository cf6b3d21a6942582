/* Lines of a journal: read. */

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal_inside.h"
#include "formats/formats.h"

static atm_status get_trial(const atm_value *line, const char *key, const ats_space *space,
                            atm_message *message, ats_trial *trial_p)
{
    static const char *kinds[ATS_KIND_COUNT];
    const atm_value *object, *point;
    ats_trial trial = {.number = 0};
    int64_t number;
    size_t kind;
    atm_status status = atm_get_object(line, key, message, &object);

    for (int i = 0; i < ATS_KIND_COUNT; i++)
        kinds[i] = ats_kind_name((ats_kind) i);
    if (status == ATM_OK)
        status = atm_get_choice(object, "kind", kinds, ATS_KIND_COUNT, message, &kind);
    if (status == ATM_OK)
        status = atm_get_integer(object, "number", 0, INT_MAX, message, &number);
    if (status == ATM_OK)
        status = atm_get_array(object, "point", (size_t) space->count, (size_t) space->count,
                               message, &point);
    for (int i = 0; i < space->count && status == ATM_OK; i++) {
        int64_t choice;

        status = atm_get_integer(atm_value_item(point, (size_t) i), NULL, 0,
                                 space->parameters[i].count, message, &choice);
        if (status == ATM_OK)
            trial.point.choice[i] = (int) choice;
    }
    if (status != ATM_OK)
        return status;
    trial.kind = (ats_kind) kind;
    trial.number = (int) number;
    *trial_p = trial;
    return ATM_OK;
}

static atm_status get_start(const atm_value *line, const ats_space *space, atm_message *message,
                            ats_entry *entry)
{
    const char *host;
    char ours[256] = "";
    int64_t pid, since;
    atm_status status = get_trial(line, "start", space, message, &entry->trial);

    gethostname(ours, sizeof(ours) - 1);
    if (status == ATM_OK)
        status = atm_get_string(line, "host", message, &host);
    if (status == ATM_OK)
        status = atm_get_integer(line, "pid", 1, INT_MAX, message, &pid);
    if (status == ATM_OK)
        status = atm_get_integer(line, "since", 0, ATM_MAX_INTEGER, message, &since);
    if (status == ATM_OK) {
        entry->pid = strcmp(host, ours) == 0 ? (pid_t) pid : 0;
        entry->since = (uint64_t) since;
    }
    return status;
}

static atm_status get_facts(const atm_value *line, atm_value **facts_p)
{
    const atm_value *facts = atm_value_find(line, "facts");
    atm_value *copy;

    if (facts == NULL)
        return ATM_OK;
    copy = atm_value_object();
    atm_put_copy(copy, "facts", facts);
    if (atm_value_built(copy) != ATM_OK) {
        atm_value_destroy(copy);
        return ATM_NO_MEMORY;
    }
    *facts_p = copy;
    return ATM_OK;
}

static atm_status get_result(const atm_value *line, const ats_space *space, atm_message *message,
                             ats_entry *entry)
{
    static const char *ends[ATS_END_COUNT];
    ats_outcome *outcome = &entry->outcome;
    const char *why = "";
    size_t end;
    atm_status status = get_trial(line, "result", space, message, &entry->trial);

    for (int i = 0; i < ATS_END_COUNT; i++)
        ends[i] = ats_end_name((ats_end) i);
    if (status == ATM_OK)
        status = atm_get_choice(line, "end", ends, ATS_END_COUNT, message, &end);
    if (status == ATM_OK)
        status = atm_get_number(line, "value", 0, DBL_MAX, message, &outcome->value);
    if (status == ATM_OK)
        status = atm_get_number(line, "wall", 0, DBL_MAX, message, &outcome->wall);
    if (status == ATM_OK)
        status = atm_get_integer(line, "calls", 0, ATM_MAX_INTEGER, message, &outcome->calls);
    if (status == ATM_OK)
        status = atm_opt_string(line, "why", message, &why);
    if (status == ATM_OK)
        status = get_facts(line, &entry->facts);
    if (status != ATM_OK)
        return status;
    outcome->end = (ats_end) end;
    snprintf(outcome->why, ATS_WHY, "%s", why);
    entry->ended = true;
    return ATM_OK;
}

/* A result takes the place of its start. */
static atm_status keep(ats_journal *journal, ats_entry *entry)
{
    ats_entry *entries;

    for (int i = 0; i < journal->count; i++) {
        ats_entry *other = &journal->entries[i];

        if (!other->ended && other->trial.kind == entry->trial.kind &&
            other->trial.number == entry->trial.number &&
            ats_point_equal(&other->trial.point, &entry->trial.point)) {
            *other = *entry;
            return ATM_OK;
        }
    }
    if (journal->count == journal->room) {
        int room = 2 * journal->room + 64;

        entries = realloc(journal->entries, (size_t) room * sizeof(*entries));
        if (entries == NULL) {
            atm_value_destroy(entry->facts);
            return ATM_NO_MEMORY;
        }
        journal->entries = entries;
        journal->room = room;
    }
    journal->entries[journal->count++] = *entry;
    return ATM_OK;
}

static atm_status read_line(ats_journal *journal, const char *text, size_t length,
                            atm_message *message)
{
    char name[PATH_MAX];
    atm_value *line;
    ats_entry entry = {.ended = false};
    atm_status status;

    snprintf(name, sizeof(name), "%s:%ld", journal->path, ++journal->line);
    if (journal->line == 1)
        return ATM_OK; /* the header */
    status = atm_value_parse(text, length, name, message, &line);
    if (status != ATM_OK)
        return status;
    if (atm_value_find(line, "start") != NULL)
        status = get_start(line, journal->space, message, &entry);
    else
        status = get_result(line, journal->space, message, &entry);
    atm_value_destroy(line);
    return status == ATM_OK ? keep(journal, &entry) : status;
}

/* All of a file from an offset, whole; free it. */
static atm_status slurp(const ats_journal *journal, off_t from, atm_message *message, char **text_p,
                        size_t *length_p)
{
    int file = open(journal->path, O_RDONLY | O_CLOEXEC);
    struct stat facts;
    char *text = NULL;
    size_t length = 0, wanted;

    if (file < 0 || fstat(file, &facts) != 0) {
        if (file >= 0)
            close(file);
        return journal_fail(journal->path, message);
    }
    while (flock(file, LOCK_SH) != 0 && errno == EINTR)
        continue;
    fstat(file, &facts); /* as it is under the lock */
    wanted = facts.st_size > from ? (size_t) (facts.st_size - from) : 0;
    text = malloc(wanted + 1);
    while (text != NULL && length < wanted) {
        ssize_t got = pread(file, text + length, wanted - length, from + (off_t) length);

        if (got <= 0 && errno != EINTR)
            break;
        length += got > 0 ? (size_t) got : 0;
    }
    close(file);
    if (text == NULL)
        return ATM_NO_MEMORY;
    text[length] = '\0';
    *text_p = text;
    *length_p = length;
    return ATM_OK;
}

atm_status ats_journal_read(ats_journal *journal, atm_message *message)
{
    char *text, *at, *end;
    size_t length;
    atm_status status = slurp(journal, journal->read_to, message, &text, &length);

    if (status != ATM_OK)
        return status;
    for (at = text; status == ATM_OK; at = end + 1) {
        end = memchr(at, '\n', length - (size_t) (at - text));
        if (end == NULL)
            break;
        status = read_line(journal, at, (size_t) (end - at), message);
        journal->read_to += end + 1 - at;
    }
    free(text);
    return status;
}

atm_status journal_repair(const ats_journal *journal, bool *empty_p, atm_message *message)
{
    char *text, *end;
    size_t length;
    atm_status status;

    *empty_p = true;
    if (access(journal->path, F_OK) != 0)
        return ATM_OK;
    status = slurp(journal, 0, message, &text, &length);
    if (status != ATM_OK)
        return status;
    end = memrchr(text, '\n', length);
    *empty_p = end == NULL;
    length -= end != NULL ? (size_t) (end + 1 - text) : 0;
    if (length > 0 && truncate(journal->path, end != NULL ? end + 1 - text : 0) != 0)
        status = journal_fail(journal->path, message);
    free(text);
    return status;
}

/* --- the first line */

static bool is_same(const atm_value *one, const atm_value *other)
{
    char *text[2] = {NULL, NULL};
    size_t length[2];
    bool same = one != NULL && other != NULL &&
                atm_value_print_line(one, &text[0], &length[0]) == ATM_OK &&
                atm_value_print_line(other, &text[1], &length[1]) == ATM_OK &&
                strcmp(text[0], text[1]) == 0;

    free(text[0]);
    free(text[1]);
    return same;
}

atm_status journal_check_header(ats_journal *journal, const atm_value *search, atm_message *message)
{
    const atm_value *before;
    atm_value *header = NULL;
    char *text, *end;
    size_t length;
    int version;
    atm_status status = slurp(journal, 0, message, &text, &length);

    if (status != ATM_OK)
        return status;
    end = memchr(text, '\n', length);
    status = atm_value_parse(text, end != NULL ? (size_t) (end - text) : length, journal->path,
                             message, &header);
    free(text);
    if (status == ATM_OK)
        status =
            atm_check_format(header, ATS_JOURNAL_FORMAT, ATS_JOURNAL_VERSION, message, &version);
    if (status == ATM_OK)
        status = atm_get_object(header, "search", message, &before);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(search); i++) {
        const char *key = atm_value_key(atm_value_item(search, i));

        if (!is_same(atm_value_item(search, i), atm_value_find(before, key))) {
            snprintf(message->text, sizeof(message->text),
                     "%.120s: is of a search with another %s: give the same command, or another "
                     "folder (--output)",
                     journal->path, key);
            status = ATM_BAD_FILE;
        }
    }
    atm_value_destroy(header);
    return status;
}
