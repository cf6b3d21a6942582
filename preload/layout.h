/* Where the bytes of a datatype are, by what MPI tells about how it was made. */

#ifndef ATP_LAYOUT_H
#define ATP_LAYOUT_H

#include <mpi.h>
#include <stdbool.h>

/* Whether the bytes are in order, without gaps, from the beginning, and the next item would follow
 * them.  Distributed arrays are only if they are whole. */
bool atp_is_contiguous(MPI_Datatype type);

#endif /* ATP_LAYOUT_H */
