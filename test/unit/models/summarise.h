/* Accesses out of lists of pieces. */

#ifndef SUMMARISE_H
#define SUMMARISE_H

#include "atm.h"

/* The summary of a list of pieces, which must be in order (atm.h); write and
 * new_file are the caller's, and pieces stay theirs. */
atm_status access_summarise(const atm_piece *pieces, size_t count, atm_access *access_p);

#endif /* SUMMARISE_H */
