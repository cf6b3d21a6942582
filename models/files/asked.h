/* What is asked for (atm.h), as members of documents: access, configuration. */

#ifndef ATM_ASKED_H
#define ATM_ASKED_H

#include "value/fields.h"

/* An access without its pieces and holders. */
extern const atm_field atm_access_fields[];
/* A configuration as records have it, and all of it. */
extern const atm_field atm_config_fields[];
extern const atm_field atm_whole_config_fields[];

void atm_put_access(atm_value *object, const char *key, const atm_access *access);
atm_status atm_get_access(const atm_value *object, const char *key, atm_message *message,
                          atm_access *access_p);

void atm_put_config(atm_value *object, const char *key, const atm_config *config);
atm_status atm_get_config(const atm_value *object, const char *key, atm_message *message,
                          atm_config *config_p);

#endif /* ATM_ASKED_H */
