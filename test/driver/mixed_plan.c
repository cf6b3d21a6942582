#include "mixed.h"

#include <string.h>

#include "common/rng.h"

static int draw(plan *plan, int below)
{
    return rng_below(&plan->state, below);
}

int is_write(kind kind)
{
    return kind == IWRITE_ALL || kind == IWRITE_AT_ALL || kind == WRITE_AT || kind == IWRITE_AT ||
           kind == WRITE_ALL || kind == WRITE_AT_ALL || kind == WRITE_ORDERED ||
           kind == WRITE_BEGIN;
}

int is_nonblocking_collective(kind kind)
{
    return kind <= IREAD_AT_ALL;
}

static int is_independent(kind kind)
{
    return kind > IREAD_AT_ALL && kind < FIRST_OF_ALL;
}

static int is_data(kind kind)
{
    return kind < SET_VIEW;
}

/* --- where data goes */

int view_offset(const plan *plan, const op *op, int rank)
{
    return op->interleaved ? op->region * PART : (op->region * plan->ranks + rank) * PART;
}

int file_offset(const plan *plan, const op *op, int rank, int i)
{
    int start = op->region * plan->ranks * PART;

    if (op->kind == WRITE_ORDERED) {
        for (int r = 0; r < rank; r++)
            start += op->bytes[r];
        return start + i;
    }
    if (!op->interleaved)
        return start + rank * PART + i;
    return start + (i / PIECE * plan->ranks + rank) * PIECE + i % PIECE;
}

unsigned char data_at(const plan *plan, const op *op, int offset)
{
    return (unsigned char) (1 + (plan->seed * 31 + (uint64_t) (op->region * 7 + op->file * 101) +
                                 (uint64_t) offset * 13 + (uint64_t) offset / 241) %
                                    255);
}

static void update_image(plan *plan, const op *op)
{
    unsigned char *image = plan->image[op->file];
    int *size = &plan->size[op->file];

    for (int rank = 0; is_write(op->kind) && rank < plan->ranks; rank++)
        for (int i = 0; i < op->bytes[rank]; i++) {
            int offset = file_offset(plan, op, rank, i);

            image[offset] = data_at(plan, op, offset);
            *size = offset >= *size ? offset + 1 : *size;
        }
    if (op->kind == SET_SIZE)
        memset(image + op->value, 0, (size_t) (MAX_SIZE - op->value));
    if (op->kind == SET_SIZE || (op->kind == PREALLOCATE && op->value > *size))
        *size = op->value;
}

/* --- operations */

static void draw_bytes(plan *plan, op *op)
{
    int some = is_independent(op->kind) ? 2 : 8;

    for (int rank = 0; rank < plan->ranks; rank++) {
        int bytes = 1 + draw(plan, PART);
        int none = draw(plan, some) == 0;

        if (draw(plan, 3) == 0)
            bytes = PART;
        /* without bytes in a view with holes: ad_write_str.c:343 */
        if (none && !is_nonblocking_collective(op->kind) &&
            (is_independent(op->kind) || !op->interleaved))
            bytes = 0;
        op->bytes[rank] = bytes;
    }
}

/* Chooses a region to read back among those that have been synchronised, if any. */
static void draw_source(plan *plan, op *op)
{
    op->known = plan->synchronised[op->file] > 0;
    if (!op->known)
        return;
    op->region = draw(plan, plan->synchronised[op->file]);
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int i = 0; i < op->bytes[rank]; i++)
            op->wanted[rank][i] = plan->image[op->file][file_offset(plan, op, rank, i)];
}

