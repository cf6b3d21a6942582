/* A spool into a history: first what its texts say, then its activities. */

#include <stdint.h>

#include "import_inside.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 1 << 22 }; /* numbers of files in a spool */

/* What no call moves, and what no clock shows: 36 years of ns. */
#define BYTES_MOST (UINT64_C(1) << 50)
#define TIME_MOST (UINT64_C(1) << 60)

static const char *const columns[] = {"id",    "number", "parent", "start", "duration", "position",
                                      "bytes", "file",   "call",   "flags", "error"};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* --- what its texts say */

static ath_status take_file(import_job *j, const ath_block *block)
{
    uint32_t number;
    char *path;
    ath_status status = ATH_OK;

    memcpy(&number, block->content, sizeof(number));
    if (number == 0 || number >= FILES_MAX)
        return ath_spool_complain(j->spool, block->at, j->message,
                                  "a file cannot have the number %u", number);
    if (number >= j->file_count) {
        size_t count = 2 * (size_t) number + 64;
        int64_t *files = realloc(j->files, count * sizeof(*files));

        if (files == NULL)
            return ATH_NO_MEMORY;
        memset(files + j->file_count, 0, (count - j->file_count) * sizeof(*files));
        j->files = files;
        j->file_count = count;
    }
    path = import_path(j->facts.directory, (const char *) block->content + sizeof(number),
                       block->length - sizeof(number));
    status = path != NULL ? import_file(j->database, path, j->message, &j->files[number])
                          : ATH_NO_MEMORY;
    free(path);
    return status;
}

static void take_dropped(import_job *j, const ath_block *block)
{
    uint64_t count;

    memcpy(&count, block->content, sizeof(count));
    j->dropped = import_add(j->dropped, count);
    j->new_dropped = import_add(j->new_dropped, count);
}

/* Facts, calls and files of earlier blocks are needed again, the others are not. */
static ath_status take_block(import_job *j, const ath_block *block)
{
    bool is_new = block->end > j->before;

    switch (block->kind) {
        case ATW_BLOCK_FACTS:
            return import_facts_read(j->spool, block, j->message, &j->facts);
        case ATW_BLOCK_CALLS:
            return import_calls_read(j->database, j->spool, block, j->message, &j->calls,
                                     &j->call_count);
        case ATW_BLOCK_FILE:
            return take_file(j, block);
        case ATW_BLOCK_SURVEY:
            return import_survey(j, block, is_new);
        case ATW_BLOCK_DROPPED:
            if (is_new)
                take_dropped(j, block);
            return ATH_OK;
        case ATW_BLOCK_END:
            j->whole = true;
            return ATH_OK;
        default:
            return ATH_OK;
    }
}

static ath_status take_texts(import_job *j)
{
    bool more = true;
    ath_status status = ATH_OK;

    while (status == ATH_OK && more) {
        ath_block block;

        status = ath_spool_next(j->spool, j->message, &more, &block);
        if (status == ATH_OK && more) {
            status = take_block(j, &block);
            j->after = block.end;
        }
    }
    return status;
}

/* --- activities */

static ath_status check_activity(const import_job *j, const atw_activity *a, uint64_t at)
{
    if (a->call >= j->call_count)
        return ath_spool_complain(j->spool, at, j->message, "call %u is not in the list of calls",
                                  a->call);
    if (a->file != 0 && (a->file >= j->file_count || j->files[a->file] == 0))
        return ath_spool_complain(j->spool, at, j->message, "file %u has no name", a->file);
    if (a->end < a->start)
        return ath_spool_complain(j->spool, at, j->message, "an activity ends before it begins");
    if (a->end > TIME_MOST)
        return ath_spool_complain(j->spool, at, j->message, "an activity cannot end at %llu ns",
                                  (unsigned long long) a->end);
    if (a->bytes > BYTES_MOST)
        return ath_spool_complain(j->spool, at, j->message, "a call cannot move %llu bytes",
                                  (unsigned long long) a->bytes);
    if (a->id == 0 || a->id > INT64_MAX || a->parent > INT64_MAX)
        return ath_spool_complain(j->spool, at, j->message, "this is no activity");
    return ATH_OK;
}

static ath_status count_activity(import_job *j, const atw_activity *a, int64_t file)
{
    import_use *use = import_use_of(&j->uses, file, j->calls[a->call]);
    int64_t began = (int64_t) (a->start - ath_spool_head(j->spool)->monotonic);
    int64_t ended = (int64_t) (a->end - ath_spool_head(j->spool)->monotonic);

    if (use == NULL)
        return ATH_NO_MEMORY;
    use->activities++;
    use->busy = import_add(use->busy, a->end - a->start);
    use->bytes = import_add(use->bytes, a->bytes);
    use->errors += a->error != 0;
    if (j->activities == 0 || began < j->began)
        j->began = began;
    if (j->activities == 0 || ended > j->lasted)
        j->lasted = ended;
    j->activities++;
    j->new_activities++;
    return ATH_OK;
}

/* Programs may ask for any place, also one that is none. */
static int64_t offset_of(const atw_activity *a)
{
    return a->offset < 0 ? -1 : a->offset < IMPORT_MOST ? a->offset : IMPORT_MOST;
}

