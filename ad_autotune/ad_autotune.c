#include "ad_autotune.h"

#include "ad_autotune_call.h"
#include "ad_autotune_late.h"
#include "ad_autotune_name.h"
#include "ad_autotune_wrapped.h"
#include "adioi.h"

#include <stdlib.h>
#include <strings.h>

/* --- which slots are ours, in each of the tables of a wrapped driver's files */

static void fill_plain(ADIOI_Fns *fns, int file_system)
{
    fns->ADIOI_xxx_SetInfo = ADIOI_AUTOTUNE_SetInfo_again;
    fns->ADIOI_xxx_OpenColl = ADIOI_AUTOTUNE_OpenColl_wrapped;
    fns->ADIOI_xxx_IreadStridedColl = ADIOI_AUTOTUNE_IreadStridedColl;
    fns->ADIOI_xxx_IwriteStridedColl = ADIOI_AUTOTUNE_IwriteStridedColl;
    fns->ADIOI_xxx_WriteContig = ADIOI_AUTOTUNE_WriteContig_marked;
    fns->ADIOI_xxx_WriteStrided = ADIOI_AUTOTUNE_WriteStrided_marked;
    fns->ADIOI_xxx_IwriteContig = ADIOI_AUTOTUNE_IwriteContig_marked;
    fns->ADIOI_xxx_Flush = ADIOI_AUTOTUNE_Flush_own;
    if (file_system == ADIO_LUSTRE)
        fns->ADIOI_xxx_Close = ADIOI_AUTOTUNE_Close_own;
    if (file_system == ADIO_NFS)
        fns->ADIOI_xxx_Resize = ADIOI_AUTOTUNE_Resize_waiting;
#ifdef ROMIO_LUSTRE
    if (file_system == ADIO_LUSTRE)
        fns->ADIOI_xxx_Open = ADIOI_AUTOTUNE_Open_striped;
#endif
}

static void fill_tuned(ADIOI_Fns *fns)
{
    fns->ADIOI_xxx_ReadStridedColl = ADIOI_AUTOTUNE_ReadStridedColl;
    fns->ADIOI_xxx_WriteStridedColl = ADIOI_AUTOTUNE_WriteStridedColl;
}

static void fill_recorded(ADIOI_Fns *fns)
{
    fns->ADIOI_xxx_ReadContig = ADIOI_AUTOTUNE_ReadContig;
    fns->ADIOI_xxx_WriteContig = ADIOI_AUTOTUNE_WriteContig;
    fns->ADIOI_xxx_ReadStrided = ADIOI_AUTOTUNE_ReadStrided;
    fns->ADIOI_xxx_WriteStrided = ADIOI_AUTOTUNE_WriteStrided;
    fns->ADIOI_xxx_IreadContig = ADIOI_AUTOTUNE_IreadContig;
    fns->ADIOI_xxx_IwriteContig = ADIOI_AUTOTUNE_IwriteContig;
    fns->ADIOI_xxx_IreadStrided = ADIOI_AUTOTUNE_IreadStrided;
    fns->ADIOI_xxx_IwriteStrided = ADIOI_AUTOTUNE_IwriteStrided;
}

static void fill_late(ADIOI_Fns *fns)
{
#ifdef ROMIO_LUSTRE
    fns->ADIOI_xxx_Open = ADIOI_AUTOTUNE_Open_late;
    fns->ADIOI_xxx_ReadContig = ADIOI_AUTOTUNE_ReadContig_late;
    fns->ADIOI_xxx_WriteContig = ADIOI_AUTOTUNE_WriteContig_late;
    fns->ADIOI_xxx_ReadStrided = ADIOI_AUTOTUNE_ReadStrided_late;
    fns->ADIOI_xxx_WriteStrided = ADIOI_AUTOTUNE_WriteStrided_late;
    fns->ADIOI_xxx_IreadContig = ADIOI_AUTOTUNE_IreadContig_late;
    fns->ADIOI_xxx_IwriteContig = ADIOI_AUTOTUNE_IwriteContig_late;
    fns->ADIOI_xxx_IreadStrided = ADIOI_AUTOTUNE_IreadStrided_late;
    fns->ADIOI_xxx_IwriteStrided = ADIOI_AUTOTUNE_IwriteStrided_late;
    fns->ADIOI_xxx_Fcntl = ADIOI_AUTOTUNE_Fcntl_late;
    fns->ADIOI_xxx_Flush = ADIOI_AUTOTUNE_Flush_late;
    fns->ADIOI_xxx_Resize = ADIOI_AUTOTUNE_Resize_late;
#else
    (void) fns; /* no file is late */
#endif
}

