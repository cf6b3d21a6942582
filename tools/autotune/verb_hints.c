/* autotune hints: the choice in the form that MPI libraries read. */

#include "autotune.h"

#include <string.h>

#include "hints.h"
#include "job_options.h"
#include "value/words.h"
#include "common/units.h"

static const hints_format *const formats[] = {&hints_romio, &hints_intel, &hints_cray,
                                              &hints_ompio};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

typedef struct hints_options {
    job_options job;
    const hints_format *format;
    const char *pattern, *record, *file;
} hints_options;

static const char *set_format(const char *value, void *variables)
{
    hints_options *options = variables;

    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(value, formats[i]->name) == 0) {
            options->format = formats[i];
            return NULL;
        }
    return "there is no such form; there are romio, intel, cray and ompio";
}

/* It stands in quotation marks, and a colon or a comma would end it. */
static const char *set_pattern(const char *value, void *variables)
{
    hints_options *options = variables;

    if (value[0] == '\0' || strpbrk(value, ":,\"\\$` \t\n") != NULL)
        return "must be a pattern such as *.nc, without colons, commas, quotes and spaces";
    options->pattern = value;
    return NULL;
}

#define OFFSET(field) offsetof(hints_options, field)

static const option_entry entries[] = {
    {"for", "NAME", "who reads them: romio, intel, cray or ompio", OPTION_SPECIAL, 0, set_format},
    {"pattern", "PATTERN", "cray: the files that are meant (default *)", OPTION_SPECIAL, 0,
     set_pattern},
    {"record", "FILE", "what was decided in the last of these records, not for a described job",
     OPTION_TEXT, OFFSET(record), NULL},
    {"file", "NAME", "the last record of this file", OPTION_TEXT, OFFSET(file), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune hints [options] --for NAME",
    "Print what the driver would decide, or has decided, as hints for an MPI library that\n"
    "cannot load it, with comments on what that library does not heed.\n",
    entries, job_entries};

static int decide(const job_options *options, hints_decision *decision_p)
{
    job_choice job;
    int code = job_choose(&table, options, &job);

    if (code != 0)
        return code;
    *decision_p =
        (hints_decision){.driver = job.request.driver,
                         .ranks = job.request.job.ranks,
                         .nodes = job.request.job.nodes,
                         .access = job.request.access,
                         .config = job.choice->candidates[job.choice->chosen].config,
                         .tuned = job.choice->chosen != 0,
                         .striping = job.request.driver == ATM_LUSTRE && job.request.new_layout,
                         .reason = job.choice->reason,
                         .note = job.fit.why};
    job_release(&job);
    return 0;
}

static void print_hints(const hints_format *format, const hints_decision *decision,
                        const char *pattern)
{
    hint_list list = {.count = 0};

    printf("# autotune hints: %s of %s by %d rank%s on %d node%s, %s\n",
           decision->access.write ? "write" : "read",
           units_bytes((double) decision->access.bytes).text, decision->ranks,
           atm_plural((uint64_t) decision->ranks), decision->nodes,
           atm_plural((uint64_t) decision->nodes), atm_driver_name(decision->driver));
    if (decision->file[0] != '\0')
        printf("# as recorded for %s\n", decision->file);
    if (decision->note.text[0] != '\0')
        printf("# Note: %s\n", decision->note.text);
    if (!decision->tuned) {
        printf("# There is nothing to set, the default is kept: %s\n", decision->reason.text);
        return;
    }
    printf("# Why: %s\n", decision->reason.text);
    format->fill(decision, &list);
    format->print(stdout, &list, pattern);
    format->notes(stdout, decision);
}

static int check_options(const hints_options *options)
{
    if (options->format == NULL)
        return options_complain(&table,
                                "--for is needed: romio, intel, cray or ompio (try --help)");
    if (options->pattern != NULL && options->format != &hints_cray)
        return options_complain(&table, "--pattern is for cray only");
    if (options->record == NULL && options->file != NULL)
        return options_complain(&table, "--file needs --record");
    if (options->record != NULL && (options->job.nodes != 0 || options->job.topology != NULL))
        return options_complain(&table, "--record is about jobs that have run; it goes without "
                                        "--nodes and --topology");
    return 0;
}

int autotune_hints(int argc, char **argv)
{
    hints_options options = {.format = NULL};
    option_result result = options_parse(&table, argc, argv, &options);
    hints_decision decision;
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    code = check_options(&options);
    if (code == 0 && options.record != NULL)
        code = hints_of_record(&table, options.record, options.file, options.job.read, &decision);
    else if (code == 0)
        code = decide(&options.job, &decision);
    if (code == 0)
        print_hints(options.format, &decision, options.pattern != NULL ? options.pattern : "*");
    return code;
}
