#include "ad_autotune.h"

#include "ad_tuning.h"
#include "adioi.h"
#include "place/place.h"
#include "place/where.h"

#include <stdio.h>
#include <string.h>

/* --- rank 0: what is asked of the model */

static atm_driver model_driver(const ADIOI_AUTOTUNE_wrapped *wrapped)
{
    switch (wrapped->file_system) {
        case ADIO_NFS:
            return ATM_NFS;
        case ADIO_GPFS:
            return ATM_GPFS;
        case ADIO_LUSTRE:
            return ATM_LUSTRE;
        default:
            return ATM_UFS;
    }
}

/* A nonblocking call may have settled the layout of a late file on this rank alone. */
static int chooses_layout(const ADIOI_AUTOTUNE_state *state)
{
    return state->late && state->striping.unit == 0;
}

/* Striping of the file, or of new ones where it has none yet. */
static void set_striping(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, atm_config *config)
{
    const atm_profile *profile = ADIOI_AUTOTUNE_profile_get(state->root->profile);

    if (!chooses_layout(state)) {
        config->stripe_size = (uint64_t) fd->hints->striping_unit;
        config->stripe_count = fd->hints->striping_factor;
        return;
    }
    config->stripe_size =
        state->usual.unit > 0 ? (uint64_t) state->usual.unit : profile->machine.stripe_size;
    if (config->stripe_size == 0)
        config->stripe_size = 1 << 20;
    config->stripe_count = state->usual.count > 0 ? state->usual.count : 1;
}

static atm_config config_of(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int writes)
{
    const ADIOI_AUTOTUNE_plan *plan = &state->root->default_plan;
    int mode = writes ? plan->cb_write : plan->cb_read;
    atm_config config = {.collective = mode != ADIOI_HINT_DISABLE,
                         .automatic = mode == ADIOI_HINT_AUTO,
                         .aggregators = plan->cb_nodes,
                         .buffer = (uint64_t) plan->cb_buffer_size,
                         .stripe_size =
                             fd->hints->striping_unit > 0 ? (uint64_t) fd->hints->striping_unit : 0,
                         .stripe_count = 1,
                         .co_ratio = plan->co_ratio > 0 ? plan->co_ratio : 1,
                         .block = fd->blksize > 0 ? (uint64_t) fd->blksize : 0};

    if (fd->file_system == ADIO_LUSTRE)
        set_striping(fd, state, &config);
    return config;
}

static atm_request request_of(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                              const atm_access *access)
{
    const ADIOI_AUTOTUNE_settings *settings = state->root->settings;
    const atm_topology *topology = ADIOI_AUTOTUNE_topology(state->root->job);
    atm_request request = {.driver = model_driver(state->wrapped),
                           .mode =
                               state->mode == ADIOI_AUTOTUNE_ENABLE ? ATM_ENABLE : ATM_AUTOMATIC,
                           .job = {.ranks = topology->ranks, .nodes = topology->nodes},
                           .access = *access,
                           .defaults = config_of(fd, state, access->write),
                           .fixed = settings->fixed,
                           .new_layout = chooses_layout(state),
                           .memory = settings->memory,
                           .whole = settings->explain != NULL};

    /* idle ranks without two-phase meet a defect of ROMIO (ad_write_str.c:343) */
    if (fd->hints->no_indep_rw || access->active_ranks < topology->ranks ||
        (access->write ? settings->fixed_write : settings->fixed_read))
        request.fixed |= 1u << ATM_FIX_COLLECTIVE;
    if (settings->fixed_list)
        request.fixed |= 1u << ATM_FIX_AGGREGATORS;
    atm_request_set_topology(&request, topology);
    return request;
}

/* --- rank 0: the answer */

static ADIOI_AUTOTUNE_plan plan_for(const ADIOI_AUTOTUNE_state *state, const atm_config *config,
                                    int writes)
{
    ADIOI_AUTOTUNE_plan plan = state->root->default_plan;
    int mode = !config->collective ? ADIOI_HINT_DISABLE
               : config->automatic ? ADIOI_HINT_AUTO
                                   : ADIOI_HINT_ENABLE;

    *(writes ? &plan.cb_write : &plan.cb_read) = mode;
    plan.cb_nodes = config->aggregators;
    plan.cb_buffer_size = (int) config->buffer;
    if (plan.co_ratio > 0)
        plan.co_ratio = config->co_ratio;
    return plan;
}

