/* autotune profile diff: two machines, or one at two dates. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verb_profile.h"
#include "common/grid.h"
#include "common/stats.h"
#include "common/typical.h"
#include "common/units.h"

typedef const atm_profile *pair[2];

/* --- facts */

static bool diff_text(const char *name, const char *one, const char *other)
{
    if (strcmp(one, other) == 0)
        return false;
    printf("  %-18s %s  ->  %s\n", name, one[0] != '\0' ? one : "not known",
           other[0] != '\0' ? other : "not known");
    return true;
}

static bool diff_size(const char *name, uint64_t one, uint64_t other)
{
    char texts[2][24] = {"", ""};

    if (one > 0)
        snprintf(texts[0], sizeof(texts[0]), "%llu", (unsigned long long) one);
    if (other > 0)
        snprintf(texts[1], sizeof(texts[1]), "%llu", (unsigned long long) other);
    return diff_text(name, texts[0], texts[1]);
}

static void diff_facts(const pair profiles)
{
    const atm_machine *one = &profiles[0]->machine, *other = &profiles[1]->machine;
    bool differ = false;

    printf("facts\n");
    for (const atm_fact *fact = atm_facts; fact < atm_facts + ATM_FACT_COUNT; fact++) {
        if (fact->kind == ATM_FACT_TEXT)
            differ |= diff_text(fact->name, atm_fact_text(one, fact), atm_fact_text(other, fact));
        else
            differ |=
                diff_size(fact->name, atm_fact_number(one, fact), atm_fact_number(other, fact));
    }
    differ |= diff_size("access_size", profiles[0]->defaults.access_size,
                        profiles[1]->defaults.access_size);
    differ |=
        diff_size("memory of buffers", profiles[0]->defaults.memory, profiles[1]->defaults.memory);
    if (!differ)
        printf("  the same\n");
}

/* --- costs */

enum { RATIOS_MAX = 4096 }; /* 3 nodes x 3 ranks x 3 receivers x 3 stripes x 9 sizes, and room */

typedef struct ratios {
    const atm_surrogate *surrogates[2];
    double at[RATIOS_MAX];
    int count;
} ratios;

static void note_ratio(void *context, const double features[ATM_FEATURE_COUNT], int step)
{
    ratios *ratios = context;
    atm_estimate estimates[2];

    (void) step;
    for (int i = 0; i < 2; i++)
        atm_surrogate_predict(ratios->surrogates[i], features, &estimates[i]);
    if (ratios->count < RATIOS_MAX)
        ratios->at[ratios->count++] = estimates[1].seconds / estimates[0].seconds;
}

static const char *origin(const pair profiles, int operation)
{
    bool one = atm_profile_learned(profiles[0], (atm_operation) operation);
    bool other = atm_profile_learned(profiles[1], (atm_operation) operation);

    return one && other ? "measured in both"
           : one        ? "measured only in the first"
           : other      ? "measured only in the second"
                        : "not measured in either";
}

static void diff_operation(const pair profiles, int operation, ratios *ratios)
{
    bool same;

    ratios->count = 0;
    for (int i = 0; i < 2; i++)
        ratios->surrogates[i] = profiles[i]->operations[operation];
    grid_walk((atm_operation) operation, ratios->surrogates, 2, note_ratio, ratios);
    if (ratios->count == 0) {
        printf("  %-18s %29s  no training range in common\n", atm_operation_name(operation), "");
        return;
    }
    stats_sort(ratios->at, ratios->count);
    same = ratios->at[0] == 1 && ratios->at[ratios->count - 1] == 1 &&
           atm_profile_learned(profiles[0], (atm_operation) operation) ==
               atm_profile_learned(profiles[1], (atm_operation) operation);
    printf("  %-18s %9.3g %9.3g %9.3g  %s\n", atm_operation_name(operation),
           ratios->at[ratios->count / 2], ratios->at[0], ratios->at[ratios->count - 1],
           same ? "the same" : origin(profiles, operation));
}

static void diff_costs(const pair profiles)
{
    ratios *ratios = malloc(sizeof(*ratios));

    if (ratios == NULL)
        return;
    printf("\ncost of the second, as a multiple of the first's\n");
    printf("  %-18s %9s %9s %9s\n", "", "median", "least", "most");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (atm_profile_uses(profiles[0], i) || atm_profile_uses(profiles[1], i))
            diff_operation(profiles, i, ratios);
    free(ratios);
}

/* --- choices */

/* What the profile chooses, "nothing" where it cannot. */
static double choose(const atm_profile *profile, const typical_case *asked, char *words,
                     size_t size)
{
    atm_choice *choice;
    double seconds;

    snprintf(words, size, "nothing that is allowed");
    if (atm_choose(&asked->request, profile, &choice) != ATM_OK)
        return NAN;
    typical_config(&asked->request, &choice->candidates[choice->chosen].config, words, size);
    seconds = choice->candidates[choice->chosen].prediction.seconds;
    atm_choice_destroy(choice);
    return seconds;
}

/* Jobs typical of the first profile: both get the same requests. */
static void diff_choices(const pair profiles)
{
    typical_case cases[TYPICAL_CASES];

    printf("\nchoices for typical jobs\n");
    typical_cases(profiles[0], cases);
    for (int i = 0; i < TYPICAL_CASES; i++) {
        char words[2][128];
        double seconds[2];
        bool same;

        for (int k = 0; k < 2; k++)
            seconds[k] = choose(profiles[k], &cases[i], words[k], sizeof(words[k]));
        same = strcmp(words[0], words[1]) == 0;
        printf("  %s: %s\n", cases[i].words, same ? "the same" : "another");
        for (int k = 0; k < (same ? 1 : 2); k++)
            printf("    %s (%s%s%s)\n", words[k], units_seconds(seconds[k]).text,
                   same ? " -> " : "", same ? units_seconds(seconds[1]).text : "");
    }
}

/* --- together */

/* Equal to the last bit, wherever they are stored. */
static bool equal(const pair profiles)
{
    char *texts[2] = {NULL, NULL};
    size_t lengths[2];
    bool same = false;

    if (atm_profile_print(profiles[0], &texts[0], &lengths[0]) == ATM_OK &&
        atm_profile_print(profiles[1], &texts[1], &lengths[1]) == ATM_OK)
        same = lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0;
    free(texts[0]);
    free(texts[1]);
    return same;
}

static int diff(const pair profiles)
{
    if (equal(profiles)) {
        printf("no difference\n");
        return 0;
    }
    diff_facts(profiles);
    diff_costs(profiles);
    diff_choices(profiles);
    return 1;
}

int profile_diff(char **files, int count)
{
    profile_file opened[2];
    int code = 2;

    (void) count;
    if (!profile_file_open(files[0], &opened[0]))
        return 2;
    if (profile_file_open(files[1], &opened[1])) {
        if (opened[0].points != NULL || opened[1].points != NULL)
            fprintf(stderr, "autotune profile diff: %s: is a points file; profiles are compared\n",
                    opened[opened[0].points != NULL ? 0 : 1].path);
        else
            code = diff((pair){opened[0].profile, opened[1].profile});
        profile_file_close(&opened[1]);
    }
    profile_file_close(&opened[0]);
    return code;
}
