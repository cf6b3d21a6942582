#include "error_names.h"

#include <errno.h>
#include <stdio.h>

/* glibc's strerrorname_np came with 2.32 */
#define NAMED(error)                                                                               \
    {                                                                                              \
        error, #error                                                                              \
    }
static const struct {
    int error;
    const char *name;
} names[] = {NAMED(EACCES),    NAMED(EAGAIN),    NAMED(EBADF),        NAMED(EBUSY),
             NAMED(EDQUOT),    NAMED(EEXIST),    NAMED(EFAULT),       NAMED(EFBIG),
             NAMED(EHOSTDOWN), NAMED(EINTR),     NAMED(EINVAL),       NAMED(EIO),
             NAMED(EISDIR),    NAMED(ELOOP),     NAMED(EMFILE),       NAMED(ENAMETOOLONG),
             NAMED(ENETDOWN),  NAMED(ENFILE),    NAMED(ENODATA),      NAMED(ENODEV),
             NAMED(ENOENT),    NAMED(ENOMEM),    NAMED(ENOSPC),       NAMED(ENOSYS),
             NAMED(ENOTCONN),  NAMED(ENOTDIR),   NAMED(ENOTSUP),      NAMED(ENOTTY),
             NAMED(ENXIO),     NAMED(EPERM),     NAMED(EPIPE),        NAMED(EPROTO),
             NAMED(ERANGE),    NAMED(EREMOTEIO), NAMED(EROFS),        NAMED(ESHUTDOWN),
             NAMED(ESTALE),    NAMED(ETIMEDOUT), NAMED(ECONNREFUSED), NAMED(EHOSTUNREACH)};

error_text error_name(int error)
{
    error_text name;

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].error == error) {
            snprintf(name.text, sizeof(name.text), "%s", names[i].name);
            return name;
        }
    snprintf(name.text, sizeof(name.text), "E%d", error);
    return name;
}
