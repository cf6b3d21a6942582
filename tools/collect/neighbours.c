#include "neighbours.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect.h"
#include "common/rng.h"
#include "value/value.h"

enum {
    MOST = 64,        /* neighbours that are looked at: of a large system, a sample */
    NAMES = 65536,    /* in a folder */
    NAME = 128,       /* bytes */
    FILE_MOST = 4096, /* bytes */
    BEAT = 5,         /* seconds between two writes if nothing changes */
    STALE = 16        /* seconds */
};

static const char ending[] = ".health";

/* What is known of a file. */
typedef struct known {
    char name[NAME];
    uint64_t rank; /* those with the lowest are looked at */
    int64_t sequence;
    double changed; /* when it was last seen to */
    bool is_active, is_suspect, is_raised, is_there;
} known;

struct neighbours {
    char dir[PATH_MAX - 2 * NAME], name[NAME];
    int news; /* or -1 */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work;
    /* under the lock */
    atw_outlook told;
    bool is_told, stops;
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

static void path_of(const neighbours *n, const char *name, char *path)
{
    snprintf(path, PATH_MAX, "%s/%s", n->dir, name);
}

/* Whole or not at all, and without waiting for a disk: after a crash it is written again. */
static bool replace(neighbours *n, const char *text, size_t length)
{
    char path[PATH_MAX], new_path[PATH_MAX], new_name[NAME + 8];
    struct stat what;
    bool done;
    int fd;

    snprintf(new_name, sizeof(new_name), ".%s.new", n->name);
    path_of(n, new_name, new_path);
    path_of(n, n->name, path);
    unlink(new_path); /* of one that was killed, or of somebody who may write there */
    fd = open(new_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return false;
    done = write(fd, text, length) == (ssize_t) length && fstat(fd, &what) == 0;
    done = close(fd) == 0 && done && rename(new_path, path) == 0;
    if (done)
        n->owner = what.st_uid;
    return done;
}

static void write_own(neighbours *n, const atw_outlook *o)
{
    atm_value *root = atm_value_object();
    char *text = NULL;
    size_t length = 0;

    atm_put_string(root, "format", "romio-autotune-health");
    atm_put_integer(root, "version", 1);
    atm_put_integer(root, "sequence", ++n->sequence);
    atm_put_integer(root, "time", (int64_t) time(NULL));
    atm_put_integer(root, "processes", o->processes.active);
    atm_put_integer(root, "slow", o->processes.suspect);
    atm_put_truth(root, "suspect", atw_outlook_is_suspect(o));
    atm_put_truth(root, "raised", o->processes.raised > 0);
    if (atm_value_print_line(root, &text, &length) != ATM_OK || !replace(n, text, length))
        complain(n, "cannot be written");
    else
        n->complained = false;
    free(text);
    atm_value_destroy(root);
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
    snprintf(last->name, sizeof(last->name), "%.*s", NAME - 1, name);
    return last;
}

/* NULL: it is not to be believed. */
static atm_value *read_file(const neighbours *n, const char *name)
{
    char path[PATH_MAX], text[FILE_MOST];
    struct stat what;
    atm_value *root = NULL;
    ssize_t length = -1;
    int fd;

    path_of(n, name, path);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &what) == 0 && S_ISREG(what.st_mode) && what.st_uid == n->owner)
        length = read(fd, text, sizeof(text));
    close(fd);
    if (length <= 0 || (size_t) length == sizeof(text) ||
        atm_value_parse(text, (size_t) length, path, NULL, &root) != ATM_OK)
        return NULL;
    if (atm_check_format(root, "romio-autotune-health", 1, NULL, &(int){0}) == ATM_OK)
        return root;
    atm_value_destroy(root);
    return NULL;
}

