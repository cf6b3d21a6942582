/* Before the first visit: the plan, its room on disk, and the journal. */

#include "calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "statistics.h"

#define GIB (UINT64_C(1) << 30)
#define BUDGET_RATE                                                                                \
    27e6           /* bytes of a file for each second and node: most that is worth writing         \
                    */
#define SPARE 0.02 /* part of a budget that is for the end */

static bool complain(int code, int *code_p, const char *text)
{
    fprintf(stderr, "autotune-calibrate: %s\n", text);
    *code_p = code;
    return false;
}

/* --- plan */

static uint64_t file_room(const cal_options *options, const cal_session *session, uint64_t memory)
{
    double nodes = session->world->nodes, room = 4.0 * (double) memory * nodes;

    if (options->budget > 0 && room > options->budget * BUDGET_RATE * nodes)
        room = options->budget * BUDGET_RATE * nodes;
    return (uint64_t) room;
}

bool prepare_plan(cal_session *session, int *code_p)
{
    const cal_options *options = session->options;
    const cal_world *world = session->world;
    uint64_t memory = options->memory > 0 ? options->memory : session->facts.memory / 8;
    plan_job job = {.ranks = world->ranks,
                    .nodes = world->nodes,
                    .ranks_of = world->ranks_of,
                    .driver = session->facts.driver,
                    .block = session->facts.block,
                    .servers = session->facts.servers,
                    .memory = memory,
                    .disk = file_room(options, session, memory),
                    .only = options->only,
                    .seed = options->seed};
    schedule_options how = {.visits = options->visits,
                            .budget = options->budget,
                            .limit = schedule_limit(options->budget, options->visits),
                            .spare = SPARE * options->budget,
                            .seed = options->seed};
    atm_status status = plan_make(&job, &session->plan);

    session->files.disk = job.disk;
    session->files.stripe_size = job.block;
    if (status == ATM_OK)
        status = schedule_make(&session->plan, &how, &session->schedule);
    if (status != ATM_OK)
        return complain(1, code_p, atm_status_text(status));
    if (session->plan.count == 0)
        return complain(1, code_p, "no point fits in memory and on disk (see --max-memory)");
    return true;
}

/* What the scheduler would do if visits took what is expected. */
void prepare_print(cal_session *session)
{
    struct {
        int points, visits;
        double bytes, seconds;
    } sum = {0}, of[ATM_OPERATION_COUNT] = {{0}};
    const plan *plan = &session->plan;
    int index;

    while ((index = schedule_next(&session->schedule)) >= 0) {
        const plan_point *point = &plan->points[index];
        double seconds = schedule_expect(&session->schedule, index);

        of[point->operation].points += session->schedule.done[index] == 0;
        of[point->operation].visits++;
        of[point->operation].bytes += plan_volume(point) * 4;
        of[point->operation].seconds += seconds;
        schedule_note(&session->schedule, index, seconds, schedule_once(&session->schedule, index));
    }
    printf("%-18s %8s %8s %8s %12s %9s\n", "operation", "possible", "points", "visits",
           "MB (least)", "seconds");
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        if (plan->first[i + 1] == plan->first[i])
            continue;
        printf("%-18s %8d %8d %8d %12.1f %9.1f\n", atm_operation_name((atm_operation) i),
               plan->first[i + 1] - plan->first[i], of[i].points, of[i].visits, of[i].bytes / 1e6,
               of[i].seconds);
        sum.points += of[i].points;
        sum.visits += of[i].visits;
        sum.bytes += of[i].bytes;
        sum.seconds += of[i].seconds;
    }
    printf("%-18s %8d %8d %8d %12.1f %9.1f\n", "all", plan->count, sum.points, sum.visits,
           sum.bytes / 1e6, sum.seconds);
    puts("Times are guesses; a run adapts to what it finds and keeps to its budget.");
}

/* --- room */

static bool uses_files(const plan *plan)
{
    return plan->count > 0 && plan_is_storage(plan->points[plan->count - 1].operation);
}

static uint64_t reserve_of(const cal_facts *facts)
{
    return facts->all_bytes / 20 > GIB ? facts->all_bytes / 20 : GIB;
}

uint64_t prepare_room(const cal_facts *facts)
{
    uint64_t reserve = reserve_of(facts);

    return facts->free_bytes > reserve ? facts->free_bytes - reserve : 0;
}

/* A file that is written, one that is read, and one that fills the cache. */
bool prepare_check(const cal_session *session, int *code_p)
{
    const cal_facts *facts = &session->facts;
    const cal_options *options = session->options;
    double need = uses_files(&session->plan) ? 2.0 * (double) session->files.disk : 0;
    struct stat status;
    char text[PATH_MAX + 256], journal[PATH_MAX];

    if (options->cache != CACHE_MEASURED)
        need += 2.0 * (double) options->cache * session->world->nodes;
    if (need > (double) prepare_room(facts)) {
        snprintf(text, sizeof(text),
                 "%s: up to %.1f GB are needed and %.1f GB must stay free, but only %.1f GB are; "
                 "see --max-memory, --budget, --cache",
                 options->directory, need / 1e9, (double) reserve_of(facts) / 1e9,
                 (double) facts->free_bytes / 1e9);
        return complain(1, code_p, text);
    }
    snprintf(journal, sizeof(journal), "%s.journal", options->out);
    if (stat(options->out, &status) == 0 && access(journal, F_OK) != 0 && !options->force) {
        snprintf(text, sizeof(text), "%s: exists; --force measures again and replaces it",
                 options->out);
        return complain(2, code_p, text);
    }
    return true;
}

