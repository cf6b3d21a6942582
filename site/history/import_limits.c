/* How much may be imported: of one user, and of all. */

#include <stdint.h>

#include "import_inside.h"

#include "common/units.h"

const ath_import_limits ath_import_usual = {
    .database = UINT64_C(64) << 30, .user = UINT64_C(16) << 30, .keep_free = UINT64_C(256) << 20};

/* --- the database and its disk */

/* Both are looked at once: what a transaction adds is counted. */
ath_status import_room_of(ath_database *database, const ath_import_limits *limits,
                          atm_message *message, import_room *room_p)
{
    import_room room = {.limits = limits, .database = database};
    ath_status status = ath_size(database, message, &room.size);

    room.knows_disk = ath_free_space(database, &room.disk);
    if (status == ATH_OK)
        *room_p = room;
    return status;
}

/* Until it is checkpointed, what was written to SQLite is in its journal, too. */
ath_status import_room_take(import_room *room, const char *path, uint64_t bytes,
                            atm_message *message)
{
    const ath_import_limits *limits = room->limits;
    uint64_t sum = (uint64_t) room->size + room->taken;

    if (limits->database > 0 && (sum > limits->database || bytes > limits->database - sum))
        return ath_complain(ATH_NO_ROOM, message,
                            "%.128s: is not imported: %.128s has %s, and may have %s (--limit)",
                            path, ath_name(room->database), units_bytes((double) sum).text,
                            units_bytes((double) limits->database).text);
    room->taken += bytes;
    if (room->knows_disk && limits->keep_free > 0 &&
        (room->disk < limits->keep_free || room->taken > (room->disk - limits->keep_free) / 2))
        return ath_complain(
            ATH_NO_ROOM, message,
            "%.128s: is not imported: %s are free where %.128s is, and %s stay so (--keep-free)",
            path, units_bytes((double) room->disk).text, ath_name(room->database),
            units_bytes((double) limits->keep_free).text);
    return ATH_OK;
}

/* --- users */

ath_status import_user_check(ath_database *database, const ath_import_limits *limits, uint32_t uid,
                             const char *path, uint64_t bytes, atm_message *message)
{
    ath_cell cell = ath_integer(uid);
    int64_t has = 0;
    ath_status status = ath_query_integer(database, "SELECT bytes FROM quota WHERE uid = $1", &cell,
                                          1, message, &has);

    if (status != ATH_OK || limits->user == 0 ||
        ((uint64_t) has <= limits->user && bytes <= limits->user - (uint64_t) has))
        return status;
    return ath_complain(ATH_NO_ROOM, message,
                        "%.128s: is not imported: user %u has spools of %s in %.128s, and may have "
                        "%s (--user-limit)",
                        path, uid, units_bytes((double) has).text, ath_name(database),
                        units_bytes((double) limits->user).text);
}

ath_status import_user_add(ath_database *database, uint32_t uid, uint64_t bytes,
                           atm_message *message)
{
    ath_cell cells[] = {ath_integer(uid), ath_integer((int64_t) bytes)};

    return ath_run(database,
                   "INSERT INTO quota (uid, bytes) VALUES ($1, $2) ON CONFLICT (uid) DO UPDATE SET "
                   "bytes = quota.bytes + excluded.bytes",
                   cells, 2, message);
}