/* Each write has a region of its own. */
static int add_op(plan *plan, kind kind, int file)
{
    int index = plan->ops++, largest = plan->ranks * PART * plan->ops;
    op *op = &plan->op[index];

    *op = (struct op){.kind = kind, .file = file, .region = index};
    op->interleaved = plan->view[file];
    if (is_data(kind))
        draw_bytes(plan, op);
    if (is_data(kind) && !is_write(kind))
        draw_source(plan, op);
    if (kind == SET_VIEW)
        op->interleaved = plan->view[file] = draw(plan, 2);
    if (kind == SET_INFO && plan->buffer[file] > 2048)
        plan->buffer[file] /= 1 + draw(plan, 4);
    if (kind == SET_INFO)
        op->value = plan->buffer[file];
    if (kind == SET_SIZE || kind == PREALLOCATE)
        op->value = draw(plan, largest);
    if (kind == SYNC)
        plan->synchronised[file] = index;
    if (kind == WRITE_BEGIN || kind == READ_BEGIN || is_nonblocking_collective(kind))
        plan->busy[file] = index;
    update_image(plan, op);
    return index;
}

static void add_event(plan *plan, int what, int rank, int index, int other)
{
    plan->event[plan->events++] = (event){.rank = rank, .op = index, .other = other};
    plan->event[plan->events - 1].what = what;
}

static void add_message(plan *plan, int from, int to)
{
    if (from == to)
        return;
    add_event(plan, SEND, from, 0, to);
    add_event(plan, RECEIVE, to, 0, from);
}

/* --- operations that wait for nobody: ranks do them at their own pace */

static int add_local_op(plan *plan)
{
    int file = draw(plan, plan->files), collective = draw(plan, 3) > 0;

    if (collective && plan->busy[file] < 0)
        return add_op(plan, (kind) draw(plan, IREAD_AT_ALL + 1), file);
    return add_op(plan, (kind) (WRITE_AT + draw(plan, IREAD_AT - WRITE_AT + 1)), file);
}

/* In every third run one rank is late in all, and knows it. */
static void add_run(plan *plan, int length)
{
    int first = plan->ops, done[MAX_RANKS] = {0}, left = length * plan->ranks;
    int late = draw(plan, 3 * plan->ranks);

    for (int i = 0; i < length; i++)
        add_local_op(plan);
    while (left > 0) {
        int rank = draw(plan, plan->ranks), other = draw(plan, plan->ranks);

        if (done[rank] == length || (rank == late && left > length))
            continue;
        add_event(plan, START, rank, first + done[rank]++, 0);
        left--;
        if (late < plan->ranks && done[rank] == length)
            add_message(plan, rank, late);
        else if (draw(plan, 5) < 2)
            add_message(plan, rank, other);
    }
    add_event(plan, FINISH_ALONE, -1, 0, 0);
}

/* --- operations of all */

static void finish_op(plan *plan, int file)
{
    add_event(plan, FINISH, -1, plan->busy[file], 0);
    plan->busy[file] = -1;
}

static void add_common_op(plan *plan)
{
    int file = draw(plan, plan->files);
    kind kind = (enum kind)(FIRST_OF_ALL + draw(plan, KINDS - FIRST_OF_ALL));

    if (plan->busy[file] >= 0) {
        if (draw(plan, 3) > 0)
            finish_op(plan, file);
        return;
    }
    /* a shared file pointer needs one view on all ranks, and takes long */
    if (kind == WRITE_ORDERED && (plan->view[file] || draw(plan, 2)))
        kind = WRITE_AT_ALL;
    add_event(plan, START, -1, add_op(plan, kind, file), 0);
}

void plan_draw(plan *plan, uint64_t seed, int ranks)
{
    int length;

    memset(plan, 0, sizeof(*plan));
    plan->seed = plan->state = seed;
    plan->ranks = ranks;
    plan->files = 1 + draw(plan, 2);
    length = 6 + draw(plan, MAX_OPS - 9);
    for (int file = 0; file < FILES; file++) {
        plan->busy[file] = -1;
        plan->buffer[file] = 1 << 16;
    }
    while (plan->ops < length) {
        int run = draw(plan, 4);

        if (run > 0)
            add_run(plan, run);
        add_common_op(plan);
    }
    for (int file = 0; file < plan->files; file++)
        if (plan->busy[file] >= 0)
            finish_op(plan, file);
}
