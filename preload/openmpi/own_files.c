/*
 * Files that stay Open MPI's own.  Of two processes its ompio lets each write its pieces by itself,
 * where ROMIO sends those of one to the other: on file systems without stripes and locks to choose
 * for, ROMIO's best is not as good then (README.md).  So a file without a prefix is left to Open
 * MPI where nobody asked for the driver, and in mode automatic if two processes open it on ufs or
 * nfs. Calls on its handle go there: either.S.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ad_autotune_name.h"
#include "atp.h"
#include "cookie.h"

/* Called by slots only. */
int atp_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file_p);
int atp_File_close(MPI_File *file_p);
MPI_Fint atp_File_c2f(MPI_File file);
MPI_File atp_File_f2c(MPI_Fint handle);
int atp_Register_datarep(const char *name, MPI_Datarep_conversion_function *read,
                         MPI_Datarep_conversion_function *write,
                         MPI_Datarep_extent_function *extent, void *extra);

/* ROMIO's. */
int atp_romio_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file_p);
int atp_romio_File_close(MPI_File *file_p);
MPI_Fint atp_romio_File_c2f(MPI_File file);
MPI_File atp_romio_File_f2c(MPI_Fint handle);
int atp_romio_Register_datarep(const char *name, MPI_Datarep_conversion_function *read,
                               MPI_Datarep_conversion_function *write,
                               MPI_Datarep_extent_function *extent, void *extra);

/* --- the host's */

static const char *const names[] = {
#include "either-names.h"
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

__attribute__((visibility("hidden"))) atp_function *atp_theirs[NAMES];

static struct {
    int (*open)(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
    int (*close)(MPI_File *);
    MPI_Fint (*c2f)(MPI_File);
    MPI_File (*f2c)(MPI_Fint);
    int (*register_datarep)(const char *, MPI_Datarep_conversion_function *,
                            MPI_Datarep_conversion_function *, MPI_Datarep_extent_function *,
                            void *);
} host;

static bool verbose;

static int nowhere(void)
{
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

void atp_find_theirs(const atp_wishes *wishes)
{
    verbose = wishes->verbose;
    for (int i = 0; i < NAMES; i++)
        if (!atp_find(names[i], &atp_theirs[i]))
            atp_theirs[i] = (atp_function *) nowhere;
    atp_find("PMPI_File_open", &host.open);
    atp_find("PMPI_File_close", &host.close);
    atp_find("PMPI_File_c2f", &host.c2f);
    atp_find("PMPI_File_f2c", &host.f2c);
    atp_find("PMPI_Register_datarep", &host.register_datarep);
}

static bool begins_as_romios(MPI_File file)
{
    int first;

    memcpy(&first, file, sizeof(first));
    return first == ATP_ROMIO_FILE;
}

bool atp_is_theirs(MPI_File file)
{
    return file != NULL && file != MPI_FILE_NULL && !begins_as_romios(file);
}

/* --- whose a new file is */

/* Value of a hint, or of its variable; "" where neither is set. */
static void value_of(MPI_Info info, const char *key, const char *variable,
                     char value[MPI_MAX_INFO_VAL + 1])
{
    const char *found = secure_getenv(variable);
    int flag = 0;

    if (info != MPI_INFO_NULL)
        PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (!flag)
        snprintf(value, MPI_MAX_INFO_VAL + 1, "%s", found != NULL ? found : "");
}

static bool is_automatic(MPI_Info info)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    char value[MPI_MAX_INFO_VAL + 1];

    value_of(info, "romio_autotune", "ROMIO_AUTOTUNE", value);
    /* the driver complains about others */
    return (value[0] == '\0' || ADIOI_AUTOTUNE_parse_mode(value, &mode) == 0) &&
           mode == ADIOI_AUTOTUNE_AUTOMATIC;
}

/* ompio's MPI_File_get_info has no place for it. */
static void tell(const char *name, MPI_Info info)
{
    static bool told;
    char value[MPI_MAX_INFO_VAL + 1];

    value_of(info, "romio_autotune_explain", "ROMIO_AUTOTUNE_EXPLAIN", value);
    if (value[0] == '\0' && (!verbose || told))
        return;
    told = true;
    fprintf(stderr,
            "romio-autotune: in mode automatic files of two processes on ufs and nfs are left to "
            "Open MPI's own MPI-IO: %s\n",
            name);
}

/* On rank 0. */
static bool is_left(const char *name, MPI_Info info, int ranks)
{
    const char *forced = secure_getenv("ROMIO_FSTYPE_FORCE"), *prefix, *wrapped;
    size_t length;

    /* Open MPI's handles could not be told from ROMIO's */
    if (host.open == NULL || begins_as_romios(MPI_FILE_NULL))
        return false;
    if (name == NULL || forced != NULL || ADIOI_AUTOTUNE_split_name(name, &prefix, &length) != name)
        return false;
    if (!ADIOI_AUTOTUNE_takes_all())
        return true;
    wrapped = ADIOI_AUTOTUNE_driver_name(name);
    if (ranks != 2 || !is_automatic(info) ||
        (strcmp(wrapped, "ufs") != 0 && strcmp(wrapped, "nfs") != 0))
        return false;
    tell(name, info);
    return true;
}

/* Decides on rank 0 whether a file is left to Open MPI; collective. */
static bool leave(MPI_Comm comm, const char *name, MPI_Info info)
{
    int between_groups = 0, rank = 0, ranks = 0, left = 0;

    /* ROMIO says what is wrong with it */
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &between_groups) != MPI_SUCCESS ||
        between_groups || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(comm, &ranks) != MPI_SUCCESS)
        return false;
    if (rank == 0)
        left = is_left(name, info, ranks);
    return PMPI_Bcast(&left, 1, MPI_INT, 0, comm) == MPI_SUCCESS && left;
}

int atp_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file_p)
{
    if (!leave(comm, name, info))
        return atp_romio_File_open(comm, name, mode, info, file_p);
    atp_error_forget();
    return host.open(comm, name, mode, info, file_p);
}

/* --- where the handle is not the first argument, or not one */

int atp_File_close(MPI_File *file_p)
{
    if (file_p == NULL || !atp_is_theirs(*file_p))
        return atp_romio_File_close(file_p);
    return host.close(file_p);
}

/* Fortran's handles of Open MPI are positive, as ROMIO's are: below 0 they are Open MPI's. */
MPI_Fint atp_File_c2f(MPI_File file)
{
    return atp_is_theirs(file) ? -host.c2f(file) : atp_romio_File_c2f(file);
}

MPI_File atp_File_f2c(MPI_Fint handle)
{
    return handle < 0 && host.f2c != NULL ? host.f2c(-handle) : atp_romio_File_f2c(handle);
}

int atp_Register_datarep(const char *name, MPI_Datarep_conversion_function *read,
                         MPI_Datarep_conversion_function *write,
                         MPI_Datarep_extent_function *extent, void *extra)
{
    int rc = atp_romio_Register_datarep(name, read, write, extent, extra);

    /* ROMIO's files cannot have it; what the host says of its own is known when one is opened */
    if (rc == MPI_SUCCESS && host.register_datarep != NULL)
        host.register_datarep(name, read, write, extent, extra);
    return rc;
}
