/* Why a configuration was chosen, in a sentence. */

#include "reason.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "value/words.h"

#define SAID 0.1 /* change of storage that is worth a word */

double atm_request_risk(const atm_request *request)
{
    return request->risk > 0 ? request->risk : ATM_RISK;
}

/* The hints that leave no other choice, by name.  With idle ranks, no hint is
 * the reason why two-phase I/O is neither switched on nor off. */
static void say_fixed(const atm_request *request, char *reason, size_t size)
{
    const char *between = ": ";
    bool idle = request->access.active_ranks < request->job.ranks;
    unsigned fixed = request->fixed & ~(idle ? 1u << ATM_FIX_COLLECTIVE : 0);
    int length = snprintf(reason, size, "there is nothing to choose"), names = 0;

    if (idle && fixed == 0) {
        snprintf(reason + length, size - (size_t) length, ": some ranks access nothing");
        return;
    }
    for (int i = 0; i < ATM_FIX_COUNT && length >= 0 && (size_t) length < size; i++) {
        const char *ending = i != ATM_FIX_COLLECTIVE ? ""
                             : request->access.write ? "_write"
                                                     : "_read";

        if ((fixed >> i & 1) == 0)
            continue;
        length += snprintf(reason + length, size - (size_t) length, "%s%s%s", between,
                           atm_fix_name((atm_fix) i), ending);
        between = ", ";
        names++;
    }
    if (names > 0 && length >= 0 && (size_t) length < size)
        snprintf(reason + length, size - (size_t) length, names == 1 ? " is set" : " are set");
}

/* The time of the best as a factor of the default's, as a range that follows from
 * the uncertainty of this factor: where it exceeds 1, no saving is shown. */
static atm_range_words range_of(const atm_choice *choice, double whole)
{
    return atm_range((whole - choice->saved) / whole, expm1(choice->deviation));
}

static void add(atm_choice *choice, const char *format, const char *text)
{
    size_t used = strlen(choice->reason.text);

    if (text[0] != '\0')
        snprintf(choice->reason.text + used, sizeof(choice->reason.text) - used, format, text);
}

/* Which targets the chosen one avoids. */
static void say_avoided(const atm_request *request, atm_choice *choice)
{
    const atm_config *config = &choice->candidates[choice->chosen].config;
    char slow[64], unusable[64];

    if (!config->steered)
        return;
    atm_steering_say_slow(request->steering, slow, sizeof(slow));
    atm_steering_say_unusable(request->steering, unusable, sizeof(unusable));
    add(choice,
        config->servers > 0 ? ", with fewer stripes on OSTs that are busy (%s)"
        : atm_steering_only_fast(request->steering, config->stripe_count)
            ? ", on OSTs that are not busy (busy: %s)"
            : ", mostly on OSTs that are not busy (busy: %s)",
        slow);
    add(choice, ", without OSTs that are full or inactive (%s)", unusable);
}

/* How slow storage is that was there before, and which OSTs of the file are busy. */
static void say_slow(const atm_request *request, atm_choice *choice)
{
    const atm_config *config = &choice->candidates[choice->chosen].config;
    char times[16], slow[64];
    double slowness;

    if (request->steering == NULL || request->new_layout)
        return;
    slowness = atm_steering_slowness(request->steering, config->stripe_count, false);
    if (slowness > 1 / (1 + SAID) && slowness < 1 + SAID)
        return;
    snprintf(times, sizeof(times), "%.1f", slowness);
    add(choice, ", storage taking %s times as long as usual", times);
    atm_steering_say_slow(request->steering, slow, sizeof(slow));
    if (request->driver == ATM_LUSTRE)
        add(choice, " (busy OSTs of the file: %s)", slow);
}

static void say_why(const atm_request *request, atm_choice *choice)
{
    char *reason = choice->reason.text;
    size_t size = sizeof(choice->reason.text);
    double whole = choice->candidates[0].prediction.seconds;
    double saved = whole > 0 ? 100 * choice->saved / whole : 0;

    if (choice->candidates[0].verdict != ATM_ALLOWED)
        snprintf(reason, size, "the fastest within the memory cap, which the default exceeds");
    else if (choice->count == 1)
        say_fixed(request, reason, size);
    else if (choice->best == 0)
        snprintf(reason, size,
                 "the default is the fastest allowed configuration, "
                 "or ties with it and is smaller");
    else if (choice->chosen > 0 && choice->saved <= 0)
        snprintf(reason, size, "as fast as the default and smaller");
    else if (choice->chosen > 0)
        snprintf(reason, size, "predicted to save %.0f %% of the default's time (%s of it)", saved,
                 range_of(choice, whole).text);
    else if (choice->saved <= 0)
        snprintf(reason, size, "no other configuration is predicted to save time");
    else
        snprintf(
            reason, size,
            "a saving of %.0f %% is predicted, but the probability of taking more than %.0f %% "
            "longer is %.1f %% (allowed: %.1f %%)",
            saved, 100 * ATM_HARM, 100 * choice->harm, 100 * atm_request_risk(request));
}

void atm_reason_give(const atm_request *request, atm_choice *choice)
{
    say_why(request, choice);
    say_avoided(request, choice);
    say_slow(request, choice);
}
