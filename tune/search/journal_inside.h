/* What the files journal*.c share. */

#ifndef ATS_JOURNAL_INSIDE_H
#define ATS_JOURNAL_INSIDE_H

#include "journal.h"

/* --- journal_write.c */

/* ATM_NO_ACCESS and errno in words. */
atm_status journal_fail(const char *path, atm_message *message);
atm_status ats_journal_append(const ats_journal *journal, const atm_value *line,
                              atm_message *message);

/* --- journal_read.c */

/* Drops what is behind the last newline. */
atm_status journal_repair(const ats_journal *journal, bool *empty_p, atm_message *message);
/* The first line, against the search that is to go on. */
atm_status journal_check_header(ats_journal *journal, const atm_value *search,
                                atm_message *message);

#endif /* ATS_JOURNAL_INSIDE_H */
