/* All lists. */

#include "list.h"
#include "trial.h"

#define JOB ATH_JOB
#define DROPPED ATH_SUM("j.dropped")
#define OWN_BYTES ATH_SUM("CASE WHEN c.layer IN ('posix', 'stdio') THEN u.bytes ELSE 0 END")
#define OWN_BUSY ATH_SUM("CASE WHEN c.layer IN ('posix', 'stdio') THEN u.busy ELSE 0 END")

const ath_list ath_jobs = {
    .name = "jobs",
    .parameters = "supjl",
    .sql = "SELECT j.job, max(j.program), max(j.username), min(j.started), max(j.ranks), "
           "sum(j.processes), sum(j.activities), " DROPPED ", sum(j.files) FROM "
           "(SELECT " JOB " AS job, program, username, started, ranks, 1 AS processes, activities, "
           "dropped, 0 AS files FROM process UNION ALL "
           "SELECT " JOB ", program, username, started, ranks, 0, 0, 0, 1 FROM record) AS j "
           "WHERE j.started >= $1 AND ($2 = '' OR j.username = $2) AND "
           "($3 = '' OR j.program = $3) AND ($4 = '' OR j.job = $4) "
           "GROUP BY j.job ORDER BY min(j.started) DESC, j.job LIMIT $5",
    .columns = {{"job", ATH_WORDS},
                {"program", ATH_WORDS},
                {"user", ATH_WORDS},
                {"started", ATH_TIME},
                {"ranks", ATH_COUNT},
                {"processes", ATH_COUNT},
                {"activities", ATH_COUNT},
                {"dropped", ATH_COUNT},
                {"records", ATH_COUNT}}};

const ath_list ath_files = {
    .name = "files",
    .parameters = "supjl",
    .sql = "SELECT f.path, sum(x.records), sum(x.processes), sum(x.activities), max(x.bytes), "
           "max(x.seconds) FROM file f JOIN "
           "(SELECT file, count(*) AS records, 0 AS processes, 0 AS activities, 0 AS bytes, "
           "max(seconds) AS seconds FROM record WHERE started >= $1 AND "
           "($2 = '' OR username = $2) AND ($3 = '' OR program = $3) AND "
           "($4 = '' OR " JOB " = $4) GROUP BY file UNION ALL "
           "SELECT u.file, 0, count(DISTINCT u.process), sum(u.activities), " OWN_BYTES
           ", " OWN_BUSY " / 1e9 FROM use u JOIN process p "
           "ON p.id = u.process JOIN call c "
           "ON c.id = u.call WHERE p.started >= $1 AND ($2 = '' OR p.username = $2) AND "
           "($3 = '' OR p.program = $3) AND ($4 = '' OR " JOB " = $4) GROUP BY u.file) AS x "
           "ON x.file = f.id GROUP BY f.path ORDER BY f.path LIMIT $5",
    .columns = {{"file", ATH_WORDS},
                {"records", ATH_COUNT},
                {"processes", ATH_COUNT},
                {"activities", ATH_COUNT},
                {"bytes", ATH_BYTES},
                {"seconds", ATH_SECONDS}}};

const ath_list ath_processes = {
    .name = "processes",
    .parameters = "supjl",
    .sql = "SELECT id, " JOB " AS job, program, username, host, pid, rank, ranks, " ATH_STARTED
           ", " ATH_LASTED ", activities, dropped FROM process WHERE started >= $1 AND "
           "($2 = '' OR username = $2) AND ($3 = '' OR program = $3) AND "
           "($4 = '' OR " JOB " = $4) ORDER BY started DESC, id LIMIT $5",
    .columns = {{"process", ATH_COUNT},
                {"job", ATH_WORDS},
                {"program", ATH_WORDS},
                {"user", ATH_WORDS},
                {"host", ATH_WORDS},
                {"pid", ATH_COUNT},
                {"rank", ATH_COUNT},
                {"ranks", ATH_COUNT},
                {"started", ATH_TIME},
                {"lasted", ATH_NANOSECONDS},
                {"activities", ATH_COUNT},
                {"dropped", ATH_COUNT}}};

const ath_list ath_records = {
    .name = "records",
    .parameters = "supjl",
    .sql = "SELECT r.id, " JOB " AS job, r.program, r.username, f.path, r.wrapped, r.ranks, "
           "r.nodes, r.started, r.seconds, r.status FROM record r JOIN file f ON f.id = r.file "
           "WHERE r.started >= $1 AND ($2 = '' OR r.username = $2) AND "
           "($3 = '' OR r.program = $3) AND ($4 = '' OR " JOB " = $4) "
           "ORDER BY r.started DESC, r.id LIMIT $5",
    .columns = {{"record", ATH_COUNT},
                {"job", ATH_WORDS},
                {"program", ATH_WORDS},
                {"user", ATH_WORDS},
                {"file", ATH_WORDS},
                {"driver", ATH_WORDS},
                {"ranks", ATH_COUNT},
                {"nodes", ATH_COUNT},
                {"started", ATH_TIME},
                {"seconds", ATH_SECONDS},
                {"status", ATH_WORDS}}};

