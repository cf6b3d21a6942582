/*
 * replay: searches on landscapes, where a run is one of the repetitions that were measured.
 * What a search finds is judged by the median of these, which it does not see.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/rng.h"
#include "landscape.h"
#include "search/conduct.h"

#define NEAR 1.05 /* of the optimum */

typedef struct settings {
    int seeds, runs;
    const char *strategy;
    bool best, trace;
} settings;

typedef struct variant {
    const char *name, *strategy;
    bool predicts;
} variant;

static const variant variants[] = {{"model", "model", true},
                                   {"model-blind", "model", false},
                                   {"genetic", "genetic", false},
                                   {"random", "random", false},
                                   {"exhaustive", "exhaustive", false}};

enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

/* --- one search */

typedef struct replay {
    const landscape *land;
    const variant *variant;
    uint64_t seed, state;
    bool until_near, trace;
    int runs, near; /* made; the first that was near the optimum, 0: none */
    atm_message *message;
} replay;

static ats_outcome draw(replay *r, const landscape_place *place)
{
    int drawn = rng_below(&r->state, place->count + place->failed);

    if (drawn >= place->count)
        return (ats_outcome){.end = ATS_FAILED, .why = "it failed when it was measured"};
    return (ats_outcome){
        .end = ATS_DONE, .value = place->seconds[drawn], .wall = place->seconds[drawn]};
}

static void tell(const replay *r, const ats_trial *trial, const ats_outcome *outcome)
{
    char text[ATS_TEXT];

    ats_point_text(r->land->space, &trial->point, text);
    printf("%s\t%s\t%d\t%s\t%d\t%s\t%g\n", r->land->name, r->variant->name, (int) r->seed,
           ats_kind_name(trial->kind), trial->number, text, outcome->value);
}

static atm_status measure_one(replay *r, const ats_trial *trial, ats_outcome *outcome_p)
{
    const landscape_place *place = landscape_find(r->land, &trial->point);

    if (place == NULL) {
        snprintf(r->message->text, sizeof(r->message->text),
                 "%.80s: %s asked for a point that is not in the space", r->land->name,
                 r->variant->name);
        return ATM_BAD_ARGUMENT;
    }
    *outcome_p = draw(r, place);
    r->runs++;
    if (r->trace)
        tell(r, trial, outcome_p);
    if (r->near == 0 && place->median <= NEAR * r->land->optimum)
        r->near = r->runs;
    return ATM_OK;
}

/* Ends the search, as a failure would, where no more of it is asked for. */
static atm_status measure(void *context, const ats_trial *trials, int count, const ats_limit *limit,
                          ats_outcome *outcomes_p)
{
    replay *r = context;
    atm_status status = ATM_OK;

    (void) limit;
    for (int i = 0; i < count && status == ATM_OK; i++) {
        if (r->until_near && r->near > 0)
            return ATM_NO_CHOICE;
        status = measure_one(r, &trials[i], &outcomes_p[i]);
    }
    return status;
}

static double predict(void *context, const ats_point *point)
{
    const landscape_place *place = landscape_find(context, point);

    return place != NULL ? place->predicted : NAN;
}

/* found_p: median of what the search says is best, over the optimum; INFINITY: of nothing. */
static atm_status search(replay *r, int runs, double *found_p)
{
    const variant *v = r->variant;
    ats_plan plan = {
        .out = {r->land->space, r->seed, 1, {v->predicts ? predict : NULL, (void *) r->land}},
        .strategy = ats_strategy_find(v->strategy),
        .runs = runs,
        .seconds = INFINITY,
        .in_seconds = true,
        .measure = measure,
        .context = r};
    ats_seen seen = {.at = NULL};
    ats_point leader;
    atm_status status = ats_search(&plan, &seen, r->message);

    if (status == ATM_NO_CHOICE) /* ended here, or all runs failed */
        status = ATM_OK;
    if (status == ATM_OK)
        *found_p = ats_leader(&seen, NULL, 0, &leader)
                       ? landscape_find(r->land, &leader)->median / r->land->optimum
                       : INFINITY;
    ats_seen_destroy(&seen);
    return status;
}

/* --- one row: a landscape, a strategy, a seed */

static replay begin(const landscape *land, const variant *v, int seed, atm_message *message)
{
    return (replay){.land = land,
                    .variant = v,
                    .seed = (uint64_t) seed,
                    .state = rng_split((uint64_t) seed, 99),
                    .message = message};
}

/* Enough runs to explore all points. */
static int runs_for_all(const landscape *land, const variant *v)
{
    int all = 2 * land->count + 16, usual = ats_strategy_find(v->strategy)->runs;

    return all > usual ? all : usual;
}

