#include "ad_autotune_report.h"

#include "adioi.h"

#include <stdio.h>
#include <string.h>

void ADIOI_AUTOTUNE_note(char *notes, size_t size, const char *key, const char *value,
                         const char *why)
{
    size_t used = strlen(notes);
    char begin[MPI_MAX_INFO_KEY + 48];

    snprintf(begin, sizeof(begin), "%s=%.32s ignored", key, value);
    if (strstr(notes, begin) == NULL)
        snprintf(notes + used, size - used, "%s%s: %s", used > 0 ? "; " : "", begin, why);
}

size_t ADIOI_AUTOTUNE_append(size_t size, char *text, size_t used, const char *more)
{
    size_t length = strlen(more);

    if (length > size - used - 1)
        length = size - used - 1;
    memcpy(text + used, more, length);
    text[used + length] = '\0';
    return used + length;
}

static void report(ADIO_File fd, const char *begin, const char *rest)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);
    char status[sizeof(state->shown.status)];
    const size_t size = sizeof(status);
    size_t used = ADIOI_AUTOTUNE_append(size, status, 0, begin);

    used = ADIOI_AUTOTUNE_append(size, status, used, rest);
    used = ADIOI_AUTOTUNE_append(size, status, used, state->notes[0] != '\0' ? "; " : "");
    ADIOI_AUTOTUNE_append(size, status, used, state->notes);
    if (strcmp(status, state->shown.status) == 0)
        return;
    strcpy(state->shown.status, status);
    ADIOI_Info_set(fd->info, "romio_autotune_status", state->shown.status);
}

void ADIOI_AUTOTUNE_report(ADIO_File fd, const char *status)
{
    report(fd, "", status);
}

void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason)
{
    report(fd, "default: ", reason);
}

void ADIOI_AUTOTUNE_report_alone(ADIO_File fd)
{
    ADIOI_AUTOTUNE_report_default(fd, "a file opened by a single process is not tuned");
}

void ADIOI_AUTOTUNE_say_next(const atm_profile *profile, size_t size, char *reason)
{
    size_t used = strlen(reason), length = strlen(profile->source), most = 40;

    if (strcmp(profile->source, ATM_PROFILE_GENERIC) == 0)
        ADIOI_AUTOTUNE_append(size, reason, used,
                              "; " ATM_PROFILE_GENERIC
                              ": autotune-calibrate measures this machine, "
                              "or set romio_autotune=enable");
    else
        snprintf(reason + used, size - used, "; profile %s%s: romio_autotune=enable takes it",
                 length > most ? "..." : "", profile->source + (length > most ? length - most : 0));
}

static void report_tuned(ADIO_File fd, const ADIOI_AUTOTUNE_decision *decision)
{
    char status[ATM_ADVISED + 32];

    snprintf(status, sizeof(status), "tuned%s%s",
             decision->advised[0] != '\0' ? "; advised by " : "", decision->advised);
    ADIOI_AUTOTUNE_report(fd, status);
}

/* Seconds with a decimal point whatever the program's locale is; nothing if no model was asked. */
static void report_predicted(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    static const char key[] = "romio_autotune_predicted";
    long long shown = 0, microseconds;
    double seconds = 0;
    char text[64];

    for (int i = 0; i < ATM_PART_COUNT; i++)
        seconds += state->decision.parts[i];
    microseconds = (long long) (seconds < 1e9 ? seconds * 1e6 + 0.5 : 1e15);
    if (seconds != 0)
        shown = microseconds + 1;
    if (shown == state->shown.predicted)
        return;
    state->shown.predicted = shown;
    snprintf(text, sizeof(text), "%lld.%06lld", microseconds / 1000000, microseconds % 1000000);
    if (shown != 0)
        ADIOI_Info_set(fd->info, key, text);
    else
        ADIOI_Info_delete(fd->info, key);
}

void ADIOI_AUTOTUNE_report_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;

    if (decision->tuned)
        report_tuned(fd, decision);
    else
        ADIOI_AUTOTUNE_report_default(fd, decision->reason);
    report_predicted(fd, state);
    ADIOI_AUTOTUNE_echo_remember(fd, state);
}
