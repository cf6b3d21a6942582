/* Collective writes of HDF5, by the bytes of the file that each rank's view selects.  What a data
 * type selects is not taken from ROMIO, but from what MPI_Unpack writes with it. */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_trace.h"

static bool tracing;
static int calls;
static atm_h5_pieces seen[HDF5_CALLS];

static MPI_Offset view_at;
static MPI_Datatype view_type = MPI_BYTE;

void hdf5_trace_begin(void)
{
    for (int i = 0; i < HDF5_CALLS; i++)
        atm_h5_pieces_free(&seen[i]);
    calls = 0;
    tracing = true;
}

int hdf5_trace_end(void)
{
    tracing = false;
    return calls;
}

const atm_h5_pieces *hdf5_trace_call(int index)
{
    return &seen[index];
}

static void add(atm_h5_pieces *list, uint64_t offset, uint64_t length)
{
    list->pieces = realloc(list->pieces, (list->count + 1) * sizeof(*list->pieces));
    if (list->pieces == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    list->pieces[list->count++] = (atm_piece){.offset = offset, .length = length};
}

/* The bytes that a type selects, as runs; its first byte is at `at`. */
static void add_type(atm_h5_pieces *list, MPI_Datatype type, int size)
{
    MPI_Aint low, extent;
    int position = 0;
    char *data, *marks;

    MPI_Type_get_true_extent(type, &low, &extent);
    data = malloc((size_t) size);
    marks = calloc((size_t) extent + 1, 1);
    if (data == NULL || marks == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(data, 1, (size_t) size);
    MPI_Unpack(data, size, &position, marks - low, 1, type, MPI_COMM_SELF);
    for (MPI_Aint i = 0; i < extent; i++) {
        MPI_Aint first = i;

        while (marks[i] != 0)
            i++;
        if (i > first)
            add(list, (uint64_t) (view_at + low + first), (uint64_t) (i - first));
    }
    free(marks);
    free(data);
}

static void see(MPI_Offset offset, int count, MPI_Datatype type)
{
    atm_h5_pieces *list = &seen[calls < HDF5_CALLS ? calls : 0];
    int size, view_size;

    if (calls++ >= HDF5_CALLS)
        return;
    MPI_Type_size(type, &size);
    MPI_Type_size(view_type, &view_size);
    size *= count;
    if (size == 0)
        return;
    if (view_type == MPI_BYTE)
        add(list, (uint64_t) (view_at + offset), (uint64_t) size);
    else if (size == view_size && offset == 0)
        add_type(list, view_type, size);
    else
        calls = HDF5_CALLS + 1; /* HDF5 does not do that: nothing is equal to it */
}

int MPI_File_set_view(MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type,
                      const char *form, MPI_Info info)
{
    view_at = at;
    view_type = type;
    return PMPI_File_set_view(file, at, unit, type, form, info);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *data, int count,
                          MPI_Datatype type, MPI_Status *status)
{
    if (tracing)
        see(offset, count, type);
    return PMPI_File_write_at_all(file, offset, data, count, type, status);
}
