/* What the performance model predicts for the points of a space. */

#include "prior.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/advise.h"
#include "seen_io.h"
#include "files/asked.h"
#include "fnv.h"

enum {
    KNOWN = 8192,    /* predictions that are remembered; a power of two */
    METADATA = 65536 /* bytes of a write that is data */
};

typedef struct known {
    bool used;
    atm_settings set;
    double seconds;
} known;

struct ats_prior {
    const ats_space *space;
    const atm_profile *profile;
    atm_memo *memo;
    int count;
    atm_request requests[ATS_FACTS_ACCESSES];
    double apart;      /* seconds of other writes in the default's run, */
    bool has_metadata; /* which were small */
    known *remembered; /* [KNOWN] by settings that matter */
};

static bool find_driver(const atm_value *facts, atm_driver *driver_p)
{
    const char *names[ATM_DRIVER_COUNT];
    size_t index;

    for (int i = 0; i < ATM_DRIVER_COUNT; i++)
        names[i] = atm_driver_name((atm_driver) i);
    if (atm_get_choice(facts, "driver", names, ATM_DRIVER_COUNT, NULL, &index) != ATM_OK)
        return false;
    *driver_p = (atm_driver) index;
    return true;
}

static bool read_access(const atm_value *object, const atm_request *common, atm_request *request_p)
{
    atm_request request = *common;
    int64_t calls;

    if (atm_get_integer(object, "calls", 1, ATM_CALLS_MAX, NULL, &calls) != ATM_OK ||
        atm_get_access(object, "access", NULL, &request.access) != ATM_OK ||
        atm_get_config(object, "config", NULL, &request.defaults) != ATM_OK)
        return false;
    request.life.calls = (double) calls;
    request.new_layout = request.access.write;
    *request_p = request;
    return true;
}

static void read_apart(const atm_value *facts, ats_prior *prior)
{
    const atm_value *apart = atm_value_find(facts, "apart");
    int64_t writes, bytes;
    double seconds;

    if (apart == NULL || atm_get_integer(apart, "writes", 1, INT64_MAX, NULL, &writes) != ATM_OK ||
        atm_get_integer(apart, "bytes", 0, INT64_MAX, NULL, &bytes) != ATM_OK ||
        atm_get_number(apart, "seconds", 0, 1e9, NULL, &seconds) != ATM_OK)
        return;
    prior->apart = seconds;
    prior->has_metadata = bytes / writes < METADATA;
}

static bool read_facts(ats_prior *prior, const atm_value *facts)
{
    atm_request common = {.mode = ATM_ENABLE};
    const atm_value *accesses;
    int64_t ranks, nodes;

    if (facts == NULL || !find_driver(facts, &common.driver) ||
        atm_get_integer(facts, "ranks", 1, INT_MAX, NULL, &ranks) != ATM_OK ||
        atm_get_integer(facts, "nodes", 1, ranks, NULL, &nodes) != ATM_OK ||
        atm_get_array(facts, "accesses", 1, ATS_FACTS_ACCESSES, NULL, &accesses) != ATM_OK)
        return false;
    common.job = (atm_job){.ranks = (int) ranks, .nodes = (int) nodes};
    for (size_t i = 0; i < atm_value_length(accesses); i++)
        if (read_access(atm_value_item(accesses, i), &common, &prior->requests[prior->count]))
            prior->count++;
    read_apart(facts, prior);
    return prior->count > 0;
}

ats_prior *ats_prior_create(const ats_space *space, const atm_profile *profile,
                            const atm_value *facts, atm_message *message)
{
    ats_prior *prior = calloc(1, sizeof(*prior));

    if (prior == NULL)
        return NULL;
    prior->space = space;
    prior->profile = profile;
    prior->memo = atm_memo_create(profile);
    prior->remembered = calloc(KNOWN, sizeof(*prior->remembered));
    if (prior->remembered != NULL && read_facts(prior, facts) &&
        isfinite(ats_prior_seconds(prior, &(ats_point){{0}})))
        return prior;
    snprintf(message->text, sizeof(message->text),
             "the default's run has no record of collective accesses that can be predicted");
    ats_prior_destroy(prior);
    return NULL;
}

void ats_prior_destroy(ats_prior *prior)
{
    if (prior == NULL)
        return;
    atm_memo_destroy(prior->memo);
    free(prior->remembered);
    free(prior);
}

/* --- what HDF5 makes of an access
 *
 * The default's run tells what is accessed, not of which data sets.  So a call counts as one that
 * writes a data set of its own, contiguous by default; for data sets that are known,
 * hdf5/variants.h is exact.
 */

static void align(const atm_settings *set, atm_access *access)
{
    uint64_t boundary = set->values[ATM_SET_HDF5_ALIGNMENT], over;

    if (!set->has[ATM_SET_HDF5_ALIGNMENT] || boundary < 2 || access->bytes < set->threshold)
        return;
    over = access->start % boundary;
    if (over == 0 || access->end > UINT64_MAX - boundary)
        return;
    access->start += boundary - over;
    access->end += boundary - over;
}

/* Chunks are filled when they are allocated, which is before anything is written (hdf5/set.h). */
static bool fills(const atm_settings *set)
{
    return (set->has[ATM_SET_HDF5_CHUNK_BYTES] || set->has[ATM_SET_HDF5_CHUNK]) &&
           !(set->has[ATM_SET_HDF5_FILL] &&
             strcmp(atm_setting_word(ATM_SET_HDF5_FILL, set->values[ATM_SET_HDF5_FILL]), "never") ==
                 0);
}

