/*
 * Spaces: which settings a search may try.
 *
 *     { "format": "romio-autotune-space", "version": 1, "about": "files on Lustre",
 *       "parameters": [
 *         { "name": "striping_factor", "values": [4, 8, 16] },
 *         { "name": "stripe", "sets": ["striping_unit", "cb_buffer_size"],      both the same
 *           "values": [1048576, 2097152], "optional": false },
 *         { "name": "hdf5_alignment", "values": [[0, 1], [16384, 1048576]] },
 *         { "name": "hdf5.fill_time", "values": ["never"] } ] }
 *
 * Names are those of settings (advice/settings.h) unless "sets" says what is set.  A parameter may
 * be left alone, too, unless "optional" is false.  Numbers ascend.
 */

#ifndef ATS_SPACE_H
#define ATS_SPACE_H

#include "advice/settings.h"

enum {
    ATS_PARAMETERS = 24, /* of a space, at most */
    ATS_VALUES = 256,    /* of a parameter, at most */
    ATS_SETS = 4,        /* settings of a parameter, at most */
    ATS_NAME = 64,
    ATS_TEXT = 1024 /* of a point */
};

typedef struct ats_parameter {
    char name[ATS_NAME];
    int set_count;
    atm_setting sets[ATS_SETS];
    int count;
    atm_settings *values; /* each has what is in sets, and nothing else */
    bool optional;        /* may be left alone */
    bool fixed;           /* and is (ats_space_fix) */
    bool ordered;         /* neighbours are alike: numbers */
} ats_parameter;

typedef struct ats_space {
    char *source; /* file, or what the caller named it */
    char *about;
    int count;
    ats_parameter parameters[ATS_PARAMETERS];
} ats_space;

/* One value for each parameter: 0, it is left alone, or 1 for the first of its values, ...  All 0
 * is the default: what happens without a search.  Points are compared by memcmp. */
typedef struct ats_point {
    int choice[ATS_PARAMETERS];
} ats_point;

/* --- space.c */

/* The caller destroys it.  ATM_NO_ACCESS, ATM_NO_MEMORY, ATM_BAD_FILE. */
atm_status ats_space_load(const char *path, atm_message *message, ats_space **space_p);
atm_status ats_space_parse(const char *text, size_t length, const char *name, atm_message *message,
                           ats_space **space_p);
void ats_space_destroy(ats_space *space);

/* As it stands in files, as members of object. */
void ats_space_write(const ats_space *space, atm_value *object);

/* --- space_change.c */

/* Removes all parameters but those of a list with commas between.  ATM_BAD_ARGUMENT: there is no
 * such parameter. */
atm_status ats_space_keep(ats_space *space, const char *names, atm_message *message);

/* Leaves alone the parameters that set nothing but what is named; those that may not be left alone
 * stay.  names_p gets them, with commas between: "" if there are none.  Points of before that
 * leave them alone, too, remain what they are. */
void ats_space_fix(ats_space *space, const bool named[ATM_SETTING_COUNT], size_t size,
                   char *names_p);

/* Whether a parameter that is not left alone sets one of these settings, both included. */
bool ats_space_varies(const ats_space *space, atm_setting from, atm_setting to);

/* Adds what the settings have: values to parameters, and parameters that are not there.  Gives the
 * point that has these settings.  ATM_BAD_ARGUMENT: parameters that set several things differ in
 * these, or there are too many. */
atm_status ats_space_add(ats_space *space, const atm_settings *settings, atm_message *message,
                         ats_point *point_p);

/* --- space_find.c */

/* A file; or, by its name, one of those that are installed: lustre, gpfs, plain.  path_p has room
 * for size bytes; ATM_NO_ACCESS and a message that names the folders. */
atm_status ats_space_find(const char *name, atm_message *message, size_t size, char *path_p);
/* The name of the one for the file system that a folder is on. */
const char *ats_space_for(const char *folder);

/* --- point.c */

bool ats_point_equal(const ats_point *one, const ats_point *other);
bool ats_point_is_default(const ats_point *point);

/* First choice of a parameter, 0 or 1, and how many it has. */
int ats_first_choice(const ats_parameter *parameter);
int ats_choices(const ats_parameter *parameter);

/* How many points there are; the index-th of them, for an index below that. */
double ats_space_size(const ats_space *space);
ats_point ats_space_at(const ats_space *space, uint64_t index);
ats_point ats_point_random(const ats_space *space, uint64_t *state);

/* All that the choices set. */
atm_settings ats_point_settings(const ats_space *space, const ats_point *point);
/* "cb_nodes=16 striping_unit=1M", or "default" */
void ats_point_text(const ats_space *space, const ats_point *point, char text_p[ATS_TEXT]);
/* "1M" of a choice; "-": left alone */
void ats_choice_text(const ats_parameter *parameter, int choice, size_t size, char *text_p);

/* The same on all machines. */
uint32_t ats_point_hash(const ats_point *point);

#endif /* ATS_SPACE_H */
