/* Removing what is old.  That it was there stays known: importing it again does not bring it back.
 */

#ifndef ATH_PRUNE_H
#define ATH_PRUNE_H

#include "database.h"

typedef struct ath_pruned {
    int64_t processes, records;
} ath_pruned;

/* Processes that began before a time, with activities, uses and surveys. */
ath_status ath_prune_activities(ath_database *database, double before, atm_message *message,
                                ath_pruned *pruned);

/* Lines and trials of records from before a time; what lists show of them stays. */
ath_status ath_prune_records(ath_database *database, double before, atm_message *message,
                             ath_pruned *pruned);

#endif /* ATH_PRUNE_H */
