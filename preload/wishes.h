/* What the user asks the preload library for: ROMIO_AUTOTUNE_PRELOAD, words with commas between
 * them.  MPI's own variables are left alone: they stay in the environment of programs that run
 * without the library. */

#ifndef ATP_WISHES_H
#define ATP_WISHES_H

#include <stdbool.h>

typedef struct atp_wishes {
    bool off;     /* MPI-IO is left to the MPI library */
    bool all;     /* files whose names have no prefix are the driver's, too */
    bool verbose; /* the first process tells what is in effect */
    int bad;      /* length of a word that is none of these, at bad_word; 0: there is none */
    const char *bad_word;
} atp_wishes;

/* text may be NULL; bad_word points into it. */
atp_wishes atp_wishes_parse(const char *text);

#endif /* ATP_WISHES_H */
