/* Paths in lists by their hash, to which is only added, and by number. */

#include "files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "atw.h"
#include "fnv.h"

typedef struct entry {
    struct entry *next;
    uint32_t number;
    uint32_t length;
    char path[];
} entry;

enum { LISTS = 4096, PAGE = 1024, PAGES = 1024 };

static _Atomic(entry *) lists[LISTS];
static _Atomic(_Atomic(entry *) *) by_number[PAGES];
static atomic_uint numbers;

static const entry *find(const entry *from, const entry *to, const char *path, size_t length)
{
    for (; from != to; from = from->next)
        if (from->length == length && memcmp(from->path, path, length) == 0)
            return from;
    return NULL;
}

/* Finds the slot of a number, on a page that is allocated if needed. */
static _Atomic(entry *) *place_of(uint32_t number)
{
    _Atomic(_Atomic(entry *) *) *page = &by_number[number / PAGE];
    _Atomic(entry *) *places = atomic_load_explicit(page, memory_order_acquire), *none = NULL;

    if (places == NULL) {
        places = atw_take(PAGE * sizeof(*places));
        if (places == NULL)
            return NULL;
        if (!atomic_compare_exchange_strong(page, &none, places))
            places = none;
    }
    return places + number % PAGE;
}

static entry *make(const char *path, size_t length)
{
    entry *made = atw_take(sizeof(*made) + length + 1);
    _Atomic(entry *) *place;

    if (made == NULL)
        return NULL;
    if (atomic_load(&numbers) >= PAGE * PAGES - 1)
        return NULL;
    made->number = atomic_fetch_add(&numbers, 1) + 1;
    made->length = (uint32_t) length;
    memcpy(made->path, path, length);
    place = made->number < PAGE * PAGES ? place_of(made->number) : NULL;
    if (place == NULL)
        return NULL;
    atomic_store_explicit(place, made, memory_order_release);
    return made;
}

/* Lock-free: if two threads add the same path at once, one finds the other's entry and its own
 * number stays unused. */
uint32_t atw_file_number(const char *path, size_t length)
{
    _Atomic(entry *) *list = &lists[atm_fnv_bytes(ATM_FNV_BEGIN, path, length) % LISTS];
    entry *first = atomic_load_explicit(list, memory_order_acquire), *made;
    const entry *found = find(first, NULL, path, length);

    if (found != NULL)
        return found->number;
    made = make(path, length);
    if (made == NULL)
        return 0;
    made->next = first;
    while (!atomic_compare_exchange_weak(list, &made->next, made)) {
        found = find(made->next, first, path, length);
        if (found != NULL)
            return found->number;
        first = made->next;
    }
    return made->number;
}

uint32_t atw_file_named(const char *path)
{
    char whole[2 * PATH_MAX];
    int length;

    if (path == NULL)
        return 0;
    if (path[0] == '/')
        return atw_file_number(path, strnlen(path, PATH_MAX));
    if (getcwd(whole, PATH_MAX) == NULL)
        return atw_file_number(path, strnlen(path, PATH_MAX));
    length = (int) strlen(whole);
    length += snprintf(whole + length, sizeof(whole) - (size_t) length, "%s%s",
                       whole[length - 1] == '/' ? "" : "/", path);
    return atw_file_number(whole, strnlen(whole, sizeof(whole)));
}

const char *atw_file_path(uint32_t number, size_t *length_p)
{
    _Atomic(entry *) *places;
    entry *found = NULL;

    if (number / PAGE < PAGES) {
        places = atomic_load_explicit(&by_number[number / PAGE], memory_order_acquire);
        if (places != NULL)
            found = atomic_load_explicit(places + number % PAGE, memory_order_acquire);
    }
    if (found == NULL)
        return NULL;
    *length_p = found->length;
    return found->path;
}
