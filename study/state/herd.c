/*
 * herd: many jobs that read the same state and create files at once.  Targets share their rate
 * among the stripes that are written to them; the state of the next round is what the last one has
 * made of the targets, as a prober would see it.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/rng.h"
#include "state/pick.h"

enum { ROUNDS = 20, WARM = 4, MOST = 4096 };

typedef struct settings {
    int targets, jobs, stripes, runs, seed;
} settings;

static const option_entry entries[] = {
    {"targets", "N", "of storage (64)", OPTION_COUNT, offsetof(settings, targets), NULL},
    {"jobs", "N", "at once (50)", OPTION_COUNT, offsetof(settings, jobs), NULL},
    {"stripes", "N", "of a file (4)", OPTION_COUNT, offsetof(settings, stripes), NULL},
    {"runs", "N", "of 20 rounds each (50)", OPTION_COUNT, offsetof(settings, runs), NULL},
    {"seed", "N", "of everything random (1)", OPTION_COUNT, offsetof(settings, seed), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "herd [options]",
    .about = "How long jobs take that choose targets by the same state, relative to jobs that\n"
             "choose them at random.\n",
    .entries = entries};

/* Where jobs put their files */
typedef enum policy { AT_RANDOM, ALL_ALIKE, SEEDED, POLICIES } policy;

static const char *const policy_names[POLICIES] = {"at random", "by state, all with the same seed",
                                                   "by state, each with its own"};

#define IDLE_SECONDS 1.85 /* of a GiB, as in the paper's figure 4a */
#define BUSY_SECONDS 5.55 /* at a third of the rate */
#define DEVIATION 0.1
#define ACCURACY 0.9

typedef struct world {
    const settings *s;
    uint64_t random;
    bool *others; /* [targets] busy with what is not of these jobs */
    int *stripes; /* [targets] of these jobs, in the last round */
    int *picks;   /* [jobs * stripes] */
    atm_state state;
} world;

static double draw(world *w)
{
    return rng_unit(&w->random);
}

/* Seconds of one stripe's part if n are written to a target. */
static double seconds_of(const world *w, int target, int n)
{
    return (w->others[target] ? BUSY_SECONDS : IDLE_SECONDS) * n;
}

/* A prober's write is one more; busy is who takes as long as a target that others keep busy. */
static void look(world *w, bool feedback)
{
    for (int i = 0; i < w->s->targets; i++) {
        double seconds = seconds_of(w, i, 1 + (feedback ? w->stripes[i] : 0));
        bool busy = seconds >= BUSY_SECONDS - 0.01, right = draw(w) < ACCURACY;

        w->state.targets[i].idle = busy == right ? 1 - ACCURACY : ACCURACY;
    }
}

static void pick_at_random(world *w, int *picks)
{
    for (int k = 0; k < w->s->stripes; k++) {
        bool again = true;

        while (again) {
            again = false;
            picks[k] = rng_below(&w->random, w->s->targets);
            for (int i = 0; i < k; i++)
                again = again || picks[i] == picks[k];
        }
    }
}

static void place(world *w, policy policy)
{
    memset(w->stripes, 0, (size_t) w->s->targets * sizeof(*w->stripes));
    for (int job = 0; job < w->s->jobs; job++) {
        int *picks = w->picks + job * w->s->stripes;
        uint64_t seed = policy == ALL_ALIKE ? 1 : rng_next(&w->random);

        if (policy == AT_RANDOM || atm_pick(&w->state, 0, w->s->stripes, seed, picks) != ATM_OK)
            pick_at_random(w, picks);
        for (int k = 0; k < w->s->stripes; k++)
            w->stripes[picks[k]]++;
    }
}

typedef struct outcome {
    double seconds; /* of a job, mean */
    double most;    /* stripes on one target */
} outcome;

static outcome judge(const world *w)
{
    outcome o = {0};

    for (int job = 0; job < w->s->jobs; job++) {
        double slowest = 0;

        for (int k = 0; k < w->s->stripes; k++) {
            int target = w->picks[job * w->s->stripes + k];

            slowest = fmax(slowest, seconds_of(w, target, w->stripes[target]));
        }
        o.seconds += slowest / w->s->jobs;
    }
    for (int i = 0; i < w->s->targets; i++)
        o.most = fmax(o.most, w->stripes[i]);
    return o;
}

static outcome run(world *w, policy policy, double busy, bool feedback)
{
    outcome sum = {0};

    for (int i = 0; i < w->s->targets; i++)
        w->others[i] = draw(w) < busy;
    memset(w->stripes, 0, (size_t) w->s->targets * sizeof(*w->stripes));
    for (int round = 0; round < ROUNDS; round++) {
        outcome o;

        look(w, feedback);
        place(w, policy);
        o = judge(w);
        if (round >= WARM) {
            sum.seconds += o.seconds / (ROUNDS - WARM);
            sum.most += o.most / (ROUNDS - WARM);
        }
    }
    return sum;
}

static void compare(world *w, double busy, bool feedback)
{
    outcome of[POLICIES] = {{0}};

    for (int i = 0; i < w->s->runs; i++)
        for (int p = 0; p < POLICIES; p++) {
            outcome o = run(w, (policy) p, busy, feedback);

            of[p].seconds += o.seconds / w->s->runs;
            of[p].most += o.most / w->s->runs;
        }
    for (int p = 0; p < POLICIES; p++)
        printf("| %.3f | %s | %s | %.2f | %.1f |\n", busy, feedback ? "yes" : "no", policy_names[p],
               of[AT_RANDOM].seconds / of[p].seconds, of[p].most);
}

static bool make_world(const settings *s, world *w)
{
    size_t n = (size_t) s->targets;

    *w = (world){.s = s, .random = (uint64_t) s->seed};
    w->others = calloc(n, sizeof(*w->others));
    w->stripes = calloc(n, sizeof(*w->stripes));
    w->picks = calloc((size_t) s->jobs * (size_t) s->stripes, sizeof(*w->picks));
    w->state = (atm_state){.until = 1, .count = s->targets};
    w->state.targets = calloc(n, sizeof(*w->state.targets));
    if (w->others == NULL || w->stripes == NULL || w->picks == NULL || w->state.targets == NULL)
        return false;
    for (int i = 0; i < s->targets; i++)
        w->state.targets[i] = (atm_target){
            .index = i,
            .usable = true,
            .until = 1,
            .usual = 0.75,
            .paces = {atm_pace_of(IDLE_SECONDS, DEVIATION), atm_pace_of(BUSY_SECONDS, DEVIATION)}};
    return true;
}

int main(int argc, char **argv)
{
    settings s = {.targets = 64, .jobs = 50, .stripes = 4, .runs = 50, .seed = 1};
    option_result result = options_parse(&table, argc, argv, &s);
    world w = {0};
    int code = 1;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (s.stripes > s.targets || s.targets > MOST || s.jobs > MOST)
        return options_complain(&table, "more stripes than targets, or more than 4096 of anything");
    if (make_world(&s, &w)) {
        printf(
            "%d jobs at once, %d stripes each, %d targets; busy ones have a third of the rate\n\n",
            s.jobs, s.stripes, s.targets);
        puts("| busy | next state shows the jobs | targets | speed-up over random | stripes on the "
             "fullest target |\n|---|---|---|---|---|");
        for (int i = 0; i < 6; i++)
            for (int feedback = 0; feedback < 2; feedback++)
                compare(&w, (double[]){0, 0.125, 0.25, 0.5, 0.75, 0.9}[i], feedback);
        code = 0;
    }
    free(w.others);
    free(w.stripes);
    free(w.picks);
    free(w.state.targets);
    return code;
}
