/* Growing lists of sentences. */

#ifndef NOTES_H
#define NOTES_H

#include "atm.h"

/* Appends to notes[count]; the list and its strings belong to the caller
 * (notes_destroy).  A note that finds no memory is lost, nothing else. */
void notes_add(char ***notes, int *count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void notes_destroy(char **notes, int count);

/* The sentence of a message that no value stands for; ATM_BAD_FILE. */
atm_status notes_complain(atm_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* NOTES_H */