/* All that is between the first and the last byte, by all ranks. */
static atm_access filling_of(const atm_access *written, int ranks)
{
    uint64_t bytes = written->end - written->start + 1;
    uint64_t share = bytes / (uint64_t) ranks + (bytes % (uint64_t) ranks != 0);

    return (atm_access){.write = true,
                        .new_file = written->new_file,
                        .active_ranks = (int) ((bytes + share - 1) / share),
                        .bytes_min = bytes % share != 0 ? bytes % share : share,
                        .bytes_max = share,
                        .bytes = bytes,
                        .start = written->start,
                        .end = written->end,
                        .block = share,
                        .warm = written->warm};
}

/* With what a point sets. */
static atm_request advised(const atm_request *asked, const atm_settings *set)
{
    atm_rule rule = {.ranks = {0, UINT64_MAX}, .bytes = {0, UINT64_MAX}, .set = *set};
    atm_advice advice = {.count = 1, .rules = &rule};
    atm_occasion occasion = {.program = "", .user = "", .file = "", .draw = 1};
    atm_request request = *asked;

    atm_advise(&advice, &occasion, &request);
    if (request.access.write)
        align(set, &request.access);
    return request;
}

/* --- metadata
 *
 * HDF5 has a block of it before the first data set and another after that one, of which ranks
 * write parts when the file is closed.  On Lustre they take each other's locks for that, so that
 * parts on one server are written one after the other.
 */

/* The access at index is that of the first data set of a file that has another. */
static bool begins_file(const ats_prior *prior, int index)
{
    const atm_request *first = &prior->requests[index], *second = first + 1;

    return index + 1 < prior->count && first->access.write && first->access.new_file &&
           first->life.calls <= 1 && first->access.start > 0 && !second->access.new_file &&
           second->access.write && second->access.start > first->access.end;
}

/* Share of two blocks, the first of which begins the file, on the server that has more of them. */
static double crowding(const atm_request *first, const atm_settings *set)
{
    const atm_request request = advised(first, set);
    const atm_config *config = &request.defaults;

    if (config->stripe_size == 0 || config->stripe_count < 2)
        return 1;
    return (request.access.end + 1) / config->stripe_size % (uint64_t) config->stripe_count != 0
               ? 0.5
               : 1;
}

static double predict_apart(const ats_prior *prior, const atm_settings *set)
{
    static const atm_settings none;
    double sum = 0, usual = 0;

    if (prior->requests[0].driver != ATM_LUSTRE || !prior->has_metadata)
        return prior->apart;
    for (int i = 0; i < prior->count; i++)
        if (begins_file(prior, i)) {
            sum += crowding(&prior->requests[i], set);
            usual += crowding(&prior->requests[i], &none);
        }
    return prior->apart * (usual > 0 ? sum / usual : 1);
}

/* --- predictions */

static double predict_access(const ats_prior *prior, const atm_request *request)
{
    atm_prediction prediction;
    atm_counts counts;

    if (atm_count_request(request, &request->defaults, &counts) != ATM_OK)
        return NAN;
    atm_predict_counts(prior->profile, &counts, prior->memo, INFINITY, &prediction);
    return prediction.seconds;
}

static double predict_one(const ats_prior *prior, const atm_request *asked, const atm_settings *set)
{
    atm_request request = advised(asked, set);
    double seconds = 0;

    if (request.access.write && fills(set)) {
        atm_request filling = request;

        filling.access = filling_of(&request.access, request.job.ranks);
        request.access.new_file = false;
        seconds = predict_access(prior, &filling);
    }
    return seconds + predict_access(prior, &request);
}

static double predict(const ats_prior *prior, const atm_settings *set)
{
    double seconds = 0;

    for (int i = 0; i < prior->count; i++)
        seconds += predict_one(prior, &prior->requests[i], set);
    return seconds > 0 ? seconds + predict_apart(prior, set) : NAN;
}

/* Leaves out most of HDF5's settings, which the model does not know: many points share a
 * prediction. */
static bool matters(int setting)
{
    return setting <= ATM_SET_HDF5_CHUNK || setting == ATM_SET_HDF5_FILL;
}

static atm_settings those_that_matter(const ats_prior *prior, const ats_point *point)
{
    atm_settings all = ats_point_settings(prior->space, point), set;

    memset(&set, 0, sizeof(set)); /* for memcmp */
    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (all.has[i] && matters(i)) {
            set.has[i] = true;
            set.values[i] = all.values[i];
        }
    set.threshold = set.has[ATM_SET_HDF5_ALIGNMENT] ? all.threshold : 0;
    return set;
}

static size_t place_of(const atm_settings *set)
{
    uint64_t hash = ATM_FNV_BEGIN;

    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        hash = atm_fnv_add(hash, set->values[i] + set->has[i]);
    return (size_t) (hash >> 32) % KNOWN;
}

double ats_prior_seconds(ats_prior *prior, const ats_point *point)
{
    atm_settings set = those_that_matter(prior, point);
    known *k = &prior->remembered[place_of(&set)];

    if (!k->used || memcmp(&k->set, &set, sizeof(set)) != 0) {
        memcpy(&k->set, &set, sizeof(set));
        k->used = true;
        k->seconds = predict(prior, &set);
    }
    return k->seconds;
}
