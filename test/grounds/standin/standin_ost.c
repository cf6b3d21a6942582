/*
 * standin-ost: what the OSTs of a stand-in that takes time did, and how busy
 * they are; while jobs run, or between them.
 */

#include "standin_time.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"

static const option_entry entries[] = {{NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    "standin-ost [options] DIR status | busy OST FACTOR | idle OST | reset",
    "OSTs of DIR, which a job with STANDIN_TIME was shown as Lustre.\n"
    "  status            what each OST did, and its load; bytes of each node\n"
    "  busy OST FACTOR   requests of OST take FACTOR times as long, 0.001 to 1000000\n"
    "  idle OST          the same as busy OST 1\n"
    "  reset             counters start from 0, locks are forgotten, nobody is busy\n",
    entries, NULL};

static void show(struct standin_shared *shared)
{
    uint64_t now = standin_now();

    printf("%5s %9s %9s %14s %14s %8s %9s %10s %10s\n", "ost", "load", "requests", "written",
           "read", "grants", "transfers", "busy_s", "queued_s");
    for (unsigned i = 0; i < shared->ost_count; i++) {
        struct standin_ost *ost = &shared->osts[i];
        struct standin_counters sum;
        uint64_t free_at;

        standin_ost_enter(ost);
        sum = ost->counters;
        free_at = ost->free_at;
        standin_ost_leave(ost);
        printf("%5u %9.3f %9llu %14llu %14llu %8llu %9llu %10.4f %10.4f\n", i,
               (double) ost->load / STANDIN_LOAD_1, (unsigned long long) sum.requests,
               (unsigned long long) sum.written, (unsigned long long) sum.read,
               (unsigned long long) sum.grants, (unsigned long long) sum.transfers,
               1e-9 * (double) sum.busy, free_at > now ? 1e-9 * (double) (free_at - now) : 0);
    }
    for (int i = 0; i < STANDIN_NODES && shared->nodes[i].name[0] != '\0'; i++)
        printf("node %s %llu\n", shared->nodes[i].name,
               (unsigned long long) shared->nodes[i].bytes);
}

static void reset(struct standin_shared *shared)
{
    for (unsigned i = 0; i < shared->ost_count; i++) {
        struct standin_ost *ost = &shared->osts[i];

        standin_ost_enter(ost);
        ost->counters = (struct standin_counters){0};
        memset(ost->objects, 0, sizeof ost->objects);
        ost->load = STANDIN_LOAD_1;
        standin_ost_leave(ost);
    }
    for (int i = 0; i < STANDIN_NODES; i++)
        shared->nodes[i].bytes = 0;
}

/* NULL, or what is wrong. */
static const char *set_load(struct standin_shared *shared, const char *which, const char *factor)
{
    char *end;
    long ost = strtol(which, &end, 10);
    double load;

    if (end == which || *end != '\0' || ost < 0 || ost >= (long) shared->ost_count)
        return "there is no such OST";
    load = strtod(factor, &end);
    if (end == factor || *end != '\0' || !(load >= 0.001 && load <= 1e6))
        return "FACTOR is not a number from 0.001 to 1000000";
    shared->osts[ost].load = (uint32_t) (load * STANDIN_LOAD_1 + 0.5);
    return NULL;
}

static const char *obey(struct standin_shared *shared, char **words, int count)
{
    if (count == 1 && strcmp(words[0], "status") == 0)
        show(shared);
    else if (count == 1 && strcmp(words[0], "reset") == 0)
        reset(shared);
    else if (count == 3 && strcmp(words[0], "busy") == 0)
        return set_load(shared, words[1], words[2]);
    else if (count == 2 && strcmp(words[0], "idle") == 0)
        return set_load(shared, words[1], "1");
    else
        return "not status, busy OST FACTOR, idle OST or reset (try --help)";
    return NULL;
}

/* 0 or an exit code */
static int map(const char *directory, struct standin_shared **shared_p)
{
    char path[PATH_MAX];
    int fd, err;

    snprintf(path, sizeof path, "%s/%s", directory, STANDIN_TIME_FILE);
    fd = open(path, O_RDWR | O_CLOEXEC);
    err = fd < 0 ? errno : standin_shared_map(fd, 0, shared_p);
    if (fd >= 0)
        close(fd);
    if (err == 0)
        return 0;
    fprintf(stderr, "standin-ost: %s: %s\n", path,
            err == ENOENT || err == ENODATA ? "no job with STANDIN_TIME has run since the last boot"
                                            : strerror(err));
    return 1;
}

int main(int argc, char **argv)
{
    struct standin_shared *shared;
    const char *problem;
    int rest, code;

    switch (options_parse_until(&table, argc, argv, NULL, &rest)) {
        case OPTIONS_HELP:
            return 0;
        case OPTIONS_WRONG:
            return 2;
        default:
            break;
    }
    if (argc - rest < 2)
        return options_complain(&table, "DIR and a command are needed (try --help)");
    code = map(argv[rest], &shared);
    if (code != 0)
        return code;
    problem = obey(shared, argv + rest + 1, argc - rest - 1);
    return problem ? options_complain(&table, "%s", problem) : 0;
}
