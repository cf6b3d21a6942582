/* The table of rules. */

#include "baselines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompio.h"

typedef struct baseline {
    const char *name, *summary;
    const char *why_not; /* where it never applies; "": it always does */
    /* Changes ROMIO's default; false where it does not apply. */
    bool (*rule)(const study *study, const sweep_instance *instance, atm_config *config);
} baseline;

#define MIB ((uint64_t) 1 << 20)

static int smaller(int one, int other)
{
    return one < other ? one : other;
}

/* --- rules */

/* Hints name aggregators; which of them write on Lustre, ROMIO decides. */
static void set_aggregators(const sweep_instance *instance, int aggregators, atm_config *config)
{
    config->aggregators = smaller(aggregators, instance->job.ranks);
    if (instance->driver == ATM_LUSTRE)
        config->aggregators = atm_lustre_writers(config->aggregators, config->stripe_count, 1);
}

/* As guides have it (ALCF's for Aurora: eight adapters, cb_config_list *:8, collective
 * buffering enabled). */
static bool set_node(const study *study, const sweep_instance *instance, atm_config *config)
{
    int each = study->nics > 0 ? smaller(study->nics, instance->per_node) : 1;

    config->collective = true;
    config->buffer = 16 * MIB;
    set_aggregators(instance, instance->job.nodes * each, config);
    return true;
}

/* Striping is for new files. */
static bool can_stripe(const sweep_instance *instance)
{
    return instance->driver == ATM_LUSTRE && instance->access.write;
}

static bool set_gio(const study *study, const sweep_instance *instance, atm_config *config)
{
    int stripes = instance->job.nodes;

    if (!can_stripe(instance))
        return false;
    config->collective = true;
    config->stripe_count = study->servers > 0 ? smaller(stripes, study->servers) : stripes;
    config->stripe_size = MIB;
    set_aggregators(instance, config->stripe_count, config);
    return true;
}

static bool set_cray(const study *study, const sweep_instance *instance, atm_config *config)
{
    (void) study;
    if (instance->driver != ATM_LUSTRE)
        return false;
    set_aggregators(instance, config->stripe_count, config);
    return true;
}

/* lfs setstripe -c -1, as ARCHER2's guide has it for shared files */
static bool set_cray_all(const study *study, const sweep_instance *instance, atm_config *config)
{
    if (!can_stripe(instance) || study->servers == 0)
        return false;
    config->stripe_count = study->servers;
    return set_cray(study, instance, config);
}

/* Every aggregator of OMPIO's writes, whatever the striping. */
static bool set_ompio(const study *study, const sweep_instance *instance, atm_config *config)
{
    const atm_access *access = &instance->access;

    (void) study;
    config->collective = true;
    config->buffer = OMPIO_BUFFER;
    config->aggregators = ompio_aggregators(instance->job.ranks, access->block, !access->strided);
    return true;
}

#define NO_STRIPES "no striping of new files on this ground"

static const baseline table[] = {
    {"rule-node", "an aggregator for each network adapter of a node, 16 MiB", "", set_node},
    {"gio", "PnetCDF GIO's rule: as many stripes of 1 MiB as nodes, a writer for each", NO_STRIPES,
     set_gio},
    {"cray", "Cray's rule: as many aggregators as the file has stripes by default",
     "no stripes on this ground", set_cray},
    {"cray-all", "the same with new files striped over all servers",
     NO_STRIPES ", or of servers not known", set_cray_all},
    {"ompio",
     "ROMIO with as many aggregators as Open MPI's OMPIO would take (at most one for 8 ranks), 32 "
     "MiB",
     "", set_ompio},
};

int baselines_count(void)
{
    return sizeof(table) / sizeof(table[0]);
}

/* --- what was measured */

enum { ASPECTS = 4 };

static double apart(double one, double other)
{
    return fabs(log(one / other));
}

