/* Processes that open a file with MPI-IO.  Calls go to MPI's other names, so that no tool counts
 * them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h5_tune.h"
#include "mpi_abi.h"
#include "value/value_text.h"

/* --- MPI */

typedef struct functions {
    int (*rank)(atw_handle, int *);
    int (*size)(atw_handle, int *);
    int (*bcast)(void *, int, atw_handle, int, atw_handle);
    int (*free_comm)(void *);
    int (*create_info)(void *);
    int (*set_info)(atw_handle, const char *, const char *);
    int (*get_info)(atw_handle, const char *, int, char *, int *);
    int (*free_info)(void *);
} functions;

static bool find(functions *mpi)
{
    static const char *const names[] = {"PMPI_Comm_rank", "PMPI_Comm_size",   "PMPI_Bcast",
                                        "PMPI_Comm_free", "PMPI_Info_create", "PMPI_Info_set",
                                        "PMPI_Info_get",  "PMPI_Info_free"};
    enum { COUNT = sizeof(names) / sizeof(names[0]) };
    static _Atomic(atw_function *) slots[COUNT];
    atw_function *found[COUNT];

    _Static_assert(sizeof(*mpi) == sizeof(found), "one for each name");
    for (int i = 0; i < COUNT; i++) {
        found[i] = atw_optional(&slots[i], names[i]);
        if (found[i] == NULL)
            return false;
    }
    memcpy(mpi, found, sizeof(found));
    return true;
}

static atw_handle handle(uint64_t value)
{
    return (atw_handle) (uintptr_t) value;
}

static bool has_info(const atw_h5_job *job)
{
    return job->mpi && handle(job->info) != atw_mpi_abi()->info_null;
}

bool atw_h5_job_get(const atw_h5 *h5, int64_t list, atw_h5_job *job_p)
{
    atw_h5_job job = {.mpi = true};
    functions mpi;

    if (h5->H5Pget_fapl_mpio == NULL || h5->H5Pset_fapl_mpio == NULL || !find(&mpi) ||
        h5->H5Pget_fapl_mpio(list, &job.comm, &job.info) < 0)
        return false;
    mpi.rank(handle(job.comm), &job.rank);
    mpi.size(handle(job.comm), &job.ranks);
    *job_p = job;
    return true;
}

void atw_h5_job_free(atw_h5_job *job)
{
    functions mpi;

    if (!job->mpi || !find(&mpi))
        return;
    if (has_info(job))
        mpi.free_info(&job->info);
    mpi.free_comm(&job->comm);
    job->mpi = false;
}

void atw_h5_job_agree(const atw_h5_job *job, void *bytes, size_t length)
{
    functions mpi;

    if (job->mpi && job->ranks > 1 && find(&mpi))
        mpi.bcast(bytes, (int) length, atw_mpi_abi()->byte, 0, handle(job->comm));
}

void atw_h5_job_hint(const atw_h5_job *job, const char *key, size_t size, char *value_p)
{
    functions mpi;
    int found = 0;

    value_p[0] = '\0';
    if (!has_info(job) || !find(&mpi))
        return;
    mpi.get_info(handle(job->info), key, (int) size - 1, value_p, &found);
    if (!found)
        value_p[0] = '\0';
}

/* --- hints that others gave */

/* A line of it begins with the key. */
static bool names_key(const char *text, size_t length, const char *key)
{
    const char *end = text + length;
    size_t key_length = strlen(key);

    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t) (end - text));

        while (text < end && (*text == ' ' || *text == '\t'))
            text++;
        if ((size_t) (end - text) > key_length && memcmp(text, key, key_length) == 0 &&
            strchr(" \t=", text[key_length]) != NULL)
            return true;
        text = line_end != NULL ? line_end + 1 : end;
    }
    return false;
}

/* ROMIO takes hints of these files where a program gives none. */
static bool is_in_file(const char *path, const char *key)
{
    size_t length;
    char *text;
    bool found;

    if (atm_text_read(path, NULL, &text, &length) != ATM_OK)
        return false;
    found = names_key(text, length, key);
    free(text);
    return found;
}

static bool is_given(const atw_h5_job *job, const char *key)
{
    const char *path = secure_getenv("ROMIO_HINTS"), *cray = secure_getenv("MPICH_MPIIO_HINTS");
    char value[1024];

    atw_h5_job_hint(job, key, sizeof(value), value);
    return value[0] != '\0' || (cray != NULL && strstr(cray, key) != NULL) ||
           is_in_file(path != NULL ? path : "/etc/romio-hints", key);
}

/* --- hints of ours */

/* A hint, and whether it is only for new files. */
static const struct {
    atm_setting setting;
    bool layout;
} hints_of[] = {{ATM_SET_CB_NODES, false},       {ATM_SET_CB_BUFFER_SIZE, false},
                {ATM_SET_STRIPING_FACTOR, true}, {ATM_SET_STRIPING_UNIT, true},
                {ATM_SET_CO_RATIO, false},       {ATM_SET_CB_WRITE, false},
                {ATM_SET_CB_READ, false}};

enum { HINTS = sizeof(hints_of) / sizeof(hints_of[0]) };

static bool is_ours(const char *name)
{
    static const char prefix[] = "autotune:";
    const char *forced = secure_getenv("ROMIO_FSTYPE_FORCE"),
               *wishes = secure_getenv("ROMIO_AUTOTUNE_PRELOAD");

    return strncmp(name, prefix, sizeof(prefix) - 1) == 0 ||
           (forced != NULL && strncmp(forced, prefix, sizeof(prefix) - 1) == 0) ||
           (wishes != NULL && strstr(wishes, "all") != NULL);
}

uint32_t atw_h5_hints(const atw_h5_job *job, const char *name, bool creates,
                      const atm_settings *set)
{
    uint32_t hints = 0;

    if (!job->mpi || is_ours(name))
        return 0;
    for (int i = 0; i < HINTS; i++) {
        atm_setting setting = hints_of[i].setting;

        if (set->has[setting] && (creates || !hints_of[i].layout) &&
            !is_given(job, atm_setting_name(setting)))
            hints |= atw_h5_bit(setting);
    }
    return hints;
}

static void value_of(const atm_settings *set, atm_setting setting, size_t size, char *value_p)
{
    const char *word = atm_setting_word(setting, set->values[setting]);

    if (word != NULL)
        snprintf(value_p, size, "%s", word);
    else
        snprintf(value_p, size, "%llu", (unsigned long long) set->values[setting]);
}

bool atw_h5_job_put_hints(const atw_h5 *h5, atw_h5_job *job, int64_t list, const atm_settings *set,
                          uint32_t hints)
{
    functions mpi;

    if (!find(&mpi))
        return false;
    if (!has_info(job))
        mpi.create_info(&job->info);
    for (int i = 0; i < HINTS; i++) {
        atm_setting setting = hints_of[i].setting;
        char value[32], own[1024];

        if (!(hints & atw_h5_bit(setting)))
            continue;
        atw_h5_job_hint(job, atm_setting_name(setting), sizeof(own), own);
        if (own[0] != '\0') /* of this process alone */
            continue;
        value_of(set, setting, sizeof(value), value);
        mpi.set_info(handle(job->info), atm_setting_name(setting), value);
    }
    return h5->H5Pset_fapl_mpio(list, handle(job->comm), handle(job->info)) >= 0;
}
