/* What the model has answered before. */

#include "answers.h"

#include <stdlib.h>

#include "situation_fields.h"

enum { KEPT = 4 };

struct atm_answers {
    struct {
        atm_request request;
        atm_scale scale;
        atm_answer answer; /* without calls: none */
    } at[KEPT];
    int next; /* is replaced */
};

static bool is_same(const atm_request *one, const atm_request *other)
{
    return atm_same_fields(atm_request_fields, one, other) &&
           atm_same_fields(atm_topology_fields, one, other);
}

atm_answers *atm_answers_create(void)
{
    return calloc(1, sizeof(atm_answers));
}

void atm_answers_destroy(atm_answers *answers)
{
    free(answers);
}

const atm_answer *atm_answers_find(const atm_answers *answers, const atm_request *request,
                                   const atm_scale *scale)
{
    for (int i = 0; answers != NULL && i < KEPT; i++)
        if (answers->at[i].answer.calls > 0 && is_same(&answers->at[i].request, request) &&
            atm_same_fields(atm_scale_fields, &answers->at[i].scale, scale))
            return &answers->at[i].answer;
    return NULL;
}

void atm_answers_keep(atm_answers *answers, const atm_request *request, const atm_scale *scale,
                      const atm_answer *answer)
{
    if (answers == NULL)
        return;
    answers->at[answers->next].request = *request;
    answers->at[answers->next].scale = *scale;
    answers->at[answers->next].answer = *answer;
    answers->next = (answers->next + 1) % KEPT;
}
