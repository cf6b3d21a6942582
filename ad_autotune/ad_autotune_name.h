/*
 * File names and values as the driver's users write them, and whose names are
 * ours: without MPI or ROMIO.
 */

#ifndef AD_AUTOTUNE_NAME_H_INCLUDED
#define AD_AUTOTUNE_NAME_H_INCLUDED

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* The path in a name that reached the driver, after any "autotune:" and a
 * nested prefix; length_p gets the length of the latter, which then starts at
 * *prefix_p, or 0.  As in ROMIO (mpi-io/open.c:136) one letter is a drive and
 * not a prefix; unlike there, a colon after a slash belongs to the path. */
const char *ADIOI_AUTOTUNE_split_name(const char *name, const char **prefix_p, size_t *length_p);

/* The directory that holds path: "." for a bare name, never longer than path
 * or ".".  Returns 0, or -1 when size is too small. */
int ADIOI_AUTOTUNE_directory(const char *path, char *directory, size_t size);

/* Where the symbolic link at path leads, given what it holds: target itself
 * or relative to path's directory.  Returns as ADIOI_AUTOTUNE_directory. */
int ADIOI_AUTOTUNE_link_target(const char *path, const char *target, char *result, size_t size);

/* Set by the preload library: names without our prefix are ours, too. */
extern int ADIOI_AUTOTUNE_all_files;
/* The same, unless ROMIO_FSTYPE_FORCE, which is obeyed, tells. */
int ADIOI_AUTOTUNE_takes_all(void);

/* For the preload library: the driver that would be wrapped for a name without
 * prefixes, as in the prefix; local (ad_autotune_wrapped.c). */
const char *ADIOI_AUTOTUNE_driver_name(const char *name);

/* Values of the hint romio_autotune. */
typedef enum {
    ADIOI_AUTOTUNE_AUTOMATIC,
    ADIOI_AUTOTUNE_ENABLE,
    ADIOI_AUTOTUNE_DISABLE
} ADIOI_AUTOTUNE_mode;

/* on, yes, true and 1 are automatic; off, no, false and 0 are disable.  Returns
 * 0, or -1 and leaves mode_p alone when value is none of these. */
int ADIOI_AUTOTUNE_parse_mode(const char *value, ADIOI_AUTOTUNE_mode *mode_p);
const char *ADIOI_AUTOTUNE_mode_name(ADIOI_AUTOTUNE_mode mode);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_NAME_H_INCLUDED */
