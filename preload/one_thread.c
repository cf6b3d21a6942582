/* One thread at a time in ROMIO, as in MPICH (src/glue/romio/glue_romio.c). */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "atp.h"
#include "mpir_ext.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool is_threaded(void)
{
    static atomic_int known = -1; /* does not change once MPI is initialised */
    int level = atomic_load_explicit(&known, memory_order_relaxed);

    if (level < 0 && PMPI_Query_thread(&level) == MPI_SUCCESS)
        atomic_store_explicit(&known, level, memory_order_relaxed);
    return level == MPI_THREAD_MULTIPLE;
}

/* How often this thread is inside. */
static _Thread_local int depth;

void MPIR_Ext_cs_enter(void)
{
    if (is_threaded())
        pthread_mutex_lock(&mutex);
    depth++;
}

bool atp_is_inside(void)
{
    return depth > 0;
}

bool atp_cs_try(void)
{
    if (is_threaded() && pthread_mutex_trylock(&mutex) != 0)
        return false;
    depth++;
    return true;
}

void MPIR_Ext_cs_exit(void)
{
    depth--;
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
