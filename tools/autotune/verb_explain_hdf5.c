/* autotune explain --hdf5: ways to store a data set, and what each would cost. */

#include "verb_explain_hdf5.h"

#include <math.h>
#include <stdio.h>

#include "autotune.h"
#include "common/typical.h"
#include "common/units.h"
#include "files/asked.h"
#include "hdf5_question.h"
#include "hdf5_rule.h"
#include "value/words.h"
#include "formats/formats.h"

/* Advice reaches a data set that the program leaves as HDF5 has it. */
static bool is_open(const atm_h5_question *asked)
{
    return !asked->set.chunked && asked->file.alignment <= 1;
}

/* --- for people */

static void print_list(const uint64_t *list, int count)
{
    for (int i = 0; i < count; i++)
        printf("%s%llu", i > 0 ? "x" : "", (unsigned long long) list[i]);
}

static void print_question(const job_choice *job, const hdf5_question *question,
                           const atm_h5_variants *all)
{
    const atm_h5_set *set = &question->asked.set;
    const atm_h5_calls *calls = &all->variants[0].calls;
    bool runs = false;

    if (job->fit.why.text[0] != '\0')
        printf("note: %s\n", job->fit.why.text);
    printf("data set of ");
    print_list(set->sizes, set->dimensions);
    printf(" elements of %s, of which %s are written by %d of %d rank%s as ",
           units_bytes((double) set->element).text,
           units_bytes((double) calls->write.access.bytes).text, calls->write.access.active_ranks,
           job->request.job.ranks, atm_plural((uint64_t) job->request.job.ranks));
    print_list(question->processes, set->dimensions);
    for (int i = 0; i < set->dimensions; i++)
        runs = runs || question->runs[i] > 1;
    if (runs) {
        printf(" in each of ");
        print_list(question->runs, set->dimensions);
        printf(" runs");
    }
    printf(", %s\n  profile: %s\n", atm_driver_name(job->request.driver), job->profile->source);
    if (atm_life_calls(&job->request.life) > 1)
        printf("  %g such data sets: times are those of all\n", job->request.life.calls);
    printf("  aligned: at multiples of %s\n", units_bytes((double) all->unit).text);
}

static void print_variant(const atm_h5_variant *variant, bool best)
{
    const atm_h5_calls *calls = &variant->calls;
    bool filled = calls->fill.access.bytes > 0;

    printf("%-38s %5d %9llu %8llu %9s %11llu %9s %9s %9s %9s%s\n", variant->name, filled ? 2 : 1,
           (unsigned long long) calls->write.pieces, (unsigned long long) calls->write.pieces_max,
           units_bytes((double) calls->write.access.block).text, (unsigned long long) calls->first,
           units_bytes((double) calls->padded).text, units_seconds(variant->defaults.seconds).text,
           units_seconds(variant->chosen.seconds).text,
           units_seconds(filled ? variant->chosen.fill : NAN).text, best ? "  best" : "");
}

static void print_setting(const atm_settings *settings, atm_setting setting)
{
    uint64_t value = settings->values[setting];
    const char *word = atm_setting_word(setting, value);

    printf("%s ", atm_setting_name(setting));
    if (setting == ATM_SET_HDF5_ALIGNMENT)
        printf("%llu %llu", (unsigned long long) settings->threshold, (unsigned long long) value);
    else if (setting == ATM_SET_HDF5_CHUNK)
        print_list(settings->chunk, (int) value);
    else if (word != NULL)
        printf("%s", word);
    else
        printf("%llu", (unsigned long long) value);
}

static void print_settings(const atm_settings *settings)
{
    const char *between = "advice for it: ";

    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (settings->has[i]) {
            printf("%s", between);
            print_setting(settings, (atm_setting) i);
            between = ", ";
        }
    printf("\n");
}

static void print_best(const job_choice *job, const hdf5_question *question,
                       const atm_h5_variants *all)
{
    const atm_h5_variant *best = &all->variants[all->best], *given = &all->variants[0];
    atm_request request = job->request;
    char words[128];

    request.access = best->calls.write.access;
    typical_config(&request, &best->config, words, sizeof(words));
    if (all->best == 0)
        printf("\nbest: as given, with %s\n", words);
    else
        printf("\nbest: %s, with %s: %s instead of %s, %.3g times as fast\n", best->name, words,
               units_seconds(best->chosen.seconds).text, units_seconds(given->chosen.seconds).text,
               given->chosen.seconds / best->chosen.seconds);
    printf("give or take: %s of its time, %s of that as given\n",
           atm_range(1, best->chosen.uncertainty).text,
           atm_range(1, given->chosen.uncertainty).text);
    if (all->best > 0 && is_open(&question->asked))
        print_settings(&best->settings);
    else if (all->best > 0)
        printf("the program has to change: it sets chunks or alignment itself\n");
}

static void print_text(const job_choice *job, const hdf5_question *question,
                       const atm_h5_variants *all)
{
    print_question(job, question, all);
    printf("\n%-38s %5s %9s %8s %9s %11s %9s %9s %9s %9s\n", "layout", "calls", "pieces", "a rank",
           "a piece", "begins at", "padding", "default", "chosen", "filling");
    for (int i = 0; i < all->count; i++)
        print_variant(&all->variants[i], i == all->best);
    print_best(job, question, all);
}

/* --- for programs */

static void put_list(atm_value *object, const char *key, const uint64_t *list, int count)
{
    atm_value *array = atm_put_array(object, key);

    for (int i = 0; i < count; i++)
        atm_put_size(array, NULL, list[i]);
}

