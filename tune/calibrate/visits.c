/* Visit after visit: rank 0 chooses a point, all ranks measure it, rank 0 stores the result. */

#include "calibrate.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "points_file.h"
#include "common/stats.h"

#define STOLEN 0.05  /* of processor time, by other machines: a visit is repeated */
#define DROPPED 0.25 /* of a budget that this may take */

/* What rank 0 tells the others. */
typedef struct command {
    bool go_on;
    plan_point point;
} command;

typedef struct runner {
    cal_session *session;
    char *buffer;
    size_t buffer_bytes;
    int *chosen; /* [ranks] */
} runner;

/* --- one visit */

static int grow_buffer(runner *runner, size_t bytes)
{
    char *buffer = runner->buffer;

    if (bytes <= runner->buffer_bytes)
        return 0;
    buffer = realloc(buffer, bytes);
    if (buffer != NULL) {
        runner->buffer = buffer;
        memset(buffer, 1, bytes); /* pages must be there before they are measured */
    }
    int code = world_agree(runner->session->world->comm, buffer != NULL ? 0 : ENOMEM);

    if (code == 0)
        runner->buffer_bytes = bytes;
    return code;
}

static int measure(const cal_session *session, const cal_place *place, double *seconds,
                   int *count_p)
{
    if (place->point->operation == ATM_TOUCH)
        return measure_touch(place, seconds, count_p);
    if (plan_is_storage(place->point->operation))
        return measure_storage(place, seconds, count_p);
    if (place->point->operation == ATM_EXCHANGE)
        return measure_exchange(place, session->facts.driver == ATM_GPFS, seconds, count_p);
    return measure_collective(place, seconds, count_p);
}

/* Aggregators: those of an exchange's smaller side, those that access a file. */
static int chosen_for(const plan_point *point)
{
    if (point->operation == ATM_EXCHANGE)
        return point->senders < point->receivers ? point->senders : point->receivers;
    return plan_is_of_aggregators(point->operation) ? point->receivers : 0;
}

/* What a program exchanges is its own data, of which no processor has anything in its cache. */
static size_t data_set(const cal_session *session, const plan_point *point)
{
    const cal_world *world = session->world;
    uint64_t memory = session->options->memory;
    int most = 1;

    if (point->operation != ATM_EXCHANGE)
        return 0;
    if (memory == 0)
        memory = session->facts.memory / 8;
    for (int i = 0; i < world->nodes; i++)
        most = world->ranks_of[i] > most ? world->ranks_of[i] : most;
    return (size_t) (fmin(CAL_DATA_SET, (double) memory / 4) / most);
}

static int visit(runner *runner, const plan_point *point, double *seconds, int *count_p)
{
    cal_session *session = runner->session;
    const schedule_options *how = &session->schedule.options;
    cal_place place = {.point = point,
                       .chosen = runner->chosen,
                       .chosen_count = chosen_for(point),
                       .most = PLAN_REPETITIONS / how->visits,
                       .limit = how->limit,
                       .files = &session->files};
    int code = world_group(session->world, point->nodes, point->per_node, &place.comm);

    session->files.visit++;
    if (code == 0 && place.chosen_count > 0)
        code = world_place(session->world, point->nodes, point->per_node, point->order,
                           place.chosen_count, runner->chosen);
    if (code == 0)
        code = grow_buffer(runner, (size_t) plan_memory(point) + data_set(session, point) + 64);
    if (code == 0 && place.comm != MPI_COMM_NULL) {
        MPI_Comm_rank(place.comm, &place.rank);
        MPI_Comm_size(place.comm, &place.ranks);
        place.buffer = runner->buffer;
        place.buffer_bytes = runner->buffer_bytes;
        code = measure(session, &place, seconds, count_p);
    }
    world_rest(session->world);
    return code;
}

/* --- all visits */

/* On rank 0: keep what a visit gave. */
static int keep(cal_session *session, int index, const double *seconds, int count, double elapsed)
{
    journal_visit visit = {
        .point = index, .elapsed = elapsed, .seconds = (double *) seconds, .count = count};
    atm_message message = {""};
    atm_status status;

    journal_now(visit.time);
    status = journal_append(session->journal, &visit, &message);
    if (status == ATM_OK) {
        schedule_note(&session->schedule, index, elapsed, stats_median(seconds, count));
        return 0;
    }
    fprintf(stderr, "autotune-calibrate: %s\n",
            message.text[0] != '\0' ? message.text : atm_status_text(status));
    return EIO;
}

