#include "neighbours.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "collector.h"
#include "common/clock.h"
#include "common/rng.h"
#include "neighbours_file.h"

enum {
    MOST = 64,     /* neighbours that are looked at: of a large system, a sample */
    NAMES = 65536, /* in a folder */
    BEAT = 5,      /* seconds between two writes if nothing changes */
    STALE = 16     /* seconds */
};

/* What is known of a file. */
typedef struct known {
    char name[NEIGHBOURS_NAME];
    uint64_t rank; /* those with the lowest are looked at */
    int64_t sequence;
    double changed; /* when it was last seen to */
    bool is_active, is_suspect, is_raised, is_there;
} known;

struct neighbours {
    char dir[PATH_MAX - 2 * NEIGHBOURS_NAME], name[NEIGHBOURS_NAME];
    char ending[32]; /* of the names of a user's */
    int news;        /* or -1 */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work;
    /* under the lock */
    atw_outlook told;
    bool is_told, stops, is_left; /* left: nobody waits for the end */
    uint64_t asked;
    neighbours_view view;
    /* the thread's */
    int64_t sequence;
    uid_t owner;
    bool complained;
    known all[MOST];
    size_t count;
};

/* --- our own file */

static void complain(neighbours *n, const char *problem)
{
    if (!n->complained)
        say("%s: %s: %m", n->dir, problem);
    n->complained = true;
}

static void write_own(neighbours *n, const atw_outlook *o)
{
    const neighbours_said said = {.sequence = ++n->sequence,
                                  .time = (int64_t) time(NULL),
                                  .processes = o->processes.active,
                                  .slow = o->processes.suspect,
                                  .is_suspect = atw_outlook_is_suspect(o),
                                  .is_raised = o->processes.raised > 0};

    if (neighbours_file_write(n->dir, n->name, &said, &n->owner))
        n->complained = false;
    else
        complain(n, "cannot be written");
}

/* --- those of others */

static known *find(neighbours *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->all[i].name, name) == 0)
            return &n->all[i];
    return NULL;
}

/* A sample is the same each time, and another on each node. */
static known *place_for(neighbours *n, const char *name)
{
    uint64_t rank = 0;
    known *last = &n->all[0];

    for (const char *at = n->name; *at != '\0'; at++)
        rank = rng_hash(rank, (unsigned char) *at);
    for (const char *at = name; *at != '\0'; at++)
        rank = rng_hash(rank, (unsigned char) *at);
    if (n->count < MOST)
        last = &n->all[n->count++];
    else {
        for (size_t i = 1; i < n->count; i++)
            if (n->all[i].rank > last->rank)
                last = &n->all[i];
        if (last->rank <= rank)
            return NULL;
    }
    *last = (known){.rank = rank, .sequence = -1, .changed = -STALE - 1};
    snprintf(last->name, sizeof(last->name), "%.*s", NEIGHBOURS_NAME - 1, name);
    return last;
}

/* One that is seen for the first time has nothing but its time to tell whether it is of now. */
static void take(known *k, const neighbours_said *said)
{
    bool is_new = k->sequence < 0;

    k->is_there = true;
    if (said->sequence != k->sequence &&
        (!is_new || llabs((int64_t) time(NULL) - said->time) <= STALE))
        k->changed = clock_steady();
    k->sequence = said->sequence;
    k->is_active = said->processes > 0;
    k->is_suspect = said->is_suspect;
    k->is_raised = said->is_raised;
}

static bool is_name(const neighbours *n, const char *name)
{
    size_t length = strlen(name);

    return name[0] != '.' && length < NEIGHBOURS_NAME && length > strlen(n->ending) &&
           strcmp(name + length - strlen(n->ending), n->ending) == 0 && strcmp(name, n->name) != 0;
}

static void read_others(neighbours *n)
{
    DIR *folder = opendir(n->dir);
    struct dirent *entry;

    if (folder == NULL) {
        complain(n, "cannot be read");
        return;
    }
    for (size_t i = 0; i < n->count; i++)
        n->all[i].is_there = false;
    for (int i = 0; i < NAMES && (entry = readdir(folder)) != NULL; i++) {
        known *k = is_name(n, entry->d_name) ? find(n, entry->d_name) : NULL;
        neighbours_said said;

        if (k == NULL && is_name(n, entry->d_name))
            k = place_for(n, entry->d_name);
        if (k != NULL && neighbours_file_read(n->dir, k->name, n->owner, &said))
            take(k, &said);
    }
    closedir(folder);
}

static neighbours_view view_of(const neighbours *n)
{
    neighbours_view view = {.is_first = true};
    double now = clock_steady();

    for (size_t i = 0; i < n->count; i++) {
        const known *k = &n->all[i];

        if (!k->is_there || now - k->changed > STALE || !k->is_active)
            continue;
        view.group.active++;
        view.group.suspect += k->is_suspect;
        view.group.raised += k->is_raised;
        if (k->is_suspect && strcmp(k->name, n->name) < 0)
            view.is_first = false;
    }
    return view;
}

