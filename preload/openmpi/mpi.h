/*
 * Open MPI's mpi.h, with what ROMIO expects of MPICH's.  Found before both.
 */

#ifndef ATP_OPENMPI_MPI_H
#define ATP_OPENMPI_MPI_H

/* Files are ROMIO's. */
#define ompi_file_t ADIOI_FileD

#include_next <mpi.h>

/* ROMIO asks for it where it is a part of MPICH, as here. */
#define MPICH 1

#define MPIIMPL_HAVE_MPI_COMBINER_DARRAY 1
#define MPIIMPL_HAVE_MPI_COMBINER_DUP 1
#define MPIIMPL_HAVE_MPI_COMBINER_SUBARRAY 1
#define MPI_FILE_DEFINED
#define HAVE_MPI_OFFSET
#define HAVE_MPI_DATAREP_FUNCTIONS
typedef int(MPI_Datarep_conversion_function_c)(void *, MPI_Datatype, MPI_Count, void *, MPI_Offset,
                                               void *);

#define MPICH_ATTR_POINTER_WITH_TYPE_TAG(buffer, type)

/* Nobody has it: bindings of C++ are not Open MPI's. */
#define MPIR_ERRORS_THROW_EXCEPTIONS ((MPI_Errhandler) -1)

/* Gone since MPI 3.0.  No datatype is one of these, and none was made in one of these ways. */
#undef MPI_LB
#undef MPI_UB
#define MPI_LB MPI_DATATYPE_NULL
#define MPI_UB MPI_DATATYPE_NULL
#undef MPI_COMBINER_HVECTOR_INTEGER
#undef MPI_COMBINER_HINDEXED_INTEGER
#undef MPI_COMBINER_STRUCT_INTEGER
#define MPI_COMBINER_HVECTOR_INTEGER -1
#define MPI_COMBINER_HINDEXED_INTEGER -2
#define MPI_COMBINER_STRUCT_INTEGER -3

/* An extension of MPICH: polled_requests.c. */
typedef int MPIX_Grequest_class;
typedef int(MPIX_Grequest_poll_function)(void *, MPI_Status *);
typedef int(MPIX_Grequest_wait_function)(int, void **, double, MPI_Status *);
int PMPIX_Grequest_class_create(MPI_Grequest_query_function *query,
                                MPI_Grequest_free_function *release,
                                MPI_Grequest_cancel_function *cancel,
                                MPIX_Grequest_poll_function *poll,
                                MPIX_Grequest_wait_function *wait, MPIX_Grequest_class *class_p);
int PMPIX_Grequest_class_allocate(MPIX_Grequest_class class, void *state, MPI_Request *request_p);
#define MPIX_Grequest_class_create PMPIX_Grequest_class_create
#define MPIX_Grequest_class_allocate PMPIX_Grequest_class_allocate

/* From MPI 4.0, for GPFS: large.c. */
int MPI_Alltoallv_c(const void *from, const MPI_Count *counts, const MPI_Aint *places,
                    MPI_Datatype type, void *to, const MPI_Count *to_counts,
                    const MPI_Aint *to_places, MPI_Datatype to_type, MPI_Comm comm);

#endif /* ATP_OPENMPI_MPI_H */
