/* What a calibration has not reached, in words: kinds of accesses, sizes, ranks, stripes. */

#include "plan.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct kind {
    const char *name;
    atm_operation first, last;
} kind;

static const kind kinds[] = {
    {"exchanges", ATM_EXCHANGE, ATM_EXCHANGE},
    {"writes", ATM_WRITE_FIRST, ATM_WRITE_PARTIAL},
    {"writes into full caches", ATM_WRITE_DRAINED, ATM_WRITE_DRAINED},
    {"reads", ATM_READ_FIRST, ATM_READ_PARTIAL},
    {"independent writes", ATM_WRITE_INDEPENDENT, ATM_WRITE_INDEPENDENT},
    {"independent reads", ATM_READ_INDEPENDENT, ATM_READ_INDEPENDENT},
};

/* The largest that was visited, and that was possible. */
typedef struct extent {
    double visited, possible;
} extent;

typedef struct text {
    char *at;
    size_t room, length;
} text;

static void append(text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    if (text->length >= text->room)
        return;
    va_start(arguments, format);
    length = vsnprintf(text->at + text->length, text->room - text->length, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t) length : 0;
}

static extent extent_of(const schedule *schedule, const kind *kind,
                        double (*value)(const plan_point *point))
{
    const plan *plan = schedule->plan;
    extent found = {0, 0};

    for (int i = plan->first[kind->first]; i < plan->first[kind->last + 1]; i++) {
        double is = value(&plan->points[i]);

        if (is > found.possible)
            found.possible = is;
        if (schedule->done[i] > 0 && is > found.visited)
            found.visited = is;
    }
    return found;
}

static double bytes_of(const plan_point *point)
{
    return (double) point->bytes;
}

static double ranks_of(const plan_point *point)
{
    return point->receivers;
}

static double stripes_of(const plan_point *point)
{
    return point->stripes;
}

/* 65536 as 64 KiB */
static void append_size(text *text, double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    int unit = 0;

    for (; unit < 3 && bytes >= 1024; unit++)
        bytes /= 1024;
    append(text, "%.4g %s", bytes, units[unit]);
}

static void describe(const schedule *schedule, const kind *kind, text *text)
{
    extent bytes = extent_of(schedule, kind, bytes_of);
    extent ranks = extent_of(schedule, kind, ranks_of);
    extent stripes = extent_of(schedule, kind, stripes_of);
    const char *before = " of more than ";

    if (bytes.possible == 0)
        return;
    if (bytes.visited == bytes.possible && ranks.visited == ranks.possible &&
        stripes.visited == stripes.possible)
        return;
    append(text, "%s%s", text->length > 0 ? "; " : "", kind->name);
    if (bytes.visited == 0) {
        append(text, " of any size");
        return;
    }
    if (bytes.visited < bytes.possible) {
        append(text, "%s", before);
        append_size(text, bytes.visited);
        before = " or ";
    } else {
        before = " ";
    }
    if (ranks.visited < ranks.possible) {
        append(text, "%sby more than %.0f ranks", before, ranks.visited);
        before = " or ";
    }
    if (stripes.visited < stripes.possible)
        append(text, "%sto more than %.0f stripes", before, stripes.visited);
}

void schedule_describe_missed(const schedule *schedule, char *at, size_t room)
{
    text text = {at, room, 0};

    at[0] = '\0';
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        describe(schedule, &kinds[i], &text);
}
