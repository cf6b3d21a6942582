/* Sweeps: the document, its ground, its instances. */

#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_parts.h"
#include "formats/formats.h"

enum { INSTANCES_MAX = 10000, CONFIGS_MAX = 1000, CALLS_MAX = 1000000, RANKS_MAX = 1 << 24 };

/* --- the frame */

static atm_status check_format(const atm_value *root, atm_message *message)
{
    static const char *const keys[] = {"format", "version", "ground", "instances", NULL};
    int version;
    atm_status status = atm_check_format(root, SWEEP_FORMAT, SWEEP_VERSION, message, &version);

    return status == ATM_OK ? atm_check_keys(root, keys, message) : status;
}

static atm_status read_ground(sweep *read, atm_message *message)
{
    static const char *const keys[] = {"name", "kind",  "title", "version",
                                       "date", "facts", "seed",  NULL};
    static const char *const kinds[] = {"simulated", "stand-in", "measured"};
    const atm_value *ground;
    const char *text;
    int64_t seed;
    size_t kind;
    atm_status status = atm_get_object(read->root, "ground", message, &ground);

    if (status == ATM_OK)
        status = atm_check_keys(ground, keys, message);
    if (status == ATM_OK)
        status = atm_get_string(ground, "name", message, &read->name);
    if (status == ATM_OK)
        status = atm_get_choice(ground, "kind", kinds, 3, message, &kind);
    if (status == ATM_OK)
        status = atm_get_string(ground, "title", message, &read->title);
    if (status == ATM_OK)
        status = atm_get_string(ground, "version", message, &read->version);
    if (status == ATM_OK)
        status = atm_get_string(ground, "date", message, &read->date);
    if (status == ATM_OK)
        status = atm_opt_integer(ground, "seed", 0, ATM_MAX_INTEGER, message, &seed);
    if (status == ATM_OK)
        status = atm_get_object(ground, "facts", message, &read->facts);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(read->facts); i++)
        status = atm_get_string(atm_value_item(read->facts, i), NULL, message, &text);
    if (status == ATM_OK)
        read->kind = kinds[kind];
    return status;
}

/* --- instances */

/* One piece of each rank, or pieces dealt out in turn: the most general summary
 * that the format can express. */
static atm_status make_access(const atm_value *object, sweep_instance *i, uint64_t bytes,
                              atm_message *message)
{
    uint64_t ranks = (uint64_t) i->job.ranks;
    atm_access *access = &i->access;

    if (bytes > ((UINT64_C(1) << 60) - 1) / ranks)
        return atm_complain(object, "bytes", message, "are too many for %d ranks", i->job.ranks);
    if (i->piece > bytes)
        return atm_complain(object, "strided", message, "is more than bytes");
    access->new_file = true;
    access->active_ranks = i->job.ranks;
    access->bytes_min = access->bytes_max = access->block = bytes;
    access->bytes = bytes * ranks;
    access->end = bytes * ranks - 1;
    if (i->piece > 0 && i->piece < bytes && ranks > 1) {
        access->strided = access->interleaved = true;
        access->block = i->piece;
        access->stride = i->piece * ranks;
    }
    return ATM_OK;
}

static atm_status read_access(const atm_value *value, sweep_instance *i, atm_message *message)
{
    static const char *const keys[] = {"write", "bytes", "strided", "affinity", "calls", NULL};
    const atm_value *object;
    int64_t bytes, piece = 0, calls = 1;
    atm_status status = atm_get_object(value, "access", message, &object);

    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    if (status == ATM_OK)
        status = atm_get_truth(object, "write", message, &i->access.write);
    if (status == ATM_OK)
        status = atm_get_integer(object, "bytes", 1, ATM_MAX_INTEGER, message, &bytes);
    if (status == ATM_OK)
        status = atm_opt_integer(object, "strided", 0, ATM_MAX_INTEGER, message, &piece);
    if (status == ATM_OK)
        status = atm_opt_number(object, "affinity", 0, 1, message, &i->access.affinity);
    if (status == ATM_OK)
        status = atm_opt_integer(object, "calls", 1, CALLS_MAX, message, &calls);
    if (status != ATM_OK)
        return status;
    i->piece = (uint64_t) piece;
    i->calls = (int) calls;
    return make_access(object, i, (uint64_t) bytes, message);
}

