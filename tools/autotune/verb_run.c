/* autotune run: start a program with the driver preloaded, or the library that sees its calls. */

#include "autotune.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "common/options.h"
#include "common/profile_find.h"
#include "files/job.h"
#include "preloaded.h"
#include "verb_run_watch.h"

typedef struct run_options {
    const char *library, *mode, *profile;
    bool names_only, quiet, no_driver;
    run_watch watch;
} run_options;

#define OFFSET(field) offsetof(run_options, field)

static const option_entry entries[] = {
    {"mode", "MODE", "automatic (default), enable or disable", OPTION_TEXT, OFFSET(mode), NULL},
    {"profile", "FILE", "the profile (default: as the driver finds it)", OPTION_TEXT,
     OFFSET(profile), NULL},
    {"names-only", NULL, "only files that are named autotune:/path (default: all)", OPTION_FLAG,
     OFFSET(names_only), NULL},
    {"library", "FILE", "the preload library (default: the installed one)", OPTION_TEXT,
     OFFSET(library), NULL},
    {"watch", "MODULES", "see what programs do with their files (default: record,survey)",
     OPTION_MAYBE, OFFSET(watch.modules), NULL},
    {"spools", "DIR", "where --watch writes (default: TMPDIR or /tmp)", OPTION_TEXT,
     OFFSET(watch.spools), NULL},
    {"no-driver", NULL, "with --watch: without the driver", OPTION_FLAG, OFFSET(no_driver), NULL},
    {"watch-library", "FILE", "the library that sees calls (default: the installed one)",
     OPTION_TEXT, OFFSET(watch.library), NULL},
    {"quiet", NULL, "do not tell what is in effect", OPTION_FLAG, OFFSET(quiet), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune run [options] -- COMMAND [ARGUMENT...]",
    "Start a command, mostly mpiexec or srun, so that programs with an MPI library of MPICH's\n"
    "or Open MPI's ABI use the driver without being rebuilt.  Other programs run as they would\n"
    "without.  With --watch, what any program does with its files is seen, too.\n",
    entries, NULL};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "autotune run: %s: %s\n", what, why);
    return 1;
}

/* --- the environment */

/* Behind what is preloaded already: tools there see calls first. */
static bool add_library(const char *library)
{
    const char *before = getenv("LD_PRELOAD");
    char *all = NULL;
    bool done;

    if (before == NULL || before[0] == '\0')
        return setenv("LD_PRELOAD", library, 1) == 0;
    if (asprintf(&all, "%s:%s", before, library) < 0)
        return false;
    done = setenv("LD_PRELOAD", all, 1) == 0;
    free(all);
    return done;
}

/* Adds a variable to those that Open MPI's mpiexec passes on to other nodes. */
static bool pass_on(const char *name)
{
    const char *list = "OMPI_MCA_mca_base_env_list", *before = getenv(list);
    char *all = NULL;
    bool done;

    if (before == NULL || before[0] == '\0')
        return setenv(list, name, 1) == 0;
    if (asprintf(&all, "%s;%s", before, name) < 0)
        return false;
    done = setenv(list, all, 1) == 0;
    free(all);
    return done;
}

/* NULL: as it is. */
static bool set_variable(const char *name, const char *value)
{
    if (value != NULL && setenv(name, value, 1) != 0)
        return false;
    return getenv(name) == NULL || pass_on(name);
}

/* One name for all processes of a launch, by which the history knows them as one job where no batch
 * system does.  One that is there is kept: launches can be put together. */
static bool set_launch(void)
{
    const char *before = getenv(ATM_LAUNCH_VARIABLE);
    char name[32] = "";
    uint64_t drawn;

    if (before == NULL || before[0] == '\0') {
        if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn))
            return false;
        snprintf(name, sizeof(name), "run-%016" PRIx64, drawn);
    }
    return set_variable(ATM_LAUNCH_VARIABLE, name[0] != '\0' ? name : NULL);
}

/* Before the driver's library: calls are seen as the program makes them. */
static bool set_watch(const run_options *options, const char *settings)
{
    return settings == NULL ||
           (add_library(options->watch.library) && set_variable("ROMIO_AUTOTUNE_WATCH", settings));
}

/* What the driver's library reads; NULL: nothing is asked for. */
static const char *wishes_of(const run_options *options)
{
    if (options->quiet)
        return options->names_only ? NULL : "all";
    return options->names_only ? "verbose" : "all,verbose";
}

