/* Requests (atm.h) as members of documents: access, configuration. */

#ifndef ATM_ASKED_H
#define ATM_ASKED_H

#include "value/value.h"

/* Beyond ATM_MAX_INTEGER the nearest double. */
void atm_put_size(atm_value *object, const char *key, uint64_t size);
atm_status atm_get_size(const atm_value *object, const char *key, atm_message *message,
                        uint64_t *size_p);

/* Pieces are left out. */
void atm_put_access(atm_value *object, const char *key, const atm_access *access);
atm_status atm_get_access(const atm_value *object, const char *key, atm_message *message,
                          atm_access *access_p);

void atm_put_config(atm_value *object, const char *key, const atm_config *config);
atm_status atm_get_config(const atm_value *object, const char *key, atm_message *message,
                          atm_config *config_p);

#endif /* ATM_ASKED_H */
