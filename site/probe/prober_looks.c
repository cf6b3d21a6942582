/* Jobs of the batch system, passive sources and our own job's time: what commands tell. */

#include "prober.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 30 }; /* seconds that a command may take */

/* --- jobs */

static void tell_jobs(prober *prober)
{
    jobs_features features;
    atm_message message;
    const jobs_system *system = prober->system;

    if (system->parse(prober->jobs.text, &prober->site, system->arguments[0], &message,
                      &features) == ATM_OK) {
        trace_put_jobs(prober->trace, clock_wall(), &features);
        prober->counts.jobs++;
        prober->jobs_error = false;
    } else if (!prober->jobs_error) {
        prober_say(prober, "%s", message.text);
        prober->jobs_error = true;
    }
}

static void take_jobs(prober *prober)
{
    char message[256] = "";
    command_state state = command_look(&prober->jobs, message, sizeof(message));

    if (state == COMMAND_RUNS)
        return;
    if (state == COMMAND_DONE) {
        tell_jobs(prober);
    } else if (!prober->jobs_error) {
        prober_say(prober, "jobs are not known: %s", message);
        trace_put_note(prober->trace, clock_wall(), "jobs are not known: %s", message);
        prober->jobs_error = true;
    }
    command_clear(&prober->jobs);
}

/* --- passive sources */

static void tell_service(prober *prober, prober_row *row, const passive_row *found, double now)
{
    double samples, mean;

    if (passive_between(&row->before, found, &samples, &mean) && !row->disturbed) {
        trace_put_service(prober->trace, clock_wall(), row->worker.index, samples, mean);
        prober->counts.services++;
        if (samples >= prober->options->samples)
            row->served_until = now + 1.5 * prober->table.plan.period * prober->table.stretch;
    }
}

/* What the client says where the state could not be asked for. */
static void tell_passive_state(prober *prober, prober_row *row, const passive_row *found)
{
    if (!found->known || row->asked_state || (row->told && target_same(&row->state, &found->state)))
        return;
    row->told = true;
    row->state = found->state;
    trace_put_target(prober->trace, clock_wall(), row->worker.index, &found->state);
}

static void tell_passive(prober *prober, const passive_row *found, double now)
{
    for (int i = 0; i < prober->count; i++) {
        prober_row *row = &prober->rows[i];

        if (prober->passive_known)
            tell_service(prober, row, &found[i], now);
        tell_passive_state(prober, row, &found[i]);
        row->before = found[i];
        row->disturbed = row->truth;
    }
    prober->passive_known = true;
}

static void parse_passive(prober *prober, double now)
{
    size_t count = (size_t) prober->count;
    int *indices = calloc(count, sizeof(*indices));
    passive_row *rows = calloc(count, sizeof(*rows));
    passive_look look = {prober->count, indices, rows};

    if (indices != NULL && rows != NULL) {
        for (size_t i = 0; i < count; i++) {
            indices[i] = prober->rows[i].worker.index;
            rows[i].state.full = -1;
        }
        passive_parse(prober->passive.text, prober->file_system, &look);
        tell_passive(prober, rows, now);
    }
    free(indices);
    free(rows);
}

/* lctl ends with an error where there is one parameter less: what it printed counts. */
static void take_passive(prober *prober, double now)
{
    char message[256];
    command_state state = command_look(&prober->passive, message, sizeof(message));

    if (state == COMMAND_RUNS)
        return;
    if (prober->passive.text != NULL)
        parse_passive(prober, now);
    command_clear(&prober->passive);
}

/* --- all */

void prober_take_looks(prober *prober, double now)
{
    char message[512];

    if (prober->jobs.name != NULL)
        take_jobs(prober);
    if (prober->passive.name != NULL)
        take_passive(prober, now);
    if (resubmit_go_on(&prober->resubmit, now, message, sizeof(message))) {
        prober_say(prober, "%s", message);
        trace_put_note(prober->trace, clock_wall(), "%s", message);
    }
}

void prober_start_looks(prober *prober, double now)
{
    const char *root = getenv("AUTOTUNE_PROBE_ROOT"); /* made-up trees of tests */

    if (prober->system != NULL && prober->jobs.name == NULL && now >= prober->jobs_at) {
        command_start(&prober->jobs, prober->system->arguments, PATIENCE);
        prober->jobs_at = prober->options->once ? INFINITY : now + prober->options->jobs_every;
    }
    if (prober->file_system[0] != '\0' && prober->passive.name == NULL &&
        now >= prober->passive_at) {
        command_start_call(&prober->passive, "lctl", passive_print, root != NULL ? root : "",
                           PATIENCE);
        prober->passive_at = now + prober->table.plan.period * prober->table.stretch;
    }
}

double prober_next_look(const prober *prober)
{
    double next = prober->system != NULL ? prober->jobs_at : INFINITY;

    if (prober->file_system[0] != '\0')
        next = fmin(next, prober->passive_at);
    return next;
}
