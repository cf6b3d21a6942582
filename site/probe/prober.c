#include "prober.h"

#include <errno.h>
#include <math.h>
#include <mntent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/rng.h"

enum { CHANNELS_MORE = 4 };       /* those of commands */
static const double END_WAIT = 5; /* seconds for workers to remove their files */
static const double LONGEST = 1;  /* seconds without a look at the clocks */

static volatile sig_atomic_t ended; /* the signal that ended it */

static void note_end(int signal)
{
    ended = signal;
}

bool prober_ended(void)
{
    return ended != 0;
}

/* Signals come while it waits, and at no other time. */
static void prepare_signals(sigset_t *while_waiting_p)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_end};
    sigset_t blocked;

    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        sigaction(ends[i], &action, NULL);
        sigaddset(&blocked, ends[i]);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_BLOCK, &blocked, while_waiting_p);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        sigdelset(while_waiting_p, ends[i]);
}

void prober_pause(double seconds, struct pollfd *files, nfds_t count, const sigset_t *mask)
{
    struct timespec time;

    if (seconds < 0)
        seconds = 0;
    time.tv_sec = (time_t) seconds;
    time.tv_nsec = (long) (1e9 * (seconds - (double) time.tv_sec));
    if (ppoll(files, count, &time, mask) < 0)
        for (nfds_t i = 0; i < count; i++)
            files[i].revents = 0;
}

/* --- the beginning */

/* The mount that has the directory: what a file's name is compared with. */
static void find_path(const char *directory, char path_p[4096])
{
    FILE *mounts = setmntent("/proc/self/mounts", "r");
    char whole[PATH_MAX];
    size_t longest = 0;

    snprintf(path_p, 4096, "%s", directory);
    if (realpath(directory, whole) == NULL)
        snprintf(whole, sizeof(whole), "%s", directory);
    for (struct mntent *entry; mounts != NULL && (entry = getmntent(mounts)) != NULL;) {
        size_t length = strlen(entry->mnt_dir);
        bool inside = strncmp(whole, entry->mnt_dir, length) == 0 &&
                      (length == 1 || whole[length] == '/' || whole[length] == '\0');

        if (inside && length >= longest && length < 4096) {
            longest = length;
            strcpy(path_p, entry->mnt_dir);
        }
    }
    if (mounts != NULL)
        endmntent(mounts);
}

/* Lists targets in a process of its own, which may hang. */
static int list_targets(prober *prober, target_list *list_p, const sigset_t *mask)
{
    worker scout = {.index = -1, .channel = -1};
    worker_request request = {WORKER_LIST, 0};
    worker_reply reply;
    int error = worker_start(&scout, &prober->ground);

    if (error == 0)
        error = worker_ask(&scout, &request, prober->options->deadline);
    while (error == 0) {
        struct pollfd file = {.fd = scout.channel, .events = POLLIN};

        prober_pause(scout.deadline - clock_steady(), &file, 1, mask);
        if (file.revents != 0)
            break;
        error = ended ? EINTR : clock_steady() > scout.deadline ? ETIMEDOUT : 0;
    }
    if (error == 0)
        error = worker_collect(&scout, list_p, &reply);
    if (error == 0)
        error = reply.error;
    worker_end_all(&scout, 1, &prober->ground, 1);
    return error;
}

static bool make_rows(prober *prober, const target_list *list)
{
    const share *share = &prober->options->share;

    prober->rows = calloc((size_t) list->count, sizeof(*prober->rows));
    if (prober->rows == NULL)
        return false;
    for (int i = 0; i < list->count; i++) {
        prober_row *row = &prober->rows[prober->count];

        if (!share_has(share, i))
            continue;
        row->worker = (worker){.index = list->targets[i].index, .channel = -1};
        row->state.full = -1;
        memcpy(row->name, list->targets[i].name, TARGET_NAME);
        prober->count++;
    }
    if (prober->count > 0 && list->driver == ATM_LUSTRE)
        passive_file_system(prober->rows[0].name, prober->file_system);
    return true;
}

