/* Typical jobs of a machine. */

#include "typical.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "units.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)

/* --- jobs */

/* The largest value that a measured communication was trained with; 0: none. */
static double measured_max(const atm_profile *profile, atm_feature feature)
{
    double largest = 0, min, max;

    for (int i = ATM_ALLREDUCE; i <= ATM_BCAST; i++)
        if (atm_profile_learned(profile, (atm_operation) i) &&
            atm_surrogate_range(profile->operations[i], feature, &min, &max) && max > largest)
            largest = max;
    return largest < 1e6 ? largest : 0; /* a law for any size is no measurement */
}

/* A number that nobody varied is not in a training range: then the facts tell,
 * else a node of 16 cores. */
atm_job typical_job(const atm_profile *profile)
{
    double ranks = measured_max(profile, ATM_SENDERS), nodes = measured_max(profile, ATM_NODES);
    double per_node = measured_max(profile, ATM_PER_NODE);

    if (per_node < 1)
        per_node = profile->machine.cores > 0 ? (double) profile->machine.cores : 16;
    if (nodes < 1 && profile->machine.nodes > 0)
        nodes = (double) profile->machine.nodes;
    if (nodes < 1)
        nodes = ranks > 0 ? ceil(ranks / per_node) : 16;
    if (ranks < 1)
        ranks = nodes * per_node;
    if (nodes > ranks)
        nodes = ranks;
    return (atm_job){.ranks = (int) ranks, .nodes = (int) nodes};
}

static atm_job half(atm_job job)
{
    if (job.nodes > 1)
        return (atm_job){.ranks = job.ranks / 2, .nodes = job.nodes / 2};
    return (atm_job){.ranks = job.ranks > 1 ? job.ranks / 2 : 1, .nodes = 1};
}

/* --- file systems */

static bool contains(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (; *text != '\0'; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

/* ROMIO's driver for the machine's file system, by its name in the facts. */
static atm_driver driver_of(const atm_profile *profile)
{
    const char *name = profile->machine.file_system;

    if (contains(name, "lustre"))
        return ATM_LUSTRE;
    if (contains(name, "gpfs") || contains(name, "spectrum scale"))
        return ATM_GPFS;
    return contains(name, "nfs") ? ATM_NFS : ATM_UFS;
}

/* --- accesses */

typedef struct pattern {
    bool write;
    uint64_t bytes; /* 0: the profile's default */
    uint64_t piece; /* 0: one piece for each rank */
} pattern;

static const pattern patterns[] = {{true, 0, 0}, {true, 4 * MIB, 64 * KIB}, {false, 16 * MIB, MIB}};

enum { PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

static atm_access make_access(const pattern *pattern, uint64_t bytes, int ranks)
{
    atm_access access = {.write = pattern->write,
                         .new_file = pattern->write,
                         .active_ranks = ranks,
                         .bytes_min = bytes,
                         .bytes_max = bytes,
                         .bytes = bytes * (uint64_t) ranks,
                         .end = bytes * (uint64_t) ranks - 1,
                         .block = bytes};

    if (pattern->piece > 0 && ranks > 1) {
        access.strided = access.interleaved = true;
        access.block = pattern->piece;
        access.stride = pattern->piece * (uint64_t) ranks;
    }
    return access;
}

static void name_case(const pattern *pattern, uint64_t bytes, const atm_job *job, char *words,
                      size_t size)
{
    char pieces[48] = "one piece each";

    if (pattern->piece > 0)
        snprintf(pieces, sizeof(pieces), "pieces of %s in turn",
                 units_bytes((double) pattern->piece).text);
    snprintf(words, size, "%s of %s by each of %d rank%s on %d node%s, %s",
             pattern->write ? "write" : "read", units_bytes((double) bytes).text, job->ranks,
             job->ranks > 1 ? "s" : "", job->nodes, job->nodes > 1 ? "s" : "", pieces);
}

void typical_cases(const atm_profile *profile, typical_case cases[TYPICAL_CASES])
{
    atm_job jobs[2] = {typical_job(profile)};

    jobs[1] = half(jobs[0]);
    for (int i = 0; i < TYPICAL_CASES; i++) {
        const pattern *pattern = &patterns[i % PATTERNS];
        const atm_job *job = &jobs[i / PATTERNS];
        uint64_t bytes = pattern->bytes > 0 ? pattern->bytes : profile->defaults.access_size;
        atm_request *request = &cases[i].request;

        *request = (atm_request){.driver = driver_of(profile),
                                 .mode = ATM_AUTOMATIC,
                                 .job = *job,
                                 .access = make_access(pattern, bytes, job->ranks),
                                 .new_layout = pattern->write,
                                 .whole = true};
        request->defaults = atm_default_config(request->driver, job, profile);
        name_case(pattern, bytes, job, cases[i].words, sizeof(cases[i].words));
    }
}

/* --- configurations */

bool typical_collective(const atm_request *request, const atm_config *config)
{
    const atm_count_model *model = atm_count_model_for(request->driver, &request->access, config);

    return model != NULL && model->collective;
}

void typical_config(const atm_request *request, const atm_config *config, char *words, size_t size)
{
    char striping[64] = "";

    if (request->driver == ATM_LUSTRE)
        snprintf(striping, sizeof(striping), ", %d stripe%s of %s", config->stripe_count,
                 config->stripe_count != 1 ? "s" : "",
                 units_bytes((double) config->stripe_size).text);
    if (!typical_collective(request, config))
        snprintf(words, size, "independent access%s", striping);
    else if (request->driver == ATM_LUSTRE && request->access.write)
        snprintf(words, size, "%d aggregator%s%s", config->aggregators,
                 config->aggregators != 1 ? "s" : "", striping);
    else
        snprintf(words, size, "%d aggregator%s, %s%s", config->aggregators,
                 config->aggregators != 1 ? "s" : "", units_bytes((double) config->buffer).text,
                 striping);
}
