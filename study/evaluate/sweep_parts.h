/* Parts of a sweep, for sweep.c. */

#ifndef SWEEP_PARTS_H
#define SWEEP_PARTS_H

#include "sweep.h"

/* The configurations of an instance whose job and access are set; block: of the
 * file system, 0 where it is not given. */
atm_status sweep_read_configs(const atm_value *list, uint64_t block, sweep_instance *instance,
                              atm_message *message);
/* The member "choice" of value. */
atm_status sweep_read_choice(const atm_value *value, uint64_t block, sweep_instance *instance,
                             atm_message *message);

#endif /* SWEEP_PARTS_H */
