/* OTF2: the archive, and events of threads. */

#include <stdlib.h>
#include <string.h>

#include "trace_otf2.h"

/* --- events */

static bool has_failed(const archive *a)
{
    return a->no_memory || a->error != OTF2_SUCCESS;
}

/* Times of a location never decrease. */
static uint64_t tick(archive *a, int64_t at)
{
    uint64_t time = a->realtime + at > 0 ? (uint64_t) (a->realtime + at) : 0;

    a->now = time > a->now ? time : a->now;
    a->first = a->now < a->first ? a->now : a->first;
    a->last = a->now > a->last ? a->now : a->last;
    a->locations[a->location_count - 1].events++;
    return a->now;
}

static void end_thread(archive *a)
{
    if (a->events != NULL)
        archive_keep(a, OTF2_Archive_CloseEvtWriter(a->handle, a->events));
    a->events = NULL;
}

static void begin_thread(void *context, int64_t thread)
{
    archive *a = context;

    end_thread(a);
    if (has_failed(a))
        return;
    if (a->location_count == a->location_room) {
        size_t room = 2 * a->location_room + 64;
        archive_location *locations = realloc(a->locations, room * sizeof(*locations));

        if (locations == NULL) {
            a->no_memory = true;
            return;
        }
        a->locations = locations;
        a->location_room = room;
    }
    a->locations[a->location_count++] = (archive_location){a->process, thread, 0};
    a->now = 0;
    a->events = OTF2_Archive_GetEvtWriter(a->handle, a->location_count - 1);
    if (a->events == NULL)
        archive_keep(a, OTF2_ERROR_FILE_CAN_NOT_OPEN);
}

static void add_number(archive *a, uint32_t attribute, int64_t number)
{
    archive_keep(a, OTF2_AttributeList_AddUint64(a->attributes, attribute, (uint64_t) number));
}

static void enter(void *context, const trace_slice *s)
{
    archive *a = context;
    uint32_t region = archive_region(a, s);

    if (has_failed(a))
        return;
    if (s->file[0] != '\0')
        archive_keep(a, OTF2_AttributeList_AddStringRef(a->attributes, ATTRIBUTE_FILE,
                                                        archive_string(a, s->file)));
    if (s->position >= 0)
        add_number(a, ATTRIBUTE_OFFSET, s->position);
    if (s->bytes >= 0)
        add_number(a, ATTRIBUTE_BYTES, s->bytes);
    if (s->error != 0)
        archive_keep(a, OTF2_AttributeList_AddInt64(a->attributes, ATTRIBUTE_ERROR, s->error));
    add_number(a, ATTRIBUTE_ACTIVITY, s->number);
    if (s->parent != 0)
        add_number(a, ATTRIBUTE_CAUSE, s->parent);
    archive_keep(a, OTF2_EvtWriter_Enter(a->events, a->attributes, tick(a, s->start), region));
}

static void leave(void *context, const trace_slice *s)
{
    archive *a = context;

    if (!has_failed(a))
        archive_keep(a,
                     OTF2_EvtWriter_Leave(a->events, NULL, tick(a, s->end), archive_region(a, s)));
}

static ath_status write_process(ath_database *database, const trace_process *process, archive *a,
                                atm_message *message)
{
    static const trace_visitor visitor = {begin_thread, enter, leave};
    trace_slices slices = {.at = NULL};
    ath_status status = trace_slices_read(database, process->id, message, &slices);

    a->realtime = process->realtime;
    if (status == ATH_OK)
        status = trace_slices_visit(&slices, &visitor, a);
    end_thread(a);
    trace_slices_clear(&slices);
    return status;
}

/* --- the archive */

static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool final)
{
    (void) data, (void) type, (void) location, (void) caller, (void) final;
    return OTF2_FLUSH;
}

/* OTF2 says what went wrong here, and prints nothing.  What it returns is less exact. */
static OTF2_ErrorCode keep_problem(void *data, const char *file, uint64_t line,
                                   const char *function, OTF2_ErrorCode code, const char *format,
                                   va_list arguments)
{
    (void) file, (void) line, (void) function, (void) format, (void) arguments;
    archive_keep(data, code);
    return code;
}

static void open_archive(archive *a, const char *folder)
{
    /* without a second function, no record of the time that a flush took */
    static const OTF2_FlushCallbacks callbacks = {flush_always, NULL};

    a->attributes = OTF2_AttributeList_New();
    a->handle = OTF2_Archive_Open(
        folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (a->handle == NULL || a->attributes == NULL) {
        archive_keep(a, OTF2_ERROR_FILE_CAN_NOT_OPEN);
        return;
    }
    archive_keep(a, OTF2_Archive_SetFlushCallbacks(a->handle, &callbacks, NULL));
    archive_keep(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->handle));
    archive_keep(a, OTF2_Archive_SetCreator(a->handle, PACKAGE_STRING));
    archive_keep(a, OTF2_Archive_OpenEvtFiles(a->handle));
}

/* Readers look for a file of definitions for each location, even if nothing is in it. */
static void write_definitions(archive *a, const trace_processes *processes)
{
    archive_keep(a, OTF2_Archive_CloseEvtFiles(a->handle));
    archive_keep(a, OTF2_Archive_OpenDefFiles(a->handle));
    for (size_t i = 0; !has_failed(a) && i < a->location_count; i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(a->handle, i);

        archive_keep(a, writer != NULL ? OTF2_Archive_CloseDefWriter(a->handle, writer)
                                       : OTF2_ERROR_FILE_CAN_NOT_OPEN);
    }
    archive_keep(a, OTF2_Archive_CloseDefFiles(a->handle));
    if (a->first > a->last) /* no events */
        a->first = a->last = (uint64_t) processes->at[0].realtime;
    if (!has_failed(a))
        archive_define(a, processes);
}

static void clear(archive *a)
{
    archive_names_clear(&a->strings);
    archive_names_clear(&a->regions);
    archive_names_clear(&a->hosts);
    free(a->locations);
    if (a->attributes != NULL)
        OTF2_AttributeList_Delete(a->attributes);
}

ath_status archive_write(ath_database *database, const trace_processes *processes,
                         const char *folder, atm_message *message)
{
    archive a = {.first = UINT64_MAX, .error = OTF2_SUCCESS};
    OTF2_ErrorCallback usual = OTF2_Error_RegisterCallback(keep_problem, &a);
    ath_status status = ATH_OK;

    open_archive(&a, folder);
    for (size_t i = 0; !has_failed(&a) && status == ATH_OK && i < processes->count; i++) {
        a.process = (uint32_t) i;
        status = write_process(database, &processes->at[i], &a, message);
    }
    if (!has_failed(&a) && status == ATH_OK)
        write_definitions(&a, processes);
    archive_keep(&a, OTF2_Archive_Close(a.handle));
    OTF2_Error_RegisterCallback(usual, NULL);
    clear(&a);
    if (status != ATH_OK)
        return status;
    if (a.no_memory)
        return ATH_NO_MEMORY;
    return a.error == OTF2_SUCCESS
               ? ATH_OK
               : ath_complain(ATH_NO_ACCESS, message, "%.128s: a trace cannot be written: %s",
                              folder, OTF2_Error_GetDescription(a.error));
}
