/* autotune search: measure what no model knows. */

#include "autotune.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preloaded.h"
#include "verb_search.h"
#include "common/profile_find.h"
#include "search/h5tuner.h"
#include "search/prior.h"

/* A search under way. */
typedef struct search {
    const search_command *command;
    ats_space *space;
    atm_advice *imported; /* NULL: nothing was */
    ats_point starts[1];
    int start_count;
    char folder[PATH_MAX - 64], runs[PATH_MAX - 32];
    ats_journal *journal;
    launched launched;
    char **preloaded; /* the command behind "autotune run"; NULL: as it is */
    bool for_all;     /* which preloads the driver for all files */
    /* what the model says, once it is asked */
    bool asked;
    atm_profile *profile;
    ats_prior *prior;
} search;

static int complain(atm_status status, const atm_message *message)
{
    search_complain("%s", message->text[0] != '\0' ? message->text : atm_status_text(status));
    return status == ATM_BAD_FILE || status == ATM_BAD_ARGUMENT ? 2 : 1;
}

/* --- what the model predicts */

static const atm_value *facts_of_default(const search *s)
{
    const ats_trial first = {.kind = ATS_EXPLORE, .number = 0};
    const ats_entry *entry = ats_journal_find(s->journal, &first);

    return entry != NULL && entry->facts != NULL ? atm_value_find(entry->facts, "facts") : NULL;
}

static void ask(search *s)
{
    const atm_use use = {.nodes = 0};
    atm_message message = {""};
    profile_found found;

    s->asked = true;
    if (profile_find(s->command->profile, &use, &message, &found) == ATM_OK) {
        s->profile = found.profile;
        s->prior = ats_prior_create(s->space, s->profile, facts_of_default(s), &message);
    }
    if (s->prior == NULL)
        fprintf(stderr, "nothing is predicted: %s\n", message.text);
    else
        fprintf(stderr, "predictions are of %s\n", s->profile->source);
}

static double predict(void *context, const ats_point *point)
{
    search *s = context;

    if (!s->asked)
        ask(s);
    return s->prior != NULL ? ats_prior_seconds(s->prior, point) : NAN;
}

/* --- what is searched */

static int load_space(search *s)
{
    const search_command *command = s->command;
    const char *name = command->space != NULL ? command->space : ats_space_for(".");
    char path[PATH_MAX];
    atm_message message = {""};
    atm_status status = ats_space_find(name, &message, sizeof(path), path);

    if (status == ATM_OK)
        status = ats_space_load(path, &message, &s->space);
    if (status == ATM_OK && command->parameters != NULL)
        status = ats_space_keep(s->space, command->parameters, &message);
    return status == ATM_OK ? 0 : complain(status, &message);
}

/* The rule for all files, the last one, is where the search begins. */
static int import(search *s)
{
    atm_message message = {""};
    char left_out[256];
    atm_status status;

    if (s->command->import == NULL)
        return 0;
    status = ats_import(s->command->import, &message, sizeof(left_out), left_out, &s->imported);
    if (status == ATM_OK && left_out[0] != '\0')
        search_complain("%s: left out, for there are no such settings: %s", s->command->import,
                        left_out);
    if (status == ATM_OK && s->space != NULL) {
        status = ats_space_add(s->space, &s->imported->rules[s->imported->count - 1].set, &message,
                               &s->starts[0]);
        s->start_count = status == ATM_OK;
    }
    return status == ATM_OK ? 0 : complain(status, &message);
}

static int make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    return search_complain("%s: %s", path, strerror(errno));
}

/* As a program that changes its folder sees it. */
static int make_folders(search *s)
{
    char *whole;
    int code = make_folder(s->command->output);

    if (code != 0)
        return code;
    whole = realpath(s->command->output, NULL);
    if (whole == NULL || strlen(whole) >= sizeof(s->folder))
        code = search_complain("%s: %s", s->command->output, strerror(errno));
    else
        strcpy(s->folder, whole);
    free(whole);
    if (code != 0)
        return code;
    snprintf(s->runs, sizeof(s->runs), "%s/runs", s->folder);
    return make_folder(s->runs);
}

/* What makes a search another one. */
static atm_value *describe(const search *s)
{
    const search_command *command = s->command;
    atm_value *object = atm_value_object(), *array = atm_put_array(object, "command");

    for (int i = 0; command->command[i] != NULL; i++)
        atm_put_string(array, NULL, command->command[i]);
    ats_space_write(s->space, atm_put_object(object, "space"));
    atm_put_string(object, "strategy", command->strategy->name);
    atm_put_string(object, "metric", ats_metric_name(command->metric));
    atm_put_string(object, "file", command->file != NULL ? command->file : "");
    atm_put_string(object, "before", command->before != NULL ? command->before : "");
    atm_put_string(object, "profile", command->profile != NULL ? command->profile : "");
    atm_put_string(object, "import", command->import != NULL ? command->import : "");
    atm_put_integer(object, "parallel", command->parallel);
    atm_put_integer(object, "seed", command->seed);
    atm_put_truth(object, "force", command->force);
    return object;
}

static int open_journal(search *s)
{
    char path[PATH_MAX];
    atm_message message = {""};
    atm_value *description = describe(s);
    atm_status status;

    snprintf(path, sizeof(path), "%s/journal.jsonl", s->folder);
    status = ats_journal_open(path, s->space, description, &message, &s->journal);
    atm_value_destroy(description);
    return status == ATM_OK ? 0 : complain(status, &message);
}

