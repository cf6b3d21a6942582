/* The sub-commands of autotune, some of them programs of their own (autotune.c).  Each
 * gets its arguments from its own name on and returns the exit code: 0, 1 on failure, 2
 * for an invalid command line (and for a bad file, if the command is about files). */

#ifndef AUTOTUNE_H
#define AUTOTUNE_H

#include "place/topology.h"

int autotune_calibrate(int argc, char **argv);
int autotune_compare(int argc, char **argv);
int autotune_doctor(int argc, char **argv);
int autotune_explain(int argc, char **argv);
int autotune_hints(int argc, char **argv);
int autotune_history(int argc, char **argv);
int autotune_install(int argc, char **argv);
int autotune_place(int argc, char **argv);
int autotune_profile(int argc, char **argv);
int autotune_replay(int argc, char **argv);
int autotune_run(int argc, char **argv);
int autotune_search(int argc, char **argv);
int autotune_serve(int argc, char **argv);
int autotune_state(int argc, char **argv);
int autotune_train(int argc, char **argv);
int autotune_wrap(int argc, char **argv);

/* --- shared.c */

/* The exit code of a verb, or 1 if its output could not be written. */
int autotune_finish(int code);

/* A topology from a file, or from a text if there is no such file; destroy it.
 * False after a complaint to stderr. */
bool autotune_topology(const char *file_or_text, atm_topology **topology_p);

/* Print a document and destroy it; returns the exit code. */
int autotune_print(atm_value *document);

#endif /* AUTOTUNE_H */
