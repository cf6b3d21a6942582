/* A choice as a document. */

#include "explain.h"

#include "files/asked.h"
#include "formats/formats.h"

static void put_job(atm_value *root, const atm_request *request)
{
    atm_value *job = atm_put_object(root, "job");

    atm_put_integer(job, "ranks", request->job.ranks);
    atm_put_integer(job, "nodes", request->job.nodes);
    atm_put_integer(job, "psets", request->psets);
    atm_put_integer(job, "bridges", request->bridges);
    atm_put_integer(job, "nics", request->nics);
}

static void put_profile(atm_value *root, const atm_request *request, const atm_profile *profile)
{
    atm_value *object = atm_put_object(root, "profile");

    atm_put_string(object, "source", profile->source);
    atm_put_string(object, "machine", profile->machine.name);
    atm_put_string(object, "note", profile->note);
    if (request->fit == NULL)
        return;
    atm_put_string(object, "fit", atm_fits_name(request->fit->fits));
    atm_put_string(object, "fit_note", request->fit->why.text);
}

static void put_candidate(atm_value *array, const atm_candidate *candidate)
{
    const atm_prediction *prediction = &candidate->prediction;
    atm_value *object = atm_put_object(array, NULL), *parts, *outside;

    atm_put_config(object, "config", &candidate->config);
    atm_put_string(object, "order", atm_order_name(candidate->config.order));
    atm_put_string(object, "verdict", atm_verdict_name(candidate->verdict));
    if (candidate->verdict == ATM_UNCOUNTED || candidate->prediction.cut)
        return;
    atm_put_number(object, "seconds", prediction->seconds);
    parts = atm_put_object(object, "parts");
    for (int i = 0; i < ATM_PART_COUNT; i++)
        atm_put_number(parts, atm_part_name((atm_part) i), prediction->parts[i]);
    atm_put_number(object, "uncertainty", prediction->uncertainty);
    outside = atm_put_array(object, "outside");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (prediction->outside >> i & 1)
            atm_put_string(outside, NULL, atm_operation_name((atm_operation) i));
    atm_put_size(object, "rounds", candidate->rounds);
    atm_put_size(object, "memory_per_node", candidate->memory_per_node);
}

static void put_item(atm_value *array, const atm_profile *profile, const atm_cost_item *item)
{
    atm_value *object = atm_put_object(array, NULL), *features;
    atm_estimate estimate = atm_estimate_item(profile, item, NULL);
    double min, max;

    atm_put_string(object, "part", atm_part_name(item->part));
    atm_put_string(object, "operation", atm_operation_name(item->operation));
    atm_put_string(object, "model", atm_surrogate_model(profile->operations[item->operation]));
    atm_put_number(object, "count", item->count);
    atm_put_number(object, "seconds", estimate.seconds);
    atm_put_number(object, "uncertainty", estimate.uncertainty);
    features = atm_put_object(object, "features");
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        if (atm_surrogate_range(profile->operations[item->operation], (atm_feature) i, &min, &max))
            atm_put_number(features, atm_feature_name((atm_feature) i), item->features[i]);
}

static void put_counts(atm_value *counts, const char *key, const atm_request *request,
                       const atm_profile *profile, const atm_config *config)
{
    atm_value *array = atm_put_array(counts, key);
    atm_counts counted;

    if (atm_count_request(request, config, &counted) != ATM_OK)
        return;
    for (int i = 0; i < counted.item_count; i++)
        if (atm_profile_uses(profile, counted.items[i].operation))
            put_item(array, profile, &counted.items[i]);
}

static void put_choice(atm_value *root, const atm_request *request, const atm_profile *profile,
                       const atm_choice *choice)
{
    atm_value *candidates = atm_put_array(root, "candidates"), *counts;

    for (int i = 0; i < choice->count; i++)
        put_candidate(candidates, &choice->candidates[i]);
    atm_put_integer(root, "best", choice->best);
    atm_put_integer(root, "chosen", choice->chosen);
    atm_put_number(root, "saved", choice->saved);
    atm_put_number(root, "deviation", choice->deviation);
    atm_put_number(root, "confidence", choice->confidence);
    atm_put_number(root, "harm", choice->harm);
    atm_put_string(root, "reason", choice->reason.text);
    counts = atm_put_object(root, "counts");
    put_counts(counts, "default", request, profile, &choice->candidates[0].config);
    put_counts(counts, "chosen", request, profile, &choice->candidates[choice->chosen].config);
}

static void put_fixes(atm_value *object, const char *key, unsigned fixed)
{
    atm_value *array = atm_put_array(object, key);

    for (int i = 0; i < ATM_FIX_COUNT; i++)
        if (fixed >> i & 1)
            atm_put_string(array, NULL, atm_fix_name((atm_fix) i));
}

static void put_advice(atm_value *root, const atm_advised *advised)
{
    atm_value *object = atm_put_object(root, "advice");

    atm_put_string(object, "file", advised->advice->source);
    if (advised->rule < 0)
        return;
    atm_put_integer(object, "rule", advised->rule);
    atm_put_truth(object, "left_out", advised->left_out);
    put_fixes(object, "set", advised->fixed);
    atm_evidence_write(&advised->advice->rules[advised->rule].evidence,
                       atm_put_object(object, "evidence"));
}

atm_status atm_explain_value(const atm_request *request, const atm_profile *profile,
                             const atm_choice *choice, atm_value **document_p)
{
    atm_value *root = atm_value_object();
    unsigned advised = request->advised != NULL ? request->advised->fixed : 0;
    atm_status status;

    atm_put_string(root, "format", ATM_DECISION_FORMAT);
    atm_put_integer(root, "version", ATM_DECISION_VERSION);
    atm_put_string(root, "driver", atm_driver_name(request->driver));
    atm_put_string(root, "mode", atm_mode_name(request->mode));
    put_job(root, request);
    atm_put_access(root, "access", &request->access);
    atm_put_number(root, "calls", atm_life_calls(&request->life));
    put_profile(root, request, profile);
    put_fixes(root, "fixed", request->fixed & ~advised);
    if (request->advised != NULL)
        put_advice(root, request->advised);
    atm_put_size(root, "memory", choice->memory);
    put_choice(root, request, profile, choice);
    status = atm_value_built(root);
    if (status == ATM_OK)
        *document_p = root;
    else
        atm_value_destroy(root);
    return status;
}