/* --- the program */

/* What sets HDF5, where the program uses it and the space has its settings; they are left out where
 * it is not there. */
static const char *find_hdf5(search *s)
{
    const char *library = s->command->watch_library;

    if (!launched_needs_hdf5(&s->launched) ||
        !ats_space_varies(s->space, ATM_SET_HDF5_ALIGNMENT, ATM_SET_HDF5_SPACE_PAGE))
        return NULL;
    library = library != NULL ? library : WATCH_LIBRARY;
    if (access(library, R_OK) == 0)
        return library;
    search_complain("%s uses HDF5, which nothing sets: %s: %s (--watch-library)", s->launched.name,
                    library, strerror(errno));
    return NULL;
}

static int prepare_program(search *s)
{
    const search_command *command = s->command;
    launched_libraries libraries = {.driver = NULL};

    launched_examine(command->command, &s->launched);
    if (launched_needs_preload(&s->launched))
        libraries.driver = command->library != NULL ? command->library : PRELOADED_LIBRARY;
    libraries.hdf5 = find_hdf5(s);
    if (libraries.driver == NULL && libraries.hdf5 == NULL)
        return 0;
    s->preloaded = launched_preload(&s->launched, command->command, &libraries, "search");
    s->for_all = libraries.driver != NULL;
    s->launched.watches |= libraries.hdf5 != NULL;
    s->launched.hdf5 |= libraries.hdf5 != NULL;
    return s->preloaded != NULL ? 0 : 1;
}

static atm_status look(void *context, atm_message *message)
{
    search *s = context;

    return search_look(s->command, &s->launched, s->journal, s->space, message);
}

/* --- it */

static atm_status search_and_verify(const search *s, const ats_plan *plan, ats_crew *crew,
                                    ats_seen *seen, atm_message *message)
{
    ats_point winner;
    atm_status status = ats_search(plan, seen, message);

    crew->parallel = 1;
    if (status == ATM_OK && s->command->verify && ats_leader(seen, NULL, 0, &winner))
        status = ats_verify(plan, &winner, s->command->pairs, seen);
    return status;
}

static ats_job job_of(const search *s)
{
    const search_command *command = s->command;

    return (ats_job){.space = s->space,
                     .command = s->preloaded != NULL ? s->preloaded : command->command,
                     .before = command->before,
                     .folder = s->runs,
                     .pattern = command->file,
                     .metric = command->metric,
                     .limit = command->limit,
                     .force = command->force || s->for_all,
                     .keep = command->keep};
}

static ats_plan plan_of(search *s, ats_crew *crew)
{
    const search_command *command = s->command;

    return (ats_plan){.out = {s->space, (uint64_t) command->seed, command->parallel, {predict, s}},
                      .strategy = command->strategy,
                      .runs = command->runs,
                      .seconds = command->time,
                      .starts = s->starts,
                      .start_count = s->start_count,
                      .hopeless = command->hopeless,
                      .in_seconds = command->metric != ATS_BY_OUTPUT,
                      .measure = ats_crew_measure,
                      .context = crew,
                      .look = look,
                      .look_context = s};
}

static int conduct(search *s)
{
    ats_job job = job_of(s);
    search_progress progress = {
        .command = s->command, .space = s->space, .best = INFINITY, .usual = NAN};
    ats_crew crew = {.job = &job,
                     .journal = s->journal,
                     .parallel = s->command->parallel,
                     .told = search_told,
                     .context = &progress};
    ats_plan plan = plan_of(s, &crew);
    ats_seen seen = {.at = NULL};
    atm_message message = {""};
    atm_status status;
    int code;

    progress.planned = ats_planned(&plan) + (s->command->verify ? 2 * s->command->pairs : 0);
    status = search_and_verify(s, &plan, &crew, &seen, &message);
    if (status == ATM_OK)
        code = search_result(s->command, s->space, s->journal, &seen, s->folder);
    else
        code = complain(status, crew.message.text[0] != '\0' ? &crew.message : &message);
    if (status == ATM_NO_CHOICE)
        search_complain("what they printed is in %s", s->runs);
    ats_seen_destroy(&seen);
    if (crew.signal != 0) { /* end as it would have ended us */
        search_complain("the same command goes on where this one ended");
        signal(crew.signal, SIG_DFL);
        raise(crew.signal);
    }
    return code;
}

static int run(search *s)
{
    int code;

    if (s->command->command[0] == NULL) {
        code = import(s);
        if (code == 0)
            code = make_folders(s);
        return code == 0 ? search_convert(s->command, s->imported, s->folder) : code;
    }
    code = load_space(s);
    if (code == 0)
        code = import(s);
    if (code == 0)
        code = prepare_program(s);
    if (code == 0)
        code = make_folders(s);
    if (code == 0)
        code = open_journal(s);
    return code == 0 ? conduct(s) : code;
}

int autotune_search(int argc, char **argv)
{
    search_command command = {.command = NULL};
    search s = {.command = &command};
    int code = search_options(argc, argv, &command);

    if (code < 0)
        code = run(&s);
    free(s.preloaded);
    ats_prior_destroy(s.prior);
    atm_profile_destroy(s.profile);
    ats_journal_close(s.journal);
    atm_advice_destroy(s.imported);
    ats_space_destroy(s.space);
    for (int i = 0; command.command != NULL && command.command[i] != NULL; i++)
        free(command.command[i]);
    free(command.command);
    return code;
}
