/*
 * Facts: what the driver's records of a run tell (files/record.h).
 *
 *     {"program": "vpic", "user": "ada", "driver": "lustre", "ranks": 64, "nodes": 4,
 *      "files": ["/scratch/field.h5"], "reads": 0, "writes": 16,              collective calls
 *      "apart": {"writes": 20, "bytes": 4600, "seconds": 0.2},   written by other calls, if any; of
 *                                                                the slowest rank
 *      "accesses": [{"calls": 16, "access": {...}, "config": {...}}],          files/asked.h
 *      "records": 1}                                                           of all files
 */

#ifndef ATS_FACTS_H
#define ATS_FACTS_H

#include "value/value.h"

enum { ATS_FACTS_FILES = 8, ATS_FACTS_ACCESSES = 16 };

typedef struct ats_io {
    int64_t records; /* of all files: 0 where the driver was absent */
    int64_t calls;   /* collective ones */
    double seconds;  /* of the slowest rank in these, and of the slowest in others */
} ats_io;

/* Reads the records of files whose names match a pattern (NULL: all).  Without a file at path,
 * *io_p has no calls and the facts say so.  Destroy the facts. */
atm_status ats_facts_read(const char *path, const char *pattern, atm_message *message, ats_io *io_p,
                          atm_value **facts_p);

#endif /* ATS_FACTS_H */
