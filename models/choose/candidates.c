/* Configurations that make sense for a job, a machine and a driver. */

#include "candidates.h"

#include "counts/counts_inside.h"

#define MIB (UINT64_C(1) << 20)

enum {
    STRIPES_MAX = 2000, /* Lustre's LOV_MAX_STRIPE_COUNT */
    IDLE_MIN = 65536,   /* of a buffer that is not used */
    LARGE = 65536       /* least bytes of a write that need not be aggregated on Lustre */
};

/* --- small sorted sets */

enum { VALUES_MAX = 64 };

typedef struct values {
    uint64_t at[VALUES_MAX];
    int count;
} values;

/* Values outside [1, max], and those for which there is no room, are left out. */
static void add(values *set, uint64_t value, uint64_t max)
{
    int i = set->count;

    if (value < 1 || value > max || set->count == VALUES_MAX)
        return;
    while (i > 0 && set->at[i - 1] > value)
        i--;
    if (i > 0 && set->at[i - 1] == value)
        return;
    for (int k = set->count++; k > i; k--)
        set->at[k] = set->at[k - 1];
    set->at[i] = value;
}

/* base x 1, 2, 4, ... */
static void add_doubled(values *set, uint64_t base, uint64_t max)
{
    for (uint64_t value = base; value >= 1 && value <= max; value *= 2)
        add(set, value, max);
}

/* --- one dimension each */

typedef struct space {
    const atm_request *request;
    values aggregators, buffers, stripe_counts, stripe_sizes, co_ratios;
    atm_order orders[ATM_ORDER_COUNT];
    int order_count;
    uint64_t range;  /* bytes from the first to the last */
    uint64_t memory; /* the cap, or 0 */
    atm_config *configs;
    int count;
} space;

static bool is_fixed(const atm_request *request, atm_fix fix)
{
    return request->fixed >> fix & 1;
}

/* Who sets a hint of collective buffering wants it to be used.  Data sieving by ranks that
 * wait for each other's locks (ad_write_str.c:33) is what two-phase I/O exists to avoid, and
 * no calibration measures it.  On Lustre two-phase I/O of writes is never switched off, as ROMIO
 * would then fill a buffer of a whole stripe in every write of a strided type
 * (ad_lustre_wrstr.c:377): it leaves out large accesses of disjoint ranks if it is told what is
 * large (romio_lustre_coll_threshold; ad_lustre_aggregate.c, ADIOI_LUSTRE_Docollect). */
static bool may_be_independent(const atm_request *request)
{
    const atm_access *access = &request->access;

    if (access->write && access->strided && access->interleaved)
        return false;
    if (access->write && request->driver == ATM_LUSTRE &&
        (access->strided || access->interleaved || access->bytes_min < LARGE ||
         access->bytes_max > INT32_MAX))
        return false;
    return (request->fixed & (1u << ATM_FIX_COLLECTIVE | 1u << ATM_FIX_AGGREGATORS |
                              1u << ATM_FIX_BUFFER | 1u << ATM_FIX_CO_RATIO)) == 0;
}

static uint64_t at_least_0(int value)
{
    return value > 0 ? (uint64_t) value : 0;
}

/* Numbers that spread evenly: over nodes, psets, bridges, stripes. */
static void set_aggregators(const atm_request *request, values *set)
{
    uint64_t nodes = (uint64_t) request->job.nodes, ranks = (uint64_t) request->job.ranks;
    uint64_t bridges = at_least_0(request->bridges);

    add(set, (uint64_t) request->defaults.aggregators, ranks);
    if (is_fixed(request, ATM_FIX_AGGREGATORS))
        return;
    for (uint64_t every = 1; every < 2 * nodes; every *= 2) /* every n-th node */
        add(set, (nodes + every - 1) / every, ranks);
    add_doubled(set, nodes, ranks);
    add(set, ranks, ranks);
    add(set, nodes * at_least_0(request->nics), ranks);
    add_doubled(set, at_least_0(request->psets), ranks);
    add(set, bridges, ranks);
    for (uint64_t beside = 1; beside <= 64; beside *= 2) /* equation 2 */
        add(set, bridges * (beside + 1), ranks);
    if (request->driver == ATM_LUSTRE)
        add_doubled(set, at_least_0(request->defaults.stripe_count), ranks);
}

