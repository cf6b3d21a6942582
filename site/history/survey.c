#include "survey.h"

#include <stdlib.h>
#include <string.h>

#include "common/shown.h"
#include "common/units.h"
#include "fnv.h"
#include "value/value.h"

/* As a process has them: reads, then the same of writes. */
enum {
    ACCESSES,
    BYTES,
    SECONDS,
    OPENS,
    OPENING,
    CLOSING,
    SYNCING,
    READS,
    WAY = 9 /* measures of reads */
};

#define WAY_MEASURES(one, all)                                                                     \
    {all, ATH_COUNT}, {one ", sequential", ATH_COUNT}, {one ", strided", ATH_COUNT},               \
        {one ", short seek", ATH_COUNT}, {one ", long seek", ATH_COUNT},                           \
        {one ", bytes", ATH_BYTES}, {one ", bytes per access", ATH_BYTES},                         \
        {one ", bytes per seek", ATH_BYTES},                                                       \
    {                                                                                              \
        one ", time", ATH_SECONDS                                                                  \
    }

const ath_measure ath_measures[ATH_MEASURES] = {{"accesses", ATH_COUNT},
                                                {"bytes", ATH_BYTES},
                                                {"time", ATH_SECONDS},
                                                {"opens", ATH_COUNT},
                                                {"opening", ATH_SECONDS},
                                                {"closing", ATH_SECONDS},
                                                {"syncing", ATH_SECONDS},
                                                WAY_MEASURES("reading", "reads"),
                                                WAY_MEASURES("writing", "writes")};

_Static_assert((int) READS + 2 * (int) WAY == (int) ATH_MEASURES, "one name for each");

/* --- of a process */

static double number(const atm_value *object, const char *key)
{
    double value = 0;

    atm_opt_number(object, key, 0, DBL_MAX, NULL, &value);
    return value;
}

/* [calls, nanoseconds] */
static void pair(const atm_value *file, const char *key, double *calls_p, double *seconds_p)
{
    double both[2] = {0, 0};

    if (atm_value_find(file, key) != NULL)
        atm_get_row(file, key, 2, 0, DBL_MAX, NULL, both);
    *calls_p = both[0];
    *seconds_p = both[1] / 1e9;
}

static double per(double sum, double count)
{
    return count > 0 ? sum / count : 0;
}

/* NULL: none. */
static void way(const atm_value *w, double *values)
{
    double seeks;

    memset(values, 0, WAY * sizeof(*values));
    if (w == NULL)
        return;
    seeks = number(w, "strided") + number(w, "short") + number(w, "long");
    values[0] = number(w, "calls");
    values[1] = number(w, "sequential");
    values[2] = number(w, "strided");
    values[3] = number(w, "short");
    values[4] = number(w, "long");
    values[5] = number(w, "bytes");
    values[6] = per(number(w, "bytes"), number(w, "calls"));
    values[7] = per(number(w, "seek_bytes"), seeks);
    values[8] = number(w, "ns") / 1e9;
}

static void measure(const atm_value *file, double values[ATH_MEASURES])
{
    double other, *reads = values + READS, *writes = values + READS + WAY;

    way(atm_value_find(file, "read"), reads);
    way(atm_value_find(file, "write"), writes);
    pair(file, "open", &values[OPENS], &values[OPENING]);
    pair(file, "close", &other, &values[CLOSING]);
    pair(file, "sync", &other, &values[SYNCING]);
    pair(file, "other", &other, &values[SECONDS]);
    values[ACCESSES] = reads[0] + writes[0];
    values[BYTES] = reads[5] + writes[5];
    values[SECONDS] += reads[8] + writes[8] + values[OPENING] + values[CLOSING] + values[SYNCING];
}

/* --- files by path and layer */

static size_t slot_of(const ath_survey *s, const char *path, const char *layer)
{
    uint64_t hash = atm_fnv_add(atm_fnv_text(ATM_FNV_BEGIN, path), (unsigned char) layer[0]);
    size_t at = (size_t) (hash >> 20) % s->slot_count;

    while (s->slots[at] != 0 && (strcmp(s->files[s->slots[at] - 1].path, path) != 0 ||
                                 strcmp(s->files[s->slots[at] - 1].layer, layer) != 0))
        at = (at + 1) % s->slot_count;
    return at;
}

