/* Advice in a request. */

#include "advise.h"

#include <stdio.h>

#include "value/locale.h"
#include "value/words.h"

static bool can_stripe(const atm_request *request)
{
    return request->driver == ATM_LUSTRE && request->new_layout && request->access.write;
}

static bool is_lustre(const atm_request *request)
{
    return request->driver == ATM_LUSTRE;
}

static bool is_write(const atm_request *request)
{
    return request->access.write;
}

static bool is_read(const atm_request *request)
{
    return !request->access.write;
}

/* Settings that a request has a field for; of hdf5_alignment only HDF5 knows. */
typedef struct entry {
    atm_setting setting;
    atm_fix fix;
    bool (*applies)(const atm_request *request); /* NULL: always */
} entry;

static const entry entries[] = {{ATM_SET_CB_NODES, ATM_FIX_AGGREGATORS, NULL},
                                {ATM_SET_CB_BUFFER_SIZE, ATM_FIX_BUFFER, NULL},
                                {ATM_SET_STRIPING_FACTOR, ATM_FIX_STRIPE_COUNT, can_stripe},
                                {ATM_SET_STRIPING_UNIT, ATM_FIX_STRIPE_SIZE, can_stripe},
                                {ATM_SET_CO_RATIO, ATM_FIX_CO_RATIO, is_lustre},
                                {ATM_SET_CB_WRITE, ATM_FIX_COLLECTIVE, is_write},
                                {ATM_SET_CB_READ, ATM_FIX_COLLECTIVE, is_read}};

static void put(uint64_t value, atm_fix fix, atm_request *request)
{
    atm_config *config = &request->defaults;
    uint64_t ranks = (uint64_t) request->job.ranks;

    switch (fix) {
        case ATM_FIX_COLLECTIVE:
            config->collective = value != ATM_SWITCH_DISABLE;
            config->automatic = value == ATM_SWITCH_AUTOMATIC;
            break;
        case ATM_FIX_AGGREGATORS:
            config->aggregators = (int) (value < ranks ? value : ranks);
            break;
        case ATM_FIX_BUFFER:
            config->buffer = value;
            break;
        case ATM_FIX_STRIPE_SIZE:
            config->stripe_size = value;
            break;
        case ATM_FIX_STRIPE_COUNT:
            config->stripe_count = (int) value;
            break;
        case ATM_FIX_CO_RATIO:
            config->co_ratio = (int) value;
            break;
        case ATM_FIX_COUNT:
            break;
    }
}

/* Returns what it fixes. */
static unsigned follow(const atm_settings *set, atm_request *request)
{
    unsigned fixed = 0;

    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        const entry *e = &entries[i];

        if (!set->has[e->setting] || (request->fixed >> e->fix & 1) ||
            (e->applies != NULL && !e->applies(request)))
            continue;
        put(set->values[e->setting], e->fix, request);
        fixed |= 1u << e->fix;
    }
    request->fixed |= fixed;
    return fixed;
}

atm_advised atm_advise(const atm_advice *advice, const atm_occasion *occasion, atm_request *request)
{
    atm_occasion whole = *occasion;
    atm_advised advised = {.advice = advice};

    whole.write = request->access.write;
    whole.ranks = request->job.ranks;
    whole.bytes = request->access.bytes;
    whole.draw = 1; /* never left out */
    advised.rule = atm_advice_match(advice, &whole);
    if (advised.rule < 0)
        return advised;
    advised.left_out = occasion->draw < advice->rules[advised.rule].control;
    if (!advised.left_out)
        advised.fixed = follow(&advice->rules[advised.rule].set, request);
    return advised;
}

/* ", 1.9 s instead of 4 s", as far as it is known. */
static void say_times(const atm_evidence *evidence, size_t size, char *text_p)
{
    text_p[0] = '\0';
    if (evidence->seconds > 0 && evidence->default_seconds > 0)
        snprintf(text_p, size, ", %.3g s instead of %.3g s", evidence->seconds,
                 evidence->default_seconds);
    else if (evidence->seconds > 0)
        snprintf(text_p, size, ", %.3g s", evidence->seconds);
}

void atm_advised_say(const atm_advised *advised, size_t size, char *text_p)
{
    static const char *const sources[] = {[ATM_BY_HISTORY] = "history",
                                          [ATM_BY_SEARCH] = "search",
                                          [ATM_BY_HAND] = "by hand",
                                          [ATM_BY_MODEL] = "by the model"};
    const atm_evidence *evidence = &advised->advice->rules[advised->rule].evidence;
    char times[64];
    atm_locale locale = atm_locale_enter();

    say_times(evidence, sizeof(times), times);
    if (evidence->runs > 0)
        snprintf(text_p, size, "rules[%d] (%s: %lld run%s%s)", advised->rule,
                 sources[evidence->source], (long long) evidence->runs,
                 atm_plural((uint64_t) evidence->runs), times);
    else
        snprintf(text_p, size, "rules[%d] (%s)", advised->rule, sources[evidence->source]);
    atm_locale_leave(locale);
}
