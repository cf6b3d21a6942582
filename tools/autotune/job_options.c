/* The description of a job on a command line, and what the model chooses for it. */

#include "job_options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "autotune.h"
#include "choose/advise.h"
#include "files/program_name.h"
#include "files/user.h"
#include "place/where.h"
#include "common/profile_find.h"

/* --- the command line */

static const char *set_driver(const char *value, void *variables)
{
    job_options *options = variables;

    for (int i = 0; i < ATM_DRIVER_COUNT; i++)
        if (strcmp(value, atm_driver_name((atm_driver) i)) == 0) {
            options->driver = (atm_driver) i;
            return NULL;
        }
    return "there is no such driver; there are ufs, nfs, gpfs and lustre";
}

static const char *set_mode(const char *value, void *variables)
{
    job_options *options = variables;

    for (int i = 0; i < ATM_MODE_COUNT; i++)
        if (strcmp(value, atm_mode_name((atm_mode) i)) == 0) {
            options->mode = (atm_mode) i;
            return NULL;
        }
    return "there is no such mode; there are automatic and enable";
}

static const char *set_mpich(const char *value, void *variables)
{
    job_options *options = variables;
    unsigned major, minor, revision = 0;
    int length = 0;

    if (sscanf(value, "%2u.%2u%n.%2u%n", &major, &minor, &length, &revision, &length) < 2 ||
        value[length] != '\0' || major < 4)
        return "must be a version of MPICH, 4.0 or later";
    options->mpich = (int) (major * 10000 + minor * 100 + revision);
    return NULL;
}

static const char *fix_collective(const char *value, atm_config *fix)
{
    for (int i = 0; i < ATM_SWITCH_COUNT; i++)
        if (strcmp(value, atm_switch_name((atm_switch) i)) == 0) {
            atm_fix_set(fix, ATM_FIX_COLLECTIVE, (uint64_t) i);
            return NULL;
        }
    return "must be enable, disable or automatic";
}

/* KEY=VALUE; romio_cb_read and romio_cb_write are the same here. */
static const char *set_fix(const char *value, void *variables)
{
    job_options *options = variables;
    size_t length = strcspn(value, "=");
    uint64_t number;

    if (value[length] == '\0')
        return "must be HINT=VALUE";
    for (int i = 0; i < ATM_FIX_COUNT; i++) {
        const char *name = atm_fix_name((atm_fix) i), *text = value + length + 1;
        bool switches = i == ATM_FIX_COLLECTIVE;

        if (strncmp(value, name, strlen(name)) != 0 || (!switches && strlen(name) != length))
            continue;
        options->fixed |= 1u << i;
        if (switches)
            return fix_collective(text, &options->fix);
        if (!atm_parse_size(text, INT64_MAX, &number))
            return "is not a number, 1 or more";
        return atm_fix_set(&options->fix, (atm_fix) i, number) ? NULL : "is too large";
    }
    return "there is no such hint; there are romio_cb_read, romio_cb_write, cb_nodes, "
           "cb_buffer_size, "
           "striping_unit, striping_factor and romio_lustre_co_ratio";
}

#define OFFSET(field) offsetof(job_options, field)