/* Channels of 2000 workers are more than the usual 1024 files. */
static void allow_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static uint64_t seed_of(const char *host)
{
    uint64_t seed = (uint64_t) getpid();

    for (; *host != '\0'; host++)
        seed = rng_hash(seed, (unsigned char) *host);
    return seed;
}

static bool plan_times(prober *prober, double now)
{
    const probe_options *options = prober->options;
    timetable_plan plan = options->plan;

    plan.seed = seed_of(prober->host);
    if (plan.budget == 0)
        plan.budget = 0.001 * options->nominal;
    prober->measuring = plan.budget == 0 && !options->once;
    if (options->once)
        plan.truth_count = 0;
    if (!timetable_make(&plan, prober->count, now, &prober->table))
        return false;
    for (int i = 0; options->once && i < prober->count; i++)
        prober->table.rows[i].probe_at = now;
    prober->passive_at = now;
    prober->jobs_at = options->share.part == 0 ? now : INFINITY;
    return true;
}

static bool open_trace(prober *prober, atm_driver driver)
{
    const probe_options *options = prober->options;
    static char name[160]; /* the trace's plan keeps it */
    atm_message message = {""};
    trace_plan plan = {.directory = options->traces,
                       .name = name,
                       .path = prober->path,
                       .driver = atm_driver_name(driver),
                       .host = prober->host,
                       .bytes = options->rotate,
                       .files = options->keep};

    if (options->share.parts > 1)
        snprintf(name, sizeof(name), "%s-%dof%d", prober->host, options->share.part,
                 options->share.parts);
    else
        snprintf(name, sizeof(name), "%s", prober->host);
    if (trace_open(&plan, &message, &prober->trace) == ATM_OK)
        return true;
    fprintf(stderr, "autotune-probe: %s\n", message.text);
    return false;
}

static uint64_t largest_write(const probe_options *options)
{
    uint64_t most = options->plan.probe_bytes;

    if (options->once)
        return most;
    if (options->plan.budget == 0 && options->nominal == 0 && most < PROBER_MEASURED)
        most = PROBER_MEASURED;
    for (int i = 0; i < options->plan.truth_count; i++)
        most = options->plan.truths[i] > most ? options->plan.truths[i] : most;
    return most;
}

/* --- the loop */

static void note_clock(prober *prober, double now)
{
    double wall = clock_wall(), by = 0;

    if (!clock_jumped(&prober->clock, wall, now, &by))
        return;
    prober_say(prober, "the clock was set by %+.1f s", by);
    trace_put_note(prober->trace, wall, "the clock was set by %+.3f s", by);
}

static nfds_t gather_files(const prober *prober, struct pollfd *files_p)
{
    const command *commands[] = {&prober->jobs, &prober->passive, &prober->resubmit.left,
                                 &prober->resubmit.submit};
    nfds_t count = (nfds_t) prober->count;

    for (int i = 0; i < prober->count; i++) {
        const worker *worker = &prober->rows[i].worker;

        files_p[i] = (struct pollfd){.fd = worker->busy ? worker->channel : -1, .events = POLLIN};
    }
    for (int i = 0; i < CHANNELS_MORE; i++)
        if (commands[i]->name != NULL)
            files_p[count++] = (struct pollfd){.fd = commands[i]->output, .events = POLLIN};
    return count;
}

static void step(prober *prober, struct pollfd *files, const sigset_t *mask)
{
    double now = clock_steady(), next;
    nfds_t count;

    note_clock(prober, now);
    prober_keep_lease(prober, now);
    if (!prober->lease.held)
        return;
    prober_ask_due(prober, now);
    prober_start_looks(prober, now);
    count = gather_files(prober, files);
    next = fmin(fmin(prober_next_write(prober), prober_next_look(prober)), prober->until);
    prober_pause(fmin(next - clock_steady(), LONGEST), files, count, mask);
    now = clock_steady();
    for (int i = 0; i < prober->count; i++)
        if (files[i].revents != 0)
            prober_take_reply(prober, i, now);
    prober_give_up_late(prober, now);
    prober_take_looks(prober, now);
    prober_progress(prober, now);
}

