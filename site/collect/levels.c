#include "levels.h"

#include <stdio.h>

const double level_seconds[LEVELS] = {0.1, 1, 10, 60, 600};

/* Polls are never exactly on time: what is nearly a second is one. */
#define NEARLY 0.95

#define USED_UP 0.95
#define USUAL 0.8

static void keep(level *l, const sample *s)
{
    l->samples[l->next] = *s;
    l->next = (l->next + 1) % LEVEL_SAMPLES;
    if (l->count < LEVEL_SAMPLES)
        l->count++;
}

static void sum_up(sample *sum, const sample *s)
{
    sum->seconds += s->seconds;
    for (int i = 0; i < SAMPLE_COUNT; i++)
        sum->values[i] += s->values[i] * s->seconds;
}

static sample mean(const sample *sum)
{
    sample s = *sum;

    for (int i = 0; i < SAMPLE_COUNT; i++)
        s.values[i] /= sum->seconds;
    return s;
}

/* A poll that comes very late (a machine that slept) is one sample at every level. */
void levels_add(levels *l, const sample *s)
{
    sample next = *s;

    for (int i = 0; i < LEVELS; i++) {
        level *at = &l->levels[i];

        keep(at, &next);
        if (i + 1 == LEVELS)
            break;
        sum_up(&at->sum, &next);
        if (at->sum.seconds < NEARLY * level_seconds[i + 1])
            break;
        next = mean(&at->sum);
        at->sum = (sample){.seconds = 0};
    }
}

const sample *level_sample(const level *l, size_t index)
{
    return &l->samples[(l->next + LEVEL_SAMPLES - l->count + index) % LEVEL_SAMPLES];
}

const sample *level_last(const level *l)
{
    return l->count > 0 ? level_sample(l, l->count - 1) : NULL;
}

void levels_scarce(const levels *l, char *names, size_t room)
{
    const sample *last = level_last(&l->levels[1]), *usual = level_last(&l->levels[3]);
    size_t length = 0;

    names[0] = '\0';
    if (usual == NULL)
        usual = level_last(&l->levels[2]);
    for (int i = 0; i < SAMPLE_SHARES && last != NULL && usual != NULL && length < room; i++)
        if (last->values[i] >= USED_UP && usual->values[i] < USUAL)
            length += (size_t) snprintf(names + length, room - length, "%s%s",
                                        length > 0 ? ", " : "", sample_names[i]);
}
