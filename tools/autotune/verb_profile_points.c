/* autotune profile show: a points file. */

#include <math.h>

#include "verb_profile.h"
#include "common/units.h"

typedef struct extent {
    double min, max;
} extent;

static void widen(extent *extent, double value)
{
    extent->min = fmin(extent->min, value);
    extent->max = fmax(extent->max, value);
}

static void print_points_of(const points *points, atm_operation operation)
{
    extent ranks = {INFINITY, 0}, bytes = {INFINITY, 0}, seconds = {INFINITY, 0};
    bool storage = atm_operation_kind(operation) == ATM_STORAGE_KIND;
    int count = 0, repetitions = 0;
    char text[64];

    for (int i = 0; i < points->count; i++) {
        const points_point *point = &points->at[i];

        if (point->operation != operation)
            continue;
        count++;
        repetitions += point->repetitions;
        widen(&ranks, point->features[storage ? ATM_RECEIVERS : ATM_SENDERS]);
        widen(&bytes, point->features[ATM_BYTES]);
        widen(&seconds, point->seconds);
    }
    if (count == 0)
        return;
    printf("  %-18s %6d %7d", atm_operation_name(operation), count, repetitions);
    snprintf(text, sizeof(text), "%.6g - %.6g", ranks.min, ranks.max);
    printf("  %-11s", text);
    snprintf(text, sizeof(text), "%s - %s", units_bytes(bytes.min).text,
             units_bytes(bytes.max).text);
    printf("  %-18s", text);
    printf("  %s - %s\n", units_seconds(seconds.min).text, units_seconds(seconds.max).text);
}

static void print_job(const atm_value *job)
{
    int64_t ranks = 0, nodes = 0;
    const char *started = "at an unknown time", *left_out = "";
    char text[128];

    atm_opt_integer(job, "ranks", 1, INT32_MAX, NULL, &ranks);
    atm_opt_integer(job, "nodes", 1, INT32_MAX, NULL, &nodes);
    atm_opt_string(job, "started", NULL, &started);
    snprintf(text, sizeof(text), "%lld rank%s on %lld node%s, started %s", (long long) ranks,
             ranks != 1 ? "s" : "", (long long) nodes, nodes != 1 ? "s" : "", started);
    profile_print_text("job", text);
    atm_opt_string(job, "left_out", NULL, &left_out);
    if (left_out[0] != '\0')
        profile_print_text("", left_out);
}

void profile_show_points(const points *points)
{
    const atm_value *jobs = atm_value_find(points->root, "jobs");
    atm_machine machine = {.name = NULL};

    /* the file has been checked: only memory may be missing */
    if (atm_machine_read(points->root, NULL, &machine) == ATM_OK) {
        printf("%s: points of %s\n", points->source,
               machine.name[0] != '\0' ? machine.name : "a machine without a name");
        profile_print_machine(&machine);
    }
    atm_machine_clear(&machine);
    for (size_t i = 0; i < atm_value_length(jobs); i++)
        print_job(atm_value_item(jobs, i));
    printf("\noperation            points repeats  ranks        bytes               seconds\n");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        print_points_of(points, (atm_operation) i);
}
