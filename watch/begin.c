/* Descriptors and streams: whether a call is of a regular file, and of which. */

#include "begin.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "descriptors.h"
#include "drain.h"
#include "files.h"

/* --- which file */

bool atw_begin_fd(atw_call *call, unsigned which, int fd)
{
    int saved = errno;
    uint32_t file = atw_is_on() ? atw_descriptor_file(fd) : 0;

    errno = saved;
    if (file == 0 || !atw_begin(call, which, file))
        return false;
    call->fd = fd;
    return true;
}

/* Our own descriptor is none of the program's. */
bool atw_begin_close(atw_call *call, unsigned which, int *fd)
{
    uint32_t file;

    if (!atw_is_on() || !atw_is_own_memory())
        return false;
    if (*fd >= 0 && *fd == atw_own_descriptor(*fd))
        *fd = -1;
    file = atw_descriptor_known(*fd);
    atw_descriptor_forget(*fd);
    return file != 0 && atw_begin(call, which, file);
}

static bool is_lock(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
           command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

bool atw_begin_lock(atw_call *call, unsigned which, int fd, int command)
{
    return is_lock(command) && atw_begin_fd(call, which, fd);
}

bool atw_begin_stream(atw_call *call, unsigned which, FILE *stream)
{
    int saved = errno, fd = stream != NULL ? fileno_unlocked(stream) : -1;

    errno = saved;
    return atw_begin_fd(call, which, fd);
}

bool atw_begin_fclose(atw_call *call, unsigned which, FILE *stream)
{
    int saved = errno, fd = stream != NULL ? fileno_unlocked(stream) : -1;

    errno = saved;
    return atw_begin_close(call, which, &fd);
}

bool atw_begin_opens(atw_call *call, unsigned which, const char *path)
{
    if (!atw_is_on() || !atw_is_own_memory() || !atw_begin(call, which, 0))
        return false;
    call->path = path;
    return true;
}

bool atw_begin_reopens(atw_call *call, unsigned which, const char *path, FILE *stream)
{
    int saved = errno, fd = stream != NULL ? fileno_unlocked(stream) : -1;

    errno = saved;
    atw_descriptor_forget(fd);
    return atw_begin_opens(call, which, path);
}

bool atw_begin_named(atw_call *call, unsigned which, const char *name)
{
    int saved = errno;
    uint32_t file = atw_is_on() ? atw_file_named(name) : 0;

    errno = saved;
    return file != 0 && atw_begin(call, which, file);
}

/* --- what was made */

/* What could not be opened counts as the file that was meant. */
void atw_made_fd(atw_call *call, int fd)
{
    if (fd < 0) {
        call->activity.file = atw_file_named(call->path);
        return;
    }
    call->fd = fd;
    call->activity.file = atw_descriptor_opened(fd);
    call->forgotten = call->activity.file == 0;
}

void atw_made_stream(atw_call *call, FILE *stream)
{
    atw_made_fd(call, stream != NULL ? fileno_unlocked(stream) : -1);
}

/* --- where, and how much */

/* Descriptors may share their position with other processes: only the system knows it.  One without
 * a position became a pipe or socket in a way that was not seen. */
int64_t atw_position(atw_call *call, int fd, ssize_t result)
{
    static _Atomic(atw_function *) slot;
    off_t (*seek)(int, off_t, int) = (off_t(*)(int, off_t, int)) atw_real(&slot, "lseek");
    off_t after = seek(fd, 0, SEEK_CUR);

    if (after < 0 && errno == ESPIPE) {
        atw_descriptor_forget(fd);
        call->forgotten = true;
    }
    if (after < 0)
        return -1;
    return result > 0 ? after - result : after;
}

/* preadv2 and pwritev2 use the position if the offset is -1. */
int64_t atw_position2(atw_call *call, int fd, off_t offset, ssize_t result)
{
    return offset == -1 ? atw_position(call, fd, result) : offset;
}

/* A lock that the system cannot read, nobody can. */
int64_t atw_lock_start(const atw_call *call, const void *lock)
{
    return call->activity.error != EFAULT ? ((const struct flock *) lock)->l_start : -1;
}

/* 0 is all that follows. */
uint64_t atw_lock_length(const void *lock)
{
    return (uint64_t) ((const struct flock *) lock)->l_len;
}

int atw_stream_error(const atw_call *call, FILE *stream, bool is_short)
{
    return is_short && ferror_unlocked(stream) ? call->saved_errno : 0;
}
