/* What the files trace_otf2*.c share: an archive that is being written.  Compiled where OTF2 is. */

#ifndef ATH_TRACE_OTF2_H
#define ATH_TRACE_OTF2_H

#include <otf2/otf2.h>

#include "trace_inside.h"

enum {
    ATTRIBUTE_FILE, /* attributes of events */
    ATTRIBUTE_OFFSET,
    ATTRIBUTE_BYTES,
    ATTRIBUTE_ERROR,
    ATTRIBUTE_ACTIVITY,
    ATTRIBUTE_CAUSE,
    ATTRIBUTES
};

typedef struct archive_name {
    char *kind, *text;
    uint32_t ref; /* as OTF2 refers to it */
} archive_name;

typedef struct archive_names {
    archive_name **at; /* by ref */
    uint32_t count, room;
    void *tree; /* of tsearch, by kind and text */
} archive_names;

typedef struct archive_location {
    uint32_t process;
    int64_t thread;
    uint64_t events;
} archive_location;

typedef struct archive {
    OTF2_Archive *handle;
    OTF2_EvtWriter *events; /* of the last location */
    OTF2_AttributeList *attributes;
    OTF2_GlobalDefWriter *definitions; /* NULL while events are written */
    archive_names strings, regions, hosts;
    archive_location *locations;
    size_t location_count, location_room;
    uint32_t process;          /* whose events are written: its place, */
    int64_t realtime;          /* and its start */
    uint64_t now, first, last; /* times of the location's last event; of all */
    bool no_memory;
    OTF2_ErrorCode error; /* the first */
} archive;

/* Keeps the first error. */
void archive_keep(archive *a, OTF2_ErrorCode code);

/* References to definitions, which are made when they are first asked for. */
uint32_t archive_string(archive *a, const char *text);
uint32_t archive_region(archive *a, const trace_slice *slice);
void archive_names_clear(archive_names *names);

/* All that events refer to, when these are complete. */
void archive_define(archive *a, const trace_processes *processes);

/* The archive of processes in a folder that is empty. */
ath_status archive_write(ath_database *database, const trace_processes *processes,
                         const char *folder, atm_message *message);

#endif /* ATH_TRACE_OTF2_H */
