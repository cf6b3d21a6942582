/* Output: plain files are replaced or appended to, everything else is written to. */

#include "text_output_send.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Milliseconds without progress. */
#define WRITE_PATIENCE 10000
#define APPEND_PATIENCE 1000

#define LOCK_TRIES 100
#define LOCK_PAUSE 10 /* milliseconds */

#define NEVER_WAITS (O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* --- opening */

/* The kernel follows the links, and with O_CREAT refuses files and pipes that others planted, where
 * it is set to (fs.protected_regular, fs.protected_fifos). */
static int open_output(const char *path, const atm_output *output)
{
    struct stat info;
    int file;

    if (output->own >= 0)
        return fcntl(output->own, F_DUPFD_CLOEXEC, 0);
    file = open(path, NEVER_WAITS | O_APPEND | O_CREAT, 0666);
    if (file >= 0 && fstat(file, &info) == 0 && (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode)) &&
        atm_output_planted(output->path, info.st_uid)) {
        close(file);
        errno = EACCES;
        file = -1;
    }
    return file;
}

static atm_status open_failed(const char *path, const atm_output *output, atm_message *message)
{
    int error = errno;
    struct stat info;

    if (error == ENXIO && stat(output->path, &info) == 0 && S_ISFIFO(info.st_mode))
        return atm_no_access(path, message, "cannot be opened: nobody reads from it");
    errno = error;
    return atm_no_access(path, message, "cannot be opened: %m");
}

/* --- replacing */

static atm_status fill(int file, const char *path, const struct stat *old, const char *text,
                       size_t length, atm_message *message)
{
    mode_t mode = old != NULL ? old->st_mode & 0777 : 0644;
    atm_status status = ATM_OK;

    if (old != NULL && old->st_uid != geteuid() && fchown(file, old->st_uid, old->st_gid) != 0)
        errno = 0; /* only root may give files away */
    if (!atm_output_send(file, text, length, WRITE_PATIENCE) || fchmod(file, mode) != 0 ||
        fsync(file) != 0)
        status = atm_output_failed(path, "written", message);
    if (close(file) != 0 && !status)
        status = atm_output_failed(path, "written", message);
    return status;
}

/* Beside target, with owner and mode of the old one, if there is one; path is what messages name.
 */
static atm_status stage(const char *path, const char *target, const struct stat *old,
                        const char *text, size_t length, atm_message *message, char **new_path_p)
{
    static const char suffix[] = ".XXXXXX";
    size_t target_length = strlen(target);
    char *new_path = malloc(target_length + sizeof(suffix));
    atm_status status;
    int file;

    if (new_path == NULL)
        return ATM_NO_MEMORY;
    memcpy(new_path, target, target_length);
    memcpy(new_path + target_length, suffix, sizeof(suffix));
    file = mkostemp(new_path, O_CLOEXEC);
    if (file < 0) {
        status = atm_no_access(path, message, "cannot be created: %m");
        free(new_path);
        return status;
    }
    status = fill(file, path, old, text, length, message);
    if (status == ATM_OK) {
        *new_path_p = new_path;
        return ATM_OK;
    }
    unlink(new_path);
    free(new_path);
    return status;
}

atm_status atm_text_stage(const char *path, const char *text, size_t length, atm_message *message,
                          char **new_path_p)
{
    return stage(path, path, NULL, text, length, message, new_path_p);
}

static atm_status replace(const char *path, const char *target, const struct stat *old,
                          const char *text, size_t length, atm_message *message)
{
    char *new_path;
    atm_status status = stage(path, target, old, text, length, message, &new_path);

    if (status != ATM_OK)
        return status;
    if (rename(new_path, target) != 0) {
        status = atm_no_access(path, message, "cannot be replaced: %m");
        unlink(new_path);
    }
    free(new_path);
    return status;
}

static atm_status write_into(const char *path, const atm_output *output, const char *text,
                             size_t length, atm_message *message)
{
    int file = open_output(path, output);
    atm_status status = ATM_OK;

    if (file < 0)
        return open_failed(path, output, message);
    if (!atm_output_send(file, text, length, WRITE_PATIENCE))
        status = atm_output_failed(path, "written", message);
    if (close(file) != 0 && !status)
        status = atm_output_failed(path, "written", message);
    return status;
}

atm_status atm_text_write(const char *path, const char *text, size_t length, atm_message *message)
{
    atm_output output;
    struct stat old;
    int error = atm_output_find(path, &output);
    bool exists;

    if (error != 0) {
        errno = error;
        return atm_no_access(path, message, "cannot be written: %m");
    }
    exists = lstat(output.path, &old) == 0;
    if (output.descriptor || (exists && !S_ISREG(old.st_mode)))
        return write_into(path, &output, text, length, message);
    if (output.others)
        return atm_no_access(path, message, "cannot be replaced: the link is another user's");
    if (exists && atm_output_planted(output.path, old.st_uid))
        return atm_no_access(path, message, "cannot be replaced: it is another user's");
    return replace(path, output.path, exists ? &old : NULL, text, length, message);
}

/* --- appending */

/* Locks that belong to this open file description; if the file system has only
 * locks per process, one of these.  A holder that never releases its lock is not
 * waited for: in that case, and without locks, lines may mix. */
static bool lock(int file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int command = F_OFD_SETLK;

    for (int i = 0; i < LOCK_TRIES; i++) {
        if (fcntl(file, command, &whole) == 0)
            return true;
        if (errno == EINVAL && command == F_OFD_SETLK)
            command = F_SETLK;
        else if (errno == EAGAIN || errno == EACCES)
            poll(NULL, 0, LOCK_PAUSE);
        else if (errno != EINTR)
            return false;
    }
    return false;
}

static atm_status append_to_file(int file, const char *path, const char *line, size_t length,
                                 atm_message *message)
{
    bool locked = lock(file);
    struct stat before;
    atm_status status;

    if (locked && fstat(file, &before) != 0)
        locked = false;
    if (atm_output_send(file, line, length, APPEND_PATIENCE))
        return ATM_OK;
    status = atm_output_failed(path, "written", message);
    if (locked && ftruncate(file, before.st_size) != 0)
        errno = 0; /* half a line is left */
    return status;
}

static atm_status append(int file, bool own, const char *path, const char *line, size_t length,
                         atm_message *message)
{
    struct stat info;

    if (length == 0)
        return ATM_OK;
    if (!own && fstat(file, &info) == 0 && S_ISREG(info.st_mode))
        return append_to_file(file, path, line, length, message);
    return atm_output_send(file, line, length, APPEND_PATIENCE)
               ? ATM_OK
               : atm_output_failed(path, "written", message);
}

atm_status atm_line_append(const char *path, const char *line, size_t length, atm_message *message)
{
    atm_output output;
    atm_status status;
    int error = atm_output_find(path, &output), file;

    if (error != 0) {
        errno = error;
        return atm_no_access(path, message, "cannot be written: %m");
    }
    file = open_output(path, &output);
    if (file < 0)
        return open_failed(path, &output, message);
    status = append(file, output.own >= 0, path, line, length, message);
    if (close(file) != 0 && status == ATM_OK)
        status = atm_output_failed(path, "written", message);
    return status;
}
