/* A choice as a short text. */

#include "explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "value/locale.h"
#include "value/words.h"

/* --- growing text; once memory has run out, nothing is added */

typedef struct text {
    char *at;
    size_t length, size;
    bool failed;
} text;

static bool make_room(text *text, size_t more)
{
    size_t size = text->size > 0 ? text->size : 4096;
    char *at;

    while (size - text->length <= more)
        size *= 2;
    if (size == text->size)
        return true;
    at = realloc(text->at, size);
    if (at == NULL) {
        text->failed = true;
        return false;
    }
    text->at = at;
    text->size = size;
    return true;
}

__attribute__((format(printf, 2, 3))) static void add(text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (text->failed || length < 0 || !make_room(text, (size_t) length))
        return;
    va_start(arguments, format);
    vsnprintf(text->at + text->length, (size_t) length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t) length;
}

/* --- numbers for people */

typedef struct words {
    char text[24];
} words;

/* Exact where a unit divides it. */
static words size_words(uint64_t size)
{
    static const char units[] = "\0KMGTPE";
    words words;
    uint64_t unit = 1;
    int i = 0;

    while (size / unit >= 1024 && i < 6) {
        unit *= 1024;
        i++;
    }
    if (size % unit != 0 && size % (unit / 1024) == 0 && size / (unit / 1024) < 10000) {
        unit /= 1024;
        i--;
    }
    snprintf(words.text, sizeof(words.text), "%.*f%s", size % unit == 0 ? 0 : 1,
             (double) size / (double) unit, (char[]){units[i], '\0'});
    return words;
}

static words seconds_words(double seconds)
{
    words words;

    if (seconds >= 0.9995)
        snprintf(words.text, sizeof(words.text), "%.3g s", seconds);
    else if (seconds >= 0.9995e-3)
        snprintf(words.text, sizeof(words.text), "%.3g ms", seconds * 1e3);
    else
        snprintf(words.text, sizeof(words.text), "%.3g us", seconds * 1e6);
    return words;
}

static words feature_words(atm_feature feature, double value)
{
    words words;

    if (feature == ATM_BYTES && value >= 1024 && value < 0x1p63)
        return size_words((uint64_t) value);
    snprintf(words.text, sizeof(words.text), "%.6g", value);
    return words;
}

/* --- what was asked for */

static void add_fixes(text *text, const char *begin, unsigned fixed)
{
    if (fixed == 0)
        return;
    add(text, "%s", begin);
    for (int i = 0; i < ATM_FIX_COUNT; i++)
        if (fixed >> i & 1)
            add(text, " %s", atm_fix_name((atm_fix) i));
    add(text, "\n");
}

static void add_advice(text *text, const atm_advised *advised)
{
    char rule[ATM_ADVISED];

    add(text, "  advice: %s", advised->advice->source);
    if (advised->rule < 0) {
        add(text, ", of which no rule matches\n");
        return;
    }
    atm_advised_say(advised, sizeof(rule), rule);
    add(text, ", %s%s\n", rule,
        advised->left_out     ? ", left out of this job for comparison"
        : advised->fixed == 0 ? ", of which nothing is left to set"
                              : "");
    add_fixes(text, "  fixed by it:", advised->fixed);
}

static void add_question(text *text, const atm_request *request, const atm_profile *profile,
                         const atm_choice *choice)
{
    const atm_access *access = &request->access;

    if (request->fit != NULL && request->fit->why.text[0] != '\0')
        add(text, "note: %s\n", request->fit->why.text);
    add(text, "%s of %s by %d of %d rank%s on %d node%s, %s\n", access->write ? "write" : "read",
        size_words(access->bytes).text, access->active_ranks, request->job.ranks,
        atm_plural((uint64_t) request->job.ranks), request->job.nodes,
        atm_plural((uint64_t) request->job.nodes), atm_driver_name(request->driver));
    if (access->bytes_min == access->bytes_max)
        add(text, "  a rank: %s", size_words(access->bytes_max).text);
    else
        add(text, "  a rank: %s to %s", size_words(access->bytes_min).text,
            size_words(access->bytes_max).text);
    if (access->strided)
        add(text, " in pieces of %s", size_words(access->block).text);
    if (access->strided && access->stride >= access->block) /* else ranks differ */
        add(text, ", every %s", size_words(access->stride).text);
    add(text, "%s%s%s\n", access->interleaved ? ", interleaved" : "",
        access->holes ? ", with holes" : "", access->new_file ? ", new file" : "");
    if (atm_life_calls(&request->life) > 1)
        add(text, "  %g such calls, with %s between them: times are those of all\n",
            request->life.calls, seconds_words(request->life.idle).text);
    add(text, "  profile: %s%s%s\n", profile->source, profile->note[0] != '\0' ? "; " : "",
        profile->note);
    add(text, "  mode: %s", atm_mode_name(request->mode));
    if (choice->memory > 0)
        add(text, ", at most %s of buffers on a node", size_words(choice->memory).text);
    add(text, "\n");
    add_fixes(text, "  fixed by the user:",
              request->fixed & ~(request->advised != NULL ? request->advised->fixed : 0));
    if (request->advised != NULL)
        add_advice(text, request->advised);
}

