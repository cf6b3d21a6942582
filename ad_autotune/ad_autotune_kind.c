#include "ad_autotune_decide.h"

#include "adioi.h"

#include <ctype.h>

/*
 * What this process, as rank 0 of files, has written to the last few kinds of them: programs write
 * their files in series, whose names differ by a number, and begin each with a small header.
 */
enum { KINDS = 8 };

typedef struct kind {
    uint64_t name; /* without digits */
    int ranks;     /* 0: not in use */
    atm_access access;
} kind;

static kind kinds[KINDS];
static int next_kind;

/* FNV-1a */
static uint64_t name_of(const char *filename)
{
    uint64_t name = UINT64_C(14695981039346656037);

    for (; *filename != '\0'; filename++)
        if (!isdigit((unsigned char) *filename))
            name = (name ^ (unsigned char) *filename) * UINT64_C(0x100000001b3);
    return name;
}

static kind *find(const ADIOI_AUTOTUNE_state *state)
{
    uint64_t name = name_of(state->root->filename);

    for (int i = 0; i < KINDS; i++)
        if (kinds[i].ranks == state->ranks && kinds[i].name == name)
            return &kinds[i];
    return NULL;
}

int ADIOI_AUTOTUNE_kind_find(const ADIOI_AUTOTUNE_state *state, atm_access *access_p)
{
    const kind *known = find(state);

    if (known != NULL) {
        *access_p = known->access;
        access_p->new_file = true;
    }
    return known != NULL;
}

void ADIOI_AUTOTUNE_kind_remember(const ADIOI_AUTOTUNE_state *state)
{
    kind *known;

    if (state->root->largest.bytes == 0)
        return;
    known = find(state);
    if (known == NULL)
        known = &kinds[next_kind++ % KINDS];
    *known = (kind){name_of(state->root->filename), state->ranks, state->root->largest};
}
