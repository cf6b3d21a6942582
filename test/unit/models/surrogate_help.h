/* What the tests of surrogates share. */

#ifndef SURROGATE_HELP_H
#define SURROGATE_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cost/surrogate.h"

static inline atm_value *parse(const char *text)
{
    atm_message message = {""};
    atm_value *root = NULL;

    if (atm_value_parse(text, strlen(text), "text", &message, &root) != ATM_OK)
        fail_msg("%s", message.text);
    return root;
}

static inline atm_surrogate *read_ok(const atm_value *value)
{
    atm_message message = {""};
    atm_surrogate *surrogate = NULL;

    if (atm_surrogate_read(value, &message, &surrogate) != ATM_OK)
        fail_msg("%s", message.text);
    return surrogate;
}

static inline atm_surrogate *make(const char *text)
{
    atm_value *root = parse(text);
    atm_surrogate *surrogate = read_ok(root);

    atm_value_destroy(root);
    return surrogate;
}

static inline atm_estimate ask(const atm_surrogate *surrogate, const double *features)
{
    atm_estimate estimate;

    atm_surrogate_predict(surrogate, features, &estimate);
    return estimate;
}

/* Writes a surrogate to text and reads it again. */
static inline atm_surrogate *copy_through_text(const atm_surrogate *surrogate)
{
    atm_value *object = atm_value_object();
    atm_surrogate *copy;
    size_t length;
    char *text;

    atm_surrogate_write(surrogate, object);
    assert_int_equal(atm_value_print(object, &text, &length), ATM_OK);
    atm_value_destroy(object);
    copy = make(text);
    free(text);
    return copy;
}

static inline atm_value *golden(const char *name)
{
    const char *top = getenv("top_srcdir");
    atm_message message = {""};
    atm_value *root = NULL;
    char path[4096];

    snprintf(path, sizeof(path), "%s/test/unit/models/golden/%s.json", top ? top : ".", name);
    if (atm_value_read(path, &message, &root) != ATM_OK)
        fail_msg("%s", message.text);
    return root;
}

/* xorshift64*: the same numbers everywhere */
typedef struct random_state {
    uint64_t state;
} random_state;

static inline double random_unit(random_state *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (double) (r->state * UINT64_C(2685821657736338717) >> 11) * 0x1p-53;
}

static inline int random_below(random_state *r, int end)
{
    return (int) (random_unit(r) * end);
}

#endif /* SURROGATE_HELP_H */
