/* ROMIO_AUTOTUNE_WATCH: which modules see activities, and their numbers. */

#ifndef ATW_CONFIG_H
#define ATW_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct atw_config {
    char folder[4096];   /* of spools */
    uint64_t limit;      /* bytes of a spool */
    uint64_t activities; /* of a thread's ring; a power of two */
    bool collect;        /* to the node's collector, if there is one */
    char socket[108];    /* of it; "": the usual ones */
} atw_config;

/* Modules that it names are used from now on.  What is wrong is left out, and said by
 * complain("...: the problem"). */
void atw_config_parse(const char *text, const char *source, void (*complain)(const char *),
                      atw_config *config);
/* text: as in the environment; that of a file, if it begins with a slash. */
void atw_config_read(const char *text, void (*complain)(const char *), atw_config *config_p);

/* "4096" or "64M"; false: it is neither, or too large. */
bool atw_config_number(const char *text, uint64_t *number_p);

#endif /* ATW_CONFIG_H */
