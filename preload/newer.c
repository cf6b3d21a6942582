/* What only the ROMIO of MPICH 4.3 and later asks (its mpir_ext.h); declared here because the
 * header of an earlier one does not. */

#include <stddef.h>

#include "atp.h"

int MPIR_Ext_datatype_iscontig(MPI_Datatype type, int *flag);
int MPIR_Call_file_errhandler(MPI_Errhandler handler, int code, MPI_File file);
void *MPIR_Ext_gpu_host_alloc(const void *buffer, MPI_Aint count, MPI_Datatype type);
void MPIR_Ext_gpu_host_free(void *host, MPI_Aint count, MPI_Datatype type);
void *MPIR_Ext_gpu_host_swap(const void *buffer, MPI_Aint count, MPI_Datatype type);
void MPIR_Ext_gpu_swap_back(void *host, void *buffer, MPI_Aint count, MPI_Datatype type);

/* What earlier ones ask (datatypes.c, errhandlers.c). */
void MPIR_Datatype_iscontig(MPI_Datatype type, int *flag);
void MPIR_Get_file_error_routine(MPI_Errhandler handler,
                                 void (**function_p)(MPI_File *, int *, ...), int *kind_p);
int MPIR_File_call_cxx_errhandler(MPI_File *file, int *code,
                                  void (*function)(MPI_File *, int *, ...));

int MPIR_Ext_datatype_iscontig(MPI_Datatype type, int *flag)
{
    MPIR_Datatype_iscontig(type, flag);
    return MPI_SUCCESS;
}

int MPIR_Call_file_errhandler(MPI_Errhandler handler, int code, MPI_File file)
{
    void (*function)(MPI_File *, int *, ...);
    int kind;

    MPIR_Get_file_error_routine(handler, &function, &kind);
    if (function == NULL)
        return code;
    if (kind == 3)
        MPIR_File_call_cxx_errhandler(&file, &code, function);
    else
        function(&file, &code);
    return MPI_SUCCESS; /* as MPICH (errutil.c, MPIR_call_errhandler) */
}

/* --- buffers: NULL, as for one that is not on a GPU; of those we know nothing */

void *MPIR_Ext_gpu_host_alloc(const void *buffer, MPI_Aint count, MPI_Datatype type)
{
    (void) buffer, (void) count, (void) type;
    return NULL;
}

void MPIR_Ext_gpu_host_free(void *host, MPI_Aint count, MPI_Datatype type)
{
    (void) host, (void) count, (void) type;
}

void *MPIR_Ext_gpu_host_swap(const void *buffer, MPI_Aint count, MPI_Datatype type)
{
    (void) buffer, (void) count, (void) type;
    return NULL;
}

void MPIR_Ext_gpu_swap_back(void *host, void *buffer, MPI_Aint count, MPI_Datatype type)
{
    (void) host, (void) buffer, (void) count, (void) type;
}
