/* Threads that take the next number until there is none left. */

#include "parallel.h"

#include <pthread.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

typedef struct crew {
    parallel *p;
    double (*work)(void *argument, int index);
    void *argument;
    int count, next;
    pthread_mutex_t lock; /* of next, p->done and p->progress */
} crew;

static void *labour(void *crew_)
{
    crew *c = crew_;
    double weight = 0;

    for (;;) {
        int index;

        pthread_mutex_lock(&c->lock);
        c->p->done += weight;
        if (weight > 0 && c->p->progress != NULL && c->p->all > 0)
            c->p->progress(c->p->context, c->p->done < c->p->all ? c->p->done / c->p->all : 1);
        index = c->next < c->count ? c->next++ : -1;
        pthread_mutex_unlock(&c->lock);
        if (index < 0)
            return NULL;
        weight = c->work(c->argument, index);
    }
}

void parallel_run(parallel *p, int count, double (*work)(void *argument, int index), void *argument)
{
    crew c = {p, work, argument, count, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[MAX_THREADS];
    int wanted = p->threads > 0 ? p->threads : (int) sysconf(_SC_NPROCESSORS_ONLN), started = 0;

    wanted = wanted < MAX_THREADS ? wanted : MAX_THREADS;
    while (started + 1 < wanted && started + 1 < count &&
           pthread_create(&threads[started], NULL, labour, &c) == 0)
        started++;
    labour(&c); /* this thread is one of them */
    while (started > 0)
        pthread_join(threads[--started], NULL);
    pthread_mutex_destroy(&c.lock);
}
