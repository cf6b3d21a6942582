/* Module hdf5 with lists that remember: which settings go where, and what is left alone. */

#include "help.h"

#include <stdio.h>
#include <unistd.h>

#include "hdf5_help.h"
#include "watch/mpi_abi.h"

TEST_CALLS;

/* --- no MPI */

atw_function *atw_find_any(const char *name)
{
    (void) name;
    return NULL;
}

const atw_mpi *atw_mpi_abi(void)
{
    fail();
    return NULL;
}

const char *atw_mpi_path(const char *name)
{
    return name;
}

/* --- advice */

static char folder[] = "/tmp/test_hdf5.XXXXXX", advice[64], explained[64];

static void advise(const char *set)
{
    FILE *file = fopen(advice, "w");

    assert_non_null(file);
    fprintf(file,
            "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
            "{\"match\": {\"file\": \"*.h5\"}, \"set\": %s}]}",
            set);
    assert_int_equal(fclose(file), 0);
}

/* What the explanations end with; they are removed. */
static const char *explanation(void)
{
    static char text[4096];
    FILE *file = fopen(explained, "r");
    size_t length = file != NULL ? fread(text, 1, sizeof(text) - 1, file) : 0;

    text[length] = '\0';
    if (file != NULL)
        fclose(file);
    unlink(explained);
    return text;
}

static int begin(void **state)
{
    (void) state;
    made = 0;
    data.type = ATW_H5_SIMPLE;
    data.limit = 10;
    data.class = -1;
    data.file = "x.h5";
    atw_h5_know("x.h5", NULL);
    explanation();
    return 0;
}

/* Lists of a file: the program's, and after the call. */
typedef struct opened {
    int64_t creation, access;
    atw_lists lists;
} opened;

static opened open_with(const atw_h5 *h5, const char *name, int64_t access)
{
    opened o = {.access = access};

    o.lists = (atw_lists){.name = name, .creates = true};
    o.lists.creation = &o.creation;
    o.lists.access = &o.access;
    atw_h5_file(h5, &o.lists, advice);
    return o;
}

static int left_open(void)
{
    int count = 0;

    for (int i = 0; i < made; i++)
        count += lists[i].open;
    return count;
}

/* --- files */

static void defaults_become_a_list(void **state)
{
    opened o;

    (void) state;
    advise("{\"hdf5_alignment\": [4096, 1048576], \"cb_nodes\": 4, \"hdf5\": "
           "{\"metadata_block_size\": 65536, \"sieve_buffer_size\": 1024, \"chunk_cache_bytes\": "
           "7777, \"collective_metadata_writes\": \"enable\"}}");
    o = open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    assert_int_equal(o.access, o.lists.made[1]);
    assert_int_equal(o.creation, ATW_H5_DEFAULT);
    assert_int_equal(o.lists.made[0], 0);
    assert_int_equal(at(o.access)->alignment[0], 4096);
    assert_int_equal(at(o.access)->alignment[1], 1048576);
    assert_int_equal(at(o.access)->block, 65536);
    assert_int_equal(at(o.access)->sieve, 1024);
    assert_int_equal(at(o.access)->cache, 7777);
    assert_int_equal(left_open(), 1);
    assert_non_null(strstr(explanation(), "\"file\":\"x.h5\""));
    open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    assert_string_equal(explanation(), ""); /* once */
}

static void programs_lists_stay(void **state)
{
    int64_t mine = create(ACCESS_CLASS);
    const char *told;
    list before;
    opened o;

    (void) state;
    at(mine)->sieve = 5;
    at(mine)->cache = 6;
    before = *at(mine);
    advise("{\"hdf5_alignment\": [0, 512], \"hdf5\": {\"sieve_buffer_size\": 1024, "
           "\"chunk_cache_bytes\": 7777}}");
    o = open_with(&whole, "x.h5", mine);
    assert_true(o.access != mine);
    assert_memory_equal(&before, at(mine), sizeof(before));
    assert_int_equal(at(o.access)->alignment[1], 512);
    assert_int_equal(at(o.access)->sieve, 5);
    assert_int_equal(at(o.access)->cache, 6);
    told = explanation();
    assert_non_null(strstr(told, "\"set\":{\"hdf5_alignment\":[0,512]}"));
    assert_non_null(
        strstr(told, "\"kept\":[\"hdf5.sieve_buffer_size\",\"hdf5.chunk_cache_bytes\"]"));
}