static ath_status load_activity(import_job *j, const atw_activity *a, uint64_t at)
{
    ath_status status = check_activity(j, a, at);
    int64_t file, row[COLUMNS];

    if (status != ATH_OK)
        return status;
    if (j->activities >= UINT32_MAX)
        return ath_spool_complain(j->spool, at, j->message, "has more than 2^32 activities");
    file = a->file != 0 ? j->files[a->file] : 0;
    status = count_activity(j, a, file);
    row[0] = (j->process << 32) + j->activities;
    row[1] = (int64_t) a->id;
    row[2] = (int64_t) a->parent;
    row[3] = (int64_t) (a->start - ath_spool_head(j->spool)->monotonic);
    row[4] = (int64_t) (a->end - a->start);
    row[5] = offset_of(a);
    row[6] = (int64_t) a->bytes;
    row[7] = file;
    row[8] = j->calls[a->call];
    row[9] = a->flags;
    row[10] = a->error;
    return status == ATH_OK ? ath_load_row(j->database, row, j->message) : status;
}

static ath_status load_activities(import_job *j)
{
    bool more = true;
    ath_status status = ATH_OK;

    ath_spool_rewind(j->spool);
    while (status == ATH_OK && more) {
        ath_block block;

        status = ath_spool_next(j->spool, j->message, &more, &block);
        if (status != ATH_OK || !more || block.kind != ATW_BLOCK_ACTIVITIES ||
            block.end <= j->before)
            continue;
        for (size_t at = 0; status == ATH_OK && at < block.length; at += sizeof(atw_activity)) {
            atw_activity activity; /* the content may stand anywhere */

            memcpy(&activity, (const char *) block.content + at, sizeof(activity));
            status = load_activity(j, &activity, block.at + at);
        }
    }
    return status;
}

/* A load that was started is ended also after a failure. */
static ath_status take_activities(import_job *j)
{
    ath_status status = ath_load_start(j->database, "activity", columns, COLUMNS, j->message),
               ended;

    if (status != ATH_OK)
        return status;
    status = load_activities(j);
    ended = ath_load_end(j->database, status == ATH_OK ? j->message : NULL);
    if (status == ATH_OK)
        status = ended;
    if (status == ATH_OK)
        status = import_uses_store(j->database, j->process, &j->uses, j->message);
    return status;
}

/* --- together */

static ath_status check_room(const import_job *j)
{
    uint64_t size = ath_spool_size(j->spool), bytes = size > j->before ? size - j->before : 0;
    import_room room;
    ath_status status = import_user_check(j->database, j->limits, ath_spool_head(j->spool)->uid,
                                          j->path, bytes, j->message);

    if (status == ATH_OK)
        status = import_room_of(j->database, j->limits, j->message, &room);
    return status == ATH_OK ? import_room_take(&room, j->path, bytes, j->message) : status;
}

static ath_status import_all(import_job *j)
{
    ath_status status = check_room(j);

    if (status == ATH_OK && j->source == 0)
        status = import_make_process(j);
    if (status == ATH_OK)
        status = take_texts(j);
    if (status == ATH_OK && j->after > j->before)
        status = take_activities(j);
    if (status == ATH_OK && j->after > j->before)
        status = import_user_add(j->database, ath_spool_head(j->spool)->uid, j->after - j->before,
                                 j->message);
    return status == ATH_OK ? import_store_process(j) : status;
}

/* Whether there is anything new is known before anything is written. */
static ath_status import_new(import_job *j, ath_imported *sum)
{
    ath_status status = ath_begin(j->database, j->message);
    bool was_known;

    if (status == ATH_OK)
        status = import_find_source(j);
    was_known = j->source != 0;
    if (status == ATH_OK && was_known && j->process == 0)
        j->whole = true; /* it was pruned */
    else if (status == ATH_OK)
        status = import_all(j);
    if (status == ATH_OK && was_known && j->after <= j->before)
        ath_rollback(j->database);
    else if (status == ATH_OK)
        status = ath_commit(j->database, j->message);
    if (status != ATH_OK) {
        ath_rollback(j->database);
        return status;
    }
    sum->known += was_known && j->after <= j->before;
    sum->spools += !was_known || j->after > j->before;
    sum->activities += (uint64_t) j->new_activities;
    sum->dropped += (uint64_t) j->new_dropped;
    return ATH_OK;
}

ath_status ath_import_spool(ath_database *database, const char *path,
                            const ath_import_limits *limits, atm_message *message,
                            ath_imported *sum, bool *whole_p)
{
    import_job j = {.database = database,
                    .message = message,
                    .path = path,
                    .limits = limits != NULL ? limits : &ath_import_usual,
                    .facts = {.rank = -1}};
    ath_status status = ath_spool_open(path, message, &j.spool);

    if (status == ATH_OK) {
        j.facts.rank = ath_spool_head(j.spool)->rank;
        j.facts.ranks = ath_spool_head(j.spool)->ranks;
        status = import_check_owner(&j);
    }
    if (status == ATH_OK)
        status = import_new(&j, sum);
    if (status == ATH_OK)
        *whole_p = j.whole;
    ath_spool_close(j.spool);
    import_facts_clear(&j.facts);
    import_uses_clear(&j.uses);
    free(j.calls);
    free(j.files);
    return status;
}
