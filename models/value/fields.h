/*
 * Fields: structures as members of objects, each by one table that says which member stands for
 * which field; written, read and compared by the same table.
 *
 *     static const atm_field fields[] = {{"bytes", ATM_FIELD_SIZE, offsetof(access, bytes)},
 * {NULL}};
 */

#ifndef ATM_FIELDS_H
#define ATM_FIELDS_H

#include "value.h"

/* The type of a field. */
typedef enum atm_field_kind {
    ATM_FIELD_TRUTH,  /* bool */
    ATM_FIELD_INT,    /* int */
    ATM_FIELD_SIZE,   /* uint64_t */
    ATM_FIELD_NUMBER, /* double; within +-ATM_MAX_INTEGER when it is read */
    ATM_FIELD_SHARE,  /* double from 0 to 1 */
    ATM_FIELD_WORD,   /* an enum, by its names */
    ATM_FIELD_WORDS,  /* an unsigned with bits 1u << value: an array of names */
    ATM_FIELD_ROW,    /* double[ATM_APART]; in no file */
    ATM_FIELD_GROUP   /* a structure: an object of its own */
} atm_field_kind;

typedef struct atm_field {
    const char *key; /* NULL ends the table */
    atm_field_kind kind;
    size_t offset;
    bool if_known;                 /* the member is only there if it is not 0 */
    const char *(*word)(int);      /* name of a value, for words */
    int words;                     /* values that have one: from 0 on */
    const struct atm_field *group; /* for ATM_FIELD_GROUP */
} atm_field;

/* Entries of a table of the structure SOURCE, a macro. */
#define ATM_FIELD_AS(name, type, member, ...)                                                      \
    {                                                                                              \
        .key = name, .kind = ATM_FIELD_##type, .offset = offsetof(SOURCE, member), __VA_ARGS__     \
    }
#define ATM_FIELD(type, member) ATM_FIELD_AS(#member, type, member, .if_known = false)
#define ATM_FIELD_IF_KNOWN(type, member) ATM_FIELD_AS(#member, type, member, .if_known = true)
#define ATM_FIELDS_END                                                                             \
    {                                                                                              \
        .key = NULL                                                                                \
    }

void atm_put_fields(atm_value *object, const atm_field *fields, const void *from);

/* The fields of a table; others stay as they are, also on failure. */
atm_status atm_get_fields(const atm_value *object, const atm_field *fields, atm_message *message,
                          void *to);

/* The same of the object that is the member key. */
atm_status atm_get_group(const atm_value *object, const char *key, const atm_field *fields,
                         atm_message *message, void *to);

/* Whether all fields of a table are the same, to the last bit: what is between them is not. */
bool atm_same_fields(const atm_field *fields, const void *one, const void *other);

/* Sizes as members: beyond ATM_MAX_INTEGER the nearest double. */
void atm_put_size(atm_value *object, const char *key, uint64_t size);
atm_status atm_get_size(const atm_value *object, const char *key, atm_message *message,
                        uint64_t *size_p);

#endif /* ATM_FIELDS_H */
