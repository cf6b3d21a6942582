#include "points_file.h"

#include <stdlib.h>
#include <string.h>

#include "train/points.h"
#include "repetitions.h"
#include "formats/formats.h"

/* Visits of one point, together. */
typedef struct sample {
    double *seconds; /* [count] of all visits */
    bool *marks;     /* [count] */
    int count;
} sample;

static void put_features(atm_value *to, const plan_point *point)
{
    atm_value *features = atm_put_object(to, "features");

    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        atm_put_number(features, atm_feature_name((atm_feature) i), point->features[i]);
}

static void put_visits(atm_value *to, const journal *journal, const int *visits, int count,
                       const sample *sample)
{
    atm_value *list = atm_put_array(to, "visits"), *outliers = atm_put_array(to, "outliers");
    int at = 0;

    for (int i = 0; i < count; i++) {
        const journal_visit *visit = &journal->visits[visits[i]];
        atm_value *marked = atm_put_array(outliers, NULL);

        atm_put_numbers(list, NULL, visit->seconds, (size_t) visit->count);
        for (int k = 0; k < visit->count; k++)
            if (sample->marks[at + k])
                atm_put_integer(marked, NULL, k);
        at += visit->count;
    }
}

/* Outliers are determined within a visit, as visits may differ. */
static atm_status gather(const journal *journal, const int *visits, int count, sample *sample_p)
{
    sample all = {.count = 0};
    int at = 0;

    for (int i = 0; i < count; i++)
        all.count += journal->visits[visits[i]].count;
    all.seconds = malloc((size_t) all.count * sizeof(*all.seconds));
    all.marks = malloc((size_t) all.count * sizeof(*all.marks));
    if (all.seconds == NULL || all.marks == NULL) {
        free(all.seconds);
        free(all.marks);
        return ATM_NO_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        const journal_visit *visit = &journal->visits[visits[i]];

        memcpy(all.seconds + at, visit->seconds, (size_t) visit->count * sizeof(*all.seconds));
        statistics_outliers(visit->seconds, visit->count, all.marks + at);
        at += visit->count;
    }
    *sample_p = all;
    return ATM_OK;
}

static atm_status put_point(atm_value *list, const plan_point *point, const journal *journal,
                            const int *visits, int count, const char *host, bool cached)
{
    statistics_summary summary;
    sample sample;
    atm_value *to;
    atm_status status = gather(journal, visits, count, &sample);

    if (status != ATM_OK)
        return status;
    summary = statistics_summarize(sample.seconds, sample.marks, sample.count);
    to = atm_put_object(list, NULL);
    atm_put_string(to, "operation", atm_operation_name(point->operation));
    atm_put_integer(to, "job", 0);
    put_features(to, point);
    atm_put_number(to, "seconds", summary.mean);
    atm_put_number(to, "median", summary.median);
    atm_put_number(to, "spread", summary.spread);
    put_visits(to, journal, visits, count, &sample);
    atm_put_string(to, "time", journal->visits[visits[0]].time);
    atm_put_string(to, "host", host);
    if (cached && plan_is_storage(point->operation))
        atm_put_truth(to, "_cached", true);
    free(sample.seconds);
    free(sample.marks);
    return ATM_OK;
}

static atm_status put_points(atm_value *list, const plan *plan, const journal *journal,
                             const char *host, bool cached)
{
    int *visits = malloc(((size_t) journal->count + 1) * sizeof(*visits));
    atm_status status = visits != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (int i = 0; status == ATM_OK && i < plan->count; i++) {
        int count = 0;

        for (int k = 0; k < journal->count; k++)
            if (journal->visits[k].point == i)
                visits[count++] = k;
        if (count > 0)
            status = put_point(list, &plan->points[i], journal, visits, count, host, cached);
    }
    free(visits);
    return status;
}

static void put_caches(atm_value *list, const points_cache *caches, int count)
{
    for (int i = 0; i < count; i++) {
        atm_value *cache = atm_put_object(list, NULL);

        atm_put_integer(cache, "job", 0);
        atm_put_number(cache, "nodes", caches[i].nodes);
        atm_put_number(cache, "writers", caches[i].writers);
        atm_put_number(cache, "round", caches[i].round);
        atm_put_number(cache, "servers", caches[i].servers);
        atm_put_number(cache, "bytes", caches[i].bytes);
        if (caches[i].rate > 0)
            atm_put_number(cache, "rate", caches[i].rate);
        if (caches[i].knee > 0)
            atm_put_number(cache, "knee", caches[i].knee);
    }
}

atm_status output_write(const char *path, const plan *plan, const journal *journal,
                        const atm_value *machine, const atm_value *job, const char *host,
                        bool cached, const points_cache *caches, int cache_count,
                        atm_message *message)
{
    atm_value *root = atm_value_object();
    atm_status status;

    atm_put_string(root, "format", POINTS_FORMAT);
    atm_put_integer(root, "version", POINTS_VERSION);
    atm_put_copy(root, "machine", machine);
    atm_put_copy(atm_put_array(root, "jobs"), NULL, job);
    status = put_points(atm_put_array(root, "points"), plan, journal, host, cached);
    if (caches != NULL)
        put_caches(atm_put_array(root, "caches"), caches, cache_count);
    if (status == ATM_OK)
        status = atm_value_write(root, path, message);
    atm_value_destroy(root);
    return status;
}
