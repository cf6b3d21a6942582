/*
 * pattern: an access pattern through MPI-IO, written or read.
 *
 *   mpiexec -n 4 pattern --pattern strided --bytes 8M --json autotune:/x/file
 */

#include "workload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "patterns.h"

typedef struct choice {
    workload common;
    const pattern *pattern;
    uint64_t bytes, block; /* 0: the pattern's own */
    int calls;             /* 0: the pattern's own */
    bool read, collective, independent;
    shape shape;
} choice;

static const char *set_pattern(const char *value, void *variables)
{
    const pattern *found = pattern_find(value);

    if (found == NULL)
        return "is not contiguous, segmented, strided, 2d, 3d, uneven or tiny";
    ((choice *) variables)->pattern = found;
    return NULL;
}

static const option_entry entries[] = {
    {"pattern", "NAME", "contiguous (default), segmented, strided, 2d, 3d, uneven or tiny",
     OPTION_SPECIAL, 0, set_pattern},
    {"bytes", "SIZE", "of each process (8M; tiny: 16K)", OPTION_SIZE, offsetof(choice, bytes),
     NULL},
    {"block", "SIZE", "that lies together (16K; 2d: 4K, 3d: 1K, uneven: 64K, tiny: 64)",
     OPTION_SIZE, offsetof(choice, block), NULL},
    {"calls", "N", "that move the bytes (1; contiguous, segmented: 8, tiny: 16)", OPTION_COUNT,
     offsetof(choice, calls), NULL},
    {"read", NULL, "read; a file that is missing or of another size is written first", OPTION_FLAG,
     offsetof(choice, read), NULL},
    {"collective", NULL, "collective calls (default)", OPTION_FLAG, offsetof(choice, collective),
     NULL},
    {"independent", NULL, "independent calls", OPTION_FLAG, offsetof(choice, independent), NULL},
    WORKLOAD_OPTIONS,
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    "pattern [options] FILE",
    "Write or read FILE (any name that ROMIO takes) in a pattern, and time it.\n", entries, NULL};

static int64_t file_size(const shape *s)
{
    return s->chunk * s->calls * s->ranks;
}

/* Fills in c->shape; NULL, or what is wrong with the options. */
static const char *derive(choice *c)
{
    const pattern *p = c->pattern;
    shape *s = &c->shape;
    int64_t bytes = c->bytes > 0 ? (int64_t) c->bytes : p->bytes;

    s->rank = c->common.rank;
    s->ranks = c->common.ranks;
    s->calls = c->calls > 0 ? c->calls : p->calls;
    s->chunk = bytes / s->calls;
    if (c->collective && c->independent)
        return "--collective and --independent exclude each other";
    if (c->block > 0 && p->block == 0)
        return "--block: this pattern has none";
    if (bytes % s->calls != 0)
        return "--bytes must be a multiple of --calls";
    s->block = c->block > 0 ? (int64_t) c->block : p->block > 0 ? p->block : s->chunk;
    if (s->chunk % s->block != 0)
        return "--bytes must be a multiple of --calls times --block";
    /* counts and subarray extents are int in MPI 3; uneven gives a rank up to twice the mean */
    if (s->chunk > INT_MAX / 2 || s->block > INT_MAX / s->ranks ||
        s->chunk / s->block > INT_MAX / s->ranks)
        return "--bytes: more in a call than MPI can count, use more --calls";
    /* Rank 0's part of an uneven block is the smallest. */
    if (p->amount(&(shape){.ranks = s->ranks, .chunk = s->chunk, .block = s->block}) == 0)
        return "--block is too small to give every rank some of it";
    pattern_lay_out(p, s);
    return NULL;
}

/* Fills the buffer of a call, or counts in it what is wrong; *first_p then is
 * the first wrong offset in the file. */
