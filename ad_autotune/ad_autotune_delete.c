#include "ad_autotune.h"

#include "ad_autotune_wrapped.h"

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
