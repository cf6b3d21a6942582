/*
 * Values: JSON documents as trees.  Read from text that nobody vouches for,
 * asked through functions that check and whose messages name file, field and
 * problem; or built up and printed.
 *
 *     status = atm_value_read(path, message, &root);
 *     status = atm_get_number(root, "sigma", ATM_ABOVE_ZERO, DBL_MAX, message, &sigma);
 *       -> "profile.json: operations.allreduce.sigma: must be a number greater than 0"
 *
 * Numbers are doubles, never NaN or infinite, and survive printing and reading
 * exactly.  null is not accepted: what has no value is left out.  Of a key that is
 * there twice the last value counts.
 *
 * A tree is for one thread at a time, also for asking.
 */

#ifndef ATM_VALUE_H
#define ATM_VALUE_H

#include <float.h>

#include "atm.h"

typedef struct json_object atm_value; /* json-c's */

/* What a text may have. */
enum {
    ATM_MAX_BYTES = 10 * 1024 * 1024,
    ATM_MAX_MEMORY = 256 * 1024 * 1024, /* bytes that its tree may take */
    ATM_MAX_DEPTH = 32,                 /* values within each other */
    ATM_MAX_MEMBERS = 1000,             /* of one object */
    ATM_MAX_STRING = 4096               /* bytes of a string or key */
};

/* Integers that doubles hold exactly. */
#define ATM_MAX_INTEGER INT64_C(9007199254740992)

/* The smallest number greater than 0: a minimum that excludes 0. */
#define ATM_ABOVE_ZERO DBL_TRUE_MIN

/* --- text to tree and back */

/* name stands for the text in messages.  Nothing of text or name is kept.
 * The caller destroys the root; every pointer got from it ends with it. */
atm_status atm_value_parse(const char *text, size_t length, const char *name, atm_message *message,
                           atm_value **root_p);
atm_status atm_value_read(const char *path, atm_message *message, atm_value **root_p);

/* A struct that is read from a document, and keeps its name. */
typedef struct atm_document {
    size_t size, source; /* of the struct, all 0 before read; offset of its char *source */
    atm_status (*read)(const atm_value *root, atm_message *message, void *made);
    void (*destroy)(void *made); /* also half read, also NULL */
} atm_document;

/* made_p is the address of a pointer to the struct. */
atm_status atm_document_parse(const atm_document *document, const char *text, size_t length,
                              const char *name, atm_message *message, void *made_p);
atm_status atm_document_load(const atm_document *document, const char *path, atm_message *message,
                             void *made_p);

/* Keys in the order they were added.  The caller frees the text (it ends in a
 * newline and a 0 that length does not count). */
atm_status atm_value_print(const atm_value *value, char **text_p, size_t *length_p);
/* The same on one line, for files of many documents. */
atm_status atm_value_print_line(const atm_value *value, char **text_p, size_t *length_p);
/* As atm_text_write: a plain file is replaced as a whole or not at all. */
atm_status atm_value_write(const atm_value *value, const char *path, atm_message *message);

void atm_value_destroy(atm_value *root);

/* --- asking: the tree as it is */

/* elements of an array, members of an object, else 0 */
size_t atm_value_length(const atm_value *value);
/* index < length */
const atm_value *atm_value_item(const atm_value *value, size_t index);
/* The key it has in its object; NULL for elements and roots. */
const char *atm_value_key(const atm_value *value);
/* NULL if there is no such member, or it is no object. */
const atm_value *atm_value_find(const atm_value *object, const char *key);

/* --- asking: the member key of value, or value itself if key is NULL, must be a ...
 * Each gives ATM_OK, or ATM_BAD_FILE and a message (may be NULL). */

/* min <= number <= max; -DBL_MAX and DBL_MAX: any */
atm_status atm_get_number(const atm_value *value, const char *key, double min, double max,
                          atm_message *message, double *number_p);
/* within +-ATM_MAX_INTEGER */
atm_status atm_get_integer(const atm_value *value, const char *key, int64_t min, int64_t max,
                           atm_message *message, int64_t *integer_p);
atm_status atm_get_truth(const atm_value *value, const char *key, atm_message *message,
                         bool *truth_p);
/* without a 0 byte; belongs to the tree */
atm_status atm_get_string(const atm_value *value, const char *key, atm_message *message,
                          const char **string_p);
