#include "ad_autotune.h"

#include "ad_tuning.h"
#include "adioi.h"
#include "atm_explain.h"
#include "atm_place.h"
#include "atm_where.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Striping of the file, or of new ones where it has none yet. */
static void set_striping(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, atm_config *config)
{
    const atm_profile *profile = ADIOI_AUTOTUNE_profile_get(state->profile);

    if (!state->late) {
        config->stripe_size = (uint64_t) fd->hints->striping_unit;
        config->stripe_count = fd->hints->striping_factor;
        return;
    }
    config->stripe_size =
        state->usual_unit > 0 ? (uint64_t) state->usual_unit : profile->machine.stripe_size;
    if (config->stripe_size == 0)
        config->stripe_size = 1 << 20;
    config->stripe_count = state->usual_count > 0 ? state->usual_count : 1;
}

static atm_config config_of(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int writes)
{
    const ADIOI_AUTOTUNE_plan *plan = &state->default_plan;
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
    const ADIOI_AUTOTUNE_settings *settings = state->settings;
    atm_request request = {
        .driver = model_driver(state->wrapped),
        .mode = state->mode == ADIOI_AUTOTUNE_ENABLE ? ATM_ENABLE : ATM_AUTOMATIC,
        .job = {.ranks = state->topology->ranks, .nodes = state->topology->nodes},
        .access = *access,
        .defaults = config_of(fd, state, access->write),
        .fixed = settings->fixed,
        .new_layout = state->late,
        .memory = settings->memory,
        .whole = settings->explain != NULL};

    /* idle ranks without two-phase meet a defect of ROMIO (ad_write_str.c:343) */
    if (fd->hints->no_indep_rw || access->active_ranks < state->topology->ranks ||
        (access->write ? settings->fixed_write : settings->fixed_read))
        request.fixed |= 1u << ATM_FIX_COLLECTIVE;
    if (settings->fixed_list)
        request.fixed |= 1u << ATM_FIX_AGGREGATORS;
    atm_request_set_topology(&request, state->topology);
    return request;
}

/* --- rank 0: the answer */

static ADIOI_AUTOTUNE_plan plan_for(const ADIOI_AUTOTUNE_state *state, const atm_config *config,
                                    int writes)
{
    ADIOI_AUTOTUNE_plan plan = state->default_plan;
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
    uint64_t cap = state->settings->memory;
    uint64_t most = (uint64_t) most_on_a_node(state->topology, ranks, plan->cb_nodes);

    if (cap > 0 && !(state->settings->fixed >> ATM_FIX_BUFFER & 1) &&
        (uint64_t) plan->cb_buffer_size > cap / most)
        plan->cb_buffer_size = cap / most > 0 ? (int) (cap / most) : 1;
}

static void explain(const atm_request *request, const ADIOI_AUTOTUNE_state *state,
                    const atm_profile *profile, const atm_choice *choice, const int *ranks,
                    ADIOI_AUTOTUNE_decision *decision)
{
    const char *where = state->settings->explain;
    atm_value *document, *list;
    atm_message message = {""};
    char *text;
    size_t length;

    if (atm_explain_value(request, profile, choice, &document) != ATM_OK)
        return;
    atm_put_string(document, "file", state->filename);
    atm_put_integer(document, "call", decision->call);
    list = atm_put_array(document, "ranks");
    for (int i = 0; i < decision->plan.cb_nodes; i++)
        atm_put_integer(list, NULL, ranks[i]);
    if (strcmp(where, "stderr") != 0) {
        if (atm_value_write(document, where, &message) != ATM_OK)
            ADIOI_AUTOTUNE_note(decision->notes, sizeof(decision->notes), "romio_autotune_explain",
                                where, message.text);
    } else if (atm_value_print(document, &text, &length) == ATM_OK) {
        fputs(text, stderr);
        free(text);
    }
    atm_value_destroy(document);
}

static void keep_default(const ADIOI_AUTOTUNE_state *state, const char *why,
                         ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    decision->tuned = 0;
    decision->plan = state->default_plan;
    memcpy(ranks, state->default_ranks, (size_t) decision->plan.cb_nodes * sizeof(int));
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
    if (state->settings->fixed_list) {
        memcpy(ranks, state->default_ranks, (size_t) decision->plan.cb_nodes * sizeof(int));
        return ATM_OK;
    }
    return atm_place(state->topology, atm_policy_at(0), decision->plan.cb_nodes, ranks);
}

