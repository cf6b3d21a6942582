/* autotune profile merge: points of several jobs on one machine. */

#include <stdlib.h>
#include <string.h>

#include "verb_profile.h"
#include "common/stats.h"
#include "formats/formats.h"

/* --- machines and jobs */

/* Facts that are the same in every job on a machine.  Date and tool are of the
 * job; nodes, ranks, memory and cache may be what the job saw of them. */
static const char *const same_facts[] = {
    "name", "mpi",   "network", "file_system", "file_system_type", "file_system_source",
    "nics", "cores", "block",   "stripe_size", "servers"};

static bool differ(const atm_value *one, const atm_value *other)
{
    const char *texts[2] = {"", ""};
    double numbers[2] = {0, 0};

    if (atm_get_string(one, NULL, NULL, &texts[0]) == ATM_OK)
        return atm_get_string(other, NULL, NULL, &texts[1]) != ATM_OK ||
               strcmp(texts[0], texts[1]) != 0;
    return atm_get_number(one, NULL, -DBL_MAX, DBL_MAX, NULL, &numbers[0]) != ATM_OK ||
           atm_get_number(other, NULL, -DBL_MAX, DBL_MAX, NULL, &numbers[1]) != ATM_OK ||
           numbers[0] != numbers[1];
}

/* A fact that only one of them has is not a contradiction. */
static bool same_machine(const points *one, const points *other)
{
    const atm_value *machine = atm_value_find(one->root, "machine");
    const atm_value *second = atm_value_find(other->root, "machine");

    for (size_t i = 0; i < sizeof(same_facts) / sizeof(same_facts[0]); i++) {
        const atm_value *fact = atm_value_find(machine, same_facts[i]);
        const atm_value *counterpart = atm_value_find(second, same_facts[i]);

        if (fact == NULL || counterpart == NULL || !differ(fact, counterpart))
            continue;
        fprintf(stderr,
                "autotune profile merge: %s: machine.%s: differs from that in %s; points of "
                "different machines cannot be merged\n",
                other->source, same_facts[i], one->source);
        return false;
    }
    return true;
}

static const atm_value *jobs_of(const points *points)
{
    return atm_value_find(points->root, "jobs");
}

static bool same_job(const atm_value *one, const atm_value *other)
{
    static const char *const keys[] = {"started", "ranks", "nodes"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const atm_value *fact = atm_value_find(one, keys[i]);
        const atm_value *counterpart = atm_value_find(other, keys[i]);

        if (fact == NULL || counterpart == NULL || differ(fact, counterpart))
            return false;
    }
    return true;
}

/* Points of a job that is in two files would count twice. */
static bool other_jobs(const points *one, const points *other)
{
    for (size_t i = 0; i < atm_value_length(jobs_of(one)); i++)
        for (size_t k = 0; k < atm_value_length(jobs_of(other)); k++) {
            const char *started = "";

            if (!same_job(atm_value_item(jobs_of(one), i), atm_value_item(jobs_of(other), k)))
                continue;
            atm_opt_string(atm_value_item(jobs_of(one), i), "started", NULL, &started);
            fprintf(stderr,
                    "autotune profile merge: %s: jobs[%zu]: the job started %s is in %s too: its "
                    "points would count twice\n",
                    other->source, k, started, one->source);
            return false;
        }
    return true;
}

static bool may_merge(const profile_file *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i].points == NULL) {
            fprintf(stderr,
                    "autotune profile merge: %s: is a profile, and learned models cannot be "
                    "merged: merge the points they were made of and run autotune train again\n",
                    files[i].path);
            return false;
        }
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (!same_machine(files[k].points, files[i].points) ||
                !other_jobs(files[k].points, files[i].points))
                return false;
    return true;
}

/* The largest of this fact in all files; 0: none has it. */
static int64_t most(const profile_file *files, int count, const char *fact)
{
    int64_t result = 0;

    for (int i = 0; i < count; i++) {
        int64_t number = 0;

        atm_opt_integer(atm_value_find(files[i].points->root, "machine"), fact, 0, ATM_MAX_INTEGER,
                        NULL, &number);
        result = number > result ? number : result;
    }
    return result;
}

static bool is_of_jobs(const char *fact)
{
    return strcmp(fact, "date") == 0 || strcmp(fact, "nodes") == 0 || strcmp(fact, "ranks") == 0;
}