/* One that is seen for the first time has nothing but its time to tell whether it is of now. */
static void take_file(known *k, const atm_value *root)
{
    int64_t sequence = 0, written = 0, processes = 0;
    bool is_suspect = false, is_raised = false, is_new = k->sequence < 0;

    k->is_there = true;
    atm_opt_integer(root, "sequence", 0, ATM_MAX_INTEGER, NULL, &sequence);
    atm_opt_integer(root, "time", 0, ATM_MAX_INTEGER, NULL, &written);
    atm_opt_integer(root, "processes", 0, INT32_MAX, NULL, &processes);
    atm_opt_truth(root, "suspect", NULL, &is_suspect);
    atm_opt_truth(root, "raised", NULL, &is_raised);
    if (sequence != k->sequence && (!is_new || llabs((int64_t) time(NULL) - written) <= STALE))
        k->changed = collect_now();
    k->sequence = sequence;
    k->is_active = processes > 0;
    k->is_suspect = is_suspect;
    k->is_raised = is_raised;
}

static bool is_name(const neighbours *n, const char *name)
{
    size_t length = strlen(name);

    return name[0] != '.' && length < NAME && length > strlen(ending) &&
           strcmp(name + length - strlen(ending), ending) == 0 && strcmp(name, n->name) != 0;
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
        atm_value *root;

        if (k == NULL && is_name(n, entry->d_name))
            k = place_for(n, entry->d_name);
        root = k != NULL ? read_file(n, k->name) : NULL;
        if (root != NULL)
            take_file(k, root);
        atm_value_destroy(root);
    }
    closedir(folder);
}

static neighbours_view view_of(const neighbours *n)
{
    neighbours_view view = {.is_first = true};
    double now = collect_now();

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

/* --- the thread */

static void wait_for_work(neighbours *n, double until)
{
    struct timespec end = {(time_t) until, (long) ((until - (double) (time_t) until) * 1e9)};

    while (!n->stops && n->is_told && n->view.look >= n->asked && collect_now() < until)
        pthread_cond_timedwait(&n->work, &n->lock, &end);
}

static void *run(void *context)
{
    neighbours *n = context;
    double beat = 0;

    pthread_mutex_lock(&n->lock);
    while (!n->stops) {
        atw_outlook told = n->told;
        uint64_t asked = n->asked;
        bool is_due = collect_now() >= beat, writes = !n->is_told || is_due;
        neighbours_view view;

        n->is_told = true;
        pthread_mutex_unlock(&n->lock);
        if (writes) {
            write_own(n, &told);
            beat = collect_now() + BEAT;
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
    pthread_mutex_unlock(&n->lock);
    return NULL;
}

/* --- start and end */

static void make_name(neighbours *n, const char *socket)
{
    char host[65] = "";
    uint64_t hash = (uint64_t) geteuid();

    gethostname(host, sizeof(host) - 1);
    for (const char *at = socket; *at != '\0'; at++)
        hash = rng_hash(hash, (unsigned char) *at);
    snprintf(n->name, sizeof(n->name), "%s-%08x%s", host, (unsigned) hash, ending);
}

neighbours *neighbours_start(const char *dir, const char *socket, int news)
{
    neighbours *n = calloc(1, sizeof(*n));
    pthread_condattr_t clock;

    if (n == NULL || strlen(dir) >= sizeof(n->dir)) {
        say("%s: the name is too long, or there is no memory", dir);
        free(n);
        return NULL;
    }
    snprintf(n->dir, sizeof(n->dir), "%s", dir);
    make_name(n, socket);
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

void neighbours_stop(neighbours *n)
{
    char path[PATH_MAX];
    struct timespec patience;

    if (n == NULL)
        return;
    pthread_mutex_lock(&n->lock);
    n->stops = true;
    pthread_cond_signal(&n->work);
    pthread_mutex_unlock(&n->lock);
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += 2;
    if (pthread_timedjoin_np(n->thread, NULL, &patience) != 0)
        return; /* it waits for the file system; the process ends */
    path_of(n, n->name, path);
    unlink(path);
    pthread_mutex_destroy(&n->lock);
    pthread_cond_destroy(&n->work);
    free(n);
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