/* --- the end */

static void end(neighbours *n)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", n->dir, n->name) < (int) sizeof(path))
        unlink(path);
    pthread_mutex_destroy(&n->lock);
    pthread_cond_destroy(&n->work);
    free(n);
}

/* --- the thread */

static void wait_for_work(neighbours *n, double until)
{
    struct timespec end = {(time_t) until, (long) ((until - (double) (time_t) until) * 1e9)};

    while (!n->stops && n->is_told && n->view.look >= n->asked && clock_steady() < until)
        pthread_cond_timedwait(&n->work, &n->lock, &end);
}

static void *run(void *context)
{
    neighbours *n = context;
    double beat = 0;
    bool is_left;

    pthread_mutex_lock(&n->lock);
    while (!n->stops) {
        atw_outlook told = n->told;
        uint64_t asked = n->asked;
        bool is_due = clock_steady() >= beat, writes = !n->is_told || is_due;
        neighbours_view view;

        n->is_told = true;
        pthread_mutex_unlock(&n->lock);
        if (writes) {
            write_own(n, &told);
            beat = clock_steady() + BEAT;
        }
        if (is_due || asked > n->view.look)
            read_others(n);
        view = view_of(n);
        view.look = asked;
        pthread_mutex_lock(&n->lock);
        if (n->news >= 0 && view.look > n->view.look)
            eventfd_write(n->news, 1);
        n->view = view;
        wait_for_work(n, beat);
    }
    is_left = n->is_left;
    pthread_mutex_unlock(&n->lock);
    if (is_left)
        end(n);
    return NULL;
}

/* --- start and end */

static void make_name(neighbours *n, const char *socket, uid_t uid)
{
    char host[65] = "";
    uint64_t hash = (uint64_t) geteuid();

    gethostname(host, sizeof(host) - 1);
    for (const char *at = socket; *at != '\0'; at++)
        hash = rng_hash(hash, (unsigned char) *at);
    snprintf(n->ending, sizeof(n->ending), "-%lu.health", (unsigned long) uid);
    snprintf(n->name, sizeof(n->name), "%s-%08x%s", host, (unsigned) hash, n->ending);
}

neighbours *neighbours_start(const char *dir, const char *socket, uid_t uid, int news)
{
    neighbours *n = calloc(1, sizeof(*n));
    pthread_condattr_t clock;

    if (n == NULL || strlen(dir) >= sizeof(n->dir)) {
        say("%s: the name is too long, or there is no memory", dir);
        free(n);
        return NULL;
    }
    snprintf(n->dir, sizeof(n->dir), "%s", dir);
    make_name(n, socket, uid);
    n->news = news;
    n->view.is_first = true;
    n->sequence = (int64_t) time(NULL) * 1000; /* after a restart, too, it changes */
    pthread_mutex_init(&n->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&n->work, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&n->thread, NULL, run, n) == 0)
        return n;
    say("no memory for a thread");
    free(n);
    return NULL;
}

static void tell_to_stop(neighbours *n, bool is_left)
{
    pthread_mutex_lock(&n->lock);
    n->stops = true;
    n->is_left = is_left;
    pthread_cond_signal(&n->work);
    pthread_mutex_unlock(&n->lock);
}

void neighbours_leave(neighbours *n)
{
    if (n == NULL)
        return;
    pthread_detach(n->thread);
    tell_to_stop(n, true);
}

void neighbours_stop(neighbours *n)
{
    struct timespec patience;

    if (n == NULL)
        return;
    tell_to_stop(n, false);
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += 2;
    if (pthread_timedjoin_np(n->thread, NULL, &patience) != 0)
        return; /* it waits for the file system; the process ends */
    end(n);
}

/* --- by whoever listens */

static bool is_alike(const atw_outlook *a, const atw_outlook *b)
{
    return atw_outlook_is_suspect(a) == atw_outlook_is_suspect(b) &&
           (a->processes.raised > 0) == (b->processes.raised > 0) &&
           (a->processes.active > 0) == (b->processes.active > 0);
}

void neighbours_tell(neighbours *n, const atw_outlook *outlook)
{
    pthread_mutex_lock(&n->lock);
    if (!is_alike(&n->told, outlook)) {
        n->is_told = false;
        pthread_cond_signal(&n->work);
    }
    n->told = *outlook;
    pthread_mutex_unlock(&n->lock);
}

uint64_t neighbours_ask(neighbours *n)
{
    uint64_t number;

    pthread_mutex_lock(&n->lock);
    number = ++n->asked;
    pthread_cond_signal(&n->work);
    pthread_mutex_unlock(&n->lock);
    return number;
}

void neighbours_see(neighbours *n, neighbours_view *view_p)
{
    pthread_mutex_lock(&n->lock);
    *view_p = n->view;
    pthread_mutex_unlock(&n->lock);
}
