/*
 * MPI's handles.  An int in MPICH's ABI, a pointer in Open MPI's: both travel in a register, and
 * are passed on as they came.  Only requests and predefined handles are looked at, and for these it
 * is found out which MPI this is.  MPI is never linked.
 */

#include "mpi_abi.h"

#include <dlfcn.h>
#include <string.h>

#include "begin.h"
#include "files.h"
#include "map.h"

static atw_map files; /* open files; a split collective under way is in its slot */

/* --- which MPI */

/* MPI_BYTE, MPI_STATUS_IGNORE (and MPI_STATUSES_IGNORE), MPI_Request, MPI_Status, MPI_INFO_NULL. */
static const atw_mpi mpich = {(void *) 0x4c00010d, (void *) 1, sizeof(int), 20,
                              (void *) 0x1c000000};
static atw_mpi openmpi = {NULL, NULL, sizeof(void *), 24, NULL};

const atw_mpi *atw_mpi_abi(void)
{
    static _Atomic(const atw_mpi *) known;
    const atw_mpi *abi = atomic_load_explicit(&known, memory_order_acquire);

    if (abi == NULL) {
        openmpi.byte = atw_find_variable("ompi_mpi_byte");
        openmpi.info_null = atw_find_variable("ompi_mpi_info_null");
        abi = openmpi.byte != NULL ? &openmpi : &mpich;
        atomic_store_explicit(&known, abi, memory_order_release);
    }
    return abi;
}

/* --- files */

const char *atw_mpi_path(const char *name)
{
    size_t to_slash = strcspn(name, "/");

    for (size_t i = to_slash; i > 0; i--)
        if (name[i - 1] == ':')
            return name + i;
    return name;
}

bool atw_begin_mpiopens(atw_call *call, unsigned which, const char *name)
{
    return atw_begin_named(call, which, name != NULL ? atw_mpi_path(name) : NULL);
}

void atw_made_mpi(atw_call *call, atw_fh fh)
{
    atw_slot value = {.file = call->activity.file};

    if (call->activity.error == 0)
        atw_map_put(&files, (uintptr_t) fh, &value);
}

bool atw_begin_mpi(atw_call *call, unsigned which, atw_fh fh)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(&files, (uintptr_t) fh) : NULL;

    return slot != NULL && atw_begin(call, which, slot->file);
}

bool atw_begin_mpiclose(atw_call *call, unsigned which, atw_fh *fh)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(&files, (uintptr_t) *fh) : NULL;
    uint32_t file = slot != NULL ? slot->file : 0;

    if (slot == NULL)
        return false;
    atw_map_remove(&files, slot);
    return atw_begin(call, which, file);
}

/* --- split collectives: one at a time on a file */

void atw_made_split(atw_call *call, atw_fh fh)
{
    atw_slot *slot = call->activity.error == 0 ? atw_map_find(&files, (uintptr_t) fh) : NULL;

    if (slot == NULL)
        return;
    slot->id = call->activity.id;
    slot->offset = call->activity.offset;
}

bool atw_begin_mpiend(atw_call *call, unsigned which, atw_fh fh)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(&files, (uintptr_t) fh) : NULL;

    if (slot == NULL || !atw_begin(call, which, slot->file))
        return false;
    if (slot->id != 0) {
        call->activity.parent = slot->id;
        call->activity.offset = slot->offset;
        slot->id = 0;
    }
    return true;
}

/* --- results */

typedef int error_class(int, int *);
typedef int get_elements(const atw_status *, atw_handle, int64_t *);
typedef int type_size(atw_handle, int64_t *);

int atw_mpi_error(int result)
{
    static _Atomic(atw_function *) slot;
    error_class *ask = result != 0 ? (error_class *) atw_optional(&slot, "MPI_Error_class") : NULL;
    int class = result;

    if (ask != NULL)
        ask(result, &class);
    return class;
}

atw_status *atw_mpi_status(atw_status *status, atw_own_status *own)
{
    return status == atw_mpi_abi()->status_ignore ? own : status;
}

uint64_t atw_mpi_bytes(const atw_status *status)
{
    static _Atomic(atw_function *) slot;
    get_elements *ask = (get_elements *) atw_optional(&slot, "MPI_Get_elements_x");
    int64_t bytes = 0;

    if (ask == NULL || ask(status, atw_mpi_abi()->byte, &bytes) != 0 || bytes < 0)
        return 0;
    return (uint64_t) bytes;
}

uint64_t atw_mpi_asked(atw_count count, atw_handle type)
{
    static _Atomic(atw_function *) slot;
    type_size *ask = (type_size *) atw_optional(&slot, "MPI_Type_size_x");
    int64_t bytes = 0;

    if (ask == NULL || ask(type, &bytes) != 0 || bytes < 0 || count < 0)
        return 0;
    return (uint64_t) count * (uint64_t) bytes;
}
