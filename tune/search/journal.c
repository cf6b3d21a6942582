/* The journal of a search: opened, locked, found in. */

#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "journal_inside.h"
#include "formats/formats.h"

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

uint64_t ats_process_since(pid_t pid)
{
    char path[64], text[1024];
    unsigned long long since = 0;
    const char *at;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long) pid);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    /* the name, in parentheses, may have any bytes; the state of a zombie is Z */
    at = strrchr(text, ')');
    if (at == NULL || at[1] == '\0' || at[2] == 'Z' || at[2] == 'X' ||
        sscanf(at + 2,
               "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %llu",
               &since) != 1)
        return 0;
    return since;
}

/* --- one search at a time */

enum { LOCK_TRIES = 200 }; /* ten seconds: a supervisor may hold it for a moment after a fork */

static atm_status take_lock(ats_journal *journal, atm_message *message)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s.lock", journal->path);
    journal->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (journal->lock < 0)
        return journal_fail(path, message);
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(journal->lock, LOCK_EX | LOCK_NB) == 0)
            return ATM_OK;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return ATM_OK; /* a file system without locks */
        pause_briefly();
    }
    snprintf(message->text, sizeof(message->text), "%.180s: another search is at it",
             journal->path);
    return ATM_NO_ACCESS;
}

/* --- runs of a search that was killed */

static bool is_under_way(const ats_entry *entry)
{
    return !entry->ended && entry->pid > 0 && entry->since > 0 &&
           ats_process_since(entry->pid) == entry->since;
}

static atm_status wait_for_runs(ats_journal *journal, atm_message *message)
{
    atm_status status = ATM_OK;
    bool told = false;

    for (int i = 0; i < journal->count && status == ATM_OK; i++) {
        while (is_under_way(&journal->entries[i])) {
            if (!told)
                fprintf(stderr, "waiting for a run that is still under way (process %ld)\n",
                        (long) journal->entries[i].pid);
            told = true;
            pause_briefly();
        }
        status = ats_journal_read(journal, message);
    }
    return status;
}

/* --- opening */

static atm_status begin(ats_journal *journal, const atm_value *search, atm_message *message)
{
    atm_value *header = atm_value_object();
    char when[32];
    time_t now = time(NULL);
    struct tm parts;
    atm_status status;

    gmtime_r(&now, &parts);
    strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &parts);
    atm_put_string(header, "format", ATS_JOURNAL_FORMAT);
    atm_put_integer(header, "version", ATS_JOURNAL_VERSION);
    atm_put_string(header, "when", when);
    atm_put_copy(header, "search", search);
    status = ats_journal_append(journal, header, message);
    atm_value_destroy(header);
    return status;
}

static ats_journal *allocate(const char *path, const ats_space *space)
{
    ats_journal *journal = calloc(1, sizeof(*journal));

    if (journal == NULL)
        return NULL;
    journal->path = strdup(path);
    journal->space = space;
    journal->lock = -1;
    if (journal->path == NULL) {
        free(journal);
        return NULL;
    }
    return journal;
}

atm_status ats_journal_open(const char *path, const ats_space *space, const atm_value *search,
                            atm_message *message, ats_journal **journal_p)
{
    ats_journal *journal = allocate(path, space);
    bool empty = true;
    atm_status status;

    if (journal == NULL)
        return ATM_NO_MEMORY;
    status = take_lock(journal, message);
    if (status == ATM_OK)
        status = journal_repair(journal, &empty, message);
    if (status == ATM_OK && empty)
        status = begin(journal, search, message);
    if (status == ATM_OK)
        status = journal_check_header(journal, search, message);
    if (status == ATM_OK)
        status = ats_journal_read(journal, message);
    if (status == ATM_OK)
        status = wait_for_runs(journal, message);
    if (status == ATM_OK)
        *journal_p = journal;
    else
        ats_journal_close(journal);
    return status;
}

void ats_journal_close(ats_journal *journal)
{
    if (journal == NULL)
        return;
    for (int i = 0; i < journal->count; i++)
        atm_value_destroy(journal->entries[i].facts);
    free(journal->entries);
    if (journal->lock >= 0)
        close(journal->lock);
    free(journal->path);
    free(journal);
}

/* --- finding */

static bool is_same(const ats_trial *one, const ats_trial *other)
{
    return one->kind == other->kind && one->number == other->number &&
           ats_point_equal(&one->point, &other->point);
}

const ats_entry *ats_journal_find(const ats_journal *journal, const ats_trial *trial)
{
    for (int i = 0; i < journal->count; i++)
        if (journal->entries[i].ended && is_same(&journal->entries[i].trial, trial))
            return &journal->entries[i];
    return NULL;
}

atm_status ats_journal_check(const ats_journal *journal, const ats_trial *trial,
                             atm_message *message)
{
    for (int i = 0; trial->kind == ATS_EXPLORE && i < journal->count; i++) {
        const ats_entry *entry = &journal->entries[i];

        if (entry->trial.kind == ATS_EXPLORE && entry->trial.number == trial->number &&
            !ats_point_equal(&entry->trial.point, &trial->point)) {
            snprintf(
                message->text, sizeof(message->text),
                "%.120s: run %d was of other settings than would be tried now (was the profile "
                "changed?): name another folder (--output)",
                journal->path, trial->number);
            return ATM_BAD_FILE;
        }
    }
    return ATM_OK;
}
