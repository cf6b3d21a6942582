/*
 * The MPI library of the process.  It is known when the process starts or, where it is loaded
 * later (dlopen, as Python does), when MPI is initialised; until then, and for good if its programs
 * cannot use this library, calls are passed on.
 */

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "atp.h"
#include "wishes.h"

/* A slot for each, and for its PMPI_ name. */
static const char *const names[] = {
#include "slots.h"
};

enum { SLOTS = sizeof(names) / sizeof(names[0]) };

/* Where calls go.  Calls before there is any MPI library get an error. */
static int nowhere(void)
{
    return MPI_ERR_OTHER;
}

__attribute__((visibility("hidden"))) atp_function *atp_slots[SLOTS];

/* --- finding it */

static void *host; /* handle for dlsym; NULL: there is none yet */

static void *host_function(const char *name)
{
    return host != NULL ? dlsym(host, name) : NULL;
}

/* As the program would have found it: tools may be between this library and the host. */
static void *next_function(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);

    return next != NULL ? next : host_function(name);
}

/* Whether an object is an MPI library, of which this one is a namesake. */
static int look_at(struct dl_phdr_info *object, size_t size, void *found_)
{
    void *handle, *init, **found = found_;
    Dl_info where, here;

    (void) size;
    if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0')
        return 0;
    handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return 0;
    init = dlsym(handle, "PMPI_Init");
    if (init != NULL && dladdr(init, &where) != 0 && dladdr((void *) names, &here) != 0 &&
        where.dli_fbase != here.dli_fbase && (void *) object->dlpi_addr == where.dli_fbase)
        *found = handle;
    else
        dlclose(handle);
    return *found != NULL;
}

/* Our own calls find names of the whole process only: a library that was loaded for one of its
 * parts must become known to all. */
static bool find_host(void)
{
    struct link_map *map;

    if (host == NULL)
        dl_iterate_phdr(look_at, &host);
    if (host == NULL)
        return false;
    return dlinfo(host, RTLD_DI_LINKMAP, &map) == 0 &&
           dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL) != NULL;
}

/* --- which variant it can use */

typedef struct variant {
    bool (*is_for)(const char *version);
    const char *library;         /* beside this one; NULL: in it */
    const char *const needed[5]; /* what ROMIO needs and early libraries lack */
} variant;

static const variant variants[] = {
    {abi_is_mpich,
     NULL,
     {"PMPIX_Grequest_class_create", "PMPIX_Grequest_class_allocate", "PMPI_Type_size_x",
      "PMPI_Status_set_elements_x", NULL}},
    {abi_is_openmpi, ABI_OPENMPI_LIBRARY, {"PMPI_Type_size_x", "PMPI_Status_set_elements_x", NULL}},
};

static bool has_all(const variant *v)
{
    for (int i = 0; v->needed[i] != NULL; i++)
        if (host_function(v->needed[i]) == NULL)
            return false;
    return true;
}

/* Loads the library of a variant, which finds the host's names: they are global by now. */
static void *load_beside(const char *library)
{
    char path[PATH_MAX];
    Dl_info here;
    const char *slash;

    if (dladdr((void *) names, &here) == 0 || here.dli_fname == NULL)
        return NULL;
    slash = strrchr(here.dli_fname, '/');
    if (slash == NULL || snprintf(path, sizeof(path), "%.*s/%s", (int) (slash - here.dli_fname),
                                  here.dli_fname, library) >= (int) sizeof(path))
        return NULL;
    return dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

static atp_function *const *functions_of(const variant *v, const atp_wishes *wishes)
{
    atp_function *const *(*get)(void *, const atp_wishes *) = atp_functions;

    if (v->library != NULL) {
        void *library = load_beside(v->library);
        void *found = library != NULL ? dlsym(library, "atp_functions") : NULL;

        memcpy(&get, &found, sizeof(get));
    }
    return get != NULL ? get(host, wishes) : NULL;
}

/* NULL: *functions_p was set. */
static const char *choose(const char *version, const atp_wishes *wishes,
                          atp_function *const **functions_p)
{
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        if (!variants[i].is_for(version))
            continue;
        if (!has_all(&variants[i]))
            return "lacks functions that ROMIO needs";
        *functions_p = functions_of(&variants[i], wishes);
        return *functions_p != NULL ? NULL
                                    : "needs a library that cannot be loaded from beside this one "
                                      "(libromio-autotune-openmpi.so)";
    }
    return "has another ABI than those for which this library was made";
}

