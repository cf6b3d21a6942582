/* OTF2: names, and the definitions that events refer to. */

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_otf2.h"

enum { TICKS = 1000000000 }; /* a second */

void archive_keep(archive *a, OTF2_ErrorCode code)
{
    if (a->error == OTF2_SUCCESS && code > OTF2_SUCCESS)
        a->error = code;
}

/* --- names: few, and many events have them */

static int by_text(const void *one, const void *other)
{
    const archive_name *a = one, *b = other;
    int order = strcmp(a->text, b->text);

    return order != 0 ? order : strcmp(a->kind, b->kind);
}

static void free_name(archive_name *name)
{
    if (name != NULL) {
        free(name->kind);
        free(name->text);
    }
    free(name);
}

static bool add_name(archive_names *names, const char *kind, const char *text)
{
    archive_name *name = calloc(1, sizeof(*name));

    if (names->count == names->room) {
        uint32_t room = 2 * names->room + 64;
        archive_name **at = realloc(names->at, room * sizeof(archive_name *));

        names->at = at != NULL ? at : names->at;
        names->room = at != NULL ? room : names->room;
    }
    if (name != NULL)
        *name = (archive_name){strdup(kind), strdup(text), names->count};
    if (name == NULL || name->kind == NULL || name->text == NULL || names->count == names->room ||
        tsearch(name, &names->tree, by_text) == NULL) {
        free_name(name);
        return false;
    }
    names->at[names->count++] = name;
    return true;
}

static uint32_t find_name(archive *a, archive_names *names, const char *kind, const char *text)
{
    const archive_name sought = {(char *) kind, (char *) text, 0};
    archive_name *const *found = tfind(&sought, &names->tree, by_text);

    if (found != NULL)
        return (*found)->ref;
    if (add_name(names, kind, text))
        return names->count - 1;
    a->no_memory = true;
    return 0;
}

static void keep_name(void *name)
{
    (void) name; /* the table frees it */
}

void archive_names_clear(archive_names *names)
{
    tdestroy(names->tree, keep_name);
    for (uint32_t i = 0; i < names->count; i++)
        free_name(names->at[i]);
    free(names->at);
    *names = (archive_names){.at = NULL};
}

uint32_t archive_string(archive *a, const char *text)
{
    uint32_t known = a->strings.count, ref = find_name(a, &a->strings, "", text);

    if (a->definitions != NULL && a->strings.count > known)
        archive_keep(a, OTF2_GlobalDefWriter_WriteString(a->definitions, ref, text));
    return ref;
}

uint32_t archive_region(archive *a, const trace_slice *slice)
{
    return find_name(a, &a->regions, slice->layer, slice->call);
}

/* --- definitions */

/* Strings of events; those of definitions follow when they are needed. */
static void define_strings(archive *a)
{
    for (uint32_t i = 0; i < a->strings.count; i++)
        archive_keep(a,
                     OTF2_GlobalDefWriter_WriteString(a->definitions, i, a->strings.at[i]->text));
}

static void define_attributes(archive *a)
{
    static const struct {
        const char *name, *description;
        OTF2_Type type;
    } attributes[ATTRIBUTES] = {
        [ATTRIBUTE_FILE] = {"file", "path of the file", OTF2_TYPE_STRING},
        [ATTRIBUTE_OFFSET] = {"offset", "where in the file", OTF2_TYPE_UINT64},
        [ATTRIBUTE_BYTES] = {"bytes", "read or written", OTF2_TYPE_UINT64},
        [ATTRIBUTE_ERROR] = {"error", "that the call ended with", OTF2_TYPE_INT64},
        [ATTRIBUTE_ACTIVITY] = {"activity", "number within the process", OTF2_TYPE_UINT64},
        [ATTRIBUTE_CAUSE] = {"cause", "number of the activity that caused it", OTF2_TYPE_UINT64}};

    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        uint32_t name = archive_string(a, attributes[i].name);
        uint32_t description = archive_string(a, attributes[i].description);

        archive_keep(a, OTF2_GlobalDefWriter_WriteAttribute(a->definitions, i, name, description,
                                                            attributes[i].type));
    }
}

/* The system's own calls belong to none. */
static OTF2_Paradigm paradigm_of(const char *layer)
{
    if (strcmp(layer, "mpi") == 0)
        return OTF2_PARADIGM_MPI;
    if (strcmp(layer, "posix") == 0 || strcmp(layer, "stdio") == 0)
        return OTF2_PARADIGM_NONE;
    return OTF2_PARADIGM_USER;
}

static void define_regions(archive *a)
{
    for (uint32_t i = 0; i < a->regions.count; i++) {
        const archive_name *region = a->regions.at[i];
        uint32_t name = archive_string(a, region->text);
        uint32_t layer = archive_string(a, region->kind);

        archive_keep(a, OTF2_GlobalDefWriter_WriteRegion(
                            a->definitions, i, name, name, layer, OTF2_REGION_ROLE_FILE_IO,
                            paradigm_of(region->kind), OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING,
                            0, 0));
    }
}

static void define_node(archive *a, uint32_t ref, const char *name, const char *kind,
                        uint32_t parent)
{
    uint32_t name_ref = archive_string(a, name), kind_ref = archive_string(a, kind);

    archive_keep(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->definitions, ref, name_ref,
                                                             kind_ref, parent));
}

/* Node 0 has all others, which are the hosts. */
static void define_processes(archive *a, const trace_processes *processes)
{
    define_node(a, 0, "machine", "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (size_t i = 0; i < processes->count; i++) {
        const trace_process *p = &processes->at[i];
        uint32_t known = a->hosts.count;
        uint32_t node = 1 + find_name(a, &a->hosts, "", p->host);
        uint32_t name = archive_string(a, p->name);

        if (a->hosts.count > known)
            define_node(a, node, p->host, "node", 0);
        archive_keep(a, OTF2_GlobalDefWriter_WriteLocationGroup(
                            a->definitions, (uint32_t) i, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                            node, OTF2_UNDEFINED_LOCATION_GROUP));
    }
}

static void define_locations(archive *a)
{
    for (size_t i = 0; i < a->location_count; i++) {
        const archive_location *l = &a->locations[i];
        char text[32];
        uint32_t name;

        snprintf(text, sizeof(text), "thread %" PRId64, l->thread);
        name = archive_string(a, text);
        archive_keep(a, OTF2_GlobalDefWriter_WriteLocation(a->definitions, i, name,
                                                           OTF2_LOCATION_TYPE_CPU_THREAD, l->events,
                                                           l->process));
    }
}

void archive_define(archive *a, const trace_processes *processes)
{
    a->definitions = OTF2_Archive_GetGlobalDefWriter(a->handle);
    if (a->definitions == NULL) {
        archive_keep(a, OTF2_ERROR_INVALID);
        return;
    }
    archive_keep(a, OTF2_GlobalDefWriter_WriteClockProperties(a->definitions, TICKS, a->first,
                                                              a->last - a->first, a->first));
    define_strings(a);
    define_attributes(a);
    define_regions(a);
    define_processes(a, processes);
    define_locations(a);
    archive_keep(a, OTF2_Archive_CloseGlobalDefWriter(a->handle, a->definitions));
}
