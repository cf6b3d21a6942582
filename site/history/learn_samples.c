/* Samples: added one by one, each of their texts kept once. */

#include "learn_inside.h"

#include <stdlib.h>
#include <string.h>

#include "fnv.h"

/* --- texts */

static char **place(char **texts, size_t room, const char *text)
{
    size_t at = (size_t) atm_fnv_text(ATM_FNV_BEGIN, text) & (room - 1);

    while (texts[at] != NULL && strcmp(texts[at], text) != 0)
        at = (at + 1) & (room - 1);
    return &texts[at];
}

static bool grow_texts(ath_samples *samples)
{
    size_t room = samples->text_room > 0 ? 2 * samples->text_room : 256;
    char **texts = calloc(room, sizeof(*texts));

    if (texts == NULL)
        return false;
    for (size_t i = 0; i < samples->text_room; i++)
        if (samples->texts[i] != NULL)
            *place(texts, room, samples->texts[i]) = samples->texts[i];
    free(samples->texts);
    samples->texts = texts;
    samples->text_room = room;
    return true;
}

/* NULL without memory */
static const char *keep(ath_samples *samples, const char *text)
{
    char **at;

    if (2 * samples->text_count >= samples->text_room && !grow_texts(samples))
        return NULL;
    at = place(samples->texts, samples->text_room, text);
    if (*at == NULL && (*at = strdup(text)) != NULL)
        samples->text_count++;
    return *at;
}

/* --- samples */

static bool is_usable(const ath_sample *sample)
{
    return sample->seconds > 0 && sample->seconds < 1e9 && sample->bytes >= 1 &&
           sample->bytes < 0x1p52 && sample->ranks >= 1 &&
           strlen(sample->program) < ATM_ADVICE_PATTERN / 2 &&
           strlen(sample->user) < ATM_ADVICE_PATTERN / 2;
}

static bool make_room(ath_samples *samples)
{
    size_t room = samples->room > 0 ? 2 * samples->room : 1024;
    ath_sample *at;

    if (samples->count < samples->room)
        return true;
    at = realloc(samples->at, room * sizeof(*at));
    if (at == NULL)
        return false;
    samples->at = at;
    samples->room = room;
    return true;
}

ath_status ath_samples_add(ath_samples *samples, const ath_sample *sample)
{
    char pattern[ATM_ADVICE_PATTERN];
    ath_sample copy = *sample;

    if (!is_usable(sample) || !learn_pattern(sample->file, pattern))
        return ATH_OK;
    copy.program = keep(samples, sample->program);
    copy.user = keep(samples, sample->user);
    copy.file = keep(samples, sample->file);
    copy.settings = keep(samples, sample->settings);
    copy.pattern = keep(samples, pattern);
    if (copy.program == NULL || copy.user == NULL || copy.file == NULL || copy.settings == NULL ||
        copy.pattern == NULL || !make_room(samples))
        return ATH_NO_MEMORY;
    samples->at[samples->count++] = copy;
    return ATH_OK;
}

void ath_samples_destroy(ath_samples *samples)
{
    for (size_t i = 0; i < samples->text_room; i++)
        free(samples->texts[i]);
    free(samples->texts);
    free(samples->at);
    *samples = (ath_samples){.at = NULL};
}