static atm_status read_job(const atm_value *value, sweep_instance *i, atm_message *message)
{
    static const char *const drivers[ATM_DRIVER_COUNT] = {
        [ATM_UFS] = "ufs", [ATM_NFS] = "nfs", [ATM_GPFS] = "gpfs", [ATM_LUSTRE] = "lustre"};
    int64_t nodes, per_node, psets = 0, bridges = 0;
    size_t driver;
    atm_status status = atm_get_string(value, "name", message, &i->name);

    if (status == ATM_OK)
        status = atm_get_choice(value, "driver", drivers, ATM_DRIVER_COUNT, message, &driver);
    if (status == ATM_OK)
        status = atm_get_integer(value, "nodes", 1, RANKS_MAX, message, &nodes);
    if (status == ATM_OK)
        status = atm_get_integer(value, "per_node", 1, RANKS_MAX / nodes, message, &per_node);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "psets", 0, nodes, message, &psets);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "bridges", 0, nodes, message, &bridges);
    if (status != ATM_OK)
        return status;
    i->driver = (atm_driver) driver;
    i->job = (atm_job){.ranks = (int) (nodes * per_node),
                       .nodes = (int) nodes,
                       .groups = (int) (psets > 1 ? psets : nodes)};
    for (int k = 0; k < ATM_APART; k++) { /* groups follow each other */
        i->job.apart[k] = fmin(1, ldexp(i->job.groups - 1, k) / i->job.ranks);
        i->job.astray.node[k] = fmax(0, 1 - ldexp(1, k) / i->job.nodes);
        i->job.astray.group[k] = fmax(0, 1 - ldexp(1, k) / i->job.groups);
    }
    i->per_node = (int) per_node;
    i->psets = (int) psets;
    i->bridges = (int) bridges;
    return ATM_OK;
}

static atm_status read_apart(const atm_value *value, sweep_instance *i, atm_message *message)
{
    double *apart;
    size_t count;
    atm_status status;

    if (atm_value_find(value, "apart") == NULL)
        return ATM_OK;
    status = atm_get_numbers(value, "apart", ATM_APART, ATM_APART, 0, 1, message, &apart, &count);
    if (status != ATM_OK)
        return status;
    memcpy(i->job.apart, apart, count * sizeof(*apart));
    free(apart);
    return ATM_OK;
}

static atm_status read_instance(const atm_value *value, sweep_instance *i, atm_message *message)
{
    static const char *const keys[] = {"name",   "driver",         "nodes",  "per_node",
                                       "psets",  "bridges",        "apart",  "block",
                                       "access", "configurations", "choice", NULL};
    const atm_value *configs;
    int64_t block = 0;
    atm_status status = atm_check_keys(value, keys, message);

    if (status == ATM_OK)
        status = read_job(value, i, message);
    if (status == ATM_OK)
        status = read_apart(value, i, message);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "block", 1, INT32_MAX, message, &block);
    if (status == ATM_OK)
        status = read_access(value, i, message);
    if (status == ATM_OK)
        status = atm_get_array(value, "configurations", 1, CONFIGS_MAX, message, &configs);
    if (status == ATM_OK)
        status = sweep_read_configs(configs, (uint64_t) block, i, message);
    if (status == ATM_OK && atm_value_find(value, "choice") != NULL)
        status = sweep_read_choice(value, (uint64_t) block, i, message);
    return status;
}

static atm_status check_names(const atm_value *list, const sweep *read, atm_message *message)
{
    for (int i = 0; i < read->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(read->instances[i].name, read->instances[k].name) == 0)
                return atm_complain(atm_value_item(list, (size_t) i), "name", message,
                                    "is that of instances[%d]", k);
    return ATM_OK;
}

static atm_status fill(sweep *read, atm_message *message)
{
    const atm_value *list;
    atm_status status = check_format(read->root, message);

    if (status == ATM_OK)
        status = read_ground(read, message);
    if (status == ATM_OK)
        status = atm_get_array(read->root, "instances", 1, INSTANCES_MAX, message, &list);
    if (status != ATM_OK)
        return status;
    read->instances = calloc(atm_value_length(list), sizeof(*read->instances));
    if (read->instances == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(list); i++) {
        read->count++; /* to be destroyed also if it is only half read */
        status = read_instance(atm_value_item(list, i), &read->instances[i], message);
    }
    return status == ATM_OK ? check_names(list, read, message) : status;
}

atm_status sweep_read(const char *path, atm_message *message, sweep **sweep_p)
{
    sweep *read = calloc(1, sizeof(*read)); /* sweep_destroy */
    atm_status status = ATM_NO_MEMORY;

    if (read != NULL)
        status = atm_value_read(path, message, &read->root);
    if (status == ATM_OK)
        status = fill(read, message);
    if (status == ATM_OK)
        *sweep_p = read;
    else
        sweep_destroy(read);
    return status;
}

void sweep_destroy(sweep *sweep)
{
    if (sweep == NULL)
        return;
    for (int i = 0; i < sweep->count; i++) {
        sweep_instance *instance = &sweep->instances[i];

        for (int k = 0; k < instance->count; k++) {
            free(instance->configs[k].times.seconds);
            free(instance->configs[k].in_call.seconds);
        }
        free(instance->configs);
        free(instance->choice.times.seconds);
    }
    free(sweep->instances);
    atm_value_destroy(sweep->root);
    free(sweep);
}
