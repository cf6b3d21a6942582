/*
 * Questions about datatypes that ROMIO asks MPICH: is one contiguous, is it committed.  Answers
 * are kept with the datatype, as an attribute.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "atp.h"
#include "layout.h"
#include "mpir_ext.h"

/* ROMIO's own function, for which it has no header (adio/common/iscontig.c). */
void MPIR_Datatype_iscontig(MPI_Datatype type, int *flag);

/* Bits of the attribute. */
enum { LOOKED_AT = 1, CONTIGUOUS = 2, COMMITTED = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int type_key = MPI_KEYVAL_INVALID;
static MPI_Comm quiet = MPI_COMM_NULL;

#ifdef OPEN_MPI
static bool is_basic(MPI_Datatype type)
{
    int integers, addresses, types, combiner;

    return type != MPI_DATATYPE_NULL &&
           PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}
#else
/* A part of MPICH's ABI: handles of basic types, and only those, begin with these bits. */
static bool is_basic(MPI_Datatype type)
{
    return (uint32_t) type >> 30 == 1 && type != MPI_DATATYPE_NULL;
}
#endif

/* --- what is needed for it, until MPI_Finalize */

/* Attributes of MPI_COMM_SELF are deleted first there. */
static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    (void) comm, (void) value, (void) extra;
    if (quiet != MPI_COMM_NULL)
        PMPI_Comm_free(&quiet);
    if (type_key != MPI_KEYVAL_INVALID)
        PMPI_Type_free_keyval(&type_key);
    return PMPI_Comm_free_keyval(&key);
}

static void prepare(void)
{
    int self_key;

    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &self_key, NULL) != MPI_SUCCESS)
        return;
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
    if (PMPI_Comm_dup(MPI_COMM_SELF, &quiet) == MPI_SUCCESS)
        PMPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
    PMPI_Comm_set_attr(MPI_COMM_SELF, self_key, NULL);
}

/* A duplicate of MPI_COMM_SELF on which errors return; MPI_COMM_NULL: cannot be had.  Freed in
 * MPI_Finalize. */
static MPI_Comm quiet_comm(void)
{
    MPI_Comm comm;

    pthread_mutex_lock(&mutex);
    if (quiet == MPI_COMM_NULL)
        prepare();
    comm = quiet;
    pthread_mutex_unlock(&mutex);
    return comm;
}

/* --- answers */

static int read_bits(MPI_Datatype type)
{
    void *value;
    int found = 0;

    if (type_key == MPI_KEYVAL_INVALID ||
        PMPI_Type_get_attr(type, type_key, &value, &found) != MPI_SUCCESS || !found)
        return 0;
    return (int) (intptr_t) value;
}

static void keep_bits(MPI_Datatype type, int bits)
{
    if (quiet_comm() != MPI_COMM_NULL && type_key != MPI_KEYVAL_INVALID)
        PMPI_Type_set_attr(type, type_key, (void *) (intptr_t) bits);
}

void MPIR_Datatype_iscontig(MPI_Datatype type, int *flag)
{
    int bits;

    if (is_basic(type)) {
        *flag = 1;
        return;
    }
    bits = read_bits(type);
    if (!(bits & LOOKED_AT)) {
        bits |= LOOKED_AT | (atp_is_contiguous(type) ? CONTIGUOUS : 0);
        keep_bits(type, bits);
    }
    *flag = (bits & CONTIGUOUS) != 0;
}

/* MPI has no question for it: calls that need a committed type refuse others. */
int MPIR_Ext_datatype_iscommitted(MPI_Datatype type)
{
    MPI_Comm comm;
    int bits, size, place = 0, rc;
    char nothing;

    if (is_basic(type))
        return MPI_SUCCESS;
    comm = quiet_comm();
    if (type == MPI_DATATYPE_NULL || comm == MPI_COMM_NULL)
        return MPI_ERR_TYPE;
    bits = read_bits(type);
    if (bits & COMMITTED)
        return MPI_SUCCESS;
    size = sizeof(nothing);
    rc = PMPI_Pack(&nothing, 0, type, &nothing, size, &place, comm);
    if (rc == MPI_SUCCESS)
        keep_bits(type, bits | COMMITTED);
    return rc;
}
