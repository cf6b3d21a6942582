#include "ad_autotune_decide.h"

#include "ad_autotune_late.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "adioi.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what a decision depends on */

/* As the model calls it. */
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

/* Striping of the file; of a late one, the striping it would get by default. */
static void set_striping(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, atm_config *config)
{
    const ADIOI_AUTOTUNE_striping *by_default = &state->default_striping;

    if (!chooses_layout(state)) {
        config->stripe_size = (uint64_t) fd->hints->striping_unit;
        config->stripe_count = fd->hints->striping_factor;
        config->servers = state->striping.osts;
        return;
    }
    config->stripe_size = by_default->unit > 0 ? (uint64_t) by_default->unit
                                               : state->root->profile->machine.stripe_size;
    if (config->stripe_size == 0)
        config->stripe_size = 1 << 20;
    config->stripe_count = by_default->count > 0 ? by_default->count : 1;
}

/* Two-phase I/O of ROMIO's own list is in the order of ranks, unless that comes from the user
 * or from GPFS's bridges. */
static atm_order order_of(const int *ranks, int count)
{
    for (int i = 1; i < count; i++)
        if (ranks[i] < ranks[i - 1])
            return ATM_BY_PSET;
    return ATM_BY_DATA;
}

static atm_config default_config(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int writes)
{
    const ADIOI_AUTOTUNE_plan *plan = &state->root->default_plan;
    int mode = writes ? plan->cb_write : plan->cb_read;
    atm_config config = {.collective = mode != ADIOI_HINT_DISABLE,
                         .automatic = mode == ADIOI_HINT_AUTO,
                         .aggregators = plan->cb_nodes,
                         .order = order_of(state->root->default_ranks, plan->cb_nodes),
                         .buffer = (uint64_t) plan->cb_buffer_size,
                         .stripe_size =
                             fd->hints->striping_unit > 0 ? (uint64_t) fd->hints->striping_unit : 0,
                         .stripe_count = 1,
                         .co_ratio = plan->co_ratio > 0 ? plan->co_ratio : 1};

    if (fd->file_system == ADIO_LUSTRE)
        set_striping(fd, state, &config);
    if (fd->file_system == ADIO_GPFS) { /* elsewhere blksize is a default (ad_open.c) */
        config.block = fd->blksize > 0 ? (uint64_t) fd->blksize : 0;
        config.servers = atm_profile_servers(state->root->profile);
    }
    return config;
}

/* Fills in a request that is all zeros. */
static void fill_request(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, const atm_access *access,
                         int call, atm_request *request)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    const ADIOI_AUTOTUNE_settings *settings = root->settings;

    request->driver = model_driver(state->wrapped);
    request->mode = state->mode == ADIOI_AUTOTUNE_ENABLE ? ATM_ENABLE : ATM_AUTOMATIC;
    request->job.mpich = ADIOI_AUTOTUNE_MPICH;
    request->access = *access;
    request->access.cached = ADIOI_AUTOTUNE_cached(state, access, &request->written);
    request->life = ADIOI_AUTOTUNE_life(fd, state, call);
    request->defaults = default_config(fd, state, access->write);
    request->fixed = settings->fixed;
    request->fixed_order = settings->fixed_list;
    request->new_layout = chooses_layout(state);
    request->new_targets = request->new_layout && settings->striping.start < 0;
    request->repeats = ADIOI_AUTOTUNE_striping_repeats();
    request->servers = root->servers;
    request->memory = settings->memory;
    request->whole = settings->explain != NULL;
    request->fit = root->fit.fits != ATM_FIT_NOT_COMPARED ? &root->fit : NULL;
    /* without two-phase I/O, ranks without bytes run into a defect of ROMIO
     * (ad_write_str.c:343) */
    if (fd->hints->no_indep_rw || access->active_ranks < root->topology->ranks ||
        (access->write ? settings->fixed_write : settings->fixed_read))
        request->fixed |= 1u << ATM_FIX_COLLECTIVE;
    if (settings->fixed_list)
        request->fixed |= 1u << ATM_FIX_AGGREGATORS;
}

void ADIOI_AUTOTUNE_situation(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                              const atm_access *access, int call, atm_situation *situation_p)
{
    const ADIOI_AUTOTUNE_root *root = state->root;

    memset(situation_p, 0, sizeof(*situation_p));
    fill_request(fd, state, access, call, &situation_p->request);
    situation_p->topology = root->topology;
    situation_p->ranks = root->default_ranks;
    situation_p->profile = root->profile;
    situation_p->scale = root->scale;
    situation_p->past = call > 0 && root->looked ? &root->past : NULL;
    situation_p->look = root->look;
    situation_p->advice = ADIOI_AUTOTUNE_advice_get(root, &situation_p->occasion);
}

