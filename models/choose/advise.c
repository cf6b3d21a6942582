/* Advice in a request. */

#include "advise.h"

#include <stdio.h>

#include "value/locale.h"
#include "value/words.h"

/* Whether a setting means something to this request. */
static bool applies(atm_setting setting, const atm_request *request)
{
    bool write = request->access.write, lustre = request->driver == ATM_LUSTRE;

    switch (atm_setting_phase(setting)) {
        case ATM_EVERYWHERE:
            return true;
        case ATM_IN_WRITES:
            return write;
        case ATM_IN_READS:
            return !write;
        case ATM_ON_LUSTRE:
            return lustre;
        case ATM_AT_CREATION:
            return lustre && write && request->new_layout;
        case ATM_IN_HDF5:
            break;
    }
    return false;
}

/* Returns what it fixes. */
static unsigned follow(const atm_settings *set, atm_request *request)
{
    uint64_t ranks = (uint64_t) request->job.ranks;
    unsigned fixed = 0;

    for (int i = 0; i < ATM_SETTING_COUNT; i++) {
        atm_fix fix = atm_setting_fixes((atm_setting) i);
        uint64_t value = set->values[i];

        if (!set->has[i] || !applies((atm_setting) i, request) || (request->fixed >> fix & 1))
            continue;
        if (fix == ATM_FIX_AGGREGATORS && value > ranks)
            value = ranks;
        atm_fix_set(&request->defaults, fix, value);
        fixed |= 1u << fix;
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
