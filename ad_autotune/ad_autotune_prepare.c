#include "ad_autotune_decide.h"

#include "ad_autotune_late.h"
#include "ad_autotune_name.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "ad_tuning.h"
#include "adioi.h"
#include "files/file_system.h"
#include "place/place.h"
#include "place/where.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* --- what a profile is to hold for */

/* What the file's profile is to hold for.  The mount table is long on some nodes, so what is
 * mounted on the last device is kept until MPI_Finalize. */
typedef struct mounted {
    dev_t device;
    const ADIOI_AUTOTUNE_wrapped *wrapped; /* a device tells no driver */
    const char *type;                      /* static */
    atm_mount mount;
    int servers; /* 0: not known */
} mounted;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    ADIOI_Free(value);
    return MPI_SUCCESS;
}

static void ask(const ADIOI_AUTOTUNE_state *state, const char *directory, mounted *now)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = state->wrapped;

    /* where ROMIO has no driver of its own, statfs tells more */
    now->type = wrapped->file_system == ADIO_UFS ? atm_file_system_at(directory) : NULL;
    if (now->type == NULL)
        now->type = wrapped->name;
    if (!atm_mount_at(directory, &now->mount))
        now->mount.source[0] = '\0';
    now->servers =
        wrapped->file_system == ADIO_LUSTRE ? ADIOI_AUTOTUNE_striping_osts(directory) : 0;
}

/* NULL: there is no such directory, or no memory for the answer. */
static const mounted *find(const ADIOI_AUTOTUNE_state *state)
{
    static atm_found last;
    mounted *known = atc_cache_get(&cache, MPI_COMM_SELF);
    char directory[PATH_MAX];
    dev_t device;

    if (ADIOI_AUTOTUNE_directory(state->root->filename, directory, sizeof(directory)) != 0)
        return NULL;
    device = ADIOI_AUTOTUNE_look(directory, &last)->file.st_dev;
    if (device == 0)
        return NULL;
    if (known != NULL && known->device == device && known->wrapped == state->wrapped)
        return known;
    if (known == NULL) {
        known = ADIOI_Malloc(sizeof(*known));
        if (atc_cache_put(&cache, MPI_COMM_SELF, known, MPI_COMM_NULL_COPY_FN, forget) != ATC_OK) {
            ADIOI_Free(known);
            return NULL;
        }
    }
    known->device = device;
    known->wrapped = state->wrapped;
    ask(state, directory, known);
    return known;
}

