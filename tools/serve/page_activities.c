/* Activities: those of processes stand together (history/schema.h), so processes come first and
 * are ruled out as a whole where they can be. */

#include "table.h"

#define START "p.started + a.start / 1e9"

/* CROSS JOIN keeps SQLite to this order. */
static const table activities = {
    .caption = "Activities",
    .parameters = "iseujplcfx",
    .from =
        "FROM process p CROSS JOIN activity a CROSS JOIN call c LEFT JOIN file f ON f.id = a.file "
        "WHERE a.id > p.id * 4294967296 AND a.id < (p.id + 1) * 4294967296 AND c.id = a.call AND "
        "(CAST($1 AS BIGINT) = 0 OR p.id = $1) AND p.started + p.lasted / 1e9 >= $2 AND "
        "p.started + p.began / 1e9 < $3 AND " START " >= $2 AND " START " < $3 AND "
        "($4 = '' OR p.username = $4) AND ($5 = '' OR " ATH_JOB " = $5) AND "
        "($6 = '' OR p.program = $6) AND ($7 = '' OR (c.layer = $7 AND p.id IN (SELECT u.process "
        "FROM use u JOIN call k ON k.id = u.call WHERE k.layer = $7))) AND "
        "($8 = '' OR c.name = $8) AND "
        "($9 = '' OR (lower(f.path) LIKE lower($9) ESCAPE '!' AND p.id IN (SELECT u.process FROM "
        "use u JOIN file g ON g.id = u.file WHERE lower(g.path) LIKE lower($9) ESCAPE '!'))) AND "
        "(CAST($10 AS BIGINT) = 0 OR a.error <> 0)",
    .group = "",
    .order = "p.id DESC, a.id",
    .columns = {{"activity", ATH_COUNT, "a.id", "/activity/", 0},
                {"process", ATH_COUNT, "p.id", "/process/", 1},
                {"rank", ATH_COUNT, "p.rank", NULL, 0},
                {"layer", ATH_WORDS, "c.layer", NULL, 0},
                {"call", ATH_WORDS, "c.name", NULL, 0},
                {"started", ATH_TIME, START, NULL, 0},
                {"since", ATH_NANOSECONDS, "a.start", NULL, 0},
                {"duration", ATH_NANOSECONDS, "a.duration", NULL, 0},
                {"offset", ATH_COUNT, "a.position", NULL, 0},
                {"bytes", ATH_BYTES, "a.bytes", NULL, 0},
                {"error", ATH_COUNT, "a.error", NULL, 0},
                {"user", ATH_WORDS, "p.username", NULL, 0},
                {"file", ATH_WORDS, "coalesce(f.path, '')", "/file/", 13},
                {NULL, ATH_COUNT, "a.file", NULL, 0}}};

static serve_status write_activities(serve_visit *visit)
{
    html_begin(visit, "Activities",
               "Calls of HDF5, MPI-IO, stdio and POSIX, the latest process first. \"Since\" counts "
               "from the begin of the process.");
    html_form(visit);
    return table_show(visit, &activities, true, ASK_ROWS, NULL);
}

const serve_page page_activities = {.path = "/activities",
                                    .name = "activities",
                                    .parameters = "iseujplcfxrg",
                                    .write = write_activities};
