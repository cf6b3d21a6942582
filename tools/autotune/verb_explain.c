/* autotune explain: the choice for any job, and why. */

#include "autotune.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/explain.h"
#include "place/where.h"
#include "verb_explain_record.h"
#include "common/options.h"
#include "common/profile_find.h"

enum { ROWS = 8 };

typedef struct explain_options {
    int nodes, ranks_per_node, nics, calls, mpich;
    const char *topology, *profile;
    atm_driver driver;
    atm_mode mode;
    uint64_t bytes, strided, memory, block;
    bool read, existing, json, sweep;
    atm_config fix; /* values of --fix */
    unsigned fixed; /* which of them, as in atm_request */
    record_options record;
} explain_options;

static const char *set_driver(const char *value, void *variables)
{
    explain_options *options = variables;

    for (int i = 0; i < ATM_DRIVER_COUNT; i++)
        if (strcmp(value, atm_driver_name((atm_driver) i)) == 0) {
            options->driver = (atm_driver) i;
            return NULL;
        }
    return "there is no such driver; there are ufs, nfs, gpfs and lustre";
}

static const char *set_mode(const char *value, void *variables)
{
    explain_options *options = variables;

    for (int i = 0; i < ATM_MODE_COUNT; i++)
        if (strcmp(value, atm_mode_name((atm_mode) i)) == 0) {
            options->mode = (atm_mode) i;
            return NULL;
        }
    return "there is no such mode; there are automatic and enable";
}

static const char *set_mpich(const char *value, void *variables)
{
    explain_options *options = variables;
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
    fix->collective = strcmp(value, "disable") != 0;
    fix->automatic = strcmp(value, "automatic") == 0;
    if (fix->automatic || !fix->collective || strcmp(value, "enable") == 0)
        return NULL;
    return "must be enable, disable or automatic";
}

static const char *fix_number(atm_fix field, uint64_t number, atm_config *fix)
{
    int *count = field == ATM_FIX_AGGREGATORS    ? &fix->aggregators
                 : field == ATM_FIX_STRIPE_COUNT ? &fix->stripe_count
                                                 : &fix->co_ratio;

    if (field == ATM_FIX_BUFFER)
        fix->buffer = number;
    else if (field == ATM_FIX_STRIPE_SIZE)
        fix->stripe_size = number;
    else if (number <= INT_MAX)
        *count = (int) number;
    else
        return "is too large";
    return NULL;
}

/* KEY=VALUE; romio_cb_read and romio_cb_write are the same here. */
static const char *set_fix(const char *value, void *variables)
{
    explain_options *options = variables;
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
        return fix_number((atm_fix) i, number, &options->fix);
    }
    return "there is no such hint; there are romio_cb_read, romio_cb_write, cb_nodes, "
           "cb_buffer_size, "
           "striping_unit, striping_factor and romio_lustre_co_ratio";
}

#define OFFSET(field) offsetof(explain_options, field)