static bool grow(ath_survey *s)
{
    size_t room = s->room > 0 ? 2 * s->room : 64;
    ath_survey_file *files = realloc(s->files, room * sizeof(*files));
    size_t *slots = calloc(2 * room, sizeof(*slots));

    if (files != NULL)
        s->files = files;
    if (files == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_count = 2 * room;
    s->room = room;
    for (size_t i = 0; i < s->count; i++)
        s->slots[slot_of(s, s->files[i].path, s->files[i].layer)] = i + 1;
    return true;
}

/* NULL: no memory. */
static ath_survey_file *file_of(ath_survey *s, const char *path, const char *layer)
{
    ath_survey_file *file;
    size_t slot;

    if (s->count == s->room && !grow(s))
        return NULL;
    slot = slot_of(s, path, layer);
    if (s->slots[slot] != 0)
        return &s->files[s->slots[slot] - 1];
    file = &s->files[s->count];
    *file = (ath_survey_file){.path = strdup(path)};
    if (file->path == NULL)
        return NULL;
    snprintf(file->layer, sizeof(file->layer), "%s", layer);
    s->slots[slot] = ++s->count;
    return file;
}

/* --- documents */

static void spread(ath_spread *s, double value, bool is_first)
{
    s->sum += value;
    if (is_first || value < s->least)
        s->least = value;
    if (is_first || value > s->most)
        s->most = value;
}

/* What is no survey is left out: spools are the users'. */
static ath_status take_file(ath_survey *s, const atm_value *value)
{
    static const char *const layers[] = {"posix", "stdio", "mpi", "hdf5", "netcdf", "pnetcdf"};
    const char *path = NULL;
    double values[ATH_MEASURES];
    ath_survey_file *file;
    size_t layer;

    if (atm_get_string(value, "path", NULL, &path) != ATM_OK ||
        atm_get_choice(value, "layer", layers, 6, NULL, &layer) != ATM_OK)
        return ATH_OK;
    file = file_of(s, path, layers[layer]);
    if (file == NULL)
        return ATH_NO_MEMORY;
    measure(value, values);
    for (int i = 0; i < ATH_MEASURES; i++)
        spread(&file->spreads[i], values[i], file->processes == 0);
    file->processes++;
    file->seconds += values[SECONDS];
    return ATH_OK;
}

static void take_overhead(ath_survey *s, const atm_value *overhead)
{
    if (overhead == NULL)
        return;
    spread(&s->own, number(overhead, "ns") / 1e9, s->told == 0);
    spread(&s->writing, number(overhead, "writing_ns") / 1e9, s->told == 0);
    s->told++;
}

static ath_status take_document(const ath_cell *cells, int count, void *context)
{
    ath_survey *s = context;
    const char *text = cells[0].type == ATH_TEXT ? cells[0].text : "", *module = "";
    const atm_value *files = NULL;
    atm_value *root = NULL;
    ath_status status = ATH_OK;

    (void) count;
    if (atm_value_parse(text, strlen(text), "survey", NULL, &root) == ATM_OK &&
        atm_get_string(root, "module", NULL, &module) == ATM_OK && strcmp(module, "survey") == 0 &&
        atm_get_array(root, "files", 0, SIZE_MAX, NULL, &files) == ATM_OK) {
        s->processes++;
        s->left_out += (int64_t) number(root, "left_out");
        take_overhead(s, atm_value_find(root, "overhead"));
        for (size_t i = 0; status == ATH_OK && i < atm_value_length(files); i++)
            status = take_file(s, atm_value_item(files, i));
    }
    atm_value_destroy(root);
    return status;
}

static int by_time(const void *a_, const void *b_)
{
    const ath_survey_file *a = a_, *b = b_;

    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return strcmp(a->path, b->path) != 0 ? strcmp(a->path, b->path) : strcmp(a->layer, b->layer);
}

ath_status ath_survey_read(ath_database *database, const char *job, atm_message *message,
                           ath_survey *survey_p)
{
    ath_cell cell = ath_text(job);
    ath_survey survey = {.files = NULL};
    ath_status status =
        ath_query(database,
                  "SELECT s.document FROM survey s JOIN process p ON p.id = s.process "
                  "WHERE " ATH_JOB " = $1 AND s.document LIKE '%\"survey\"%' ORDER BY p.id, s.id",
                  &cell, 1, take_document, &survey, message);

    if (status != ATH_OK) {
        ath_survey_clear(&survey);
        return status;
    }
    if (survey.count > 1)
        qsort(survey.files, survey.count, sizeof(survey.files[0]), by_time);
    free(survey.slots); /* other indices by now */
    survey.slots = NULL;
    *survey_p = survey;
    return ATH_OK;
}

void ath_survey_clear(ath_survey *survey)
{
    for (size_t i = 0; i < survey->count; i++)
        free(survey->files[i].path);
    free(survey->files);
    free(survey->slots);
    *survey = (ath_survey){.files = NULL};
}

/* --- printing */

static units_text text_of(ath_kind kind, double value)
{
    units_text text;

    if (kind == ATH_BYTES)
        return units_bytes(value);
    if (kind == ATH_SECONDS)
        return units_seconds(value);
    snprintf(text.text, sizeof(text.text), value == (double) (int64_t) value ? "%.0f" : "%.1f",
             value);
    return text;
}

static void print_spread(const char *name, ath_kind kind, const ath_spread *spread, size_t count,
                         FILE *out)
{
    fprintf(out, "  %-24s %12s %12s %12s\n", name, text_of(kind, spread->sum / (double) count).text,
            text_of(kind, spread->least).text, text_of(kind, spread->most).text);
}

static void print_file(const ath_survey *s, const ath_survey_file *file, FILE *out)
{
    char of[64];

    snprintf(of, sizeof(of), "%zu of %zu processes", file->processes, s->processes);
    fputs("\n", out);
    shown_put(file->path, out);
    fprintf(out, ", %s\n  %-24s %12s %12s %12s\n", file->layer, of, "average", "least", "most");
    for (int i = 0; i < ATH_MEASURES; i++)
        if (file->spreads[i].most > 0)
            print_spread(ath_measures[i].name, ath_measures[i].kind, &file->spreads[i],
                         file->processes, out);
}

static void put_spread(atm_value *object, const char *name, const ath_spread *spread, size_t count)
{
    const double three[] = {spread->sum / (double) count, spread->least, spread->most};

    atm_put_numbers(object, name, three, 3);
}

static void put_file(const ath_survey *s, const ath_survey_file *file, atm_value *object)
{
    atm_put_string(object, "file", file->path);
    atm_put_string(object, "layer", file->layer);
    atm_put_integer(object, "processes", (int64_t) file->processes);
    atm_put_integer(object, "surveyed", (int64_t) s->processes);
    for (int i = 0; i < ATH_MEASURES; i++)
        put_spread(object, ath_measures[i].name, &file->spreads[i], file->processes);
}

static void put_overhead(const ath_survey *s, atm_value *object)
{
    if (s->told == 0)
        return;
    atm_put_integer(object, "processes", (int64_t) s->told);
    put_spread(object, "in calls", &s->own, s->told);
    put_spread(object, "writing", &s->writing, s->told);
}

static ath_status print_json(const ath_survey *s, size_t count, FILE *out)
{
    atm_value *root = atm_value_object(), *files = atm_put_array(root, "survey");
    char *text = NULL;
    size_t length = 0;
    ath_status status;

    for (size_t i = 0; i < count; i++)
        put_file(s, &s->files[i], atm_put_object(files, NULL));
    atm_put_integer(root, "more", (int64_t) (s->count - count));
    put_overhead(s, atm_put_object(root, "overhead"));
    status = ath_status_of(atm_value_print_line(root, &text, &length));
    if (status == ATH_OK)
        fputs(text, out);
    free(text);
    atm_value_destroy(root);
    return status;
}

static void print_overhead(const ath_survey *s, FILE *out)
{
    if (s->told == 0)
        return;
    fprintf(out, "\n%-26s %12s %12s %12s\n", "taken by the watching", "average", "least", "most");
    print_spread("in calls", ATH_SECONDS, &s->own, s->told, out);
    print_spread("writing", ATH_SECONDS, &s->writing, s->told, out);
}

ath_status ath_survey_print(const ath_survey *s, size_t most, ath_form form, FILE *out)
{
    size_t count = s->count < most ? s->count : most;

    if (form == ATH_JSON)
        return print_json(s, count, out);
    for (size_t i = 0; i < count; i++)
        print_file(s, &s->files[i], out);
    if (s->count > count)
        fprintf(out, "\nand %zu more files\n", s->count - count);
    if (s->left_out > 0)
        fprintf(out, "\n%lld activities were of files that the survey had no room for\n",
                (long long) s->left_out);
    print_overhead(s, out);
    return ATH_OK;
}
