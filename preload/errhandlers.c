/*
 * Error handlers of files.  The host knows what it calls for a handler, but tells nobody; so the
 * functions are noted when handlers are created.  A handler lives until its maker has freed it and
 * no file has it any more.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "atp.h"
#include "mpir_ext.h"

/* Called by slots only. */
int atp_File_create_errhandler(MPI_File_errhandler_function *function, MPI_Errhandler *handler_p);
int atp_File_set_errhandler(MPI_File file, MPI_Errhandler handler);
int atp_File_get_errhandler(MPI_File file, MPI_Errhandler *handler_p);
int atp_File_call_errhandler(MPI_File file, int code);
int atp_Errhandler_free(MPI_Errhandler *handler);

/* MPICH's entry for its C++ bindings. */
void MPII_Errhandler_set_cxx(MPI_Errhandler handler, void (*call)(void));

typedef struct known {
    MPI_Errhandler handler;
    MPI_File_errhandler_function *function;
    bool cxx;
    int users; /* files, and programs that have not freed it */
    struct known *next;
} known;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static known *all;
static void (*cxx_call)(int, int *, int *, void (*)(void));

/* mutex is held */
static known *find(MPI_Errhandler handler)
{
    known *at = all;

    while (at != NULL && at->handler != handler)
        at = at->next;
    return at;
}

/* --- from creation to the end */

int atp_File_create_errhandler(MPI_File_errhandler_function *function, MPI_Errhandler *handler_p)
{
    int (*create)(MPI_File_errhandler_function *, MPI_Errhandler *);
    known *new = malloc(sizeof(*new));
    int rc = MPI_ERR_NO_MEM;

    if (new != NULL && atp_find("PMPI_File_create_errhandler", &create))
        rc = create(function, handler_p);
    if (rc != MPI_SUCCESS) {
        free(new);
        return rc;
    }
    *new = (known){.handler = *handler_p, .function = function, .users = 1};
    pthread_mutex_lock(&mutex);
    new->next = all;
    all = new;
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}

void MPII_Errhandler_set_cxx(MPI_Errhandler handler, void (*call)(void))
{
    void (*theirs)(MPI_Errhandler, void (*)(void));
    known *at;

    pthread_mutex_lock(&mutex);
    at = find(handler);
    if (at != NULL)
        at->cxx = true;
    memcpy(&cxx_call, &call, sizeof(cxx_call));
    pthread_mutex_unlock(&mutex);
    if (atp_find("MPII_Errhandler_set_cxx", &theirs))
        theirs(handler, call);
}

/* False if it is not known here. */
static bool keep(MPI_Errhandler handler)
{
    known *at;

    pthread_mutex_lock(&mutex);
    at = find(handler);
    if (at != NULL)
        at->users++;
    pthread_mutex_unlock(&mutex);
    return at != NULL;
}

/* False if it is not known here.  *last_p: the host can forget it as well. */
static bool release(MPI_Errhandler handler, bool *last_p)
{
    known *at, **link = &all, *gone = NULL;
    bool found;

    pthread_mutex_lock(&mutex);
    at = find(handler);
    found = at != NULL;
    if (found && --at->users == 0) {
        while (*link != at)
            link = &(*link)->next;
        *link = at->next;
        gone = at;
    }
    pthread_mutex_unlock(&mutex);
    *last_p = gone != NULL;
    free(gone);
    return found;
}

static int free_in_host(MPI_Errhandler *handler)
{
    int (*theirs)(MPI_Errhandler *);

    return atp_find("PMPI_Errhandler_free", &theirs) ? theirs(handler) : MPI_ERR_OTHER;
}

int atp_Errhandler_free(MPI_Errhandler *handler)
{
    bool last;

    if (release(*handler, &last) && !last) {
        *handler = MPI_ERRHANDLER_NULL;
        return MPI_SUCCESS;
    }
    return free_in_host(handler);
}

/* --- of a file that is the host's */

static int set_theirs(MPI_File file, MPI_Errhandler handler)
{
    int (*theirs)(MPI_File, MPI_Errhandler);

    return atp_find("PMPI_File_set_errhandler", &theirs) ? theirs(file, handler) : MPI_ERR_OTHER;
}

/* Moves the host's reference to the count kept here, which the caller's free will lower. */
static int get_theirs(MPI_File file, MPI_Errhandler *handler_p)
{
    int (*theirs)(MPI_File, MPI_Errhandler *);
    int rc =
        atp_find("PMPI_File_get_errhandler", &theirs) ? theirs(file, handler_p) : MPI_ERR_OTHER;

    if (rc == MPI_SUCCESS && keep(*handler_p)) {
        MPI_Errhandler counted = *handler_p;

        free_in_host(&counted);
    }
    return rc;
}

static int call_theirs(MPI_File file, int code)
{
    int (*theirs)(MPI_File, int);

    return atp_find("PMPI_File_call_errhandler", &theirs) ? theirs(file, code) : MPI_ERR_OTHER;
}

/* --- of a file */

int atp_File_set_errhandler(MPI_File file, MPI_Errhandler handler)
{
    MPI_Errhandler old;
    bool last;
    int rc;

    if (atp_is_theirs(file))
        return set_theirs(file, handler);
    rc = MPIR_ROMIO_Get_file_errhand(file, &old);
    if (rc != MPI_SUCCESS)
        return rc;
    keep(handler);
    MPIR_ROMIO_Set_file_errhand(file, handler);
    release(old, &last);
    if (last)
        free_in_host(&old);
    /* of files that will be opened, by whomever */
    return ATP_LEAVES_FILES && file == MPI_FILE_NULL ? set_theirs(file, handler) : MPI_SUCCESS;
}

int atp_File_get_errhandler(MPI_File file, MPI_Errhandler *handler_p)
{
    MPI_Errhandler found;
    int rc;

    if (atp_is_theirs(file))
        return get_theirs(file, handler_p);
    rc = MPIR_ROMIO_Get_file_errhand(file, &found);
    if (rc != MPI_SUCCESS)
        return rc;
    keep(found);
    *handler_p = found != 0 ? found : MPI_ERRORS_RETURN;
    return MPI_SUCCESS;
}

int atp_File_call_errhandler(MPI_File file, int code)
{
    MPI_Errhandler handler;
    int rc;

    if (atp_is_theirs(file))
        return call_theirs(file, code);
    rc = MPIR_ROMIO_Get_file_errhand(file, &handler);
    if (rc == MPI_SUCCESS)
        MPIO_Err_return_file(file, code);
    return rc;
}

/* --- what ROMIO asks */

/* Kinds: see mpir_ext.h. */
void MPIR_Get_file_error_routine(MPI_Errhandler handler,
                                 void (**function_p)(MPI_File *, int *, ...), int *kind_p)
{
    known *at;

    *function_p = NULL;
    *kind_p = handler == MPI_ERRORS_RETURN ? 1 : 0;
    pthread_mutex_lock(&mutex);
    at = find(handler);
    if (at != NULL) {
        *function_p = at->function;
        *kind_p = at->cxx ? 3 : 2;
    }
    pthread_mutex_unlock(&mutex);
}

int MPIR_File_call_cxx_errhandler(MPI_File *file, int *code,
                                  void (*function)(MPI_File *, int *, ...))
{
    void *handle = file;

    if (cxx_call != NULL)
        cxx_call(1, handle, code, (void (*)(void)) function);
    *code = MPI_SUCCESS; /* as MPICH: else its C++ bindings throw */
    return MPI_SUCCESS;
}