/* --- journal */

/* Whatever decides which points have which index, and what they measure. */
static void put_plan(const cal_session *session, atm_value *plan)
{
    const cal_options *options = session->options;
    const cal_world *world = session->world;
    uint64_t hosts = 0;
    char text[64];

    for (int i = 0; i < world->ranks; i++)
        for (const char *at = world->names[world->node_of[i]]; *at != '\0'; at++)
            hosts = plan_hash(hosts, (uint64_t) *at);
    atm_put_string(plan, "tool", CAL_VERSION);
    atm_put_string(plan, "dir", options->directory);
    atm_put_string(plan, "driver", atm_driver_name(session->facts.driver));
    atm_put_string(plan, "policy", options->policy);
    atm_put_string(plan, "topology", options->topology != NULL ? options->topology : "none");
#define PUT(key, format, value)                                                                    \
    snprintf(text, sizeof(text), format, value);                                                   \
    atm_put_string(plan, key, text)
    PUT("ranks", "%d", world->ranks);
    PUT("nodes", "%d", world->nodes);
    PUT("hosts", "%016llx", (unsigned long long) hosts);
    PUT("points", "%d", session->plan.count);
    PUT("visits", "%d", options->visits);
    PUT("budget", "%g s", options->budget);
    PUT("only", "%x", options->only);
    PUT("seed", "%llu", (unsigned long long) options->seed);
    PUT("block", "%llu", (unsigned long long) session->facts.block);
    PUT("cache", "%lld", (long long) options->cache);
    PUT("memory", "%llu", (unsigned long long) options->memory);
#undef PUT
}

/* What was found out before the first visit holds for all of them. */
static atm_status take_header(cal_session *session, atm_message *message)
{
    const atm_value *header = session->journal->header;
    const char *storage;
    int64_t cache;
    atm_status status = atm_get_string(header, "storage", message, &storage);

    if (status == ATM_OK)
        status = atm_get_integer(header, "cache", 0, ATM_MAX_INTEGER, message, &cache);
    if (status == ATM_OK)
        status = atm_get_number(header, "rate", 0, DBL_MAX, message, &session->files.rate);
    if (status == ATM_OK)
        status = atm_get_number(header, "setup", 0, DBL_MAX, message, &session->setup);
    if (status != ATM_OK)
        return status;
    session->files.cache = (uint64_t) cache;
    snprintf(session->storage, sizeof(session->storage), "%s", storage);
    for (int i = 0; i < session->journal->count; i++) {
        const journal_visit *visit = &session->journal->visits[i];

        schedule_note(&session->schedule, visit->point, visit->elapsed,
                      statistics_median(visit->seconds, visit->count));
    }
    return ATM_OK;
}

bool prepare_resume(cal_session *session, int *code_p)
{
    char path[PATH_MAX], text[512];
    atm_message message = {""};
    atm_value *plan;
    atm_status status;

    snprintf(path, sizeof(path), "%s.journal", session->options->out);
    if (access(path, F_OK) != 0 || session->options->force)
        return true;
    plan = atm_value_object();
    put_plan(session, plan);
    status = atm_value_built(plan);
    if (status == ATM_OK)
        status = journal_resume(path, plan, session->plan.count, &message, &session->journal);
    if (status == ATM_OK && session->journal != NULL)
        status = take_header(session, &message);
    atm_value_destroy(plan);
    if (status == ATM_OK)
        return true;
    snprintf(text, sizeof(text), "%s%s",
             message.text[0] != '\0' ? message.text : atm_status_text(status),
             status == ATM_BAD_FILE ? "; it cannot be continued, --force starts anew" : "");
    return complain(status == ATM_BAD_FILE ? 2 : 1, code_p, text);
}

bool prepare_journal(cal_session *session, int *code_p)
{
    char path[PATH_MAX], now[JOURNAL_TIME];
    atm_message message = {""};
    atm_value *header = atm_value_object();
    atm_status status;

    journal_now(now);
    atm_put_string(header, "format", JOURNAL_FORMAT);
    atm_put_integer(header, "version", JOURNAL_VERSION);
    atm_put_string(header, "started", now);
    put_plan(session, atm_put_object(header, "plan"));
    atm_put_string(header, "storage", session->storage);
    atm_put_integer(header, "cache", (int64_t) session->files.cache);
    atm_put_number(header, "rate", session->files.rate);
    atm_put_number(header, "setup", session->setup);
    snprintf(path, sizeof(path), "%s.journal", session->options->out);
    status = journal_create(path, header, &message, &session->journal);
    if (status == ATM_OK)
        return true;
    atm_value_destroy(header);
    return complain(1, code_p, message.text[0] != '\0' ? message.text : atm_status_text(status));
}
