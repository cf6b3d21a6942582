/*
 * simulate: what shares by predicted states gain over equal ones, by accuracy of the prediction,
 * share of busy targets and weight of the tail.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/rng.h"
#include "figure.h"
#include "placements.h"

typedef struct settings {
    int targets, points, runs, seed;
    const char *page;
} settings;

/* What the throughput of all targets together may mean: bytes over the time ... */
enum reading { SLOWEST, NINETY_FIFTH, MEAN, READINGS };

static const char *const reading_names[READINGS] = {
    "of the slowest target", "of the 95th percentile", "of a target, on average"};

/* Over equal shares, average of the runs */
typedef struct gains {
    double of[READINGS][PLACEMENTS];       /* all bytes of a run over all its time */
    double of_steps[READINGS][PLACEMENTS]; /* average of the steps */
} gains;

/* --- one step */

static int by_size(const void *one, const void *other)
{
    double a = *(const double *) one, b = *(const double *) other;

    return (a > b) - (a < b);
}

static void read_times(const step *step, const double *shares, int targets, double *times,
                       double read_p[READINGS])
{
    double sum = 0;

    for (int i = 0; i < targets; i++) {
        times[i] = shares[i] * step->seconds[i];
        sum += times[i];
    }
    qsort(times, (size_t) targets, sizeof(*times), by_size);
    read_p[SLOWEST] = times[targets - 1];
    read_p[NINETY_FIFTH] = times[(int) (0.95 * (targets - 1))];
    read_p[MEAN] = sum / targets;
}

/* --- one world */

typedef struct room {
    step step;
    placing placing;
    double *shares, *times;
} room;

static bool room_create(const world *world, room *room_p)
{
    size_t n = (size_t) world->targets;

    memset(room_p, 0, sizeof(*room_p));
    room_p->shares = calloc(n, sizeof(*room_p->shares));
    room_p->times = calloc(n, sizeof(*room_p->times));
    return room_p->shares != NULL && room_p->times != NULL &&
           step_create(world->targets, &room_p->step) && placing_create(world, &room_p->placing);
}

static void room_destroy(room *room)
{
    step_destroy(&room->step);
    placing_destroy(&room->placing);
    free(room->shares);
    free(room->times);
}

static void run(const settings *settings, const world *world, uint64_t seed, room *room,
                gains *gains)
{
    double sums[READINGS][PLACEMENTS] = {{0}};
    uint64_t random = seed;

    for (int point = 0; point < settings->points; point++) {
        double of_equal[READINGS], found[READINGS];

        step_draw(world, &random, &room->step);
        for (int i = 0; i < PLACEMENTS; i++) {
            placements[i].place(&room->placing, &room->step, room->shares);
            read_times(&room->step, room->shares, world->targets, room->times, found);
            if (i == EQUAL)
                memcpy(of_equal, found, sizeof(found));
            for (int r = 0; r < READINGS; r++) {
                sums[r][i] += found[r];
                gains->of_steps[r][i] += of_equal[r] / found[r] / settings->points / settings->runs;
            }
        }
    }
    for (int r = 0; r < READINGS; r++)
        for (int i = 0; i < PLACEMENTS; i++)
            gains->of[r][i] += sums[r][EQUAL] / sums[r][i] / settings->runs;
}

static bool simulate(const settings *settings, const world *world, gains *gains_p)
{
    room room;
    bool good = room_create(world, &room);

    memset(gains_p, 0, sizeof(*gains_p));
    for (int k = 0; good && k < settings->runs; k++)
        run(settings, world, rng_split((uint64_t) settings->seed, (uint64_t) k), &room, gains_p);
    room_destroy(&room);
    return good;
}

/* --- the space of worlds */

static const double busy_shares[] = {0.05, 0.1, 0.25, 0.5};
static const double tails[] = {0.1, 0.3, 0.6};
enum { LEVELS = 7, BUSY_SHARES = 4, TAILS = 3, WORLDS = LEVELS * BUSY_SHARES * TAILS };

/* How labels come about, and how good they are */
typedef struct labels {
    const char *title, *level;
    bool persistence;
    double levels[LEVELS];
} labels;

static const labels kinds[] = {
    {"Labels of a classifier", "accuracy, %", false, {0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1}},
    {"Persistence: the state now is the state then",
     "correlation, %",
     true,
     {0.15, 0.43, 0.6, 0.75, 0.9, 0.95, 1}}};
enum { KINDS = 2 };

/* Modes at 1.85 and 2.7 s: the paper's figure 4a, Titan */
static world world_of(const settings *settings, const labels *labels, int index)
{
    double level = labels->levels[index % LEVELS];
    world world = {.targets = settings->targets,
                   .busy = busy_shares[index / LEVELS / TAILS],
                   .accuracy = level,
                   .persistence = labels->persistence,
                   .correlation = level,
                   .unequal = 0.1};

    world.paces[ATM_IDLE] = (atm_pace){log(1.85), 0.08};
    world.paces[ATM_BUSY] = (atm_pace){log(2.7), tails[index / LEVELS % TAILS]};
    return world;
}

static void print_row(const world *world, const double gains[PLACEMENTS])
{
    printf("| %.2f | %.2f | %.1f |", world->busy, world->paces[ATM_BUSY].deviation,
           world->accuracy * 100);
    for (int i = EQUATION_3; i < PLACEMENTS; i++)
        printf(" %.3f |", gains[i]);
    printf("\n");
}

