/* Times of the slowest rank, the hints in effect, and one report of them. */

#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

#include "value/value.h"

workload_times workload_times_create(int calls)
{
    workload_times times = {calls, workload_memory(((size_t) calls + 2) * sizeof(double))};

    return times;
}

double workload_clock(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

double workload_since(double start)
{
    return workload_clock() - start;
}

/* Hints that a decision is made of; a file has some of them. */
static const char *const told[] = {"cb_nodes",
                                   "cb_buffer_size",
                                   "romio_cb_write",
                                   "romio_cb_read",
                                   "romio_aggregator_list",
                                   "striping_factor",
                                   "striping_unit",
                                   "romio_autotune_wrapped",
                                   "romio_autotune_status",
                                   "romio_lustre_coll_threshold"};

static void put_hints(atm_value *object, MPI_Info info)
{
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        char value[MPI_MAX_INFO_VAL + 1];
        int flag = 0;

        MPI_Info_get(info, told[i], MPI_MAX_INFO_VAL, value, &flag);
        if (flag)
            atm_put_string(object, told[i], value);
    }
}

static void print_json(const workload *w, const workload_report *report, double total)
{
    const workload_times *times = &report->times;
    atm_value *root = atm_value_object();
    char *text;
    size_t length;

    atm_put_string(root, "workload", report->name);
    atm_put_string(root, "file", w->file);
    atm_put_truth(root, "read", report->read);
    atm_put_truth(root, "collective", report->collective);
    atm_put_integer(root, "ranks", w->ranks);
    atm_put_integer(root, "bytes", (int64_t) report->bytes);
    if (report->block > 0)
        atm_put_integer(root, "block", (int64_t) report->block);
    if (report->scale > 0)
        atm_put_number(root, "scale", report->scale);
    atm_put_integer(root, "repetition", report->repetition);
    atm_put_number(root, "seconds", total);
    atm_put_number(root, "open", times->seconds[0]);
    atm_put_numbers(root, "calls", times->seconds + 1, (size_t) times->calls);
    atm_put_number(root, "close", times->seconds[times->calls + 1]);
    if (report->hints != MPI_INFO_NULL)
        put_hints(atm_put_object(root, "hints"), report->hints);
    if (atm_value_print_line(root, &text, &length) != ATM_OK) {
        fprintf(stderr, "%s: no memory for the report\n", w->file);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    fputs(text, stdout);
    free(text);
    atm_value_destroy(root);
}

static void print_text(const workload *w, const workload_report *report, double total)
{
    printf("%s: %d ranks %s %llu bytes in %.6f s, %.3f MB/s\n", report->name, w->ranks,
           report->read ? "read" : "wrote", (unsigned long long) report->bytes, total,
           (double) report->bytes / total / 1e6);
}

void workload_print(const workload *w, workload_report *report)
{
    workload_times *times = &report->times;
    double total = 0, slowest;

    for (int i = 0; i < times->calls + 2; i++)
        total += times->seconds[i];
    MPI_Allreduce(&total, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, times->seconds, times->calls + 2, MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
    if (w->rank == 0) {
        if (w->json)
            print_json(w, report, slowest);
        else
            print_text(w, report, slowest);
        fflush(stdout);
    }
    if (report->hints != MPI_INFO_NULL)
        MPI_Info_free(&report->hints);
    free(times->seconds);
    times->seconds = NULL;
}
