/* What calls.list names: how a call's file is found, what it made, and what it did. */

#ifndef ATW_BEGIN_H
#define ATW_BEGIN_H

#include <stdio.h>
#include <sys/types.h>

#include "atw.h"

/* --- descriptors and streams; false: not seen */

bool atw_begin_fd(atw_call *call, unsigned which, int fd);
bool atw_begin_close(atw_call *call, unsigned which, int *fd);
bool atw_begin_lock(atw_call *call, unsigned which, int fd, int command);
bool atw_begin_stream(atw_call *call, unsigned which, FILE *stream);
bool atw_begin_fclose(atw_call *call, unsigned which, FILE *stream);
bool atw_begin_opens(atw_call *call, unsigned which, const char *path);
bool atw_begin_reopens(atw_call *call, unsigned which, const char *path, FILE *stream);
bool atw_begin_named(atw_call *call, unsigned which, const char *name);

void atw_made_fd(atw_call *call, int fd);
void atw_made_stream(atw_call *call, FILE *stream);

/* The offset at which the call that returned `result` began. */
int64_t atw_position(atw_call *call, int fd, ssize_t result);
int64_t atw_position2(atw_call *call, int fd, off_t offset, ssize_t result);
int64_t atw_lock_start(const atw_call *call, const void *lock);
uint64_t atw_lock_length(const void *lock);
int atw_stream_error(const atw_call *call, FILE *stream, bool is_short);

/* --- MPI (mpi.c, requests.c); handles are ints or pointers, and passed on as they came */

typedef void *atw_handle;
typedef void *atw_fh; /* a pointer everywhere */
typedef int64_t atw_count;
typedef void atw_status;

enum { ATW_MPI_SEEK_SET = 600 }; /* in both ABIs */

/* Receives a status that the program ignores. */
typedef struct atw_own_status {
    uint64_t space[8];
} atw_own_status;

bool atw_begin_mpi(atw_call *call, unsigned which, atw_fh fh);
bool atw_begin_mpiend(atw_call *call, unsigned which, atw_fh fh);
bool atw_begin_mpiclose(atw_call *call, unsigned which, atw_fh *fh);
bool atw_begin_mpiopens(atw_call *call, unsigned which, const char *name);
void atw_made_mpi(atw_call *call, atw_fh fh);
/* count, type: as passed to the call. */
void atw_made_request(atw_call *call, const void *request, atw_count count, atw_handle type);
void atw_made_split(atw_call *call, atw_fh fh);

int atw_mpi_error(int result);
atw_status *atw_mpi_status(atw_status *status, atw_own_status *own);
uint64_t atw_mpi_bytes(const atw_status *status);
/* Bytes of count elements of a type, which MPI must have accepted. */
uint64_t atw_mpi_asked(atw_count count, atw_handle type);

/* Requests that a call may complete. */
enum { ATW_COMPLETIONS = 64 };
typedef struct atw_completions {
    atw_call call;
    unsigned count;
    const void *requests;
    struct {
        int index;             /* among the requests */
        uint64_t handle;       /* before the call */
        struct atw_slot *slot; /* claimed */
        atw_activity activity;
    } some[ATW_COMPLETIONS];
} atw_completions;

/* False while there are no requests: calls then cost nothing. */
bool atw_are_requests(void);
/* false: no request belongs to a file. */
bool atw_begin_requests(atw_completions *completions, unsigned which, int count,
                        const void *requests);
/* After atw_returned.  statuses: one, one of each request, or those that indices names; NULL, none.
 */
void atw_end_one(atw_completions *completions, int result, const atw_status *status);
void atw_end_each(atw_completions *completions, int result, const atw_status *statuses);
void atw_end_some(atw_completions *completions, int result, const atw_status *statuses,
                  const int *made, const int *indices);

/* --- HDF5 (hdf5.c) */

bool atw_begin_h5(atw_call *call, unsigned which, int64_t id);
bool atw_begin_h5close(atw_call *call, unsigned which, int64_t id);
bool atw_begin_h5opens(atw_call *call, unsigned which, const char *name);
void atw_made_h5(atw_call *call, int64_t id);
uint64_t atw_h5_bytes(int64_t set, int64_t type, int64_t memory, int64_t file);

/* --- NetCDF, PnetCDF (netcdf.c) */

bool atw_begin_ncopens(atw_call *call, unsigned which, const char *name);
bool atw_begin_nc(atw_call *call, unsigned which, int id);
bool atw_begin_ncclose(atw_call *call, unsigned which, int id);
void atw_made_nc(atw_call *call, int id);

bool atw_begin_ncmpiopens(atw_call *call, unsigned which, const char *name);
bool atw_begin_ncmpi(atw_call *call, unsigned which, int id);
bool atw_begin_ncmpiclose(atw_call *call, unsigned which, int id);
void atw_made_ncmpi(atw_call *call, int id);

/* layer: one of both.  Bytes in the file: of an element, of a variable, of parts of it.  lengths:
 * of each dimension, 64 bits wide. */
uint64_t atw_cdf_one(atw_layer layer, int file, int variable);
uint64_t atw_cdf_all(atw_layer layer, int file, int variable);
uint64_t atw_cdf_part(atw_layer layer, int file, int variable, const void *lengths);
uint64_t atw_cdf_parts(atw_layer layer, int file, int variable, int parts,
                       const void *const *lengths);

#endif /* ATW_BEGIN_H */