static bool set_driver(const run_options *options)
{
    return options->no_driver || (add_library(options->library) &&
                                  set_variable("ROMIO_AUTOTUNE_PRELOAD", wishes_of(options)) &&
                                  set_variable("ROMIO_AUTOTUNE", options->mode) &&
                                  set_variable("ROMIO_AUTOTUNE_PROFILE", options->profile));
}

static int set_environment(const run_options *options, const char *settings)
{
    if (pass_on("LD_PRELOAD") && set_launch() && set_watch(options, settings) &&
        set_driver(options))
        return 0;
    return complain("the environment", strerror(errno));
}

/* --- what is in effect */

static const char *mode_of(const run_options *options)
{
    const char *mode = options->mode != NULL ? options->mode : getenv("ROMIO_AUTOTUNE");

    return mode != NULL ? mode : "automatic";
}

static void tell(const run_options *options, const profile_found *found)
{
    char several[64];
    const char *profile =
        found->source == ATM_SOURCE_BUILT_IN ? ATM_PROFILE_BUILT_IN : found->profile->source;

    if (found->count > 1) {
        snprintf(several, sizeof(several), "of %d, the one that fits a file and its job",
                 found->count);
        profile = several;
    }
    fprintf(stderr, "autotune run: preloads %s; mode %s; profile %s; %s\n", options->library,
            mode_of(options), profile,
            options->names_only ? "files named autotune:/path" : "all files");
}

static int check_profile(const run_options *options)
{
    const atm_use use = {.nodes = 0}; /* each file has its own */
    atm_message message = {""};
    profile_found found;
    atm_status status = profile_find(options->profile, &use, &message, &found);

    if (status != ATM_OK)
        return complain("the profile",
                        message.text[0] != '\0' ? message.text : atm_status_text(status));
    if (!options->quiet)
        tell(options, &found);
    atm_profile_destroy(found.profile);
    return 0;
}

/* --- the command */

static bool is_mode(const char *mode)
{
    return mode == NULL || strcmp(mode, "automatic") == 0 || strcmp(mode, "enable") == 0 ||
           strcmp(mode, "disable") == 0;
}

/* What is wrong with the options together; 0: nothing. */
static int check_options(const run_options *options, bool has_command)
{
    bool watches = options->watch.modules != NULL;

    if (!has_command)
        return options_complain(&table, "a command is needed (try --help)");
    if (!is_mode(options->mode))
        return options_complain(&table, "--mode %s: not automatic, enable or disable",
                                options->mode);
    if (options->watch.spools != NULL && !watches)
        return options_complain(&table, "--spools is for --watch");
    if (!options->no_driver)
        return 0;
    if (!watches)
        return options_complain(&table, "--no-driver is for --watch: nothing else would be done");
    if (options->mode != NULL || options->profile != NULL || options->names_only)
        return options_complain(&table, "--mode, --profile and --names-only are for the driver");
    return 0;
}

static int prepare_driver(const run_options *options)
{
    if (options->no_driver)
        return 0;
    if (access(options->library, R_OK) != 0)
        return complain(options->library, strerror(errno));
    return check_profile(options);
}

static int prepare_watch(const run_options *options, char **settings_p)
{
    int code = 0;

    *settings_p = NULL;
    if (options->watch.modules != NULL)
        code = run_watch_prepare(&options->watch, settings_p);
    if (*settings_p != NULL && !options->quiet)
        run_watch_tell(&options->watch, *settings_p);
    return code;
}

int autotune_run(int argc, char **argv)
{
    run_options options = {.library = PRELOADED_LIBRARY, .watch = {.library = WATCH_LIBRARY}};
    char *settings = NULL;
    option_result result;
    int rest, code;

    result = options_parse_until(&table, argc, argv, &options, &rest);
    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    code = check_options(&options, rest < argc);
    if (code == 0)
        code = prepare_driver(&options);
    if (code == 0)
        code = prepare_watch(&options, &settings);
    if (code == 0)
        code = set_environment(&options, settings);
    free(settings);
    if (code != 0)
        return code;
    execvp(argv[rest], argv + rest);
    code = errno == ENOENT ? 127 : 126; /* as shells have it */
    complain(argv[rest], strerror(errno));
    return code;
}
