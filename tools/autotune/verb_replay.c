/* autotune replay: decisions that the driver has explained, made again. */

#include "autotune.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/explain.h"
#include "common/options.h"
#include "common/units.h"
#include "decide/decide.h"
#include "decide/look.h"
#include "decide/situation_file.h"
#include "files/asked.h"
#include "value/words.h"
#include "formats/formats.h"

/* Relative difference of predicted times that counts as none: processors round differently. */
#define ALIKE 1e-9

typedef struct replay_options {
    const char *profile;
    bool all, explain;
} replay_options;

static const option_entry entries[] = {
    {"profile", "FILE", "that decisions name and their file does not have", OPTION_TEXT,
     offsetof(replay_options, profile), NULL},
    {"all", NULL, "also list the decisions that are the same", OPTION_FLAG,
     offsetof(replay_options, all), NULL},
    {"explain", NULL, "print how each was made, as autotune explain does", OPTION_FLAG,
     offsetof(replay_options, explain), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune replay [options] FILE...",
    "Make the decisions again that are in files written by romio_autotune_explain, and say\n"
    "which are another one now.  Nothing of the machine that they were made on is needed.\n",
    entries, NULL};

/* --- profiles, by their hash */

typedef struct known_profile {
    char hash[ATM_HASH];
    atm_profile *profile;
} known_profile;

typedef struct replay {
    const replay_options *options;
    const char *path; /* of the file that is being read, and its line */
    long line;
    known_profile *profiles;
    int profile_count;
    int same, other, failed, old;
} replay;

static atm_status complain(const replay *replay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static atm_status complain(const replay *replay, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "autotune replay: %s:%ld: ", replay->path, replay->line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return ATM_BAD_FILE;
}

static const atm_profile *find_profile(const replay *replay, const char *hash)
{
    for (int i = 0; i < replay->profile_count; i++)
        if (strcmp(replay->profiles[i].hash, hash) == 0)
            return replay->profiles[i].profile;
    return NULL;
}

/* Takes the profile. */
static atm_status add_profile(replay *replay, atm_profile *profile)
{
    known_profile known = {.profile = profile}, *grown;
    atm_status status = atm_profile_hash(profile, known.hash);

    if (status == ATM_OK && find_profile(replay, known.hash) == NULL) {
        grown = realloc(replay->profiles,
                        ((size_t) replay->profile_count + 1) * sizeof(*replay->profiles));
        status = grown != NULL ? ATM_OK : ATM_NO_MEMORY;
        if (status == ATM_OK) {
            replay->profiles = grown;
            grown[replay->profile_count++] = known;
            return ATM_OK;
        }
    }
    atm_profile_destroy(profile);
    return status;
}

/* Reads the built-in profile and the one that --profile names. */
static atm_status begin(replay *replay, atm_message *message)
{
    atm_profile *profile;
    atm_status status = atm_profile_generic(message, &profile);

    if (status == ATM_OK)
        status = add_profile(replay, profile);
    if (status != ATM_OK || replay->options->profile == NULL)
        return status;
    status = atm_profile_load(replay->options->profile, message, &profile);
    return status == ATM_OK ? add_profile(replay, profile) : status;
}

static void end(replay *replay)
{
    for (int i = 0; i < replay->profile_count; i++)
        atm_profile_destroy(replay->profiles[i].profile);
    free(replay->profiles);
}

/* --- what was decided, and what is decided now */

typedef struct outcome {
    atm_config config;
    double seconds;
    int rank_count;
    const atm_value *ranks; /* the document's */
    const char *file;
    int64_t call;
} outcome;

static atm_status read_outcome(const atm_value *document, atm_message *message, outcome *was)
{
    const atm_value *candidates, *chosen;
    int64_t index = 0;
    size_t order = 0;
    const char *orders[ATM_ORDER_COUNT];
    atm_status status = atm_get_array(document, "candidates", 1, SIZE_MAX, message, &candidates);

    for (int i = 0; i < ATM_ORDER_COUNT; i++)
        orders[i] = atm_order_name((atm_order) i);
    if (status == ATM_OK)
        status = atm_get_integer(document, "chosen", 0, (int64_t) atm_value_length(candidates) - 1,
                                 message, &index);
    if (status != ATM_OK)
        return status;
    chosen = atm_value_item(candidates, (size_t) index);
    status = atm_get_config(chosen, "config", message, &was->config);
    if (status == ATM_OK)
        status = atm_get_choice(chosen, "order", orders, ATM_ORDER_COUNT, message, &order);
    if (status == ATM_OK)
        status = atm_get_number(chosen, "seconds", 0, DBL_MAX, message, &was->seconds);
    if (status == ATM_OK)
        status = atm_get_array(document, "ranks", 0, SIZE_MAX, message, &was->ranks);
    if (status == ATM_OK)
        status = atm_get_string(document, "file", message, &was->file);
    if (status == ATM_OK)
        status = atm_get_integer(document, "call", 0, INT32_MAX, message, &was->call);
    was->config.order = (atm_order) order;
    return status;
}

static bool same_ranks(const outcome *was, const atm_decision *now, const int *ranks)
{
    size_t count = (size_t) now->answer.chosen.config.aggregators;

    if (atm_value_length(was->ranks) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        int64_t rank;

        if (atm_get_integer(atm_value_item(was->ranks, i), NULL, 0, INT32_MAX, NULL, &rank) !=
                ATM_OK ||
            rank != ranks[i])
            return false;
    }
    return true;
}

/* Whether the call is decided for as it was, with the same factors. */
static bool looks_the_same(const atm_situation *situation)
{
    atm_scale scale;

    if (situation->past == NULL)
        return true;
    scale = situation->past->scale;
    return atm_look_at(situation, situation->past, &scale) == situation->look &&
           memcmp(&scale, &situation->scale, sizeof(scale)) == 0;
}

/* What changed in a decision; NULL: nothing. */
static const char *difference(const outcome *was, const atm_situation *situation,
                              const atm_decision *now, const int *ranks)
{
    const atm_candidate *chosen = &now->answer.chosen;
    const double seconds = chosen->prediction.seconds;

    if (!looks_the_same(situation))
        return "another look at the call";
    if (!atm_same_fields(atm_config_fields, &was->config, &chosen->config) ||
        was->config.order != chosen->config.order)
        return "another configuration";
    if (!same_ranks(was, now, ranks))
        return "other aggregators";
    if (!(fabs(seconds - was->seconds) <= ALIKE * was->seconds))
        return "another prediction";
    return NULL;
}

static void print_config(const atm_config *config, double seconds)
{
    if (config->collective)
        printf("%d x %s", config->aggregators, units_bytes((double) config->buffer).text);
    else
        printf("each for itself");
    if (config->stripe_count > 1)
        printf(" in %d stripes", config->stripe_count);
    printf(" (%s)", units_seconds(seconds).text);
}

static void report(replay *replay, const outcome *was, const atm_situation *situation,
                   const atm_decision *now, const int *ranks)
{
    const char *other = difference(was, situation, now, ranks);

    replay->same += other == NULL;
    replay->other += other != NULL;
    if (other == NULL && !replay->options->all)
        return;
    printf("%s:%ld: %s, ", replay->path, replay->line, was->file);
    if (was->call > 0)
        printf("call %lld: ", (long long) was->call);
    else
        printf("at open: ");
    print_config(&was->config, was->seconds);
    if (other != NULL) {
        printf(", now ");
        print_config(&now->answer.chosen.config, now->answer.chosen.prediction.seconds);
    }
    printf(": %s\n", other != NULL ? other : "the same");
}

static atm_status explain(const atm_situation *situation, const atm_decision *now)
{
    const atm_profile profile = atm_situation_profile(situation);
    char *text;
    atm_status status = atm_explain_text(&now->asked, &profile, now->choice, 10, &text);

    if (status != ATM_OK)
        return status;
    printf("%s\n", text);
    free(text);
    return ATM_OK;
}

/* --- lines */

static atm_status decide(replay *replay, const outcome *was, const atm_situation *situation)
{
    int *ranks = malloc((size_t) situation->topology->ranks * sizeof(*ranks));
    atm_decision now;
    atm_status status = ranks != NULL ? atm_decide(situation, NULL, ranks, &now) : ATM_NO_MEMORY;

    if (status == ATM_OK) {
        report(replay, was, situation, &now, ranks);
        if (replay->options->explain)
            status = explain(situation, &now);
        atm_decision_clear(&now);
    } else {
        complain(replay, "no decision can be made: %s", atm_status_text(status));
    }
    free(ranks);
    return status;
}

static atm_status compare(replay *replay, const atm_value *document, atm_replayed *replayed)
{
    atm_message message = {""};
    outcome was;
    atm_status status = read_outcome(document, &message, &was);

    if (status != ATM_OK)
        return complain(replay, "%s", message.text);
    replayed->situation.profile = find_profile(replay, replayed->profile);
    if (replayed->situation.profile == NULL)
        return complain(replay, "its profile %s is not in this file (--profile)",
                        replayed->profile);
    replayed->situation.request.whole = true;
    return decide(replay, &was, &replayed->situation);
}

static atm_status read_decision(replay *replay, const atm_value *document)
{
    atm_message message = {""};
    atm_replayed replayed;
    atm_status status;

    if (atm_value_find(document, "situation") == NULL) {
        replay->old++;
        return ATM_OK;
    }
    status = atm_get_situation(document, "situation", &message, &replayed);
    if (status != ATM_OK)
        return complain(replay, "%s",
                        message.text[0] != '\0' ? message.text : atm_status_text(status));
    status = compare(replay, document, &replayed);
    atm_replayed_clear(&replayed);
    return status;
}

static atm_status read_profile(replay *replay, const char *line, size_t length)
{
    atm_message message = {""};
    atm_profile *profile;
    atm_status status = atm_profile_parse(line, length, replay->path, &message, &profile);

    if (status != ATM_OK)
        return complain(replay, "%s", message.text);
    return add_profile(replay, profile);
}

static atm_status read_line(replay *replay, const char *line, size_t length)
{
    atm_message message = {""};
    const char *format = "";
    atm_value *document;
    atm_status status = atm_value_parse(line, length, replay->path, &message, &document);

    if (status != ATM_OK)
        return complain(replay, "%s", message.text);
    atm_opt_string(document, "format", NULL, &format);
    if (strcmp(format, ATM_DECISION_FORMAT) == 0)
        status = read_decision(replay, document);
    else if (strcmp(format, ATM_PROFILE_FORMAT) == 0)
        status = read_profile(replay, line, length);
    else if (strcmp(format, ATM_LAYOUT_FORMAT) != 0)
        status = complain(replay, "is no line of romio_autotune_explain");
    atm_value_destroy(document);
    return status;
}

static int read_file(replay *replay, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    if (file == NULL) {
        fprintf(stderr, "autotune replay: %s: %s\n", path, strerror(errno));
        return 2;
    }
    replay->path = path;
    replay->line = 0;
    while ((length = getline(&line, &room, file)) > 0) {
        replay->line++;
        replay->failed += read_line(replay, line, (size_t) length) != ATM_OK;
    }
    free(line);
    fclose(file);
    return 0;
}

static void print_summary(const replay *replay)
{
    int all = replay->same + replay->other;

    printf("%d decision%s, %d as before\n", all, atm_plural((uint64_t) all), replay->same);
    if (replay->old > 0)
        printf("%d of a version that wrote no situations\n", replay->old);
    if (replay->failed > 0)
        printf("%d line%s could not be used\n", replay->failed,
               atm_plural((uint64_t) replay->failed));
}

int autotune_replay(int argc, char **argv)
{
    replay_options options = {.profile = NULL};
    replay replay = {.options = &options};
    char **files = malloc((size_t) argc * sizeof(*files));
    int count = 0, code = 0, left = options_separate(&table, argc, argv, files, &count);
    option_result result = options_parse(&table, left, argv, &options);
    atm_message message = {""};

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count == 0)
        code = options_complain(&table, "a file is needed (try --help)");
    else if (begin(&replay, &message) != ATM_OK) {
        fprintf(stderr, "autotune replay: %s\n", message.text);
        code = 2;
    } else {
        for (int i = 0; i < count && code == 0; i++)
            code = read_file(&replay, files[i]);
        if (code == 0)
            print_summary(&replay);
        if (code == 0 && (replay.other > 0 || replay.failed > 0))
            code = replay.failed > 0 ? 2 : 1;
    }
    end(&replay);
    free(files);
    return code;
}
