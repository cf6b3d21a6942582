/* autotune compare: a program without and with tuning, in turns. */

#include "autotune.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verb_compare_run.h"
#include "launched.h"
#include "preloaded.h"
#include "common/options.h"
#include "common/records.h"
#include "common/rng.h"
#include "common/stats.h"
#include "common/units.h"

enum { DEFAULT_RUNS = 5, MAX_RUNS = 1000 };

typedef struct compare_options {
    int runs, seed;
    const char *log, *library;
    const char *mode; /* of the runs with tuning */
    bool by_record, force;
} compare_options;

static const char *set_mode(const char *value, void *variables)
{
    compare_options *options = variables;

    options->mode = value;
    if (strcmp(value, "enable") == 0 || strcmp(value, "automatic") == 0)
        return NULL;
    return "must be enable or automatic";
}

static const char *set_metric(const char *value, void *variables)
{
    compare_options *options = variables;

    options->by_record = strcmp(value, "record") == 0;
    if (options->by_record || strcmp(value, "wall") == 0)
        return NULL;
    return "must be wall or record";
}

#define OFFSET(field) offsetof(compare_options, field)

static const option_entry entries[] = {
    {"runs", "N", "N runs without and N with tuning, alternating (default 5)", OPTION_COUNT,
     OFFSET(runs), NULL},
    {"metric", "NAME", "wall (default): of the program; record: in collective calls",
     OPTION_SPECIAL, 0, set_metric},
    {"mode", "NAME", "enable (default) or automatic", OPTION_SPECIAL, 0, set_mode},
    {"force", NULL, "also files without the prefix autotune:", OPTION_FLAG, OFFSET(force), NULL},
    {"library", "FILE", "the preload library (default: the installed one)", OPTION_TEXT,
     OFFSET(library), NULL},
    {"log", "FILE", "append the program's output (default: to stderr)", OPTION_TEXT, OFFSET(log),
     NULL},
    {"seed", "N", "of the order of runs (default 1)", OPTION_COUNT, OFFSET(seed), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune compare [options] [--] COMMAND [ARGUMENT...]",
    "Run a program with romio_autotune=disable and =enable alternately, and print the\n"
    "speed-up, its spread and a verdict.\n",
    entries, NULL};

/* A comparison under way.  Index 0 is without tuning, 1 with. */
typedef struct comparison {
    const compare_options *options;
    char *const *command;
    launched launched;
    char **preloaded; /* the command behind "autotune run"; NULL: as it is */
    int output;       /* of the program */
    char folder[512]; /* for records */
    char record[528];
    double *seconds[2];
} comparison;

static const char *name_of(const comparison *comparison, int tuned)
{
    return tuned ? comparison->options->mode : "disable";
}

/* What the records of a run tell of all files: false after a message, also if there are none. */
static bool sum_records(const comparison *comparison, atm_message *message, uint64_t *calls_p,
                        double *seconds_p)
{
    records *records = records_open(comparison->record, message);
    atm_status status = ATM_OK; /* no file: no record */
    uint64_t calls = 0, count = 0;
    double seconds = 0;

    while (records != NULL) {
        atm_record *record = NULL;

        status = records_next(records, message, &record);
        if (record == NULL)
            break;
        count++;
        calls += record->read.calls + record->write.calls;
        seconds += record->read.seconds + record->write.seconds;
        free(record);
    }
    records_close(records);
    unlink(comparison->record);
    if (status != ATM_OK)
        return false;
    if (count == 0) {
        snprintf(message->text, sizeof(message->text),
                 "left no record, so there is nothing to compare: %s",
                 launched_absent(&comparison->launched));
        return false;
    }
    *calls_p = calls;
    *seconds_p = seconds;
    return true;
}

/* *seconds_p: of the program, and becomes those that are compared. */
static bool measure(const comparison *comparison, atm_message *message, double *seconds_p)
{
    uint64_t calls;
    double seconds;

    if (!sum_records(comparison, message, &calls, &seconds))
        return false;
    if (!comparison->options->by_record)
        return true;
    if (calls == 0) {
        snprintf(message->text, sizeof(message->text),
                 "made no collective call on a file opened through autotune:%s",
                 comparison->options->force ? "" : " (--force sends all files there)");
        return false;
    }
    *seconds_p = seconds;
    return true;
}

static bool run_once(comparison *comparison, int tuned, int number, double *seconds_p)
{
    const compare_options *options = comparison->options;
    bool mixed = options->log == NULL; /* with the program's output */
    atm_message message = {""};
    double seconds;
    bool done;

    setenv("ROMIO_AUTOTUNE", name_of(comparison, tuned), 1);
    fprintf(stderr, "run %d of %d (%s)%s", number, 2 * options->runs, name_of(comparison, tuned),
            mixed ? "\n" : ": ");
    done = compare_run(comparison->preloaded != NULL ? comparison->preloaded : comparison->command,
                       comparison->output, comparison->output, &message, &seconds) &&
           measure(comparison, &message, &seconds);
    if (mixed)
        fprintf(stderr, "run %d of %d (%s): ", number, 2 * options->runs,
                name_of(comparison, tuned));
    fprintf(stderr, "%s\n", done ? units_seconds(seconds).text : message.text);
    if (done)
        *seconds_p = seconds;
    return done;
}

/* Every pair has both, one after the other; which of them comes first is
 * random, but each does equally often. */
static bool run_all(comparison *comparison)
{
    int runs = comparison->options->runs, tuned_first = runs / 2;
    uint64_t state = (uint64_t) comparison->options->seed;

    if (runs % 2 != 0)
        tuned_first += rng_below(&state, 2);
    for (int pair = 0; pair < runs; pair++) {
        int first = rng_below(&state, runs - pair) < tuned_first;

        tuned_first -= first;
        for (int k = 0; k < 2; k++) {
            int tuned = k == 0 ? first : !first;

            if (!run_once(comparison, tuned, 2 * pair + k + 1, &comparison->seconds[tuned][pair]))
                return false;
        }
    }
    return true;
}

static void print_runs(const comparison *comparison)
{
    int runs = comparison->options->runs;

    printf("%-6s %12s %12s %9s\n", "pair", name_of(comparison, 0), name_of(comparison, 1),
           "speed-up");
    for (int i = 0; i < runs; i++)
        printf("%-6d %12s %12s %9.3f\n", i + 1, units_seconds(comparison->seconds[0][i]).text,
               units_seconds(comparison->seconds[1][i]).text,
               comparison->seconds[0][i] / comparison->seconds[1][i]);
    printf("%-6s %12s %12s\n\n", "median",
           units_seconds(stats_median(comparison->seconds[0], runs)).text,
           units_seconds(stats_median(comparison->seconds[1], runs)).text);
}

static void print_modes(const comparison *comparison)
{
    const char *tuned = name_of(comparison, 1);

    printf("compared: %s (the wrapped driver's own values) and %s (%s)\n", name_of(comparison, 0),
           tuned,
           strcmp(tuned, "enable") == 0
               ? "always the model's optimum"
               : "the model's optimum where its gain exceeds its uncertainty");
}

/* Whether these runs show a difference. */
static void print_verdict(const comparison *comparison, double speed_up, bool spread, double low,
                          double high)
{
    const char *tuned = name_of(comparison, 1), *base = name_of(comparison, 0);

    if (spread && low > 1)
        printf("verdict: %s is faster than %s, x%.2f\n", tuned, base, speed_up);
    else if (spread && high < 1)
        printf("verdict: %s is slower than %s, x%.2f\n", tuned, base, speed_up);
    else
        printf("verdict: these runs show no difference between %s and %s; %s\n", tuned, base,
               spread ? "the confidence interval contains 1" : "one pair is too few");
}

static int print_result(const comparison *comparison)
{
    const double *base = comparison->seconds[0], *tuned = comparison->seconds[1];
    int runs = comparison->options->runs;
    double *ratios = malloc((size_t) runs * sizeof(*ratios)), low = 0, high = 0;
    double speed_up = stats_median(base, runs) / stats_median(tuned, runs);
    bool spread;

    if (ratios == NULL) {
        fprintf(stderr, "autotune compare: %s\n", atm_status_text(ATM_NO_MEMORY));
        return 1;
    }
    for (int i = 0; i < runs; i++)
        ratios[i] = base[i] / tuned[i];
    print_runs(comparison);
    print_modes(comparison);
    printf("speed-up: %.3f (ratio of medians, %s)\n", speed_up,
           comparison->options->by_record ? "time in collective calls" : "wall-clock time");
    spread =
        stats_ratio_interval(base, tuned, runs, (uint64_t) comparison->options->seed, &low, &high);
    if (spread)
        printf("  95 %% confidence interval: %.3f to %.3f\n"
               "  pairs: median %.3f, quartiles %.3f to %.3f\n",
               low, high, stats_median(ratios, runs), stats_quantile(ratios, runs, 0.25),
               stats_quantile(ratios, runs, 0.75));
    else
        printf("  one pair tells nothing about the spread\n");
    print_verdict(comparison, speed_up, spread, low, high);
    free(ratios);
    return 0;
}

/* --- before; false after a complaint */

static bool prepare_program(comparison *comparison)
{
    const compare_options *options = comparison->options;
    const launched_libraries libraries = {.driver = options->library != NULL ? options->library
                                                                             : PRELOADED_LIBRARY};

    if (options->force)
        setenv("ROMIO_FSTYPE_FORCE", "autotune:", 1);
    launched_examine(comparison->command, &comparison->launched);
    if (!launched_needs_preload(&comparison->launched))
        return true;
    comparison->preloaded =
        launched_preload(&comparison->launched, comparison->command, &libraries, "compare");
    return comparison->preloaded != NULL;
}

static bool open_log(comparison *comparison)
{
    const char *log = comparison->options->log;

    if (log == NULL)
        return true;
    comparison->output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (comparison->output < 0)
        fprintf(stderr, "autotune compare: %s: cannot be opened: %s\n", log, strerror(errno));
    return comparison->output >= 0;
}

static bool make_folder(comparison *comparison, const char *parent)
{
    size_t size = sizeof(comparison->folder);

    if ((size_t) snprintf(comparison->folder, size, "%s/autotune-compare.XXXXXX", parent) < size &&
        mkdtemp(comparison->folder) != NULL)
        return true;
    comparison->folder[0] = '\0';
    return false;
}

/* Where other nodes see it, too, as they do the folder that the program is started in, mostly. */
static bool prepare_records(comparison *comparison)
{
    const char *parent = getenv("TMPDIR");
    char here[sizeof(comparison->folder)];

    parent = parent != NULL && parent[0] != '\0' ? parent : "/tmp";
    if ((getcwd(here, sizeof(here)) == NULL || !make_folder(comparison, here)) &&
        !make_folder(comparison, parent)) {
        fprintf(stderr, "autotune compare: %s: no folder for records can be made: %s\n", parent,
                strerror(errno));
        return false;
    }
    snprintf(comparison->record, sizeof(comparison->record), "%s/record", comparison->folder);
    setenv("ROMIO_AUTOTUNE_RECORD", comparison->record, 1);
    return true;
}

static bool prepare(comparison *comparison)
{
    return prepare_program(comparison) && open_log(comparison) && prepare_records(comparison);
}

static void clean_up(comparison *comparison)
{
    if (comparison->folder[0] != '\0') {
        unlink(comparison->record);
        rmdir(comparison->folder);
    }
    if (comparison->options->log != NULL && comparison->output >= 0)
        close(comparison->output);
    free(comparison->preloaded);
    free(comparison->seconds[0]);
    free(comparison->seconds[1]);
}

static int compare(const compare_options *options, char *const *command)
{
    comparison comparison = {.options = options, .command = command, .output = STDERR_FILENO};
    int code = 1;

    for (int i = 0; i < 2; i++)
        comparison.seconds[i] = calloc((size_t) options->runs, sizeof(double));
    if (comparison.seconds[0] == NULL || comparison.seconds[1] == NULL)
        fprintf(stderr, "autotune compare: %s\n", atm_status_text(ATM_NO_MEMORY));
    else if (prepare(&comparison) && run_all(&comparison))
        code = print_result(&comparison);
    clean_up(&comparison);
    return code;
}

int autotune_compare(int argc, char **argv)
{
    compare_options options = {.runs = DEFAULT_RUNS, .seed = 1, .mode = "enable"};
    int rest, code;
    option_result result = options_parse_until(&table, argc, argv, &options, &rest);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (rest == argc)
        return options_complain(&table, "a command is needed (try --help)");
    if (options.runs > MAX_RUNS)
        return options_complain(&table, "--runs: at most %d", MAX_RUNS);
    compare_catch_signals();
    code = compare(&options, argv + rest);
    if (compare_signal() != 0) { /* end as it would have ended us */
        signal(compare_signal(), SIG_DFL);
        raise(compare_signal());
    }
    return code;
}
