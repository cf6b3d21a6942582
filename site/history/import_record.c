/* Records of the driver into a history. */

#include "import_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/records.h"
#include "files/user.h"
#include "trial.h"

enum { IDENTITY = 33 };

typedef struct importing {
    ath_database *database;
    import_room *room;
    atm_message *message;
    const char *path;
    const char *program, *user; /* where a record does not say it, */
    bool believed;              /* or where what it says of the user is not believed */
    char owner[256];            /* of the file; "": nobody */
    ath_imported *sum;
} importing;

/* FNV-1a of 128 bits.  The line alone: a file of records that was renamed or copied is the same
 * records again, and a line has the host, the process, and times to the nanosecond. */
static void identity_of(const char *line, size_t length, char identity_p[IDENTITY])
{
    __extension__ typedef unsigned __int128 wide;
    const wide prime = ((wide) 1 << 88) + 0x13b;
    wide hash = ((wide) UINT64_C(0x6c62272e07bb0142) << 64) + UINT64_C(0x62b821756295c58d);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char) line[i]) * prime;
    snprintf(identity_p, IDENTITY, "%016llx%016llx", (unsigned long long) (hash >> 64),
             (unsigned long long) hash);
}

/* --- rows */

static ath_status store_trial(const importing *in, int64_t record, const ath_trial *trial)
{
    atm_value *object = atm_value_object();
    char *settings = NULL;
    size_t length;
    ath_status status;

    atm_settings_write(&trial->settings, object);
    status = ath_status_of(atm_value_print_line(object, &settings, &length));
    atm_value_destroy(object);
    if (status == ATH_OK) {
        ath_cell cells[] = {
            ath_integer(record),      ath_integer(trial->write),  ath_integer(trial->origin),
            ath_text(settings),       ath_integer(trial->calls),  ath_real(trial->bytes),
            ath_real(trial->seconds), ath_real(trial->predicted), ath_integer(trial->independent)};

        settings[length - 1] = '\0';
        status = ath_run(in->database,
                         "INSERT INTO trial (record, writes, origin, settings, calls, bytes, "
                         "seconds, predicted, independent) "
                         "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                         cells, 9, in->message);
    }
    free(settings);
    in->sum->trials += status == ATH_OK;
    return status;
}

/* Nothing of it controls a terminal: texts of records may be any bytes. */
typedef struct clean_texts {
    char *file, *program, *user, *host, *job, *wrapped, *status;
} clean_texts;

static char *clean(const char *text)
{
    return ath_clean(text, strlen(text));
}

static bool clean_all(const importing *in, const atm_record *record, clean_texts *texts_p)
{
    *texts_p = (clean_texts){
        .file = import_path(NULL, record->file, strlen(record->file)),
        .program = clean(record->program[0] != '\0' ? record->program : in->program),
        .user = clean(in->believed && record->user[0] != '\0' ? record->user : in->user),
        .host = clean(record->host),
        .job = clean(record->job),
        .wrapped = clean(record->wrapped),
        .status = clean(record->status),
    };
    return texts_p->file != NULL && texts_p->program != NULL && texts_p->user != NULL &&
           texts_p->host != NULL && texts_p->job != NULL && texts_p->wrapped != NULL &&
           texts_p->status != NULL;
}

static void free_all(clean_texts *texts)
{
    free(texts->file);
    free(texts->program);
    free(texts->user);
    free(texts->host);
    free(texts->job);
    free(texts->wrapped);
    free(texts->status);
}

static ath_status store_texts(const importing *in, const atm_record *record, const char *identity,
                              const char *line, const clean_texts *texts)
{
    int64_t file;
    ath_status status = import_file(in->database, texts->file, in->message, &file);

    if (status == ATH_OK) {
        ath_cell cells[] = {ath_text(identity),         ath_integer(file),
                            ath_text(texts->program),   ath_text(texts->user),
                            ath_text(texts->host),      ath_integer(record->pid),
                            ath_text(texts->job),       ath_text(texts->wrapped),
                            ath_text(texts->status),    ath_integer(record->ranks),
                            ath_integer(record->nodes), ath_real((double) record->started),
                            ath_real(record->seconds),  ath_text(line)};

        status = ath_run(in->database,
                         "INSERT INTO record (identity, file, program, username, host, pid, job, "
                         "wrapped, status, ranks, nodes, started, seconds, line) VALUES "
                         "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
                         cells, 14, in->message);
    }
    return status;
}

static ath_status store(const importing *in, const atm_record *record, const char *identity,
                        const char *line)
{
    ath_cell cell = ath_text(identity);
    clean_texts texts;
    int64_t id = 0;
    ath_status status = clean_all(in, record, &texts)
                            ? store_texts(in, record, identity, line, &texts)
                            : ATH_NO_MEMORY;

    free_all(&texts);
    if (status == ATH_OK)
        status = ath_query_integer(in->database, "SELECT id FROM record WHERE identity = $1", &cell,
                                   1, in->message, &id);
    for (int write = 0; status == ATH_OK && write < 2; write++) {
        ath_trial trial;

        if (ath_trial_of(record, write, &trial))
            status = store_trial(in, id, &trial);
    }
    in->sum->records += status == ATH_OK;
    return status;
}

static ath_status import_line(const importing *in, const records *lines, const atm_record *record)
{
    char identity[IDENTITY] = "";
    ath_cell cell = ath_text(identity);
    int64_t known = 0;
    char *line;
    ath_status status;

    identity_of(lines->text, lines->length, identity);
    status = ath_query_integer(in->database, "SELECT id FROM record WHERE identity = $1", &cell, 1,
                               in->message, &known);
    if (status != ATH_OK || known != 0) {
        in->sum->known += status == ATH_OK;
        return status;
    }
    status = import_room_take(in->room, in->path, lines->length, in->message);
    if (status != ATH_OK)
        return status;
    line = strndup(lines->text, lines->length);
    status = line != NULL ? store(in, record, identity, line) : ATH_NO_MEMORY;
    free(line);
    return status;
}

/* --- files */

static ath_status import_lines(const importing *in, records *lines)
{
    ath_status status = ATH_OK;

    while (status == ATH_OK) {
        atm_record *record = NULL;

        status = ath_status_of(records_next(lines, in->message, &record));
        if (status == ATH_OK && record == NULL)
            break;
        if (status == ATH_OK)
            status = import_line(in, lines, record);
        free(record);
    }
    return status;
}

/* Believes what a record says of its user only if the file belongs to whoever runs this; otherwise
 * the file's owner counts. */
static void set_owner(const records *lines, importing *in)
{
    struct stat info;
    bool known = fstat(fileno(lines->file), &info) == 0 &&
                 atm_user_find(info.st_uid, sizeof(in->owner), in->owner);

    in->believed = known && info.st_uid == geteuid();
    if (in->user == NULL)
        in->user = in->owner;
}

ath_status ath_import_records(ath_database *database, const char *path,
                              const ath_import_limits *limits, const char *program,
                              const char *user, atm_message *message, ath_imported *sum)
{
    ath_imported added = *sum;
    import_room room;
    importing in = {.database = database,
                    .room = &room,
                    .message = message,
                    .path = path,
                    .program = program != NULL ? program : "",
                    .user = user,
                    .sum = &added};
    records *lines = records_open(path, message);
    ath_status status = lines != NULL ? ath_begin(database, message) : ATH_NO_ACCESS;

    if (lines != NULL)
        set_owner(lines, &in);
    if (status == ATH_OK) {
        status =
            import_room_of(database, limits != NULL ? limits : &ath_import_usual, message, &room);
        if (status == ATH_OK)
            status = import_lines(&in, lines);
        if (status == ATH_OK)
            status = ath_commit(database, message);
        else
            ath_rollback(database);
    }
    records_close(lines);
    if (status == ATH_OK)
        *sum = added;
    return status;
}
