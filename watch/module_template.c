/*
 * template: counts activities and bytes.  Copy it to begin another module: rename the table, list
 * it in modules.c and in Makefile.mk, and describe it in README.md.
 */

#include "modules.h"

/* What a thread keeps.  Nobody else writes to it, so there are no locks. */
typedef struct counts {
    uint64_t activities, bytes;
} counts;

/* What the configuration may change: ROMIO_AUTOTUNE_WATCH=template:least=4096 */
static uint64_t least = 0;

static const atw_option options[] = {{"least", &least, 0, UINT64_MAX}, {.name = NULL}};

static void see(void **state, const atw_call *call)
{
    counts *mine = *state;

    if (mine == NULL)
        mine = *state = atw_take_apart(sizeof(*mine));
    if (mine == NULL || call->activity.bytes < least)
        return;
    mine->activities++;
    mine->bytes += call->activity.bytes;
}

static void tell(void *const *states, size_t count, atw_text *text)
{
    counts sum = {0, 0};

    for (size_t i = 0; i < count; i++) {
        const counts *one = states[i];

        sum.activities += one->activities;
        sum.bytes += one->bytes;
    }
    atw_text_member(text, "activities", (int64_t) sum.activities);
    atw_text_member(text, "bytes", (int64_t) sum.bytes);
}

const atw_module atw_module_template = {
    .name = "template", .options = options, .see = see, .tell = tell};
