#include "ad_autotune_answer.h"

#include "adioi.h"

#include <string.h>

/*
 * A choice takes a noticeable part of an open, and programs open many files alike: what the
 * model answered to the last few requests is kept with the profile that it came from.
 */

/* Everything that an answer depends on, apart from the profile and the version of MPICH: no
 * padding, no pointers. */
typedef struct key {
    double at[128];
    int count;
} key;

enum { KEPT = 4 };

struct ADIOI_AUTOTUNE_answers {
    struct {
        key key; /* empty: none */
        ADIOI_AUTOTUNE_answer answer;
    } at[KEPT];
    int next; /* is replaced */
};

static void add(key *key, double number)
{
    key->at[key->count++] = number;
}

static void add_access(key *key, const atm_access *access)
{
    add(key, access->write + 2 * access->strided + 4 * access->interleaved + 8 * access->holes +
                 16 * access->new_file);
    add(key, access->active_ranks);
    add(key, (double) access->bytes_min);
    add(key, (double) access->bytes_max);
    add(key, (double) access->bytes);
    add(key, (double) access->start);
    add(key, (double) access->end);
    add(key, (double) access->block);
    add(key, (double) access->stride);
    add(key, (double) access->dirty);
    add(key, (double) access->cached);
    add(key, (double) access->warm);
    add(key, access->affinity);
}

static void add_config(key *key, const atm_config *config)
{
    add(key, config->collective + 2 * config->automatic + 4 * (int) config->order);
    add(key, config->aggregators);
    add(key, (double) config->buffer);
    add(key, (double) config->stripe_size);
    add(key, config->stripe_count);
    add(key, config->co_ratio);
    add(key, (double) config->block);
    add(key, config->servers);
}

static void add_job(key *key, const atm_job *job)
{
    add(key, job->ranks);
    add(key, job->nodes);
    add(key, job->groups);
    for (int i = 0; i < ATM_APART; i++)
        add(key, job->apart[i]);
}

static void add_life(key *key, const atm_life *life)
{
    add(key, life->calls);
    add(key, life->idle);
    add(key, life->begun);
    add(key, life->change);
    add_config(key, &life->current);
}

/* Sizes above 2^53 are rounded, which no choice depends on. */
static key key_of(const atm_request *request, const ADIOI_AUTOTUNE_scale *scale)
{
    key key = {.count = 0};

    add(&key, request->driver);
    add(&key, request->mode);
    add(&key, request->fixed);
    add(&key, request->fixed_order + 2 * request->new_layout + 4 * (request->steering != NULL));
    add(&key, (double) request->memory);
    add(&key, request->psets);
    add(&key, request->bridges);
    add(&key, request->nics);
    add(&key, request->servers);
    add(&key, request->risk);
    add(&key, scale->communication);
    add(&key, scale->storage);
    for (int i = 0; i < ATM_KIND_COUNT; i++)
        add(&key, scale->doubt[i]);
    add_job(&key, &request->job);
    add_access(&key, &request->access);
    add_config(&key, &request->defaults);
    add_config(&key, &request->written);
    add_life(&key, &request->life);
    return key;
}

static int is_same(const key *one, const key *other)
{
    return one->count == other->count &&
           memcmp(one->at, other->at, (size_t) one->count * sizeof(one->at[0])) == 0;
}

ADIOI_AUTOTUNE_answers *ADIOI_AUTOTUNE_answers_create(void)
{
    return ADIOI_Calloc(1, sizeof(ADIOI_AUTOTUNE_answers));
}

void ADIOI_AUTOTUNE_answers_destroy(ADIOI_AUTOTUNE_answers *answers)
{
    ADIOI_Free(answers);
}

const ADIOI_AUTOTUNE_answer *ADIOI_AUTOTUNE_answers_find(const ADIOI_AUTOTUNE_answers *answers,
                                                         const atm_request *request,
                                                         const ADIOI_AUTOTUNE_scale *scale)
{
    const key wanted = key_of(request, scale);

    for (int i = 0; i < KEPT; i++)
        if (is_same(&answers->at[i].key, &wanted))
            return &answers->at[i].answer;
    return NULL;
}

const ADIOI_AUTOTUNE_answer *ADIOI_AUTOTUNE_answers_keep(ADIOI_AUTOTUNE_answers *answers,
                                                         const atm_request *request,
                                                         const ADIOI_AUTOTUNE_scale *scale,
                                                         const atm_choice *choice)
{
    int at = answers->next;
    ADIOI_AUTOTUNE_answer *answer = &answers->at[at].answer;

    answers->next = (at + 1) % KEPT;
    answers->at[at].key = key_of(request, scale);
    answer->chosen = choice->candidates[choice->chosen];
    answer->is_default = choice->chosen == 0;
    answer->is_unsure = answer->is_default && choice->best != 0 && choice->saved > 0;
    answer->reason = choice->reason;
    answer->calls = atm_life_calls(&request->life);
    return answer;
}
