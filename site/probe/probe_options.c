#include "probe.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS ((probe_options *) variables)

static const char *set_budget(const char *value, void *variables)
{
    uint64_t budget;

    if (!atm_parse_size(value, INT64_MAX, &budget))
        return "is not a number of bytes in a second";
    OPTIONS->plan.budget = (double) budget;
    return NULL;
}

static const char *set_nominal(const char *value, void *variables)
{
    uint64_t nominal;

    if (!atm_parse_size(value, INT64_MAX, &nominal))
        return "is not a number of bytes in a second";
    OPTIONS->nominal = (double) nominal;
    return NULL;
}

static const char *set_truth(const char *value, void *variables)
{
    timetable_plan *plan = &OPTIONS->plan;

    plan->truth_count = 0;
    if (strcmp(value, "none") == 0)
        return NULL;
    while (*value != '\0') {
        size_t length = strcspn(value, ",");
        char size[32] = "";

        if (length < sizeof(size))
            memcpy(size, value, length);
        if (plan->truth_count == TRUTHS_MOST)
            return "has more than 8 sizes";
        if (!atm_parse_size(size, UINT64_C(1) << 40, &plan->truths[plan->truth_count]))
            return "is not a list of sizes such as 64M,1G, nor none";
        plan->truth_count++;
        value += length + (value[length] == ',');
    }
    return NULL;
}

static const char *set_jobs(const char *value, void *variables)
{
    static const char *const names[] = {"auto", "slurm", "pbs", "none"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(value, names[i]) == 0) {
            OPTIONS->system = (probe_system) i;
            return NULL;
        }
    return "is not auto, slurm, pbs or none";
}

static const char *set_active(const char *value, void *variables)
{
    OPTIONS->always = strcmp(value, "always") == 0;
    return OPTIONS->always || strcmp(value, "auto") == 0 ? NULL : "is not auto or always";
}

static const char *set_part(const char *value, void *variables)
{
    return share_parse(value, &OPTIONS->share) ? NULL : "is not a part such as 0/4";
}

#define FIELD(name) offsetof(probe_options, name)

static const option_entry entries[] = {
    {"dir", "DIR", "directory on the file system, for a file on each target", OPTION_TEXT,
     FIELD(directory), NULL},
    {"traces", "DIR", "directory for traces and lock, best on another file system", OPTION_TEXT,
     FIELD(traces), NULL},
    {"path", "DIR", "whose targets these are, in the trace (the mount of --dir)", OPTION_TEXT,
     FIELD(path), NULL},
    {"every", "TIME", "between two probes of a target (30s)", OPTION_TIME, FIELD(plan.period),
     NULL},
    {"bytes", "SIZE", "of a probe (1M)", OPTION_SIZE, FIELD(plan.probe_bytes), NULL},
    {"truth", "SIZE,SIZE...", "of larger writes, or none (64M,256M,1G)", OPTION_SPECIAL, 0,
     set_truth},
    {"truth-every", "TIME", "between two of them on a target (1h)", OPTION_TIME,
     FIELD(plan.truth_every), NULL},
    {"budget", "SIZE", "bytes/s on each target, at most (0.1 % of nominal)", OPTION_SPECIAL, 0,
     set_budget},
    {"nominal", "SIZE", "bytes/s that a target can take (measured)", OPTION_SPECIAL, 0,
     set_nominal},
    {"deadline", "TIME", "after which a probe is given up (25s)", OPTION_TIME, FIELD(deadline),
     NULL},
    {"active", "HOW", "always: probe also what passive sources know (auto)", OPTION_SPECIAL, 0,
     set_active},
    {"samples", "N", "requests of others' that stand for a probe (16)", OPTION_COUNT,
     FIELD(samples), NULL},
    {"jobs", "SYSTEM", "auto, slurm, pbs or none (auto)", OPTION_SPECIAL, 0, set_jobs},
    {"jobs-every", "TIME", "between two looks at the jobs (5min)", OPTION_TIME, FIELD(jobs_every),
     NULL},
    {"site", "FILE", "queues and classes of jobs (the paper's)", OPTION_TEXT, FIELD(site), NULL},
    {"rotate", "SIZE", "of a trace file, at most (64M)", OPTION_SIZE, FIELD(rotate), NULL},
    {"keep", "N", "trace files (16)", OPTION_COUNT, FIELD(keep), NULL},
    {"silence", "TIME", "after which another prober is dead (2min)", OPTION_TIME, FIELD(silence),
     NULL},
    {"no-wait", NULL, "end if there is another prober, instead of watching it", OPTION_FLAG,
     FIELD(no_wait), NULL},
    {"part", "I/N", "probe one of N parts, from 0 on (as srun or mpiexec says)", OPTION_SPECIAL, 0,
     set_part},
    {"for", "TIME", "end after this (by a signal)", OPTION_TIME, FIELD(length), NULL},
    {"once", NULL, "probe every target once", OPTION_FLAG, FIELD(once), NULL},
    {"resubmit", "SCRIPT", "submit this before our Slurm job's time is over", OPTION_TEXT,
     FIELD(resubmit), NULL},
    {"resubmit-before", "TIME", "how long before (10min)", OPTION_TIME, FIELD(resubmit_before),
     NULL},
    {.name = NULL}};

const option_table probe_option_table = {
    "autotune-probe [options] [-- argument of SCRIPT...]",
    "Measure every 30 s how fast each target of a file system takes a small write:\n"
    "    autotune-probe --dir /scratch/probe --traces ~/traces\n",
    entries, NULL};

static int complain_wrong(const probe_options *options)
{
    const option_table *table = &probe_option_table;

    if (options->directory == NULL || options->traces == NULL)
        return options_complain(table, "--dir and --traces are needed (try --help)");
    if (strlen(options->directory) > PATH_MAX - 512 || strlen(options->traces) > PATH_MAX - 512 ||
        (options->path != NULL && strlen(options->path) > PATH_MAX - 512))
        return options_complain(table, "a name is too long");
    if (options->plan.probe_bytes > UINT64_C(1) << 30)
        return options_complain(table, "--bytes: more than 1G");
    for (int i = 0; i < options->plan.truth_count; i++)
        if (options->plan.truths[i] % 4096 != 0)
            return options_complain(table, "--truth: sizes must be multiples of 4096");
    if (options->plan.probe_bytes % 4096 != 0)
        return options_complain(table, "--bytes: must be a multiple of 4096");
    if (options->rotate < 4096)
        return options_complain(table, "--rotate: less than 4096");
    if (options->resubmit != NULL && getenv("SLURM_JOB_ID") == NULL)
        return options_complain(table, "--resubmit: this is no Slurm job");
    return -1;
}

int probe_options_read(int argc, char **argv, probe_options *options_p)
{
    probe_options options = {.plan = {.period = 30,
                                      .probe_bytes = 1 << 20,
                                      .truth_every = 3600,
                                      .truths = {64 << 20, 256 << 20, 1 << 30},
                                      .truth_count = 3},
                             .deadline = 25,
                             .jobs_every = 300,
                             .samples = 16,
                             .rotate = 64 << 20,
                             .keep = 16,
                             .silence = 120,
                             .share = share_from_environment(),
                             .resubmit_before = 600};
    int rest, code;
    option_result result = options_parse_until(&probe_option_table, argc, argv, &options, &rest);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (rest < argc && options.resubmit == NULL)
        return options_complain(&probe_option_table, "what is %s? (try --help)", argv[rest]);
    options.resubmit_arguments = argv + rest;
    code = complain_wrong(&options);
    if (code < 0)
        *options_p = options;
    return code;
}
