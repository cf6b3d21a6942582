#include "ad_autotune_report.h"

#include "ad_autotune_plan.h"
#include "adioi.h"
#include "fnv.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

/* --- what is wrong, on stderr */

/*
 * Few users look at the status of a file: what is wrong is also said on stderr, by one process of
 * the job, once.  Called under ROMIO's lock.
 */

enum { SAID = 32 }; /* more is too much for anybody to read */

void ADIOI_AUTOTUNE_say_once(const char *text)
{
    static uint64_t said[SAID];
    static int count;
    uint64_t hash = atm_fnv_text(ATM_FNV_BEGIN, text);
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || count == SAID)
        return;
    for (int i = 0; i < count; i++)
        if (said[i] == hash)
            return;
    said[count++] = hash;
    fprintf(stderr, "romio-autotune: %s\n", text);
}

void ADIOI_AUTOTUNE_variable(const char *key, char *variable_p)
{
    size_t i;

    for (i = 0; key[i] != '\0'; i++)
        variable_p[i] = (char) (key[i] >= 'a' && key[i] <= 'z' ? key[i] - 'a' + 'A' : key[i]);
    variable_p[i] = '\0';
}

void ADIOI_AUTOTUNE_refuse(char *notes, size_t size, const char *key, const char *value,
                           const char *why)
{
    char variable[MPI_MAX_INFO_KEY + 1], text[1024];
    const char *set;

    ADIOI_AUTOTUNE_variable(key, variable);
    set = secure_getenv(variable);
    snprintf(text, sizeof(text), "%s=%.256s is ignored: %s",
             set != NULL && strcmp(set, value) == 0 ? variable : key, value, why);
    ADIOI_AUTOTUNE_say_once(text);
    ADIOI_AUTOTUNE_note(notes, size, key, value, why);
}

/* --- what programs pass on */

/*
 * Programs pass on what MPI_File_get_info gave them: HDF5 1.14 passes the info that
 * it got at open to every MPI_File_set_view, others that of one file to the open of
 * the next.  Values that we reported are not the user's hints.  The exception is a
 * switch if nothing else in the info is ours: the user may mean any of its three
 * values.
 *
 * Keys are never removed from an info that only some ranks may have: ROMIO
 * broadcasts a hint on the ranks that have its key (hint_fns.c:24), and would
 * hang.
 */

/* Hints that decisions set: those of a plan, and some that do not change after open. */
static const char *const at_open[] = {"striping_factor", "romio_lustre_start_iodevice",
                                      "start_iodevice", "cb_config_list"};

enum { HINTS = ADIOI_AUTOTUNE_FIELDS + sizeof(at_open) / sizeof(at_open[0]) };

static const char *key_of(int hint)
{
    return hint < ADIOI_AUTOTUNE_FIELDS ? ADIOI_AUTOTUNE_fields[hint].key
                                        : at_open[hint - ADIOI_AUTOTUNE_FIELDS];
}

/* Which of them the user gave, by name. */
static const char kept_key[] = "romio_autotune_kept";

int ADIOI_AUTOTUNE_is_echo(MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1];

    return ADIOI_AUTOTUNE_get_value(users_info, "romio_autotune_status", value);
}

/* The hints that a report of ours says the user gave. */
static unsigned named_as_kept(MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1], name[MPI_MAX_INFO_KEY + 3];
    unsigned kept = 0;

    if (!ADIOI_AUTOTUNE_get_value(users_info, kept_key, value))
        return 0;
    for (int i = 0; i < HINTS; i++) {
        snprintf(name, sizeof(name), " %s ", key_of(i));
        if (strstr(value, name) != NULL)
            kept |= 1u << i;
    }
    return kept;
}

static int is_zero(MPI_Info users_info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1];

    return ADIOI_AUTOTUNE_get_value(users_info, key, value) && strcmp(value, "0") == 0;
}

