/* autotune explain: the choice for any job, and why. */

#include "autotune.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "advice_why.h"
#include "choose/explain.h"
#include "job_options.h"
#include "verb_explain_hdf5.h"
#include "verb_explain_record.h"

enum { ROWS = 8 };

typedef struct explain_options {
    job_options job;
    bool json, sweep;
    record_options record;
    const char *hdf5, *rule;
} explain_options;

#define OFFSET(field) offsetof(explain_options, field)

static const option_entry entries[] = {
    {"sweep", NULL, "print all candidates", OPTION_FLAG, OFFSET(sweep), NULL},
    {"json", NULL, "print the decision, or the outcome, as a JSON document", OPTION_FLAG,
     OFFSET(json), NULL},
    {"hdf5", "KEY=VALUE,...", "ways to store a data set, as dims=512x512,processes=4x4",
     OPTION_TEXT, OFFSET(hdf5), NULL},
    {"rule", "FILE", "with --hdf5, add the best to this file as a rule of advice", OPTION_TEXT,
     OFFSET(rule), NULL},
    {"record", "FILE", "show recorded decisions and outcomes instead of a prediction", OPTION_TEXT,
     OFFSET(record.path), NULL},
    {"file", "NAME", "only records of this file; with --advice and --rule, of the job", OPTION_TEXT,
     OFFSET(job.file), NULL},
    {"advice", "FILE", "show which of its rules holds, and what the model adds to it", OPTION_TEXT,
     OFFSET(job.advice), NULL},
    {"program", "NAME", "with --advice and --rule, of the job", OPTION_TEXT, OFFSET(job.program),
     NULL},
    {"user", "NAME", "with --advice, of the job (default: you)", OPTION_TEXT, OFFSET(job.user),
     NULL},
    {"all", NULL, "each of several records at length", OPTION_FLAG, OFFSET(record.all), NULL},
    {"last", NULL, "only the last record", OPTION_FLAG, OFFSET(record.last), NULL},
    {"html", "OUT", "write the records as a page with charts", OPTION_TEXT, OFFSET(record.html),
     NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune explain [options]",
    "Predict one collective write or read for every configuration that makes sense,\n"
    "choose one and say why.  Nothing is run.  Or, with --record, show what the driver\n"
    "decided in earlier runs and the outcome; with --hdf5, count and predict the accesses\n"
    "that layouts of a data set make.\n",
    entries, job_entries};

static int print_choice(const explain_options *options, const job_choice *job)
{
    atm_value *document;
    char *text;
    atm_status status;

    if (options->json) {
        status = atm_explain_value(&job->request, job->profile, job->choice, &document);
        if (status == ATM_OK)
            return autotune_print(document);
    } else {
        status = atm_explain_text(&job->request, job->profile, job->choice,
                                  options->sweep ? INT_MAX : ROWS, &text);
        if (status == ATM_OK) {
            fputs(text, stdout);
            free(text);
            advice_why(job, options->job.file, stdout);
            return 0;
        }
    }
    fprintf(stderr, "autotune explain: %s\n", atm_status_text(status));
    return 1;
}

static int ask_hdf5(const explain_options *options)
{
    if (options->job.bytes > 0 || options->job.strided > 0 || options->job.read ||
        options->job.existing || options->sweep)
        return options_complain(&table,
                                "--hdf5 is about new files and says what is written; it goes "
                                "without --bytes, --strided, --read, --existing and --sweep");
    if (options->rule != NULL && options->job.program == NULL && options->job.file == NULL)
        return options_complain(&table, "--rule: for whom? name --program, --file or both");
    return explain_hdf5(&table, &options->job, options->hdf5, options->rule, options->json);
}

int autotune_explain(int argc, char **argv)
{
    explain_options options = {.json = false};
    option_result result = options_parse(&table, argc, argv, &options);
    job_choice job;
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (options.record.path != NULL) {
        if (options.hdf5 != NULL)
            return options_complain(&table, "--record and --hdf5 exclude each other");
        if (options.job.nodes != 0 || options.job.topology != NULL)
            return options_complain(&table, "--record is about jobs that have run; it goes without "
                                            "--nodes and --topology");
        if (options.json && options.record.html != NULL)
            return options_complain(&table, "--json and --html exclude each other");
        if (options.job.advice != NULL)
            return options_complain(&table, "--record and --advice exclude each other");
        options.record.file = options.job.file;
        options.record.json = options.json;
        return explain_record(&options.record);
    }
    if (options.record.html != NULL || options.record.last || options.record.all)
        return options_complain(&table, "--all, --last and --html need --record");
    if (options.rule != NULL && options.hdf5 == NULL)
        return options_complain(&table, "--rule needs --hdf5");
    if (options.job.advice == NULL && options.rule == NULL && options.job.file != NULL)
        return options_complain(&table, "--file needs --record, --advice or --rule");
    if (options.job.advice == NULL &&
        ((options.rule == NULL && options.job.program != NULL) || options.job.user != NULL))
        return options_complain(&table, "--program needs --advice or --rule, --user --advice");
    if (options.hdf5 != NULL)
        return ask_hdf5(&options);
    code = job_choose(&table, &options.job, &job);
    if (code != 0)
        return code;
    code = print_choice(&options, &job);
    job_release(&job);
    return code;
}
