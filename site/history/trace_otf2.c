/* Traces for Vampir: the folder of an archive. */

#include "timeline.h"

#ifdef HAVE_OTF2
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_otf2.h"

static bool is_empty(DIR *folder)
{
    const struct dirent *entry;

    while ((entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return false;
    return true;
}

/* A folder that is there must be empty: nothing of another archive is mixed with this one. */
static ath_status make_folder(const char *path, atm_message *message, bool *made_p)
{
    DIR *folder;
    bool empty;

    *made_p = mkdir(path, 0777) == 0;
    if (*made_p)
        return ATH_OK;
    folder = errno == EEXIST ? opendir(path) : NULL;
    if (folder == NULL)
        return ath_complain(ATH_NO_ACCESS, message, "%.128s: cannot be made: %s", path,
                            strerror(errno));
    empty = is_empty(folder);
    closedir(folder);
    return empty ? ATH_OK
                 : ath_complain(ATH_NO_ACCESS, message,
                                "%.128s: must be a folder that is not there yet, or empty", path);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void) facts, (void) kind, (void) where;
    return remove(path);
}

/* Only what an archive consists of, whatever else came to the folder. */
static void remove_archive(const char *folder, bool made)
{
    static const char *const parts[] = {"traces", "traces.def", "traces.otf2"};
    char *path;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (asprintf(&path, "%s/%s", folder, parts[i]) > 0) {
            nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
            free(path);
        }
    if (made)
        rmdir(folder);
}

static ath_status write_folder(ath_database *database, const trace_processes *processes,
                               const char *folder, atm_message *message)
{
    bool made = false;
    ath_status status = make_folder(folder, message, &made);

    if (status != ATH_OK)
        return status;
    status = archive_write(database, processes, folder, message);
    if (status != ATH_OK)
        remove_archive(folder, made);
    return status;
}

ath_status ath_trace_write_otf2(ath_database *database, const ath_filter *filter,
                                const char *folder, atm_message *message, int64_t *processes_p)
{
    trace_processes processes = {.at = NULL};
    ath_status status = trace_processes_read(database, filter, message, &processes);

    if (status == ATH_OK && processes.count > 0)
        status = write_folder(database, &processes, folder, message);
    if (status == ATH_OK)
        *processes_p = (int64_t) processes.count;
    trace_processes_clear(&processes);
    return status;
}
#else
ath_status ath_trace_write_otf2(ath_database *database, const ath_filter *filter,
                                const char *folder, atm_message *message, int64_t *processes_p)
{
    (void) database, (void) filter, (void) processes_p;
    return ath_complain(ATH_NO_ACCESS, message,
                        "%.128s: cannot be written: this autotune was built without OTF2", folder);
}
#endif
