/* autotune explain --record: which records, and in what form. */

#include "verb_explain_record.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "autotune.h"
#include "common/outcome.h"
#include "common/records.h"
#include "formats/formats.h"

/* What to do with a record; false ends with exit code 1 after an error message. */
typedef bool take_record(const atm_record *record, int number, void *context);

static bool is_wanted(const record_options *options, const atm_record *record)
{
    return options->file == NULL || strcmp(options->file, record->file) == 0;
}

/* Bad input is exit code 2. */
static int complain(const atm_message *message, atm_status status)
{
    fprintf(stderr, "autotune explain: %s\n", message->text);
    return status == ATM_NO_MEMORY ? 1 : 2;
}

/* Records first to last of the wanted ones, from 0; *wanted_p of them are seen. */
static int walk(records *records, const record_options *options, int first, int last,
                take_record *take, void *context, int *wanted_p)
{
    atm_message message = {""};
    atm_record *record;
    int wanted = 0, all = 0;

    for (; wanted <= last; all++) {
        atm_status status = records_next(records, &message, &record);
        bool go_on = true;

        if (status != ATM_OK)
            return complain(&message, status);
        if (record == NULL)
            break;
        if (is_wanted(options, record)) {
            if (wanted >= first && take != NULL)
                go_on = take(record, wanted - first, context);
            wanted++;
        }
        free(record);
        if (!go_on)
            return 1;
    }
    if (wanted == 0 && options->file != NULL && all > 0)
        fprintf(stderr, "autotune explain: %s: has no record of %s\n", options->path,
                options->file);
    else if (wanted == 0)
        fprintf(stderr, "autotune explain: %s: has no records\n", options->path);
    *wanted_p = wanted;
    return wanted > 0 ? 0 : 2;
}

static bool take_text(const atm_record *record, int number, void *context)
{
    (void) context;
    if (number > 0)
        fputs("\n", stdout);
    explain_record_text(stdout, record);
    return true;
}

static bool take_summary(const atm_record *record, int number, void *context)
{
    bool added = record_summary_add(context, record);

    (void) number;
    if (!added)
        fprintf(stderr, "autotune explain: %s\n", atm_status_text(ATM_NO_MEMORY));
    return added;
}

static bool take_json(const atm_record *record, int number, void *context)
{
    atm_status status = outcome_put(context, record);

    (void) number;
    if (status != ATM_OK)
        fprintf(stderr, "autotune explain: %s\n", atm_status_text(status));
    return status == ATM_OK;
}

static bool take_page(const atm_record *record, int number, void *context)
{
    explain_record_section(context, number, record);
    return true;
}

static int print_json(records *records, const record_options *options, int first, int last)
{
    atm_value *root = atm_value_object();
    int wanted, code;

    atm_put_string(root, "format", OUTCOME_FORMAT);
    atm_put_integer(root, "version", OUTCOME_VERSION);
    code = walk(records, options, first, last, take_json, atm_put_array(root, "records"), &wanted);
    if (code == 0)
        return autotune_print(root);
    atm_value_destroy(root);
    return code;
}

static int write_page(records *records, const record_options *options, int first, int last)
{
    atm_message message = {""};
    page *page;
    int wanted, code;
    atm_status status = page_open(&page);

    if (status != ATM_OK) {
        fprintf(stderr, "autotune explain: %s\n", atm_status_text(status));
        return 1;
    }
    page_begin(page->out, "Decisions and outcomes",
               "Predicted against measured times of collective calls, by file.");
    code = walk(records, options, first, last, take_page, page->out, &wanted);
    if (code == 0) {
        page_end(page->out, "Made by autotune explain --record.");
        status = page_save(page, options->html, &message);
        if (status != ATM_OK) {
            fprintf(stderr, "autotune explain: %s\n",
                    message.text[0] != '\0' ? message.text : atm_status_text(status));
            code = 1;
        }
    }
    page_close(page);
    return code;
}

static int print_summary(records *records, const record_options *options, int last)
{
    record_summary *summary = record_summary_make();
    int wanted, code = 1;

    if (summary == NULL)
        fprintf(stderr, "autotune explain: %s\n", atm_status_text(ATM_NO_MEMORY));
    else
        code = walk(records, options, 0, last, take_summary, summary, &wanted);
    if (code == 0)
        record_summary_print(stdout, summary);
    record_summary_free(summary);
    return code;
}

/* A summary of several records, unless the user asked for more. */
static int show(records *records, const record_options *options, int first, int last)
{
    int wanted;

    if (options->html != NULL)
        return write_page(records, options, first, last);
    if (options->json)
        return print_json(records, options, first, last);
    if (last > first && options->file == NULL && !options->all)
        return print_summary(records, options, last);
    return walk(records, options, first, last, take_text, NULL, &wanted);
}

/* Everything is read before anything is shown: a file with an error is named,
 * not shown in part. */
int explain_record(const record_options *options)
{
    atm_message message = {""};
    records *records = records_open(options->path, &message);
    atm_status status;
    int wanted, code;

    if (records == NULL)
        return complain(&message, ATM_NO_ACCESS);
    code = walk(records, options, 0, INT_MAX - 1, NULL, NULL, &wanted);
    if (records->torn)
        fprintf(stderr,
                "autotune explain: %s:%ld: is incomplete and was skipped (a job may still be "
                "writing it)\n",
                options->path, records->line);
    if (code == 0) {
        status = records_rewind(records, &message);
        code = status != ATM_OK
                   ? complain(&message, status)
                   : show(records, options, options->last ? wanted - 1 : 0, wanted - 1);
    }
    records_close(records);
    return code;
}