/* --- rank 0 */

/* A switch of two-phase I/O. */
static int switch_of(const atm_config *config)
{
    return !config->collective ? ADIOI_HINT_DISABLE
           : config->automatic ? ADIOI_HINT_AUTO
                               : ADIOI_HINT_ENABLE;
}

static ADIOI_AUTOTUNE_plan plan_for(const ADIOI_AUTOTUNE_root *root, const atm_decision *made)
{
    const atm_config *config = &made->answer.chosen.config;
    const atm_access *access = &made->asked.access;
    ADIOI_AUTOTUNE_plan plan = root->default_plan;

    plan.cb_buffer_size = (int) made->buffer;
    if (!made->tuned)
        return plan;
    plan.cb_nodes = config->aggregators;
    *(access->write ? &plan.cb_write : &plan.cb_read) = switch_of(config);
    if (config->by_size) { /* calls like this one, and no others */
        *(access->write ? &plan.cb_write : &plan.cb_read) = ADIOI_HINT_AUTO;
        plan.threshold = (int) (access->bytes_min / 2);
    }
    if (plan.co_ratio > 0)
        plan.co_ratio = config->co_ratio;
    return plan;
}

/* What a rule advises, then what the model adds to it, as far as there is room. */
static void give_reason(const ADIOI_AUTOTUNE_root *root, const atm_decision *made,
                        ADIOI_AUTOTUNE_decision *decision)
{
    const size_t size = sizeof(decision->reason);
    size_t used = 0;

    if (decision->advised[0] != '\0') {
        used = ADIOI_AUTOTUNE_append(size, decision->reason, used, "advised by ");
        used = ADIOI_AUTOTUNE_append(size, decision->reason, used, decision->advised);
        used = ADIOI_AUTOTUNE_append(size, decision->reason, used, "; beyond it: ");
    }
    ADIOI_AUTOTUNE_append(size, decision->reason, used, made->answer.reason.text);
    if (!made->tuned && made->answer.is_unsure)
        ADIOI_AUTOTUNE_say_next(root->profile, size, decision->reason);
}

/* Which rule holds, and why one was not followed. */
static void note_advice(const atm_decision *made, ADIOI_AUTOTUNE_decision *decision)
{
    const atm_advised *advised = &made->advised;
    char rule[32];

    decision->rule = advised->left_out ? 0 : advised->rule + 1;
    if (advised->fixed == 0)
        return;
    if (made->refused == ATM_OK) {
        atm_advised_say(advised, sizeof(decision->advised), decision->advised);
        return;
    }
    snprintf(rule, sizeof(rule), "rules[%d]", advised->rule);
    ADIOI_AUTOTUNE_refuse(decision->notes, sizeof(decision->notes), "romio_autotune_advice", rule,
                          atm_status_text(made->refused));
}

static void adopt(const ADIOI_AUTOTUNE_root *root, const atm_decision *made,
                  ADIOI_AUTOTUNE_decision *decision)
{
    const atm_prediction *prediction = &made->answer.chosen.prediction;
    double calls = made->answer.calls;

    decision->tuned = made->tuned;
    decision->plan = plan_for(root, made);
    decision->config = made->answer.chosen.config;
    decision->access.affinity = made->asked.access.affinity;
    decision->access.cached = made->asked.access.cached;
    decision->calls = calls;
    decision->uncertainty = prediction->uncertainty;
    decision->drain = prediction->drain;
    decision->capacity = prediction->capacity;
    for (int i = 0; i < ATM_PART_COUNT; i++)
        decision->parts[i] = prediction->parts[i] / calls;
    decision->parts[ATM_PARTITIONING] -= prediction->once / calls;
    note_advice(made, decision);
    give_reason(root, made, decision);
}

/* The wrapped driver's values; of these, the user's cap limits the buffers. */
static void keep_default(const ADIOI_AUTOTUNE_root *root, const char *why,
                         ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    ADIOI_AUTOTUNE_plan *plan = &decision->plan;

    decision->tuned = 0;
    decision->plan = root->default_plan;
    ADIOI_AUTOTUNE_append(sizeof(decision->reason), decision->reason, 0, why);
    if (root->topology != NULL && !(root->settings->fixed >> ATM_FIX_BUFFER & 1))
        plan->cb_buffer_size =
            (int) atm_buffer_within(root->topology, root->default_ranks, plan->cb_nodes,
                                    root->settings->memory, (uint64_t) plan->cb_buffer_size);
    memcpy(ranks, root->default_ranks, (size_t) plan->cb_nodes * sizeof(int));
}

