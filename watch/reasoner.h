/*
 * Reasoners: from what was judged in each cycle to one signal, at the level that it concerns.  No
 * clock, no I/O: whoever calls this counts cycles, ATW_CYCLE_MS each.
 *
 *     calls that were slow          -> atw_streak    a process: from cycle to cycle
 *     streaks of processes, others  -> atw_outlook   what a node knows
 *     outlooks                      -> atw_reasoner  the signal: begins, moves to a level, ends
 *
 * Used by the library in each process, and by the collector of a node (site/collect).
 */

#ifndef ATW_REASON_H
#define ATW_REASON_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ATW_CYCLE_MS = 50,
    ATW_REASON_ENTER = 2,   /* slow cycles in a row that raise a process */
    ATW_REASON_LEAVE = 20,  /* good ones in a row after which it is as others */
    ATW_REASON_FORGET = 20, /* cycles without a verdict after which it is not active */
    ATW_REASON_WAIT = 40    /* that are waited for what other nodes say, at most */
};

/* --- a process */

/* Calls that ended within a cycle, and that enough is known of to judge them. */
typedef struct atw_cycle {
    uint64_t judged;
    uint64_t slow;      /* slower than 99 of 100 so far, and than four times the middle */
    uint64_t very_slow; /* of these: slower than 999 of 1000 */
    uint64_t fast;
    bool is_stuck; /* a call is under way for longer than any before it took */
} atw_cycle;

typedef enum atw_sight {
    ATW_SIGHT_NONE, /* too few calls to say */
    ATW_SIGHT_GOOD,
    ATW_SIGHT_SLOW
} atw_sight;

atw_sight atw_cycle_sight(const atw_cycle *cycle);

typedef struct atw_streak {
    atw_cycle pool;           /* of cycles with too few calls */
    unsigned slow, good;      /* cycles in a row; those without a verdict do not count */
    unsigned silent;          /* cycles without a verdict, in a row */
    bool is_raised, is_known; /* known: there was a verdict */
} atw_streak;

/* Takes a cycle that has ended.  All zero is the initial state. */
atw_sight atw_streak_take(atw_streak *streak, const atw_cycle *cycle);
/* The same for a caller that has judged the cycle itself. */
void atw_streak_step(atw_streak *streak, atw_sight sight);

static inline bool atw_streak_is_active(const atw_streak *streak)
{
    return streak->is_known && streak->silent < ATW_REASON_FORGET;
}

/* Something is wrong, perhaps. */
static inline bool atw_streak_is_suspect(const atw_streak *streak)
{
    return streak->is_raised || (atw_streak_is_active(streak) && streak->slow > 0);
}

/* --- a node */

typedef enum atw_scope {
    ATW_SCOPE_NONE,
    ATW_SCOPE_PROCESS,
    ATW_SCOPE_NODE,
    ATW_SCOPE_SYSTEM,
    ATW_SCOPES
} atw_scope;

extern const char *const atw_scope_names[ATW_SCOPES];

/* Counts of active processes of a node, or of active nodes. */
typedef struct atw_group {
    unsigned active;
    unsigned suspect; /* of these */
    unsigned raised;  /* of the suspects */
} atw_group;

typedef struct atw_outlook {
    atw_group processes;
    unsigned stopped;  /* processes that somebody has stopped: nobody else is concerned */
    bool is_saturated; /* the node has used up something that it usually has */
    atw_group others;  /* other nodes that do something */
    bool awaits;       /* what others say is older than what is wrong here */
} atw_outlook;

/* What a node tells others.  One slow cycle by chance does no harm: it counts only for a node that
 * has a process that is raised. */
bool atw_outlook_is_suspect(const atw_outlook *outlook);

/* At which level something is wrong now; NONE: nothing is. */
atw_scope atw_outlook_scope(const atw_outlook *outlook);

/* --- the signal: one at a time */

typedef enum atw_change {
    ATW_CHANGE_NONE,
    ATW_CHANGE_BEGINS,
    ATW_CHANGE_MOVES,
    ATW_CHANGE_ENDS
} atw_change;

typedef struct atw_reasoner {
    atw_scope level;        /* NONE: there is no signal */
    unsigned waited;        /* cycles for others */
    unsigned higher, lower; /* cycles in a row that say another level */
} atw_reasoner;

/* Takes a cycle that has ended.  All zero is the initial state. */
atw_change atw_reasoner_step(atw_reasoner *reasoner, const atw_outlook *outlook);

#endif /* ATW_REASON_H */
