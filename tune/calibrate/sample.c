/*
 * Repetitions.  A barrier comes before each, so that ranks start together, and
 * each rank times its own part; the slowest counts.  The skew between ranks
 * after a barrier, at most about its own duration, would be included in the
 * time of operations that wait for each other: if they are shorter than ten
 * barriers, a repetition is a batch of them in a row, as in the rounds of
 * two-phase I/O, and lasts ten.  A batch is also 1000 ticks of the clock.  Where
 * ranks do not wait for each other, as when they access a file, and share
 * cores, each may find its own part short though all together take long: a
 * second barrier tells when the last is done, and what it takes is subtracted.
 */

#include "calibrate.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "repetitions.h"

enum { CHUNK = 5, BATCH_MAX = 5000, BARRIERS = 5 };

static volatile sig_atomic_t caught;

static void note_signal(int number)
{
    caught = number;
}

void sample_catch_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int sample_signal(void)
{
    return caught;
}

/* What ranks exchange after some repetitions. */
typedef struct report {
    double seconds[CHUNK];
    double elapsed;
    double code;
    double signalled;
} report;

static int code_of(const report *report)
{
    return report->signalled > 0 ? CAL_SIGNAL : (int) report->code;
}

static void agree(MPI_Comm comm, report *report)
{
    report->signalled = caught;
    MPI_Allreduce(MPI_IN_PLACE, report, sizeof(*report) / sizeof(double), MPI_DOUBLE, MPI_MAX,
                  comm);
}

/* One repetition of a batch; barrier: seconds of one; the first failure is kept
 * in *code_p. */
static double repeat(const cal_work *work, int repetition, int batch, double barrier, int *code_p)
{
    double start, seconds;
    int code = 0;

    if (work->before != NULL)
        code = work->before(work->state, repetition);
    MPI_Barrier(work->comm);
    start = MPI_Wtime();
    for (int i = 0; i < batch; i++) {
        int failed = work->run(work->state, repetition * batch + i);

        code = code != 0 ? code : failed;
    }
    seconds = MPI_Wtime() - start;
    if (work->apart) {
        MPI_Barrier(work->comm);
        seconds = fmax(seconds, MPI_Wtime() - start - barrier);
    }
    seconds /= batch;
    if (work->after != NULL) {
        int failed = work->after(work->state, repetition);

        code = code != 0 ? code : failed;
    }
    *code_p = *code_p != 0 ? *code_p : code;
    return seconds;
}

static double time_barrier(MPI_Comm comm)
{
    double least = INFINITY;

    for (int i = 0; i < BARRIERS; i++) {
        double start = MPI_Wtime();

        MPI_Barrier(comm);
        least = fmin(least, MPI_Wtime() - start);
    }
    return least;
}

/*
 * Warm up, and find how many in a row last ten barriers.  The first one alone
 * may be mostly the skew after the barrier, so the answer is checked; gives the
 * same on all ranks, and the repetitions used.
 */
static int find_batch(const cal_work *work, double limit, double barrier, int *used_p, int *code_p)
{
    double started = MPI_Wtime(), wanted;
    int batch = 1, used = 0;

    for (;;) {
        double seconds = repeat(work, used++, batch, barrier, code_p) * batch;
        report report = {{seconds, barrier}, .elapsed = MPI_Wtime() - started};

        agree(work->comm, &report);
        seconds = fmax(report.seconds[0], MPI_Wtick());
        barrier = report.seconds[1];
        wanted = fmax(10 * barrier, 1000 * MPI_Wtick());
        if (used > 1 && (seconds >= 0.9 * wanted || batch == BATCH_MAX))
            break;
        if (used == SAMPLE_WARM || report.elapsed > limit / 4)
            break;
        if (seconds < wanted)
            batch = (int) fmin(ceil(batch * 1.1 * wanted / seconds), BATCH_MAX);
    }
    *used_p = used;
    return batch;
}

/* Times are above 0 even if the clock did not move. */
static double at_least_a_tick(double seconds)
{
    return fmax(seconds, MPI_Wtick() / BATCH_MAX);
}

int sample_work(const cal_work *work, double limit, double *seconds, int most, int *count_p)
{
    double started = MPI_Wtime(), barrier = time_barrier(work->comm);
    int batch = work->batch > 1 ? work->batch : 1;
    int repetition = 0, count = 0, pending = 0, code = 0;
    report report = {.code = 0};

    if (work->batches)
        batch = find_batch(work, limit, barrier, &repetition, &code);
    else
        repeat(work, repetition++, batch, barrier, &code);
    for (;;) {
        int chunk = CHUNK;

        report.code = code;
        report.elapsed = MPI_Wtime() - started;
        agree(work->comm, &report);
        for (int i = 0; i < pending; i++)
            seconds[count++] = at_least_a_tick(report.seconds[i]);
        if (code_of(&report) != 0 || count >= most || repetition >= work->most ||
            statistics_tight(seconds, count) ||
            (count >= (report.elapsed > 2 * limit ? 1 : 2) && report.elapsed > limit))
            break;
        /* long ones are looked at one by one */
        if (report.elapsed * (count > 0 ? 1 : 4) > limit / 4)
            chunk = 1;
        memset(&report, 0, sizeof(report));
        for (pending = 0; pending < chunk && count + pending < most && repetition < work->most;
             pending++)
            report.seconds[pending] = repeat(work, repetition++, batch, barrier, &code);
    }
    *count_p = count;
    return code_of(&report);
}