/* Most important first; without aggregators neither they nor buffers matter. */
static void compare(const atm_config *one, const atm_config *other, double distance[ASPECTS])
{
    distance[0] = apart(one->stripe_count, other->stripe_count);
    distance[1] =
        one->stripe_size > 0 ? apart((double) one->stripe_size, (double) other->stripe_size) : 0;
    distance[2] = one->collective ? apart(one->aggregators, other->aggregators) : 0;
    distance[3] = one->collective ? apart((double) one->buffer, (double) other->buffer) : 0;
}

int baselines_nearest(const sweep_instance *instance, const atm_config *config, bool *exact_p)
{
    static const double none[ASPECTS] = {0};
    double least[ASPECTS] = {INFINITY}, distance[ASPECTS];
    int found = -1;

    for (int i = 0; i < instance->candidates; i++) {
        const atm_config *candidate = &instance->configs[i].config;
        int k = 0;

        if (candidate->collective != config->collective)
            continue;
        compare(config, candidate, distance);
        while (k < ASPECTS - 1 && distance[k] == least[k])
            k++;
        if (distance[k] >= least[k])
            continue;
        memcpy(least, distance, sizeof(least));
        found = i;
    }
    *exact_p = found >= 0 && memcmp(least, none, sizeof(least)) == 0;
    return found;
}

/* The rule's own run beside the sweep; -1: none. */
static int own_run(const sweep_instance *instance, const char *name)
{
    for (int i = instance->candidates; i < instance->count; i++)
        if (strcmp(instance->configs[i].variant, name) == 0)
            return i;
    return -1;
}

/* --- a strategy of each */

typedef struct tally {
    int applies, answers, defaults; /* instances */
    char example[224];              /* of a nearest one */
} tally;

static void pick(const study *study, const baseline *baseline, int i, study_strategy *out, tally *t)
{
    const sweep_instance *instance = &study->sweep->instances[i];
    atm_config config = instance->configs[instance->defaults].config;
    char asked[96], got[96];
    bool exact = true;
    int index;

    if (!baseline->rule(study, instance, &config))
        return;
    t->applies++;
    index = own_run(instance, baseline->name);
    if (index < 0)
        index = baselines_nearest(instance, &config, &exact);
    if (index < 0)
        return;
    study_pick(study, out, 0, i, index);
    t->answers++;
    t->defaults += exact && index == instance->defaults;
    if (exact || out->nearest++ > 0)
        return;
    sweep_words(instance, &config, asked, sizeof(asked));
    sweep_words(instance, &instance->configs[index].config, got, sizeof(got));
    snprintf(t->example, sizeof(t->example), "%s in place of %s", got, asked);
}

static atm_status describe(const tally *t, study_strategy *out)
{
    char nearest[320] = "", defaults[64] = "";

    if (out->nearest > 0)
        snprintf(nearest, sizeof(nearest),
                 "not measured on %d of %d instances, there the nearest: %s", out->nearest,
                 t->answers, t->example);
    if (t->defaults > 0)
        snprintf(defaults, sizeof(defaults), "%sROMIO's default on %d of %d instances",
                 out->nearest > 0 ? "; " : "", t->defaults, t->answers);
    if (nearest[0] == '\0' && defaults[0] == '\0')
        return ATM_OK;
    if (asprintf(&out->note, "%s%s", nearest, defaults) < 0) {
        out->note = NULL;
        return ATM_NO_MEMORY;
    }
    return ATM_OK;
}

atm_status baselines_run(const study *study, int number, study_strategy *out)
{
    const baseline *baseline = &table[number];
    tally t = {0};
    atm_status status;

    out->name = baseline->name;
    out->summary = baseline->summary;
    out->rule = true;
    status = study_strategy_make(study, 1, out);
    if (status != ATM_OK)
        return status;
    for (int i = 0; i < study->instances; i++)
        pick(study, baseline, i, out, &t);
    if (t.answers > 0)
        return describe(&t, out);
    out->repetitions = 0;
    out->why_not = strdup(t.applies > 0 ? "nothing near was measured"
                                        : baseline->why_not); /* study_strategy_clear */
    return out->why_not != NULL ? ATM_OK : ATM_NO_MEMORY;
}
