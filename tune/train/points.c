/* Points files: reading and checking what points.h shows. */

#include "points.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

/* Largest difference between a point's time and the mean of its repetitions
 * that rounding to fewer digits explains. */
#define ROUNDING 1e-3

/* --- the frame */

/* A later version may have anything else: nothing more is looked at. */
static atm_status check_format(const atm_value *root, atm_message *message)
{
    static const char *const keys[] = {"format", "version", "machine", "jobs",
                                       "points", "caches",  NULL};
    int version;
    atm_status status = atm_check_format(root, POINTS_FORMAT, POINTS_VERSION, message, &version);

    return status == ATM_OK ? atm_check_keys(root, keys, message) : status;
}

/* The facts that a profile may have, as it may have them. */
static atm_status check_machine(const atm_value *root, atm_message *message)
{
    atm_machine machine = {.name = NULL};
    atm_status status = atm_machine_read(root, message, &machine);

    atm_machine_clear(&machine);
    return status;
}

static atm_status check_jobs(const atm_value *root, atm_message *message, int *jobs_p)
{
    const atm_value *jobs;
    atm_status status = atm_get_array(root, "jobs", 1, 10000, message, &jobs);

    for (size_t i = 0; status == ATM_OK && i < atm_value_length(jobs); i++) {
        const atm_value *job = atm_value_item(jobs, i);
        int64_t ranks, nodes;

        status = atm_get_integer(job, "ranks", 1, INT32_MAX, message, &ranks);
        if (status == ATM_OK)
            status = atm_get_integer(job, "nodes", 1, ranks, message, &nodes);
    }
    if (status == ATM_OK)
        *jobs_p = (int) atm_value_length(jobs);
    return status;
}

/* --- one point */

static atm_status read_features(const atm_value *object, atm_message *message, points_point *p)
{
    const atm_value *features;
    atm_status status = atm_get_object(object, "features", message, &features);

    if (status == ATM_OK)
        status = atm_check_keys(features, atm_feature_names, message);
    for (int i = 0; status == ATM_OK && i < ATM_FAR; i++)
        status = atm_get_number(features, atm_feature_names[i], ATM_ABOVE_ZERO, 1e30, message,
                                &p->features[i]);
    /* earlier calibrations had one order of aggregators, or knew no links */
    for (int i = ATM_FAR; i < ATM_FEATURE_COUNT; i++) {
        p->features[i] = 1;
        if (status == ATM_OK)
            status = atm_opt_number(features, atm_feature_names[i], 1, i == ATM_FAR ? 2 : 1e30,
                                    message, &p->features[i]);
    }
    return status;
}

/* Marks the outliers of a visit in marks[length]. */
static atm_status read_outliers(const atm_value *list, size_t length, atm_message *message,
                                bool *marks, points_point *p)
{
    atm_status status = atm_get_array(list, NULL, 0, length, message, &list);

    for (size_t i = 0; status == ATM_OK && i < atm_value_length(list); i++) {
        int64_t index;

        status = atm_get_integer(atm_value_item(list, i), NULL, 0, (int64_t) length - 1, message,
                                 &index);
        if (status == ATM_OK && marks[index])
            status = atm_complain(list, NULL, message, "has %lld twice", (long long) index);
        if (status == ATM_OK) {
            marks[index] = true;
            p->outliers++;
        }
    }
    return status;
}

typedef struct tally {
    double sum; /* of the repetitions that count */
    int count;
} tally;

static double mean_of(const double *times, size_t length, const bool *left_out, tally *all)
{
    tally here = {0, 0};
    double sum = 0;

    for (size_t i = 0; i < length; i++) {
        sum += times[i];
        if (left_out[i])
            continue;
        here.sum += times[i];
        here.count++;
    }
    all->sum += here.sum;
    all->count += here.count;
    return here.count > 0 ? here.sum / here.count : sum / (double) length;
}

