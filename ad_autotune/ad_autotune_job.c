#include "ad_autotune_decide.h"

#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "adio_cb_config_list.h"
#include "adioi.h"
#include "place/where.h"

#include <stdlib.h>
#include <string.h>

/*
 * The topology of a job does not change, and finding it reads files: those of the
 * last few groups of processes are cached until MPI_Finalize, in an attribute of
 * MPI_COMM_SELF.  Called under ROMIO's lock.
 */
struct ADIOI_AUTOTUNE_job {
    atm_topology *topology;
    int users; /* open files, and the cache */
    MPI_Group group;
    ADIO_cb_name_array hosts; /* of the group; held */
    atm_seen file;            /* of the hint, as it was read; path "": none */
    atm_message why;          /* it was ignored, or "" */
};

enum { KEPT = 4 };

typedef struct jobs {
    ADIOI_AUTOTUNE_job *at[KEPT]; /* the last one first */
} jobs;

static atc_cache cache = ATC_CACHE_INITIALIZER;

const atm_topology *ADIOI_AUTOTUNE_job_topology(const ADIOI_AUTOTUNE_job *job)
{
    return job->topology;
}

/* Instead of those that the job holds; NULL: none. */
static void hold_hosts(ADIOI_AUTOTUNE_job *job, ADIO_cb_name_array hosts)
{
    if (hosts != NULL)
        hosts->refct++;
    if (job->hosts != NULL)
        ADIOI_cb_delete_name_array(MPI_COMM_NULL, MPI_KEYVAL_INVALID, job->hosts, NULL);
    job->hosts = hosts;
}

void ADIOI_AUTOTUNE_job_release(ADIOI_AUTOTUNE_job *job)
{
    if (job == NULL || --job->users > 0)
        return;
    MPI_Group_free(&job->group);
    hold_hosts(job, NULL);
    atm_topology_destroy(job->topology);
    ADIOI_Free(job);
}

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
{
    jobs *kept = value;

    (void) comm, (void) keyval, (void) extra;
    for (int i = 0; i < KEPT; i++)
        ADIOI_AUTOTUNE_job_release(kept->at[i]);
    ADIOI_Free(kept);
    return MPI_SUCCESS;
}

/* --- finding it */

static atm_status find_topology(ADIO_cb_name_array hosts, const char *file, atm_message *why,
                                atm_topology **topology_p)
{
    atm_job_place place = {
        .ranks = hosts->namect, .host = (const char *const *) hosts->names, .topology_file = file};
    atm_status status;
    atm_where where;

    if (place.ranks > 1) {
        place.slurm_conf_topology =
            secure_getenv("SLURM_JOB_ID") != NULL ? "/etc/slurm/topology.conf" : NULL;
        place.slurm_topology_addr = secure_getenv("SLURM_TOPOLOGY_ADDR");
        place.slurm_topology_pattern = secure_getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
        place.nics = atc_nics_told(MPI_INFO_ENV);
        if (place.nics == 0)
            place.nics = atc_nics_count(ATC_SYS_CLASS);
    }
    status = atm_topology_of_job(&place, why, &where, topology_p);
    if (status != ATM_OK || file == NULL || where == ATM_WHERE_FILE)
        why->text[0] = '\0';
    return status;
}

static atm_status create(ADIO_File fd, ADIO_cb_name_array hosts, const char *hint,
                         const atm_seen *file, ADIOI_AUTOTUNE_job **job_p)
{
    atm_message why = {""};
    atm_topology *topology;
    ADIOI_AUTOTUNE_job *job;
    atm_status status = find_topology(hosts, hint, &why, &topology);

    if (status != ATM_OK)
        return status;
    job = ADIOI_Calloc(1, sizeof(*job));
    *job = (ADIOI_AUTOTUNE_job){.topology = topology, .users = 1, .file = *file, .why = why};
    MPI_Comm_group(fd->comm, &job->group);
    hold_hosts(job, hosts);
    *job_p = job;
    return ATM_OK;
}

/* --- caching it */

static int same_group(const ADIOI_AUTOTUNE_job *job, MPI_Group group)
{
    int result;

    return MPI_Group_compare(job->group, group, &result) == MPI_SUCCESS && result == MPI_IDENT;
}

/* By the host names, which a communicator keeps as long as the job holds them: in no
 * time.  Comparing groups takes time for every rank, and is left to communicators
 * whose names ROMIO has just gathered anew. */
static ADIOI_AUTOTUNE_job *look_up(jobs *kept, ADIO_File fd, ADIO_cb_name_array hosts,
                                   const atm_seen *file)
{
    ADIOI_AUTOTUNE_job *found = NULL;
    MPI_Group group;

    if (kept == NULL)
        return NULL;
    for (int i = 0; i < KEPT; i++)
        if (kept->at[i] != NULL && kept->at[i]->hosts == hosts &&
            atm_seen_again(&kept->at[i]->file, file))
            return kept->at[i];
    if (MPI_Comm_group(fd->comm, &group) != MPI_SUCCESS)
        return NULL;
    for (int i = 0; i < KEPT && found == NULL; i++)
        if (kept->at[i] != NULL && atm_seen_again(&kept->at[i]->file, file) &&
            same_group(kept->at[i], group))
            found = kept->at[i];
    MPI_Group_free(&group);
    if (found != NULL)
        hold_hosts(found, hosts);
    return found;
}

static void keep(jobs *kept, ADIOI_AUTOTUNE_job *job)
{
    if (kept == NULL) {
        kept = ADIOI_Calloc(1, sizeof(*kept));
        if (atc_cache_put(&cache, MPI_COMM_SELF, kept, MPI_COMM_NULL_COPY_FN, release) != ATC_OK) {
            ADIOI_Free(kept);
            return;
        }
    }
    ADIOI_AUTOTUNE_job_release(kept->at[KEPT - 1]);
    memmove(&kept->at[1], &kept->at[0], (KEPT - 1) * sizeof(kept->at[0]));
    kept->at[0] = job;
    job->users++;
}

atm_status ADIOI_AUTOTUNE_job_acquire(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                      ADIOI_AUTOTUNE_job **job_p)
{
    const char *hint = state->root->settings->topology;
    static atm_found last;
    const atm_seen *file = ADIOI_AUTOTUNE_look(hint, &last);
    jobs *kept = atc_cache_get(&cache, MPI_COMM_SELF);
    ADIO_cb_name_array hosts = ADIOI_AUTOTUNE_list_names(fd);
    ADIOI_AUTOTUNE_job *job;
    atm_status status;

    if (hosts == NULL)
        return ATM_BAD_ARGUMENT;
    job = look_up(kept, fd, hosts, file);
    if (job != NULL) {
        job->users++;
    } else {
        status = create(fd, hosts, hint, file, &job);
        if (status != ATM_OK)
            return status;
        keep(kept, job);
    }
    if (job->why.text[0] != '\0')
        ADIOI_AUTOTUNE_refuse(state->notes, sizeof(state->notes), "romio_autotune_topology", hint,
                              job->why.text);
    *job_p = job;
    return ATM_OK;
}
