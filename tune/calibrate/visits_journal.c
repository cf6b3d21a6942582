#include "visits_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/durable.h"
#include "formats/formats.h"

enum { REPETITIONS_MOST = 100000 };

void journal_now(char text[JOURNAL_TIME])
{
    time_t now = time(NULL);
    struct tm parts;

    gmtime_r(&now, &parts);
    strftime(text, JOURNAL_TIME, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static atm_status fail(const char *path, atm_message *message)
{
    snprintf(message->text, sizeof(message->text), "%.180s: %s", path, strerror(errno));
    return ATM_NO_ACCESS;
}

static journal *allocate(const char *path, int file, atm_value *header)
{
    journal *made = calloc(1, sizeof(*made)); /* journal_close */

    if (made == NULL)
        return NULL;
    made->path = strdup(path);
    if (made->path == NULL) {
        free(made);
        return NULL;
    }
    made->file = file;
    made->header = header;
    return made;
}

atm_status journal_create(const char *path, atm_value *header, atm_message *message,
                          journal **journal_p)
{
    char *text;
    size_t length;
    int file;
    atm_status status = atm_value_print(header, &text, &length);

    if (status != ATM_OK)
        return status;
    for (size_t i = 0; i + 1 < length; i++) /* in strings it would be escaped */
        if (text[i] == '\n')
            text[i] = ' ';
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || !durable_write(file, text, length)) {
        status = fail(path, message);
    } else {
        durable_name(path);
        *journal_p = allocate(path, file, header);
        status = *journal_p != NULL ? ATM_OK : ATM_NO_MEMORY;
    }
    if (status != ATM_OK && file >= 0)
        close(file);
    free(text);
    return status;
}

static atm_status keep(journal *journal, const journal_visit *visit)
{
    size_t bytes = (size_t) visit->count * sizeof(*visit->seconds);
    double *seconds = malloc(bytes);

    if (seconds == NULL)
        return ATM_NO_MEMORY;
    if (journal->count == journal->room) {
        int room = 2 * journal->room + 64;
        journal_visit *visits = realloc(journal->visits, (size_t) room * sizeof(*visits));

        if (visits == NULL) {
            free(seconds);
            return ATM_NO_MEMORY;
        }
        journal->visits = visits;
        journal->room = room;
    }
    memcpy(seconds, visit->seconds, bytes);
    journal->visits[journal->count] = *visit;
    journal->visits[journal->count++].seconds = seconds;
    return ATM_OK;
}

/* As in the file, so that a run that was killed and continued gives the same. */
static double rounded(double seconds)
{
    char text[32];

    snprintf(text, sizeof(text), "%.6g", seconds);
    return strtod(text, NULL);
}

atm_status journal_append(journal *journal, const journal_visit *visit, atm_message *message)
{
    char *text = NULL;
    size_t length;
    FILE *line = open_memstream(&text, &length);
    atm_status status;

    if (line == NULL)
        return ATM_NO_MEMORY;
    fprintf(line, "{\"point\": %d, \"time\": \"%s\", \"elapsed\": %.9g, \"seconds\": [",
            visit->point, visit->time, visit->elapsed);
    for (int i = 0; i < visit->count; i++)
        fprintf(line, "%s%.6g", i > 0 ? ", " : "", visit->seconds[i]);
    fputs("]}\n", line);
    if (fclose(line) != 0)
        status = ATM_NO_MEMORY;
    else if (!durable_write(journal->file, text, length))
        status = fail(journal->path, message);
    else
        status = keep(journal, visit);
    for (int i = 0; status == ATM_OK && i < visit->count; i++)
        journal->visits[journal->count - 1].seconds[i] = rounded(visit->seconds[i]);
    free(text);
    return status;
}

void journal_close(journal *journal)
{
    if (journal == NULL)
        return;
    for (int i = 0; i < journal->count; i++)
        free(journal->visits[i].seconds);
    free(journal->visits);
    atm_value_destroy(journal->header);
    close(journal->file);
    free(journal->path);
    free(journal);
}

/* --- reading */

static atm_status check_header(const atm_value *header, const atm_value *plan, atm_message *message)
{
    static const char *const formats[] = {JOURNAL_FORMAT};
    const atm_value *theirs;
    size_t format;
    int64_t version;
    atm_status status = atm_get_choice(header, "format", formats, 1, message, &format);

    if (status == ATM_OK)
        status = atm_get_integer(header, "version", 1, JOURNAL_VERSION, message, &version);
    if (status == ATM_OK)
        status = atm_get_object(header, "plan", message, &theirs);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(plan); i++) {
        const atm_value *item = atm_value_item(plan, i);
        const char *key = atm_value_key(item), *mine, *other;

        atm_get_string(item, NULL, NULL, &mine);
        status = atm_get_string(theirs, key, message, &other);
        if (status == ATM_OK && strcmp(mine, other) != 0)
            status = atm_complain(theirs, key, message, "is %s there and %s here", other, mine);
    }
    return status;
}

