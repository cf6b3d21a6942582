/* autotune state check: whether a state model or a state is valid, and still holds. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "verb_state.h"

typedef struct check_command {
    int unused;
} check_command;

static const option_entry entries[] = {{NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune state check [options] FILE [TRACES...]",
    .about =
        "Checks a state model or a state completely.  Of a state, whether it holds now.  Of a\n"
        "state model and traces, the large writes that came after it was trained (all, if\n"
        "none did): whether they still take as long, and whether predictions still beat the\n"
        "majority.  Exit code 1 if not.\n",
    .entries = entries};

enum { FEWEST = 20 }; /* writes that tell anything */

/* Seconds of whole mixtures, and predictions, of writes after a time. */
typedef struct held {
    double rows, shift, square; /* of ln(seconds) from what the mixture expects */
    score_sums classifier, majority;
} held;

static double expected_log(const mixture *m)
{
    return m->states == 2 ? m->idle.weight * m->idle.mean + m->busy.weight * m->busy.mean
                          : m->idle.mean;
}

static void add_writes(const state_model *m, const model_target *t, const trace *trace,
                       double after, held *h)
{
    const trace_target *seen = trace_find(trace, t->target);
    const trace_series *series = seen != NULL ? &seen->series[TRACE_TRUTH] : NULL;

    for (size_t i = 0; series != NULL && i < series->count; i++) {
        const trace_sample *write = &series->samples[i];
        double off = features_log(write) - expected_log(&t->mixture), busy;

        if (write->bytes != m->bytes || write->time <= after)
            continue;
        h->rows++;
        h->shift += off;
        h->square += off * off;
        if (t->mixture.states < 2 || t->by_latency || model_classifier(m, t) == NULL)
            continue;
        busy = mixture_busy(&t->mixture, features_log(write));
        score_add(&h->classifier, model_busy(m, t, trace, write->time), busy, busy > 0.5);
        score_add(&h->majority, t->mixture.busy.weight, busy, busy > 0.5);
    }
}

/* A shift by more than half the distance that two states must have, beyond doubt. */
static bool says_slower(const char *what, const held *h)
{
    double mean = h->shift / h->rows, error = sqrt(h->square / h->rows / h->rows);

    if (h->rows < FEWEST || fabs(mean) < log(MIXTURE_DISTANCE) / 2 || fabs(mean) < 3 * error)
        return false;
    printf("%s: large writes take %.2f times as long as in training: train again\n", what,
           exp(mean));
    return true;
}

static bool says_useless(const held *h)
{
    double ours = h->classifier.expected, theirs = h->majority.expected, rows = h->classifier.rows;

    if (rows < FEWEST)
        return false;
    printf("%.0f predictions: right in %.1f %%, majority %.1f %%\n", rows, 100 * ours / rows,
           100 * theirs / rows);
    if (ours > theirs)
        return false;
    puts("predictions do not beat the majority any more: train again");
    return true;
}

static int compare(const state_model *m, const trace *trace)
{
    held all = {0};
    double from, to, after = -INFINITY;
    bool drifted = false;

    if (trace_span(trace, &from, &to) && to > m->to)
        after = m->to;
    for (int i = 0; i < m->count; i++) {
        held one = {0};
        char what[32];

        add_writes(m, &m->targets[i], trace, after, &one);
        add_writes(m, &m->targets[i], trace, after, &all);
        snprintf(what, sizeof(what), "target %d", m->targets[i].target);
        drifted = says_slower(what, &one) || drifted;
    }
    printf("%.0f large writes %s\n", all.rows,
           after > -INFINITY ? "since it was trained" : "of its training");
    drifted = says_slower("all targets", &all) || drifted;
    drifted = says_useless(&all) || drifted;
    if (!drifted)
        puts(all.rows >= FEWEST ? "it still holds" : "too few to tell whether it still holds");
    return drifted ? 1 : 0;
}

static int check_model(char *const *files, int count)
{
    atm_message message = {""};
    state_model *m = NULL;
    trace *trace = NULL;
    atm_status status = model_read(files[0], &message, &m);
    int code = 0;

    if (status != ATM_OK)
        return state_complain("check", files[0], status, &message);
    printf("%s: a valid state model of %d target%s\n", files[0], m->count,
           m->count == 1 ? "" : "s");
    if (count > 1)
        code = state_read_traces("check", files + 1, count - 1, &trace);
    if (trace != NULL)
        code = compare(m, trace);
    trace_destroy(trace);
    model_destroy(m);
    return code;
}

/* Whether the driver would use it now */
static int check_state(const char *path)
{
    atm_message message = {""}, doubt;
    atm_state *state = NULL;
    atm_status status = atm_state_load(path, &message, &state);
    int usable = 0;

    if (status != ATM_OK)
        return state_complain("check", path, status, &message);
    atm_state_doubt(state, (double) time(NULL), &doubt);
    for (int i = 0; i < state->count; i++)
        usable += state->targets[i].usable;
    printf("%s: a valid state of %d target%s, %d of them usable\n", path, state->count,
           state->count == 1 ? "" : "s", usable);
    puts(doubt.text[0] == '\0' ? "it holds" : doubt.text);
    atm_state_destroy(state);
    return doubt.text[0] == '\0' ? 0 : 1;
}

static int check(char *const *files, int count)
{
    atm_message message = {""};
    atm_value *root = NULL;
    bool state;
    int code = state_open("check", files[0], &message, &root, &state);

    if (code != 0)
        return code;
    atm_value_destroy(root);
    return state ? check_state(files[0]) : check_model(files, count);
}

int state_check(int argc, char **argv)
{
    check_command command = {0};
    char **files = NULL;
    int count, code;
    option_result result = state_arguments(&table, argc, argv, &command, &files, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count == 0)
        code = options_complain(&table, "a state model or a state is needed (try --help)");
    else
        code = check(files, count);
    free(files);
    return code;
}
