/* What is known of the descriptors of this process; of one past the end of the table
 * nothing is (false). */

#include "standin.h"

#include <stdatomic.h>

struct descriptor {
    atomic_bool settled, early;
};
static struct descriptor descriptors[4096];

static struct descriptor *descriptor_of(int fd)
{
    return fd >= 0 && fd < (int) (sizeof descriptors / sizeof descriptors[0]) ? &descriptors[fd]
                                                                              : NULL;
}

bool standin_is_settled(int fd)
{
    const struct descriptor *descriptor = descriptor_of(fd);

    return descriptor && atomic_load_explicit(&descriptor->settled, memory_order_relaxed);
}

void standin_set_settled(int fd, bool value)
{
    struct descriptor *descriptor = descriptor_of(fd);

    if (descriptor)
        atomic_store_explicit(&descriptor->settled, value, memory_order_relaxed);
}

bool standin_is_early(int fd)
{
    const struct descriptor *descriptor = descriptor_of(fd);

    return descriptor && atomic_load_explicit(&descriptor->early, memory_order_relaxed);
}

void standin_set_early(int fd, bool value)
{
    struct descriptor *descriptor = descriptor_of(fd);

    if (descriptor)
        atomic_store_explicit(&descriptor->early, value, memory_order_relaxed);
}

void standin_lustre_forget(int fd)
{
    standin_set_settled(fd, false);
    standin_set_early(fd, false);
    standin_time_forget(fd);
}

void standin_lustre_accessed(int fd)
{
    standin_set_early(fd, false);
}
