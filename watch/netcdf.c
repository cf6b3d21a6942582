/* Identifiers of NetCDF and PnetCDF, which are small numbers, the same in both.  How much was
 * accessed, their own functions tell: what a variable has of a type in the file. */

#include <string.h>

#include "begin.h"
#include "map.h"
#include "mpi_abi.h"

static atw_map netcdf, pnetcdf; /* open files */

/* Groups of a NetCDF-4 file have the upper half in common. */
static uint64_t netcdf_key(int id)
{
    return (uint64_t) (uint32_t) id | 0xffff;
}

static uint64_t pnetcdf_key(int id)
{
    return (uint64_t) (uint32_t) id + 2;
}

static bool begin(atw_call *call, unsigned which, atw_map *files, uint64_t key)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(files, key) : NULL;

    return slot != NULL && atw_begin(call, which, slot->file);
}

static bool begin_close(atw_call *call, unsigned which, atw_map *files, uint64_t key)
{
    atw_slot *slot = atw_is_on() ? atw_map_find(files, key) : NULL;
    uint32_t file = slot != NULL ? slot->file : 0;

    if (slot == NULL)
        return false;
    atw_map_remove(files, slot);
    return atw_begin(call, which, file);
}

static void made(const atw_call *call, atw_map *files, uint64_t key)
{
    atw_slot value = {.file = call->activity.file};

    if (call->activity.error == 0)
        atw_map_put(files, key, &value);
}

/* --- NetCDF */

/* URLs of servers are not files. */
bool atw_begin_ncopens(atw_call *call, unsigned which, const char *name)
{
    return name != NULL && strstr(name, "://") == NULL && atw_begin_named(call, which, name);
}

bool atw_begin_nc(atw_call *call, unsigned which, int id)
{
    return begin(call, which, &netcdf, netcdf_key(id));
}

bool atw_begin_ncclose(atw_call *call, unsigned which, int id)
{
    return begin_close(call, which, &netcdf, netcdf_key(id));
}

void atw_made_nc(atw_call *call, int id)
{
    made(call, &netcdf, netcdf_key(id));
}

/* --- PnetCDF */

bool atw_begin_ncmpiopens(atw_call *call, unsigned which, const char *name)
{
    return atw_begin_named(call, which, name != NULL ? atw_mpi_path(name) : NULL);
}

bool atw_begin_ncmpi(atw_call *call, unsigned which, int id)
{
    return begin(call, which, &pnetcdf, pnetcdf_key(id));
}

bool atw_begin_ncmpiclose(atw_call *call, unsigned which, int id)
{
    return begin_close(call, which, &pnetcdf, pnetcdf_key(id));
}

void atw_made_ncmpi(atw_call *call, int id)
{
    made(call, &pnetcdf, pnetcdf_key(id));
}

/* --- bytes */

enum { DIMENSIONS = 1024 };

typedef int ask_number(int file, int variable, int *number);
typedef int ask_length(int file, int dimension, int64_t *length);

typedef struct questions {
    ask_number *type, *count, *dimensions;
    ask_length *length;
} questions;

/* False if the library lacks one of them. */
static bool questions_of(atw_layer layer, questions *ask_p)
{
    static const char *const names[][4] = {
        {"nc_inq_vartype", "nc_inq_varndims", "nc_inq_vardimid", "nc_inq_dimlen"},
        {"ncmpi_inq_vartype", "ncmpi_inq_varndims", "ncmpi_inq_vardimid", "ncmpi_inq_dimlen"}};
    static _Atomic(atw_function *) slots[2][4];
    int which = layer == ATW_PNETCDF;

    ask_p->type = (ask_number *) atw_optional(&slots[which][0], names[which][0]);
    ask_p->count = (ask_number *) atw_optional(&slots[which][1], names[which][1]);
    ask_p->dimensions = (ask_number *) atw_optional(&slots[which][2], names[which][2]);
    ask_p->length = (ask_length *) atw_optional(&slots[which][3], names[which][3]);
    return ask_p->type != NULL && ask_p->count != NULL && ask_p->dimensions != NULL &&
           ask_p->length != NULL;
}

/* Bytes of one element in the file; 0 for strings and user-defined types. */
static uint64_t size_of(const questions *ask, int file, int variable)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8}; /* NC_BYTE is 1 */
    int type = 0;

    if (ask->type(file, variable, &type) != 0 || type < 0 || (size_t) type >= sizeof(sizes))
        return 0;
    return sizes[type];
}

uint64_t atw_cdf_one(atw_layer layer, int file, int variable)
{
    questions ask;

    return questions_of(layer, &ask) ? size_of(&ask, file, variable) : 0;
}

uint64_t atw_cdf_all(atw_layer layer, int file, int variable)
{
    questions ask;
    int count = 0, dimensions[DIMENSIONS];
    uint64_t bytes;

    if (!questions_of(layer, &ask) || ask.count(file, variable, &count) != 0 ||
        count > DIMENSIONS || ask.dimensions(file, variable, dimensions) != 0)
        return 0;
    bytes = size_of(&ask, file, variable);
    for (int i = 0; i < count; i++) {
        int64_t length = 0;

        ask.length(file, dimensions[i], &length);
        bytes *= (uint64_t) length;
    }
    return bytes;
}

uint64_t atw_cdf_part(atw_layer layer, int file, int variable, const void *lengths)
{
    return atw_cdf_parts(layer, file, variable, 1, &lengths);
}

/* No lengths: one element. */
uint64_t atw_cdf_parts(atw_layer layer, int file, int variable, int parts,
                       const void *const *lengths)
{
    questions ask;
    uint64_t elements = 0;
    int count = 0;

    if (!questions_of(layer, &ask) || ask.count(file, variable, &count) != 0)
        return 0;
    for (int i = 0; i < parts; i++) {
        const int64_t *of_part = lengths != NULL ? lengths[i] : NULL;
        uint64_t product = 1;

        for (int k = 0; of_part != NULL && k < count; k++)
            product *= (uint64_t) of_part[k];
        elements += product;
    }
    return elements * size_of(&ask, file, variable);
}