static atm_status read_visit(const atm_value *visit, const atm_value *outliers,
                             atm_message *message, points_point *p, tally *all)
{
    double *times;
    size_t length;
    bool *marks;
    atm_status status = atm_get_numbers(visit, NULL, 1, 100000, ATM_ABOVE_ZERO, ATM_SECONDS_MAX,
                                        message, &times, &length);

    if (status != ATM_OK)
        return status;
    marks = calloc(length, sizeof(*marks));
    status = marks != NULL ? ATM_OK : ATM_NO_MEMORY;
    if (status == ATM_OK && outliers != NULL)
        status = read_outliers(outliers, length, message, marks, p);
    if (status == ATM_OK) {
        p->visit_means[p->visit_count++] = mean_of(times, length, marks, all);
        p->repetitions += (int) length;
    }
    free(marks);
    free(times);
    return status;
}

static atm_status read_visits(const atm_value *object, atm_message *message, points_point *p)
{
    const atm_value *visits, *outliers = atm_value_find(object, "outliers");
    tally all = {0, 0};
    size_t count;
    atm_status status = atm_get_array(object, "visits", 1, 100000, message, &visits);

    if (status != ATM_OK)
        return status;
    count = atm_value_length(visits);
    if (outliers != NULL)
        status = atm_get_array(outliers, NULL, count, count, message, &outliers);
    p->visit_means = calloc(count, sizeof(double)); /* points_destroy */
    if (status == ATM_OK && p->visit_means == NULL)
        status = ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < count; i++)
        status =
            read_visit(atm_value_item(visits, i),
                       outliers != NULL ? atm_value_item(outliers, i) : NULL, message, p, &all);
    if (status != ATM_OK)
        return status;
    if (all.count == 0)
        return atm_complain(object, "outliers", message, "leaves no repetition");
    all.sum /= all.count;
    if (p->seconds < all.sum * (1 - ROUNDING) || p->seconds > all.sum * (1 + ROUNDING))
        return atm_complain(object, "seconds", message,
                            "is not the mean %g of the repetitions that are no outliers", all.sum);
    return ATM_OK;
}

static atm_status read_point(const atm_value *object, int jobs, atm_message *message,
                             points_point *p)
{
    static const char *const keys[] = {"operation", "job",    "features", "seconds",
                                       "median",    "spread", "visits",   "outliers",
                                       "time",      "host",   NULL};
    size_t operation;
    int64_t job;
    const char *text;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_choice(object, "operation", atm_operation_names, ATM_OPERATION_COUNT,
                                message, &operation);
    if (status == ATM_OK)
        status = atm_get_integer(object, "job", 0, jobs - 1, message, &job);
    if (status == ATM_OK)
        status = read_features(object, message, p);
    if (status == ATM_OK)
        status = atm_get_number(object, "seconds", ATM_ABOVE_ZERO, ATM_SECONDS_MAX, message,
                                &p->seconds);
    if (status == ATM_OK)
        status =
            atm_get_number(object, "median", ATM_ABOVE_ZERO, ATM_SECONDS_MAX, message, &p->median);
    if (status == ATM_OK)
        status = atm_get_number(object, "spread", 0, DBL_MAX, message, &p->spread);
    if (status == ATM_OK)
        status = read_visits(object, message, p);
    if (status == ATM_OK)
        status = atm_opt_string(object, "time", message, &text);
    if (status == ATM_OK)
        status = atm_opt_string(object, "host", message, &text);
    if (status != ATM_OK)
        return status;
    p->operation = (atm_operation) operation;
    p->job = (int) job;
    return ATM_OK;
}

/* --- all points */

int points_compare(const points_point *a, const points_point *b)
{
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        if (a->features[i] != b->features[i])
            return a->features[i] < b->features[i] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const points_point *const *first = a, *const *second = b;
    int order = points_compare(*first, *second);

    if (order != 0)
        return order;
    return *first < *second ? -1 : *first > *second; /* as in the file */
}

