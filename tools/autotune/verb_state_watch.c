/* autotune state watch: a state that is kept fresh. */

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "verb_state.h"

typedef struct watch_command {
    const char *output;
    int every, holds;
    bool once;
    double at; /* NaN: now */
} watch_command;

static const char *set_at(const char *value, void *variables)
{
    watch_command *command = variables;
    char *end;

    command->at = strtod(value, &end);
    return *end == '\0' && end != value && command->at >= 0 && command->at <= 1e11
               ? NULL
               : "must be seconds since 1970";
}

static const option_entry entries[] = {
    {"output", "FILE", "the state to write, for the driver to read (also -o FILE)", OPTION_TEXT,
     offsetof(watch_command, output), NULL},
    {"every", "SECONDS", "between two looks at the traces (default 30)", OPTION_COUNT,
     offsetof(watch_command, every), NULL},
    {"holds", "SECONDS", "that what is said holds (default 600)", OPTION_COUNT,
     offsetof(watch_command, holds), NULL},
    {"once", NULL, "write it once and end", OPTION_FLAG, offsetof(watch_command, once), NULL},
    {"at", "TIME", "with --once: as if it were then, in seconds since 1970", OPTION_SPECIAL, 0,
     set_at},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune state watch [options] MODEL TRACES... -o STATE",
    .about = "Reads what autotune-probe adds to traces (files, or folders of them), and says for\n"
             "each target how likely it is idle.  The state is replaced as a whole; it ends on\n"
             "SIGINT and SIGTERM.\n",
    .entries = entries};

/* Nothing older is looked at again: the last large write at most. */
#define REMEMBERED (2 * 86400.0)

static volatile sig_atomic_t ended;

static void end(int signal)
{
    (void) signal;
    ended = 1;
}

static void end_on_signals(void)
{
    struct sigaction action = {.sa_handler = end};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

typedef struct watcher {
    const watch_command *command;
    state_model *model;
    trace *trace;
    char *const *names; /* of traces and folders of them */
    int name_count;
    int count;
    trace_follower *followers;
    atm_message said; /* the last complaint: not repeated */
} watcher;

/* --- one look */

static int complain_once(watcher *w, const char *file, atm_status status,
                         const atm_message *message)
{
    if (strcmp(w->said.text, message->text) == 0 && message->text[0] != '\0')
        return 2;
    w->said = *message;
    return state_complain("watch", file, status, message);
}

static bool is_followed(const watcher *w, const char *path, double now)
{
    struct stat info;
    bool there = stat(path, &info) == 0;

    if (there && isnan(w->command->at) && (double) info.st_mtime < now - REMEMBERED)
        return true; /* has nothing that is not forgotten */
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->followers[i].path, path) == 0 ||
            (there && trace_follows(&w->followers[i], &info)))
            return true;
    return false;
}

static atm_status follow(watcher *w, const char *path)
{
    trace_follower *followers = realloc(w->followers, ((size_t) w->count + 1) * sizeof(*followers));

    if (followers == NULL)
        return ATM_NO_MEMORY;
    w->followers = followers;
    w->count += trace_follow(path, &w->followers[w->count]) == ATM_OK;
    return ATM_OK;
}

/* Files that are new in a folder; those that were renamed there are known by what they are. */
static int find_files(watcher *w, double now)
{
    atm_message message = {""};
    char **files = NULL;
    int count = 0;
    atm_status status = trace_files(w->names, w->name_count, &message, &files, &count);

    for (int i = 0; i < count && status == ATM_OK; i++)
        if (!is_followed(w, files[i], now))
            status = follow(w, files[i]);
    trace_files_free(files, count);
    return status == ATM_OK ? 0 : complain_once(w, w->names[0], status, &message);
}

/* A line that is wrong is named and passed over: its file goes on after it. */
static int catch_up(watcher *w, double now)
{
    int code = find_files(w, now);

    for (int i = 0; i < w->count; i++) {
        atm_message message = {""};
        size_t added;
        atm_status status = trace_catch_up(w->trace, &w->followers[i], &message, &added);

        if (status != ATM_OK)
            code = complain_once(w, w->followers[i].path, status, &message);
    }
    trace_sort(w->trace);
    return code;
}

static atm_status write_state(const watcher *w, double now, atm_message *message)
{
    atm_value *document = NULL;
    atm_state *state = NULL;
    atm_status status = say_state(w->model, w->trace, now, w->command->holds, &state);

    if (status != ATM_OK)
        return status;
    document = atm_state_value(state);
    status = atm_value_built(document);
    if (status == ATM_OK)
        status = atm_value_write(document, w->command->output, message);
    atm_value_destroy(document);
    atm_state_destroy(state);
    return status;
}

static int say(watcher *w, double now)
{
    atm_message message = {""};
    atm_status status;

    if (w->trace->path != NULL && strcmp(w->trace->path, w->model->path) != 0) {
        fprintf(stderr, "autotune state watch: the traces are of %s, the model is of %s\n",
                w->trace->path, w->model->path);
        return 2;
    }
    status = write_state(w, now, &message);
    if (status == ATM_OK)
        return 0;
    complain_once(w, w->command->output, status, &message);
    return 1;
}

static double clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Until a signal; what goes wrong is said and tried again. */
static int look(watcher *w)
{
    int code;

    for (;;) {
        double now = isnan(w->command->at) ? clock_now() : w->command->at;
        int said;

        code = catch_up(w, now);
        said = say(w, now);
        code = said != 0 ? said : code;
        if (w->command->once || said == 2)
            return code;
        trace_forget(w->trace, now - REMEMBERED);
        for (int i = 0; !ended && i < w->command->every; i++)
            sleep(1); /* ends early on a signal */
        if (ended)
            return 0;
    }
}

static int watch(const watch_command *command, char *const *files, int count)
{
    watcher w = {
        .command = command, .trace = trace_create(), .names = files + 1, .name_count = count - 1};
    atm_message message = {""};
    atm_status status = w.trace != NULL ? model_read(files[0], &message, &w.model) : ATM_NO_MEMORY;
    int code;

    if (status != ATM_OK) {
        trace_destroy(w.trace);
        return state_complain("watch", files[0], status, &message);
    }
    end_on_signals();
    code = look(&w);
    for (int i = 0; i < w.count; i++)
        trace_unfollow(&w.followers[i]);
    free(w.followers);
    trace_destroy(w.trace);
    model_destroy(w.model);
    return code;
}

int state_watch(int argc, char **argv)
{
    watch_command command = {.every = 30, .holds = 600, .at = NAN};
    char **files = NULL;
    int count, code;
    option_result result = state_arguments(&table, argc, argv, &command, &files, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count < 2 || command.output == NULL)
        code = options_complain(&table, "a state model, traces and -o are needed (try --help)");
    else if (!isnan(command.at) && !command.once)
        code = options_complain(&table, "--at is for --once");
    else
        code = watch(&command, files, count);
    free(files);
    return code;
}
