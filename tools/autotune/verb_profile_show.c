/* autotune profile show: a profile in words. */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "value/words.h"
#include "verb_profile.h"
#include "common/grid.h"
#include "common/typical.h"
#include "common/machine_words.h"
#include "common/units.h"

/* --- facts */

void profile_print_text(const char *name, const char *value)
{
    printf("  %-16s %s\n", name, value);
}

void profile_print_machine(const atm_machine *machine)
{
    for (const atm_fact *fact = atm_facts; fact < atm_facts + ATM_FACT_COUNT; fact++) {
        units_text room;
        const char *text = facts_text(machine, fact, &room);

        if (text[0] != '\0' && strcmp(fact->name, "name") != 0)
            profile_print_text(fact->name, text);
    }
}

static void print_facts(const atm_profile *profile)
{
    printf("%s: profile of %s\n", profile->source,
           profile->machine.name[0] != '\0' ? profile->machine.name : "a machine without a name");
    profile_print_machine(&profile->machine);
    profile_print_text("access size", units_bytes((double) profile->defaults.access_size).text);
    profile_print_text("buffers", units_bytes((double) profile->defaults.memory).text);
}

/* --- operations */

static void print_range(const atm_surrogate *surrogate, atm_feature feature, int width)
{
    double min, max;
    char text[64] = "any";

    if (atm_surrogate_range(surrogate, feature, &min, &max)) {
        if (feature == ATM_BYTES)
            snprintf(text, sizeof(text), "%s - %s", units_bytes(min).text, units_bytes(max).text);
        else
            snprintf(text, sizeof(text), "%.6g - %.6g", min, max);
    }
    printf("  %-*s", width, text);
}

static void print_operation(const atm_profile *profile, atm_operation operation)
{
    const atm_surrogate *surrogate = profile->operations[operation];
    const atm_scaled *scaled = atm_surrogate_scaled(surrogate);
    bool storage = operation >= ATM_WRITE_FIRST;

    if (profile->generic[operation]) {
        printf("  %-18s not measured: costs of a generic cluster\n", atm_operation_name(operation));
        return;
    }
    printf("  %-18s %-7s %6s", atm_operation_name(operation), atm_surrogate_model(surrogate),
           units_share(atm_surrogate_error(surrogate)).text);
    print_range(surrogate, ATM_NODES, 10);
    print_range(surrogate, storage ? ATM_RECEIVERS : ATM_SENDERS, 12);
    print_range(surrogate, ATM_BYTES, 0);
    if (scaled != NULL)
        printf("  (%" PRId64 " points: scaled by %s)", scaled->points, scaled->donor);
    printf("\n");
}

/* For the job whose costs are printed. */
static void print_cache(const atm_profile *profile)
{
    const atm_job job = typical_job(profile);
    const double features[ATM_FEATURE_COUNT] = {
        [ATM_NODES] = job.nodes, [ATM_RECEIVERS] = job.nodes, [ATM_STRIPES] = 1};

    if (profile->write_cache.bytes > 0)
        printf("  caches of writes hold %s (error %s) for %d writer%s on %d node%s\n",
               units_bytes(atm_write_cache_capacity(&profile->write_cache, features)).text,
               units_share(profile->write_cache.error).text, job.nodes,
               atm_plural((uint64_t) job.nodes), job.nodes, atm_plural((uint64_t) job.nodes));
}

static void print_operations(const atm_profile *profile)
{
    printf("\noperation            model    error  nodes       ranks         bytes\n");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (atm_profile_uses(profile, (atm_operation) i))
            print_operation(profile, (atm_operation) i);
    print_cache(profile);
}

/* --- costs */

static const double sizes[] = {8, 1024, 65536, 1048576, 16777216};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

/* What the operation costs in this job; storage: with one accessing rank on
 * each node. */