/* The most aggregators that share a node. */
static int most_on_a_node(const atm_topology *topology, const int *ranks, int count)
{
    int *on_node = ADIOI_Calloc((size_t) topology->nodes, sizeof(int)), most = 1;

    for (int i = 0; i < count; i++) {
        int here = ++on_node[topology->node_of[ranks[i]]];

        most = here > most ? here : most;
    }
    ADIOI_Free(on_node);
    return most;
}

/* Counts assume that aggregators are spread evenly; where bridges have more, the
 * cap of memory holds all the same. */
static void keep_memory_cap(const ADIOI_AUTOTUNE_state *state, const int *ranks,
                            ADIOI_AUTOTUNE_plan *plan)
{
    const atm_topology *topology = ADIOI_AUTOTUNE_topology(state->root->job);
    uint64_t cap = state->root->settings->memory;
    uint64_t most = (uint64_t) most_on_a_node(topology, ranks, plan->cb_nodes);

    if (cap > 0 && !(state->root->settings->fixed >> ATM_FIX_BUFFER & 1) &&
        (uint64_t) plan->cb_buffer_size > cap / most)
        plan->cb_buffer_size = cap / most > 0 ? (int) (cap / most) : 1;
}

static void keep_default(const ADIOI_AUTOTUNE_state *state, const char *why,
                         ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    decision->tuned = 0;
    decision->plan = state->root->default_plan;
    memcpy(ranks, state->root->default_ranks, (size_t) decision->plan.cb_nodes * sizeof(int));
    snprintf(decision->reason, sizeof(decision->reason), "%s", why);
}

/* The chosen candidate: plan and aggregators. */
static atm_status take(const ADIOI_AUTOTUNE_state *state, const atm_choice *choice,
                       ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    const atm_candidate *chosen = &choice->candidates[choice->chosen];

    decision->config = chosen->config;
    decision->uncertainty = chosen->prediction.uncertainty;
    memcpy(decision->parts, chosen->prediction.parts, sizeof(decision->parts));
    if (choice->chosen == 0) {
        keep_default(state, choice->reason.text, decision, ranks);
        return ATM_OK;
    }
    decision->tuned = 1;
    decision->plan = plan_for(state, &chosen->config, decision->access.write);
    snprintf(decision->reason, sizeof(decision->reason), "%s", choice->reason.text);
    if (state->root->settings->fixed_list) {
        memcpy(ranks, state->root->default_ranks, (size_t) decision->plan.cb_nodes * sizeof(int));
        return ATM_OK;
    }
    return atm_place(ADIOI_AUTOTUNE_topology(state->root->job), atm_policy_at(0),
                     decision->plan.cb_nodes, ranks);
}

/* Ask the model; ranks has room for all ranks of the file. */
static void ask(ADIO_File fd, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_decision *decision,
                int *ranks)
{
    atm_profile profile = *ADIOI_AUTOTUNE_profile_get(state->root->profile);
    atm_request request = request_of(fd, state, &decision->access);
    atm_choice *choice = NULL;
    atm_status status;

    /* this file's factors, without a copy of what the profile holds */
    profile.scale[ATM_COMMUNICATION_KIND] = state->root->scale.communication;
    profile.scale[ATM_STORAGE_KIND] = state->root->scale.storage;
    status = atm_choose(&request, &profile, &choice);
    if (status == ATM_OK)
        status = take(state, choice, decision, ranks);
    if (status != ATM_OK)
        keep_default(state, atm_status_text(status), decision, ranks);
    keep_memory_cap(state, ranks, &decision->plan);
    if (choice != NULL && request.whole)
        ADIOI_AUTOTUNE_explain(state, &request, &profile, choice, ranks, decision);
    atm_choice_destroy(choice);
}

static void make(ADIO_File fd, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_decision *decision,
                 int *ranks)
{
    if (state->root->failure.text[0] == '\0') {
        ask(fd, state, decision, ranks);
        return;
    }
    keep_default(state, state->root->failure.text, decision, ranks);
    if (state->root->job != NULL)
        keep_memory_cap(state, ranks, &decision->plan);
}

/* The user's cb_nodes, which GPFS ignores and others cut to one a node. */
static void honour_cb_nodes(ADIOI_AUTOTUNE_root *root)
{
    const atm_topology *topology = ADIOI_AUTOTUNE_topology(root->job);
    int wanted = root->settings->cb_nodes, *ranks;

    if (root->settings->fixed_list || wanted <= root->default_plan.cb_nodes)
        return;
    if (wanted > topology->ranks)
        wanted = topology->ranks;
    ranks = ADIOI_Malloc((size_t) wanted * sizeof(int));
    if (atm_place(topology, atm_policy_at(0), wanted, ranks) != ATM_OK) {
        ADIOI_Free(ranks);
        return;
    }
    ADIOI_Free(root->default_ranks);
    root->default_ranks = ranks;
    root->default_plan.cb_nodes = wanted;
}

