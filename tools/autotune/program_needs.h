/* The libraries that a program would be started with. */

#ifndef PROGRAM_NEEDS_H
#define PROGRAM_NEEDS_H

#include <stdbool.h>

/* In the order in which the loader loads them, once each. */
typedef struct program_needs {
    char **paths; /* [count] */
    int count;
    char missing[256]; /* the first that is nowhere; "": none */
} program_needs;

/* cache: ld.so.cache.  False: no memory.  Give them back. */
bool program_needs_find(const char *program, const char *cache, program_needs *needs_p);

void program_needs_release(program_needs *needs);

#endif /* PROGRAM_NEEDS_H */
