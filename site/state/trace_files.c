/* Traces: names of files, also of whole folders. */

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

typedef struct list {
    char **files;
    int count;
} list;

static atm_status add(list *l, char *name)
{
    char **files =
        name != NULL ? realloc(l->files, ((size_t) l->count + 1) * sizeof(*files)) : NULL;

    if (files == NULL) {
        free(name);
        return ATM_NO_MEMORY;
    }
    l->files = files;
    l->files[l->count++] = name;
    return ATM_OK;
}

static int is_trace(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && dot != NULL && strcmp(dot, ".jsonl") == 0;
}

static atm_status add_folder(list *l, const char *folder, atm_message *message)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_trace, alphasort);
    atm_status status = ATM_OK;

    if (count < 0) {
        if (message != NULL)
            snprintf(message->text, sizeof(message->text), "%.128s: cannot be read: %s", folder,
                     strerror(errno));
        return ATM_NO_ACCESS;
    }
    for (int i = 0; i < count; i++) {
        char *name = NULL;

        if (status == ATM_OK && asprintf(&name, "%s/%s", folder, entries[i]->d_name) < 0)
            name = NULL;
        if (status == ATM_OK)
            status = add(l, name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

atm_status trace_files(char *const *names, int count, atm_message *message, char ***files_p,
                       int *count_p)
{
    atm_status status = ATM_OK;
    list l = {NULL, 0};

    for (int i = 0; i < count && status == ATM_OK; i++) {
        struct stat info;

        if (stat(names[i], &info) == 0 && S_ISDIR(info.st_mode))
            status = add_folder(&l, names[i], message);
        else
            status = add(&l, strdup(names[i]));
    }
    if (status != ATM_OK) {
        trace_files_free(l.files, l.count);
        return status;
    }
    *files_p = l.files;
    *count_p = l.count;
    return ATM_OK;
}

void trace_files_free(char **files, int count)
{
    for (int i = 0; i < count; i++)
        free(files[i]);
    free(files);
}