static void formats(void **state)
{
    opened o;

    (void) state;
    advise("{\"hdf5\": {\"version_low\": \"v18\", \"version_high\": \"latest\", "
           "\"file_space_strategy\": \"page\", \"file_space_page_size\": 8192}}");
    o = open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    assert_int_equal(at(o.access)->versions[0], 1);
    assert_int_equal(at(o.access)->versions[1], 2);
    assert_int_equal(o.creation, o.lists.made[0]);
    assert_int_equal(at(o.creation)->strategy, 1);
    assert_int_equal(at(o.creation)->page, 8192);
    advise("{\"hdf5\": {\"version_low\": \"v114\", \"sieve_buffer_size\": 9}}");
    o = open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    assert_int_equal(at(o.access)->versions[0], 0); /* this HDF5 has no such version */
    assert_int_equal(at(o.access)->sieve, 9);
    assert_non_null(strstr(explanation(), "\"cannot\":[\"hdf5.version_low\"]"));
}

static void older_libraries(void **state)
{
    atw_h5 older = whole;
    opened o;

    (void) state;
    older.H5Pset_file_space_strategy = NULL;
    advise("{\"hdf5\": {\"file_space_strategy\": \"page\"}}");
    o = open_with(&older, "x.h5", ATW_H5_DEFAULT);
    assert_int_equal(at(o.creation)->strategy, 0);
    assert_non_null(strstr(explanation(), "\"cannot\":[\"hdf5.file_space_strategy\"]"));
}

static void left_alone(void **state)
{
    int64_t family = create(ACCESS_CLASS), set = create(SET_CLASS);

    (void) state;
    at(family)->driver = FAMILY;
    advise("{\"hdf5_alignment\": [0, 512]}");
    assert_int_equal(open_with(&whole, "x.h5", family).access, family);
    assert_int_equal(open_with(&whole, "x.h5", set).access, set); /* no list of files */
    assert_int_equal(open_with(&whole, "x.h5", 12345).access, 12345);
    assert_int_equal(open_with(&whole, "x.nc", ATW_H5_DEFAULT).access, ATW_H5_DEFAULT);
    advise("{\"cb_nodes\": 4}"); /* which only MPI-IO has */
    assert_int_equal(open_with(&whole, "x.h5", ATW_H5_DEFAULT).access, ATW_H5_DEFAULT);
    advise("{\"hdf5\": {\"sieve_buffer_size\": -1}}");
    assert_int_equal(open_with(&whole, "x.h5", ATW_H5_DEFAULT).access, ATW_H5_DEFAULT);
    assert_int_equal(left_open(), 2);
    assert_string_equal(explanation(), "");
}

/* --- data sets */

static int64_t create_set(int64_t list)
{
    int64_t creation = list;
    atw_lists of = {.at = 1, .type = 2, .space = 3, .creation = &creation};

    atw_h5_set(&whole, &of);
    assert_true(creation == list ? of.made[0] == 0 : of.made[0] == creation);
    return creation;
}

