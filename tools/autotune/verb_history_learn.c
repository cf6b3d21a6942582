/* autotune history learn: advice, or a corrected profile. */

#include "verb_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/units.h"
#include "history/correct.h"
#include "history/learn_rules.h"

typedef struct learn_command {
    const char *db, *output, *profile, *driver;
    double days, control;
    int trials;
    bool all;
} learn_command;

static const char *set_days(const char *text, void *variables)
{
    return history_days(text, &((learn_command *) variables)->days);
}

static const char *set_control(const char *text, void *variables)
{
    char *end;
    double share = strtod(text, &end);

    if (end == text || *end != '\0' || !(share >= 0 && share <= 0.5))
        return "must be a share from 0 to 0.5";
    ((learn_command *) variables)->control = share;
    return NULL;
}

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(learn_command, db), NULL},
    {"output", "FILE", "the advice, or with --profile the new profile; also -o", OPTION_TEXT,
     offsetof(learn_command, output), NULL},
    {"since", "DAYS", "learn from the last DAYS days (default: all)", OPTION_SPECIAL, 0, set_days},
    {"trials", "N", "fewest of any settings (default 5)", OPTION_COUNT,
     offsetof(learn_command, trials), NULL},
    {"control", "SHARE", "of jobs that a rule is left out of (default 0.1)", OPTION_SPECIAL, 0,
     set_control},
    {"all", NULL, "print all classes, also those that nothing is advised for", OPTION_FLAG,
     offsetof(learn_command, all), NULL},
    {"profile", "FILE", "correct this profile instead, into another file", OPTION_TEXT,
     offsetof(learn_command, profile), NULL},
    {"driver", "NAME", "with --profile: only files of this driver", OPTION_TEXT,
     offsetof(learn_command, driver), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune history learn [options] -o FILE",
    .about =
        "Learns from records which settings were fastest for whom, and writes them as advice.\n"
        "Rules by hand that FILE has stay, as do those of a search that did not get slower.\n"
        "With --profile, learns how far its predictions were off and writes a corrected one;\n"
        "autotune profile diff compares the two.\n",
    .entries = entries};

/* --- advice */

static void print_class(const ath_class_report *class, void *context)
{
    const learn_command *command = context;

    if (class->verdict != ATH_ADVISED && !command->all)
        return;
    printf("%s of %s, %s, %s%s, %" PRIu64 " to %" PRIu64 " ranks, %s to %s: %d runs, %d settings: ",
           class->program[0] != '\0' ? class->program : "any program",
           class->user[0] != '\0' ? class->user : "any user", class->pattern,
           class->independent ? "independent " : "", class->write ? "write" : "read",
           class->ranks[0], class->ranks[1], units_bytes((double) class->bytes[0]).text,
           units_bytes((double) class->bytes[1] + 1).text, class->runs, class->arms);
    if (class->verdict == ATH_ADVISED)
        printf("%s instead of %s\n", units_seconds(class->seconds).text,
               units_seconds(class->default_seconds).text);
    else
        printf("%s\n", ath_verdict_text(class->verdict));
}

/* Rules that are not learned from a history; a file that is no advice is not replaced. */
static ath_status keep_rules(const learn_command *command, const ath_samples *samples,
                             const ath_learn_options *options, atm_advice *advice,
                             atm_message *message, int *dropped_p)
{
    atm_advice *earlier = NULL;
    ath_status status;

    if (access(command->output, F_OK) != 0)
        return ATH_OK;
    status = ath_status_of(atm_advice_load(command->output, message, &earlier));
    if (status == ATH_OK)
        status = ath_learn_keep(advice, earlier, samples, options, dropped_p);
    atm_advice_destroy(earlier);
    return status;
}

static ath_status write_advice(const atm_advice *advice, const char *path, atm_message *message)
{
    atm_value *root = atm_advice_value(advice);
    ath_status status = ath_status_of(atm_value_write(root, path, message));

    atm_value_destroy(root);
    return status;
}

