/*
 * Generalised requests that are polled, an extension of MPICH on which ROMIO's nonblocking calls
 * rest.  Open MPI's are completed by whoever started them, so that somebody has to call the poll
 * functions: the calls that test these requests or wait for them do, in the same order as in MPICH
 * (src/mpi/request/request_impl.c).  The order matters: polls of collective accesses make
 * collective calls, in which all ranks must agree.
 */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "atp.h"
#include "mpir_ext.h"

/* Called by slots only. */
int atp_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
int atp_Test(MPI_Request *request, int *flag, MPI_Status *status);
int atp_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int atp_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int atp_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int atp_Wait(MPI_Request *request, MPI_Status *status);
int atp_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int atp_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int atp_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);

/* Called by ROMIO in place of the host's. */
int atp_Grequest_complete(MPI_Request request);

/* --- classes: ROMIO makes one for each of its kinds, once */

enum { CLASSES_MAX = 16 };

typedef struct class
{
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *release;
    MPI_Grequest_cancel_function *cancel;
    MPIX_Grequest_poll_function *poll;
} class;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static class classes[CLASSES_MAX];
static int class_count;

int PMPIX_Grequest_class_create(MPI_Grequest_query_function *query,
                                MPI_Grequest_free_function *release,
                                MPI_Grequest_cancel_function *cancel,
                                MPIX_Grequest_poll_function *poll,
                                MPIX_Grequest_wait_function *wait, MPIX_Grequest_class *class_p)
{
    int rc = MPI_ERR_NO_MEM;

    (void) wait;
    pthread_mutex_lock(&mutex);
    if (class_count < CLASSES_MAX) {
        classes[class_count] = (class){query, release, cancel, poll};
        *class_p = ++class_count; /* 0: ROMIO's have not been made */
        rc = MPI_SUCCESS;
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* --- requests under way */

typedef struct under_way {
    MPI_Request request;
    MPIX_Grequest_poll_function *poll;
    void *state;
    struct under_way *next;
} under_way;

static under_way *all; /* changed inside ROMIO only, with the mutex */
static atomic_int all_count;

static under_way *find(MPI_Request request)
{
    under_way *at;

    pthread_mutex_lock(&mutex);
    for (at = all; at != NULL && at->request != request;)
        at = at->next;
    pthread_mutex_unlock(&mutex);
    return at;
}

int PMPIX_Grequest_class_allocate(MPIX_Grequest_class number, void *state, MPI_Request *request_p)
{
    const class *of = &classes[number - 1];
    under_way *new = malloc(sizeof(*new));
    int rc = MPI_ERR_NO_MEM;

    if (new != NULL)
        rc = PMPI_Grequest_start(of->query, of->release, of->cancel, state, request_p);
    if (rc != MPI_SUCCESS) {
        free(new);
        return rc;
    }
    pthread_mutex_lock(&mutex);
    *new = (under_way){*request_p, of->poll, state, all};
    all = new;
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add(&all_count, 1);
    return MPI_SUCCESS;
}

/* Once it is complete, whoever waits for it may free it. */
int atp_Grequest_complete(MPI_Request request)
{
    int (*complete)(MPI_Request);
    under_way **link = &all, *gone = find(request);

    if (gone != NULL) {
        pthread_mutex_lock(&mutex);
        while (*link != gone)
            link = &(*link)->next;
        *link = gone->next;
        pthread_mutex_unlock(&mutex);
        free(gone);
        atomic_fetch_sub(&all_count, 1);
    }
    return atp_find("PMPI_Grequest_complete", &complete) ? complete(request) : MPI_ERR_OTHER;
}

/* --- polling */

static int still_under_way(int count, const MPI_Request *requests)
{
    int still = 0;

    for (int i = 0; i < count; i++)
        still += find(requests[i]) != NULL;
    return still;
}

/* May complete requests, and start others. */
static void poll_inside(int count, const MPI_Request *requests)
{
    for (int i = 0; i < count; i++) {
        under_way *at = find(requests[i]);
        MPI_Status status;

        if (at != NULL)
            at->poll(at->state, &status);
    }
}

/* Each once, unless another thread is inside; how many are to be polled again. */
static int poll_requests(int count, const MPI_Request *requests)
{
    if (atomic_load_explicit(&all_count, memory_order_relaxed) == 0)
        return 0;
    if (atp_is_inside()) {
        poll_inside(count, requests);
    } else if (atp_cs_try()) {
        poll_inside(count, requests);
        MPIR_Ext_cs_exit();
    }
    return still_under_way(count, requests);
}

/* Until it is complete, if it is one of these. */
static void poll_through(MPI_Request request)
{
    while (poll_requests(1, &request) > 0)
        sched_yield();
}

/* --- the host's, which these names do not lead to */

static struct {
    int (*Request_get_status)(MPI_Request, int *, MPI_Status *);
    int (*Test)(MPI_Request *, int *, MPI_Status *);
    int (*Testall)(int, MPI_Request *, int *, MPI_Status *);
    int (*Testany)(int, MPI_Request *, int *, int *, MPI_Status *);
    int (*Testsome)(int, MPI_Request *, int *, int *, MPI_Status *);
    int (*Wait)(MPI_Request *, MPI_Status *);
    int (*Waitall)(int, MPI_Request *, MPI_Status *);
    int (*Waitany)(int, MPI_Request *, int *, MPI_Status *);
    int (*Waitsome)(int, MPI_Request *, int *, int *, MPI_Status *);
} host;

#define FIND(name) atp_find("PMPI_" #name, &host.name)

static void find_host(void)
{
    FIND(Request_get_status);
    FIND(Test);
    FIND(Testall);
    FIND(Testany);
    FIND(Testsome);
    FIND(Wait);
    FIND(Waitall);
    FIND(Waitany);
    FIND(Waitsome);
}

static void need_host(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_host);
}

/* --- tests */

int atp_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    need_host();
    poll_requests(1, &request);
    return host.Request_get_status(request, flag, status);
}

int atp_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    need_host();
    poll_requests(1, request);
    return host.Test(request, flag, status);
}

int atp_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    need_host();
    poll_requests(count, requests);
    return host.Testall(count, requests, flag, statuses);
}

int atp_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status)
{
    need_host();
    poll_requests(count, requests);
    return host.Testany(count, requests, index, flag, status);
}

int atp_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    need_host();
    poll_requests(count, requests);
    return host.Testsome(count, requests, done, indices, statuses);
}

/* --- waits */

int atp_Wait(MPI_Request *request, MPI_Status *status)
{
    need_host();
    poll_through(*request);
    return host.Wait(request, status);
}

/* One after the other, as MPICH. */
int atp_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    need_host();
    for (int i = 0; i < count; i++)
        poll_through(requests[i]);
    return host.Waitall(count, requests, statuses);
}

int atp_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    int flag = 0, rc;

    need_host();
    while (poll_requests(count, requests) > 0) {
        rc = host.Testany(count, requests, index, &flag, status);
        if (rc != MPI_SUCCESS || flag)
            return rc;
        sched_yield();
    }
    return host.Waitany(count, requests, index, status);
}

int atp_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    int rc;

    need_host();
    while (poll_requests(count, requests) > 0) {
        rc = host.Testsome(count, requests, done, indices, statuses);
        if (rc != MPI_SUCCESS || *done != 0)
            return rc;
        sched_yield();
    }
    return host.Waitsome(count, requests, done, indices, statuses);
}
