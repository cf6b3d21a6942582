#include "trace_file.h"
#include "formats/formats.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_LINE = 16384, LATER_FILES = 100 };

char *trace_header(const trace_plan *plan, double started, size_t *length_p)
{
    atm_value *line = atm_value_object();
    char *text = NULL, when[32];

    snprintf(when, sizeof(when), "%.3f", started);
    atm_put_string(line, "format", TRACE_FORMAT);
    atm_put_integer(line, "version", TRACE_VERSION);
    atm_put_string(line, "path", plan->path);
    atm_put_string(line, "driver", plan->driver);
    atm_put_string(line, "host", plan->host);
    atm_put_number(line, "started", strtod(when, NULL));
    if (atm_value_print_line(line, &text, length_p) != ATM_OK)
        text = NULL;
    atm_value_destroy(line);
    return text;
}

bool trace_cut(int file, uint64_t *length)
{
    char last;
    uint64_t end = *length;

    while (end > 0) {
        if (pread(file, &last, 1, (off_t) end - 1) != 1)
            return false;
        if (last == '\n')
            break;
        end--;
    }
    if (end < *length && ftruncate(file, (off_t) end) != 0)
        return false;
    *length = end;
    return true;
}

static atm_status fail(const char *path, atm_message *message)
{
    snprintf(message->text, sizeof(message->text), "%.180s: %s", path, strerror(errno));
    return ATM_NO_ACCESS;
}

/* "20261116T193655Z" */
static void stamp(double started, char text_p[32])
{
    time_t seconds = (time_t) started;
    struct tm parts;

    gmtime_r(&seconds, &parts);
    strftime(text_p, 32, "%Y%m%dT%H%M%SZ", &parts);
}

/* Renames by link, which never replaces another file, as a clock that was set back might. */
atm_status trace_put_aside(const trace_plan *plan, const char *path, double started,
                           atm_message *message)
{
    char when[32], aside[PATH_MAX];

    stamp(started, when);
    for (int i = 0; i < LATER_FILES; i++) {
        char more[16] = "";

        if (i > 0)
            snprintf(more, sizeof(more), "_%02d", i);
        snprintf(aside, sizeof(aside), "%.3700s/probe-%.200s.%s%s.jsonl", plan->directory,
                 plan->name, when, more);
        if (link(path, aside) == 0)
            return unlink(path) == 0 ? ATM_OK : fail(path, message);
        if (errno != EEXIST)
            break;
    }
    /* a file system without links */
    return rename(path, aside) == 0 ? ATM_OK : fail(path, message);
}

/* Whether this is the first line of a trace of the same path. */
static bool same_trace(const trace_plan *plan, const char *line, size_t length, double *started_p)
{
    atm_value *header = NULL;
    const char *path;
    double started;
    bool same;

    if (atm_value_parse(line, length, "trace", NULL, &header) != ATM_OK)
        return false;
    same = atm_check_format(header, TRACE_FORMAT, TRACE_VERSION, NULL, &(int){0}) == ATM_OK &&
           atm_get_string(header, "path", NULL, &path) == ATM_OK && strcmp(path, plan->path) == 0 &&
           atm_get_number(header, "started", 0, 1e11, NULL, &started) == ATM_OK;
    if (same)
        *started_p = started;
    atm_value_destroy(header);
    return same;
}

atm_status trace_go_on_or_put_aside(const trace_plan *plan, const char *path, double *started,
                                    atm_message *message)
{
    char line[FIRST_LINE];
    const char *end;
    ssize_t got;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return errno == ENOENT ? ATM_OK : fail(path, message);
    got = read(file, line, sizeof(line));
    if (got < 0) {
        atm_status status = fail(path, message);

        close(file);
        return status;
    }
    close(file);
    end = memchr(line, '\n', (size_t) got);
    if (got == 0 || (end == NULL && got < (ssize_t) sizeof(line)))
        return truncate(path, 0) == 0 ? ATM_OK : fail(path, message); /* killed at once */
    if (end != NULL && same_trace(plan, line, (size_t) (end - line), started))
        return ATM_OK;
    return trace_put_aside(plan, path, *started, message);
}

/* --- the number of files */

static const trace_plan *listed; /* for scandir's filter, which has no argument */

/* probe-NAME.20261116T193655Z.jsonl, also _01 after the time */
static int is_aside(const struct dirent *entry)
{
    static const char shape[] = "00000000T000000Z";
    char start[256];
    const char *at = entry->d_name;
    size_t length = (size_t) snprintf(start, sizeof(start), "probe-%.200s.", listed->name);

    if (strncmp(at, start, length) != 0)
        return 0;
    at += length;
    for (const char *want = shape; *want != '\0'; want++, at++)
        if (*want == '0' ? !isdigit((unsigned char) *at) : *at != *want)
            return 0;
    return *at == '_' || *at == '.';
}

void trace_drop_oldest(const trace_plan *plan)
{
    struct dirent **entries;
    int count;

    listed = plan;
    count = scandir(plan->directory, &entries, is_aside, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];

        snprintf(path, sizeof(path), "%.3700s/%.255s", plan->directory, entries[i]->d_name);
        if (count - i > plan->files - 1)
            unlink(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}
