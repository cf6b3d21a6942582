#include "ad_autotune.h"

#include "adio_cb_config_list.h"
#include "adio_extern.h"
#include "adioi.h"
#include "atm_where.h"

#include <stdlib.h>
#include <string.h>

/* ROMIO has gathered the names of all ranks' nodes on rank 0 for its own list
 * of aggregators, once for a communicator (cb_config_list.c:119). */
static const char *const *host_names(ADIO_File fd, int ranks)
{
    ADIO_cb_name_array array = NULL;
    int found = 0;

    if (ADIOI_cb_config_list_keyval != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(fd->comm, ADIOI_cb_config_list_keyval, &array, &found);
    return found && array->namect == ranks ? (const char *const *) array->names : NULL;
}

atm_status ADIOI_AUTOTUNE_job(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    atm_job_place place = {.topology_file = state->settings->topology,
                           .slurm_conf_topology =
                               getenv("SLURM_JOB_ID") != NULL ? "/etc/slurm/topology.conf" : NULL,
                           .slurm_topology_addr = getenv("SLURM_TOPOLOGY_ADDR"),
                           .slurm_topology_pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN"),
                           .nics = atc_nics_count(ATC_SYS_CLASS)};
    atm_message reason = {""};
    atm_where where;
    atm_status status;

    MPI_Comm_size(fd->comm, &place.ranks);
    place.host = host_names(fd, place.ranks);
    if (place.host == NULL)
        return ATM_BAD_ARGUMENT;
    status = atm_topology_of_job(&place, &reason, &where, &state->topology);
    if (status == ATM_OK && place.topology_file != NULL && where != ATM_WHERE_FILE)
        ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), "romio_autotune_topology",
                            place.topology_file, reason.text);
    return status;
}
