#include "ad_autotune_decide.h"

#include "adioi.h"

/* --- this rank, as ROMIO flattens its view */

/* A view that is not contiguous: blocks of the file in each filetype. */
typedef struct view {
    const ADIOI_Flatlist_node *flat;
    ADIO_Offset disp;
    MPI_Count size; /* bytes of data in a filetype */
    MPI_Aint extent;
} view;

/* Bytes of data before an absolute offset, which is where data is or at the end
 * of a block (ad_read_coll.c:350). */
static MPI_Count data_before(const view *view, ADIO_Offset at)
{
    const ADIOI_Flatlist_node *flat = view->flat;
    ADIO_Offset offset = at - view->disp;
    ADIO_Offset filetypes = (offset - flat->indices[0]) / view->extent;
    MPI_Count data = filetypes * view->size;

    offset -= filetypes * view->extent;
    for (MPI_Count i = 0; i < flat->count; i++) {
        if (offset < flat->indices[i] + flat->blocklens[i])
            return offset > flat->indices[i] ? data + offset - flat->indices[i] : data;
        data += flat->blocklens[i];
    }
    return data;
}

/* Absolute offset of a byte of data (ad_read_coll.c:378). */
static ADIO_Offset offset_of(const view *view, MPI_Count data)
{
    const ADIOI_Flatlist_node *flat = view->flat;
    ADIO_Offset base = view->disp + data / view->size * view->extent;
    MPI_Count rest = data % view->size;

    for (MPI_Count i = 0; i < flat->count; i++) {
        if (rest < flat->blocklens[i])
            return base + flat->indices[i] + rest;
        rest -= flat->blocklens[i];
    }
    return base; /* not reached: a filetype has view->size bytes */
}

/* Contiguous blocks of a filetype, and the mean distance between their starts. */
static MPI_Count count_blocks(const view *view, uint64_t *stride_p)
{
    const ADIOI_Flatlist_node *flat = view->flat;
    ADIO_Offset end = 0, first = 0, last = 0;
    MPI_Count blocks = 0;

    for (MPI_Count i = 0; i < flat->count; i++) {
        if (flat->blocklens[i] == 0)
            continue;
        if (blocks == 0 || flat->indices[i] != end) {
            first = blocks == 0 ? flat->indices[i] : first;
            last = flat->indices[i];
            blocks++;
        }
        end = flat->indices[i] + flat->blocklens[i];
    }
    *stride_p = blocks > 1 ? (uint64_t) ((last - first) / (blocks - 1)) : (uint64_t) view->extent;
    return blocks;
}

/* As ADIOI_Calc_my_off_len, without its list. */
static atc_access access_of_view(ADIO_File fd, const view *view, MPI_Count bytes, int file_ptr_type,
                                 ADIO_Offset offset)
{
    MPI_Count data, blocks;
    uint64_t stride, pieces;

    data = file_ptr_type == ADIO_INDIVIDUAL ? data_before(view, fd->fp_ind)
                                            : (MPI_Count) offset * fd->etype_size;
    if (bytes == 0) /* ad_read_coll.c:280: its end stays 0 */
        return atc_access_of_rank(offset_of(view, data), 0, 0, 0, 0);
    blocks = count_blocks(view, &stride);
    pieces = (uint64_t) ((double) bytes / (double) view->size * (double) blocks + 0.5);
    return atc_access_of_rank(offset_of(view, data), offset_of(view, data + bytes - 1),
                              (uint64_t) bytes, pieces > 0 ? pieces : 1, stride);
}

atc_access ADIOI_AUTOTUNE_access(ADIO_File fd, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset)
{
    view view = {.disp = fd->disp};
    MPI_Aint lower_bound;
    MPI_Count bytes;
    ADIO_Offset start;
    int contiguous;

    MPI_Type_size_x(datatype, &bytes);
    bytes *= count;
    ADIOI_Datatype_iscontig(fd->filetype, &contiguous);
    MPI_Type_size_x(fd->filetype, &view.size);
    if (!contiguous && view.size > 0) {
        MPI_Type_get_extent(fd->filetype, &lower_bound, &view.extent);
        view.flat = ADIOI_Flatten_and_find(fd->filetype);
        if (view.extent > 0)
            return access_of_view(fd, &view, bytes, file_ptr_type, offset);
    }
    if (view.size == 0)
        bytes = 0;
    start = file_ptr_type == ADIO_INDIVIDUAL ? fd->fp_ind : fd->disp + fd->etype_size * offset;
    return atc_access_of_rank(start, start + bytes - 1, (uint64_t) bytes, 1, 0);
}

/* --- all ranks, as the model takes it */

/* A power of two: buffers are, and answers are then found again. */
static uint64_t rounded(uint64_t bytes)
{
    uint64_t power = 1;

    while (power <= bytes / 2)
        power *= 2;
    return bytes > 0 ? power : 0;
}

atm_access ADIOI_AUTOTUNE_model_access(const atc_access *all, int writes, int new_file)
{
    atm_access access = {.write = writes,
                         .strided = all->strided,
                         .interleaved = all->interleaved,
                         .holes = all->bytes < (uint64_t) (all->end - all->start) + 1,
                         .new_file = new_file,
                         .active_ranks = all->active,
                         .bytes_min = all->bytes_min,
                         .bytes_max = all->bytes_max,
                         .bytes = all->bytes,
                         .start = (uint64_t) all->start,
                         .end = (uint64_t) all->end,
                         .block = all->strided ? (all->bytes + all->pieces - 1) / all->pieces
                                               : all->bytes_max,
                         .stride = all->strided ? all->stride : 0,
                         .warm = rounded(all->spare)};

    access.holders.count = all->runs;
    for (int i = 0; i < all->runs; i++) {
        access.holders.from[i] = (uint64_t) all->from[i];
        access.holders.to[i] = all->to[i] < 0 ? 0 : (uint64_t) all->to[i];
    }
    return access;
}

_Static_assert((int) ATC_ACCESS_RUNS == (int) ATM_HOLDERS, "runs of ranks");

/* The bytes that the hint gives, the last file of this kind, those of the file if it is only read,
 * or those of the profile. */
atm_access ADIOI_AUTOTUNE_expected_access(const ADIOI_AUTOTUNE_state *state, int access_mode,
                                          uint64_t file_size)
{
    enum { PIECES = 16 }; /* interleaved, or aggregators would not matter */
    atm_access access = {.write = !(access_mode & ADIO_RDONLY),
                         .strided = true,
                         .interleaved = true,
                         .new_file = !(access_mode & ADIO_RDONLY)};
    uint64_t bytes = state->root->settings->access_size;
    int ranks = state->ranks;

    state->root->expects = bytes > 0 || (access.write && ADIOI_AUTOTUNE_kind_find(state, &access));
    if (bytes == 0 && state->root->expects)
        return access;
    if (bytes == 0 && !access.write)
        bytes = file_size / (uint64_t) ranks;
    if (bytes == 0 && state->root->profile != NULL)
        bytes = state->root->profile->defaults.access_size;
    if (bytes > (UINT64_C(1) << 60) / (uint64_t) ranks)
        bytes = (UINT64_C(1) << 60) / (uint64_t) ranks;
    bytes = bytes > PIECES ? bytes - bytes % PIECES : PIECES;
    access.active_ranks = ranks;
    access.bytes_min = access.bytes_max = bytes;
    access.bytes = bytes * (uint64_t) ranks;
    access.end = access.bytes - 1;
    access.block = bytes / PIECES;
    access.stride = access.block * (uint64_t) ranks;
    return access;
}
