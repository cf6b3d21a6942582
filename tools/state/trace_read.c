/* Traces: files, whole or as they grow. */

#include "trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static atm_status no_access(const char *path, atm_message *message)
{
    if (message != NULL)
        snprintf(message->text, sizeof(message->text), "%.128s: cannot be read: %s", path,
                 strerror(errno));
    return ATM_NO_ACCESS;
}

/* Adds the lines of an open file, and how many these were.  A file must begin with its
 * header also if others were read before.  A last line without its end was cut off or is
 * still being written: it is taken only if it is complete in itself. */
static atm_status add_lines(trace *trace, FILE *file, trace_follower *f, bool all,
                            atm_message *message, size_t *added_p)
{
    char *line = NULL, name[192];
    size_t room = 0;
    ssize_t length;
    atm_status status = ATM_OK;

    while (status == ATM_OK && (length = getline(&line, &room, file)) > 0) {
        bool ended = line[length - 1] == '\n';

        if (!ended && !all)
            break;
        f->offset += length;
        f->line++;
        if (ended)
            line[--length] = '\0';
        snprintf(name, sizeof(name), "%.160s:%zu", f->path, f->line);
        if (f->line == 1 && strstr(line, TRACE_FORMAT) == NULL && length > 0 && ended) {
            if (message != NULL)
                snprintf(message->text, sizeof(message->text), "%s: format: must be \"%s\"", name,
                         TRACE_FORMAT);
            status = ATM_BAD_FILE;
        } else if (length > 0) {
            status = trace_line(trace, line, (size_t) length, name, message);
        }
        if (status == ATM_BAD_FILE && !ended) { /* cut off */
            trace->ignored++;
            status = ATM_OK;
        }
        (*added_p)++;
    }
    if (status == ATM_OK && ferror(file))
        status = no_access(f->path, message);
    free(line);
    return status;
}

atm_status trace_read(trace *trace, const char *path, atm_message *message)
{
    trace_follower f = {.path = (char *) path};
    FILE *file = fopen(path, "re");
    size_t added = 0;
    atm_status status;

    if (file == NULL)
        return no_access(path, message);
    status = add_lines(trace, file, &f, true, message, &added);
    fclose(file);
    if (status == ATM_OK && trace->path == NULL) {
        if (message != NULL)
            snprintf(message->text, sizeof(message->text), "%.128s: has no header", path);
        status = ATM_BAD_FILE;
    }
    return status;
}

atm_status trace_follow(const char *path, trace_follower *follower_p)
{
    char *copy = strdup(path); /* trace_unfollow */

    if (copy == NULL)
        return ATM_NO_MEMORY;
    *follower_p = (trace_follower){.path = copy};
    return ATM_OK;
}

void trace_unfollow(trace_follower *follower)
{
    free(follower->path);
    follower->path = NULL;
}

atm_status trace_catch_up(trace *trace, trace_follower *follower, atm_message *message,
                          size_t *added_p)
{
    FILE *file = fopen(follower->path, "re");
    atm_status status = ATM_OK;
    struct stat info;
    size_t added = 0;

    if (file == NULL && errno == ENOENT) { /* between two files of a rotation */
        *added_p = 0;
        return ATM_OK;
    }
    if (file == NULL)
        return no_access(follower->path, message);
    if (fstat(fileno(file), &info) != 0) {
        status = no_access(follower->path, message);
    } else if (info.st_dev != follower->device || info.st_ino != follower->inode ||
               info.st_size < follower->offset) {
        follower->device = info.st_dev;
        follower->inode = info.st_ino;
        follower->offset = 0;
        follower->line = 0;
    }
    if (status == ATM_OK && fseeko(file, (off_t) follower->offset, SEEK_SET) != 0)
        status = no_access(follower->path, message);
    if (status == ATM_OK)
        status = add_lines(trace, file, follower, false, message, &added);
    fclose(file);
    if (status == ATM_OK)
        *added_p = added;
    return status;
}