static const option_entry entries[] = {
    {"nodes", "N", "nodes of the job", OPTION_COUNT, OFFSET(nodes), NULL},
    {"ranks-per-node", "N", "ranks on each (default 1)", OPTION_COUNT, OFFSET(ranks_per_node),
     NULL},
    {"topology", "FILE|TEXT", "instead of these two; also psets and bridges", OPTION_TEXT,
     OFFSET(topology), NULL},
    {"nics", "N", "network adapters of a node", OPTION_COUNT, OFFSET(nics), NULL},
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
    {"sweep", NULL, "print all candidates", OPTION_FLAG, OFFSET(sweep), NULL},
    {"json", NULL, "print the decision, or the outcome, as a JSON document", OPTION_FLAG,
     OFFSET(json), NULL},
    {"record", "FILE", "show recorded decisions and outcomes instead of a prediction", OPTION_TEXT,
     OFFSET(record.path), NULL},
    {"file", "NAME", "only records of this file", OPTION_TEXT, OFFSET(record.file), NULL},
    {"all", NULL, "each of several records at length", OPTION_FLAG, OFFSET(record.all), NULL},
    {"last", NULL, "only the last record", OPTION_FLAG, OFFSET(record.last), NULL},
    {"html", "OUT", "write the records as a page with charts", OPTION_TEXT, OFFSET(record.html),
     NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune explain [options]",
    "Predict one collective write or read for every configuration that makes sense,\n"
    "choose one and say why.  Nothing is run.  Or, with --record, show what the driver\n"
    "decided in earlier runs and the outcome.\n",
    entries};

/* Without --strided one piece for each rank, in the order of ranks. */
static atm_access make_access(const explain_options *options, uint64_t bytes, int ranks)
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

static void apply_fixes(const explain_options *options, atm_config *config)
{
    const atm_config *fix = &options->fix;

    if (options->fixed >> ATM_FIX_COLLECTIVE & 1) {
        config->collective = fix->collective;
        config->automatic = fix->automatic;
    }
    if (options->fixed >> ATM_FIX_AGGREGATORS & 1)
        config->aggregators = fix->aggregators;
    if (options->fixed >> ATM_FIX_BUFFER & 1)
        config->buffer = fix->buffer;
    if (options->fixed >> ATM_FIX_STRIPE_SIZE & 1)
        config->stripe_size = fix->stripe_size;
    if (options->fixed >> ATM_FIX_STRIPE_COUNT & 1)
        config->stripe_count = fix->stripe_count;
    if (options->fixed >> ATM_FIX_CO_RATIO & 1)
        config->co_ratio = fix->co_ratio;
    if (options->block > 0)
        config->block = options->block;
}

static atm_status make_request(const explain_options *options, const atm_topology *topology,
                               const atm_profile *profile, atm_request *request_p)
{
    uint64_t bytes = options->bytes > 0 ? options->bytes : profile->defaults.access_size;
    atm_request request = {.driver = options->driver,
                           .mode = options->mode,
                           .fixed = options->fixed,
                           .life = {.calls = options->calls},
                           .new_layout = !options->read && !options->existing,
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

static int print_choice(const explain_options *options, const atm_request *request,
                        const atm_profile *profile, const atm_choice *choice)
{
    atm_value *document;
    char *text;
    atm_status status;

    if (options->json) {
        status = atm_explain_value(request, profile, choice, &document);
        if (status == ATM_OK)
            return autotune_print(document);
    } else {
        status = atm_explain_text(request, profile, choice, options->sweep ? INT_MAX : ROWS, &text);
        if (status == ATM_OK) {
            fputs(text, stdout);
            free(text);
            return 0;
        }
    }
    fprintf(stderr, "autotune explain: %s\n", atm_status_text(status));
    return 1;
}

/* The user asks for the generic costs. */
static bool names_built_in(const explain_options *options)
{
    const char *named =
        options->profile != NULL ? options->profile : getenv("ROMIO_AUTOTUNE_PROFILE");

    return named != NULL && strcmp(named, ATM_PROFILE_BUILT_IN) == 0;
}

static int explain(const explain_options *options, const atm_topology *topology)
{
    atm_message message = {""};
    atm_profile *profile = NULL;
    atm_choice *choice = NULL;
    atm_request request;
    atm_source source;
    atm_status status;
    int code;

    status = profile_find(options->profile, &message, &profile, &source);
    if (status == ATM_OK && source == ATM_SOURCE_BUILT_IN && !names_built_in(options))
        fputs("autotune explain: no profile is installed: these are a generic cluster's costs; "
              "autotune-calibrate measures this machine's\n",
              stderr);
    if (status == ATM_OK)
        status = make_request(options, topology, profile, &request);
    if (status == ATM_OK)
        status = atm_choose(&request, profile, &choice);
    if (status == ATM_OK) {
        code = print_choice(options, &request, profile, choice);
    } else {
        fprintf(stderr, "autotune explain: %s\n",
                message.text[0] != '\0'      ? message.text
                : status == ATM_BAD_ARGUMENT ? "these sizes and hints are impossible together"
                                             : atm_status_text(status));
        code = 1;
    }
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
    return code;
}

int autotune_explain(int argc, char **argv)
{
    explain_options options = {.ranks_per_node = 1};
    option_result result = options_parse(&table, argc, argv, &options);
    atm_topology *topology;
    char text[64];
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (options.record.path != NULL) {
        if (options.nodes != 0 || options.topology != NULL)
            return options_complain(&table, "--record is about jobs that have run; it goes without "
                                            "--nodes and --topology");
        if (options.json && options.record.html != NULL)
            return options_complain(&table, "--json and --html exclude each other");
        options.record.json = options.json;
        return explain_record(&options.record);
    }
    if (options.record.file != NULL || options.record.html != NULL || options.record.last ||
        options.record.all)
        return options_complain(&table, "--file, --all, --last and --html need --record");
    if ((options.nodes == 0) == (options.topology == NULL))
        return options_complain(&table, "--nodes or --topology is needed (try --help)");
    snprintf(text, sizeof(text), "nodes:%d ranks:%d", options.nodes, options.ranks_per_node);
    if (!autotune_topology(options.topology != NULL ? options.topology : text, &topology))
        return 1;
    code = explain(&options, topology);
    atm_topology_destroy(topology);
    return code;
}
