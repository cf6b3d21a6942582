/* Files through the system calls of ROMIO's drivers: how each makes a new file,
 * and how it reads and writes a contiguous piece. */

#include <errno.h>
#include <fcntl.h>
#include <lustre/lustre_user.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "calibrate.h"

/* ad_write.c:24, ad_read.c:24: in pieces of at most INT_MAX bytes */
static uint64_t piece(uint64_t bytes)
{
    return bytes < INT_MAX ? bytes : INT_MAX;
}

static int plain_write(int file, const char *buffer, uint64_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t done = pwrite(file, buffer, piece(bytes), (off_t) offset);

        if (done < 0)
            return errno;
        buffer += done;
        offset += (uint64_t) done;
        bytes -= (uint64_t) done;
    }
    return 0;
}

static int plain_read(int file, char *buffer, uint64_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t done = pread(file, buffer, piece(bytes), (off_t) offset);

        if (done <= 0)
            return done < 0 ? errno : ENODATA;
        buffer += done;
        offset += (uint64_t) done;
        bytes -= (uint64_t) done;
    }
    return 0;
}

static int plain_create(const char *path, int stripes, uint64_t stripe_size, int *file_p)
{
    (void) stripes, (void) stripe_size;
    *file_p = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    return *file_p < 0 ? errno : 0;
}

/* --- NFS: a lock around each access (ad_nfs_write.c:49, ad_nfs_read.c) */

static int lock(int file, short type, uint64_t bytes, uint64_t offset)
{
    struct flock range = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t) offset, .l_len = (off_t) bytes};

    while (fcntl(file, F_SETLKW, &range) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

static int locked_write(int file, const char *buffer, uint64_t bytes, uint64_t offset)
{
    int code = lock(file, F_WRLCK, bytes, offset);

    if (code == 0)
        code = plain_write(file, buffer, bytes, offset);
    lock(file, F_UNLCK, bytes, offset);
    return code;
}

static int locked_read(int file, char *buffer, uint64_t bytes, uint64_t offset)
{
    int code = lock(file, F_RDLCK, bytes, offset);

    if (code == 0)
        code = plain_read(file, buffer, bytes, offset);
    lock(file, F_UNLCK, bytes, offset);
    return code;
}

/* --- Lustre: objects are made with the layout (ad_lustre_open.c:79-115) */

static int striped_create(const char *path, int stripes, uint64_t stripe_size, int *file_p)
{
    struct lov_user_md layout = {.lmm_magic = LOV_USER_MAGIC,
                                 .lmm_stripe_size = (uint32_t) stripe_size,
                                 .lmm_stripe_count = (uint16_t) stripes,
                                 .lmm_stripe_offset = 0xffff};
    int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC, 0666);

    if (file < 0)
        return errno;
    if (ioctl(file, LL_IOC_LOV_SETSTRIPE, &layout) != 0) {
        int code = errno;

        close(file);
        return code;
    }
    *file_p = file;
    return 0;
}

const access_driver access_drivers[ATM_DRIVER_COUNT] = {
    [ATM_UFS] = {plain_create, plain_write, plain_read},
    [ATM_NFS] = {plain_create, locked_write, locked_read},
    [ATM_GPFS] = {plain_create, plain_write, plain_read},
    [ATM_LUSTRE] = {striped_create, plain_write, plain_read},
};
