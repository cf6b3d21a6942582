#include "prober.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "common/units.h"

static void clear_line(prober *prober)
{
    if (prober->shown > 0)
        fprintf(stderr, "\r%79s\r", "");
    prober->shown = 0;
}

void prober_say(prober *prober, const char *format, ...)
{
    va_list arguments;

    clear_line(prober);
    fputs("autotune-probe: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
}

static void print_counts(const prober *prober, double now)
{
    const prober_counts *counts = &prober->counts;
    unsigned long long lost = trace_lost(prober->trace);

    fprintf(stderr, "autotune-probe: %s, %d target%s, %llu probes, %llu truth writes",
            units_seconds(now - prober->started).text, prober->count, prober->count == 1 ? "" : "s",
            (unsigned long long) counts->probes, (unsigned long long) counts->truths);
    if (counts->services > 0)
        fprintf(stderr, ", %llu passive", (unsigned long long) counts->services);
    if (counts->skipped > 0)
        fprintf(stderr, ", %llu left out", (unsigned long long) counts->skipped);
    if (counts->errors > 0)
        fprintf(stderr, ", %llu errors", (unsigned long long) counts->errors);
    if (lost > 0)
        fprintf(stderr, ", %llu lines lost", lost);
}

void prober_progress(prober *prober, double now)
{
    if (!isatty(STDERR_FILENO) || now - prober->shown < 1)
        return;
    clear_line(prober);
    print_counts(prober, now);
    prober->shown = now;
}

void prober_summary(prober *prober, double now)
{
    clear_line(prober);
    print_counts(prober, now);
    fprintf(stderr, ", in %s\n", trace_path(prober->trace));
}
