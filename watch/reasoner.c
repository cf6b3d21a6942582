#include "reasoner.h"

#include <stddef.h>

const char *const atw_scope_names[ATW_SCOPES] = {"none", "process", "node", "system"};

/* --- a process */

/* If one call in 100 is slow by chance, three or more that are half of all happen once in 37,000
 * cycles at most (of six calls); two very slow ones, of one in 1000, more rarely.  Two such cycles
 * in a row raise a process. */
static bool is_slow(const atw_cycle *c)
{
    return c->is_stuck || (c->slow >= 3 && 2 * c->slow >= c->judged) ||
           (c->very_slow >= 2 && 2 * c->very_slow >= c->judged);
}

atw_sight atw_cycle_sight(const atw_cycle *cycle)
{
    if (is_slow(cycle))
        return ATW_SIGHT_SLOW;
    return cycle->judged >= 3 ? ATW_SIGHT_GOOD : ATW_SIGHT_NONE;
}

static void forget(atw_streak *s)
{
    s->pool = (atw_cycle){.judged = 0};
    s->slow = s->good = 0;
    s->is_raised = false;
}

/* A raised process that does nothing more has nothing wrong with it any more. */
void atw_streak_step(atw_streak *s, atw_sight sight)
{
    if (sight == ATW_SIGHT_NONE) {
        if (s->silent < ATW_REASON_FORGET && ++s->silent == ATW_REASON_FORGET)
            forget(s);
        return;
    }
    s->silent = 0;
    s->is_known = true;
    if (sight == ATW_SIGHT_SLOW) {
        s->slow++;
        s->good = 0;
        s->is_raised = s->is_raised || s->slow >= ATW_REASON_ENTER;
    } else {
        s->good++;
        s->slow = 0;
        s->is_raised = s->is_raised && s->good < ATW_REASON_LEAVE;
    }
}

/* Few calls are judged together with those of the next cycle. */
atw_sight atw_streak_take(atw_streak *s, const atw_cycle *cycle)
{
    atw_sight sight;

    s->pool.judged += cycle->judged;
    s->pool.slow += cycle->slow;
    s->pool.very_slow += cycle->very_slow;
    s->pool.is_stuck = cycle->is_stuck;
    sight = atw_cycle_sight(&s->pool);
    if (sight != ATW_SIGHT_NONE)
        s->pool = (atw_cycle){.judged = 0};
    atw_streak_step(s, sight);
    return sight;
}

/* --- a node */

static bool are_most(unsigned some, unsigned all)
{
    return 2 * some >= all;
}

bool atw_outlook_is_suspect(const atw_outlook *o)
{
    return o->processes.suspect > 0;
}

/* What is slow on most nodes is slow for a reason that they share, even if it is a few processes of
 * each: those that use one storage target, for example.  One process alone has no neighbour to be
 * compared with: whether the node has used up something decides. */
atw_scope atw_outlook_scope(const atw_outlook *o)
{
    if (o->processes.raised == 0)
        return o->stopped > 0 ? ATW_SCOPE_PROCESS : ATW_SCOPE_NONE;
    if (o->others.suspect > 0 && are_most(o->others.suspect + 1, o->others.active + 1))
        return ATW_SCOPE_SYSTEM;
    if (o->processes.active == 1)
        return o->is_saturated ? ATW_SCOPE_NODE : ATW_SCOPE_PROCESS;
    return o->processes.suspect >= 2 && are_most(o->processes.suspect, o->processes.active)
               ? ATW_SCOPE_NODE
               : ATW_SCOPE_PROCESS;
}

/* --- the signal */

static atw_change begin(atw_reasoner *r, const atw_outlook *o, atw_scope level)
{
    if (level == ATW_SCOPE_NONE) {
        r->waited = 0;
        return ATW_CHANGE_NONE;
    }
    if (o->awaits && r->waited < ATW_REASON_WAIT) {
        r->waited++;
        return ATW_CHANGE_NONE;
    }
    *r = (atw_reasoner){.level = level};
    return ATW_CHANGE_BEGINS;
}

/* More is soon believed, less is not. */
static atw_change move(atw_reasoner *r, atw_scope level)
{
    r->higher = level > r->level ? r->higher + 1 : 0;
    r->lower = level < r->level ? r->lower + 1 : 0;
    if (r->higher < ATW_REASON_ENTER && r->lower < ATW_REASON_LEAVE)
        return ATW_CHANGE_NONE;
    *r = (atw_reasoner){.level = level};
    return ATW_CHANGE_MOVES;
}

/* A signal ends only after processes with patience say that nothing is wrong any more. */
atw_change atw_reasoner_step(atw_reasoner *r, const atw_outlook *o)
{
    atw_scope level = atw_outlook_scope(o);

    if (r->level == ATW_SCOPE_NONE)
        return begin(r, o, level);
    if (level != ATW_SCOPE_NONE)
        return move(r, level);
    *r = (atw_reasoner){.level = ATW_SCOPE_NONE};
    return ATW_CHANGE_ENDS;
}