/* The facts of the first file, then those that only others have; the latest
 * date, the most nodes and ranks of all. */
static void put_machine(const profile_file *files, int count, atm_value *machine)
{
    static const char *const largest[] = {"nodes", "ranks"};
    const char *date = "";

    for (int i = 0; i < count; i++) {
        const atm_value *facts = atm_value_find(files[i].points->root, "machine");
        const char *this_date = "";

        atm_opt_string(facts, "date", NULL, &this_date);
        date = strcmp(this_date, date) > 0 ? this_date : date;
        for (size_t k = 0; k < atm_value_length(facts); k++) {
            const atm_value *fact = atm_value_item(facts, k);
            const char *key = atm_value_key(fact);

            if (!is_of_jobs(key) && atm_value_find(machine, key) == NULL)
                atm_put_copy(machine, key, fact);
        }
    }
    if (date[0] != '\0')
        atm_put_string(machine, "date", date);
    for (size_t i = 0; i < sizeof(largest) / sizeof(largest[0]); i++)
        if (most(files, count, largest[i]) > 0)
            atm_put_integer(machine, largest[i], most(files, count, largest[i]));
}

/* --- points */

/* A point of one of the files. */
typedef struct source_point {
    const points_point *point;
    const atm_value *object;
    int job;   /* in the merged file */
    int order; /* among all */
} source_point;

static int compare(const void *a, const void *b)
{
    const source_point *one = a, *other = b;
    int order = points_compare(one->point, other->point);

    return order != 0 ? order : one->order - other->order;
}

/* All points, equal ones together; free it. */
static source_point *collect(const profile_file *files, int count, int *total_p)
{
    int total = 0, jobs = 0;
    source_point *sources;

    for (int i = 0; i < count; i++)
        total += files[i].points->count;
    sources = calloc((size_t) total + 1, sizeof(*sources));
    if (sources == NULL)
        return NULL;
    total = 0;
    for (int i = 0; i < count; i++) {
        const points *points = files[i].points;
        const atm_value *list = atm_value_find(points->root, "points");

        for (int k = 0; k < points->count; k++, total++)
            sources[total] = (source_point){&points->at[k], atm_value_item(list, (size_t) k),
                                            jobs + points->at[k].job, total};
        jobs += (int) atm_value_length(jobs_of(points));
    }
    qsort(sources, (size_t) total, sizeof(*sources), compare);
    *total_p = total;
    return sources;
}

/* Repetitions of all visits of a point. */
typedef struct times {
    double *at;
    int count;
    double sum; /* of those that are not outliers */
    int counted;
} times;

static bool is_outlier(const atm_value *outliers, size_t index)
{
    int64_t at;

    for (size_t i = 0; outliers != NULL && i < atm_value_length(outliers); i++)
        if (atm_get_integer(atm_value_item(outliers, i), NULL, 0, INT32_MAX, NULL, &at) == ATM_OK &&
            (size_t) at == index)
            return true;
    return false;
}

static void add_visit(const atm_value *visit, const atm_value *outliers, times *times)
{
    for (size_t i = 0; i < atm_value_length(visit); i++) {
        double seconds = 0;

        atm_get_number(atm_value_item(visit, i), NULL, 0, DBL_MAX, NULL, &seconds);
        times->at[times->count++] = seconds;
        if (!is_outlier(outliers, i)) {
            times->sum += seconds;
            times->counted++;
        }
    }
}

/* Visits and outliers of all sources, one after the other. */
static void put_visits(const source_point *sources, int count, atm_value *point, times *times)
{
    atm_value *visits = atm_put_array(point, "visits"), *marks = atm_put_array(point, "outliers");

    for (int i = 0; i < count; i++) {
        const atm_value *all = atm_value_find(sources[i].object, "visits");
        const atm_value *outliers = atm_value_find(sources[i].object, "outliers");

        for (size_t k = 0; k < atm_value_length(all); k++) {
            const atm_value *here = outliers != NULL ? atm_value_item(outliers, k) : NULL;

            atm_put_copy(visits, NULL, atm_value_item(all, k));
            if (here != NULL)
                atm_put_copy(marks, NULL, here);
            else
                atm_put_array(marks, NULL);
            add_visit(atm_value_item(all, k), here, times);
        }
    }
}

