/* Files of records, read one by one. */

#include "records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static atm_status complain(const char *path, const char *what, int error, atm_message *message)
{
    snprintf(message->text, sizeof(message->text), "%.128s: %s: %.64s", path, what,
             strerror(error));
    return ATM_NO_ACCESS;
}

records *records_open(const char *path, atm_message *message)
{
    records *records = calloc(1, sizeof(*records));

    if (records == NULL) {
        complain(path, "cannot be read", ENOMEM, message);
        return NULL;
    }
    records->path = path;
    records->file = fopen(path, "re");
    if (records->file == NULL) {
        complain(path, "cannot be opened", errno, message);
        free(records);
        return NULL;
    }
    return records;
}

void records_close(records *records)
{
    if (records == NULL)
        return;
    fclose(records->file);
    free(records);
}

atm_status records_rewind(records *records, atm_message *message)
{
    if (fseek(records->file, 0, SEEK_SET) != 0)
        return complain(records->path, "cannot be read again", errno, message);
    records->line = 0;
    return ATM_OK;
}

/* Gets a line without its newline; *whole_p tells whether there was one. */
static atm_status read_line(records *records, atm_message *message, bool *whole_p)
{
    int byte;

    records->length = 0;
    records->line++;
    while ((byte = getc_unlocked(records->file)) != EOF && byte != '\n') {
        if (records->length == sizeof(records->text)) {
            snprintf(message->text, sizeof(message->text),
                     "%.128s:%ld: is longer than any record (%zu bytes)", records->path,
                     records->line, sizeof(records->text));
            return ATM_BAD_FILE;
        }
        records->text[records->length++] = (char) byte;
    }
    if (byte == EOF && ferror(records->file))
        return complain(records->path, "cannot be read", errno, message);
    *whole_p = byte == '\n';
    return ATM_OK;
}

atm_status records_next(records *records, atm_message *message, atm_record **record_p)
{
    bool whole;
    char name[4096 + 32];
    atm_status status = read_line(records, message, &whole);

    if (status != ATM_OK)
        return status;
    *record_p = NULL;
    if (!whole && records->length == 0)
        return ATM_OK;
    snprintf(name, sizeof(name), "%.4096s:%ld", records->path, records->line);
    status = atm_record_parse(records->text, records->length, name, message, record_p);
    if (status == ATM_BAD_FILE && !whole) {
        records->torn = true;
        return ATM_OK;
    }
    if (status == ATM_NO_MEMORY)
        complain(records->path, "cannot be read", ENOMEM, message);
    return status;
}
