/* The kernels' file: creating, writing and verifying data sets. */

#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* HDF5 has printed the reasons. */
static hid_t must(const workload *w, hid_t result, const char *what, const char *of)
{
    if (result < 0) {
        fprintf(stderr, "%s: rank %d: cannot %s %s\n", w->file, w->rank, what, of);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return result;
}

static hid_t access_list(const workload *w)
{
    hid_t list = must(w, H5Pcreate(H5P_FILE_ACCESS), "make", "a property list");
    MPI_Info info = workload_info(w);

    must(w, H5Pset_fapl_mpio(list, MPI_COMM_WORLD, info), "use", "MPI-IO");
    MPI_Info_free(&info);
    return list;
}

hid_t kernel_create(const workload *w)
{
    hid_t list = access_list(w);
    hid_t file = must(w, H5Fcreate(w->file, H5F_ACC_TRUNC, H5P_DEFAULT, list), "create", "it");

    H5Pclose(list);
    return file;
}

void kernel_close(const workload *w, hid_t file)
{
    must(w, H5Fclose(file), "close", "it");
}

MPI_Info kernel_hints(const workload *w, hid_t file)
{
    void *handle = NULL;
    MPI_Info info;

    must(w, H5Fget_vfd_handle(file, H5P_DEFAULT, &handle), "ask", "for the MPI file");
    MPI_File_get_info(*(MPI_File *) handle, &info);
    return info;
}

/* --- selections */

static hsize_t selected(const kernel_set *set, int dimension)
{
    return set->count[dimension] * set->block[dimension];
}

size_t kernel_bytes(const kernel_set *set)
{
    return selected(set, 0) * selected(set, 1) * selected(set, 2) * H5Tget_size(set->type);
}

/* Coordinate of the i-th selected one along a dimension. */
static hsize_t coordinate(const kernel_set *set, int dimension, hsize_t i)
{
    hsize_t block = set->block[dimension];

    return set->start[dimension] + i / block * set->stride[dimension] + i % block;
}

/* Fills the selected lines, or counts what is wrong in them.  They lie in the
 * buffer in the order of the data set; offsets are those in the data set. */
static uint64_t visit(const kernel_set *set, int index, char *buffer, bool filling,
                      uint64_t *first_p)
{
    size_t size = H5Tget_size(set->type), length = set->block[2] * size, first;
    uint64_t wrong = 0;

    for (hsize_t i = 0; i < selected(set, 0); i++)
        for (hsize_t j = 0; j < selected(set, 1); j++)
            for (hsize_t k = 0; k < selected(set, 2); k += set->block[2], buffer += length) {
                hsize_t line = coordinate(set, 0, i) * set->all[1] + coordinate(set, 1, j);
                uint64_t offset = (line * set->all[2] + coordinate(set, 2, k)) * size;
                size_t more = 0;

                if (filling)
                    workload_fill(buffer, length, offset, (unsigned) index);
                else
                    more = workload_wrong(buffer, length, offset, (unsigned) index, &first);
                if (more > 0 && wrong == 0)
                    *first_p = offset + first;
                wrong += more;
            }
    return wrong;
}

void kernel_fill(const kernel_set *set, int index, void *buffer)
{
    visit(set, index, buffer, true, NULL);
}

/* --- data sets */

static hid_t select_part(const workload *w, const kernel_set *set, hid_t *memory_p)
{
    int skip = 3 - set->dimensions;
    hsize_t elements = selected(set, 0) * selected(set, 1) * selected(set, 2);
    hid_t space =
        must(w, H5Screate_simple(set->dimensions, set->all + skip, NULL), "size", set->name);

    *memory_p = must(w, H5Screate_simple(1, &elements, NULL), "size", "memory");
    if (elements == 0) {
        H5Sselect_none(space);
        H5Sselect_none(*memory_p);
    } else {
        must(w,
             H5Sselect_hyperslab(space, H5S_SELECT_SET, set->start + skip, set->stride + skip,
                                 set->count + skip, set->block + skip),
             "select of", set->name);
    }
    return space;
}

static hid_t collective_list(const workload *w)
{
    hid_t list = must(w, H5Pcreate(H5P_DATASET_XFER), "make", "a property list");

    must(w, H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE), "ask for", "collective transfers");
    return list;
}

static hid_t create_set(const workload *w, hid_t file, const kernel_set *set, hid_t space)
{
    hid_t links = must(w, H5Pcreate(H5P_LINK_CREATE), "make", "a property list");
    hid_t how = must(w, H5Pcreate(H5P_DATASET_CREATE), "make", "a property list");
    hid_t made;

    H5Pset_create_intermediate_group(links, 1);
    /* No time stamps: equal contents are equal bytes. */
    H5Pset_obj_track_times(how, 0);
    made = must(w, H5Dcreate(file, set->name, set->type, space, links, how, H5P_DEFAULT), "create",
                set->name);
    H5Pclose(how);
    H5Pclose(links);
    return made;
}

void kernel_write(const workload *w, hid_t file, const kernel_set *set, const void *buffer)
{
    hid_t memory, space = select_part(w, set, &memory), list = collective_list(w);
    hid_t made = create_set(w, file, set, space);

    must(w, H5Dwrite(made, set->type, memory, space, list, buffer), "write", set->name);
    must(w, H5Dclose(made), "close", set->name);
    H5Pclose(list);
    H5Sclose(memory);
    H5Sclose(space);
}

/* --- verifying */

/* An even share along the longest dimension: where that is how the set was written,
 * the part of the rank after this one, so that nobody reads back what it has cached. */
static void take_share(const kernel_size *size, kernel_set *set)
{
    hsize_t share = (hsize_t) ((size->rank + 1) % size->ranks), shares = (hsize_t) size->ranks;
    int longest = 0;
    hsize_t begin, end;

    for (int i = 0; i < 3; i++) {
        longest = set->all[i] > set->all[longest] ? i : longest;
        set->start[i] = 0;
        set->stride[i] = set->block[i] = set->all[i];
        set->count[i] = 1;
    }
    begin = set->all[longest] * share / shares;
    end = set->all[longest] * (share + 1) / shares;
    set->start[longest] = begin;
    set->block[longest] = end - begin;
    /* Fewer elements than ranks: the share is empty, and a stride must not be 0. */
    set->count[longest] = end > begin;
}

static bool verify_set(const workload *w, hid_t file, const kernel_size *size, int index)
{
    uint64_t wrong, first = 0;
    kernel_set set;
    hid_t opened, space, memory, list = collective_list(w);
    char *buffer;

    the_kernel.set(size, index, &set);
    take_share(size, &set);
    space = select_part(w, &set, &memory);
    buffer = workload_memory(kernel_bytes(&set));
    opened = must(w, H5Dopen(file, set.name, H5P_DEFAULT), "open", set.name);
    must(w, H5Dread(opened, set.type, memory, space, list, buffer), "read", set.name);
    wrong = visit(&set, index, buffer, false, &first);
    free(buffer);
    H5Dclose(opened);
    H5Sclose(memory);
    H5Sclose(space);
    H5Pclose(list);
    return workload_verdict(w, wrong, first, set.name);
}

bool kernel_verify(const workload *w, const kernel_size *size)
{
    hid_t list = access_list(w);
    hid_t file = must(w, H5Fopen(w->file, H5F_ACC_RDONLY, list), "open for --verify", "it");
    bool right = true;

    for (int i = 0; i < the_kernel.sets(size); i++)
        right = verify_set(w, file, size, i) && right;
    H5Pclose(list);
    kernel_close(w, file);
    return right;
}
