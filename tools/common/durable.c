/* Writing that lasts. */

#include "durable.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

bool durable_write(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        length -= (size_t) written;
    }
    return fsync(file) == 0;
}

void durable_name(const char *path)
{
    char copy[PATH_MAX];
    int folder;

    snprintf(copy, sizeof(copy), "%s", path);
    folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
}
