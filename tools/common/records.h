/* Files of records (files/record.h), one a line, read one by one. */

#ifndef RECORDS_H
#define RECORDS_H

#include <stdio.h>

#include "files/record.h"

typedef struct records {
    const char *path; /* the caller's */
    FILE *file;
    long line; /* number of the line last read, from 1 */
    size_t length;
    bool torn; /* the last line was not whole and has been passed over */
    char text[ATM_RECORD_LINE];
} records;

/* Close it; NULL and a message where it cannot be opened. */
records *records_open(const char *path, atm_message *message);
void records_close(records *records);

/* The next record, to be freed, or NULL at the end.  ATM_BAD_FILE,
 * ATM_NO_ACCESS and ATM_NO_MEMORY with a message that names file and line.  A
 * last line without its end may still be being written: if it is no record it
 * is passed over. */
atm_status records_next(records *records, atm_message *message, atm_record **record_p);

/* Start again. */
atm_status records_rewind(records *records, atm_message *message);

#endif /* RECORDS_H */
