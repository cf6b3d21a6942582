/* Removing what is old. */

#include "prune.h"

#include <string.h>

#include "schema.h"

/* All of the statements, with the same parameter if they have one, or nothing. */
static ath_status run_all(ath_database *database, const char *count, const char *const *statements,
                          double before, atm_message *message, int64_t *count_p)
{
    ath_cell cell = ath_real(before);
    int64_t found = 0;
    ath_status status = ath_begin(database, message);

    if (status == ATH_OK)
        status = ath_query_integer(database, count, &cell, 1, message, &found);
    for (; status == ATH_OK && *statements != NULL; statements++)
        status = ath_run(database, *statements, &cell, strchr(*statements, '$') != NULL, message);
    if (status == ATH_OK)
        status = ath_commit(database, message);
    else
        ath_rollback(database);
    if (status == ATH_OK)
        *count_p += found;
    return status;
}

/* Activities by process: each is one range of the key.  A process without activities left has
 * nothing to be removed, so the order is from the leaves up. */
#define OLD "(SELECT id FROM process WHERE started < $1)"

ath_status ath_prune_activities(ath_database *database, double before, atm_message *message,
                                ath_pruned *pruned)
{
    static const char *const statements[] = {"DELETE FROM activity WHERE id / 4294967296 IN " OLD,
                                             "DELETE FROM use WHERE process IN " OLD,
                                             "DELETE FROM survey WHERE process IN " OLD,
                                             "DELETE FROM process WHERE started < $1",
                                             "DELETE FROM quota",
                                             "INSERT INTO quota (uid, bytes) " ATH_QUOTA_OF_ALL,
                                             NULL};

    return run_all(database, "SELECT count(*) FROM process WHERE started < $1", statements, before,
                   message, &pruned->processes);
}

ath_status ath_prune_records(ath_database *database, double before, atm_message *message,
                             ath_pruned *pruned)
{
    static const char *const statements[] = {
        "DELETE FROM trial WHERE record IN (SELECT id FROM record WHERE started < $1)",
        "UPDATE record SET line = '' WHERE started < $1", NULL};

    return run_all(database, "SELECT count(*) FROM record WHERE started < $1 AND line <> ''",
                   statements, before, message, &pruned->records);
}