static uint64_t visit(const choice *c, int call, char *buffer, bool filling, uint64_t *first_p)
{
    const shape *s = &c->shape;
    int64_t amount = c->pattern->amount(s), together;
    uint64_t wrong = 0;

    for (int64_t at = 0; at < amount; at += together) {
        uint64_t offset = (uint64_t) c->pattern->place(s, call, at, &together);
        size_t first, more = 0;

        if (filling)
            workload_fill(buffer + at, (size_t) together, offset, 0);
        else
            more = workload_wrong(buffer + at, (size_t) together, offset, 0, &first);
        if (more > 0 && (wrong == 0 || offset + first < *first_p))
            *first_p = offset + first;
        wrong += more;
    }
    return wrong;
}

static int transfer(const choice *c, MPI_File fh, int call, char *buffer, MPI_Status *status)
{
    int count = (int) c->pattern->amount(&c->shape);
    MPI_Offset offset = (MPI_Offset) call * count;

    if (c->read)
        return c->independent ? MPI_File_read_at(fh, offset, buffer, count, MPI_BYTE, status)
                              : MPI_File_read_at_all(fh, offset, buffer, count, MPI_BYTE, status);
    return c->independent ? MPI_File_write_at(fh, offset, buffer, count, MPI_BYTE, status)
                          : MPI_File_write_at_all(fh, offset, buffer, count, MPI_BYTE, status);
}

static MPI_File open_view(const choice *c)
{
    const workload *w = &c->common;
    int mode = c->read ? MPI_MODE_RDONLY : MPI_MODE_CREATE | MPI_MODE_RDWR;
    MPI_Info info = workload_info(w);
    MPI_Datatype type;
    MPI_Offset displacement;
    MPI_File fh;

    fh = workload_open(w, mode, info);
    c->pattern->view(&c->shape, &displacement, &type);
    workload_check(w, MPI_File_set_view(fh, displacement, MPI_BYTE, type, "native", MPI_INFO_NULL),
                   "cannot set the view");
    if (type != MPI_BYTE)
        MPI_Type_free(&type);
    MPI_Info_free(&info);
    return fh;
}

/* One call, timed; with --read --verify it also counts what came wrong. */
static double timed_call(const choice *c, MPI_File fh, int call, char *buffer, uint64_t *wrong_p,
                         uint64_t *first_p)
{
    MPI_Status status;
    int error, moved;

    if (!c->read)
        visit(c, call, buffer, true, NULL);
    double start = workload_clock();
    error = transfer(c, fh, call, buffer, &status);
    double seconds = workload_since(start);

    workload_check(&c->common, error, c->read ? "cannot read" : "cannot write");
    MPI_Get_count(&status, MPI_BYTE, &moved);
    if (moved != (int) c->pattern->amount(&c->shape))
        workload_check(&c->common, MPI_ERR_IO, "a call moved less than it was asked to");
    if (c->read && c->common.verify) {
        uint64_t first, wrong = visit(c, call, buffer, false, &first);

        if (wrong > 0 && (*wrong_p == 0 || first < *first_p))
            *first_p = first;
        *wrong_p += wrong;
    }
    return seconds;
}

/* Whether what was read is right; true without --read --verify. */
static bool run(const choice *c, int repetition)
{
    const shape *s = &c->shape;
    workload_report report = {.name = c->pattern->name,
                              .read = c->read,
                              .collective = !c->independent,
                              .bytes = (uint64_t) file_size(s),
                              .block = (uint64_t) s->block,
                              .repetition = repetition,
                              .times = workload_times_create(s->calls)};
    double *seconds = report.times.seconds;
    char *buffer = workload_memory((size_t) c->pattern->amount(s));
    uint64_t wrong = 0, first = 0;
    double start = workload_clock();
    MPI_File fh = open_view(c);

    seconds[0] = workload_since(start);
    for (int call = 0; call < s->calls; call++) {
        seconds[call + 1] = timed_call(c, fh, call, buffer, &wrong, &first);
        if (call == 0)
            MPI_File_get_info(fh, &report.hints);
    }
    start = workload_clock();
    workload_check(&c->common, MPI_File_close(&fh), "cannot close it");
    seconds[s->calls + 1] = workload_since(start);
    free(buffer);
    workload_print(&c->common, &report);
    return workload_verdict(&c->common, wrong, first, NULL);
}