const option_entry job_entries[] = {
    {"nodes", "N", "nodes of the job", OPTION_COUNT, OFFSET(nodes), NULL},
    {"ranks-per-node", "N", "ranks on each (default 1)", OPTION_COUNT, OFFSET(ranks_per_node),
     NULL},
    {"topology", "FILE|TEXT", "instead of these two; also psets and bridges", OPTION_TEXT,
     OFFSET(topology), NULL},
    {"nics", "N", "network adapters of a node", OPTION_COUNT, OFFSET(nics), NULL},
    {"servers", "N", "of the file system: OSTs (default: the profile's)", OPTION_COUNT,
     OFFSET(servers), NULL},
    {"driver", "NAME", "ufs (default), nfs, gpfs or lustre", OPTION_SPECIAL, 0, set_driver},
    {"mpich", "VERSION", "whose ROMIO runs, as 4.2.2 (default 4.0.2)", OPTION_SPECIAL, 0,
     set_mpich},
    {"profile", "FILE", "of the machine (default: the one the driver would use here)", OPTION_TEXT,
     OFFSET(profile), NULL},
    {"bytes", "SIZE", "of each rank (default: the profile's)", OPTION_SIZE, OFFSET(bytes), NULL},
    {"strided", "SIZE", "pieces of this size alternate between ranks; divides --bytes", OPTION_SIZE,
     OFFSET(strided), NULL},
    {"read", NULL, "read (default: write)", OPTION_FLAG, OFFSET(read), NULL},
    {"existing", NULL, "the file exists, with its striping and locks", OPTION_FLAG,
     OFFSET(existing), NULL},
    {"calls", "N", "that are made, one after the other (default 1)", OPTION_COUNT, OFFSET(calls),
     NULL},
    {"block", "SIZE", "of a GPFS file system (default: the profile's)", OPTION_SIZE, OFFSET(block),
     NULL},
    {"fix", "HINT=VALUE", "a value the user has set, as cb_nodes=8; repeatable", OPTION_SPECIAL, 0,
     set_fix},
    {"memory", "SIZE", "memory for collective buffers on a node, at most", OPTION_SIZE,
     OFFSET(memory), NULL},
    {"mode", "NAME", "automatic (default) or enable", OPTION_SPECIAL, 0, set_mode},
    {.name = NULL}};

/* --- what is asked for */

/* Without --strided one piece for each rank, in the order of ranks. */
static atm_access make_access(const job_options *options, uint64_t bytes, int ranks)
{
    atm_access access = {.write = !options->read,
                         .new_file = !options->read && !options->existing,
                         .active_ranks = ranks,
                         .bytes_min = bytes,
                         .bytes_max = bytes,
                         .bytes = bytes * (uint64_t) ranks,
                         .end = bytes * (uint64_t) ranks - 1,
                         .block = bytes};

    if (options->strided > 0 && options->strided < bytes) {
        access.strided = access.interleaved = ranks > 1;
        access.block = options->strided;
        access.stride = options->strided * (uint64_t) ranks;
    }
    return access;
}

static void apply_fixes(const job_options *options, atm_config *config)
{
    for (int i = 0; i < ATM_FIX_COUNT; i++)
        if (options->fixed >> i & 1)
            atm_fix_set(config, (atm_fix) i, atm_fix_value(&options->fix, (atm_fix) i));
    if (options->block > 0)
        config->block = options->block;
}

static atm_status make_request(const job_options *options, const atm_topology *topology,
                               const atm_profile *profile, atm_request *request_p)
{
    uint64_t bytes = options->bytes > 0 ? options->bytes : profile->defaults.access_size;
    atm_request request = {.driver = options->driver,
                           .mode = options->mode,
                           .fixed = options->fixed,
                           .life = {.calls = options->calls},
                           .new_layout = !options->read && !options->existing,
                           .servers = options->servers,
                           .memory = options->memory,
                           .whole = true};

    if (bytes > INT64_MAX / (uint64_t) topology->ranks ||
        (options->strided > 0 && bytes % options->strided != 0))
        return ATM_BAD_ARGUMENT;
    request.job =
        (atm_job){.ranks = topology->ranks, .nodes = topology->nodes, .mpich = options->mpich};
    atm_request_set_topology(&request, topology);
    if (options->nics > 0)
        request.nics = options->nics;
    request.access = make_access(options, bytes, topology->ranks);
    request.defaults = atm_default_config(options->driver, &request.job, profile);
    apply_fixes(options, &request.defaults);
    *request_p = request;
    return ATM_OK;
}

/* --- what is chosen */

/* The user asks for the generic costs. */
static bool names_built_in(const job_options *options)
{
    const char *named =
        options->profile != NULL ? options->profile : getenv("ROMIO_AUTOTUNE_PROFILE");

    return named != NULL && strcmp(named, ATM_PROFILE_BUILT_IN) == 0;
}