static int is_in_effect(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                        const ADIOI_AUTOTUNE_decision *decision, const int *ranks)
{
    const ADIOI_AUTOTUNE_decision *last = &state->decision;

    return decision->tuned == last->tuned &&
           memcmp(&decision->plan, &last->plan, sizeof(decision->plan)) == 0 &&
           memcmp(ranks, fd->hints->ranklist, (size_t) decision->plan.cb_nodes * sizeof(int)) == 0;
}

/* The targets of the stripes of a late file; any, if none were picked. */
static void take_targets(ADIOI_AUTOTUNE_root *root, atm_decision *made)
{
    free(root->targets);
    root->targets = made->targets;
    root->target_count = made->target_count;
    made->targets = NULL;
}

static void ask_model(ADIO_File fd, ADIOI_AUTOTUNE_state *state, ADIOI_AUTOTUNE_decision *decision,
                      int *ranks)
{
    ADIOI_AUTOTUNE_root *root = state->root;
    atm_situation situation;
    const atm_request *request = &situation.request;
    atm_decision made;
    atm_status status;
    int *targets;

    ADIOI_AUTOTUNE_situation(fd, state, &decision->access, decision->call, &situation);
    situation.storage = ADIOI_AUTOTUNE_storage_ask(state, !request->new_layout, decision, &targets);
    status = atm_decide(&situation, root->answers, ranks, &made);
    if (status == ATM_OK)
        adopt(root, &made, decision);
    else
        keep_default(root, atm_status_text(status), decision, ranks);
    if (request->new_layout && request->access.write)
        take_targets(root, &made);
    decision->unchanged = root->reconsiders && is_in_effect(fd, state, decision, ranks);
    if (made.choice != NULL && request->whole && !decision->unchanged)
        ADIOI_AUTOTUNE_explain(state, &situation, &made, ranks, decision);
    atm_decision_clear(&made);
    if (targets != NULL)
        ADIOI_Free(targets);
}

/* For decision->access; ranks has room for every rank of the file. */
static void fill_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                          ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    memcpy(decision->notes, state->notes, sizeof(decision->notes));
    if (state->root->failure.text[0] == '\0')
        ask_model(fd, state, decision, ranks);
    else
        keep_default(state->root, state->root->failure.text, decision, ranks);
}

/* --- all ranks */

/* A decision and, if there are few, its aggregators, in one message; its remarks in another. */
typedef struct message {
    int ranks[16];
    int remarked;
    ADIOI_AUTOTUNE_decision decision;
} message;

enum { SHORT_LIST = sizeof(((message *) 0)->ranks) / sizeof(int) };

static size_t short_list(int count)
{
    return sizeof(int) * (size_t) (count < SHORT_LIST ? count : SHORT_LIST);
}

static int send_bytes(MPI_Comm comm, void *bytes, size_t count)
{
    return MPI_Bcast(bytes, (int) count, MPI_BYTE, 0, comm) == MPI_SUCCESS;
}

static int send_message(MPI_Comm comm, message *message)
{
    ADIOI_AUTOTUNE_decision *decision = &message->decision;
    size_t all = sizeof(*message), first = offsetof(struct message, decision.advised);

    message->remarked = decision->advised[0] != '\0' || decision->notes[0] != '\0';
    return send_bytes(comm, message, first) &&
           (!message->remarked || send_bytes(comm, (char *) message + first, all - first));
}

/* The message, then the aggregators if there are many; *ranks_p is allocated except
 * on rank 0.  0 if MPI fails. */
static int broadcast(MPI_Comm comm, int rank, message *message, int **ranks_p)
{
    int count;

    if (!send_message(comm, message))
        return 0;
    if (message->decision.unchanged)
        return 1;
    count = message->decision.plan.cb_nodes;
    if (rank != 0) {
        *ranks_p = ADIOI_Malloc((size_t) count * sizeof(int));
        memcpy(*ranks_p, message->ranks, short_list(count));
    }
    return count <= SHORT_LIST || send_bytes(comm, *ranks_p, (size_t) count * sizeof(int));
}

void ADIOI_AUTOTUNE_decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                           ADIOI_AUTOTUNE_decision *decision, int **ranks_p)
{
    message message;
    int rank, *ranks = NULL;

    memset(&message, 0, sizeof(message));
    message.decision = *decision;
    MPI_Comm_rank(fd->comm, &rank);
    if (rank == 0 && !decision->unchanged) {
        ranks = ADIOI_Malloc((size_t) state->ranks * sizeof(int));
        fill_decision(fd, state, &message.decision, ranks);
        memcpy(message.ranks, ranks, short_list(message.decision.plan.cb_nodes));
    }
    if (!broadcast(fd->comm, rank, &message, &ranks))
        message.decision.unchanged = 1;
    if (message.decision.unchanged && ranks != NULL) {
        ADIOI_Free(ranks);
        ranks = NULL;
    }
    *decision = message.decision;
    *ranks_p = ranks;
}
