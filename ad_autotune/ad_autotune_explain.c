#include "ad_autotune_record.h"

#include "ad_autotune_report.h"
#include "adioi.h"
#include "choose/explain.h"
#include "files/job.h"
#include "value/text_output.h"
#include "files/program_name.h"
#include "files/user.h"
#include "formats/formats.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- who runs */

/* Bytes of a file of /proc, as many as there are. */
static size_t read_some(const char *path, size_t size, char *text_p)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text_p, size) : -1;

    if (file >= 0)
        close(file);
    return length > 0 ? (size_t) length : 0;
}

/* As the kernel knows it, which a program cannot change, whatever language it is written in. */
static void find_program(size_t size, char *name_p)
{
    char exe[PATH_MAX], arguments[4096];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

    exe[length > 0 ? length : 0] = '\0';
    atm_program_name(exe, arguments, read_some("/proc/self/cmdline", sizeof(arguments), arguments),
                     size, name_p);
}

void ADIOI_AUTOTUNE_who(size_t program_size, char *program_p, size_t user_size, char *user_p)
{
    atm_user_name(user_size, user_p);
    find_program(program_size, program_p);
}

/* --- where explanations and records go */

char *ADIOI_AUTOTUNE_output_path(const char *pattern, atm_message *why)
{
    char host[256] = "", *path = ADIOI_Malloc(PATH_MAX);

    gethostname(host, sizeof(host) - 1);
    if (atm_record_path(pattern, host, getpid(), atm_job_id(), why, PATH_MAX, path) == ATM_OK)
        return path;
    ADIOI_Free(path);
    return NULL;
}

char *ADIOI_AUTOTUNE_record_path(const char *pattern, atm_message *why)
{
    char *path = ADIOI_AUTOTUNE_output_path(pattern, why);

    if (path == NULL || atm_line_append(path, "", 0, why) == ATM_OK)
        return path;
    ADIOI_Free(path);
    return NULL;
}

/* --- explanations */

/*
 * What was decided and why, where the user wants to see it: a line of JSON for each
 * decision, appended to a file or (stderr:json) written to stderr, or two
 * lines for people (stderr).
 */

static int is_for_people(const char *where)
{
    return strcmp(where, "stderr") == 0;
}

static atm_status write_text(const char *where, const char *line, size_t length,
                             atm_message *message)
{
    if (strcmp(where, "stderr:json") != 0)
        return atm_line_append(where, line, length, message);
    fputs(line, stderr);
    return ATM_OK;
}

static atm_status write_line(const atm_value *document, const char *where, atm_message *message)
{
    size_t length;
    char *line;
    atm_status status = atm_value_print_line(document, &line, &length);

    if (status != ATM_OK)
        return status;
    status = write_text(where, line, length, message);
    free(line);
    return status;
}

/* The profile, once in each file: decisions name it by its hash. */
static atm_status write_profile(const atm_profile *profile, const char *where,
                                ADIOI_AUTOTUNE_told *told, atm_message *message)
{
    size_t length;
    char *line;
    atm_status status;

    if (strcmp(where, "stderr:json") == 0 || (told->path != NULL && strcmp(told->path, where) == 0))
        return ATM_OK;
    status = atm_profile_line(profile, &line, &length);
    if (status != ATM_OK)
        return status;
    status = write_text(where, line, length, message);
    free(line);
    free(told->path);
    told->path = status == ATM_OK ? strdup(where) : NULL;
    return status;
}

/* Nothing where memory has run out. */
static atm_value *document_of(const ADIOI_AUTOTUNE_state *state, const atm_situation *situation,
                              const atm_decision *made, const int *ranks, int call)
{
    const atm_profile profile = atm_situation_profile(situation);
    atm_value *document, *list;

    if (atm_explain_value(&made->asked, &profile, made->choice, &document) != ATM_OK)
        return NULL;
    atm_put_string(document, "file", state->root->filename);
    atm_put_integer(document, "call", call);
    list = atm_put_array(document, "ranks");
    for (int i = 0; i < made->answer.chosen.config.aggregators; i++)
        atm_put_integer(list, NULL, ranks[i]);
    atm_put_situation(document, "situation", situation, state->root->told->hash);
    return document;
}

static void tell_people(const ADIOI_AUTOTUNE_state *state, const atm_request *request,
                        const atm_choice *choice, int call)
{
    char *text;

    if (atm_explain_brief(request, choice, &text) != ATM_OK)
        return;
    if (call == 0)
        fprintf(stderr, "romio-autotune: %s, at open: %s", state->root->filename, text);
    else
        fprintf(stderr, "romio-autotune: %s, call %d: %s", state->root->filename, call, text);
    free(text);
}

void ADIOI_AUTOTUNE_explain(const ADIOI_AUTOTUNE_state *state, const atm_situation *situation,
                            const atm_decision *made, const int *ranks,
                            ADIOI_AUTOTUNE_decision *decision)
{
    const char *where = state->root->settings->explain;
    ADIOI_AUTOTUNE_told *told = state->root->told;
    atm_message message = {""};
    atm_value *document;
    atm_status status = ATM_OK;

    if (is_for_people(where)) {
        tell_people(state, &made->asked, made->choice, decision->call);
        return;
    }
    if (told->hash[0] == '\0')
        status = atm_profile_hash(situation->profile, told->hash);
    document = status == ATM_OK ? document_of(state, situation, made, ranks, decision->call) : NULL;
    if (document == NULL)
        return;
    status = write_profile(situation->profile, where, told, &message);
    if (status == ATM_OK)
        status = write_line(document, where, &message);
    if (status != ATM_OK)
        ADIOI_AUTOTUNE_refuse(decision->notes, sizeof(decision->notes), "romio_autotune_explain",
                              where, message.text);
    atm_value_destroy(document);
}

void ADIOI_AUTOTUNE_explain_layout(ADIOI_AUTOTUNE_state *state)
{
    const char *where = state->root->settings->explain;
    const ADIOI_AUTOTUNE_striping *striping = &state->striping;
    atm_message message = {""};
    atm_value *document;

    if (where == NULL)
        return;
    if (is_for_people(where)) {
        fprintf(stderr, "romio-autotune: %s has %d stripes of %d bytes from OST %d on\n",
                state->root->filename, striping->count, striping->unit, striping->start);
        return;
    }
    document = atm_value_object();
    atm_put_string(document, "format", ATM_LAYOUT_FORMAT);
    atm_put_integer(document, "version", ATM_LAYOUT_VERSION);
    atm_put_string(document, "file", state->root->filename);
    atm_put_integer(document, "call", state->calls);
    atm_put_integer(document, "stripe_size", striping->unit);
    atm_put_integer(document, "stripe_count", striping->count);
    atm_put_integer(document, "first_ost", striping->start);
    if (write_line(document, where, &message) != ATM_OK)
        ADIOI_AUTOTUNE_refuse(state->notes, sizeof(state->notes), "romio_autotune_explain", where,
                              message.text);
    atm_value_destroy(document);
}
