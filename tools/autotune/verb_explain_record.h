/* autotune explain --record: what was decided for files, and the outcome. */

#ifndef EXPLAIN_RECORD_H
#define EXPLAIN_RECORD_H

#include "files/record.h"
#include "report/page.h"

typedef struct record_options {
    const char *path;
    const char *file; /* only records of this file; or NULL */
    const char *html; /* a page to write instead; or NULL */
    bool last;        /* only the last of these */
    bool all;         /* each of them in detail, however many */
    bool json;
} record_options;

/* The exit code of autotune. */
int explain_record(const record_options *options);

/* Records by file name, a line each: verb_explain_record_summary.c. */
typedef struct record_summary record_summary;
record_summary *record_summary_make(void); /* free it; NULL: no memory */
void record_summary_free(record_summary *summary);
bool record_summary_add(record_summary *summary, const atm_record *record); /* false: no memory */
void record_summary_print(FILE *out, const record_summary *summary);

/* One record as text for people. */
void explain_record_text(FILE *out, const atm_record *record);

/* One record as a section of a page; number makes its id. */
void explain_record_section(FILE *out, int number, const atm_record *record);

#endif /* EXPLAIN_RECORD_H */