/* The unit that file accesses should be multiples of, 1 MiB or more. */
static uint64_t access_unit(const atm_request *request, const atm_profile *profile)
{
    uint64_t unit = profile->machine.block;

    if (request->driver == ATM_GPFS && request->defaults.block > 0)
        unit = request->defaults.block;
    if (request->driver == ATM_LUSTRE)
        unit = request->defaults.stripe_size;
    if (unit == 0 || unit > 256 * MIB)
        unit = MIB;
    while (unit < MIB)
        unit *= 2;
    return unit;
}

/* Up to what the cap leaves for one aggregator on a node; if it leaves less than a
 * unit for each rank of a node, also halves of a unit. */
static void set_buffers(const atm_request *request, const atm_profile *profile, uint64_t memory,
                        values *set)
{
    uint64_t nodes = (uint64_t) request->job.nodes;
    uint64_t per_node = ((uint64_t) request->job.ranks + nodes - 1) / nodes;
    uint64_t unit = access_unit(request, profile), max = 256 * MIB;

    if (is_fixed(request, ATM_FIX_BUFFER)) {
        add(set, request->defaults.buffer, UINT64_MAX);
        return;
    }
    if (memory > 0 && memory < max)
        max = memory;
    while (memory > 0 && unit > memory / per_node && unit > 1)
        unit /= 2;
    add_doubled(set, unit, max);
    add(set, request->defaults.buffer, max);
}

static bool may_steer(const atm_request *request)
{
    return request->new_layout && request->new_targets && request->steering != NULL;
}

/* Servers of the file system or, if that is not known, of the one the profile was measured on. */
static uint64_t servers_of(const atm_request *request, const atm_profile *profile)
{
    uint64_t servers =
        request->servers > 0 ? (uint64_t) request->servers : profile->machine.servers;

    return servers < STRIPES_MAX ? servers : STRIPES_MAX;
}

/* There are no candidates with more stripes than servers (they would be
 * clamped), and if the number of servers is not known, only the default is
 * safe. */
static void set_stripes(const atm_request *request, const atm_profile *profile, space *space)
{
    uint64_t servers = servers_of(request, profile);

    add(&space->stripe_counts, at_least_0(request->defaults.stripe_count), UINT64_MAX);
    if (request->new_layout && !is_fixed(request, ATM_FIX_STRIPE_COUNT)) {
        add_doubled(&space->stripe_counts, 1, servers);
        add(&space->stripe_counts, servers, servers);
        add(&space->stripe_counts, (uint64_t) request->job.nodes, servers);
        if (may_steer(request))
            add(&space->stripe_counts, (uint64_t) atm_steering_fast(request->steering), servers);
    }
    add(&space->stripe_sizes, request->defaults.stripe_size, UINT64_MAX);
    if (request->new_layout && !is_fixed(request, ATM_FIX_STRIPE_SIZE))
        add_doubled(&space->stripe_sizes, MIB,
                    2 * space->range < 64 * MIB ? 2 * space->range : 64 * MIB);
    add(&space->co_ratios, at_least_0(request->defaults.co_ratio), UINT64_MAX);
    if (!is_fixed(request, ATM_FIX_CO_RATIO))
        add_doubled(&space->co_ratios, 1, 8);
}

/* Near the data, no byte goes farther than otherwise: another order can only be of use to
 * storage, where the profile tells. */