/* one of the count names; gives its index */
atm_status atm_get_choice(const atm_value *value, const char *key, const char *const *names,
                          size_t count, atm_message *message, size_t *index_p);
atm_status atm_get_object(const atm_value *value, const char *key, atm_message *message,
                          const atm_value **object_p);
/* min_length <= length <= max_length */
atm_status atm_get_array(const atm_value *value, const char *key, size_t min_length,
                         size_t max_length, atm_message *message, const atm_value **array_p);
/* An array of numbers; the caller frees it (not NULL even if length is 0).
 * Also ATM_NO_MEMORY. */
atm_status atm_get_numbers(const atm_value *value, const char *key, size_t min_length,
                           size_t max_length, double min, double max, atm_message *message,
                           double **numbers_p, size_t *length_p);
/* An array of so many numbers. */
atm_status atm_get_row(const atm_value *value, const char *key, size_t length, double min,
                       double max, atm_message *message, double *row_p);
/* An array of rows of equal length, row after row; the caller frees it. */
atm_status atm_get_matrix(const atm_value *value, const char *key, size_t min_rows, size_t max_rows,
                          size_t min_columns, size_t max_columns, double min, double max,
                          atm_message *message, double **numbers_p, size_t *rows_p,
                          size_t *columns_p);

/* The same where it may be missing: then the last argument keeps its value, so
 * that it is set to the default before.  (For the others: atm_value_find.) */
atm_status atm_opt_number(const atm_value *object, const char *key, double min, double max,
                          atm_message *message, double *number_p);
atm_status atm_opt_integer(const atm_value *object, const char *key, int64_t min, int64_t max,
                           atm_message *message, int64_t *integer_p);
atm_status atm_opt_truth(const atm_value *object, const char *key, atm_message *message,
                         bool *truth_p);
atm_status atm_opt_string(const atm_value *object, const char *key, atm_message *message,
                          const char **string_p);
atm_status atm_opt_choice(const atm_value *object, const char *key, const char *const *names,
                          size_t count, atm_message *message, size_t *index_p);

/* A key that is not among known (ended by NULL) is a typing error, unless it
 * starts with "_": those are comments. */
atm_status atm_check_keys(const atm_value *object, const char *const *known, atm_message *message);

/* "format" and "version" of a document, from 1 to newest.  A later version may have
 * anything else: look at nothing more. */
atm_status atm_check_format(const atm_value *object, const char *format, int newest,
                            atm_message *message, int *version_p);

/* A complaint of the caller's own: "file: path: text" and ATM_BAD_FILE.  key
 * names a member of value that need not exist, or is NULL for value itself. */
atm_status atm_complain(const atm_value *value, const char *key, atm_message *message,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* --- building
 * A tree remembers that memory ran out or that it was given what JSON does not
 * have (NaN, infinity, a key twice or not in UTF-8) or beyond the limits above; further
 * additions, also those to NULL, are then ignored, and printing fails.  So
 * only the end needs a check: atm_value_print, _write or _built. */

atm_value *atm_value_object(void); /* a root; NULL without memory */

/* key: the member's name in an object; NULL: appended to an array.  Strings
 * and keys are copied. */
void atm_put_number(atm_value *container, const char *key, double number);
void atm_put_integer(atm_value *container, const char *key, int64_t integer);
void atm_put_truth(atm_value *container, const char *key, bool truth);
/* Any bytes: U+FFFD stands for those that are no UTF-8, and of a text beyond
 * ATM_MAX_STRING its end remains, after "...". */
void atm_put_string(atm_value *container, const char *key, const char *string);
void atm_put_numbers(atm_value *container, const char *key, const double *numbers, size_t length);
void atm_put_matrix(atm_value *container, const char *key, const double *numbers, size_t rows,
                    size_t columns);
/* The new container belongs to the tree. */
atm_value *atm_put_object(atm_value *container, const char *key);
atm_value *atm_put_array(atm_value *container, const char *key);
void atm_put_copy(atm_value *container, const char *key, const atm_value *value);

/* ATM_OK, ATM_NO_MEMORY (also for NULL) or ATM_BAD_ARGUMENT */
atm_status atm_value_built(const atm_value *root);

#endif /* ATM_VALUE_H */
