/*
 * For the copy inside libmpi.  MPI is called by its profiling names, so that
 * tools which count an application's calls do not see ours (as ROMIO's
 * mpipr.h); our symbols get names of their own, so that a static libmpi
 * can be linked with a program that has this library too.
 */

#ifndef ATC_EMBEDDED_H
#define ATC_EMBEDDED_H

#define MPI_Allreduce PMPI_Allreduce
#define MPI_Bcast PMPI_Bcast
#define MPI_Comm_create_keyval PMPI_Comm_create_keyval
#define MPI_Comm_free PMPI_Comm_free
#define MPI_Comm_free_keyval PMPI_Comm_free_keyval
#define MPI_Comm_get_attr PMPI_Comm_get_attr
#define MPI_Comm_rank PMPI_Comm_rank
#define MPI_Comm_set_attr PMPI_Comm_set_attr
#define MPI_Comm_size PMPI_Comm_size
#define MPI_Comm_split_type PMPI_Comm_split_type
#define MPI_Exscan PMPI_Exscan
#define MPI_Gather PMPI_Gather
#define MPI_Gatherv PMPI_Gatherv
#define MPI_Get_processor_name PMPI_Get_processor_name
#define MPI_Info_get PMPI_Info_get
#define MPI_Scatter PMPI_Scatter

#define MPI_Op_create PMPI_Op_create
#define MPI_Op_free PMPI_Op_free
#define MPI_Reduce PMPI_Reduce
#define MPI_Type_commit PMPI_Type_commit
#define MPI_Type_contiguous PMPI_Type_contiguous
#define MPI_Type_free PMPI_Type_free

#define atc_access_in_run ADIOI_AUTOTUNE_atc_access_in_run
#define atc_access_join ADIOI_AUTOTUNE_atc_access_join
#define atc_access_of_rank ADIOI_AUTOTUNE_atc_access_of_rank
#define atc_access_sum ADIOI_AUTOTUNE_atc_access_sum
#define atc_agree ADIOI_AUTOTUNE_atc_agree
#define atc_cache_get ADIOI_AUTOTUNE_atc_cache_get
#define atc_cache_put ADIOI_AUTOTUNE_atc_cache_put
#define atc_nics_count ADIOI_AUTOTUNE_atc_nics_count
#define atc_nics_told ADIOI_AUTOTUNE_atc_nics_told
#define atc_nodemap_get ADIOI_AUTOTUNE_atc_nodemap_get
#define atc_status_text ADIOI_AUTOTUNE_atc_status_text

#endif /* ATC_EMBEDDED_H */