static atm_status row(const settings *settings, const landscape *land, const variant *v, int seed,
                      atm_message *message)
{
    replay near = begin(land, v, seed, message), few = near, usual = near;
    double ignored, found_few, found_usual;
    atm_status status;

    near.until_near = true;
    usual.trace = settings->trace;
    status = search(&near, runs_for_all(land, v), &ignored);
    if (status == ATM_OK)
        status = search(&few, settings->runs, &found_few);
    if (status == ATM_OK)
        status = search(&usual, 0, &found_usual);
    if (status != ATM_OK || settings->trace)
        return status;
    printf("%s\t%s\t%d\t", land->name, v->name, seed);
    if (near.near > 0)
        printf("%d", near.near);
    else
        printf("-");
    printf("\t%d\t%.4f\t%d\t%.4f\n", few.runs, found_few, usual.runs, found_usual);
    return ATM_OK;
}

/* --- one landscape */

static const landscape_place *fastest(const landscape *land, bool by_prediction)
{
    const landscape_place *best = NULL;
    double least = INFINITY;

    for (int i = 0; i < land->count; i++) {
        const landscape_place *place = &land->places[i];
        double value = by_prediction ? place->predicted : place->median;

        if (value < least) {
            least = value;
            best = place;
        }
    }
    return best;
}

/* What there is to find. */
static void describe(const landscape *land)
{
    static const ats_point none = {{0}};
    const landscape_place *best = fastest(land, false), *first = fastest(land, true);
    double usual = landscape_find(land, &none)->median;
    char text[ATS_TEXT];
    int near = 0;

    for (int i = 0; i < land->count; i++)
        near += land->places[i].median <= NEAR * land->optimum;
    ats_point_text(land->space, &best->point, text);
    printf("%s\t%d\t%d\t%.3f\t%.3f\t%.2f\t", land->name, land->count, near, usual, best->median,
           usual / best->median);
    if (first != NULL)
        printf("%.3f", first->median);
    else
        printf("-");
    printf("\t%s\n", text);
}

static atm_status replay_all(const settings *settings, const landscape *land, atm_message *message)
{
    atm_status status = ATM_OK;

    if (settings->best) {
        describe(land);
        return ATM_OK;
    }
    for (int i = 0; i < VARIANTS; i++)
        for (int seed = 1; seed <= settings->seeds && status == ATM_OK; seed++)
            if (settings->strategy == NULL || strcmp(settings->strategy, variants[i].name) == 0)
                status = row(settings, land, &variants[i], seed, message);
    return status;
}

/* --- the command line */

#define OFFSET(field) offsetof(settings, field)

static const char *set_strategy(const char *value, void *variables)
{
    for (int i = 0; i < VARIANTS; i++)
        if (strcmp(variants[i].name, value) == 0) {
            ((settings *) variables)->strategy = value;
            return NULL;
        }
    return "must be model, model-blind, genetic, random or exhaustive";
}

static const option_entry entries[] = {
    {"strategy", "NAME", "only this one", OPTION_SPECIAL, 0, set_strategy},
    {"seeds", "N", "from 1 on (default 10)", OPTION_COUNT, OFFSET(seeds), NULL},
    {"runs", "N", "of the search that has few (default 20)", OPTION_COUNT, OFFSET(runs), NULL},
    {"best", NULL, "instead: default, optimum and what is predicted to be best", OPTION_FLAG,
     OFFSET(best), NULL},
    {"trace", NULL, "instead: every run", OPTION_FLAG, OFFSET(trace), NULL},
    {.name = NULL}};

static const option_table table = {
    "replay [options] LANDSCAPE...",
    "Repeats searches on landscapes.  A row for each landscape, strategy and seed, with tabs:\n"
    "the first run within 5 % of the optimum, runs and best found over the optimum of a search\n"
    "with few runs, and the same of one with as many as it usually has.\n",
    entries, NULL};

static void print_head(const settings *settings)
{
    if (settings->best)
        puts("landscape\tpoints\tnear\tdefault\toptimum\tspeed-up\tpredicted best\tsettings");
    else if (settings->trace)
        puts("landscape\tstrategy\tseed\tkind\tnumber\tsettings\tseconds");
    else
        puts("landscape\tstrategy\tseed\tnear\truns\tfound\tusual runs\tusual found");
}

int main(int argc, char **argv)
{
    settings settings = {.seeds = 10, .runs = 20};
    atm_status status = ATM_OK;
    int rest;
    option_result result = options_parse_until(&table, argc, argv, &settings, &rest);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (rest == argc)
        return options_complain(&table, "a landscape is needed (try --help)");
    print_head(&settings);
    for (int i = rest; i < argc && status == ATM_OK; i++) {
        atm_message message = {""};
        landscape *land = NULL;

        status = landscape_load(argv[i], &message, &land);
        if (status == ATM_OK)
            status = replay_all(&settings, land, &message);
        if (status != ATM_OK)
            fprintf(stderr, "replay: %s\n",
                    message.text[0] != '\0' ? message.text : atm_status_text(status));
        landscape_destroy(land);
        fflush(stdout);
    }
    return status != ATM_OK;
}
