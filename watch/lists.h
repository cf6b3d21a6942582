/* Property lists of HDF5 that a call gets: the program's, or others that a module puts in their
 * place.  Those of the program are never changed. */

#ifndef ATW_LISTS_H
#define ATW_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct atw_lists {
    const char *name;           /* of a file that is opened or created; NULL: of a data set */
    unsigned flags;             /* of a file */
    bool creates;               /* it */
    int64_t at, type, space;    /* of a data set */
    int64_t *creation, *access; /* what the call gets; NULL: nothing */
    int64_t made[2];            /* closed after the call; 0: none */
} atw_lists;

/* Whether a module puts others in their place. */
extern bool atw_lists_wanted;

void atw_lists_prepare(atw_lists *lists);
void atw_lists_close(atw_lists *lists, bool failed);

/* --- what calls.list names after "with" */

static inline void atw_lists_file(atw_lists *lists, const char *name, unsigned flags,
                                  int64_t *creation, int64_t *access)
{
    lists->made[0] = lists->made[1] = 0;
    if (__builtin_expect(!atw_lists_wanted, 1) || name == NULL)
        return;
    *lists = (atw_lists){.name = name,
                         .flags = flags,
                         .creates = creation != NULL,
                         .creation = creation,
                         .access = access};
    atw_lists_prepare(lists);
}

static inline void atw_lists_set(atw_lists *lists, int64_t at, int64_t type, int64_t space,
                                 int64_t *creation)
{
    lists->made[0] = lists->made[1] = 0;
    if (__builtin_expect(!atw_lists_wanted, 1))
        return;
    *lists = (atw_lists){.at = at, .type = type, .space = space, .creation = creation};
    atw_lists_prepare(lists);
}

/* After the call. */
static inline void atw_lists_end(atw_lists *lists, bool failed)
{
    if (__builtin_expect(lists->made[0] != 0 || lists->made[1] != 0, 0))
        atw_lists_close(lists, failed);
}

#endif /* ATW_LISTS_H */
