/* Probes and truth writes: asked of workers when they are due, put into the trace when
 * they are done. */

#include "prober.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

#include "error_names.h"

#define BUDGET_SHARE 0.001    /* of what it can */
#define NOMINAL_UNKNOWN 100e6 /* bytes/s, where no target could be measured */
#define TOO_FULL 0.95         /* for truth writes */
#define SLOWEST 4e6           /* bytes/s of a truth write that is not given up */

static double patience(const prober *prober, uint64_t bytes)
{
    return prober->options->deadline + (double) bytes / SLOWEST;
}

/* --- what came of it */

static void tell_error(prober *prober, int row, int error)
{
    prober_row *one = &prober->rows[row];
    trace_write write = {.time = one->asked, .target = one->worker.index, .bytes = one->bytes};

    prober->counts.errors++;
    trace_put_error(prober->trace, &write, error);
    if (error != one->error)
        prober_say(prober, "target %d: %s", one->worker.index, strerror(error));
    one->error = error;
}

static void tell_state(prober *prober, int row, double time, const target_state *state)
{
    prober_row *one = &prober->rows[row];

    if (one->told && target_same(&one->state, state))
        return;
    one->told = true;
    one->asked_state = true;
    one->state = *state;
    trace_put_target(prober->trace, time, one->worker.index, state);
}