/* --- the file as it must be, whatever the pattern */

enum { STEP = 1 << 20 };

/* Rank r writes or checks the part of the rank after it, which another wrote. */
static bool whole_file(const choice *c, MPI_File fh, bool writing)
{
    const shape *s = &c->shape;
    int64_t each = s->chunk * s->calls, from = (s->rank + 1) % s->ranks * each;
    char *buffer = workload_memory(STEP);
    uint64_t wrong = 0, first_wrong = 0;

    for (int64_t at = from; at < from + each; at += STEP) {
        int length = (int) (from + each - at < STEP ? from + each - at : STEP);
        size_t first = 0, more;

        if (writing) {
            workload_fill(buffer, (size_t) length, (uint64_t) at, 0);
            workload_check(&c->common,
                           MPI_File_write_at(fh, at, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE),
                           "cannot write");
            continue;
        }
        workload_check(&c->common,
                       MPI_File_read_at(fh, at, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE),
                       "cannot read");
        more = workload_wrong(buffer, (size_t) length, (uint64_t) at, 0, &first);
        if (more > 0 && wrong == 0)
            first_wrong = (uint64_t) at + first;
        wrong += more;
    }
    free(buffer);
    return workload_verdict(&c->common, wrong, first_wrong, NULL);
}

/* A file of another size is wrong, too. */
static bool verify_written(const choice *c)
{
    const workload *w = &c->common;
    MPI_Offset size;
    MPI_File fh;
    bool right;

    fh = workload_open(w, MPI_MODE_RDONLY, MPI_INFO_NULL);
    MPI_File_get_size(fh, &size);
    right = size == file_size(&c->shape);
    if (!right && w->rank == 0)
        fprintf(stderr, "%s: has %lld bytes, not %lld\n", w->file, (long long) size,
                (long long) file_size(&c->shape));
    right = right && whole_file(c, fh, false);
    MPI_File_close(&fh);
    return right;
}

static bool is_there(const choice *c)
{
    MPI_Offset size = -1;
    MPI_File fh;

    if (MPI_File_open(MPI_COMM_WORLD, c->common.file, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh) !=
        MPI_SUCCESS)
        return false;
    MPI_File_get_size(fh, &size);
    MPI_File_close(&fh);
    return size == file_size(&c->shape);
}

/* Something to read; an older file of the right size is used as it is. */
static void prepare(const choice *c)
{
    const workload *w = &c->common;
    MPI_Info info;
    MPI_File fh;

    if (is_there(c))
        return;
    workload_remove(w);
    info = workload_info(w);
    workload_check(
        w, MPI_File_open(MPI_COMM_WORLD, w->file, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &fh),
        "cannot create it");
    whole_file(c, fh, true);
    workload_check(w, MPI_File_close(&fh), "cannot close it");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    choice c = {.common = {.repeat = 1}, .pattern = pattern_at(0)};
    workload *w = &c.common;
    const char *problem;
    bool right = true;
    int code;

    if (!workload_start(&argc, &argv, &table, w, &code))
        return code;
    problem = derive(&c);
    if (problem != NULL)
        return workload_refuse(w, &table, problem);
    if (c.read) {
        prepare(&c);
        if (w->damage)
            workload_damage(w);
    }
    for (int i = 0; i < w->repeat; i++) {
        if (!c.read)
            workload_remove(w);
        right = run(&c, i) && right;
        if (!c.read && w->damage)
            workload_damage(w);
        if (!c.read && w->verify)
            right = verify_written(&c) && right;
    }
    return workload_finish(w, right);
}
