/* Lines of a journal: written by whoever has the file's lock. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/durable.h"
#include "journal_inside.h"

atm_status journal_fail(const char *path, atm_message *message)
{
    snprintf(message->text, sizeof(message->text), "%.180s: %s", path, strerror(errno));
    return ATM_NO_ACCESS;
}

atm_status ats_journal_append(const ats_journal *journal, const atm_value *line,
                              atm_message *message)
{
    int file = open(journal->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    char *text = NULL;
    size_t length;
    atm_status status = atm_value_print_line(line, &text, &length);

    if (file < 0) {
        free(text);
        return journal_fail(journal->path, message);
    }
    while (flock(file, LOCK_EX) != 0 && errno == EINTR)
        continue;
    if (status == ATM_OK && !durable_write(file, text, length))
        status = journal_fail(journal->path, message);
    close(file);
    free(text);
    if (journal->read_to == 0)
        durable_name(journal->path);
    return status;
}

static void put_trial(atm_value *line, const char *key, const ats_journal *journal,
                      const ats_trial *trial)
{
    atm_value *object = atm_put_object(line, key), *point;

    atm_put_string(object, "kind", ats_kind_name(trial->kind));
    atm_put_integer(object, "number", trial->number);
    point = atm_put_array(object, "point");
    for (int i = 0; i < journal->space->count; i++)
        atm_put_integer(point, NULL, trial->point.choice[i]);
}

atm_status ats_journal_start(const ats_journal *journal, const ats_trial *trial, pid_t pid,
                             atm_message *message)
{
    atm_value *line = atm_value_object();
    char host[256] = "";
    atm_status status;

    gethostname(host, sizeof(host) - 1);
    put_trial(line, "start", journal, trial);
    atm_put_string(line, "host", host);
    atm_put_integer(line, "pid", pid);
    atm_put_integer(line, "since", (int64_t) ats_process_since(pid));
    status = ats_journal_append(journal, line, message);
    atm_value_destroy(line);
    return status;
}

atm_status ats_journal_result(const ats_journal *journal, const ats_trial *trial,
                              const ats_outcome *outcome, const atm_value *facts,
                              atm_message *message)
{
    atm_value *line = atm_value_object();
    atm_settings settings = ats_point_settings(journal->space, &trial->point);
    atm_status status;

    put_trial(line, "result", journal, trial);
    atm_settings_write(&settings, atm_put_object(line, "set"));
    atm_put_string(line, "end", ats_end_name(outcome->end));
    atm_put_number(line, "value", outcome->value);
    atm_put_number(line, "wall", outcome->wall);
    atm_put_integer(line, "calls", outcome->calls);
    if (outcome->why[0] != '\0')
        atm_put_string(line, "why", outcome->why);
    if (facts != NULL)
        atm_put_copy(line, "facts", facts);
    status = ats_journal_append(journal, line, message);
    atm_value_destroy(line);
    return status;
}
