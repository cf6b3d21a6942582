#include "node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector.h"
#include "common/clock.h"

enum {
    SIGNALS = 16, /* that are remembered */
    PIDS = 8,     /* that a signal names */
    AGAIN = 20    /* cycles from look to look at others while something is wrong: a second */
};

struct node_process {
    node_process *next, *previous;
    node *node;
    pid_t pid;
    void *owner;
    unsigned long long started; /* by which the system tells processes of one number apart */
    atw_streak streak;
    uint64_t judged, slow;
    unsigned stopped; /* cycles */
    bool has_news, is_idle;
    atw_scope told;
};

typedef struct remembered {
    atw_scope level;
    int64_t began, ended; /* seconds since 1970; 0: not yet */
    double since;         /* when it was of this level for the first time (clock_steady) */
    atw_outlook outlook;
    bool is_first; /* it is this node's to say */
    int pids[PIDS];
    unsigned pid_count;
    char scarce[64];
} remembered;

struct node {
    uid_t uid;
    char proc[4096];
    neighbours *others;
    node_process *processes;
    atw_reasoner reasoner;
    atw_outlook outlook;
    neighbours_view view;
    unsigned raised; /* cycles for which some process is */
    uint64_t look;   /* that is waited for */
    remembered signals[SIGNALS];
    uint64_t signal_count;
};

/* --- processes */

node *node_new(uid_t uid, const char *proc, neighbours *others)
{
    node *n = calloc(1, sizeof(*n));

    if (n == NULL)
        return NULL;
    n->uid = uid;
    snprintf(n->proc, sizeof(n->proc), "%s", proc);
    n->others = others;
    n->view.is_first = true;
    return n;
}

void node_free(node *n)
{
    if (n == NULL)
        return;
    while (n->processes != NULL)
        node_remove(n, n->processes);
    free(n);
}

/* Its state as the system sees it; '\0': there is no such process. */
static char state_of(const node *n, pid_t pid, unsigned long long *started_p)
{
    char path[4200], text[1024], state = '\0', *at;
    FILE *file;
    size_t length;

    snprintf(path, sizeof(path), "%s/%ld/stat", n->proc, (long) pid);
    file = fopen(path, "re");
    if (file == NULL)
        return '\0';
    length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    at = strrchr(text, ')'); /* names have anything in them */
    if (at == NULL || sscanf(at + 1,
                             " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                             "%*s %*s %llu",
                             &state, started_p) != 2)
        return '\0';
    return state;
}

/* Takes away its vote. */
static void *replace(node *n, pid_t pid, unsigned long long started)
{
    void *owner = NULL;

    for (node_process *p = n->processes; p != NULL; p = p->next)
        if (p->pid == pid && p->started == started) {
            owner = p->owner;
            node_remove(n, p);
            break;
        }
    return owner;
}

node_process *node_add(node *n, pid_t pid, void *owner, void **before_p)
{
    node_process *p = calloc(1, sizeof(*p));

    if (p == NULL || state_of(n, pid, &p->started) == '\0') {
        free(p);
        return NULL;
    }
    *before_p = replace(n, pid, p->started);
    p->node = n;
    p->pid = pid;
    p->owner = owner;
    p->is_idle = true; /* until it says something */
    p->next = n->processes;
    if (p->next != NULL)
        p->next->previous = p;
    n->processes = p;
    return p;
}

void node_remove(node *n, node_process *p)
{
    if (p->previous != NULL)
        p->previous->next = p->next;
    else
        n->processes = p->next;
    if (p->next != NULL)
        p->next->previous = p->previous;
    free(p);
}

size_t node_count(const node *n)
{
    size_t count = 0;

    for (const node_process *p = n->processes; p != NULL; p = p->next)
        count++;
    return count;
}

/* Others know of a slow cycle before this node looks: they may be about to say at which level it
 * is. */
static void warn_others(node *n)
{
    n->outlook.processes.suspect++;
    if (n->others != NULL)
        neighbours_tell(n->others, &n->outlook);
}