/* As autotune-calibrate computes them (points.h). */
static void put_summary(const times *times, atm_value *point)
{
    double middle = stats_median(times->at, times->count);

    atm_put_number(point, "seconds", times->sum / times->counted);
    atm_put_number(point, "median", middle);
    atm_put_number(point, "spread", stats_deviation(times->at, times->count) / middle);
}

/* count sources of one point, 2 or more; false without memory */
static bool put_joined(const source_point *sources, int count, atm_value *list)
{
    static const char *const copied[] = {"operation", "features", "time", "host"};
    atm_value *point = atm_put_object(list, NULL);
    size_t repetitions = 0;
    times times = {0};

    for (int i = 0; i < count; i++)
        repetitions += (size_t) sources[i].point->repetitions;
    times.at = calloc(repetitions, sizeof(*times.at));
    if (times.at == NULL)
        return false;
    for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++) {
        const atm_value *member = atm_value_find(sources[0].object, copied[i]);

        if (member != NULL)
            atm_put_copy(point, copied[i], member);
    }
    atm_put_integer(point, "job", sources[0].job);
    put_visits(sources, count, point, &times);
    put_summary(&times, point);
    free(times.at);
    return true;
}

static void put_alone(const source_point *source, atm_value *list)
{
    atm_value *point = atm_put_object(list, NULL);

    for (size_t i = 0; i < atm_value_length(source->object); i++) {
        const atm_value *member = atm_value_item(source->object, i);

        if (strcmp(atm_value_key(member), "job") == 0)
            atm_put_integer(point, "job", source->job);
        else
            atm_put_copy(point, atm_value_key(member), member);
    }
}

/* Returns how many points there are, or -1 without memory. */
static int put_points(const source_point *sources, int total, atm_value *list, int *joined_p)
{
    int points = 0, joined = 0, count;

    for (int i = 0; i < total; i += count, points++) {
        for (count = 1; i + count < total; count++)
            if (points_compare(sources[i].point, sources[i + count].point) != 0)
                break;
        if (count == 1)
            put_alone(&sources[i], list);
        else if (!put_joined(&sources[i], count, list))
            return -1;
        joined += count > 1;
    }
    *joined_p = joined;
    return points;
}

/* --- together */

static atm_status build(const profile_file *files, int count, atm_value *root, int *points_p,
                        int *joined_p)
{
    source_point *sources;
    atm_value *jobs;
    int total;

    atm_put_string(root, "format", POINTS_FORMAT);
    atm_put_integer(root, "version", POINTS_VERSION);
    put_machine(files, count, atm_put_object(root, "machine"));
    jobs = atm_put_array(root, "jobs");
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < atm_value_length(jobs_of(files[i].points)); k++)
            atm_put_copy(jobs, NULL, atm_value_item(jobs_of(files[i].points), k));
    sources = collect(files, count, &total);
    if (sources == NULL)
        return ATM_NO_MEMORY;
    *points_p = put_points(sources, total, atm_put_array(root, "points"), joined_p);
    free(sources);
    return *points_p >= 0 ? atm_value_built(root) : ATM_NO_MEMORY;
}

static int merge(const profile_file *files, int count, const char *output)
{
    atm_value *root = atm_value_object();
    atm_message message = {""};
    int points = 0, joined = 0;
    atm_status status;

    if (!may_merge(files, count)) {
        atm_value_destroy(root);
        return 2;
    }
    status = build(files, count, root, &points, &joined);
    if (status == ATM_OK)
        status = atm_value_write(root, output, &message);
    if (status == ATM_OK)
        printf("%s: %d points of %zu jobs, %d of them measured more than once\n", output, points,
               atm_value_length(atm_value_find(root, "jobs")), joined);
    else
        fprintf(stderr, "autotune profile merge: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    atm_value_destroy(root);
    return status == ATM_OK ? 0 : 1;
}

int profile_merge(char **files, int count, const char *output)
{
    profile_file *opened = calloc((size_t) count, sizeof(*opened));
    int code = 0, done = 0;

    if (opened == NULL) {
        fprintf(stderr, "autotune profile merge: %s\n", atm_status_text(ATM_NO_MEMORY));
        return 1;
    }
    while (done < count && code == 0) {
        if (profile_file_open(files[done], &opened[done]))
            done++;
        else
            code = 2;
    }
    if (code == 0)
        code = merge(opened, count, output);
    for (int i = 0; i < done; i++)
        profile_file_close(&opened[i]);
    free(opened);
    return code;
}
