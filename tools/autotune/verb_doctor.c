/* autotune doctor: can the driver work for a program, and how? */

#include "autotune.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/abi.h"
#include "common/options.h"
#include "common/shown.h"
#include "preloaded.h"
#include "program.h"

typedef struct doctor_options {
    const char *library;
} doctor_options;

static const option_entry entries[] = {{"library", "FILE",
                                        "the preload library (default: the installed one)",
                                        OPTION_TEXT, offsetof(doctor_options, library), NULL},
                                       {.name = NULL}};

static const option_table table = {
    "autotune doctor [options] PROGRAM",
    "Tell which MPI library a program uses, whether the driver can work with it, and how.\n"
    "The program is not run.\n",
    entries, NULL};

/* What to do, in one or two lines; the exit code: 0 the driver can work, 1 it cannot. */
typedef struct advice {
    int code;
    const char *text;
} advice;

static const advice for_script = {
    1, "It starts other programs, which are to be examined; or run it once with\n"
       "\"autotune run --\" before its command, which tells what is in effect."};
static const advice for_static = {
    1, "Nothing can be loaded into it. Link it with an MPICH that has the driver, or set the\n"
       "hints that the model would choose (autotune hints). Its calls can be seen if it is linked\n"
       "with what \"autotune wrap --flags\" prints."};
static const advice for_serial = {
    1, "If it loads one while it runs, as Python does, \"autotune run --\" before its command\n"
       "tells what is in effect."};
static const advice for_ours = {
    0, "The driver is built in: open autotune:/path/file, or set ROMIO_FSTYPE_FORCE=autotune:"};
static const advice for_preload = {
    0, "The driver can be preloaded: put \"autotune run --\" before the command that starts it."};
static const advice without_library = {
    1, "The driver could be preloaded, but the library is not there (--library)."};
static const advice without_variant = {
    1, "The driver could be preloaded, but " ABI_OPENMPI_LIBRARY " is not there: it is made\n"
       "where Open MPI's compiler is installed (configure --with-openmpi=MPICC)."};
static const advice for_unknown = {
    1, "Its ABI is not known here. Set the hints that the model would choose (autotune hints)."};

/* Whether a file is in the folder of the preload library. */
static bool is_beside(const char *library, const char *file)
{
    const char *slash = strrchr(library, '/');
    int length = slash != NULL ? (int) (slash + 1 - library) : 0;
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%.*s%s", length, library, file) < (int) sizeof(path) &&
           access(path, R_OK) == 0;
}

static const advice *advice_for_preload(const char *library, const char *variant)
{
    if (access(library, R_OK) != 0)
        return &without_library;
    return variant == NULL || is_beside(library, variant) ? &for_preload : &without_variant;
}

static const advice *advice_for(const program *p, const char *library)
{
    if (p->kind == PROGRAM_SCRIPT)
        return &for_script;
    if (p->kind == PROGRAM_STATIC)
        return &for_static;
    switch (p->mpi) {
        case PROGRAM_NO_MPI:
            return &for_serial;
        case PROGRAM_OURS:
            return &for_ours;
        case PROGRAM_MPICH_ABI:
            return advice_for_preload(library, NULL);
        case PROGRAM_OPEN_MPI:
            return advice_for_preload(library, ABI_OPENMPI_LIBRARY);
        default:
            return &for_unknown;
    }
}

static void print_shown(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    shown_put(text, stdout);
    fputs(after, stdout);
}

static void print_program(const char *name, const program *p)
{
    shown_put(name, stdout);
    if (p->kind == PROGRAM_SCRIPT) {
        print_shown(": a script for ", p->interpreter, "\n");
    } else if (p->kind == PROGRAM_STATIC) {
        puts(": linked statically");
    } else if (p->mpi == PROGRAM_NO_MPI) {
        puts(": no MPI library is among its libraries");
    } else {
        print_shown(": uses ", p->version, "\n");
        print_shown("(", p->library, ")\n");
    }
}

static void complain_of_missing(const char *name, const char *missing)
{
    char library[sizeof(((program *) NULL)->missing)];

    shown_clean(missing, sizeof(library), library);
    fprintf(stderr, "autotune doctor: %s: %s is not found: are all its libraries there?\n", name,
            library);
}

int autotune_doctor(int argc, char **argv)
{
    doctor_options options = {.library = PRELOADED_LIBRARY};
    option_result result;
    const char *wrong;
    const advice *what;
    program p;
    int rest;

    result = options_parse_until(&table, argc, argv, &options, &rest);
    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (rest + 1 != argc)
        return options_complain(&table, "one program is needed (try --help)");
    wrong = program_examine(argv[rest], &p);
    if (wrong != NULL) {
        fprintf(stderr, "autotune doctor: %s: %s\n", argv[rest], wrong);
        return 2;
    }
    if (p.missing[0] != '\0') {
        complain_of_missing(argv[rest], p.missing);
        return 2;
    }
    what = advice_for(&p, options.library);
    print_program(argv[rest], &p);
    printf("%s\n", what->text);
    return what->code;
}
