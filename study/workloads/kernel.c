/* The program of every kernel: options, and a timed run. */

#include "kernel.h"

#include <math.h>
#include <stdlib.h>

typedef struct choice {
    workload common;
    double scale;
    int steps; /* 0: the kernel's own */
} choice;

static const char *set_scale(const char *value, void *variables)
{
    char *end;
    double scale = strtod(value, &end);

    if (end == value || *end != '\0' || !(scale > 0 && scale <= 64))
        return "is not a number above 0, at most 64";
    ((choice *) variables)->scale = scale;
    return NULL;
}

static const option_entry entries[] = {
    {"scale", "FACTOR", "of the paper's bytes of each process (1)", OPTION_SPECIAL, 0, set_scale},
    {"steps", "N", "time steps (as in the paper)", OPTION_COUNT, offsetof(choice, steps), NULL},
    WORKLOAD_OPTIONS,
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

hsize_t kernel_scaled(double number, double scale)
{
    double scaled = round(number * scale);

    return scaled < 1 ? 1 : (hsize_t) scaled;
}

static double timed_write(const workload *w, hid_t file, const kernel_size *size, int index,
                          uint64_t *bytes_p)
{
    kernel_set set;
    double start;
    void *buffer;

    the_kernel.set(size, index, &set);
    buffer = workload_memory(kernel_bytes(&set));
    kernel_fill(&set, index, buffer);
    start = workload_clock();
    kernel_write(w, file, &set, buffer);
    start = workload_since(start);
    free(buffer);
    *bytes_p += kernel_bytes(&set);
    return start;
}

static void run(const workload *w, const kernel_size *size, int repetition)
{
    int calls = the_kernel.sets(size);
    workload_report report = {.name = the_kernel.name,
                              .collective = true,
                              .scale = size->scale,
                              .repetition = repetition,
                              .hints = MPI_INFO_NULL,
                              .times = workload_times_create(calls)};
    double *seconds = report.times.seconds, start = workload_clock();
    hid_t file = kernel_create(w);

    seconds[0] = workload_since(start);
    for (int call = 0; call < calls; call++) {
        seconds[call + 1] = timed_write(w, file, size, call, &report.bytes);
        if (call == 0)
            report.hints = kernel_hints(w, file);
    }
    start = workload_clock();
    kernel_close(w, file);
    seconds[calls + 1] = workload_since(start);
    MPI_Allreduce(MPI_IN_PLACE, &report.bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    workload_print(w, &report);
}

int main(int argc, char **argv)
{
    const option_table table = {the_kernel.usage, the_kernel.about, entries, NULL};
    choice c = {.common = {.repeat = 1}, .scale = 1};
    workload *w = &c.common;
    kernel_size size;
    bool right = true;
    int code;

    if (!workload_start(&argc, &argv, &table, w, &code))
        return code;
    size = (kernel_size){w->rank, w->ranks, c.scale, c.steps > 0 ? c.steps : the_kernel.steps};
    for (int i = 0; i < w->repeat; i++) {
        workload_remove(w);
        run(w, &size, i);
        if (w->damage)
            workload_damage(w);
        if (w->verify)
            right = kernel_verify(w, &size) && right;
    }
    return workload_finish(w, right);
}