static double cost(const atm_profile *profile, atm_operation operation, const atm_job *job,
                   double bytes)
{
    bool storage = operation >= ATM_WRITE_FIRST, exchange = operation == ATM_EXCHANGE;
    double receivers = storage || exchange ? job->nodes : job->ranks;
    atm_cost_item item = {
        .operation = operation,
        .features = {[ATM_NODES] = job->nodes,
                     [ATM_PER_NODE] = storage ? 1 : (double) job->ranks / job->nodes,
                     [ATM_SENDERS] = job->ranks,
                     [ATM_RECEIVERS] = receivers,
                     [ATM_BYTES] = bytes,
                     [ATM_STRIPES] = 1,
                     [ATM_MESSAGES] = exchange ? job->ranks * receivers : 1,
                     [ATM_FAR] = 1,
                     [ATM_LINK] = exchange ? 1 + job->ranks * (1 - 1.0 / job->nodes) : 1,
                     [ATM_UPLINK] = 1}};

    return atm_estimate_item(profile, &item, NULL).seconds;
}

static void print_costs(const atm_profile *profile)
{
    atm_job job = typical_job(profile);

    printf("\ncost for %d rank%s on %d node%s (storage, exchange: one aggregator on a node)\n",
           job.ranks, atm_plural((uint64_t) job.ranks), job.nodes,
           atm_plural((uint64_t) job.nodes));
    printf("%-20s", "");
    for (int i = 0; i < SIZES; i++)
        printf(" %8s", units_bytes(sizes[i]).text);
    printf("  bandwidth\n");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        double costs[SIZES], slope;

        if (!atm_profile_uses(profile, (atm_operation) i))
            continue;
        printf("  %-18s", atm_operation_name(i));
        for (int k = 0; k < SIZES; k++) {
            costs[k] = cost(profile, (atm_operation) i, &job, sizes[k]);
            printf(" %8s", units_seconds(costs[k]).text);
        }
        /* between the two largest, where latency plays no part */
        slope = (sizes[SIZES - 1] - sizes[SIZES - 2]) / (costs[SIZES - 1] - costs[SIZES - 2]);
        printf("  %9s\n", slope > 0 ? units_rate(slope).text : "-");
    }
}

/* --- jobs */

#define NINE_IN_TEN 1.645 /* standard deviations on either side of a normal error */

static void print_candidate(const char *name, const atm_request *request,
                            const atm_candidate *candidate)
{
    char words[128];

    typical_config(request, &candidate->config, words, sizeof(words));
    printf("    %-8s %8s (%s), %s\n", name, units_seconds(candidate->prediction.seconds).text,
           atm_range(1, candidate->prediction.uncertainty).text, words);
}

/* Prints the gain with its own interval, which is narrow: errors that both predictions share cancel
 * in the ratio. */
static void print_gain(const atm_choice *choice)
{
    double gain = choice->candidates[0].prediction.seconds /
                  choice->candidates[choice->chosen].prediction.seconds;

    printf("    that is  %.3g times as fast, nine times in ten %.3g to %.3g\n", gain,
           gain * exp(-NINE_IN_TEN * choice->deviation),
           gain * exp(NINE_IN_TEN * choice->deviation));
}

static void print_jobs(const atm_profile *profile)
{
    typical_case cases[TYPICAL_CASES];

    printf("\ntypical jobs\n");
    typical_cases(profile, cases);
    for (int i = 0; i < TYPICAL_CASES; i++) {
        atm_choice *choice;

        printf("  %s\n", cases[i].words);
        if (atm_choose(&cases[i].request, profile, &choice) != ATM_OK) {
            printf("    no configuration is allowed\n");
            continue;
        }
        print_candidate("default", &cases[i].request, &choice->candidates[0]);
        if (choice->chosen != 0) {
            print_candidate("chosen", &cases[i].request, &choice->candidates[choice->chosen]);
            print_gain(choice);
        } else {
            printf("    chosen   the default: %s\n", choice->reason.text);
        }
        atm_choice_destroy(choice);
    }
}

int profile_show(char *path, bool brief)
{
    profile_file file;

    if (!profile_file_open(path, &file))
        return 2;
    if (file.points != NULL) {
        profile_show_points(file.points);
    } else {
        if (!brief)
            print_facts(file.profile);
        print_operations(file.profile);
        if (!brief)
            print_costs(file.profile);
        print_jobs(file.profile);
    }
    profile_file_close(&file);
    return 0;
}