/* On rank 0: whether too much was taken away from any node meanwhile for the visit to count, and
 * there is time for another. */
static bool is_disturbed(const cal_session *session, double stolen, double elapsed)
{
    double budget = session->options->budget, spent = session->schedule.spent + elapsed;

    return stolen > STOLEN &&
           session->dropped_seconds + elapsed < DROPPED * (budget > 0 ? budget : spent);
}

static void drop(cal_session *session, double elapsed)
{
    session->dropped++;
    session->dropped_seconds += elapsed;
    session->schedule.spent += elapsed;
}

static int visit_all(runner *runner)
{
    cal_session *session = runner->session;
    const cal_world *world = session->world;
    double mark = MPI_Wtime(), seconds[PLAN_REPETITIONS];
    cal_progress progress = {0};
    int code = 0;

    for (;;) {
        command command = {.go_on = false};
        cal_stolen before = {0, 0};
        int index = -1, count = 0;
        double stolen;

        if (world->rank == 0 && code == 0) {
            index = sample_signal() != 0 ? -1 : schedule_next(&session->schedule);
            command.go_on = index >= 0;
            if (command.go_on) {
                command.point = session->plan.points[index];
                progress_show(&progress, &session->schedule, &command.point);
            }
        }
        MPI_Bcast(&command, sizeof(command), MPI_BYTE, 0, world->comm);
        if (!command.go_on)
            break;
        stolen_read(&before);
        code = visit(runner, &command.point, seconds, &count);
        stolen = stolen_share(&before);
        MPI_Reduce(world->rank == 0 ? MPI_IN_PLACE : &stolen, &stolen, 1, MPI_DOUBLE, MPI_MAX, 0,
                   world->comm);
        if (world->rank == 0 && code == 0) {
            double now = MPI_Wtime();

            if (count > 0 && is_disturbed(session, stolen, now - mark))
                drop(session, now - mark);
            else if (count > 0)
                code = keep(session, index, seconds, count, now - mark);
            else
                schedule_skip(&session->schedule, index);
            mark = now;
        }
    }
    progress_end(&progress);
    MPI_Bcast(&code, 1, MPI_INT, 0, world->comm);
    return code;
}

/* --- the end */

