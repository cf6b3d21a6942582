#include "passive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool passive_file_system(const char *target_name, char name_p[TARGET_NAME])
{
    const char *end = strstr(target_name, "-OST");

    if (end == NULL || end == target_name)
        return false;
    snprintf(name_p, TARGET_NAME, "%.*s", (int) (end - target_name), target_name);
    return true;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* "scratch-OST0003-osc-ffff8881...": a client's; a server's own end in -osc-MDT0000 */
static passive_row *row_of(const char *device, size_t length, const char *file_system,
                           const passive_look *look)
{
    size_t prefix = strlen(file_system);
    unsigned index;
    const int *found;
    int end = 0, wanted;

    if (length <= prefix || strncmp(device, file_system, prefix) != 0)
        return NULL;
    if (sscanf(device + prefix, "-OST%4x-osc-%n", &index, &end) != 1 || end == 0 ||
        strncmp(device + prefix + end, "MDT", 3) == 0)
        return NULL;
    wanted = (int) index;
    found = bsearch(&wanted, look->indices, (size_t) look->count, sizeof(*found), compare);
    return found != NULL ? &look->rows[found - look->indices] : NULL;
}

/* The letters of "lfs df" */
static void take_flags(const char *flags, size_t length, passive_row *row)
{
    row->known = true;
    row->state.degraded = memchr(flags, 'D', length) != NULL;
    row->state.no_create = memchr(flags, 'N', length) != NULL || memchr(flags, 'R', length) != NULL;
}

static void take_space(passive_row *row)
{
    if (row->total > 0 && row->available <= row->total) {
        row->known = true;
        row->state.full = 1 - row->available / row->total;
    }
}

static void take_value(const char *key, const char *value, size_t length, passive_row *row)
{
    if (strcmp(key, "active") == 0) {
        row->known = true;
        row->state.inactive = row->state.inactive || (length == 1 && value[0] == '0');
    } else if (strcmp(key, "statfs_state") == 0) {
        take_flags(value, length, row);
    } else if (strcmp(key, "kbytesavail") == 0) {
        row->available = strtod(value, NULL);
    } else if (strcmp(key, "kbytestotal") == 0) {
        row->total = strtod(value, NULL);
    }
    take_space(row);
}

/* A line below "stats=" or "import=" */
static void take_line(const char *line, passive_row *row)
{
    double samples, sum;
    char state[32];

    if (sscanf(line, "req_waittime %lf samples %*s %*f %*f %lf", &samples, &sum) == 2) {
        row->samples += samples;
        row->seconds += 1e-6 * sum;
    } else if (sscanf(line, " state: %31s", state) == 1) {
        row->known = true;
        row->state.inactive = row->state.inactive || strcmp(state, "FULL") != 0;
    }
}

/* "osc.DEVICE.KEY=VALUE": the row that this and the following lines are of, if any */
static passive_row *take_heading(const char *line, size_t length, const char *file_system,
                                 const passive_look *look)
{
    const char *device = line + 4, *dot = memchr(device, '.', length - 4), *equals;
    passive_row *row;
    char key[32];

    equals = dot != NULL ? memchr(dot, '=', (size_t) (line + length - dot)) : NULL;
    if (equals == NULL || equals - dot > (ptrdiff_t) sizeof(key))
        return NULL;
    row = row_of(device, (size_t) (dot - device), file_system, look);
    snprintf(key, sizeof(key), "%.*s", (int) (equals - dot - 1), dot + 1);
    if (row != NULL)
        take_value(key, equals + 1, (size_t) (line + length - equals - 1), row);
    return row;
}

void passive_parse(const char *text, const char *file_system, passive_look *look)
{
    passive_row *row = NULL;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        if (length > 4 && strncmp(text, "osc.", 4) == 0) {
            row = take_heading(text, length, file_system, look);
        } else if (row != NULL) {
            char line[256];

            snprintf(line, sizeof(line), "%.*s", (int) (length < 255 ? length : 255), text);
            take_line(line, row);
        }
        text += length + (text[length] == '\n');
    }
}

bool passive_between(const passive_row *before, const passive_row *after, double *samples_p,
                     double *mean_p)
{
    double samples = after->samples - before->samples, seconds = after->seconds - before->seconds;

    if (!(samples > 0) || !(seconds > 0))
        return false;
    *samples_p = samples;
    *mean_p = seconds / samples;
    return true;
}
