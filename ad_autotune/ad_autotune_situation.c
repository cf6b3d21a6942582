#include "ad_autotune_decide.h"

#include "ad_autotune_late.h"
#include "adioi.h"

#include <string.h>

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

/* Of a request that is all zeros. */
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
    situation_p->advice = ADIOI_AUTOTUNE_advice_get(root, &situation_p->occasion);
}