static void set_orders(const atm_request *request, const atm_profile *profile, space *space)
{
    double min, max;

    if (request->fixed_order) {
        space->orders[space->order_count++] = request->defaults.order;
        return;
    }
    space->orders[space->order_count++] = ATM_BY_DATA;
    for (int i = ATM_WRITE_FIRST; i <= ATM_READ_PARTIAL && request->job.groups > 1; i++)
        if (atm_surrogate_range(profile->operations[i], ATM_FAR, &min, &max)) {
            space->orders[space->order_count++] = ATM_BY_PSET;
            return;
        }
}

/* --- together */

static bool runs_collectively(const atm_request *request, const atm_config *config)
{
    const atm_count_model *model = atm_count_model_for(request->driver, &request->access, config);

    return model != NULL && model->collective;
}

static bool same_effect(const atm_request *request, const atm_config *one, const atm_config *other)
{
    bool collective = runs_collectively(request, one);

    if (collective != runs_collectively(request, other) || one->buffer != other->buffer ||
        one->stripe_size != other->stripe_size || one->stripe_count != other->stripe_count ||
        one->servers != other->servers || one->steered != other->steered)
        return false;
    return !collective || (one->aggregators == other->aggregators &&
                           one->co_ratio == other->co_ratio && one->order == other->order);
}

static void append(space *space, atm_config config)
{
    if (space->count == CANDIDATES_MAX ||
        (space->count > 0 && same_effect(space->request, &config, &space->configs[0])))
        return;
    space->configs[space->count++] = config;
}

/* A buffer that aggregators have but do not use: halved until it fits under the cap beside
 * `writers` stripes, but not below a stripe, because some of ROMIO's methods then end the
 * program (ad_lustre_wrcoll.c:1063). */
static uint64_t idle_buffer(const space *space, const atm_config *config, uint64_t writers)
{
    atm_config idle = *config;
    uint64_t least = config->stripe_size > IDLE_MIN ? config->stripe_size : IDLE_MIN;

    if (space->memory == 0 || is_fixed(space->request, ATM_FIX_BUFFER))
        return config->buffer;
    while (idle.buffer / 2 >= least &&
           counts_memory(&space->request->job, &idle, writers, idle.stripe_size) > space->memory)
        idle.buffer /= 2;
    return idle.buffer;
}

/* The same, but with independent access. */
static void append_independent(space *space, atm_config config)
{
    if (!is_fixed(space->request, ATM_FIX_COLLECTIVE))
        config.collective = config.automatic = false;
    config.buffer = idle_buffer(space, &config, 0);
    append(space, config);
}

/* A buffer twice as large as a file domain is useless. */
static void list_two_phase(space *space, atm_config config)
{
    for (int i = 0; i < space->aggregators.count; i++) {
        uint64_t aggregators = space->aggregators.at[i];
        uint64_t domain = (space->range + aggregators - 1) / aggregators;

        for (int k = 0; k < space->buffers.count; k++) {
            if (k > 0 && space->buffers.at[k - 1] >= domain)
                break;
            config.aggregators = (int) aggregators;
            config.buffer = space->buffers.at[k];
            for (int o = 0; o < space->order_count; o++) {
                config.order = space->orders[o];
                append(space, config);
            }
        }
    }
}

static void append_layout(space *space, atm_config config)
{
    config.buffer = idle_buffer(space, &config, (uint64_t) config.aggregators);
    append(space, config);
}

static void append_writers(space *space, atm_config config, uint64_t writers)
{
    if (writers > (uint64_t) space->request->job.ranks)
        return;
    config.aggregators = (int) writers;
    append_layout(space, config);
}

/* Lustre writes: as many aggregators as will write (ad_lustre_aggregate.c:49-83),
 * a multiple of the stripes or a half or a quarter of them. */
