/* A call of MPI 4.0 that ROMIO's GPFS driver makes, for hosts that do not have it. */

#include <limits.h>
#include <stdlib.h>

#include "atp.h"

int atp_Alltoallv_c(const void *from, const MPI_Count *counts, const MPI_Aint *places,
                    MPI_Datatype type, void *to, const MPI_Count *to_counts,
                    const MPI_Aint *to_places, MPI_Datatype to_type, MPI_Comm comm);

/* How many do not fit. */
static int narrow(const MPI_Count *counts, const MPI_Aint *places, int ranks, int *small)
{
    int bad = 0;

    for (int i = 0; i < ranks; i++) {
        bad += counts[i] > INT_MAX || places[i] > INT_MAX || places[i] < INT_MIN;
        small[i] = (int) counts[i];
        small[ranks + i] = (int) places[i];
    }
    return bad;
}

int atp_Alltoallv_c(const void *from, const MPI_Count *counts, const MPI_Aint *places,
                    MPI_Datatype type, void *to, const MPI_Count *to_counts,
                    const MPI_Aint *to_places, MPI_Datatype to_type, MPI_Comm comm)
{
    int (*theirs)(const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, void *,
                  const MPI_Count *, const MPI_Aint *, MPI_Datatype, MPI_Comm);
    int ranks, rc = MPI_ERR_COUNT, *small;

    if (atp_find("PMPI_Alltoallv_c", &theirs))
        return theirs(from, counts, places, type, to, to_counts, to_places, to_type, comm);
    PMPI_Comm_size(comm, &ranks);
    small = malloc(4 * (size_t) ranks * sizeof(*small));
    if (small == NULL)
        return MPI_ERR_NO_MEM;
    if (narrow(counts, places, ranks, small) == 0 &&
        narrow(to_counts, to_places, ranks, small + 2 * ranks) == 0)
        rc = PMPI_Alltoallv(from, small, small + ranks, type, to, small + 2 * ranks,
                            small + 3 * ranks, to_type, comm);
    free(small);
    return rc;
}
