/* Memory that no allocator of the program knows of: calls are seen inside of allocators, too. */

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "atw.h"

/* APART: processors fetch lines of 64 bytes in pairs. */
enum { CHUNK = 1 << 18, LARGE = CHUNK / 4, ALIGNMENT = 16, APART = 128 };

typedef struct chunk {
    _Alignas(ALIGNMENT) atomic_size_t used;
} chunk;

static _Atomic(chunk *) current;

/* mmap is one of the calls that are seen. */
void *atw_take_pages(size_t bytes)
{
    long at = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, (off_t) 0);

    return at == -1 ? NULL : (void *) at;
}

void atw_give_back(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

static void *take_from(chunk *from, size_t bytes)
{
    size_t at = from != NULL ? atomic_fetch_add(&from->used, bytes) : CHUNK;

    return at + bytes <= CHUNK ? (char *) from + at : NULL;
}

/* What two threads make at once, one of them gives back. */
static bool renew(chunk *old)
{
    chunk *next = atw_take_pages(CHUNK);

    if (next == NULL)
        return false;
    atomic_store(&next->used, sizeof(*next));
    if (!atomic_compare_exchange_strong(&current, &old, next))
        atw_give_back(next, CHUNK);
    return true;
}

void *atw_take(size_t bytes)
{
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes >= LARGE)
        return atw_take_pages(bytes);
    for (;;) {
        chunk *from = atomic_load(&current);
        void *taken = take_from(from, bytes);

        if (taken != NULL || !renew(from))
            return taken;
    }
}

void *atw_take_apart(size_t bytes)
{
    uintptr_t taken = (uintptr_t) atw_take((bytes + APART - 1) / APART * APART + APART);

    return taken != 0 ? (void *) ((taken + APART - 1) / APART * APART) : NULL;
}
