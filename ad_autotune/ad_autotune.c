#include "ad_autotune.h"

#include "adioi.h"

/*
 * The table of a file that has no wrapped driver yet.  SetInfo, the first call
 * of every open, replaces it; a file whose name has an unknown prefix keeps
 * it until OpenColl refuses the open (ADIO_Open discards SetInfo's error).
 * Delete comes without a file.  No other slot is ever called.
 */
__attribute__((visibility("hidden"))) struct ADIOI_Fns_struct ADIO_AUTOTUNE_operations = {
    .ADIOI_xxx_SetInfo = ADIOI_AUTOTUNE_SetInfo,
    .ADIOI_xxx_Feature = ADIOI_GEN_Feature,
    .ADIOI_xxx_OpenColl = ADIOI_AUTOTUNE_OpenColl,
    .ADIOI_xxx_Delete = ADIOI_AUTOTUNE_Delete,
    .fsname = "AUTOTUNE: tunes the driver it wraps",
};
