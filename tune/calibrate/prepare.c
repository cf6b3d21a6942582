/* Before the first visit: the plan, its room on disk, and the journal. */

#include "calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/rng.h"
#include "common/stats.h"
#include "formats/formats.h"

#define SPARE 0.02 /* part of a budget that is for the end */

static bool complain(int code, int *code_p, const char *text)
{
    fprintf(stderr, "autotune-calibrate: %s\n", text);
    *code_p = code;
    return false;
}

/* --- plan */

static plan_job job_of(const cal_session *session)
{
    const cal_options *options = session->options;
    const cal_world *world = session->world;

    return (plan_job){.ranks = world->ranks,
                      .nodes = world->nodes,
                      .ranks_of = world->ranks_of,
                      .groups_in = world->groups_in,
                      .apart = world->apart,
                      .links = world_links,
                      .world = world,
                      .driver = session->facts.driver,
                      .block = session->facts.block,
                      .servers = session->facts.servers,
                      .memory = options->memory > 0 ? options->memory : session->facts.memory / 8,
                      .only = options->cache == 0 ? options->only & ~(1u << ATM_WRITE_DRAINED |
                                                                      1u << ATM_READ_CACHED)
                                                  : options->only,
                      .seed = options->seed};
}

bool prepare_plan(cal_session *session, int *code_p)
{
    const cal_options *options = session->options;
    plan_job job = job_of(session);
    int visits = options->visits > 0 ? options->visits : 2;
    schedule_options how = {.visits = visits,
                            .parts = visits,
                            .budget = options->budget,
                            .limit = schedule_limit(options->budget, visits),
                            .spare = SPARE * options->budget,
                            .seed = options->seed};
    atm_status status;

    if (job.memory > session->facts.memory)
        return complain(2, code_p, "--max-memory: is more than a node has");
    status = room_fit(session, &job);
    if (status == ATM_OK)
        status = plan_make(&job, &session->plan);
    session->files.disk = job.disk;
    session->files.stripe_size = job.block;
    session->files.servers = job.driver == ATM_LUSTRE ? job.servers : 1;
    session->files.drops = options->cache != 0;
    if (status == ATM_OK)
        status = schedule_make(&session->plan, &how, &session->schedule);
    if (status != ATM_OK)
        return complain(1, code_p, atm_status_text(status));
    session->measures_files = session->plan.first[ATM_TOUCH] > session->plan.first[ATM_WRITE_FIRST];
    session->files.touched_apart =
        session->plan.first[ATM_TOUCH + 1] > session->plan.first[ATM_TOUCH];
    for (int i = 0; i < session->plan.count; i++)
        session->files.reads |= plan_is_read(session->plan.points[i].operation);
    if (session->plan.count == 0 && session->files.count == 0)
        return complain(1, code_p, "no point fits in memory (see --max-memory)");
    return true;
}

void prepare_adapt(cal_session *session, const plan_look *look)
{
    schedule_options *how = &session->schedule.options;
    double longest = schedule_longest(how);

    how->look = *look;
    if (session->options->visits == 0 && session->world->rank == 0)
        how->parts = schedule_parts(&session->plan, how);
    MPI_Bcast(&how->parts, 1, MPI_INT, 0, session->world->comm);
    how->limit = schedule_limit(how->budget, how->parts);
    session->files.look = *look;
    session->files.longest = longest;
}

static void say_left_out(const cal_session *session)
{
    if (session->left_out[0] != '\0')
        fprintf(stderr, "autotune-calibrate: %s\n", session->left_out);
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
    say_left_out(session);
    puts("Times are guesses; a run adapts to what it finds and keeps to its budget.");
}

/* --- what is there */

bool prepare_check(const cal_session *session, int *code_p)
{
    const cal_options *options = session->options;
    struct stat status;
    char text[PATH_MAX + 256], journal[PATH_MAX];

    if (!room_check(session, code_p))
        return false;
    snprintf(journal, sizeof(journal), "%s.journal", options->out);
    if (stat(options->out, &status) == 0 && access(journal, F_OK) != 0 && !options->force) {
        snprintf(text, sizeof(text), "%s: exists; --force measures again and replaces it",
                 options->out);
        return complain(2, code_p, text);
    }
    say_left_out(session);
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
            hosts = rng_hash(hosts, (uint64_t) *at);
    atm_put_string(plan, "tool", PACKAGE_VERSION);
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
    if (options->visits > 0) {
        PUT("visits", "%d", options->visits);
    } else {
        atm_put_string(plan, "visits", "as time allows");
    }
    PUT("budget", "%g s", options->budget);
    PUT("only", "%x", options->only);
    PUT("seed", "%llu", (unsigned long long) options->seed);
    PUT("block", "%llu", (unsigned long long) session->facts.block);
    PUT("cache", "%lld", (long long) options->cache);
    PUT("memory", "%llu", (unsigned long long) options->memory);
#undef PUT
}

