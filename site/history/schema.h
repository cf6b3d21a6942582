/*
 * Schema: the tables of a history, as the statements that lead from one version to the next.
 * They are the same for all databases but for three words.
 *
 *     source    a spool that was imported: how far, known by its identity
 *     process   what wrote a spool; activities have (process << 32) + 1 and on as id, so that
 *               those of a process stand together and need no other index; started is the
 *               moment of `monotonic`, began and lasted are its first and last activity since then
 *               (began is less than 0 where a library before 3 began a spool late); directory is
 *               where it was started
 *     call      names and layers of calls
 *     file      paths
 *     use       what a process did with a file by each call: sums over activities, busy in ns
 *     activity  start in ns since the process's `monotonic`; number and parent as in the spool
 *     survey    what a module of the process said when it ended, JSON
 *     quota     bytes of a user's spools that are there, and were not pruned
 *     record    a line of the driver's, whole, known by its identity
 *     trial     what came out of one direction of a record with one set of settings, by collective
 *               calls or (2) by independent ones
 *
 * To change it, add a version; never change one that was released.
 */

#ifndef ATH_SCHEMA_H
#define ATH_SCHEMA_H

enum { ATH_SCHEMA_VERSION = 3 };

/* What quota has to have. */
#define ATH_QUOTA_OF_ALL                                                                           \
    "SELECT p.uid, CAST(sum(s.bytes) AS BIGINT) FROM process p JOIN source s ON s.id = p.source "  \
    "GROUP BY p.uid"

int ath_schema_statements(int version);

/* A statement of a version in the words of a database; free it.  NULL without memory. */
char *ath_schema_statement(int version, int index, const char *key, const char *integer,
                           const char *real);

#endif /* ATH_SCHEMA_H */
