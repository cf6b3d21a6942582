#include "statistics.h"

#include <stdlib.h>

#include "sources.h"

struct statistics {
    sources *sources;
    look looks[2];
    unsigned looked; /* how often */
    double time;     /* of the last look */
    peaks peaks;
    levels levels;
    char scarce[64];
    char *report; /* NULL: nobody asked since */
    size_t report_length;
    uid_t report_for;
};

statistics *statistics_new(const char *proc, const char *sys)
{
    statistics *s = calloc(1, sizeof(*s));

    if (s != NULL && (s->sources = sources_open(proc, sys)) != NULL)
        return s;
    free(s);
    return NULL;
}

void statistics_free(statistics *s)
{
    if (s == NULL)
        return;
    sources_close(s->sources);
    free(s->report);
    free(s);
}

void statistics_poll(statistics *s, double now)
{
    look *after = &s->looks[s->looked % 2], *before = &s->looks[(s->looked + 1) % 2];
    sample sample;

    sources_look(s->sources, now, after);
    if (s->looked++ > 0) {
        sample_between(before, after, now - s->time, &s->peaks, &sample);
        levels_add(&s->levels, &sample);
    }
    s->time = now;
    free(s->report);
    s->report = NULL;
}

const char *statistics_scarce(statistics *s)
{
    levels_scarce(&s->levels, s->scarce, sizeof(s->scarce));
    return s->scarce;
}

/* Whoever asks often gets the same again. */
const char *statistics_text(statistics *s, const work *w, const users *u, uid_t who,
                            size_t *length_p)
{
    if (s->report == NULL || s->report_for != who) {
        free(s->report);
        s->report = report_text(&s->levels, w, u, who, &s->report_length);
        s->report_for = who;
    }
    *length_p = s->report_length;
    return s->report;
}
