#include "ad_autotune_decide.h"

#include "ad_autotune_late.h"
#include "ad_autotune_name.h"
#include "adioi.h"
#include "files/file_system.h"
#include "place/where.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What the file's profile is to hold for.  The mount table is long on some nodes, so what is
 * mounted on the last device is kept until MPI_Finalize. */
typedef struct mounted {
    dev_t device;
    const ADIOI_AUTOTUNE_wrapped *wrapped; /* a device tells no driver */
    const char *type;                      /* static */
    atm_mount mount;
    int servers; /* 0: not known */
} mounted;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    ADIOI_Free(value);
    return MPI_SUCCESS;
}

static void ask(const ADIOI_AUTOTUNE_state *state, const char *directory, mounted *now)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = state->wrapped;

    /* where ROMIO has no driver of its own, statfs tells more */
    now->type = wrapped->file_system == ADIO_UFS ? atm_file_system_at(directory) : NULL;
    if (now->type == NULL)
        now->type = wrapped->name;
    if (!atm_mount_at(directory, &now->mount))
        now->mount.source[0] = '\0';
    now->servers =
        wrapped->file_system == ADIO_LUSTRE ? ADIOI_AUTOTUNE_striping_osts(directory) : 0;
}

/* NULL: there is no such directory, or no memory for the answer. */
static const mounted *find(const ADIOI_AUTOTUNE_state *state)
{
    static atm_found last;
    mounted *known = atc_cache_get(&cache, MPI_COMM_SELF);
    char directory[PATH_MAX];
    dev_t device;

    if (ADIOI_AUTOTUNE_directory(state->root->filename, directory, sizeof(directory)) != 0)
        return NULL;
    device = ADIOI_AUTOTUNE_look(directory, &last)->file.st_dev;
    if (device == 0)
        return NULL;
    if (known != NULL && known->device == device && known->wrapped == state->wrapped)
        return known;
    if (known == NULL) {
        known = ADIOI_Malloc(sizeof(*known));
        if (atc_cache_put(&cache, MPI_COMM_SELF, known, MPI_COMM_NULL_COPY_FN, forget) != ATC_OK) {
            ADIOI_Free(known);
            return NULL;
        }
    }
    known->device = device;
    known->wrapped = state->wrapped;
    ask(state, directory, known);
    return known;
}

/* The first line of its version, the same at any time; NULL: it does not tell. */
static const char *library(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    if (version[0] == '\0' && PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return NULL;
    version[strcspn(version, "\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    return version;
}

atm_use ADIOI_AUTOTUNE_use(const ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    const mounted *mounted = find(state);
    atm_use use = {.file_system = state->wrapped->name,
                   .nodes = root->topology->nodes,
                   .nics = atm_topology_nics(root->topology),
                   .mpi = library()};

    if (mounted == NULL)
        return use;
    use.file_system = mounted->type;
    use.servers = mounted->servers;
    if (mounted->mount.source[0] != '\0')
        use.source = mounted->mount.source;
    return use;
}
