/* Sums over activities by file and call: a hash table with linear probing. */

#include <stdint.h>

#include "import_inside.h"

#include <stdlib.h>

static size_t place(const import_uses *uses, int64_t file, int64_t call)
{
    uint64_t mixed = ((uint64_t) file * 64 + (uint64_t) call) * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t) (mixed >> 32) & (uses->size - 1);
}

static import_use *find(const import_uses *uses, int64_t file, int64_t call)
{
    size_t at = place(uses, file, call);

    while (uses->entries[at].call != 0 &&
           (uses->entries[at].file != file || uses->entries[at].call != call))
        at = (at + 1) & (uses->size - 1);
    return &uses->entries[at];
}

static bool grow(import_uses *uses)
{
    import_uses larger = {.size = uses->size > 0 ? 2 * uses->size : 256, .count = uses->count};

    larger.entries = calloc(larger.size, sizeof(*larger.entries));
    if (larger.entries == NULL)
        return false;
    for (size_t i = 0; i < uses->size; i++)
        if (uses->entries[i].call != 0)
            *find(&larger, uses->entries[i].file, uses->entries[i].call) = uses->entries[i];
    free(uses->entries);
    *uses = larger;
    return true;
}

import_use *import_use_of(import_uses *uses, int64_t file, int64_t call)
{
    import_use *use = uses->size > 0 ? find(uses, file, call) : NULL;

    if (use != NULL && use->call != 0)
        return use;
    if (2 * uses->count >= uses->size && !grow(uses))
        return NULL;
    use = find(uses, file, call);
    use->file = file;
    use->call = call;
    uses->count++;
    return use;
}

/* More than IMPORT_MOST is as much as that. */
#define MOST "2305843009213693952"
#define ADDED(column)                                                                              \
    column " = CASE WHEN use." column " >= " MOST " - excluded." column " THEN " MOST              \
           " ELSE use." column " + excluded." column " END"

ath_status import_uses_store(ath_database *database, int64_t process, const import_uses *uses,
                             atm_message *message)
{
    ath_status status = ATH_OK;

    for (size_t i = 0; status == ATH_OK && i < uses->size; i++) {
        const import_use *use = &uses->entries[i];
        ath_cell cells[] = {ath_integer(process),    ath_integer(use->file),
                            ath_integer(use->call),  ath_integer(use->activities),
                            ath_integer(use->bytes), ath_integer(use->busy),
                            ath_integer(use->errors)};

        if (use->call != 0)
            status =
                ath_run(database,
                        "INSERT INTO use (process, file, call, activities, bytes, busy, "
                        "errors) VALUES ($1, $2, $3, $4, $5, $6, $7) "
                        "ON CONFLICT (process, file, call) DO UPDATE SET "
                        "activities = use.activities + excluded.activities, " ADDED(
                            "bytes") ", " ADDED("busy") ", "
                                                        "errors = use.errors + excluded.errors",
                        cells, 7, message);
    }
    return status;
}

void import_uses_clear(import_uses *uses)
{
    free(uses->entries);
    *uses = (import_uses){NULL, 0, 0};
}
