/* One prober at a time: waiting for the lock, and keeping it. */

#include "prober.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

void prober_make_lease(prober *prober)
{
    const probe_options *options = prober->options;
    char path[PATH_MAX];

    if (options->share.parts > 1)
        snprintf(path, sizeof(path), "%.3500s/probe-%dof%d.lock", options->traces,
                 options->share.part, options->share.parts);
    else
        snprintf(path, sizeof(path), "%.3500s/probe.lock", options->traces);
    lease_make(path, prober->host, options->silence / 4, options->silence, &prober->lease);
}

/* True: it is held.  False: an end, with the exit code. */
bool prober_wait_for_lease(prober *prober, const sigset_t *mask, int *code_p)
{
    lease_holder holder = {.host = ""};
    bool said = false;

    while (!prober_ended() && clock_steady() < prober->until) {
        atm_message message = {""};

        if (lease_keep(&prober->lease, clock_steady(), &message, &holder) != ATM_OK) {
            fprintf(stderr, "autotune-probe: %s\n", message.text);
            *code_p = 1;
            return false;
        }
        if (prober->lease.held)
            return true;
        if (!said)
            prober_say(prober, "there is a prober already, process %ld on %s%s", holder.process,
                       holder.host, prober->options->no_wait ? "" : "; waiting for its end");
        said = true;
        if (prober->options->no_wait) {
            *code_p = 1;
            return false;
        }
        prober_pause(fmin(5, prober->options->silence / 8), NULL, 0, mask);
    }
    *code_p = 0;
    return false;
}

void prober_keep_lease(prober *prober, double now)
{
    atm_message message = {""};
    lease_holder holder;
    atm_status status = lease_keep(&prober->lease, now, &message, &holder);

    if (status != ATM_OK && !prober->lease_said)
        prober_say(prober, "%s; going on without a beat", message.text);
    prober->lease_said = status != ATM_OK;
}
