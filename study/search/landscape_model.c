/*
 * predict LANDSCAPE PROFILE: what the performance model predicts for the points of a landscape,
 * from the default's accesses, as "autotune search" does.  Replaces what the file has.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/options.h"
#include "common/profile_find.h"
#include "landscape.h"
#include "search/prior.h"

static const option_entry entries[] = {{.name = NULL}};

static const option_table table = {
    "predict LANDSCAPE PROFILE",
    "Replaces the predictions of a landscape.  PROFILE: a file, or built-in.\n", entries, NULL};

static void put_places(const atm_value *root, const landscape *land, ats_prior *prior,
                       atm_value *array)
{
    const atm_value *before = atm_value_find(root, "points");

    for (int i = 0; i < land->count; i++) {
        const atm_value *item = atm_value_item(before, (size_t) i);
        atm_value *place = atm_put_object(array, NULL);
        double seconds = ats_prior_seconds(prior, &land->places[i].point);

        for (size_t k = 0; k < atm_value_length(item); k++) {
            const char *key = atm_value_key(atm_value_item(item, k));

            if (strcmp(key, "predicted") != 0)
                atm_put_copy(place, key, atm_value_item(item, k));
        }
        if (isfinite(seconds))
            atm_put_number(place, "predicted", seconds);
    }
}

static atm_value *with_predictions(const atm_value *root, const landscape *land, ats_prior *prior)
{
    atm_value *document = atm_value_object();

    for (size_t i = 0; i < atm_value_length(root); i++) {
        const atm_value *item = atm_value_item(root, i);

        if (strcmp(atm_value_key(item), "points") != 0)
            atm_put_copy(document, atm_value_key(item), item);
    }
    put_places(root, land, prior, atm_put_array(document, "points"));
    return document;
}

static atm_status predict(const char *path, const atm_value *root, const atm_profile *profile,
                          atm_message *message)
{
    landscape *land;
    ats_prior *prior;
    atm_value *document;
    atm_status status = landscape_from(root, message, &land);

    if (status != ATM_OK)
        return status;
    prior = ats_prior_create(land->space, profile, atm_value_find(root, "facts"), message);
    if (prior == NULL) {
        landscape_destroy(land);
        return ATM_BAD_FILE;
    }
    document = with_predictions(root, land, prior);
    status = atm_value_write(document, path, message);
    atm_value_destroy(document);
    ats_prior_destroy(prior);
    landscape_destroy(land);
    return status;
}

int main(int argc, char **argv)
{
    atm_message message = {""};
    const atm_use use = {.nodes = 0};
    profile_found found = {.profile = NULL};
    atm_value *root = NULL;
    atm_status status;
    int rest;
    option_result result = options_parse_until(&table, argc, argv, NULL, &rest);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (argc - rest != 2)
        return options_complain(&table, "a landscape and a profile are needed (try --help)");
    status = profile_find(argv[rest + 1], &use, &message, &found);
    if (status == ATM_OK)
        status = atm_value_read(argv[rest], &message, &root);
    if (status == ATM_OK)
        status = predict(argv[rest], root, found.profile, &message);
    if (status != ATM_OK)
        fprintf(stderr, "predict: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    atm_value_destroy(root);
    atm_profile_destroy(found.profile);
    return status != ATM_OK;
}
