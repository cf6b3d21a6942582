/* Text of others, for terminals: what would control them becomes "?". */

#ifndef SHOWN_H
#define SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* The next character before end, which *at moves behind: as it is shown, in *length_p bytes. */
const char *shown_next(const char **at, const char *end, size_t *length_p);

void shown_clean(const char *text, size_t size, char *clean_p);

/* How many bytes were put out. */
size_t shown_put(const char *text, FILE *out);

#endif /* SHOWN_H */