/* The first line of its version, the same at any time; NULL: it does not tell. */
static const char *library(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    if (version[0] == '\0' && PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return NULL;
    version[strcspn(version, "\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    return version;
}

atm_use ADIOI_AUTOTUNE_use(const ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    const mounted *mounted = find(state);
    atm_use use = {.file_system = state->wrapped->name,
                   .nodes = root->topology->nodes,
                   .nics = atm_topology_nics(root->topology),
                   .mpi = library()};

    if (mounted == NULL)
        return use;
    use.file_system = mounted->type;
    use.servers = mounted->servers;
    if (mounted->mount.source[0] != '\0')
        use.source = mounted->mount.source;
    return use;
}

/* --- before the first decision */

static void remember_defaults(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_root *root = state->root;

    root->default_plan = ADIOI_AUTOTUNE_plan_of(fd);
    root->default_plan.cb_nodes = ADIOI_AUTOTUNE_list_default(fd, state, &root->default_ranks);
}

/* A collective buffer of a few bytes needs a round of two-phase I/O for every
 * few bytes. */
static void raise_memory(ADIOI_AUTOTUNE_state *state)
{
    enum { LEAST = 4096 };
    const atm_topology *topology = state->root->topology;
    int per_node = (topology->ranks + topology->nodes - 1) / topology->nodes;
    uint64_t least = LEAST * (uint64_t) per_node, *memory = &state->root->settings->memory;
    char value[32];

    if (*memory == 0 || *memory >= least)
        return;
    snprintf(value, sizeof(value), "%llu", (unsigned long long) *memory);
    ADIOI_AUTOTUNE_refuse(state->notes, sizeof(state->notes), "romio_autotune_memory", value,
                          "below the minimum of 4096 bytes per rank of a node, which is used");
    *memory = least;
}

/* The user's cb_nodes, which GPFS ignores and the other drivers reduce to one per node. */
static void honour_cb_nodes(ADIOI_AUTOTUNE_root *root)
{
    int wanted = root->settings->cb_nodes, *ranks;

    if (root->settings->fixed_list || wanted <= root->default_plan.cb_nodes)
        return;
    if (wanted > root->topology->ranks)
        wanted = root->topology->ranks;
    ranks = ADIOI_Malloc((size_t) wanted * sizeof(int));
    if (atm_place(root->topology, atm_policy_at(0), wanted, ranks) != ATM_OK) {
        ADIOI_Free(ranks);
        return;
    }
    ADIOI_Free(root->default_ranks);
    root->default_ranks = ranks;
    root->default_plan.cb_nodes = wanted;
}

/* Nodes are numbered by their lowest rank.  If they are not known, root->failure says
 * why. */
static void find_topology(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_root *root = state->root;
    atm_status status;

    if (root->failure.text[0] != '\0')
        return;
    if (romio_write_aggmethod != 0 || romio_read_aggmethod != 0) {
        snprintf(root->failure.text, sizeof(root->failure.text),
                 "one-sided aggregation (ROMIO_*_AGGMETHOD) has no model");
        return;
    }
    status = ADIOI_AUTOTUNE_job_acquire(fd, state, &root->job_entry);
    if (status == ATM_OK)
        root->topology = ADIOI_AUTOTUNE_job_topology(root->job_entry);
    else
        snprintf(root->failure.text, sizeof(root->failure.text),
                 "the nodes of the ranks are not known: %s", atm_status_text(status));
}

static void find_advice(ADIOI_AUTOTUNE_state *state)
{
    const char *hint = state->root->settings->advice;
    atm_message why;

    state->root->advice = ADIOI_AUTOTUNE_advice_acquire(&state->root->places, hint, &why);
    if (why.text[0] != '\0')
        ADIOI_AUTOTUNE_refuse(state->notes, sizeof(state->notes), "romio_autotune_advice",
                              hint != NULL ? hint : ATM_ADVICE_FILE, why.text);
}

/* The status says why there is no decision; here, that the reason is a mistake. */
static void say_profile(const ADIOI_AUTOTUNE_root *root)
{
    const char *hint = root->settings->profile;
    char notes[ADIOI_AUTOTUNE_NOTES] = "";

    ADIOI_AUTOTUNE_refuse(notes, sizeof(notes), "romio_autotune_profile",
                          hint != NULL ? hint : ATM_PROFILE_FILE, root->failure.text);
}

static void find_profile(ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_root *root = state->root;
    const atm_use use = ADIOI_AUTOTUNE_use(state);
    size_t used = strlen(state->notes);

    root->servers = use.servers;
    root->profile_entry = ADIOI_AUTOTUNE_profile_acquire(&root->places, root->settings->profile,
                                                         &use, &root->fit, &root->failure);
    if (root->profile_entry == NULL)
        return;
    root->profile = ADIOI_AUTOTUNE_profile_get(root->profile_entry, &root->answers, &root->told);
    atm_installed_doubt(root->profile, &root->fit, root->scale.doubt);
    if (root->fit.why.text[0] != '\0')
        snprintf(state->notes + used, sizeof(state->notes) - used, "%s%s", used > 0 ? "; " : "",
                 root->fit.why.text);
}

void ADIOI_AUTOTUNE_prepare(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_root *root = state->root;

    find_topology(fd, state);
    remember_defaults(fd, state);
    if (root->failure.text[0] != '\0')
        return;
    root->places = ADIOI_AUTOTUNE_places();
    raise_memory(state);
    honour_cb_nodes(root);
    find_profile(state);
    if (root->profile != NULL)
        find_advice(state);
    else
        say_profile(root);
}