static void fill_tables(const ADIOI_AUTOTUNE_wrapped *wrapped)
{
    for (int table = 0; table < ADIOI_AUTOTUNE_TABLES; table++) {
        ADIOI_Fns *fns = ADIOI_AUTOTUNE_slots(wrapped, (ADIOI_AUTOTUNE_table) table);

        *fns = *wrapped->fns;
        fill_plain(fns, wrapped->file_system);
        if (table != ADIOI_AUTOTUNE_PLAIN)
            fill_tuned(fns);
        if (table == ADIOI_AUTOTUNE_RECORDED)
            fill_recorded(fns);
        if (table == ADIOI_AUTOTUNE_LATE)
            fill_late(fns);
    }
}

/* --- ROMIO's own table for us */

/* The first call of every open, and under ROMIO's lock. */
static void fill_and_set_info(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    static int filled;

    for (int i = 0; i < ADIOI_AUTOTUNE_wrapped_count() && !filled; i++)
        fill_tables(ADIOI_AUTOTUNE_wrapped_at(i));
    filled = 1;
    ADIOI_AUTOTUNE_SetInfo(fd, users_info, error_code);
}

/*
 * The table of a file that has no wrapped driver yet.  SetInfo replaces it; a file
 * whose name has an unknown prefix keeps it until OpenColl refuses the open
 * (ADIO_Open discards SetInfo's error).  Delete comes without a file.  No other
 * slot is ever called.
 */
__attribute__((visibility("hidden"))) struct ADIOI_Fns_struct ADIO_AUTOTUNE_operations = {
    .ADIOI_xxx_SetInfo = fill_and_set_info,
    .ADIOI_xxx_Feature = ADIOI_GEN_Feature,
    .ADIOI_xxx_OpenColl = ADIOI_AUTOTUNE_OpenColl,
    .ADIOI_xxx_Delete = ADIOI_AUTOTUNE_Delete,
    .fsname = "AUTOTUNE: tunes the driver it wraps",
};

/* Called by ADIO_ResolveFileType before it looks at the name, where it treats
 * every colon as the end of a prefix. */
__attribute__((visibility("hidden"))) int ADIOI_AUTOTUNE_resolve(int *file_system, ADIOI_Fns **fns,
                                                                 int *error_code)
{
    const char *forced = getenv("ROMIO_FSTYPE_FORCE");

    if (forced != NULL && strcasecmp(forced, "autotune") == 0) {
        *error_code = MPIO_Err_create_code(
            MPI_SUCCESS, MPIR_ERR_RECOVERABLE, "ADIOI_AUTOTUNE_RESOLVE", __LINE__, MPI_ERR_IO,
            "**io", "**io %s", "ROMIO_FSTYPE_FORCE=autotune lacks its colon: autotune:");
        return 1;
    }
    if (!ADIOI_AUTOTUNE_takes_all())
        return 0;
    *file_system = ADIO_AUTOTUNE;
    *fns = &ADIO_AUTOTUNE_operations;
    *error_code = MPI_SUCCESS;
    return 1;
}

/* --- MPI_File_delete */

/* MPI_File_delete: local, without a file, with every form of the name. */
void ADIOI_AUTOTUNE_Delete(const char *filename, int *error_code)
{
    const char *path;
    const ADIOI_AUTOTUNE_wrapped *wrapped = ADIOI_AUTOTUNE_wrapped_by_file(filename, &path);

    if (wrapped == NULL)
        *error_code = ADIOI_AUTOTUNE_unsupported("ADIOI_AUTOTUNE_DELETE", filename);
    else
        wrapped->fns->ADIOI_xxx_Delete(path, error_code);
}
