/* What autotune run --watch sets up: the library that sees calls. */

#ifndef VERB_RUN_WATCH_H
#define VERB_RUN_WATCH_H

typedef struct run_watch {
    const char *modules; /* NULL: not asked for; "": those of the environment, or the usual */
    const char *spools;  /* NULL: where the library puts them */
    const char *library;
} run_watch;

/* Whether the library can be preloaded and takes its settings, and the folder can be written: 0,
 * and what ROMIO_AUTOTUNE_WATCH is to be, which the caller frees; otherwise the exit code, and why
 * was said. */
int run_watch_prepare(const run_watch *watch, char **settings_p);

/* What is in effect, as a line on stderr. */
void run_watch_tell(const run_watch *watch, const char *settings);

#endif /* VERB_RUN_WATCH_H */