static void list_lustre_writers(space *space, atm_config config)
{
    uint64_t stripes = (uint64_t) config.stripe_count;
    bool fixed = is_fixed(space->request, ATM_FIX_AGGREGATORS);

    for (int i = 0; i < space->co_ratios.count; i++) {
        uint64_t writers = stripes * space->co_ratios.at[i];

        config.co_ratio = (int) space->co_ratios.at[i];
        if (!fixed)
            append_writers(space, config, writers);
        else if (i == 0 || (uint64_t) config.aggregators >= writers)
            append_layout(space, config);
    }
    /* fewer would write the stripes of busy targets in one round, and only others in the next */
    if (fixed || config.servers > 0)
        return;
    config.co_ratio = (int) space->co_ratios.at[0];
    for (uint64_t part = 2; part <= 4 && stripes % part == 0; part *= 2)
        append_writers(space, config, stripes / part);
    if (stripes > (uint64_t) space->request->job.ranks)
        append_writers(space, config, (uint64_t) space->request->job.ranks);
}

/* Data sieving reads, fills and writes whole stripes (ad_lustre_wrstr.c:29): no stripes
 * larger than the default. */
static bool fits_sieving(const space *space, const atm_config *layout)
{
    return !space->request->access.strided ||
           layout->stripe_size <= space->request->defaults.stripe_size;
}

/* Lists layouts with more stripes on fast targets than on slow ones, all written in every round. */
static void list_repeated(space *space, const atm_profile *profile, atm_config config)
{
    const atm_request *request = space->request;
    int writers = is_fixed(request, ATM_FIX_AGGREGATORS) ? config.aggregators : request->job.ranks;

    if (!may_steer(request) || !request->repeats || is_fixed(request, ATM_FIX_STRIPE_COUNT))
        return;
    config.stripe_count = atm_steering_repeat(request->steering, writers);
    config.servers = atm_steering_repeat_targets(request->steering);
    config.steered = true;
    if (config.stripe_count == 0 || (uint64_t) config.servers > servers_of(request, profile))
        return;
    for (int k = 0; k < space->stripe_sizes.count; k++) {
        config.stripe_size = space->stripe_sizes.at[k];
        list_lustre_writers(space, config);
    }
}

/* Writes: if the user has switched off two-phase I/O, layouts only. */
static void list_lustre_layouts(space *space, const atm_profile *profile, const atm_config *config)
{
    bool collective = runs_collectively(space->request, config);

    for (int i = 0; i < space->stripe_counts.count; i++)
        for (int k = 0; k < space->stripe_sizes.count; k++) {
            atm_config layout = *config;

            layout.stripe_count = (int) space->stripe_counts.at[i];
            layout.stripe_size = space->stripe_sizes.at[k];
            layout.steered = may_steer(space->request) &&
                             layout.stripe_count <= atm_steering_targets(space->request->steering);
            if (collective)
                list_lustre_writers(space, layout);
            layout.by_size = collective;
            if (collective ? may_be_independent(space->request) : fits_sieving(space, &layout))
                append_independent(space, layout);
        }
    if (collective)
        list_repeated(space, profile, *config);
}

int candidates_list(const atm_request *request, const atm_profile *profile, uint64_t memory,
                    atm_config *configs)
{
    space space = {.request = request,
                   .range = request->access.end - request->access.start + 1,
                   .memory = memory,
                   .configs = configs};
    atm_config config = request->defaults;

    append(&space, config);
    if (!is_fixed(request, ATM_FIX_COLLECTIVE)) {
        config.collective = true;
        config.automatic = false;
    }
    set_aggregators(request, &space.aggregators);
    set_buffers(request, profile, memory, &space.buffers);
    set_stripes(request, profile, &space);
    set_orders(request, profile, &space);
    if (request->driver == ATM_LUSTRE && request->access.write) {
        if (!request->fixed_order)
            config.order = ATM_BY_PSET; /* the first ones write: ad_lustre_aggregate.c:115 */
        list_lustre_layouts(&space, profile, &config);
        return space.count;
    }
    if (runs_collectively(request, &config))
        list_two_phase(&space, config);
    if (!runs_collectively(request, &config) || may_be_independent(request))
        append_independent(&space, config);
    return space.count;
}
