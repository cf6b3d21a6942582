/* HDF5's identifiers, since 1.10 of 64 bits.  Its functions are asked only after a call succeeded:
 * each of them clears the errors that a program may want to see. */

#include "begin.h"
#include "map.h"

static atw_map ids; /* files, groups and data sets */

bool atw_begin_h5opens(atw_call *call, unsigned which, const char *name)
{
    return atw_begin_named(call, which, name);
}

bool atw_begin_h5(atw_call *call, unsigned which, int64_t id)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(&ids, (uint64_t) id) : NULL;

    return atw_is_on() && atw_begin(call, which, slot != NULL ? slot->file : 0);
}

bool atw_begin_h5close(atw_call *call, unsigned which, int64_t id)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(&ids, (uint64_t) id) : NULL;
    uint32_t file = slot != NULL ? slot->file : 0;

    if (slot != NULL)
        atw_map_remove(&ids, slot);
    return atw_is_on() && atw_begin(call, which, file);
}

void atw_made_h5(atw_call *call, int64_t id)
{
    atw_slot value = {.file = call->activity.file};

    if (id >= 0)
        atw_map_put(&ids, (uint64_t) id, &value);
}

/* --- bytes of a selection in memory, without what types store elsewhere */

typedef int64_t of_id(int64_t);
typedef size_t size_of_id(int64_t);
typedef int close_id(int64_t);

/* Up to 2, identifiers stand for others.  H5S_ALL, 0: the other space says, or the data set's. */
static int64_t points(int64_t set, int64_t memory, int64_t file)
{
    static _Atomic(atw_function *) slots[3];
    of_id *selected = (of_id *) atw_optional(&slots[0], "H5Sget_select_npoints");
    of_id *space_of = (of_id *) atw_optional(&slots[1], "H5Dget_space");
    close_id *close = (close_id *) atw_optional(&slots[2], "H5Sclose");
    int64_t space, count;

    if (selected == NULL || space_of == NULL || close == NULL)
        return 0;
    if (memory > 2 || file > 2)
        return selected(memory > 2 ? memory : file);
    space = memory == 0 && file == 0 ? space_of(set) : -1;
    if (space < 0)
        return 0;
    count = selected(space);
    close(space);
    return count;
}

uint64_t atw_h5_bytes(int64_t set, int64_t type, int64_t memory, int64_t file)
{
    static _Atomic(atw_function *) slot;
    size_of_id *size_of = (size_of_id *) atw_optional(&slot, "H5Tget_size");
    int64_t count = size_of != NULL ? points(set, memory, file) : 0;

    return count > 0 ? (uint64_t) count * size_of(type) : 0;
}