enum { CACHE_NUMBERS = 5 };

static void put_caches(const cal_session *session, atm_value *header)
{
    atm_value *list = atm_put_array(header, "caches"), *knees = atm_put_array(header, "knees");

    for (int i = 0; i < session->cache_count; i++) {
        const points_cache *cache = &session->caches[i];
        const double numbers[] = {cache->writers, cache->round, cache->servers, cache->bytes,
                                  cache->rate};

        atm_put_numbers(list, NULL, numbers, CACHE_NUMBERS);
        atm_put_number(knees, NULL, cache->knee);
    }
    atm_put_truth(header, "absorb", session->files.absorb);
}

static atm_status take_caches(cal_session *session, atm_message *message)
{
    const atm_value *header = session->journal->header;
    size_t rows = 0, columns = CACHE_NUMBERS;
    double *numbers = NULL, *knees = NULL;
    atm_status status = atm_get_truth(header, "absorb", message, &session->files.absorb);

    if (status == ATM_OK)
        status = atm_get_matrix(header, "caches", 0, CAL_CACHES, columns, columns, ATM_ABOVE_ZERO,
                                1e18, message, &numbers, &rows, &columns);
    if (status == ATM_OK)
        status = atm_get_numbers(header, "knees", rows, rows, 0, 1, message, &knees, &rows);
    for (size_t i = 0; status == ATM_OK && i < rows; i++) {
        const double *row = numbers + CACHE_NUMBERS * i;

        session->caches[session->cache_count++] =
            (points_cache){session->world->nodes, row[0], row[1], row[2], row[3], row[4], knees[i]};
    }
    free(knees);
    free(numbers);
    return status;
}

enum { LOOK_NUMBERS = 4 };

static void put_look(const plan_look *look, atm_value *header)
{
    const double numbers[LOOK_NUMBERS] = {look->latency, look->one, look->all, look->read};

    atm_put_numbers(header, "look", numbers, LOOK_NUMBERS);
    atm_put_truth(header, "cached", look->cached);
}

static atm_status take_look(const atm_value *header, atm_message *message, plan_look *look)
{
    double *numbers = NULL;
    size_t count = 0;
    atm_status status = atm_get_numbers(header, "look", LOOK_NUMBERS, LOOK_NUMBERS, 0, DBL_MAX,
                                        message, &numbers, &count);

    if (status == ATM_OK)
        status = atm_get_truth(header, "cached", message, &look->cached);
    if (status == ATM_OK) {
        look->latency = numbers[0];
        look->one = numbers[1];
        look->all = numbers[2];
        look->read = numbers[3];
    }
    free(numbers);
    return status;
}

/* What was determined before the first visit applies to all of them. */
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
    status = take_caches(session, message);
    if (status == ATM_OK)
        status = take_look(header, message, &session->schedule.options.look);
    if (status != ATM_OK)
        return status;
    snprintf(session->storage, sizeof(session->storage), "%s", storage);
    return ATM_OK;
}

void prepare_replay(cal_session *session)
{
    for (int i = 0; i < session->journal->count; i++) {
        const journal_visit *visit = &session->journal->visits[i];

        schedule_note(&session->schedule, visit->point, visit->elapsed,
                      stats_median(visit->seconds, visit->count));
    }
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
    put_look(&session->schedule.options.look, header);
    put_caches(session, header);
    if (session->files.disk > 0)
        atm_put_integer(header, "disk", (int64_t) session->files.disk);
    snprintf(path, sizeof(path), "%s.journal", session->options->out);
    status = journal_create(path, header, &message, &session->journal);
    if (status == ATM_OK)
        return true;
    atm_value_destroy(header);
    return complain(1, code_p, message.text[0] != '\0' ? message.text : atm_status_text(status));
}
