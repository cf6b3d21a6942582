/*
 * Requests of nonblocking calls, from where they are started to where they are completed, be it in
 * another thread.  A request that has become another handle, the null request, is completed: that
 * holds for every call that completes requests.
 */

#include <string.h>

#include "begin.h"
#include "map.h"
#include "mpi_abi.h"

static atw_map requests;

static uint64_t handle_at(const void *array, int index)
{
    size_t bytes = atw_mpi_abi()->request_bytes;
    uint64_t wide;
    uint32_t narrow;

    if (bytes == sizeof(narrow)) {
        memcpy(&narrow, (const char *) array + (size_t) index * bytes, sizeof(narrow));
        return narrow;
    }
    memcpy(&wide, (const char *) array + (size_t) index * bytes, sizeof(wide));
    return wide;
}

bool atw_are_requests(void)
{
    return atomic_load_explicit(&requests.count, memory_order_relaxed) > 0 && atw_is_on();
}

void atw_made_request(atw_call *call, const void *request, atw_count count, atw_handle type)
{
    const atw_activity *activity = &call->activity;
    atw_slot value = {.file = activity->file,
                      .call = activity->call,
                      .id = activity->id,
                      .offset = activity->offset};

    if (activity->error != 0)
        return;
    value.bytes = atw_mpi_asked(count, type);
    atw_map_put(&requests, handle_at(request, 0), &value);
}

/* Without a status, a write that succeeded has done what it was asked for; a read may have met the
 * end of the file. */
static uint64_t bytes_without_status(const atw_slot *slot)
{
    return atw_calls[slot->call].class == ATW_WRITE ? slot->bytes : 0;
}

static atw_activity completion_of(const atw_slot *slot, unsigned which)
{
    return (atw_activity){.parent = slot->id,
                          .offset = slot->offset,
                          .bytes = bytes_without_status(slot),
                          .file = slot->file,
                          .call = (uint16_t) which,
                          .flags = ATW_COMPLETES};
}

/* Claims a call's requests; those beyond ATW_COMPLETIONS go untold. */
static void claim(atw_completions *c, unsigned which, int count)
{
    c->count = 0;
    for (int i = 0; i < count && c->count < ATW_COMPLETIONS; i++) {
        uint64_t handle = handle_at(c->requests, i);
        atw_slot *slot = atw_map_claim(&requests, handle);

        if (slot == NULL)
            continue;
        c->some[c->count].index = i;
        c->some[c->count].handle = handle;
        c->some[c->count].slot = slot;
        c->some[c->count++].activity = completion_of(slot, which);
    }
}

/* What is done within is done for the first of them. */
bool atw_begin_requests(atw_completions *completions, unsigned which, int count, const void *array)
{
    atw_completions *c = completions;

    c->requests = array;
    claim(c, which, count);
    if (c->count > 0 && atw_begin(&c->call, which, c->some[0].activity.file)) {
        atw_works_for(&c->call, c->some[0].activity.parent);
        return true;
    }
    for (unsigned i = 0; i < c->count; i++)
        atw_map_let_go(c->some[i].slot, c->some[i].handle);
    return false;
}

/* status: NULL, not known. */
static void end_one_of(atw_completions *c, atw_activity *activity, int result,
                       const atw_status *status)
{
    activity->start = c->call.activity.start;
    activity->end = c->call.activity.end;
    activity->error = atw_mpi_error(result);
    if (result != 0)
        activity->bytes = 0;
    else if (status != NULL)
        activity->bytes = atw_mpi_bytes(status);
    atw_end_other(&c->call, activity);
}

static void end(atw_completions *c, int result, const atw_status *(*status_of)(const void *, int),
                const void *of)
{
    for (unsigned i = 0; i < c->count; i++) {
        atw_slot *slot = c->some[i].slot;

        if (handle_at(c->requests, c->some[i].index) == c->some[i].handle) {
            atw_map_let_go(slot, c->some[i].handle);
            continue;
        }
        atw_map_remove(&requests, slot);
        end_one_of(c, &c->some[i].activity, result, status_of(of, c->some[i].index));
    }
    c->call.forgotten = true;
    atw_end(&c->call);
}

/* --- statuses in three forms */

static const atw_status *the_one(const void *status, int index)
{
    (void) index;
    return status;
}

void atw_end_one(atw_completions *completions, int result, const atw_status *status)
{
    end(completions, result, the_one, status);
}

static const atw_status *at(const atw_status *statuses, int index)
{
    return (const char *) statuses + (size_t) index * atw_mpi_abi()->status_bytes;
}

static const atw_status *of_each(const void *statuses, int index)
{
    return statuses != atw_mpi_abi()->status_ignore ? at(statuses, index) : NULL;
}

void atw_end_each(atw_completions *completions, int result, const atw_status *statuses)
{
    end(completions, result, of_each, statuses);
}

typedef struct selection {
    const atw_status *statuses;
    int count;
    const int *indices;
} selection;

static const atw_status *of_some(const void *selection_, int index)
{
    const selection *s = selection_;

    for (int i = 0; i < s->count && s->statuses != atw_mpi_abi()->status_ignore; i++)
        if (s->indices[i] == index)
            return at(s->statuses, i);
    return NULL;
}

void atw_end_some(atw_completions *completions, int result, const atw_status *statuses,
                  const int *made, const int *indices)
{
    selection s = {statuses, result == 0 ? *made : 0, indices};

    end(completions, result, of_some, &s);
}