static void print_head(const labels *labels, enum reading reading)
{
    printf("\n## Throughput by the time %s\n\n| busy | tail | %s |", reading_names[reading],
           labels->level);
    for (int i = EQUATION_3; i < PLACEMENTS; i++)
        printf(" %s |", placements[i].name);
    printf("\n|---|---|---|");
    for (int i = EQUATION_3; i < PLACEMENTS; i++)
        printf("---|");
    printf("\n");
}

/* Least gain of the best shares, over equal ones and over equation 3's; and where the paper's
 * 9 % are */
typedef struct summary {
    double least, least_over_3, least_of_steps, least_of_steps_over_3;
    int cells, nine; /* of equation 3, 7 to 11 % */
} summary;

static void lower(double *least, double value)
{
    *least = fmin(*least, value);
}

static void add(summary *summary, const gains *gains, enum reading reading)
{
    const double *of = gains->of[reading], *of_steps = gains->of_steps[reading];

    lower(&summary->least, of[BEST]);
    lower(&summary->least_over_3, of[BEST] / of[EQUATION_3]);
    lower(&summary->least_of_steps, of_steps[BEST]);
    lower(&summary->least_of_steps_over_3, of_steps[BEST] / of_steps[EQUATION_3]);
    summary->cells++;
    summary->nine += of[EQUATION_3] >= 1.07 && of[EQUATION_3] <= 1.11;
}

static void print(const settings *settings, const labels *labels, const gains all[WORLDS])
{
    printf("\n# %s\n", labels->title);
    for (int r = 0; r < READINGS; r++) {
        summary found = {INFINITY, INFINITY, INFINITY, INFINITY, 0, 0};

        print_head(labels, r);
        for (int i = 0; i < WORLDS; i++) {
            world world = world_of(settings, labels, i);
            print_row(&world, all[i].of[r]);
            add(&found, &all[i], r);
        }
        printf(
            "\nbest shares: at least %.3f of equal ones, %.3f of equation 3's (average of steps: "
            "%.3f, %.3f); equation 3 gains 7 to 11 %% in %d of %d\n",
            found.least, found.least_over_3, found.least_of_steps, found.least_of_steps_over_3,
            found.nine, found.cells);
    }
}

/* --- figure 12 */

/* One run of the paper's accuracy on Titan; a quarter is busy */
static bool draw(const settings *settings)
{
    enum { ACCURACY_75 = 2, QUARTER = 2, MIDDLE = 1 };
    enum { SHOWN = 3 };
    static const int shown[SHOWN] = {EQUAL, EQUATION_3, BEST};
    world world = world_of(settings, &kinds[0], (QUARTER * TAILS + MIDDLE) * LEVELS + ACCURACY_75);
    uint64_t random = rng_split((uint64_t) settings->seed, 0);
    figure figure = {.path = settings->page, .points = settings->points, .series = SHOWN};
    double found[READINGS];
    room room;
    bool good = room_create(&world, &room) && figure_create(&figure);

    for (int point = 0; good && point < settings->points; point++) {
        step_draw(&world, &random, &room.step);
        for (int i = 0; i < SHOWN; i++) {
            placements[shown[i]].place(&room.placing, &room.step, room.shares);
            read_times(&room.step, room.shares, world.targets, room.times, found);
            figure.values[i][point] = 1 / found[SLOWEST];
        }
    }
    for (int i = 0; i < SHOWN; i++)
        figure.names[i] = placements[shown[i]].name;
    good = good && figure_write(&figure);
    figure_destroy(&figure);
    room_destroy(&room);
    return good;
}

/* --- together */

static const option_entry entries[] = {
    {"targets", "N", "storage targets (288)", OPTION_COUNT, offsetof(settings, targets), NULL},
    {"points", "N", "steps of a run (100)", OPTION_COUNT, offsetof(settings, points), NULL},
    {"runs", "N", "runs (100)", OPTION_COUNT, offsetof(settings, runs), NULL},
    {"seed", "N", "of what is drawn (1)", OPTION_COUNT, offsetof(settings, seed), NULL},
    {"figure", "FILE", "a page with the paper's figure 12, of one run", OPTION_TEXT,
     offsetof(settings, page), NULL},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const option_table table = {
    "simulate [options]",
    "Simulate an application that writes one GiB for each storage target in every step, of\n"
    "targets that may be busy: by equal shares, by shares that follow predicted states, and by\n"
    "those with the least expected time.  Prints tables of gains over equal shares.\n",
    entries, NULL};

static bool simulate_all(const settings *settings, gains all[KINDS][WORLDS])
{
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < WORLDS; i++) {
            world world = world_of(settings, &kinds[k], i);

            if (!simulate(settings, &world, &all[k][i]))
                return false;
            fprintf(stderr, "\rsimulate: %d of %d", k * WORLDS + i + 1, KINDS * WORLDS);
        }
    fprintf(stderr, "\n");
    return true;
}

int main(int argc, char **argv)
{
    settings settings = {288, 100, 100, 1, NULL};
    option_result result = options_parse(&table, argc, argv, &settings);
    gains(*all)[WORLDS];
    bool good;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (settings.page != NULL && !draw(&settings))
        return 1;
    all = calloc(KINDS, sizeof(*all));
    good = all != NULL && simulate_all(&settings, all);
    for (int k = 0; good && k < KINDS; k++)
        print(&settings, &kinds[k], all[k]);
    free(all);
    return good ? 0 : 1;
}
