#include "resubmit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "common/clock.h"

enum { WORDS_MOST = 64, FAILURES_MOST = 10 };
static const double patience = 60;

void resubmit_make(const char *script, char *const *arguments, double before, resubmit *resubmit_p)
{
    *resubmit_p = (resubmit){
        .job = getenv("SLURM_JOB_ID"), .script = script, .arguments = arguments, .before = before};
}

double resubmit_pause(double left, double before)
{
    double pause = (left - before) / 2;

    return pause > 300 ? 300 : pause < 1 ? 1 : pause;
}

static void ask(resubmit *resubmit)
{
    char *words[] = {"squeue", "--noheader", "-o", "%L", "-j", (char *) resubmit->job, NULL};

    command_start(&resubmit->left, words, patience);
}

static void submit(resubmit *resubmit)
{
    char dependency[64], *words[WORDS_MOST] = {"sbatch", "--parsable", dependency};
    int count = 3;

    snprintf(dependency, sizeof(dependency), "--dependency=afterany:%s", resubmit->job);
    words[count++] = (char *) resubmit->script;
    for (int i = 0; resubmit->arguments[i] != NULL && count < WORDS_MOST - 1; i++)
        words[count++] = resubmit->arguments[i];
    words[count] = NULL;
    command_start(&resubmit->submit, words, patience);
}

/* "UNLIMITED" is no time: then there is nothing to do. */
static void judge_left(resubmit *resubmit, double now)
{
    char text[32] = "";
    double left;

    if (sscanf(resubmit->left.text, "%31s", text) != 1 || !jobs_parse_time(text, &left) ||
        strcmp(text, "UNLIMITED") == 0)
        resubmit->ask_at = now + 300;
    else if (left > resubmit->before)
        resubmit->ask_at = now + resubmit_pause(left, resubmit->before);
    else
        submit(resubmit);
}

static bool take_left(resubmit *resubmit, double now, char *message, size_t room)
{
    command_state state = command_look(&resubmit->left, message, room);

    if (state == COMMAND_RUNS)
        return false;
    resubmit->ask_at = now + 30;
    if (state == COMMAND_DONE)
        judge_left(resubmit, now);
    command_clear(&resubmit->left);
    return false; /* a Slurm that is away for a while is no news */
}

static bool take_submission(resubmit *resubmit, double now, char *message, size_t room)
{
    command_state state = command_look(&resubmit->submit, message, room);

    if (state == COMMAND_RUNS)
        return false;
    if (state == COMMAND_DONE) {
        snprintf(message, room, "submitted %.200s again, as job %.*s", resubmit->script,
                 (int) strcspn(resubmit->submit.text, ";\n"), resubmit->submit.text);
        resubmit->script = NULL;
    } else if (++resubmit->failures == FAILURES_MOST) {
        resubmit->script = NULL;
    }
    resubmit->ask_at = now + 30;
    command_clear(&resubmit->submit);
    return true;
}

bool resubmit_go_on(resubmit *resubmit, double now, char *message, size_t room)
{
    if (resubmit->script == NULL)
        return false;
    if (resubmit->submit.name != NULL)
        return take_submission(resubmit, now, message, room);
    if (resubmit->left.name != NULL)
        return take_left(resubmit, now, message, room);
    if (now >= resubmit->ask_at)
        ask(resubmit);
    return false;
}

void resubmit_clear(resubmit *resubmit)
{
    command_clear(&resubmit->left);
    command_clear(&resubmit->submit);
}