/* A collective buffer of a few bytes takes a round for each of them. */
static void keep_memory_usable(ADIOI_AUTOTUNE_state *state)
{
    enum { LEAST = 4096 };
    const atm_topology *topology = ADIOI_AUTOTUNE_topology(state->root->job);
    int per_node = (topology->ranks + topology->nodes - 1) / topology->nodes;
    uint64_t least = LEAST * (uint64_t) per_node, *memory = &state->root->settings->memory;
    char value[32];

    if (*memory == 0 || *memory >= least)
        return;
    snprintf(value, sizeof(value), "%llu", (unsigned long long) *memory);
    ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), "romio_autotune_memory", value,
                        "less than 4096 for each rank of a node, which is used");
    *memory = least;
}

void ADIOI_AUTOTUNE_prepare(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    ADIOI_AUTOTUNE_root *root = state->root;
    size_t list = (size_t) fd->hints->cb_nodes * sizeof(int);
    atm_status status;

    root->default_plan = ADIOI_AUTOTUNE_plan_of(fd);
    root->default_ranks = ADIOI_Malloc(list);
    memcpy(root->default_ranks, fd->hints->ranklist, list);
    if (root->failure.text[0] != '\0')
        return;
    if (romio_write_aggmethod != 0 || romio_read_aggmethod != 0) {
        snprintf(root->failure.text, sizeof(root->failure.text),
                 "one-sided aggregation (ROMIO_*_AGGMETHOD) has no model");
        return;
    }
    status = ADIOI_AUTOTUNE_job_acquire(fd, state, &root->job);
    if (status != ATM_OK) {
        snprintf(root->failure.text, sizeof(root->failure.text), "where ranks are is not known: %s",
                 atm_status_text(status));
        return;
    }
    keep_memory_usable(state);
    honour_cb_nodes(root);
    root->profile = ADIOI_AUTOTUNE_profile_acquire(root->settings->profile, &root->failure);
}

/* --- all ranks */

/* One message for short lists of aggregators. */
typedef struct announcement {
    ADIOI_AUTOTUNE_decision decision;
    int ranks[16];
} announcement;

enum { SHORT_LIST = sizeof(((announcement *) 0)->ranks) / sizeof(int) };

void ADIOI_AUTOTUNE_decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const atm_access *access,
                           int apart, int call, ADIOI_AUTOTUNE_decision *decision_p, int **ranks_p)
{
    announcement told;
    int rank, count, *ranks = NULL;

    MPI_Comm_rank(fd->comm, &rank);
    memset(&told, 0, sizeof(told));
    told.decision.kept = access == NULL;
    told.decision.apart = apart;
    if (rank == 0 && access != NULL) {
        MPI_Comm_size(fd->comm, &count);
        ranks = ADIOI_Malloc((size_t) count * sizeof(int));
        told.decision.access = *access;
        told.decision.call = call;
        snprintf(told.decision.notes, sizeof(told.decision.notes), "%s", state->notes);
        make(fd, state, &told.decision, ranks);
        count = told.decision.plan.cb_nodes;
        memcpy(told.ranks, ranks, sizeof(int) * (size_t) (count < SHORT_LIST ? count : SHORT_LIST));
    }
    if (MPI_Bcast(&told, sizeof(told), MPI_BYTE, 0, fd->comm) != MPI_SUCCESS)
        told.decision.kept = 1; /* nothing on this communicator goes well any more */
    count = told.decision.plan.cb_nodes;
    if (rank != 0 && !told.decision.kept) {
        ranks = ADIOI_Malloc((size_t) count * sizeof(int));
        memcpy(ranks, told.ranks, sizeof(int) * (size_t) (count < SHORT_LIST ? count : SHORT_LIST));
    }
    if (!told.decision.kept && count > SHORT_LIST &&
        MPI_Bcast(ranks, count, MPI_INT, 0, fd->comm) != MPI_SUCCESS)
        told.decision.kept = 1;
    if (told.decision.kept && ranks != NULL) {
        ADIOI_Free(ranks);
        ranks = NULL;
    }
    *decision_p = told.decision;
    *ranks_p = ranks;
}
