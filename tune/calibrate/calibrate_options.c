#include "calibrate.h"

#include <stdio.h>
#include <string.h>

static const char *set_cache(const char *value, void *variables)
{
    cal_options *options = variables;

    if (strcmp(value, "0") == 0) {
        options->cache = 0;
        return NULL;
    }
    return atm_parse_size(value, INT64_MAX, &options->cache) ? NULL : "is not a size, nor 0";
}

static const char *set_seed(const char *value, void *variables)
{
    uint64_t *seed = &((cal_options *) variables)->seed;

    if (strcmp(value, "0") == 0) {
        *seed = 0;
        return NULL;
    }
    return atm_parse_size(value, INT64_MAX, seed) ? NULL : "is not a number";
}

static const char *set_driver(const char *value, void *variables)
{
    for (int i = 0; i < ATM_DRIVER_COUNT; i++)
        if (strcmp(value, atm_driver_name((atm_driver) i)) == 0) {
            ((cal_options *) variables)->driver = i;
            return NULL;
        }
    return "is not ufs, nfs, gpfs or lustre";
}

static const char *set_only(const char *value, void *variables)
{
    unsigned only = 0;

    while (*value != '\0') {
        size_t length = strcspn(value, ",");
        int operation = 0;

        for (; operation < ATM_OPERATION_COUNT; operation++) {
            const char *name = atm_operation_name((atm_operation) operation);

            if (strlen(name) == length && strncmp(name, value, length) == 0)
                break;
        }
        if (operation == ATM_OPERATION_COUNT)
            return "is not a list of operations such as allreduce,write_full";
        only |= 1u << operation;
        value += length + (value[length] == ',');
    }
    ((cal_options *) variables)->only = only;
    return only != 0 ? NULL : "names no operation";
}

#define FIELD(name) offsetof(cal_options, name)

static const option_entry entries[] = {
    {"dir", "DIR", "directory on the file system, for data files; empty or new", OPTION_TEXT,
     FIELD(directory), NULL},
    {"out", "FILE", "points file to write", OPTION_TEXT, FIELD(out), NULL},
    {"budget", "TIME", "end after 30s, 10min, 1h (all points)", OPTION_TIME, FIELD(budget), NULL},
    {"dry-run", NULL, "print the plan only", OPTION_FLAG, FIELD(dry_run), NULL},
    {"only", "OP,OP...", "operations to measure (all)", OPTION_SPECIAL, 0, set_only},
    {"visits", "N", "times at which a point is measured (2)", OPTION_COUNT, FIELD(visits), NULL},
    {"seed", "N", "of the order of points (1)", OPTION_SPECIAL, 0, set_seed},
    {"driver", "NAME", "ufs, nfs, gpfs or lustre (that of DIR)", OPTION_SPECIAL, 0, set_driver},
    {"block", "SIZE", "block or stripe of the file system (as it reports)", OPTION_SIZE,
     FIELD(block), NULL},
    {"cache", "SIZE", "file system's cache on a node, 0: measure cached speed (measured)",
     OPTION_SPECIAL, 0, set_cache},
    {"max-memory", "SIZE", "for buffers on a node (an eighth)", OPTION_SIZE, FIELD(memory), NULL},
    {"policy", "NAME", "one placement for all: near, uniform or bluegene", OPTION_TEXT,
     FIELD(policy), NULL},
    {"topology", "FILE", "topology of the nodes", OPTION_TEXT, FIELD(topology), NULL},
    {"name", "TEXT", "of the machine (cluster or host name)", OPTION_TEXT, FIELD(name), NULL},
    {"slurm", NULL, "take facts from the Slurm allocation; requires one", OPTION_FLAG, FIELD(slurm),
     NULL},
    {"force", NULL, "use a directory that is not empty, discard earlier measurements", OPTION_FLAG,
     FIELD(force), NULL},
    {.name = NULL}};

const option_table calibrate_options = {
    "autotune-calibrate [options]",
    "Measure the elemental operations of collective I/O on this machine:\n"
    "    mpiexec -n N autotune-calibrate --dir /scratch/x --out points.json\n"
    "An interrupted run continues when started again.\n",
    entries, NULL};

static int complain_wrong(const cal_options *options)
{
    if (options->directory == NULL || options->out == NULL)
        return options_complain(&calibrate_options, "--dir and --out are needed (try --help)");
    if (atm_policy_by_name(options->policy) == NULL)
        return options_complain(&calibrate_options,
                                "--policy %s: there is no such policy; there are %s",
                                options->policy, options_policies);
    if (options->visits > PLAN_REPETITIONS / 2)
        return options_complain(&calibrate_options, "--visits %d: more than %d", options->visits,
                                PLAN_REPETITIONS / 2);
    if (strlen(options->directory) > PATH_MAX - 128 || strlen(options->out) > PATH_MAX - 128)
        return options_complain(&calibrate_options, "a name is too long");
    return -1;
}

int options_read(int argc, char **argv, cal_options *options_p)
{
    cal_options options = {.policy = atm_policy_at(0)->name,
                           .seed = 1,
                           .driver = -1,
                           .cache = CACHE_MEASURED,
                           .only = (1u << ATM_OPERATION_COUNT) - 1};
    option_result result = options_parse(&calibrate_options, argc, argv, &options);
    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    int code = complain_wrong(&options);

    if (code < 0)
        *options_p = options;
    return code;
}
