/* autotune profile show: a points file. */

#include <math.h>
#include <string.h>

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
    bool storage = operation >= ATM_WRITE_FIRST;
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

/* Facts as they stand in the file; it has been checked. */
static void print_machine(const atm_value *machine)
{
    for (size_t i = 0; i < atm_value_length(machine); i++) {
        const atm_value *fact = atm_value_item(machine, i);
        const char *name = atm_value_key(fact), *text;
        int64_t size;

        if (strcmp(name, "name") == 0)
            continue;
        if (atm_get_string(fact, NULL, NULL, &text) == ATM_OK)
            profile_print_text(name, text);
        else if (atm_get_integer(fact, NULL, 0, ATM_MAX_INTEGER, NULL, &size) == ATM_OK)
            profile_print_size(name, (uint64_t) size);
    }
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
    const atm_value *machine = atm_value_find(points->root, "machine");
    const atm_value *jobs = atm_value_find(points->root, "jobs");
    const char *name = "a machine without a name";

    atm_opt_string(machine, "name", NULL, &name);
    printf("%s: points of %s\n", points->source, name);
    print_machine(machine);
    for (size_t i = 0; i < atm_value_length(jobs); i++)
        print_job(atm_value_item(jobs, i));
    printf("\noperation            points repeats  ranks        bytes               seconds\n");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        print_points_of(points, (atm_operation) i);
}
