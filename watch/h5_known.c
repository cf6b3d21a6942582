/* What holds for files by the names they were opened with.  Only added to, without a lock; settings
 * that are equal are there once. */

#include <string.h>

#include "h5_tune.h"

typedef struct kept_set {
    struct kept_set *next;
    atm_settings set;
} kept_set;

typedef struct known_file {
    struct known_file *next;
    _Atomic(const atm_settings *) set; /* NULL: none by now */
    char name[];
} known_file;

static _Atomic(kept_set *) sets;
static _Atomic(known_file *) files;

static bool is_same(const atm_settings *one, const atm_settings *other)
{
    return memcmp(one->has, other->has, sizeof(one->has)) == 0 &&
           memcmp(one->values, other->values, sizeof(one->values)) == 0 &&
           one->threshold == other->threshold &&
           memcmp(one->chunk, other->chunk, sizeof(one->chunk)) == 0;
}

/* NULL: no memory. */
static const atm_settings *keep(const atm_settings *set)
{
    kept_set *kept = atomic_load(&sets);

    for (; kept != NULL; kept = kept->next)
        if (is_same(&kept->set, set))
            return &kept->set;
    kept = atw_take(sizeof(*kept));
    if (kept == NULL)
        return NULL;
    kept->set = *set;
    kept->next = atomic_load(&sets);
    while (!atomic_compare_exchange_weak(&sets, &kept->next, kept))
        ;
    return &kept->set;
}

static known_file *find(const char *name)
{
    known_file *file = atomic_load(&files);

    while (file != NULL && strcmp(file->name, name) != 0)
        file = file->next;
    return file;
}

bool atw_h5_know(const char *name, const atm_settings *set)
{
    known_file *file = find(name);
    const atm_settings *kept = set != NULL ? keep(set) : NULL;

    if (file != NULL)
        return atomic_exchange(&file->set, kept) != kept;
    file = kept != NULL ? atw_take(sizeof(*file) + strlen(name) + 1) : NULL;
    if (file == NULL)
        return false;
    strcpy(file->name, name);
    atomic_store(&file->set, kept);
    file->next = atomic_load(&files);
    while (!atomic_compare_exchange_weak(&files, &file->next, file))
        ;
    return true;
}

const atm_settings *atw_h5_known(const char *name)
{
    known_file *file = find(name);

    return file != NULL ? atomic_load(&file->set) : NULL;
}

bool atw_h5_knows_any(void)
{
    return atomic_load_explicit(&files, memory_order_relaxed) != NULL;
}