/* Striping of zeros, which ROMIO reports for a file without any: since MPICH 4.2 for every one
 * (ad_opencoll.c:182).  OST 0 alone may be a wish. */
static unsigned no_striping(MPI_Info users_info)
{
    int unit = is_zero(users_info, "striping_unit");
    int factor = is_zero(users_info, "striping_factor");
    unsigned bits = 0;

    for (int i = 0; i < HINTS; i++) {
        int is_start = strstr(key_of(i), "start_iodevice") != NULL;

        if ((unit && strcmp(key_of(i), "striping_unit") == 0) ||
            (factor && strcmp(key_of(i), "striping_factor") == 0) ||
            (unit && factor && is_start && is_zero(users_info, key_of(i))))
            bits |= 1u << i;
    }
    return bits;
}

unsigned ADIOI_AUTOTUNE_echo_kept(MPI_Info users_info)
{
    unsigned kept =
        ADIOI_AUTOTUNE_is_echo(users_info) ? named_as_kept(users_info) : ADIOI_AUTOTUNE_ALL_KEPT;

    return kept & ~no_striping(users_info);
}

void ADIOI_AUTOTUNE_echo_report(ADIO_File fd, MPI_Info users_info)
{
    char text[MPI_MAX_INFO_VAL + 1] = " ", value[MPI_MAX_INFO_VAL + 1];
    size_t used = 1;

    for (int i = 0; i < HINTS; i++)
        if (ADIOI_AUTOTUNE_get_value(users_info, key_of(i), value))
            used += (size_t) snprintf(text + used, sizeof(text) - used, "%s ", key_of(i));
    if (used > 1)
        ADIOI_Info_set(fd->info, kept_key, text);
}

MPI_Info ADIOI_AUTOTUNE_echo_strip(MPI_Info users_info, unsigned kept)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info copy;

    MPI_Info_dup(users_info, &copy);
    for (int i = 0; i < HINTS; i++)
        if ((kept >> i & 1) == 0 && ADIOI_AUTOTUNE_get_value(copy, key_of(i), value))
            ADIOI_Info_delete(copy, key_of(i));
    return copy;
}

static int was_reported(const ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_field *field,
                        const char *value)
{
    char text[32];

    for (int i = 0; i < state->reports; i++) {
        int number = ADIOI_AUTOTUNE_planned(&state->reported[i], field);

        if (field->is_switch)
            snprintf(text, sizeof(text), "%s", ADIOI_AUTOTUNE_switch_name(number));
        else
            snprintf(text, sizeof(text), "%d", number);
        if (strcmp(text, value) == 0)
            return 1;
    }
    return 0;
}

MPI_Info ADIOI_AUTOTUNE_echo_renew(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                                   MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1], now[MPI_MAX_INFO_VAL + 1];
    int is_echo = ADIOI_AUTOTUNE_is_echo(users_info);
    MPI_Info copy;

    MPI_Info_dup(users_info, &copy);
    for (int i = 0; i < ADIOI_AUTOTUNE_FIELDS; i++) {
        const ADIOI_AUTOTUNE_field *field = &ADIOI_AUTOTUNE_fields[i];

        if ((is_echo || !field->is_switch) && ADIOI_AUTOTUNE_is_planned(fd, field) &&
            ADIOI_AUTOTUNE_get_value(copy, field->key, value) &&
            ADIOI_AUTOTUNE_get_value(fd->info, field->key, now) &&
            was_reported(state, field, value))
            ADIOI_Info_set(copy, field->key, now);
    }
    return copy;
}

void ADIOI_AUTOTUNE_echo_remember(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_plan plan = ADIOI_AUTOTUNE_plan_of(fd);

    if (state->reports > 0 &&
        memcmp(&state->reported[state->reports - 1], &plan, sizeof(plan)) == 0)
        return;
    if (state->reports < ADIOI_AUTOTUNE_REPORTS)
        state->reported[state->reports++] = plan;
}
