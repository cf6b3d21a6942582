/* Traces: files, whole or as they grow. */

#include "trace.h"
#include "formats/formats.h"

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

static void let_go(trace_follower *follower)
{
    if (follower->file != NULL)
        fclose(follower->file);
    follower->file = NULL;
    follower->offset = 0;
    follower->line = 0;
}

void trace_unfollow(trace_follower *follower)
{
    let_go(follower);
    free(follower->path);
    follower->path = NULL;
}

bool trace_follows(const trace_follower *follower, const struct stat *info)
{
    struct stat held;

    return follower->file != NULL && fstat(fileno(follower->file), &held) == 0 &&
           held.st_dev == info->st_dev && held.st_ino == info->st_ino;
}

/* What is new in the file that is held. */
static atm_status read_on(trace *trace, trace_follower *f, bool all, atm_message *message,
                          size_t *added_p)
{
    struct stat held;

    if (fstat(fileno(f->file), &held) != 0)
        return no_access(f->path, message);
    if (held.st_size < f->offset) { /* cut */
        f->offset = 0;
        f->line = 0;
    }
    if (fseeko(f->file, (off_t) f->offset, SEEK_SET) != 0)
        return no_access(f->path, message);
    return add_lines(trace, f->file, f, all, message, added_p);
}

/* The file is held open, so that what came before a rotation is not lost with its name. */
atm_status trace_catch_up(trace *trace, trace_follower *follower, atm_message *message,
                          size_t *added_p)
{
    atm_status status = ATM_OK;
    size_t added = 0;
    bool replaced;

    do {
        struct stat named;

        if (follower->file == NULL)
            follower->file = fopen(follower->path, "re"); /* let_go */
        if (follower->file == NULL && errno == ENOENT)
            break;
        if (follower->file == NULL)
            return no_access(follower->path, message);
        replaced = stat(follower->path, &named) == 0 && !trace_follows(follower, &named);
        status = read_on(trace, follower, replaced, message, &added);
        if (replaced && status == ATM_OK)
            let_go(follower);
    } while (replaced && status == ATM_OK);
    if (status == ATM_OK)
        *added_p = added;
    return status;
}
