/* autotune search: the table, the page and the rule. */

#include "verb_search.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/findings.h"
#include "search/rule.h"

enum { ROWS = 10 };

static int fail(atm_status status, const atm_message *message)
{
    search_complain("%s", message->text[0] != '\0' ? message->text : atm_status_text(status));
    return status == ATM_BAD_FILE ? 2 : 1;
}

/* --- advice */

/* Its own rules first, then those that are there, then those of --merge; and says so. */
static atm_status write_advice(const search_command *command, atm_advice *advice, const char *path,
                               atm_message *message)
{
    atm_status status = ats_rule_keep_file(advice, path, false, message);

    if (status == ATM_OK && command->merge != NULL)
        status = ats_rule_keep_file(advice, command->merge, true, message);
    if (status == ATM_OK)
        status = ats_rule_write(advice, path, message);
    if (status == ATM_OK)
        printf("advice: %s (%d rule%s)\n", path, advice->count, advice->count == 1 ? "" : "s");
    return status;
}

static const atm_value *facts_of(const ats_journal *journal, const ats_point *point,
                                 int64_t *calls_p)
{
    for (int i = 0; i < journal->count; i++) {
        const ats_entry *entry = &journal->entries[i];

        if (entry->ended && entry->outcome.end == ATS_DONE &&
            ats_point_equal(&entry->trial.point, point)) {
            *calls_p = entry->outcome.calls;
            return entry->facts != NULL ? atm_value_find(entry->facts, "facts") : NULL;
        }
    }
    return NULL;
}

/* Only what has been shown to be faster. */
static bool deserves_a_rule(const ats_report *report)
{
    return report->has_winner && ats_is_faster(&report->verdict);
}

static int put_rule(const search_command *command, const ats_report *report,
                    const ats_journal *journal, const char *folder)
{
    char path[PATH_MAX];
    atm_message message = {""};
    atm_advice *advice = NULL;
    ats_whom whom = {command->program, command->match};
    int64_t calls = 0;
    const atm_value *facts = facts_of(journal, &report->winner, &calls);
    atm_status status;

    if (!deserves_a_rule(report)) {
        puts("no rule is written: nothing was shown to be faster than the default");
        return 0;
    }
    snprintf(path, sizeof(path), "%s/advice.json", folder);
    status = ats_rule(report->space, &report->winner, &report->verdict, facts,
                      command->metric == ATS_BY_RECORD ? calls : 0, &whom, &message, &advice);
    if (status == ATM_BAD_ARGUMENT) {
        printf("no rule is written: %s\n", message.text);
        return 0;
    }
    if (status == ATM_OK)
        status = write_advice(command, advice, path, &message);
    atm_advice_destroy(advice);
    return status == ATM_OK ? 0 : fail(status, &message);
}

int search_convert(const search_command *command, const atm_advice *imported, const char *folder)
{
    char path[PATH_MAX];
    atm_message message = {""};
    atm_advice *advice = calloc(1, sizeof(*advice));
    atm_status status = ATM_NO_MEMORY;

    snprintf(path, sizeof(path), "%s/advice.json", folder);
    if (advice != NULL) {
        advice->source = strdup(command->import);
        status = ats_rule_keep(advice, imported, &message);
    }
    if (status == ATM_OK)
        status = write_advice(command, advice, path, &message);
    atm_advice_destroy(advice);
    return status == ATM_OK ? 0 : fail(status, &message);
}

/* --- all of it */

/* As in a shell, nearly; free it. */
static char *command_text(char *const *command)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    for (int i = 0; command[i] != NULL; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", command[i]);
    return fclose(out) == 0 ? text : NULL;
}

static int put_page(const ats_report *report, const char *folder)
{
    char path[PATH_MAX];
    atm_message message = {""};
    atm_status status;

    snprintf(path, sizeof(path), "%s/search.html", folder);
    status = ats_report_page(report, path, &message);
    if (status != ATM_OK)
        return fail(status, &message);
    printf("page: %s\n", path);
    return 0;
}

int search_result(const search_command *command, const ats_space *space, const ats_journal *journal,
                  const ats_seen *seen, const char *folder)
{
    static const char *const metrics[] = {"time of I/O", "time of the command",
                                          "number that it printed"};
    ats_report report = {.space = space,
                         .seen = seen,
                         .strategy = command->strategy->name,
                         .metric = metrics[command->metric],
                         .in_seconds = command->metric != ATS_BY_OUTPUT};
    ats_ranked *ranked = ats_rank(seen, &report.count);
    char *text = command_text(command->command);
    int code = 1;

    report.ranked = ranked;
    report.command = text;
    report.has_winner = ats_leader(seen, NULL, 0, &report.winner);
    if (report.has_winner)
        report.verdict = ats_judge(seen, &report.winner, (uint64_t) command->seed);
    if (ranked == NULL || text == NULL) {
        search_complain("%s", atm_status_text(ATM_NO_MEMORY));
    } else {
        ats_report_text(&report, ROWS, stdout);
        ats_report_verdict(&report, stdout);
        code = put_page(&report, folder);
        if (code == 0)
            code = put_rule(command, &report, journal, folder);
    }
    free(ranked);
    free(text);
    return code;
}