/* --- candidates */

typedef struct row {
    double seconds;
    int index;
    bool last; /* has no time, or is not allowed */
} row;

static int by_time(const void *left, const void *right)
{
    const row *a = left, *b = right;

    if (a->last != b->last)
        return a->last ? 1 : -1;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* True if advice sets the default: what it leaves of ROMIO's. */
static bool is_followed(const atm_request *request)
{
    return request->advised != NULL && request->advised->fixed != 0;
}

static const char *remark(const atm_request *request, const atm_choice *choice, int index)
{
    atm_verdict verdict = choice->candidates[index].verdict;
    bool advised = is_followed(request);

    if (index == choice->chosen)
        return index != 0 ? "chosen" : advised ? "advised, chosen" : "default, chosen";
    if (index == 0 && verdict == ATM_ALLOWED)
        return advised ? "advised" : "default";
    if (index == 0)
        return advised ? "advised, over memory" : "default, over memory";
    if (index == choice->best)
        return "best";
    return verdict == ATM_ALLOWED ? "" : atm_verdict_name(verdict);
}

/* Lustre writes have one order, other files another, unless storage is better off without. */
static bool is_unusual(const atm_request *request, const atm_config *config)
{
    return request->job.groups > 1 && config->order != ATM_BY_DATA &&
           !(request->driver == ATM_LUSTRE && request->access.write);
}

/* "512 x 16M", and on Lustre the striping. */
static void add_config(text *text, const atm_request *request, const atm_config *config)
{
    const atm_count_model *model = atm_count_model_for(request->driver, &request->access, config);
    bool collective = model != NULL && model->collective;
    char what[64] = "independent", striping[64] = "";

    if (collective && request->driver == ATM_LUSTRE && request->access.write)
        snprintf(what, sizeof(what), "%d", config->aggregators);
    else if (collective)
        snprintf(what, sizeof(what), "%d x %s%s%s", config->aggregators,
                 size_words(config->buffer).text, is_unusual(request, config) ? " " : "",
                 is_unusual(request, config) ? atm_order_name(config->order) : "");
    if (request->driver == ATM_LUSTRE)
        snprintf(striping, sizeof(striping), ", %d x %s, co %d", config->stripe_count,
                 size_words(config->stripe_size).text, config->co_ratio);
    strncat(what, striping, sizeof(what) - strlen(what) - 1);
    add(text, "%-*s", request->driver == ATM_LUSTRE ? 24 : 16, what);
}

static void add_row(text *text, const atm_request *request, const atm_choice *choice, int index)
{
    const atm_candidate *candidate = &choice->candidates[index];
    const atm_prediction *prediction = &candidate->prediction;
    const char *word = remark(request, choice, index);

    add_config(text, request, &candidate->config);
    if (candidate->verdict != ATM_UNCOUNTED && !prediction->cut)
        add(text, " %9s  %-14s  %9s %9s %9s %8llu %7s", seconds_words(prediction->seconds).text,
            atm_range(1, prediction->uncertainty).text,
            seconds_words(prediction->parts[ATM_PARTITIONING]).text,
            seconds_words(prediction->parts[ATM_SHUFFLE]).text,
            seconds_words(prediction->parts[ATM_STORAGE]).text,
            (unsigned long long) candidate->rounds, size_words(candidate->memory_per_node).text);
    add(text, "%s%s\n", word[0] != '\0' ? "  " : "", word);
}

static atm_status add_table(text *text, const atm_request *request, const atm_choice *choice,
                            int rows)
{
    row *order = malloc((size_t) choice->count * sizeof(*order));

    if (order == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < choice->count; i++)
        order[i] = (row){.seconds = choice->candidates[i].prediction.seconds,
                         .index = i,
                         .last = choice->candidates[i].verdict != ATM_ALLOWED};
    qsort(order, (size_t) choice->count, sizeof(*order), by_time);
    add(text, "\n%-*s %9s  %-14s  %9s %9s %9s %8s %7s\n", request->driver == ATM_LUSTRE ? 24 : 16,
        request->driver == ATM_LUSTRE ? "aggregators, stripes" : "aggr. x buffer", "time",
        "give or take", "partition", "shuffle", "storage", "rounds", "memory");
    for (int i = 0; i < choice->count; i++) {
        int index = order[i].index;

        if (i < rows || index == 0 || index == choice->chosen || index == choice->best)
            add_row(text, request, choice, index);
    }
    if (rows < choice->count)
        add(text, "of %d candidate%s\n", choice->count, atm_plural((uint64_t) choice->count));
    free(order);
    return ATM_OK;
}

/* --- the answer */

static void add_answer(text *text, const atm_request *request, const atm_choice *choice)
{
    add(text, "\nchosen: %s",
        choice->chosen != 0    ? ""
        : is_followed(request) ? "as advised, "
                               : "the default, ");
    add_config(text, request, &choice->candidates[choice->chosen].config);
    while (text->length > 0 && text->at[text->length - 1] == ' ')
        text->length--;
    add(text, "\nbecause: %s\n", choice->reason.text);
    if (choice->best != 0)
        add(text,
            "probability that %s is faster than the default: %.0f %%, more than %.0f %% slower: "
            "%.1f %%\n",
            choice->chosen == 0 ? "the best candidate" : "it", 100 * choice->confidence,
            100 * ATM_HARM, 100 * choice->harm);
}

static void add_operations(text *text, const atm_request *request, const atm_profile *profile,
                           const atm_config *config)
{
    atm_counts counts;

    if (atm_count_request(request, config, &counts) != ATM_OK)
        return;
    add(text, "\nits operations:\n");
    for (int i = 0; i < counts.item_count; i++) {
        const atm_cost_item *item = &counts.items[i];
        const atm_surrogate *surrogate = profile->operations[item->operation];
        atm_estimate estimate = atm_estimate_item(profile, item, NULL);
        double min, max;

        if (!atm_profile_uses(profile, item->operation))
            continue;
        add(text, "  %-12s %8.6g x %-17s %9s (%s)%s ", atm_part_name(item->part), item->count,
            atm_operation_name(item->operation), seconds_words(estimate.seconds).text,
            atm_range(1, estimate.uncertainty).text,
            estimate.outside ? " (outside the training range)" : "");
        for (int k = 0; k < ATM_FEATURE_COUNT; k++)
            if (atm_surrogate_range(surrogate, (atm_feature) k, &min, &max))
                add(text, " %s=%s", atm_feature_name((atm_feature) k),
                    feature_words((atm_feature) k, item->features[k]).text);
        add(text, "\n");
    }
}

atm_status atm_explain_text(const atm_request *request, const atm_profile *profile,
                            const atm_choice *choice, int rows, char **text_p)
{
    text text = {.at = NULL};
    atm_locale locale = atm_locale_enter();
    atm_status status;

    add_question(&text, request, profile, choice);
    status = add_table(&text, request, choice, rows);
    add_answer(&text, request, choice);
    add_operations(&text, request, profile, &choice->candidates[choice->chosen].config);
    atm_locale_leave(locale);
    if (status == ATM_OK && text.failed)
        status = ATM_NO_MEMORY;
    if (status == ATM_OK)
        *text_p = text.at;
    else
        free(text.at);
    return status;
}

/* Which rule is followed, or left out. */
static void add_brief_advice(text *text, const atm_advised *advised)
{
    char rule[ATM_ADVISED];

    if (advised == NULL || (advised->fixed == 0 && !advised->left_out))
        return;
    atm_advised_say(advised, sizeof(rule), rule);
    add(text, ", %s%s", advised->left_out ? "without " : "advised by ", rule);
}

atm_status atm_explain_brief(const atm_request *request, const atm_choice *choice, char **text_p)
{
    const atm_candidate *chosen = &choice->candidates[choice->chosen];
    const atm_access *access = &request->access;
    text text = {.at = NULL};
    atm_locale locale = atm_locale_enter();

    add(&text, "%s of %s by %d of %d ranks: %s", access->write ? "write" : "read",
        size_words(access->bytes).text, access->active_ranks, request->job.ranks,
        is_followed(request)  ? "as advised, "
        : choice->chosen == 0 ? "the default is kept, "
                              : "");
    add_config(&text, request, &chosen->config);
    while (text.length > 0 && text.at[text.length - 1] == ' ')
        text.length--;
    add(&text, "\n  %s, %s predicted", choice->reason.text,
        seconds_words(chosen->prediction.seconds).text);
    if (atm_life_calls(&request->life) > 1)
        add(&text, " for %g calls", request->life.calls);
    add_brief_advice(&text, request->advised);
    add(&text, "\n");
    atm_locale_leave(locale);
    if (text.failed) {
        free(text.at);
        return ATM_NO_MEMORY;
    }
    *text_p = text.at;
    return ATM_OK;
}
