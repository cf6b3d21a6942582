/* Before and after a call of HDF5 that makes something.  What is called here is not seen. */

#include "lists.h"

#include <errno.h>

#include "h5.h"
#include "modules.h"
#include "threads.h"

bool atw_lists_wanted;

/* Not in a call that interrupted the library itself. */
void atw_lists_prepare(atw_lists *lists)
{
    int saved = errno;

    if (atw_local.busy)
        return;
    atw_local.busy = true;
    atw_modules_prepare(lists);
    atw_local.busy = false;
    errno = saved;
}

/* Every call clears the errors that a program may want to see. */
void atw_lists_close(atw_lists *lists, bool failed)
{
    const atw_h5 *h5 = atw_h5_functions(); /* whoever made a list has them */
    int64_t errors = failed ? h5->H5Eget_current_stack() : -1;
    bool busy = atw_local.busy;
    int saved = errno;

    atw_local.busy = true;
    for (int i = 0; i < 2; i++)
        if (lists->made[i] != 0)
            h5->H5Pclose(lists->made[i]);
    if (errors >= 0)
        h5->H5Eset_current_stack(errors);
    atw_local.busy = busy;
    errno = saved;
}
