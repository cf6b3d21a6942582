/* Facts of a machine, as profiles and points have them: all optional. */

#ifndef ATM_MACHINE_H
#define ATM_MACHINE_H

#include "atm.h"
#include "value/value.h"

typedef struct atm_machine {
    /* "" where not known */
    char *name; /* of the machine */
    char *date; /* of the measurement */
    char *mpi;  /* library and version */
    char *network;
    char *file_system;        /* kind and mount point */
    char *file_system_type;   /* as files/file_system.h names it, or ROMIO's driver for it */
    char *file_system_source; /* what is mounted: device, or servers and name */
    char *tool;               /* that made the profile */
    /* 0 where not known */
    uint64_t nodes;
    uint64_t ranks;       /* on all of them */
    uint64_t nics;        /* network adapters of a node */
    uint64_t cores;       /* of a node */
    uint64_t memory;      /* of a node, bytes */
    uint64_t cache;       /* of it for the file system's client, bytes */
    uint64_t block;       /* of the file system, bytes */
    uint64_t stripe_size; /* default of the file system, bytes */
    uint64_t servers;     /* of the file system: OSTs, NSDs */
} atm_machine;

typedef enum atm_fact_kind { ATM_FACT_TEXT, ATM_FACT_NUMBER, ATM_FACT_BYTES } atm_fact_kind;

/* A member of atm_machine, by the name it has in files. */
typedef struct atm_fact {
    const char *name;
    atm_fact_kind kind;
    size_t offset;
} atm_fact;

enum { ATM_FACT_COUNT = 17 };

extern const atm_fact atm_facts[ATM_FACT_COUNT];

/* Value of a textual fact, and of a numeric one. */
const char *atm_fact_text(const atm_machine *machine, const atm_fact *fact);
uint64_t atm_fact_number(const atm_machine *machine, const atm_fact *fact);

/* The member "machine" of root.  *machine is zero before, and to be cleared also
 * after a failure. */
atm_status atm_machine_read(const atm_value *root, atm_message *message, atm_machine *machine);
void atm_machine_clear(atm_machine *machine);

#endif /* ATM_MACHINE_H */
