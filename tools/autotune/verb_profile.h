/* The commands of autotune profile: one file each, verb_profile_*.c. */

#ifndef AUTOTUNE_PROFILE_H
#define AUTOTUNE_PROFILE_H

#include <stdio.h>

#include "files/profile.h"
#include "common/options.h"
#include "train/points.h"

/* What a file holds: one of the two is not NULL. */
typedef struct profile_file {
    const char *path; /* the caller's */
    atm_profile *profile;
    points *points;
} profile_file;

/* Checks everything.  False after a complaint to stderr; else close it. */
bool profile_file_open(const char *path, profile_file *file_p);
void profile_file_close(profile_file *file);

/* Each gets its files and returns the exit code. */
int profile_check(char **files, int count);
int profile_show(char *file, bool brief);
int profile_diff(char **files, int count);
int profile_merge(char **files, int count, const char *output);

/* Prints a points file as profile_show prints a profile. */
void profile_show_points(const points *points);
/* Print one fact, and all known facts of a machine but its name. */
void profile_print_text(const char *name, const char *value);
void profile_print_machine(const atm_machine *machine);

/* Warnings about what a valid profile or points file should not have, each on a
 * line of its own after prefix; returns their number. */
int profile_warn(const atm_profile *profile, FILE *out, const char *prefix);
int profile_warn_points(const points *points, FILE *out, const char *prefix);

#endif /* AUTOTUNE_PROFILE_H */