/* As the driver does (ad_autotune_files.c), in a job that a rule is not left out of. */
static atm_status take_advice(const job_options *options, job_choice *job, atm_message *message)
{
    atm_occasion occasion = {.file = options->file != NULL ? options->file : "", .draw = 1};
    atm_status status;

    if (options->advice == NULL)
        return ATM_OK;
    status = atm_advice_load(options->advice, message, &job->advice);
    if (status != ATM_OK)
        return status;
    atm_program_name(options->program, "", 0, sizeof(job->program), job->program);
    if (options->user == NULL)
        atm_user_name(sizeof(job->user), job->user);
    else
        snprintf(job->user, sizeof(job->user), "%s", options->user);
    occasion.program = job->program;
    occasion.user = job->user;
    job->advised = atm_advise(job->advice, &occasion, &job->request);
    job->request.advised = &job->advised;
    return ATM_OK;
}

static int complain(const option_table *table, atm_status status, const atm_message *message)
{
    options_complain(table, "%s",
                     message->text[0] != '\0'     ? message->text
                     : status == ATM_BAD_ARGUMENT ? "these sizes and hints are impossible together"
                                                  : atm_status_text(status));
    return 1;
}

static atm_use use_of(const job_options *options, const atm_topology *topology)
{
    atm_request request = {.nics = 0};

    atm_request_set_topology(&request, topology);
    return (atm_use){.file_system = atm_driver_name(options->driver),
                     .nodes = topology->nodes,
                     .nics = options->nics > 0 ? options->nics : request.nics,
                     .servers = options->servers};
}

static int ask(const option_table *table, const job_options *options, job_choice *job)
{
    atm_message message = {""};
    profile_found found;
    const atm_use use = use_of(options, job->topology);
    atm_status status = profile_find(options->profile, &use, &message, &found);

    if (status == ATM_OK) {
        job->profile = found.profile;
        job->fit = found.fit;
        atm_installed_doubt(job->profile, &job->fit, job->profile->doubt);
    }
    if (status == ATM_OK && found.source == ATM_SOURCE_BUILT_IN && !names_built_in(options))
        options_complain(table, "no profile is installed: these are a generic cluster's costs, as "
                                "a shape only; autotune calibrate measures this machine's");
    if (status == ATM_OK)
        status = make_request(options, job->topology, job->profile, &job->request);
    if (status == ATM_OK)
        status = take_advice(options, job, &message);
    return status == ATM_OK ? 0 : complain(table, status, &message);
}

int job_ask(const option_table *table, const job_options *options, job_choice *job_p)
{
    job_choice job = {.topology = NULL};
    char text[64];
    int code;

    if ((options->nodes == 0) == (options->topology == NULL))
        return options_complain(table, "--nodes or --topology is needed (try --help)");
    snprintf(text, sizeof(text), "nodes:%d ranks:%d", options->nodes,
             options->ranks_per_node > 0 ? options->ranks_per_node : 1);
    if (!autotune_topology(options->topology != NULL ? options->topology : text, &job.topology))
        return 1;
    code = ask(table, options, &job);
    if (code != 0) {
        job_release(&job);
        return code;
    }
    *job_p = job;
    if (job_p->advice != NULL)
        job_p->request.advised = &job_p->advised;
    if (job_p->fit.fits != ATM_FIT_NOT_COMPARED)
        job_p->request.fit = &job_p->fit;
    return 0;
}

int job_choose(const option_table *table, const job_options *options, job_choice *job_p)
{
    const atm_message message = {""};
    int code = job_ask(table, options, job_p);
    atm_status status;

    if (code != 0)
        return code;
    status = atm_choose(&job_p->request, job_p->profile, &job_p->choice);
    if (status == ATM_OK)
        return 0;
    job_release(job_p);
    return complain(table, status, &message);
}

void job_release(job_choice *job)
{
    atm_choice_destroy(job->choice);
    atm_advice_destroy(job->advice);
    atm_profile_destroy(job->profile);
    atm_topology_destroy(job->topology);
}
