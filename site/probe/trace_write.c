#include "trace_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_names.h"
#include "trace_file.h"
#include "common/clock.h"

struct trace {
    trace_plan plan;
    char path[PATH_MAX];
    int file; /* negative: it could not be opened again */
    uint64_t length;
    double started;
    int started_files;
    uint64_t lost;
    int error; /* that was said; 0: none */
};

const char *trace_path(const trace *trace)
{
    return trace->path;
}

int trace_file_count(const trace *trace)
{
    return trace->started_files;
}

uint64_t trace_lost(const trace *trace)
{
    return trace->lost;
}

/* --- writing */

/* All of a line, or nothing: what a full disk took of it is cut off again. */
static bool append(trace *trace, const char *text, size_t length)
{
    ssize_t written = write(trace->file, text, length);
    int error = written < 0 ? errno : ENOSPC;

    if (written == (ssize_t) length) {
        trace->length += length;
        return true;
    }
    if (written > 0 && ftruncate(trace->file, (off_t) trace->length) != 0)
        error = errno;
    errno = error;
    return false;
}

static bool append_header(trace *trace)
{
    size_t length;
    char *text = trace_header(&trace->plan, trace->started, &length);
    bool good = text != NULL && append(trace, text, length);

    if (text == NULL)
        errno = ENOMEM;
    free(text);
    if (good)
        trace->started_files++;
    return good;
}

/* Opens the file at its end; a new one gets its first line. */
static bool open_file(trace *trace)
{
    struct stat stat;

    trace->file = open(trace->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (trace->file < 0)
        return false;
    trace->length = fstat(trace->file, &stat) == 0 ? (uint64_t) stat.st_size : 0;
    if (trace->length == 0) {
        trace->started = clock_wall();
        if (append_header(trace))
            return true;
    } else if (trace_cut(trace->file, &trace->length)) {
        return true;
    }
    close(trace->file);
    trace->file = -1;
    return false;
}

static void say_error(trace *trace, int error)
{
    if (error == trace->error)
        return;
    trace->error = error;
    fprintf(stderr, "autotune-probe: %s: %s; measurements are lost until it can be written\n",
            trace->path, strerror(error));
}

static void say_recovery(trace *trace)
{
    unsigned long long lost = trace->lost;

    fprintf(stderr, "autotune-probe: %s: can be written again; %llu lines were lost\n", trace->path,
            lost);
    trace->lost = 0;
    trace->error = 0;
    trace_put_note(trace, clock_wall(), "%llu lines before this one were lost", lost);
}

static void start_next(trace *trace)
{
    atm_message message;

    close(trace->file);
    trace->file = -1;
    if (trace_put_aside(&trace->plan, trace->path, trace->started, &message) != ATM_OK)
        fprintf(stderr, "autotune-probe: %s\n", message.text);
    else
        trace_drop_oldest(&trace->plan);
}

static void put(trace *trace, const char *text, size_t length)
{
    if (trace->file >= 0 && trace->length + length > trace->plan.bytes)
        start_next(trace);
    if (trace->file < 0 && !open_file(trace)) {
        trace->lost++;
        say_error(trace, errno);
        return;
    }
    if (!append(trace, text, length)) {
        trace->lost++;
        say_error(trace, errno);
        close(trace->file); /* what is open may be a file that is no longer there */
        trace->file = -1;
        return;
    }
    if (trace->lost > 0)
        say_recovery(trace);
}

static void put_value(trace *trace, atm_value *line)
{
    char *text;
    size_t length;

    if (atm_value_print_line(line, &text, &length) == ATM_OK) {
        put(trace, text, length);
        free(text);
    } else {
        trace->lost++;
    }
    atm_value_destroy(line);
}

/* --- opening */

atm_status trace_open(const trace_plan *plan, atm_message *message, trace **trace_p)
{
    trace *made = calloc(1, sizeof(*made)); /* trace_close */
    atm_status status;

    if (made == NULL)
        return ATM_NO_MEMORY;
    made->plan = *plan;
    made->file = -1;
    snprintf(made->path, sizeof(made->path), "%.3800s/probe-%.200s.jsonl", plan->directory,
             plan->name);
    made->started = clock_wall();
    status = trace_go_on_or_put_aside(plan, made->path, &made->started, message);
    if (status == ATM_OK && !open_file(made)) {
        snprintf(message->text, sizeof(message->text), "%.180s: %s", made->path, strerror(errno));
        status = ATM_NO_ACCESS;
    }
    if (status == ATM_OK) {
        trace_drop_oldest(plan);
        *trace_p = made;
    } else {
        trace_close(made);
    }
    return status;
}

void trace_close(trace *trace)
{
    if (trace == NULL)
        return;
    if (trace->file >= 0) {
        fsync(trace->file);
        close(trace->file);
    }
    free(trace);
}

/* --- lines */

/* Six digits of a measurement, milliseconds of a time. */
static double rounded(double number)
{
    char text[32];

    snprintf(text, sizeof(text), "%.6g", number);
    return strtod(text, NULL);
}

static atm_value *line_of(double time, const char *kind)
{
    atm_value *line = atm_value_object();
    char text[32];

    snprintf(text, sizeof(text), "%.3f", time);
    atm_put_number(line, "time", strtod(text, NULL));
    atm_put_string(line, "kind", kind);
    return line;
}

static void put_write(trace *trace, const trace_write *write, const char *kind)
{
    atm_value *line = line_of(write->time, kind);

    atm_put_integer(line, "target", write->target);
    atm_put_integer(line, "bytes", (int64_t) write->bytes);
    atm_put_number(line, "seconds", rounded(write->seconds));
    put_value(trace, line);
}

void trace_put_probe(trace *trace, const trace_write *write)
{
    put_write(trace, write, "probe");
}

void trace_put_truth(trace *trace, const trace_write *write)
{
    put_write(trace, write, "truth");
}

void trace_put_error(trace *trace, const trace_write *write, int error)
{
    atm_value *line = line_of(write->time, "error");

    atm_put_integer(line, "target", write->target);
    atm_put_integer(line, "bytes", (int64_t) write->bytes);
    atm_put_string(line, "error", error_name(error).text);
    put_value(trace, line);
}

void trace_put_service(trace *trace, double time, int target, double samples, double seconds)
{
    atm_value *line = line_of(time, "service");

    atm_put_integer(line, "target", target);
    atm_put_number(line, "samples", samples);
    atm_put_number(line, "seconds", rounded(seconds));
    put_value(trace, line);
}

void trace_put_target(trace *trace, double time, int target, const target_state *state)
{
    atm_value *line = line_of(time, "target");

    atm_put_integer(line, "target", target);
    if (state->full >= 0)
        atm_put_number(line, "full", rounded(state->full));
    atm_put_truth(line, "degraded", state->degraded);
    atm_put_truth(line, "inactive", state->inactive);
    atm_put_truth(line, "no_create", state->no_create);
    put_value(trace, line);
}

void trace_put_jobs(trace *trace, double time, const jobs_features *jobs)
{
    atm_value *line = line_of(time, "jobs");

    for (int i = 0; i < JOBS_FEATURES; i++)
        atm_put_number(line, jobs_names[i], jobs->value[i]);
    put_value(trace, line);
}

void trace_put_note(trace *trace, double time, const char *format, ...)
{
    atm_value *line = line_of(time, "note");
    va_list arguments;
    char text[512];

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    atm_put_string(line, "text", text);
    put_value(trace, line);
}