void node_hear(node_process *p, const atw_health *health)
{
    bool was_suspect = atw_streak_is_suspect(&p->streak);
    const atw_cycle cycle = {health->judged, health->slow, health->very_slow, health->fast,
                             (health->flags & ATW_HEALTH_STUCK) != 0};

    atw_streak_take(&p->streak, &cycle);
    p->judged += cycle.judged;
    p->slow += cycle.slow;
    p->has_news = true;
    p->stopped = 0;
    p->is_idle = (health->flags & ATW_HEALTH_IDLE) != 0;
    if (p->is_idle)
        p->streak = (atw_streak){.slow = 0};
    if (!was_suspect && atw_streak_is_suspect(&p->streak))
        warn_others(p->node);
}

/* One that should have said something has been stopped, or is late. */
static void look_at(const node *n, node_process *p)
{
    unsigned long long started = 0;
    char state;

    if (p->has_news || p->is_idle) {
        p->has_news = false;
        return;
    }
    state = state_of(n, p->pid, &started);
    p->stopped = (state == 'T' || state == 't') && started == p->started ? p->stopped + 1 : 0;
    if (p->stopped > 0 || state == '\0' || started != p->started)
        p->streak = (atw_streak){.slow = 0};
}

static bool is_stopped(const node_process *p)
{
    return p->stopped >= ATW_REASON_ENTER;
}

static bool is_named(const node_process *p)
{
    return is_stopped(p) || p->streak.is_raised;
}

/* --- what is known */

static void look_around(node *n, const char *scarce)
{
    atw_outlook o = {.is_saturated = scarce[0] != '\0'};

    for (node_process *p = n->processes; p != NULL; p = p->next) {
        look_at(n, p);
        o.processes.active += atw_streak_is_active(&p->streak);
        o.processes.suspect += atw_streak_is_suspect(&p->streak);
        o.processes.raised += p->streak.is_raised;
        o.stopped += is_stopped(p);
    }
    n->outlook = o;
}

/* In the first cycle for which it is so, then after 1, 2, 4, 8 and 16 more, then once a second. */
static bool is_time_to_ask(unsigned raised)
{
    unsigned since = raised - 1;

    return raised > 0 && (since < AGAIN ? (since & (since - 1)) == 0 : since % AGAIN == 0);
}

/* What others say counts if they were looked at after it began here: what is slow for all has been
 * slow for a cycle everywhere by the time at which the first process is raised. */
static void see_others(node *n)
{
    neighbours_see(n->others, &n->view);
    n->outlook.others = n->view.group;
    n->outlook.awaits = n->raised > 0 && n->view.look < n->look;
}

static void ask_others(node *n)
{
    const atw_outlook *o = &n->outlook;

    n->raised = o->processes.raised > 0 ? n->raised + 1 : 0;
    if (n->others == NULL)
        return;
    neighbours_tell(n->others, o);
    if (is_time_to_ask(n->raised)) {
        uint64_t look = neighbours_ask(n->others);

        if (n->raised == 1)
            n->look = look;
    }
    see_others(n);
}

/* --- signals */

static void say_signal(const node *n, const remembered *r, const char *what)
{
    char pids[PIDS * 12 + 8] = "";
    size_t length = 0;

    for (unsigned i = 0; i < r->pid_count; i++)
        length += (size_t) snprintf(pids + length, sizeof(pids) - length, " %d", r->pids[i]);
    say_of_user(
        n->uid, "signal %s: level %s, %u of %u active processes are slow, %u are stopped:%s%s%s%s",
        what, atw_scope_names[r->level], r->outlook.processes.suspect, r->outlook.processes.active,
        r->outlook.stopped, pids, r->scarce[0] != '\0' ? "; used up: " : "", r->scarce,
        r->level == ATW_SCOPE_SYSTEM ? "; so it is on most nodes" : "");
}

static void remember(node *n, remembered *r, const char *scarce)
{
    r->level = n->reasoner.level;
    r->since = clock_steady();
    r->outlook = n->outlook;
    r->is_first = r->level != ATW_SCOPE_SYSTEM || n->view.is_first;
    snprintf(r->scarce, sizeof(r->scarce), "%s", scarce);
    r->pid_count = 0;
    for (const node_process *p = n->processes; p != NULL && r->pid_count < PIDS; p = p->next)
        if (is_named(p))
            r->pids[r->pid_count++] = (int) p->pid;
}

