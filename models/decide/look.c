/* Whether a call is to be decided for. */

#include "look.h"

#include <math.h>

#include "place/near.h"

const char *atm_look_name(atm_look look)
{
    static const char *const names[ATM_LOOK_COUNT] = {
        [ATM_SMALL] = "small", [ATM_STANDS] = "stands", [ATM_AGAIN] = "again", [ATM_DUE] = "due"};

    return (unsigned) look < ATM_LOOK_COUNT ? names[look] : "unknown";
}

bool atm_differs(double one, double other)
{
    return one > ATM_CHANGE * other || other > ATM_CHANGE * one;
}

static bool is_small(const atm_access *access, const atm_past *past)
{
    enum { LITTLE = 65536, SHARE = 8, IN_A_ROW = 16 };

    return past->small < IN_A_ROW && access->bytes < past->access.bytes / SHARE &&
           (past->called || past->expects || access->bytes < LITTLE);
}

static bool is_another(const atm_access *before, const atm_access *now)
{
    return before->write != now->write || before->strided != now->strided ||
           before->interleaved != now->interleaved || before->holes != now->holes ||
           atm_differs((double) before->bytes, (double) now->bytes) ||
           atm_differs((double) before->bytes_max, (double) now->bytes_max) ||
           atm_differs((double) before->block, (double) now->block) ||
           atm_differs((double) (before->bytes + before->dirty),
                       (double) (now->bytes + now->dirty)) ||
           atm_differs(before->active_ranks, now->active_ranks);
}

/* --- measured times against predicted ones: the model's factors for this file */

/* They are limited to this one and its inverse; those of costs that are only a shape, less so. */
#define MAX_SCALE 16.0
#define MAX_SHAPE_SCALE 1e5

/* Correct the factor of a kind by what was measured, if that is beyond the model's uncertainty, or
 * if it was not known at all; whether that is worth a new decision. */
static bool correct(double measured, double predicted, double uncertainty, atm_kind kind,
                    atm_scale *scale)
{
    double ratio = predicted > 0 ? measured / predicted : 1, *factor = &scale->factor[kind];
    double before = *factor;

    if (scale->doubt[kind] > 0 && measured > 0 && predicted > 0) {
        *factor = fmin(fmax(*factor * ratio, 1 / MAX_SHAPE_SCALE), MAX_SHAPE_SCALE);
        scale->doubt[kind] = 0;
        return true;
    }
    if (!(ratio > 1 + uncertainty || ratio < 1 / (1 + uncertainty)))
        return false;
    *factor = fmin(fmax(*factor * ratio, 1 / MAX_SCALE), MAX_SCALE);
    return atm_differs(*factor, before) || *factor / before > 1 + uncertainty ||
           before / *factor > 1 + uncertainty;
}

/* Seconds of storage that the calls since the decision were predicted to take, one after the other:
 * caches, if any are known, fill up over them. */
static double expected_storage(const atm_situation *situation, const atm_past *past,
                               const atm_scale *scale)
{
    enum { FOLLOWED = 32 };
    double seconds = 0, last = past->parts[ATM_STORAGE], calls = past->measured.calls;
    atm_access access = past->access;
    atm_profile profile;
    atm_job job;
    int followed = 0;

    if (past->drain <= 0)
        return calls * last;
    profile = *situation->profile;
    profile.scale[ATM_STORAGE_KIND] = scale->factor[ATM_STORAGE_KIND];
    job = atm_job_of(situation->topology);
    job.mpich = situation->request.job.mpich;
    for (; followed < FOLLOWED && followed < calls; followed++) {
        atm_prediction prediction;
        atm_counts counts;

        if (atm_predict(&profile, situation->request.driver, &job, &access, &past->config, NULL,
                        &counts, &prediction) != ATM_OK)
            break;
        last = prediction.parts[ATM_STORAGE];
        seconds += last;
        access.dirty = (uint64_t) prediction.dirty;
        access.new_file = false;
    }
    return seconds + (calls - followed) * last;
}

static bool correct_all(const atm_situation *situation, const atm_past *past, atm_scale *scale)
{
    double communication = past->parts[ATM_PARTITIONING] + past->parts[ATM_SHUFFLE];
    double calls = past->measured.calls, storage = past->measured.storage_seconds;
    bool changes;

    if (calls <= 0)
        return false;
    changes = correct(storage, expected_storage(situation, past, scale), past->uncertainty,
                      ATM_STORAGE_KIND, scale);
    changes |= correct(fmax(past->measured.seconds - storage, 0), calls * communication,
                       past->uncertainty, ATM_COMMUNICATION_KIND, scale);
    return changes;
}

/* --- together */

static bool is_advised_otherwise(const atm_situation *situation, const atm_past *past)
{
    atm_occasion occasion = situation->occasion;

    if (situation->advice == NULL)
        return past->rule != 0;
    occasion.write = situation->request.access.write;
    occasion.ranks = situation->topology->ranks;
    occasion.bytes = situation->request.access.bytes;
    return atm_advice_match(situation->advice, &occasion) + 1 != past->rule;
}

atm_look atm_look_at(const atm_situation *situation, const atm_past *past, atm_scale *scale_p)
{
    const atm_request *request = &situation->request;

    if (is_small(&request->access, past))
        return ATM_SMALL;
    if (correct_all(situation, past, scale_p) || is_another(&past->access, &request->access) ||
        is_advised_otherwise(situation, past))
        return ATM_DUE;
    return past->calls > 0 && request->life.calls >= ATM_CHANGE * past->calls ? ATM_AGAIN
                                                                              : ATM_STANDS;
}
