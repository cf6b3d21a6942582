/*
 * Import: spools and records into a history.  Each spool, and each file of records, is one
 * transaction: all of it is there, or nothing.  What was imported before changes nothing; of a
 * spool that has grown since, and of a file of records, what is new is added.
 *
 * Spools and records are anybody's: sums saturate, and nobody fills the database or its disk.
 */

#ifndef ATH_IMPORT_H
#define ATH_IMPORT_H

#include "database.h"

/* What came in. */
typedef struct ath_imported {
    uint64_t spools, activities, dropped;
    uint64_t records, trials;
    uint64_t known; /* spools and records that were there already */
} ath_imported;

/* What would be more is refused with ATH_NO_ROOM, and can be imported after some was pruned.
 * Bytes; 0: any. */
typedef struct ath_import_limits {
    uint64_t database;  /* of all of it */
    uint64_t user;      /* of the spools of one user that are in it */
    uint64_t keep_free; /* of its disk, for others */
} ath_import_limits;

extern const ath_import_limits ath_import_usual;

/* A spool must belong to the user that it says it is of, or to whoever imports it.  limits NULL:
 * the usual ones.  *whole_p: the process has ended in order, nothing more will come.  Surveys that
 * cannot be used are left out; the message then says so also with ATH_OK. */
ath_status ath_import_spool(ath_database *database, const char *path,
                            const ath_import_limits *limits, atm_message *message,
                            ath_imported *sum, bool *whole_p);

/* limits as above; program, user: of records that do not say whose they are; NULL: what a spool of
 * the same process says, and the owner of the file.  What a file of somebody else's says of the
 * user is not believed. */
ath_status ath_import_records(ath_database *database, const char *path,
                              const ath_import_limits *limits, const char *program,
                              const char *user, atm_message *message, ath_imported *sum);

/* Records whose program is not known get that of a spool of the same process, and relative names of
 * files are found from where that was started; once, after all imports. */
ath_status ath_import_link(ath_database *database, atm_message *message);

#endif /* ATH_IMPORT_H */
