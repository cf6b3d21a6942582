/* What a spool says of its process, as JSON. */

#ifndef ATW_FACTS_H
#define ATW_FACTS_H

#include "text.h"

/* Program, arguments, host, user, job, rank and ranks, as far as they are known. */
void atw_facts(atw_text *text);
/* The calls by their numbers. */
void atw_facts_calls(atw_text *text);

/* As the launcher tells; -1 and 0: it does not. */
void atw_facts_rank(int *rank_p, int *ranks_p);

#endif /* ATW_FACTS_H */
