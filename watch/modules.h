/*
 * What is done with activities.  A module is one file of static functions that ends with one table;
 * modules.c lists them; module_template.c is one to copy.
 *
 * A module sees each activity in the thread that made it, after the call and before the program
 * goes on: it must not wait, and whatever it keeps is the thread's own.  What it calls of the C
 * library is not seen again.  errno is kept for it.
 */

#ifndef ATW_MODULES_H
#define ATW_MODULES_H

#include "lists.h"
#include "text.h"

/* A number that the configuration may give. */
typedef struct atw_option {
    const char *name; /* NULL: the last */
    uint64_t *value;  /* of which the default stands in it */
    uint64_t least, most;
} atw_option;

/* A text that it may give, such as a path. */
typedef struct atw_word {
    const char *name; /* NULL: the last */
    char *text;       /* "" at first */
    size_t room;
} atw_word;

typedef struct atw_module {
    const char *name;
    const atw_option *options; /* NULL: none */

    /* state: of this module and thread, NULL at first; from atw_take_apart.  NULL: it sees no
     * activities. */
    void (*see)(void **state, const atw_call *call);

    /* At the end of the process, with the states of all threads that have one: members of a JSON
     * object, which becomes a SURVEY block of the spool.  Other threads may still run.
     * NULL: nothing is told. */
    void (*tell)(void *const *states, size_t count, atw_text *text);

    /* By the thread of our own, with the lock of drain.c, while it runs: something may be due.
     * Nanoseconds until it wants to be called again; 0: it has nothing to do until the thread is
     * woken.  NULL: never. */
    uint64_t (*tick)(uint64_t now);

    const struct atw_module *needs; /* is used, too; NULL: none */

    const atw_word *words; /* NULL: none */

    /* Before a call of HDF5 that makes a file or data set: may put other property lists in the
     * place of the program's.  NULL: it does not. */
    void (*prepare)(atw_lists *lists);
} atw_module;

/* NULL: there is no module of that name.  NULL for name: their names, with blanks between them. */
const atw_module *atw_module_named(const char *name);
void atw_module_names(char *names, size_t room);

/* Makes a module see what follows. */
void atw_module_use(const atw_module *module);
bool atw_module_is_used(const atw_module *module);
/* Whether any of them sees activities. */
bool atw_modules_in_use(void);

void atw_modules_see(const atw_call *call);
/* Only if atw_lists_wanted. */
void atw_modules_prepare(atw_lists *lists);
void atw_modules_tell(void);
/* As tick: the least of all; 0: nobody wants to be called. */
uint64_t atw_modules_tick(uint64_t now);

/* States that threads have of a module; how many. */
size_t atw_module_states(const atw_module *module, void **states, size_t room);

#endif /* ATW_MODULES_H */
