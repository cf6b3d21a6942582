/* autotune calibrate: the parts of its command line, for it, for autotune-calibrate, and the
 * command that starts processes; and installing what it made. */

#ifndef VERB_CALIBRATE_H
#define VERB_CALIBRATE_H

#include <stdbool.h>

typedef struct calibrate_words {
    char **own;   /* [own_count] with the command's name; owned, ends with NULL */
    char **rest;  /* [rest_count] options of autotune-calibrate */
    char **start; /* [start_count] the command; 0 words: there is none */
    int own_count, rest_count, start_count;
} calibrate_words;

/* Whether this is one of the processes that a launcher has started. */
bool calibrate_is_launched(void);

/* The words remain the caller's.  In a Slurm allocation there always is a command.  False: no
 * memory. */
bool calibrate_part(int argc, char **argv, calibrate_words *words_p);
void calibrate_forget(calibrate_words *words);

/* Whether the option is among those for autotune-calibrate. */
bool calibrate_has(const calibrate_words *words, const char *option);

/* The command with what it starts: the program, its options and more, which ends with NULL.  The
 * caller frees the array; NULL: no memory. */
char **calibrate_join(const calibrate_words *words, char *program, const char *const *more);

/* Installs a profile for the user: in place of the one that would be used where it was measured,
 * beside others if none of them fits.  Returns the exit code. */
int calibrate_install(const char *path);

#endif /* VERB_CALIBRATE_H */
