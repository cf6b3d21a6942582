/* autotune-write: the report, or a line of a table. */

#include "write.h"

#include <gsl/gsl_sort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"

void write_hint(MPI_Info info, const char *key, char *value)
{
    int flag;

    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (!flag)
        strcpy(value, "-");
}

static void print_decision(MPI_Info info)
{
    static const char *const keys[] = {
        "romio_autotune_wrapped", "romio_autotune_status", "cb_nodes",       "cb_buffer_size",
        "romio_aggregator_list",  "striping_unit",         "striping_factor"};
    char value[MPI_MAX_INFO_VAL + 1];

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        write_hint(info, keys[i], value);
        if (strcmp(value, "-") != 0)
            printf("  %-24s %s\n", keys[i], value);
    }
}

/* "2M" for 2097152, where a unit divides it */
static void shorten(char *value)
{
    char *end;
    long size = strtol(value, &end, 10);

    if (*end == '\0' && size > 0 && size % (1 << 20) == 0)
        sprintf(value, "%ldM", size >> 20);
    else if (*end == '\0' && size > 0 && size % (1 << 10) == 0)
        sprintf(value, "%ldK", size >> 10);
}

/* What was changed of the wrapped driver's hints. */
static void print_changes(const options *opts, const outcome *outcomes)
{
    const char *const keys[] = {opts->read ? "romio_cb_read" : "romio_cb_write", "cb_nodes",
                                "cb_buffer_size", "striping_factor", "striping_unit"};
    char values[KINDS][MPI_MAX_INFO_VAL + 1];
    const char *between = "";

    write_hint(outcomes[AUTOTUNE].info, "romio_autotune_status", values[AUTOTUNE]);
    if (strncmp(values[AUTOTUNE], "tuned", 5) != 0) {
        printf("nothing was changed\n");
        return;
    }
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            write_hint(outcomes[kind].info, keys[i], values[kind]);
            shorten(values[kind]);
        }
        if (strcmp(values[AUTOTUNE], "-") == 0 || strcmp(values[AUTOTUNE], values[WRAPPED]) == 0)
            continue;
        /* interleaved accesses are collective in mode automatic as well: ad_write_coll.c */
        if (i == 0 && strcmp(values[AUTOTUNE], "enable") == 0)
            continue;
        printf("%s%s %s (%s)", between, keys[i], values[AUTOTUNE], values[WRAPPED]);
        between = ", ";
    }
    printf("%s\n", between[0] == '\0' ? "which processes are aggregators" : "");
}

void write_heading(void)
{
    printf("%-28s %9s %9s  %-22s  %s\n", "", "default", "automatic", "speed-up (range)",
           "changed to (from)");
}

/* ratios: of pairs, sorted */
static void print_line(const options *opts, const outcome *outcomes, const double *medians,
                       const double *ratios)
{
    char range[64];

    snprintf(range, sizeof(range), "x%.2f (x%.2f to x%.2f)", medians[WRAPPED] / medians[AUTOTUNE],
             ratios[0], ratios[opts->repeats - 1]);
    printf("%-28s %7.3f s %7.3f s  %-22s  ", opts->line, medians[WRAPPED], medians[AUTOTUNE],
           range);
    print_changes(opts, outcomes);
}

static void print_report(const options *opts, int ranks, const outcome *outcomes,
                         const double *medians, double middle, const double *ratios)
{
    double megabytes = (double) opts->bytes * ranks / 1e6;
    char wrapped[MPI_MAX_INFO_VAL + 2];

    write_hint(outcomes[AUTOTUNE].info, "romio_autotune_wrapped", wrapped);
    strcat(wrapped, ":");
    printf("%s by %d process%s, %ld bytes each in blocks of %ld\n", opts->read ? "read" : "write",
           ranks, ranks == 1 ? "" : "es", opts->bytes, opts->block);
    print_decision(outcomes[AUTOTUNE].info);
    printf("  %-24s %.4f s, %.0f MB/s\n", "autotune:", medians[AUTOTUNE],
           megabytes / medians[AUTOTUNE]);
    printf("  %-24s %.4f s, %.0f MB/s\n", wrapped, medians[WRAPPED], megabytes / medians[WRAPPED]);
    printf("  %-24s %.3f (median of %d pair%s, %.3f to %.3f)\n", "speed-up", middle, opts->repeats,
           opts->repeats == 1 ? "" : "s", ratios[0], ratios[opts->repeats - 1]);
}

void write_gain(const options *opts, int ranks, const outcome *outcomes, double *ratios)
{
    double medians[KINDS], middle;

    for (int i = 0; i < opts->repeats; i++)
        ratios[i] = outcomes[WRAPPED].seconds[i] / outcomes[AUTOTUNE].seconds[i];
    gsl_sort(ratios, 1, (size_t) opts->repeats);
    middle = stats_median(ratios, opts->repeats);
    for (int kind = 0; kind < KINDS; kind++)
        medians[kind] = stats_median(outcomes[kind].seconds, opts->repeats);
    if (opts->line != NULL)
        print_line(opts, outcomes, medians, ratios);
    else
        print_report(opts, ranks, outcomes, medians, middle, ratios);
}
