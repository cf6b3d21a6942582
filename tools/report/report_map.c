/* Decision maps: predicted seconds of all candidates of a choice. */

#include <math.h>
#include <stdlib.h>

#include "value/words.h"
#include "report.h"
#include "svg.h"
#include "common/typical.h"
#include "common/units.h"

enum { SIDE = 24 };

/* Values along one side of the map, in order. */
typedef struct side {
    uint64_t at[SIDE];
    int count;
    units_text names[SIDE + 1];
    const char *texts[SIDE + 1];
} side;

/* False when there is no room. */
static bool side_add(side *side, uint64_t value)
{
    int i = side->count;

    for (int k = 0; k < side->count; k++)
        if (side->at[k] == value)
            return true;
    if (side->count == SIDE)
        return false;
    for (; i > 0 && side->at[i - 1] > value; i--)
        side->at[i] = side->at[i - 1];
    side->at[i] = value;
    side->count++;
    return true;
}

static int side_find(const side *side, uint64_t value)
{
    for (int i = 0; i < side->count; i++)
        if (side->at[i] == value)
            return i;
    return -1;
}

typedef struct map {
    const atm_request *request;
    const atm_choice *choice;
    bool striped; /* columns are stripes, not buffers */
    side rows, columns;
    double values[(SIDE + 1) * SIDE];
    bool dim[(SIDE + 1) * SIDE];
    int candidates[(SIDE + 1) * SIDE]; /* of which the value is; -1: none */
    bool independent;                  /* there is a last row for it */
} map;

static uint64_t column_value(const map *map, const atm_config *config)
{
    return map->striped ? (uint64_t) config->stripe_count : config->buffer;
}

static void make_sides(map *map)
{
    for (int i = 0; i < map->choice->count; i++) {
        const atm_config *config = &map->choice->candidates[i].config;

        side_add(&map->columns, column_value(map, config));
        if (typical_collective(map->request, config))
            side_add(&map->rows, (uint64_t) config->aggregators);
        else
            map->independent = true;
    }
    for (int i = 0; i < map->rows.count; i++)
        map->rows.names[i] = units_number((double) map->rows.at[i]);
    for (int i = 0; i < map->columns.count; i++)
        map->columns.names[i] = map->striped ? units_number((double) map->columns.at[i])
                                             : units_bytes((double) map->columns.at[i]);
    for (int i = 0; i < SIDE; i++) {
        map->rows.texts[i] = map->rows.names[i].text;
        map->columns.texts[i] = map->columns.names[i].text;
    }
    map->rows.texts[map->rows.count] = "none";
}

/* Where several candidates share a cell (they differ in what has no side), the
 * fastest that is allowed shows. */
static void put(map *map, int row, int column, int index)
{
    const atm_candidate *candidate = &map->choice->candidates[index];
    int cell = row * map->columns.count + column;
    bool allowed = candidate->verdict == ATM_ALLOWED;

    if (row < 0 || column < 0 || candidate->verdict == ATM_UNCOUNTED || candidate->prediction.cut)
        return;
    if (map->candidates[cell] >= 0) {
        bool better = candidate->prediction.seconds < map->values[cell];

        if (allowed == map->dim[cell] ? !allowed : !better)
            return;
    }
    map->values[cell] = candidate->prediction.seconds;
    map->dim[cell] = !allowed;
    map->candidates[cell] = index;
}

static void fill(map *map)
{
    for (int i = 0; i < (SIDE + 1) * SIDE; i++) {
        map->values[i] = NAN;
        map->candidates[i] = -1;
    }
    for (int i = 0; i < map->choice->count; i++) {
        const atm_config *config = &map->choice->candidates[i].config;
        int column = side_find(&map->columns, column_value(map, config));

        if (typical_collective(map->request, config))
            put(map, side_find(&map->rows, (uint64_t) config->aggregators), column, i);
        else if (map->striped)
            put(map, map->rows.count, column, i);
        else /* the buffer plays no part */
            for (int k = 0; k < map->columns.count; k++)
                put(map, map->rows.count, k, i);
    }
}

/* The cell that a candidate is in, or would be. */
static svg_flag flag_of(const map *map, int index, const char *text, const char *name)
{
    const atm_config *config = &map->choice->candidates[index].config;

    return (svg_flag){.row = typical_collective(map->request, config)
                                 ? side_find(&map->rows, (uint64_t) config->aggregators)
                                 : map->rows.count,
                      .column = side_find(&map->columns, column_value(map, config)),
                      .text = text,
                      .name = name};
}

static void draw(FILE *out, const map *map, const char *words)
{
    svg_flag flags[] = {flag_of(map, 0, "D", "ROMIO's default"),
                        flag_of(map, map->choice->best, "F", "fastest"),
                        flag_of(map, map->choice->chosen, "C", "chosen")};
    svg_flag shown[3];
    int count = 0;
    svg_heat heat = {.title = words,
                     .description = "Predicted seconds of every candidate; light is fast. Faint "
                                    "cells are not allowed: over memory, or further from the "
                                    "training range than the default.",
                     .x_label = map->striped ? "stripes" : "collective buffer",
                     .y_label = "aggregators",
                     .unit = SVG_SECONDS,
                     .rows = map->rows.count + map->independent,
                     .columns = map->columns.count,
                     .row_names = map->rows.texts,
                     .column_names = map->columns.texts,
                     .values = map->values,
                     .dim = map->dim,
                     .flags = shown};

    for (int i = 0; i < 3; i++)
        if (flags[i].row >= 0 && flags[i].column >= 0)
            shown[count++] = flags[i];
    heat.flag_count = count;
    svg_heat_map(out, &heat);
}

static void put_words(FILE *out, const atm_request *request, const atm_choice *choice)
{
    const atm_candidate *standard = &choice->candidates[0];
    const atm_candidate *chosen = &choice->candidates[choice->chosen];
    char names[2][128];

    typical_config(request, &standard->config, names[0], sizeof(names[0]));
    typical_config(request, &chosen->config, names[1], sizeof(names[1]));
    if (choice->chosen == 0)
        page_text(out, "ROMIO's default (%s, %s) is kept: %s.", names[0],
                  units_seconds(standard->prediction.seconds).text, choice->reason.text);
    else
        page_text(out, "Instead of ROMIO's default (%s, %s): %s, %s (%s), %.1f times as fast: %s.",
                  names[0], units_seconds(standard->prediction.seconds).text, names[1],
                  units_seconds(chosen->prediction.seconds).text,
                  atm_range(1, chosen->prediction.uncertainty).text,
                  standard->prediction.seconds / chosen->prediction.seconds, choice->reason.text);
}

atm_status report_map(FILE *out, const char *words, const atm_request *request,
                      const atm_choice *choice)
{
    map *map = calloc(1, sizeof(*map));

    if (map == NULL)
        return ATM_NO_MEMORY;
    map->request = request;
    map->choice = choice;
    map->striped = request->driver == ATM_LUSTRE && request->access.write;
    make_sides(map);
    fill(map);
    page_heading(out, "A %s", words);
    put_words(out, request, choice);
    page_figure(out);
    draw(out, map, words);
    page_figure_end(
        out,
        map->striped
            ? "Predicted time of the best stripe size and co_ratio in each cell (the default's "
              "own time is above). Pale: over memory, or further from what was measured than the "
              "default is. Aggregators none: each rank accesses "
              "the file itself."
            : "Predicted time. Pale: over memory, or further from what was measured than the "
              "default "
              "is. Empty: the buffer would be larger than needed. Aggregators none: each rank "
              "accesses the file itself.");
    free(map);
    return ATM_OK;
}