/* True for the process that prints for all: rank 0, if the launcher tells ranks. */
static bool is_first(void)
{
    static const char *const ranks[] = {
        "PMI_RANK",     "PMIX_RANK",           "OMPI_COMM_WORLD_RANK",
        "SLURM_PROCID", "MV2_COMM_WORLD_RANK", "PALS_RANKID"};

    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        const char *rank = secure_getenv(ranks[i]);

        if (rank != NULL)
            return strcmp(rank, "0") == 0;
    }
    return true;
}

static void version_of_host(char *version)
{
    int (*get)(char *, int *) = NULL;
    void *found = host_function("PMPI_Get_library_version");
    int length = 0;

    memcpy(&get, &found, sizeof(get));
    version[0] = '\0';
    if (get == NULL || get(version, &length) != MPI_SUCCESS)
        strcpy(version, "an MPI library without a version");
    version[strcspn(version, "\n,")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
}

static void say(const char *version, const atp_wishes *wishes, const char *reason)
{
    if (!is_first())
        return;
    if (wishes->bad > 0)
        fprintf(stderr,
                "romio-autotune: ROMIO_AUTOTUNE_PRELOAD: \"%.*s\" is ignored: not off, all or "
                "verbose\n",
                wishes->bad, wishes->bad_word);
    if (reason != NULL)
        fprintf(stderr, "romio-autotune: not used: %s %s; the program runs as without it\n",
                version, reason);
    else if (wishes->verbose)
        fprintf(stderr, "romio-autotune: MPI-IO is that of ROMIO with autotune, on %s\n", version);
}

/* --- the slots */

/* Fills the slots with functions, or with the host's own if NULL. */
static void fill(atp_function *const *functions)
{
    for (int i = 0; i < SLOTS; i++) {
        atp_function *to = functions != NULL ? functions[i / 2] : NULL;

        if (to == NULL) {
            void *theirs = next_function(names[i]);

            memcpy(&to, &theirs, sizeof(to));
        }
        atp_slots[i] = to != NULL ? to : (atp_function *) nowhere;
    }
}

/* Fills the slots once there is a host; repeated calls do no harm. */
static void settle(void)
{
    static bool settled;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    const atp_wishes wishes = atp_wishes_parse(secure_getenv("ROMIO_AUTOTUNE_PRELOAD"));
    atp_function *const *functions = NULL;
    const char *reason;

    if (settled || !find_host())
        return;
    settled = true;
    if (wishes.off) {
        fill(NULL);
        return;
    }
    version_of_host(version);
    reason = choose(version, &wishes, &functions);
    fill(functions);
    say(version, &wishes, reason);
}

__attribute__((constructor)) static void start(void)
{
    for (int i = 0; i < SLOTS; i++)
        atp_slots[i] = (atp_function *) nowhere;
    settle();
}

/* --- where a library that was loaded later is noticed */

static int pass_init(const char *name, int *argc, char ***argv)
{
    int (*next)(int *, char ***) = NULL;
    void *found;

    settle();
    found = next_function(name);
    memcpy(&next, &found, sizeof(next));
    return next != NULL ? next(argc, argv) : nowhere();
}

static int pass_init_thread(const char *name, int *argc, char ***argv, int required, int *provided)
{
    int (*next)(int *, char ***, int, int *) = NULL;
    void *found;

    settle();
    found = next_function(name);
    memcpy(&next, &found, sizeof(next));
    return next != NULL ? next(argc, argv, required, provided) : nowhere();
}

int MPI_Init(int *argc, char ***argv)
{
    return pass_init("MPI_Init", argc, argv);
}

int PMPI_Init(int *argc, char ***argv)
{
    return pass_init("PMPI_Init", argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return pass_init_thread("MPI_Init_thread", argc, argv, required, provided);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return pass_init_thread("PMPI_Init_thread", argc, argv, required, provided);
}
