/* Saying. */

#include "say.h"

#include <stdlib.h>
#include <string.h>

bool say_usable(const trace_target *target, double time)
{
    const trace_series *probes = &target->series[TRACE_PROBE];
    bool works_again =
        probes->count > 0 && probes->samples[probes->count - 1].time > target->failed;

    if (target->inactive || target->no_create || target->full > SAY_FULL)
        return false;
    return works_again || !(target->failed > time - SAY_FAILED);
}

static atm_pace pace_of(const mixture_state *state)
{
    return atm_pace_of(mixture_seconds(state), state->deviation);
}

static atm_target target_of(const state_model *model, const model_target *t, const trace *trace,
                            double time)
{
    const trace_target *seen = trace != NULL ? trace_find(trace, t->target) : NULL;
    bool two = t->mixture.states == 2;
    bool predicted = two && model_classifier(model, t) != NULL;
    const mixture_state *idle = predicted ? &t->mixture.idle : &t->mixture.one;
    const mixture_state *busy = predicted ? &t->mixture.busy : &t->mixture.one;

    return (atm_target){.index = t->target,
                        .usable = seen == NULL || say_usable(seen, time),
                        .idle = 1 - model_busy(model, t, trace, time),
                        .usual = two ? t->mixture.idle.weight : 1,
                        .paces = {pace_of(idle), pace_of(busy)}};
}

atm_status say_state(const state_model *model, const trace *trace, double time, double holds,
                     atm_state **state_p)
{
    atm_state *state = calloc(1, sizeof(*state)); /* atm_state_destroy */

    if (state != NULL) {
        state->path = strdup(model->path);
        state->source = strdup("");
        state->targets = calloc((size_t) model->count + 1, sizeof(*state->targets));
    }
    if (state == NULL || state->path == NULL || state->source == NULL || state->targets == NULL) {
        atm_state_destroy(state);
        return ATM_NO_MEMORY;
    }
    state->said = time;
    state->until = time + holds;
    state->count = model->count;
    for (int i = 0; i < model->count; i++) {
        state->targets[i] = target_of(model, &model->targets[i], trace, time);
        state->targets[i].said = state->said;
        state->targets[i].until = state->until;
    }
    *state_p = state;
    return ATM_OK;
}