static bool is_over(const prober *prober)
{
    if (ended || !prober->lease.held || clock_steady() >= prober->until)
        return true;
    return prober->options->once && prober_all_idle(prober) && prober->jobs.name == NULL &&
           timetable_next(&prober->table) > clock_steady();
}

static void end_workers(prober *prober)
{
    worker *workers = calloc((size_t) prober->count, sizeof(*workers));

    for (int i = 0; workers != NULL && i < prober->count; i++)
        workers[i] = prober->rows[i].worker;
    if (workers != NULL)
        worker_end_all(workers, prober->count, &prober->ground, END_WAIT);
    free(workers);
}

/* While the lease is held; exit code. */
static int probe(prober *prober, const sigset_t *mask)
{
    static target_list list;
    struct pollfd *files;
    int error = list_targets(prober, &list, mask);

    if (error != 0) {
        if (error != EINTR)
            prober_say(prober, "%s: %s", prober->options->directory, strerror(error));
        return error == EINTR ? 0 : 1;
    }
    if (prober->options->path != NULL)
        snprintf(prober->path, sizeof(prober->path), "%s", prober->options->path);
    else
        find_path(prober->options->directory, prober->path);
    files = calloc((size_t) list.count + CHANNELS_MORE, sizeof(*files));
    if (files == NULL || !make_rows(prober, &list) || !plan_times(prober, clock_steady()) ||
        !open_trace(prober, list.driver)) {
        free(files);
        return 1;
    }
    prober->told_files = 0;
    if (!prober->measuring && !prober->options->once)
        prober_say_budget(prober);
    do
        step(prober, files, mask);
    while (!is_over(prober));
    end_workers(prober);
    prober_summary(prober, clock_steady());
    free(files);
    return 0;
}

static void clear(prober *prober)
{
    command_clear(&prober->jobs);
    command_clear(&prober->passive);
    timetable_clear(&prober->table);
    trace_close(prober->trace);
    free(prober->rows);
    prober->trace = NULL;
    prober->rows = NULL;
    prober->count = 0;
    prober->truths_running = 0;
    prober->passive_known = false;
}

static bool prepare(prober *prober, const probe_options *options)
{
    atm_message message = {""};

    prober->options = options;
    prober->started = clock_steady();
    prober->until = options->length > 0 ? prober->started + options->length : INFINITY;
    gethostname(prober->host, sizeof(prober->host) - 1);
    jobs_site_default(&prober->site);
    if (options->site != NULL && jobs_site_read(options->site, &message, &prober->site) != ATM_OK) {
        fprintf(stderr, "autotune-probe: %s\n", message.text);
        return false;
    }
    if (!pinned_fill_source(largest_write(options), &prober->source)) {
        fputs("autotune-probe: out of memory\n", stderr);
        return false;
    }
    prober->ground =
        (worker_ground){options->directory, &prober->source, options->plan.probe_bytes};
    prober->system = options->share.part == 0 ? jobs_system_find(options->system) : NULL;
    resubmit_make(options->share.part == 0 ? options->resubmit : NULL, options->resubmit_arguments,
                  options->resubmit_before, &prober->resubmit);
    prober_make_lease(prober);
    return true;
}

int prober_run(const probe_options *options)
{
    static prober prober;
    sigset_t mask;
    int code = 0;

    allow_files();
    if (!prepare(&prober, options))
        return 1;
    prepare_signals(&mask);
    while (prober_wait_for_lease(&prober, &mask, &code)) {
        code = probe(&prober, &mask);
        if (prober.lease.held)
            break;
        prober_say(&prober, "another prober has taken over");
        clear(&prober);
    }
    clear(&prober);
    resubmit_clear(&prober.resubmit);
    lease_release(&prober.lease);
    return code;
}