/* The first node of those that a signal of the system concerns says it, for all. */
static void heed_change(node *n, atw_change change, const char *scarce)
{
    remembered *r = &n->signals[(n->signal_count + SIGNALS - 1) % SIGNALS];

    if (change == ATW_CHANGE_BEGINS) {
        r = &n->signals[n->signal_count++ % SIGNALS];
        *r = (remembered){.began = (int64_t) time(NULL)};
    }
    if (change == ATW_CHANGE_ENDS)
        r->ended = (int64_t) time(NULL);
    else if (change != ATW_CHANGE_NONE)
        remember(n, r, scarce);
    if (change != ATW_CHANGE_NONE && r->is_first)
        say_signal(n, r,
                   change == ATW_CHANGE_BEGINS  ? "begins"
                   : change == ATW_CHANGE_MOVES ? "is of another level"
                                                : "ends");
}

/* Tells processes that are part of the signal to keep what they did last. */
static void tell_processes(node *n, node_told *told, void *context)
{
    atw_scope level = n->reasoner.level;

    for (node_process *p = n->processes; p != NULL; p = p->next) {
        bool is_part = level > ATW_SCOPE_PROCESS ? atw_streak_is_active(&p->streak) : is_named(p);
        atw_scope part = is_part || (level > ATW_SCOPE_NONE && p->told > ATW_SCOPE_NONE)
                             ? level
                             : ATW_SCOPE_NONE;

        if (part == p->told)
            continue;
        p->told = part;
        told(p->owner, part, context);
    }
}

static void reason(node *n, const char *scarce, node_told *told, void *context)
{
    heed_change(n, atw_reasoner_step(&n->reasoner, &n->outlook), scarce);
    tell_processes(n, told, context);
}

void node_cycle(node *n, const char *scarce, node_told *told, void *context)
{
    look_around(n, scarce);
    ask_others(n);
    reason(n, scarce, told, context);
}

void node_see(node *n, const char *scarce, node_told *told, void *context)
{
    if (n->reasoner.level != ATW_SCOPE_NONE || !n->outlook.awaits)
        return;
    see_others(n);
    if (!n->outlook.awaits)
        reason(n, scarce, told, context);
}

/* --- as JSON */

static void put_signal(atm_value *object, const remembered *r)
{
    atm_value *pids;

    atm_put_string(object, "level", atw_scope_names[r->level]);
    atm_put_integer(object, "began", r->began);
    if (r->ended > 0)
        atm_put_integer(object, "ended", r->ended);
    atm_put_number(object, "since", r->since);
    atm_put_truth(object, "ours", r->is_first);
    atm_put_integer(object, "active", r->outlook.processes.active);
    atm_put_integer(object, "slow", r->outlook.processes.suspect);
    atm_put_integer(object, "stopped", r->outlook.stopped);
    atm_put_integer(object, "nodes", r->outlook.others.active + 1);
    atm_put_integer(object, "slow_nodes",
                    r->outlook.others.suspect + atw_outlook_is_suspect(&r->outlook));
    pids = atm_put_array(object, "processes");
    for (unsigned i = 0; i < r->pid_count; i++)
        atm_put_integer(pids, NULL, r->pids[i]);
    if (r->scarce[0] != '\0')
        atm_put_string(object, "used_up", r->scarce);
}

void node_put(const node *n, atm_value *object)
{
    static const node none = {.processes = NULL};
    uint64_t first;
    atm_value *array;

    if (n == NULL)
        n = &none;
    first = n->signal_count > SIGNALS ? n->signal_count - SIGNALS : 0;
    atm_put_string(object, "level", atw_scope_names[n->reasoner.level]);
    atm_put_number(object, "now", clock_steady());
    atm_put_integer(object, "processes", (int64_t) node_count(n));
    atm_put_integer(object, "active", n->outlook.processes.active);
    atm_put_integer(object, "slow", n->outlook.processes.suspect);
    atm_put_integer(object, "stopped", n->outlook.stopped);
    array = atm_put_array(object, "named");
    for (const node_process *p = n->processes; p != NULL; p = p->next)
        if (is_named(p) && atm_value_length(array) < PIDS)
            atm_put_integer(array, NULL, p->pid);
    atm_put_integer(object, "other_nodes", n->view.group.active);
    atm_put_integer(object, "other_slow_nodes", n->view.group.suspect);
    array = atm_put_array(object, "signals");
    for (uint64_t i = first; i < n->signal_count; i++)
        put_signal(atm_put_object(array, NULL), &n->signals[i % SIGNALS]);
}
