/*
 * The drivers that can be wrapped, and the tables that an open file of theirs
 * may have.  Uses names and ROMIO only: it knows which tables exist; the top
 * file (ad_autotune.c) knows which of their slots are ours.
 */

#ifndef AD_AUTOTUNE_WRAPPED_H_INCLUDED
#define AD_AUTOTUNE_WRAPPED_H_INCLUDED

#include "adio.h"

#pragma GCC visibility push(hidden)

/* --- what differs between versions of MPICH */

/* As the model has it (atm_job): 40202 for 4.2.2. */
#define ADIOI_AUTOTUNE_MPICH ((int) (MPICH_NUMVERSION / 1000))

/* The hint for the first OST; ROMIO knows no other (ad_lustre_open.c). */
#if MPICH_NUMVERSION >= 40200000
#define ADIOI_AUTOTUNE_START_IODEVICE "start_iodevice"
#else
#define ADIOI_AUTOTUNE_START_IODEVICE "romio_lustre_start_iodevice"
#endif

/* ADIO counts became MPI_Aint in MPICH 4.1 (adioi.h, struct ADIOI_Fns_struct). */
#if MPICH_NUMVERSION >= 40100000
typedef MPI_Aint ADIOI_AUTOTUNE_count;
#else
typedef int ADIOI_AUTOTUNE_count;
#endif

/* --- drivers and tables */

/* Functions of a table that move data. */
typedef void ADIOI_AUTOTUNE_read_slot(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                      MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                      ADIO_Status *status, int *error_code);
typedef void ADIOI_AUTOTUNE_write_slot(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                       MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                       ADIO_Status *status, int *error_code);
typedef void ADIOI_AUTOTUNE_iread_slot(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                       MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                       ADIO_Request *request, int *error_code);
typedef void ADIOI_AUTOTUNE_iwrite_slot(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                        MPI_Datatype datatype, int file_ptr_type,
                                        ADIO_Offset offset, ADIO_Request *request, int *error_code);

/* A driver that can be wrapped.  The list is constant. */
typedef struct ADIOI_AUTOTUNE_wrapped {
    const char *name;    /* as in the prefix, without the colon */
    int file_system;     /* ADIO_xxx constant */
    ADIOI_Fns *fns;      /* the driver's own table */
    unsigned long magic; /* statfs f_type; 0: for every file system without a driver */
} ADIOI_AUTOTUNE_wrapped;

/* The driver for a name that reached us: by its nested prefix, else by the file
 * system that holds or will hold it; local.  path_p gets the name without
 * prefixes.  NULL when the prefix names no driver. */
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_by_file(const char *name, const char **path_p);

/* The name without prefixes; local, and independent of the file system. */
const char *ADIOI_AUTOTUNE_path(const char *name);

/* Conversion for a broadcast; index is in [0, number of drivers), and 0 is UFS. */
int ADIOI_AUTOTUNE_wrapped_index(const ADIOI_AUTOTUNE_wrapped *wrapped);
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_at(int index);
int ADIOI_AUTOTUNE_wrapped_count(void);

/* Why this MPICH's driver must not be used, and that UFS is instead; NULL: it may be. */
const char *ADIOI_AUTOTUNE_defect(const ADIOI_AUTOTUNE_wrapped *wrapped);

/* Error code for a name whose prefix names no driver, like ROMIO's own. */
int ADIOI_AUTOTUNE_unsupported(const char *where, const char *name);

/* The tables of a wrapped driver's files. */
typedef enum {
    ADIOI_AUTOTUNE_PLAIN,    /* passed through */
    ADIOI_AUTOTUNE_TUNED,    /* decisions before collective calls */
    ADIOI_AUTOTUNE_RECORDED, /* and every access is counted */
    ADIOI_AUTOTUNE_LATE,     /* as TUNED, on Lustre, without a layout yet */
    ADIOI_AUTOTUNE_TABLES
} ADIOI_AUTOTUNE_table;

/* Zeroed; the top file fills each before the first use and never changes it
 * again. */
ADIOI_Fns *ADIOI_AUTOTUNE_slots(const ADIOI_AUTOTUNE_wrapped *wrapped, ADIOI_AUTOTUNE_table table);

/* Make fd a file of the wrapped driver, with our slots in its table. */
void ADIOI_AUTOTUNE_install(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped,
                            ADIOI_AUTOTUNE_table table);

/* Table and driver of a file with an installed table. */
ADIOI_AUTOTUNE_table ADIOI_AUTOTUNE_table_of(ADIO_File fd);
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_of(ADIO_File fd);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_WRAPPED_H_INCLUDED */