static int write_points(const cal_session *session)
{
    const cal_options *options = session->options;
    const cal_world *world = session->world;
    uint64_t cache = session->files.cache / (uint64_t) world->nodes;
    const char *started = "";
    atm_message message = {""};
    atm_value *machine = facts_machine(options, world, &session->facts, cache);
    atm_value *job;
    atm_status status;

    atm_get_string(session->journal->header, "started", NULL, &started);
    job = facts_job(options, world, &session->facts, started, session->storage, session->left_out);
    status = output_write(
        options->out, &session->plan, session->journal, machine, job, world->names[0],
        session->files.cache == 0 && session->schedule.options.look.cached,
        session->files.absorb ? session->caches : NULL, session->cache_count, &message);
    atm_value_destroy(machine);
    atm_value_destroy(job);
    if (status != ATM_OK) {
        fprintf(stderr, "autotune-calibrate: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
        return 1;
    }
    unlink(session->journal->path);
    return 0;
}

/* Adds what was not reached to what does not fit. */
static void describe_missed(cal_session *session)
{
    char *text = session->left_out, missed[sizeof(session->left_out) / 2];
    size_t length = strlen(text);

    schedule_describe_missed(&session->schedule, missed, sizeof(missed));
    if (missed[0] != '\0')
        snprintf(text + length, sizeof(session->left_out) - length, "%snot reached: %s",
                 length > 0 ? "; " : "", missed);
    if (missed[0] != '\0')
        printf("%s: not reached: %s\n", session->options->out, missed);
}

static void summarize(const cal_session *session)
{
    int points = 0;

    for (int i = 0; i < session->plan.count; i++)
        points += session->schedule.done[i] > 0;
    printf("%s: %d points of %d possible, %d visits in %.0f s; storage %s\n", session->options->out,
           points, session->plan.count, session->journal->count,
           session->schedule.spent + session->setup, session->storage);
    if (session->dropped > 0)
        printf("%s: %d visits (%.0f s) were not used: the host of this machine gave its processors "
               "to others\n",
               session->options->out, session->dropped, session->dropped_seconds);
}

/* Why it ends before the end, and what is kept. */
static void say_end(const cal_session *session, int code, int number)
{
    if (number != 0)
        fprintf(stderr, "autotune-calibrate: ended by signal %d; ", number);
    else
        fprintf(stderr, "autotune-calibrate: %s: %s; ", session->options->directory,
                strerror(code));
    if (session->journal == NULL)
        fprintf(stderr, "nothing was measured yet\n");
    else
        fprintf(stderr, "%d visits are kept in %s.journal: run the same command to continue\n",
                session->journal->count, session->options->out);
}

/* On rank 0: exit code. */
static int finish(cal_session *session, int code, int number)
{
    scratch_remove(session->options);
    if (code != 0 || number != 0)
        say_end(session, code, number);
    if (number != 0)
        return 128 + number;
    if (code != 0)
        return 1;
    describe_missed(session);
    code = write_points(session);
    if (code == 0)
        summarize(session);
    return code;
}

/* --- from the start */

/* On rank 0: all that can be refused before a file is touched. */
static bool prepare(cal_session *session, int *code_p)
{
    *code_p = 1;
    if (!facts_find(session->options, &session->facts) || !prepare_plan(session, code_p))
        return false;
    if (session->options->dry_run) {
        prepare_print(session);
        *code_p = 0;
        return false;
    }
    return prepare_check(session, code_p) && prepare_resume(session, code_p) &&
           scratch_make(session->options, code_p);
}

/* Give all ranks what rank 0 found. */
static void share(cal_session *session)
{
    const cal_options *options = session->options;
    MPI_Comm comm = session->world->comm;

    MPI_Bcast(&session->facts, sizeof(session->facts), MPI_BYTE, 0, comm);
    MPI_Bcast(&session->files, sizeof(session->files), MPI_BYTE, 0, comm);
    MPI_Bcast(&session->schedule.options, sizeof(session->schedule.options), MPI_BYTE, 0, comm);
    session->files.driver = &access_drivers[session->facts.driver];
    session->files.is_local = session->facts.driver == ATM_UFS && session->world->nodes == 1;
    snprintf(session->files.directory, sizeof(session->files.directory), "%s/%s",
             options->directory, SCRATCH_NAME);
}

/* What storage is like, before the first visit. */
static int find_out(cal_session *session)
{
    plan_look look = {0};
    unsigned storage = 0;
    int code = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        storage |= plan_is_storage((atm_operation) i) ? 1u << i : 0;
    if ((session->options->only & storage) != 0)
        code = look_around(session, &look);
    if (code != 0)
        return code;
    prepare_adapt(session, &look);
    if (look.all > 0)
        return bursts_find_cache(session);
    snprintf(session->storage, sizeof(session->storage), "not measured");
    return 0;
}

/* The journal of a new run starts with what was found about the cache. */
static int begin(cal_session *session)
{
    double start = MPI_Wtime();
    int resumed = session->journal != NULL, code, refused = 1;

    share(session);
    MPI_Bcast(&resumed, 1, MPI_INT, 0, session->world->comm);
    code = resumed ? 0 : find_out(session);
    if (code != 0)
        return code;
    if (resumed) {
        prepare_adapt(session, &session->schedule.options.look);
        if (session->world->rank == 0)
            prepare_replay(session);
    }
    if (session->world->rank == 0) {
        if (!resumed) {
            session->setup = MPI_Wtime() - start;
            if (!prepare_journal(session, &refused))
                code = EIO;
        }
        session->schedule.options.spare += session->setup;
    }
    return world_agree(session->world->comm, code);
}

int run(const cal_options *options, cal_world *world)
{
    cal_session session = {.options = options, .world = world};
    runner runner = {.session = &session};
    int ready = 1, code = 1, failed, number, signals;

    if (world->rank == 0)
        ready = prepare(&session, &code);
    MPI_Bcast(&ready, 1, MPI_INT, 0, world->comm);
    if (ready) {
        sample_catch_signals();
        runner.chosen = malloc((size_t) world->ranks * sizeof(*runner.chosen));
        failed = world_agree(world->comm, runner.chosen != NULL ? 0 : ENOMEM);
        if (failed == 0)
            failed = begin(&session);
        if (failed == 0)
            failed = visit_all(&runner);
        signals = sample_signal();
        MPI_Allreduce(&signals, &number, 1, MPI_INT, MPI_MAX, world->comm);
        if (world->rank == 0)
            code = finish(&session, failed, number);
    }
    MPI_Bcast(&code, 1, MPI_INT, 0, world->comm);
    free(runner.buffer);
    free(runner.chosen);
    journal_close(session.journal);
    schedule_clear(&session.schedule);
    plan_clear(&session.plan);
    return code;
}
