#include "atc.h"

const char *atc_status_text(atc_status status)
{
    switch (status) {
        case ATC_OK:
            return "no error";
        case ATC_NO_MEMORY:
            return "out of memory";
        case ATC_MPI_FAILED:
            return "an MPI call failed";
    }
    return "unknown status";
}

atc_status atc_agree(MPI_Comm comm, atc_status mine)
{
    int in = mine, worst;

    if (MPI_Allreduce(&in, &worst, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS)
        return ATC_MPI_FAILED;
    return (atc_status) worst;
}