static ath_status learn_advice(const learn_command *command, ath_database *database,
                               atm_message *message)
{
    ath_learn_options options = ath_learn_usual;
    ath_samples samples = {.at = NULL};
    atm_advice *advice = NULL;
    int dropped = 0;
    ath_status status = ath_samples_load(database, history_since(command->days), message, &samples);

    options.trials = command->trials;
    options.control = command->control;
    if (status == ATH_OK)
        status = ath_learn(&samples, &options, print_class, (void *) command, &advice);
    if (status == ATH_OK)
        status = keep_rules(command, &samples, &options, advice, message, &dropped);
    if (status == ATH_OK)
        status = write_advice(advice, command->output, message);
    if (status == ATH_OK)
        printf("%s: %d rules from %zu trials\n", command->output, advice->count, samples.count);
    if (status == ATH_OK && dropped > 0)
        printf("%d rules of a search were dropped: runs without them were faster\n", dropped);
    atm_advice_destroy(advice);
    ath_samples_destroy(&samples);
    return status;
}

/* --- a profile */

static void print_corrections(const ath_corrections *corrections)
{
    printf("%" PRId64 " records, %" PRId64 " trials; measured over predicted time\n",
           corrections->records, corrections->trials);
    printf("  %-18s %10s %8s %8s %19s\n", "operation", "size", "trials", "factor", "95 %");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        for (int k = 0; k < corrections->operations[i].count; k++) {
            const ath_size_correction *size = &corrections->operations[i].sizes[k];

            printf("  %-18s %10s %8d %8.3g %8.3g to %7.3g  %s\n",
                   atm_operation_name((atm_operation) i), units_bytes(size->bytes).text,
                   size->trials, size->factor, size->low, size->high,
                   size->applied ? "corrected" : "right");
        }
}

static ath_status learn_profile(const learn_command *command, ath_database *database,
                                atm_message *message)
{
    atm_profile *profile = NULL;
    ath_corrections corrections;
    int applied;
    ath_status status = ath_status_of(atm_profile_load(command->profile, message, &profile));

    if (status == ATH_OK)
        status = ath_correct_learn(database, profile, command->driver, history_since(command->days),
                                   message, &corrections);
    if (status == ATH_OK) {
        print_corrections(&corrections);
        applied = ath_correct_apply(&corrections, profile);
        if (applied == 0)
            printf("nothing to correct: %s is not written\n", command->output);
        else
            status = ath_status_of(atm_profile_save(profile, command->output, message));
        if (status == ATH_OK && applied > 0)
            printf("%s: %d operations corrected\n", command->output, applied);
    }
    atm_profile_destroy(profile);
    return status;
}

/* --- which */

/* NULL, or what is wrong with the command line. */
static const char *check(const learn_command *command)
{
    if (command->output == NULL)
        return "-o FILE is needed (try --help)";
    if (command->profile == NULL && command->driver != NULL)
        return "--driver needs --profile";
    if (command->profile != NULL && access(command->output, F_OK) == 0)
        return "the new profile must be a file that is not there yet";
    return NULL;
}

int history_learn(int argc, char **argv)
{
    learn_command command = {.trials = ath_learn_usual.trials, .control = ath_learn_usual.control};
    ath_database *database = NULL;
    atm_message message = {""};
    char **rest = NULL;
    int count, code;
    option_result result = history_arguments(&table, argc, argv, &command, &rest, &count);
    ath_status status;

    if (result != OPTIONS_GO_ON) {
        code = result == OPTIONS_HELP ? 0 : 2;
    } else if (count > 0) {
        code = options_complain(&table, "%s: is not an option (try --help)", rest[0]);
    } else if (check(&command) != NULL) {
        code = options_complain(&table, "%s", check(&command));
    } else if ((code = history_open("learn", command.db, ATH_READ, &database)) == 0) {
        status =
            (command.profile != NULL ? learn_profile : learn_advice)(&command, database, &message);
        code = status == ATH_OK ? 0 : history_complain("learn", status, &message);
    }
    ath_close(database);
    free(rest);
    return code;
}