#define TRIALS                                                                                     \
    "SELECT t.record, r.program, r.username, f.path, CASE WHEN t.writes = 1 THEN 'write' ELSE "    \
    "'read' END, r.ranks, " ATH_ORIGIN_OF(                                                         \
        "t.origin") ", t.settings, t.calls, t.bytes, t.seconds, t.predicted, r.started FROM "      \
                    "trial t JOIN "                                                                \
                    "record r ON r.id = t.record JOIN file f ON f.id = r.file WHERE "

#define TRIAL_COLUMNS                                                                              \
    {                                                                                              \
        {"record", ATH_COUNT}, {"program", ATH_WORDS}, {"user", ATH_WORDS}, {"file", ATH_WORDS},   \
            {"operation", ATH_WORDS}, {"ranks", ATH_COUNT}, {"origin", ATH_WORDS},                 \
            {"settings", ATH_WORDS}, {"calls", ATH_COUNT}, {"bytes", ATH_BYTES},                   \
            {"seconds", ATH_SECONDS}, {"predicted", ATH_SECONDS},                                  \
        {                                                                                          \
            "started", ATH_TIME                                                                    \
        }                                                                                          \
    }

const ath_list ath_trials = {.name = "trials",
                             .parameters = "supjl",
                             .sql =
                                 TRIALS "r.started >= $1 AND ($2 = '' OR r.username = $2) AND "
                                        "($3 = '' OR r.program = $3) AND ($4 = '' OR " JOB " = $4) "
                                        "ORDER BY r.started DESC, t.record, t.writes LIMIT $5",
                             .columns = TRIAL_COLUMNS};

const ath_list ath_process_records = {.name = "trials",
                                      .parameters = "i",
                                      .sql = TRIALS "t.record = $1 ORDER BY t.writes",
                                      .columns = TRIAL_COLUMNS};

#define ACTIVITIES                                                                                 \
    "SELECT a.id, a.number, a.parent, c.layer, c.name, coalesce(f.path, ''), a.start, "            \
    "a.duration, a.position, a.bytes, a.flags, a.error FROM activity a JOIN call c ON "            \
    "c.id = a.call LEFT JOIN file f ON f.id = a.file WHERE "

#define ACTIVITY_COLUMNS                                                                           \
    {                                                                                              \
        {"activity", ATH_COUNT}, {"number", ATH_COUNT}, {"parent", ATH_COUNT},                     \
            {"layer", ATH_WORDS}, {"call", ATH_WORDS}, {"file", ATH_WORDS},                        \
            {"start", ATH_NANOSECONDS}, {"duration", ATH_NANOSECONDS}, {"offset", ATH_COUNT},      \
            {"bytes", ATH_BYTES}, {"flags", ATH_COUNT},                                            \
        {                                                                                          \
            "error", ATH_COUNT                                                                     \
        }                                                                                          \
    }

/* Those of a process stand together (schema.h): the bounds are found by the key. */
const ath_list ath_activities = {.name = "activities",
                                 .parameters = "il",
                                 .sql = ACTIVITIES
                                 "a.id > $1 * 4294967296 AND "
                                 "a.id < ($1 + 1) * 4294967296 ORDER BY a.id LIMIT $2",
                                 .columns = ACTIVITY_COLUMNS};

const ath_list ath_activity = {.name = "activity",
                               .parameters = "i",
                               .sql = ACTIVITIES "a.id = $1",
                               .columns = ACTIVITY_COLUMNS};

const ath_list ath_calls = {
    .name = "calls",
    .parameters = "i",
    .sql = "SELECT c.layer, c.name, coalesce(f.path, ''), u.activities, u.bytes, u.busy, u.errors "
           "FROM use u JOIN call c ON c.id = u.call LEFT JOIN file f ON f.id = u.file WHERE "
           "u.process = $1 ORDER BY u.busy DESC, c.name, f.path",
    .columns = {{"layer", ATH_WORDS},
                {"call", ATH_WORDS},
                {"file", ATH_WORDS},
                {"activities", ATH_COUNT},
                {"bytes", ATH_BYTES},
                {"busy", ATH_NANOSECONDS},
                {"errors", ATH_COUNT}}};
