/* autotune explain --record: what was decided for files and what came out. */

#ifndef EXPLAIN_RECORD_H
#define EXPLAIN_RECORD_H

#include "atm_record.h"
#include "report/page.h"

typedef struct record_options {
    const char *path;
    const char *file; /* only records of this file; or NULL */
    const char *html; /* a page to write instead; or NULL */
    bool last;        /* only the last of these */
    bool json;
} record_options;

/* The exit code of autotune. */
int explain_record(const record_options *options);

/* One record as text for people. */
void explain_record_text(FILE *out, const atm_record *record);

/* One record as a section of a page; number makes its id. */
void explain_record_section(FILE *out, int number, const atm_record *record);

#endif /* EXPLAIN_RECORD_H */
