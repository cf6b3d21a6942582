/* Landscapes: read and checked. */

#include "landscape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"
#include "formats/formats.h"

static const char *const keys[] = {"format", "version", "name",   "about",
                                   "space",  "facts",   "points", NULL};
static const char *const place_keys[] = {"point", "seconds", "failed", "predicted", NULL};

const landscape_place *landscape_find(const landscape *landscape, const ats_point *point)
{
    for (int i = 0; i < landscape->count; i++)
        if (ats_point_equal(&landscape->places[i].point, point))
            return &landscape->places[i];
    return NULL;
}

/* --- one place */

static atm_status read_point(const atm_value *object, const ats_space *space, atm_message *message,
                             ats_point *point_p)
{
    size_t count = (size_t) space->count;
    const atm_value *array;
    ats_point point = {{0}};
    atm_status status = atm_get_array(object, "point", count, count, message, &array);

    for (int i = 0; i < space->count && status == ATM_OK; i++) {
        int64_t choice;

        status = atm_get_integer(atm_value_item(array, (size_t) i), NULL, 0,
                                 space->parameters[i].count, message, &choice);
        if (status == ATM_OK)
            point.choice[i] = (int) choice;
    }
    if (status == ATM_OK)
        *point_p = point;
    return status;
}

static atm_status read_place(const atm_value *object, const ats_space *space, atm_message *message,
                             landscape_place *place)
{
    double *seconds = NULL;
    size_t count = 0;
    int64_t failed = 0;
    atm_status status = atm_check_keys(object, place_keys, message);

    if (status == ATM_OK)
        status = read_point(object, space, message, &place->point);
    if (status == ATM_OK)
        status = atm_opt_integer(object, "failed", 0, LANDSCAPE_RUNS, message, &failed);
    place->predicted = NAN;
    if (status == ATM_OK)
        status = atm_opt_number(object, "predicted", ATM_ABOVE_ZERO, DBL_MAX, message,
                                &place->predicted);
    if (status == ATM_OK)
        status = atm_get_numbers(object, "seconds", failed > 0 ? 0 : 1, LANDSCAPE_RUNS,
                                 ATM_ABOVE_ZERO, DBL_MAX, message, &seconds, &count);
    if (status != ATM_OK)
        return status;
    memcpy(place->seconds, seconds, count * sizeof(*seconds));
    place->count = (int) count;
    place->failed = (int) failed;
    place->median = failed > 0 ? INFINITY : stats_median(seconds, (int) count);
    free(seconds);
    return ATM_OK;
}

/* --- all of them */

static atm_status read_places(const atm_value *root, atm_message *message, landscape *land)
{
    const atm_value *array;
    atm_status status = atm_get_array(root, "points", 1, LANDSCAPE_POINTS, message, &array);

    if (status != ATM_OK)
        return status;
    land->places = calloc(atm_value_length(array), sizeof(*land->places));
    if (land->places == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < atm_value_length(array); i++) {
        const atm_value *item = atm_value_item(array, i);
        landscape_place *place = &land->places[i];

        status = read_place(item, land->space, message, place);
        if (status != ATM_OK)
            return status;
        if (landscape_find(land, &place->point) != NULL)
            return atm_complain(item, "point", message, "is there twice");
        land->count++;
        land->optimum = fmin(land->optimum, place->median);
    }
    return ATM_OK;
}

static atm_status check_complete(const atm_value *root, const landscape *land, atm_message *message)
{
    static const ats_point none = {{0}};
    double size = ats_space_size(land->space);

    if (landscape_find(land, &none) == NULL)
        return atm_complain(root, "points", message, "the default is not there");
    if (size > LANDSCAPE_POINTS)
        return atm_complain(root, "space", message, "has too many points");
    for (uint64_t i = 0; i < (uint64_t) size; i++) {
        ats_point point = ats_space_at(land->space, i);
        char text[ATS_TEXT];

        if (landscape_find(land, &point) != NULL)
            continue;
        ats_point_text(land->space, &point, text);
        return atm_complain(root, "points", message, "%.100s is not there", text);
    }
    if (!isfinite(land->optimum))
        return atm_complain(root, "points", message, "runs failed at all of them");
    return ATM_OK;
}

/* A space is read from text. */
static atm_status read_space(const atm_value *root, const char *name, atm_message *message,
                             landscape *land)
{
    const atm_value *object;
    char *text = NULL;
    size_t length;
    atm_status status = atm_get_object(root, "space", message, &object);

    if (status == ATM_OK)
        status = atm_value_print(object, &text, &length);
    if (status == ATM_OK)
        status = ats_space_parse(text, length, name, message, &land->space);
    free(text);
    return status;
}

static atm_status read_root(const atm_value *root, atm_message *message, landscape *land)
{
    const char *name;
    int version;
    atm_status status =
        atm_check_format(root, LANDSCAPE_FORMAT, LANDSCAPE_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_check_keys(root, keys, message);
    if (status == ATM_OK)
        status = atm_get_string(root, "name", message, &name);
    if (status == ATM_OK && (land->name = strdup(name)) == NULL)
        status = ATM_NO_MEMORY;
    if (status == ATM_OK)
        status = read_space(root, name, message, land);
    if (status == ATM_OK)
        status = read_places(root, message, land);
    return status == ATM_OK ? check_complete(root, land, message) : status;
}

atm_status landscape_from(const atm_value *root, atm_message *message, landscape **landscape_p)
{
    landscape *land = calloc(1, sizeof(*land));
    atm_status status = ATM_NO_MEMORY;

    if (land != NULL) {
        land->optimum = INFINITY;
        status = read_root(root, message, land);
    }
    if (status == ATM_OK)
        *landscape_p = land;
    else
        landscape_destroy(land);
    return status;
}

atm_status landscape_load(const char *path, atm_message *message, landscape **landscape_p)
{
    atm_value *root;
    atm_status status = atm_value_read(path, message, &root);

    if (status != ATM_OK)
        return status;
    status = landscape_from(root, message, landscape_p);
    atm_value_destroy(root);
    return status;
}

void landscape_destroy(landscape *landscape)
{
    if (landscape == NULL)
        return;
    ats_space_destroy(landscape->space);
    free(landscape->places);
    free(landscape->name);
    free(landscape);
}