/* Ask the model; ranks has room for all ranks of the file. */
static void ask(ADIO_File fd, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_decision *decision,
                int *ranks)
{
    atm_profile profile = *ADIOI_AUTOTUNE_profile_get(state->profile);
    atm_request request = request_of(fd, state, &decision->access);
    atm_choice *choice = NULL;
    atm_status status;

    /* this file's factors, without a copy of what the profile holds */
    profile.scale[ATM_COMMUNICATION_KIND] = state->scale.communication;
    profile.scale[ATM_STORAGE_KIND] = state->scale.storage;
    status = atm_choose(&request, &profile, &choice);
    if (status == ATM_OK)
        status = take(state, choice, decision, ranks);
    if (status != ATM_OK)
        keep_default(state, atm_status_text(status), decision, ranks);
    keep_memory_cap(state, ranks, &decision->plan);
    if (choice != NULL && request.whole)
        explain(&request, state, &profile, choice, ranks, decision);
    atm_choice_destroy(choice);
}

static void make(ADIO_File fd, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_decision *decision,
                 int *ranks)
{
    if (state->failure.text[0] == '\0') {
        ask(fd, state, decision, ranks);
        return;
    }
    keep_default(state, state->failure.text, decision, ranks);
    if (state->topology != NULL)
        keep_memory_cap(state, ranks, &decision->plan);
}

/* The user's cb_nodes, which GPFS ignores and others cut to one a node. */
static void honour_cb_nodes(ADIOI_AUTOTUNE_state *state)
{
    int wanted = state->settings->cb_nodes, *ranks;

    if (state->settings->fixed_list || wanted <= state->default_plan.cb_nodes)
        return;
    if (wanted > state->topology->ranks)
        wanted = state->topology->ranks;
    ranks = ADIOI_Malloc((size_t) wanted * sizeof(int));
    if (atm_place(state->topology, atm_policy_at(0), wanted, ranks) != ATM_OK) {
        ADIOI_Free(ranks);
        return;
    }
    ADIOI_Free(state->default_ranks);
    state->default_ranks = ranks;
    state->default_plan.cb_nodes = wanted;
}

/* A collective buffer of a few bytes takes a round for each of them. */
static void keep_memory_usable(ADIOI_AUTOTUNE_state *state)
{
    enum { LEAST = 4096 };
    const atm_topology *topology = state->topology;
    int per_node = (topology->ranks + topology->nodes - 1) / topology->nodes;
    uint64_t least = LEAST * (uint64_t) per_node, *memory = &state->settings->memory;
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
    size_t list = (size_t) fd->hints->cb_nodes * sizeof(int);
    atm_status status;

    state->default_plan = ADIOI_AUTOTUNE_plan_of(fd);
    state->default_ranks = ADIOI_Malloc(list);
    memcpy(state->default_ranks, fd->hints->ranklist, list);
    if (romio_write_aggmethod != 0 || romio_read_aggmethod != 0) {
        snprintf(state->failure.text, sizeof(state->failure.text),
                 "one-sided aggregation (ROMIO_*_AGGMETHOD) has no model");
        return;
    }
    status = ADIOI_AUTOTUNE_job(fd, state);
    if (status != ATM_OK) {
        snprintf(state->failure.text, sizeof(state->failure.text),
                 "where ranks are is not known: %s", atm_status_text(status));
        return;
    }
    keep_memory_usable(state);
    honour_cb_nodes(state);
    state->profile = ADIOI_AUTOTUNE_profile_acquire(state->settings->profile, &state->failure);
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
    MPI_Bcast(&told, sizeof(told), MPI_BYTE, 0, fd->comm);
    count = told.decision.plan.cb_nodes;
    if (rank != 0 && !told.decision.kept) {
        ranks = ADIOI_Malloc((size_t) count * sizeof(int));
        memcpy(ranks, told.ranks, sizeof(int) * (size_t) (count < SHORT_LIST ? count : SHORT_LIST));
    }
    if (!told.decision.kept && count > SHORT_LIST)
        MPI_Bcast(ranks, count, MPI_INT, 0, fd->comm);
    *decision_p = told.decision;
    *ranks_p = ranks;
}
