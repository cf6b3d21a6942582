/* Facts of a machine as people read them. */

#ifndef FACTS_H
#define FACTS_H

#include "files/machine.h"
#include "units.h"

/* "" where it is not known; the machine's own text, or *room. */
const char *facts_text(const atm_machine *machine, const atm_fact *fact, units_text *room);

#endif /* FACTS_H */