static atm_status check_twice(const atm_value *list, const points *read, atm_message *message)
{
    const points_point **sorted = calloc((size_t) read->count + 1, sizeof(points_point *));
    atm_status status = ATM_OK;

    if (sorted == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < read->count; i++)
        sorted[i] = &read->at[i];
    qsort(sorted, (size_t) read->count, sizeof(*sorted), compare);
    for (int i = 0; status == ATM_OK && i + 1 < read->count; i++)
        if (points_compare(sorted[i], sorted[i + 1]) == 0)
            status = atm_complain(atm_value_item(list, (size_t) (sorted[i + 1] - read->at)), NULL,
                                  message, "has the operation and features of points[%d]",
                                  (int) (sorted[i] - read->at));
    free(sorted);
    return status;
}

static atm_status read_cache(const atm_value *object, int jobs, atm_message *message,
                             points_cache *cache)
{
    static const char *const keys[] = {"job",   "nodes", "writers", "round", "servers",
                                       "bytes", "rate",  "knee",    NULL};
    int64_t job;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_integer(object, "job", 0, jobs - 1, message, &job);
    if (status == ATM_OK)
        status = atm_get_number(object, "nodes", 1, INT32_MAX, message, &cache->nodes);
    if (status == ATM_OK)
        status = atm_get_number(object, "writers", 1, INT32_MAX, message, &cache->writers);
    if (status == ATM_OK)
        status = atm_get_number(object, "round", 1, 1e18, message, &cache->round);
    if (status == ATM_OK)
        status = atm_get_number(object, "servers", 1, INT32_MAX, message, &cache->servers);
    if (status == ATM_OK)
        status = atm_get_number(object, "bytes", 1, 1e18, message, &cache->bytes);
    if (status == ATM_OK)
        status = atm_opt_number(object, "rate", 1, 1e18, message, &cache->rate);
    if (status == ATM_OK)
        status = atm_opt_number(object, "knee", 0, 1, message, &cache->knee);
    return status;
}

static atm_status read_caches(points *read, int jobs, atm_message *message)
{
    const atm_value *list = atm_value_find(read->root, "caches");
    atm_status status;

    if (list == NULL)
        return ATM_OK;
    status = atm_get_array(list, NULL, 0, SIZE_MAX, message, &list);
    if (status != ATM_OK)
        return status;
    read->caches = calloc(atm_value_length(list) + 1, sizeof(*read->caches));
    if (read->caches == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(list); i++)
        status =
            read_cache(atm_value_item(list, i), jobs, message, &read->caches[read->cache_count++]);
    return status;
}

static atm_status read_points(points *read, atm_message *message)
{
    const atm_value *list;
    int jobs = 0;
    atm_status status = check_format(read->root, message);

    if (status == ATM_OK)
        status = check_machine(read->root, message);
    if (status == ATM_OK)
        status = check_jobs(read->root, message, &jobs);
    if (status == ATM_OK)
        status = atm_get_array(read->root, "points", 0, SIZE_MAX, message, &list);
    if (status == ATM_OK)
        status = read_caches(read, jobs, message);
    if (status != ATM_OK)
        return status;
    read->at = calloc(atm_value_length(list) + 1, sizeof(*read->at));
    if (read->at == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(list); i++) {
        read->count++; /* to be destroyed also if it is only half read */
        status = read_point(atm_value_item(list, i), jobs, message, &read->at[i]);
    }
    return status == ATM_OK ? check_twice(list, read, message) : status;
}

atm_status points_read_by(atm_status (*fill)(points *, atm_message *), const char *path,
                          atm_message *message, points **points_p)
{
    points *read = calloc(1, sizeof(*read)); /* points_destroy */
    atm_status status = ATM_NO_MEMORY;

    if (read != NULL)
        read->source = strdup(path);
    if (read != NULL && read->source != NULL)
        status = atm_value_read(path, message, &read->root);
    if (status == ATM_OK)
        status = fill(read, message);
    if (status == ATM_OK)
        *points_p = read;
    else
        points_destroy(read);
    return status;
}

atm_status points_read(const char *path, atm_message *message, points **points_p)
{
    return points_read_by(read_points, path, message, points_p);
}

void points_destroy(points *points)
{
    if (points == NULL)
        return;
    for (int i = 0; i < points->count; i++)
        free(points->at[i].visit_means);
    free(points->at);
    free(points->caches);
    atm_value_destroy(points->root);
    free(points->source);
    free(points);
}
