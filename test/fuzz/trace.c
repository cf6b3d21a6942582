/* Traces of autotune-probe: refused with a sentence, or samples in the order of time. */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "state/trace.h"

static void read_lines(trace *trace, char *text, size_t size)
{
    atm_status status = ATM_OK;
    atm_message message = {""};

    for (char *end = text + size; text < end && status == ATM_OK;) {
        char *newline = memchr(text, '\n', (size_t) (end - text));
        size_t length = (size_t) ((newline != NULL ? newline : end) - text);

        text[length] = '\0';
        status = trace_line(trace, text, length, "fuzz", &message);
        require(status != ATM_OK || memchr(text, '\0', length) == NULL, "a line beyond its end");
        text += length + 1;
    }
    if (status == ATM_OK)
        return;
    require(status == ATM_BAD_FILE, "status");
    require_message(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trace *trace = trace_create();
    char *text = fuzz_text(data, size);
    double from, to;

    require(trace != NULL, "no memory");
    read_lines(trace, text, size);
    free(text);
    trace_sort(trace);
    for (int i = 0; i < trace->count; i++)
        for (int k = 0; k < TRACE_SOURCES; k++) {
            const trace_series *series = &trace->targets[i].series[k];

            for (size_t s = 1; s < series->count; s++)
                require(series->samples[s - 1].time <= series->samples[s].time, "order");
        }
    if (trace_span(trace, &from, &to)) {
        require(from <= to, "span");
        trace_forget(trace, from + (to - from) / 2);
    }
    trace_destroy(trace);
    return 0;
}
