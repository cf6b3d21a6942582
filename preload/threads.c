/* One thread at a time in ROMIO, as in MPICH (src/glue/romio/glue_romio.c). */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "atp.h"
#include "mpir_ext.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool is_threaded(void)
{
    static _Thread_local int level = -1; /* does not change once MPI is initialised */

    if (level < 0 && PMPI_Query_thread(&level) != MPI_SUCCESS)
        level = -1;
    return level == MPI_THREAD_MULTIPLE;
}

void MPIR_Ext_cs_enter(void)
{
    if (is_threaded())
        pthread_mutex_lock(&mutex);
}

void MPIR_Ext_cs_exit(void)
{
    if (is_threaded())
        pthread_mutex_unlock(&mutex);
}

/* --- what MPICH does at this place as well */

int MPIR_Ext_init(void)
{
    return MPI_SUCCESS;
}

int MPIR_Ext_assert_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "romio-autotune: %s:%d: not true: %s\n", file, line, condition);
    return PMPI_Abort(MPI_COMM_WORLD, 1);
}
