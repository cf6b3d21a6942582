/* One run of the command. */

#include "run_command.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "advice/advice.h"
#include "seen_io.h"
#include "files/search.h"
#include "spawn.h"

const char *ats_metric_name(ats_metric metric)
{
    static const char *const names[ATS_METRIC_COUNT] = {"record", "wall", "command"};

    return names[metric];
}

void ats_run_name(const ats_trial *trial, char name_p[ATS_RUN_NAME])
{
    snprintf(name_p, ATS_RUN_NAME, "%s-%d-%08x", ats_kind_name(trial->kind), trial->number,
             (unsigned) ats_point_hash(&trial->point));
}

/* Files of a run. */
typedef enum part { ADVICE, RECORD, OUTPUT, ERRORS, PARTS } part;

typedef struct run {
    const ats_job *job;
    const ats_trial *trial;
    char name[ATS_RUN_NAME];
    char folder[PATH_MAX];
    char paths[PARTS][PATH_MAX + 16];
    ats_outcome *outcome;
} run;

static void fail(run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(run *r, const char *format, ...)
{
    va_list arguments;

    r->outcome->end = ATS_FAILED;
    r->outcome->value = 0;
    va_start(arguments, format);
    vsnprintf(r->outcome->why, ATS_WHY, format, arguments);
    va_end(arguments);
}

/* --- before */

static void remove_files(const run *r)
{
    for (int i = 0; i < PARTS; i++)
        unlink(r->paths[i]);
}

static bool make_folder(run *r)
{
    static const char *const names[PARTS] = {"advice.json", "record.jsonl", "output", "errors"};

    if (snprintf(r->folder, sizeof(r->folder), "%s/%s", r->job->folder, r->name) >=
        (int) sizeof(r->folder))
        return false;
    for (int i = 0; i < PARTS; i++)
        snprintf(r->paths[i], sizeof(r->paths[i]), "%s/%s", r->folder, names[i]);
    if (mkdir(r->folder, 0777) != 0 && errno != EEXIST)
        return false;
    remove_files(r); /* of a run that was killed */
    return true;
}

static bool write_advice(const run *r, atm_message *message)
{
    atm_rule rule = {.file = "*",
                     .ranks = {0, UINT64_MAX},
                     .bytes = {0, UINT64_MAX},
                     .set = ats_point_settings(r->job->space, &r->trial->point),
                     .evidence = {.source = ATM_BY_SEARCH}};
    atm_advice advice = {.source = (char *) "", .count = 1, .rules = &rule};
    atm_value *document = atm_advice_value(&advice);
    atm_status status = atm_value_write(document, r->paths[ADVICE], message);

    atm_value_destroy(document);
    return status == ATM_OK;
}

/* Adds a variable to those that Open MPI's mpiexec passes on to other nodes. */
static void pass_on(const char *name)
{
    const char *list = "OMPI_MCA_mca_base_env_list", *before = getenv(list);
    char *all = NULL;

    if (before == NULL || before[0] == '\0')
        setenv(list, name, 1);
    else if (strstr(before, name) == NULL && asprintf(&all, "%s;%s", before, name) >= 0)
        setenv(list, all, 1);
    free(all);
}

static bool set_environment(const run *r, atm_message *message)
{
    bool none = ats_point_is_default(&r->trial->point);

    if (!none && !write_advice(r, message))
        return false;
    setenv("ROMIO_AUTOTUNE_ADVICE", none ? ATM_PROFILE_BUILT_IN : r->paths[ADVICE], 1);
    setenv("ROMIO_AUTOTUNE_RECORD", r->paths[RECORD], 1);
    setenv("AUTOTUNE_SEARCH_RUN", r->name, 1);
    if (r->job->force)
        setenv("ROMIO_FSTYPE_FORCE", "autotune:", 1);
    pass_on("ROMIO_AUTOTUNE_ADVICE");
    pass_on("ROMIO_AUTOTUNE_RECORD");
    if (r->job->force)
        pass_on("ROMIO_FSTYPE_FORCE");
    return true;
}

/* Puts the run's name in place of "{run}"; free it. */
static char *expand(const char *argument, const char *name)
{
    const char *mark = "{run}", *found;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    while ((found = strstr(argument, mark)) != NULL) {
        fwrite(argument, 1, (size_t) (found - argument), out);
        fputs(name, out);
        argument = found + strlen(mark);
    }
    fputs(argument, out);
    return fclose(out) == 0 ? text : NULL;
}

static void free_command(char **command)
{
    for (int i = 0; command != NULL && command[i] != NULL; i++)
        free(command[i]);
    free(command);
}

static char **expand_command(char *const *command, const char *name)
{
    char **expanded;
    int count = 0;

    while (command[count] != NULL)
        count++;
    expanded = calloc((size_t) count + 1, sizeof(*expanded));
    for (int i = 0; expanded != NULL && i < count; i++) {
        expanded[i] = expand(command[i], name);
        if (expanded[i] == NULL) {
            free_command(expanded);
            return NULL;
        }
    }
    return expanded;
}

/* --- after */

/* The last line of a file that is not empty, cut to size; "" if there is none. */
static void last_line(const char *path, size_t size, char *line_p)
{
    char text[4096], *end, *begin;
    FILE *file = fopen(path, "re");
    size_t length = 0;

    line_p[0] = '\0';
    if (file == NULL)
        return;
    if (fseek(file, -(long) (sizeof(text) - 1), SEEK_END) != 0)
        rewind(file);
    length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    while (length > 0 && strchr("\n\r \t", text[length - 1]) != NULL)
        length--;
    text[length] = '\0';
    end = text + length;
    begin = memrchr(text, '\n', length);
    begin = begin != NULL ? begin + 1 : text;
    if (memchr(begin, '\0', (size_t) (end - begin)) == NULL)
        snprintf(line_p, size, "%.*s", (int) size - 1, begin);
    for (char *at = line_p; *at != '\0'; at++)
        if ((unsigned char) *at < ' ' || *at == 127)
            *at = '?';
}

static void measure_output(run *r)
{
    char line[80], *end;
    double value;

    last_line(r->paths[OUTPUT], sizeof(line), line);
    value = strtod(line, &end);
    if (end == line || *end != '\0' || !isfinite(value) || value <= 0)
        fail(r, "the last line that it printed is no number above 0: %.80s", line);
    else
        r->outcome->value = value;
}

static void measure_record(run *r, const ats_io *io)
{
    if (io->calls > 0 && io->seconds > 0)
        r->outcome->value = io->seconds;
    else
        fail(r, "made no collective call on a file opened through autotune:%s%s",
             r->job->force ? "" : " (--force sends all files there)",
             r->job->pattern != NULL ? " whose name matches" : "");
}

static void measure(run *r, atm_value **facts_p)
{
    atm_message message = {""};
    ats_io io = {.calls = 0};
    atm_status status = ats_facts_read(r->paths[RECORD], r->job->pattern, &message, &io, facts_p);

    r->outcome->end = ATS_DONE;
    r->outcome->calls = io.calls;
    if (status == ATM_OK && io.records == 0)
        fail(r, "left no record: the driver was not in it, or saw no file");
    else if (r->job->metric == ATS_BY_WALL)
        r->outcome->value = r->outcome->wall;
    else if (r->job->metric == ATS_BY_OUTPUT)
        measure_output(r);
    else if (status == ATM_OK)
        measure_record(r, &io);
    else
        fail(r, "%.150s", message.text[0] != '\0' ? message.text : atm_status_text(status));
}

static void say_end(run *r, int status)
{
    char line[80];

    last_line(r->paths[ERRORS], sizeof(line), line);
    if (WIFSIGNALED(status))
        fail(r, "died of signal %d (%s)%s%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
             line[0] != '\0' ? ": " : "", line);
    else
        fail(r, "failed with exit code %d%s%s", WEXITSTATUS(status), line[0] != '\0' ? ": " : "",
             line);
}

/* --- it */

static bool run_command(run *r, char *const *command, const ats_limit *limit, atm_value **facts_p)
{
    double patience = fmin(r->job->limit, limit->give_up);
    int status = 0;

    switch (ats_spawn(command, r->paths[OUTPUT], r->paths[ERRORS], patience, &r->outcome->wall,
                      &status)) {
        case ATS_TOLD:
            return false;
        case ATS_NOT_RUN:
            fail(r, "%.80s cannot be run: %s", command[0], strerror(status));
            break;
        case ATS_TOO_LONG:
            if (r->job->limit <= limit->give_up) {
                fail(r, "was not done after %g s", r->job->limit);
            } else {
                r->outcome->end = ATS_STOPPED;
                r->outcome->value = limit->at_least;
                snprintf(r->outcome->why, ATS_WHY, "stopped after %.3g s: others are faster",
                         r->outcome->wall);
            }
            break;
        case ATS_ENDED:
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                measure(r, facts_p);
            else
                say_end(r, status);
            break;
    }
    return true;
}

/* What the user wants done before; its output is of no interest. */
static bool run_before(run *r, bool *told_p)
{
    char *command[] = {"sh", "-c", (char *) r->job->before, NULL};
    double seconds;
    int status = 0;
    ats_spawned end;

    *told_p = false;
    if (r->job->before == NULL)
        return true;
    end = ats_spawn(command, r->paths[OUTPUT], r->paths[ERRORS], r->job->limit, &seconds, &status);
    *told_p = end == ATS_TOLD;
    if (end == ATS_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    fail(r, "what is to be done before (%.60s) failed", r->job->before);
    return false;
}

bool ats_run(const ats_job *job, const ats_trial *trial, const ats_limit *limit,
             ats_outcome *outcome_p, atm_value **facts_p)
{
    run *r = calloc(1, sizeof(*r));
    char **command = NULL;
    atm_message message = {""};
    bool done = false, told = false;

    *facts_p = NULL;
    *outcome_p = (ats_outcome){.end = ATS_FAILED};
    if (r == NULL)
        return false;
    *r = (run){.job = job, .trial = trial, .outcome = outcome_p};
    ats_run_name(trial, r->name);
    if (!make_folder(r)) {
        fprintf(stderr, "autotune search: %s/%s: %s\n", job->folder, r->name, strerror(errno));
    } else if (!set_environment(r, &message)) {
        fprintf(stderr, "autotune search: %s\n", message.text);
    } else if ((command = expand_command(job->command, r->name)) != NULL) {
        done = !run_before(r, &told) ? !told : run_command(r, command, limit, facts_p);
        if (done && outcome_p->end != ATS_FAILED && !job->keep) {
            remove_files(r);
            rmdir(r->folder);
        }
    }
    free_command(command);
    free(r);
    return done;
}