static void put_call(atm_value *object, const char *key, const atm_h5_call *call)
{
    atm_value *member;

    if (call->access.bytes == 0)
        return;
    member = atm_put_object(object, key);
    atm_put_size(member, "pieces", call->pieces);
    atm_put_size(member, "pieces_of_a_rank", call->pieces_max);
    atm_put_size(member, "smallest", call->smallest);
    atm_put_size(member, "largest", call->largest);
    atm_put_access(member, "access", &call->access);
}

static void put_time(atm_value *object, const char *key, const atm_h5_time *time)
{
    atm_value *member = atm_put_object(object, key);

    atm_put_number(member, "seconds", time->seconds);
    atm_put_number(member, "fill", time->fill);
    atm_put_number(member, "uncertainty", time->uncertainty);
}

static bool has_any(const atm_settings *settings)
{
    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        if (settings->has[i])
            return true;
    return false;
}

static void put_variant(atm_value *array, const atm_h5_variant *variant, bool open)
{
    atm_value *object = atm_put_object(array, NULL);

    atm_put_string(object, "name", variant->name);
    atm_put_size(object, "threshold", variant->file.threshold);
    atm_put_size(object, "alignment", variant->file.alignment);
    if (variant->set.chunked) {
        put_list(object, "chunk", variant->set.chunk, variant->set.dimensions);
        atm_put_size(object, "chunks", variant->calls.chunks);
        atm_put_truth(object, "filled", variant->set.fill);
    }
    atm_put_size(object, "first", variant->calls.first);
    atm_put_size(object, "padded", variant->calls.padded);
    put_call(object, "fill", &variant->calls.fill);
    put_call(object, "write", &variant->calls.write);
    put_time(object, "default", &variant->defaults);
    put_time(object, "chosen", &variant->chosen);
    atm_put_config(object, "config", &variant->config);
    if (open && has_any(&variant->settings))
        atm_settings_write(&variant->settings, atm_put_object(object, "set"));
}

static int print_json(const job_choice *job, const hdf5_question *question,
                      const atm_h5_variants *all)
{
    const atm_h5_set *set = &question->asked.set;
    atm_value *root = atm_value_object(), *array;

    atm_put_string(root, "format", HDF5_VARIANTS_FORMAT);
    atm_put_integer(root, "version", HDF5_VARIANTS_VERSION);
    atm_put_string(root, "driver", atm_driver_name(job->request.driver));
    atm_put_integer(root, "ranks", job->request.job.ranks);
    atm_put_integer(root, "nodes", job->request.job.nodes);
    atm_put_number(root, "sets", atm_life_calls(&job->request.life));
    atm_put_string(root, "profile", job->profile->source);
    atm_put_string(root, "fit", atm_fits_name(job->fit.fits));
    atm_put_string(root, "fit_note", job->fit.why.text);
    put_list(root, "dims", set->sizes, set->dimensions);
    atm_put_size(root, "element", set->element);
    put_list(root, "processes", question->processes, set->dimensions);
    put_list(root, "runs", question->runs, set->dimensions);
    atm_put_size(root, "unit", all->unit);
    array = atm_put_array(root, "variants");
    for (int i = 0; i < all->count; i++)
        put_variant(array, &all->variants[i], is_open(&question->asked));
    atm_put_integer(root, "best", all->best);
    return autotune_print(root);
}

/* --- as advice */

/* Why there is no rule; NULL: there is. */
static const char *no_rule(const hdf5_question *question, const atm_h5_variants *all)
{
    const atm_h5_variant *best = &all->variants[all->best], *given = &all->variants[0];

    if (all->best == 0)
        return "the layout as given is the best";
    if (!is_open(&question->asked))
        return "the program sets chunks or alignment itself";
    if (given->chosen.seconds < (1 + ATM_HARM) * best->chosen.seconds)
        return "the best layout is faster by less than 5 %";
    return NULL;
}

static int put_rule(const job_options *options, const char *path, const job_choice *job,
                    const hdf5_question *question, const atm_h5_variants *all, bool json)
{
    const hdf5_rule rule = {path, options->program, options->file, job->request.job.ranks,
                            &all->variants[all->best].settings};
    const char *why = no_rule(question, all);
    FILE *out = json ? stderr : stdout;
    atm_message message = {""};
    atm_status status;
    int count;

    if (why != NULL) {
        fprintf(out, "no rule is written: %s\n", why);
        return 0;
    }
    status = hdf5_rule_write(&rule, &message, &count);
    if (status != ATM_OK) {
        fprintf(stderr, "autotune explain: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
        return status == ATM_BAD_FILE ? 2 : 1;
    }
    fprintf(out, "advice: %s (%d rule%s)\n", path, count, atm_plural((uint64_t) count));
    return 0;
}

/* --- all */

int explain_hdf5(const option_table *table, const job_options *options, const char *text,
                 const char *rule, bool json)
{
    hdf5_question question;
    atm_h5_variants *all = NULL;
    job_choice job;
    int code = job_ask(table, options, &job);
    atm_status status;

    if (code != 0)
        return code;
    code = hdf5_question_parse(table, text, job.request.job.ranks, &question);
    if (code != 0) {
        job_release(&job);
        return code;
    }
    status = atm_h5_compare(&job.request, job.profile, &question.asked, &all);
    if (status != ATM_OK) {
        options_complain(table, "--hdf5: %s",
                         status == ATM_BAD_ARGUMENT
                             ? "not covered: too many pieces, or hints that are impossible"
                             : atm_status_text(status));
        code = 1;
    } else if (json) {
        code = print_json(&job, &question, all);
    } else {
        print_text(&job, &question, all);
    }
    if (code == 0 && rule != NULL)
        code = put_rule(options, rule, &job, &question, all, json);
    atm_h5_variants_destroy(all);
    hdf5_question_release(&question);
    job_release(&job);
    return code;
}