static atm_status read_visit(const atm_value *line, int points, atm_message *message,
                             journal *journal)
{
    journal_visit visit = {.count = 0};
    int64_t point;
    const char *time;
    size_t length;
    atm_status status = atm_get_integer(line, "point", 0, points - 1, message, &point);

    if (status == ATM_OK)
        status = atm_get_string(line, "time", message, &time);
    if (status == ATM_OK)
        status = atm_get_number(line, "elapsed", 0, 1e9, message, &visit.elapsed);
    if (status == ATM_OK)
        status = atm_get_numbers(line, "seconds", 1, REPETITIONS_MOST, ATM_ABOVE_ZERO, 1e9, message,
                                 &visit.seconds, &length);
    if (status != ATM_OK)
        return status;
    visit.point = (int) point;
    visit.count = (int) length;
    snprintf(visit.time, sizeof(visit.time), "%.23s", time);
    status = keep(journal, &visit);
    free(visit.seconds);
    return status;
}

/* Whole file; the caller frees it. */
static atm_status slurp(const char *path, atm_message *message, char **text_p, size_t *length_p)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t length = 0, room = 0;

    if (file == NULL)
        return fail(path, message);
    for (;;) {
        if (length + 65536 > room) {
            char *more = realloc(text, room = 2 * room + 65537);

            if (more == NULL)
                break;
            text = more;
        }
        size_t got = fread(text + length, 1, 65536, file);

        length += got;
        if (got == 0)
            break;
    }
    if (ferror(file) || text == NULL) {
        free(text);
        fclose(file);
        return fail(path, message);
    }
    fclose(file);
    *text_p = text;
    *length_p = length;
    return ATM_OK;
}

typedef struct reader {
    const char *path;
    const char *text;
    size_t length;
    size_t at; /* after the last good line */
    int line;
} reader;

/* The next complete line, or NULL at the end and at a torn line. */
static atm_status next_line(reader *reader, atm_message *message, atm_value **line_p)
{
    const char *start = reader->text + reader->at;
    const char *end = memchr(start, '\n', reader->length - reader->at);
    char name[PATH_MAX];
    atm_status status;

    *line_p = NULL;
    if (end == NULL)
        return ATM_OK;
    reader->line++;
    snprintf(name, sizeof(name), "%.4000s: line %d", reader->path, reader->line);
    status = atm_value_parse(start, (size_t) (end - start), name, message, line_p);
    if (status == ATM_OK)
        reader->at = (size_t) (end - reader->text) + 1;
    else if (status == ATM_BAD_FILE && end + 1 == reader->text + reader->length)
        status = ATM_OK; /* last: torn by a crash of the machine */
    return status;
}

static atm_status read_lines(reader *reader, const atm_value *plan, int points,
                             atm_message *message, journal **journal_p)
{
    atm_value *line = NULL;
    journal *made;
    atm_status status = next_line(reader, message, &line);

    if (status != ATM_OK || line == NULL)
        return status;
    status = check_header(line, plan, message);
    made = status == ATM_OK ? allocate(reader->path, -1, line) : NULL;
    if (made == NULL) {
        atm_value_destroy(line);
        return status == ATM_OK ? ATM_NO_MEMORY : status;
    }
    for (;;) {
        status = next_line(reader, message, &line);
        if (status != ATM_OK || line == NULL)
            break;
        status = read_visit(line, points, message, made);
        atm_value_destroy(line);
        if (status != ATM_OK)
            break;
    }
    if (status == ATM_OK)
        *journal_p = made;
    else
        journal_close(made);
    return status;
}

/* Cut off a torn line and append from there. */
static atm_status reopen(journal *journal, size_t length, atm_message *message)
{
    journal->file = open(journal->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (journal->file < 0 || ftruncate(journal->file, (off_t) length) != 0)
        return fail(journal->path, message);
    return ATM_OK;
}

atm_status journal_resume(const char *path, const atm_value *plan, int points, atm_message *message,
                          journal **journal_p)
{
    char *text;
    size_t length;
    journal *made = NULL;
    atm_status status = slurp(path, message, &text, &length);

    if (status != ATM_OK)
        return status;
    reader reader = {.path = path, .text = text, .length = length};

    status = read_lines(&reader, plan, points, message, &made);
    if (status == ATM_OK && made != NULL)
        status = reopen(made, reader.at, message);
    free(text);
    if (status == ATM_OK)
        *journal_p = made;
    else
        journal_close(made);
    return status;
}

uint64_t journal_disk(const char *path)
{
    atm_value *header = NULL;
    int64_t disk = 0;
    char *text;
    size_t length;

    if (slurp(path, &(atm_message){""}, &text, &length) != ATM_OK)
        return 0;
    reader reader = {.path = path, .text = text, .length = length};

    if (next_line(&reader, NULL, &header) == ATM_OK && header != NULL &&
        atm_get_integer(header, "disk", 1, ATM_MAX_INTEGER, NULL, &disk) != ATM_OK)
        disk = 0;
    atm_value_destroy(header);
    free(text);
    return (uint64_t) disk;
}
