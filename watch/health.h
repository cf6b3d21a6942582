/* The connection on which a process that reasons tells the collector how it is
 * (models/formats/collector_socket.h). Nothing waits.  With the lock of drain.c. */

#ifndef ATW_HEALTH_H
#define ATW_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/collector_socket.h"

/* socket: as atw_collect_connect.  In a call of the program's, as descriptors come and go. */
void atw_health_open(const char *socket);
/* What cannot be sent now is left out: the next one says more. */
void atw_health_send(const atw_health *health);
/* The level that the collector said last; false: nothing new. */
bool atw_health_heard(uint32_t *level_p);
/* Also in a child, whose parent goes on with it. */
void atw_health_close(void);

/* -1: there is none. */
int atw_health_descriptor(void);

#endif /* ATW_HEALTH_H */