static void chunks(void **state)
{
    int64_t set;

    (void) state;
    advise("{\"hdf5\": {\"chunk_bytes\": 320}}");
    assert_int_equal(create_set(ATW_H5_DEFAULT), ATW_H5_DEFAULT); /* of no file that is known */
    open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    set = create_set(ATW_H5_DEFAULT);
    assert_int_equal(at(set)->layout, ATW_H5_CHUNKED);
    assert_int_equal(at(set)->chunk[0], 2);
    assert_int_equal(at(set)->chunk[1], 20);
    data.file = "y.h5";
    assert_int_equal(create_set(ATW_H5_DEFAULT), ATW_H5_DEFAULT);
    data.file = "x.h5";
    data.limit = UINT64_MAX;
    assert_int_equal(create_set(ATW_H5_DEFAULT), ATW_H5_DEFAULT);
    data.limit = 10;
    data.type = 0; /* a scalar */
    assert_int_equal(create_set(ATW_H5_DEFAULT), ATW_H5_DEFAULT);
}

static void sets_left_alone(void **state)
{
    int64_t mine;

    (void) state;
    advise("{\"hdf5\": {\"chunk\": [5, 5], \"fill_time\": \"never\"}}");
    open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    mine = create(SET_CLASS);
    at(mine)->external = 1;
    assert_int_equal(create_set(mine), mine);
    at(mine)->external = 0;
    at(mine)->layout = 0; /* compact */
    assert_int_equal(create_set(mine), mine);
    at(mine)->layout = ATW_H5_CHUNKED;
    at(mine)->fill_value = ATW_H5_USER_FILL;
    assert_int_equal(create_set(mine), mine);
    at(mine)->layout = ATW_H5_CONTIGUOUS;
    at(mine)->filters = 1;
    assert_int_equal(create_set(mine), mine);
    at(mine)->filters = 0;
    assert_true(create_set(mine) != mine);
    assert_int_equal(at(mine)->layout, ATW_H5_CONTIGUOUS);
    mine = create(ACCESS_CLASS); /* no list of data sets */
    assert_int_equal(create_set(mine), mine);
}

static void times(void **state)
{
    int64_t mine, set;

    (void) state;
    advise("{\"hdf5\": {\"allocation_time\": \"early\", \"fill_time\": \"never\"}}");
    open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    set = create_set(ATW_H5_DEFAULT);
    assert_int_equal(at(set)->allocation, ATW_H5_EARLY);
    assert_int_equal(at(set)->fill, ATW_H5_FILL_NEVER);
    data.class = ATW_H5_STRING; /* which may be stored elsewhere */
    assert_int_equal(at(create_set(ATW_H5_DEFAULT))->fill, ATW_H5_FILL_IFSET);
    data.class = -1;
    mine = create(SET_CLASS);
    at(mine)->allocation = ATW_H5_INCREMENTAL; /* its own: it is not that of its layout */
    at(mine)->fill = ATW_H5_FILL_ALLOC;
    assert_int_equal(create_set(mine), mine);
    advise("{\"hdf5\": {\"allocation_time\": \"incremental\", \"fill_time\": \"alloc\"}}");
    open_with(&whole, "x.h5", ATW_H5_DEFAULT);
    set = create_set(ATW_H5_DEFAULT);
    assert_int_equal(at(set)->allocation, ATW_H5_LATE); /* it has no chunks */
    assert_int_equal(at(set)->fill, ATW_H5_FILL_ALLOC);
    mine = create(SET_CLASS);
    at(mine)->fill_value = ATW_H5_NO_FILL;
    assert_int_equal(create_set(mine), mine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(defaults_become_a_list, begin),
        cmocka_unit_test_setup(programs_lists_stay, begin),
        cmocka_unit_test_setup(formats, begin),
        cmocka_unit_test_setup(older_libraries, begin),
        cmocka_unit_test_setup(left_alone, begin),
        cmocka_unit_test_setup(chunks, begin),
        cmocka_unit_test_setup(sets_left_alone, begin),
        cmocka_unit_test_setup(times, begin),
    };
    int code;

    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(advice, sizeof(advice), "%s/advice.json", folder);
    snprintf(explained, sizeof(explained), "%s/explained", folder);
    setenv("ROMIO_AUTOTUNE_EXPLAIN", explained, 1);
    code = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(advice);
    unlink(explained);
    rmdir(folder);
    return code;
}
