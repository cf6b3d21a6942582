/* autotune wrap: what a program that is linked statically needs to be watched. */

#include "autotune.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "preloaded.h"

typedef struct wrap_options {
    bool flags;
    const char *archive, *lists;
} wrap_options;

#define OFFSET(field) offsetof(wrap_options, field)

static const option_entry entries[] = {
    {"flags", NULL, "print what the link line needs, before its libraries", OPTION_FLAG,
     OFFSET(flags), NULL},
    {"archive", "FILE", "the library for static programs (default: the installed one)", OPTION_TEXT,
     OFFSET(archive), NULL},
    {"lists", "DIR", "the lists LAYER.wrap for the linker (default: the installed ones)",
     OPTION_TEXT, OFFSET(lists), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune wrap --flags [options] [mpi|hdf5|netcdf|pnetcdf]...",
    "What is to be added where a program is linked statically, so that its calls are seen as\n"
    "those of others are that libautotune-watch.so is preloaded into: POSIX and stdio, and the\n"
    "libraries that are named, which must be linked into the program.  At run time,\n"
    "ROMIO_AUTOTUNE_WATCH says what is done.\n"
    "    cc -static -o app app.o $(autotune wrap --flags mpi) -lmpi\n",
    entries, NULL};

/* Above each, those below it, of which it makes calls. */
static const char *const layers[] = {"posix", "mpi", "hdf5", "netcdf", "pnetcdf"};
enum { LAYERS = sizeof(layers) / sizeof(layers[0]) };

static bool is_layer(const char *name)
{
    for (int i = 0; i < LAYERS; i++)
        if (strcmp(layers[i], name) == 0)
            return true;
    return false;
}

static bool is_named(const char *layer, char *const *names, int count)
{
    bool found = strcmp(layer, "posix") == 0;

    for (int i = 0; i < count; i++)
        found = found || strcmp(layer, names[i]) == 0;
    return found;
}

static int complain(const char *path)
{
    fprintf(stderr, "autotune wrap: %s: %m\n", path);
    return 1;
}

/* The linker would take a list that is not there for the name of a file. */
static int print_flags(const wrap_options *options, char *const *names, int count)
{
    char path[4096];

    if (access(options->archive, R_OK) != 0)
        return complain(options->archive);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < LAYERS; i++) {
            if (!is_named(layers[i], names, count))
                continue;
            snprintf(path, sizeof(path), "%s/%s.wrap", options->lists, layers[i]);
            if (pass == 0 && access(path, R_OK) != 0)
                return complain(path);
            if (pass == 1)
                printf("-Wl,@%s ", path);
        }
    printf("%s -lpthread\n", options->archive);
    return fflush(stdout) == 0 ? 0 : complain("stdout");
}

int autotune_wrap(int argc, char **argv)
{
    wrap_options options = {.archive = WATCH_ARCHIVE, .lists = WATCH_LISTS};
    option_result result;
    int rest;

    result = options_parse_until(&table, argc, argv, &options, &rest);
    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (!options.flags)
        return options_complain(&table, "--flags is needed (try --help)");
    for (int i = rest; i < argc; i++)
        if (!is_layer(argv[i]))
            return options_complain(&table, "%s: not mpi, hdf5, netcdf or pnetcdf", argv[i]);
    return print_flags(&options, argv + rest, argc - rest);
}