void prober_say_budget(prober *prober)
{
    const timetable *table = &prober->table;
    const timetable_plan *plan = &table->plan;
    units_text budget = units_rate(plan->budget),
               every = units_seconds(plan->period * table->stretch),
               truth = units_seconds(plan->truth_every * table->stretch);

    trace_put_note(prober->trace, clock_wall(), "budget %s on each target, periods x %.3g",
                   budget.text, table->stretch);
    if (table->stretch > 1)
        prober_say(prober,
                   "for a budget of %s on each target there is a probe every %s%s%s, not every %s",
                   budget.text, every.text, plan->truth_count > 0 ? " and truth writes every " : "",
                   plan->truth_count > 0 ? truth.text : "", units_seconds(plan->period).text);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Half of the targets take more: what one that is busy now takes does not matter. */
static void end_measuring(prober *prober, double now)
{
    double rates[TARGETS_MOST], nominal = NOMINAL_UNKNOWN;
    int known = 0;

    for (int i = 0; i < prober->count; i++)
        if (prober->rows[i].rate > 0)
            rates[known++] = prober->rows[i].rate;
    if (known > 0) {
        qsort(rates, (size_t) known, sizeof(*rates), compare);
        nominal = rates[known / 2];
    }
    prober->measuring = false;
    timetable_set_budget(&prober->table, BUDGET_SHARE * nominal, now);
    prober_say_budget(prober);
}

static void note_rate(prober *prober, int row, double rate, double now)
{
    bool all = true;

    prober->rows[row].rate = rate;
    for (int i = 0; i < prober->count; i++)
        all = all && prober->rows[i].rate != 0;
    if (all)
        end_measuring(prober, now);
}

/* rate: negative if it failed */
static void end_task(prober *prober, int row, double rate, double now)
{
    prober_row *one = &prober->rows[row];

    if (!one->truth)
        return;
    one->truth = false;
    one->disturbed = true;
    prober->truths_running--;
    if (prober->measuring)
        note_rate(prober, row, rate, now);
    else
        timetable_told_truth(&prober->table, row, now);
}

static void tell_write(prober *prober, int row, const worker_reply *reply)
{
    prober_row *one = &prober->rows[row];
    trace_write write = {reply->at, one->worker.index, reply->request.bytes, reply->seconds};

    if (one->error != 0)
        prober_say(prober, "target %d answers again", one->worker.index);
    one->error = 0;
    if (one->truth) {
        prober->counts.truths++;
        trace_put_truth(prober->trace, &write);
    } else {
        prober->counts.probes++;
        trace_put_probe(prober->trace, &write);
    }
}

void prober_take_reply(prober *prober, int row, double now)
{
    prober_row *one = &prober->rows[row];
    worker_reply reply;
    bool wrote = false;

    if (worker_collect(&one->worker, NULL, &reply) != 0) {
        tell_error(prober, row, EPIPE); /* it was killed: what it measured is lost */
        end_task(prober, row, -1, now);
        return;
    }
    if (reply.looked)
        tell_state(prober, row, reply.at, &reply.found.state);
    if (reply.error != 0)
        tell_error(prober, row, reply.error);
    else if (reply.request.task == WORKER_WRITE && !reply.found.state.inactive)
        wrote = true;
    if (wrote)
        tell_write(prober, row, &reply);
    end_task(prober, row, wrote ? (double) reply.request.bytes / reply.seconds : -1, now);
}

void prober_give_up_late(prober *prober, double now)
{
    for (int i = 0; i < prober->count; i++) {
        worker *worker = &prober->rows[i].worker;

        if (!worker->busy || now < worker->deadline)
            continue;
        worker_give_up(worker);
        tell_error(prober, i, ETIMEDOUT);
        end_task(prober, i, -1, now);
    }
}

/* --- asking */

static void ask(prober *prober, int row, worker_task task, uint64_t bytes)
{
    prober_row *one = &prober->rows[row];
    worker_request request = {task, bytes};
    int error = worker_start(&one->worker, &prober->ground);

    one->asked = clock_wall();
    one->bytes = bytes;
    if (error == 0)
        error = worker_ask(&one->worker, &request, patience(prober, bytes));
    if (error != 0) {
        tell_error(prober, row, error == EBUSY ? ETIMEDOUT : error);
        end_task(prober, row, -1, clock_steady());
    }
}

/* One at a time: several would measure the link of this node. */
static bool truth_is_due(const prober *prober, int row, double now)
{
    const prober_row *one = &prober->rows[row];

    if (prober->truths_running > 0 || prober->options->once)
        return false;
    return prober->measuring ? one->rate == 0 : prober->table.rows[row].truth_at <= now;
}

static void ask_truth(prober *prober, int row, double now)
{
    prober_row *one = &prober->rows[row];
    const timetable *table = &prober->table;
    uint64_t bytes =
        prober->measuring ? PROBER_MEASURED : table->plan.truths[table->rows[row].truth];

    one->truth = true;
    prober->truths_running++;
    if (one->told && (one->state.full > TOO_FULL || one->state.inactive)) {
        prober->counts.skipped++;
        end_task(prober, row, -1, now);
    } else {
        ask(prober, row, WORKER_WRITE, bytes);
    }
}

static void ask_probe(prober *prober, int row, double now)
{
    prober_row *one = &prober->rows[row];
    bool served = !prober->options->always && now < one->served_until;

    timetable_probed(&prober->table, row, now);
    prober->counts.skipped += served;
    ask(prober, row, served ? WORKER_LOOK : WORKER_WRITE,
        served ? 0 : prober->table.plan.probe_bytes);
}

void prober_ask_due(prober *prober, double now)
{
    if (trace_file_count(prober->trace) != prober->told_files) {
        prober->told_files = trace_file_count(prober->trace);
        for (int i = 0; i < prober->count; i++)
            prober->rows[i].told = false;
    }
    for (int i = 0; i < prober->count; i++) {
        if (prober->rows[i].worker.busy)
            continue;
        if (prober->table.rows[i].probe_at <= now)
            ask_probe(prober, i, now);
        else if (truth_is_due(prober, i, now))
            ask_truth(prober, i, now);
    }
}

double prober_next_write(const prober *prober)
{
    double next = INFINITY;

    for (int i = 0; i < prober->count; i++) {
        const prober_row *one = &prober->rows[i];

        next = fmin(next, one->worker.busy ? one->worker.deadline : prober->table.rows[i].probe_at);
        if (!one->worker.busy && prober->truths_running == 0)
            next = fmin(next, prober->table.rows[i].truth_at);
    }
    return next;
}

bool prober_all_idle(const prober *prober)
{
    for (int i = 0; i < prober->count; i++)
        if (prober->rows[i].worker.busy)
            return false;
    return true;
}
