/* The members of a situation, by tables (value/fields.h): as they stand in files, and as they are
 * compared. */

#ifndef ATM_SITUATION_FIELDS_H
#define ATM_SITUATION_FIELDS_H

#include "situation.h"
#include "value/fields.h"

/* A request without what follows from the rest of its situation, and without holders. */
extern const atm_field atm_request_fields[];
/* What of it follows from the topology: in no file. */
extern const atm_field atm_topology_fields[];
extern const atm_field atm_scale_fields[];
extern const atm_field atm_past_fields[];

#endif /* ATM_SITUATION_FIELDS_H */
