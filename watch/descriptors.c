/* A table in two steps, for a million descriptors; others are not looked at. */

#include "descriptors.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atw.h"
#include "files.h"

enum { PAGE = 1024, PAGES = 1024 };
enum { UNKNOWN = 0, NOT_A_FILE = UINT32_MAX };

typedef _Atomic uint32_t cell;
static _Atomic(cell *) pages[PAGES];

/* NULL: the table has no such page. */
static cell *look(int fd)
{
    unsigned page = (unsigned) fd / PAGE;
    cell *cells = page < PAGES ? atomic_load_explicit(&pages[page], memory_order_acquire) : NULL;

    return cells != NULL ? cells + (unsigned) fd % PAGE : NULL;
}

static cell *make(int fd)
{
    unsigned page = (unsigned) fd / PAGE;
    cell *cells, *none = NULL;

    if (page >= PAGES)
        return NULL;
    cells = atw_take(PAGE * sizeof(*cells));
    if (cells != NULL && !atomic_compare_exchange_strong(&pages[page], &none, cells))
        cells = none;
    return cells != NULL ? cells + (unsigned) fd % PAGE : NULL;
}

/* As the system names it: from the root, links followed.  The process itself has no descriptors
 * any more if its first thread has ended. */
static uint32_t number_of(int fd)
{
    char link[48], path[PATH_MAX];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
    length = readlink(link, path, sizeof(path));
    if (length > 0)
        return atw_file_number(path, (size_t) length);
    return atw_file_number("unknown", sizeof("unknown") - 1);
}

/* A descriptor that is not open stays unknown. */
static uint32_t learn(int fd)
{
    cell *at = look(fd);
    struct stat what;
    uint32_t number;

    if (at == NULL)
        at = make(fd);
    if (at == NULL || fstat(fd, &what) != 0)
        return 0;
    number = S_ISREG(what.st_mode) ? number_of(fd) : 0;
    atomic_store_explicit(at, number != 0 ? number : (uint32_t) NOT_A_FILE, memory_order_relaxed);
    return number;
}

uint32_t atw_descriptor_file(int fd)
{
    cell *at = look(fd);
    uint32_t known = at != NULL ? atomic_load_explicit(at, memory_order_relaxed) : UNKNOWN;

    if (__builtin_expect(known == UNKNOWN, 0))
        return fd >= 0 ? learn(fd) : 0;
    return known == (uint32_t) NOT_A_FILE ? 0 : known;
}

uint32_t atw_descriptor_known(int fd)
{
    cell *at = look(fd);
    uint32_t known = at != NULL ? atomic_load_explicit(at, memory_order_relaxed) : UNKNOWN;

    return known == (uint32_t) NOT_A_FILE ? 0 : known;
}

uint32_t atw_descriptor_opened(int fd)
{
    return fd >= 0 ? learn(fd) : 0;
}

void atw_descriptor_forget(int fd)
{
    cell *at = look(fd);

    if (at != NULL)
        atomic_store_explicit(at, UNKNOWN, memory_order_relaxed);
}

void atw_descriptors_forget(unsigned first, unsigned last)
{
    for (unsigned page = first / PAGE; page < PAGES && page <= last / PAGE; page++) {
        cell *cells = atomic_load_explicit(&pages[page], memory_order_acquire);

        for (unsigned i = 0; cells != NULL && i < PAGE; i++)
            if (page * PAGE + i >= first && page * PAGE + i <= last)
                atomic_store_explicit(cells + i, UNKNOWN, memory_order_relaxed);
    }
}
