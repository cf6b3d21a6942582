#include "probe.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* NULL, or what is wrong. */
static const char *parse_time(const char *value, double *seconds_p)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    double number = strtod(value, &end);

    if (end == value || !(number > 0) || number > 1e8)
        return "is not a time such as 30s, 5min, 1h or 2d";
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(end, units[i].name) == 0) {
            *seconds_p = number * units[i].seconds;
            return NULL;
        }
    return "is not a time such as 30s, 5min, 1h or 2d";
}

#define OPTIONS ((probe_options *) variables)

static const char *set_every(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->plan.period);
}

static const char *set_truth_every(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->plan.truth_every);
}

static const char *set_jobs_every(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->jobs_every);
}

static const char *set_deadline(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->deadline);
}

static const char *set_silence(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->silence);
}

static const char *set_for(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->length);
}

static const char *set_resubmit_before(const char *value, void *variables)
{
    return parse_time(value, &OPTIONS->resubmit_before);
}

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
    {"every", "TIME", "between two probes of a target (30s)", OPTION_SPECIAL, 0, set_every},
    {"bytes", "SIZE", "of a probe (1M)", OPTION_SIZE, FIELD(plan.probe_bytes), NULL},
    {"truth", "SIZE,SIZE...", "of larger writes, or none (64M,256M,1G)", OPTION_SPECIAL, 0,
     set_truth},
    {"truth-every", "TIME", "between two of them on a target (1h)", OPTION_SPECIAL, 0,
     set_truth_every},
    {"budget", "SIZE", "bytes/s on each target, at most (0.1 % of nominal)", OPTION_SPECIAL, 0,
     set_budget},
    {"nominal", "SIZE", "bytes/s that a target can take (measured)", OPTION_SPECIAL, 0,
     set_nominal},
    {"deadline", "TIME", "after which a probe is given up (25s)", OPTION_SPECIAL, 0, set_deadline},
    {"active", "HOW", "always: probe also what passive sources know (auto)", OPTION_SPECIAL, 0,
     set_active},
    {"samples", "N", "requests of others' that stand for a probe (16)", OPTION_COUNT,
     FIELD(samples), NULL},
    {"jobs", "SYSTEM", "auto, slurm, pbs or none (auto)", OPTION_SPECIAL, 0, set_jobs},
    {"jobs-every", "TIME", "between two looks at the jobs (5min)", OPTION_SPECIAL, 0,
     set_jobs_every},
    {"site", "FILE", "queues and classes of jobs (the paper's)", OPTION_TEXT, FIELD(site), NULL},
    {"rotate", "SIZE", "of a trace file, at most (64M)", OPTION_SIZE, FIELD(rotate), NULL},
    {"keep", "N", "trace files (16)", OPTION_COUNT, FIELD(keep), NULL},
    {"silence", "TIME", "after which another prober is dead (2min)", OPTION_SPECIAL, 0,
     set_silence},
    {"no-wait", NULL, "end if there is another prober, instead of watching it", OPTION_FLAG,
     FIELD(no_wait), NULL},
    {"part", "I/N", "probe one of N parts, from 0 on (as srun or mpiexec says)", OPTION_SPECIAL, 0,
     set_part},
    {"for", "TIME", "end after this (by a signal)", OPTION_SPECIAL, 0, set_for},
    {"once", NULL, "probe every target once", OPTION_FLAG, FIELD(once), NULL},
    {"resubmit", "SCRIPT", "submit this before our Slurm job's time is over", OPTION_TEXT,
     FIELD(resubmit), NULL},
    {"resubmit-before", "TIME", "how long before (10min)", OPTION_SPECIAL, 0, set_resubmit_before},
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
